"""The replay of an archived session: the response of ``GetReplay``, read from the archive itself."""

from __future__ import annotations

from skerry.v1 import session_pb2
from skerry_service.archive.archived_session import ArchivedSession, restored
from skerry_service.domain.cooperative import run_to_completion
from skerry_service.sessions.loader import replay
from skerry_service.wire.session_messages import entries_to_wire, write_session
from skerry_service.wire.splice import message_field


def replay_of(kept: ArchivedSession) -> session_pb2.Replay:
    """Return the replay. Raises SessionDamaged, GameNotFound, RulesetUnsupported.

    Raises ValueError if the hash chain of the log is broken, or a name does not match its commitment.
    """
    changes = run_to_completion(replay(kept.session, restored(kept)))
    table = changes[-1].table
    replay_message = session_pb2.Replay(session=write_session(table.record, table.sequence, "", with_player_ids=False))
    entries = entries_to_wire(table, [applied for change in changes for applied in change.applied], None)
    replay_message.MergeFromString(
        b"".join(map(message_field(session_pb2.Replay, "entries"), run_to_completion(entries)))
    )
    return replay_message
