"""Reading a session back as a whole, and noticing when what is stored of it does not fit together.

A store that keeps its word has no such session. One that evicts, or that was mended by hand, can have heads without
a log, and logs that lack a part. Those sessions are refused, the others are served as before.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from msgspec import MsgspecError

from skerry_games.api import GameError
from skerry_service.domain.cooperative import CooperativeTask
from skerry_service.domain.errors import SessionDamaged, SessionNotFound
from skerry_service.domain.packed import Head, unpack_head
from skerry_service.domain.record import Record, unpack_record
from skerry_service.domain.table import Change, Table, replay_batch
from skerry_service.sessions.store_port import Store, Summary, Tip
from skerry_service.sessions.task_runner import TaskRunner

_log = logging.getLogger(__name__)

_MOST_NAMED = 10_000
_named: set[str] = set()


def report_damage(session: str, what: str) -> SessionDamaged:
    """Return the refusal of a damaged session. Its first in this process names the session in the log."""
    if session not in _named and len(_named) < _MOST_NAMED:
        _named.add(session)
        _log.error("session %s is damaged: %s", session, what)
    return SessionDamaged(session)


def read_table(session: str, head: Head) -> Table:
    """Decode a stored head. Raises GameNotFound, RulesetUnsupported, SessionDamaged."""
    try:
        return unpack_head(head)
    except (MsgspecError, ValueError) as error:
        raise report_damage(session, f"its head cannot be read: {error}") from error


def read_record(session: str, head: Head | Summary) -> Record:
    """Decode the record of a stored head. Raises SessionDamaged."""
    try:
        return unpack_record(head.record)
    except (MsgspecError, ValueError) as error:
        raise report_damage(session, f"its record cannot be read: {error}") from error


async def read_log(store: Store, session: str, tasks: TaskRunner) -> list[Change]:
    """Return the whole log, replayed: at least as far as the head said before it was read.

    Raises SessionNotFound, SessionDamaged, StoreUnavailable, GameNotFound, RulesetUnsupported.
    """
    tip = await store.tip(session)
    while tip is not None:
        changes = await tasks.run(replay(session, await store.batches(session, 0)))
        if any(Tip(change.batch.last, change.table.chained_hash) == tip for change in changes):
            return changes
        before, tip = tip, await store.tip(session)  # it may have been set back, or have ended, in between
        if tip == before:
            raise report_damage(session, f"its log does not lead to entry {tip.sequence}, where its head stands")
    raise SessionNotFound(session)


def replay(session: str, batches: Iterable[bytes]) -> CooperativeTask[list[Change]]:
    """Follow a log whole, an entry between two yields. Raises SessionDamaged, GameNotFound, RulesetUnsupported."""
    changes: list[Change] = []
    table, end, chained = None, 0, b""
    try:
        for packed in batches:
            change = yield from replay_batch(table, packed)
            if (change.batch.first, change.batch.after) != (end + 1, chained):
                raise report_damage(session, f"its log has a gap behind entry {end}")
            changes.append(change)
            table, end, chained = change.table, change.batch.last, change.table.chained_hash
    except (MsgspecError, ValueError, IndexError, GameError) as error:
        raise report_damage(session, f"its log cannot be followed behind entry {end}: {error}") from error
    return changes
