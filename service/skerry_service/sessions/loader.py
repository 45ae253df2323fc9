"""Loading sessions from the store, with checks that their stored data is consistent.

A correct store has no damaged session. A store that evicts keys or was edited by hand can have heads without a log and
logs with gaps. The server rejects calls to such a session and serves the others.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from msgspec import MsgspecError

from skerry_games.api import GameError
from skerry_service.domain.cooperative import CooperativeTask
from skerry_service.domain.errors import SessionDamaged, SessionNotFound, SkerryError
from skerry_service.domain.packed import Head, unpack_head
from skerry_service.domain.record import Record, unpack_record
from skerry_service.domain.table import Change, Table, replay_batch
from skerry_service.sessions.store_port import Store, Summary, Tip
from skerry_service.sessions.task_runner import TaskRunner

_log = logging.getLogger(__name__)

_MAX_REPORTED = 10_000
_END_OF_TIME_MS = 253_402_300_800_000
"""The first ms of the year 10000, for which JSON has no timestamps."""
_reported: set[str] = set()


def report_damage(session: str, problem: str) -> SessionDamaged:
    """Return the error for a damaged session. The first one for each session also writes a log line."""
    if _is_new(session):
        _log.error("session %s is damaged: %s", session, problem)
    return SessionDamaged(session)


def report_damaged_entry(where: str, entry: bytes) -> None:
    """Write a log line for a damaged entry that belongs to no session, once for each."""
    if _is_new(f"{where} {entry!r}"):
        _log.error("%s has a damaged entry, which is left out: %r", where, entry[:100])


def _is_new(damaged: str) -> bool:
    if damaged in _reported or len(_reported) >= _MAX_REPORTED:
        return False
    _reported.add(damaged)
    return True


def damage_found() -> int:
    """Return how many damaged sessions and entries of indexes this process has found, 10,000 at most."""
    return len(_reported)


@contextmanager
def confined(session: str) -> Iterator[None]:
    """Raise SessionDamaged for any error of the block that is not one of Skerry's.

    A record can be damaged and still be decoded, for example with options that its game does not have. Lists read many
    records, and one of them must not make the others unavailable.
    """
    try:
        yield
    except SkerryError:
        raise
    except Exception as error:
        raise report_damage(session, f"its record cannot be used: {error}") from error


def read_table(session: str, head: Head) -> Table:
    """Decode a stored head. Raises GameNotFound, RulesetUnsupported, SessionDamaged."""
    try:
        table = unpack_head(head)
    except (MsgspecError, ValueError) as error:
        raise report_damage(session, f"its head cannot be read: {error}") from error
    _require_sound(session, table.record)
    return table


def read_record(session: str, head: Head | Summary) -> Record:
    """Decode the record of a stored head. Raises SessionDamaged."""
    try:
        record = unpack_record(head.record)
    except (MsgspecError, ValueError) as error:
        raise report_damage(session, f"its record cannot be read: {error}") from error
    _require_sound(session, record)
    return record


def _require_sound(session: str, record: Record) -> None:
    if record.id != session:
        raise report_damage(session, "its record is that of another session")
    if not 0 <= record.created_ms < _END_OF_TIME_MS:
        raise report_damage(session, "its time of creation is in no calendar")


async def read_log(store: Store, session: str, tasks: TaskRunner) -> list[Change]:
    """Read and replay the whole log, at least up to the tip that the store had before.

    Raises SessionNotFound, SessionDamaged, StoreUnavailable, GameNotFound, RulesetUnsupported.
    """
    tip = await store.tip(session)
    while tip is not None:
        changes = await tasks.run(replay(session, await store.batches(session, 0)))
        if any(Tip(change.batch.last, change.table.chained_hash) == tip for change in changes):
            return changes
        before, tip = tip, await store.tip(session)  # the log may have been rolled back or deleted meanwhile
        if tip == before:
            raise report_damage(session, f"its log does not lead to entry {tip.sequence} of its head")
    raise SessionNotFound(session)


def replay(session: str, batches: Iterable[bytes]) -> CooperativeTask[list[Change]]:
    """Replay a whole log. Yields after each entry. Raises SessionDamaged, GameNotFound, RulesetUnsupported."""
    changes: list[Change] = []
    table, end, chained = None, 0, b""
    try:
        for packed in batches:
            change = yield from replay_batch(table, packed)
            if (change.batch.first, change.batch.after) != (end + 1, chained):
                raise report_damage(session, f"its log has a gap after entry {end}")
            changes.append(change)
            table, end, chained = change.table, change.batch.last, change.table.chained_hash
    except (MsgspecError, ValueError, IndexError, GameError) as error:
        raise report_damage(session, f"its log cannot be replayed after entry {end}: {error}") from error
    return changes
