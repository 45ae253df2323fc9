"""Delayed spectating: the callers that get a delayed view of a session, and the last entry that they see.

Seats and the host see a session with a delay as it is. All other callers see an earlier table and the log up to it.
Every response to them is about that table: sequences, seats, errors and the outcome.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from skerry_service.domain.log import Started
from skerry_service.domain.record import Delay, Phase, Record
from skerry_service.domain.table import Applied, Table
from skerry_service.domain.tokens import Caller, Role

BatchEnd = tuple[int, int]
"""The last entry of a batch, and the store uptime of its commit."""


def sees_delayed(record: Record, caller: Caller) -> bool:
    """Return whether the caller gets the delayed view."""
    return record.delay is not None and caller.role not in (Role.SEAT, Role.HOST)


def is_shown_whole(table: Table, delay: Delay, uptime_ms: int) -> bool:
    """Return whether no entry is held back from the delayed view.

    ``False`` can mean that only the log can tell (``shown_until``).
    """
    if table.record.phase is Phase.LOBBY or (table.record.over and delay.entries):
        return True
    return delay.ms > 0 and uptime_ms - table.uptime_ms >= delay.ms


def shown_until(record: Record, started: int, ends: Sequence[BatchEnd], uptime_ms: int) -> tuple[int, int | None]:
    """Return the last entry of the delayed view, and the ms until it grows; ``None`` if time alone does not extend it.

    ``started``: the entry that started the game, 0 in the lobby; it is never held back. ``ends``: of all batches.
    """
    last, delay = ends[-1][0], record.delay
    if delay is None or not started or (delay.entries and record.over):
        return last, None
    if delay.entries:
        return max(started, last - delay.entries), None
    shown = started
    for end, stored_ms in ends:
        if (left := stored_ms + delay.ms - uptime_ms) > 0 and end > started:
            return shown, left
        shown = max(shown, end)
    return shown, None


def start_sequence(applied: Sequence[Applied]) -> int:
    """Return the sequence of the entry that starts the game; 0 if it is not among these."""
    return next((one.sequence for one in applied if isinstance(one.entry, Started)), 0)


def is_unlisted(record: Record) -> bool:
    """Return whether lists leave the session out: it is cancelled, and not delayed.

    A delayed session stays listed, because its removal would reveal the end.
    """
    return record.phase is Phase.CANCELLED and not record.seats_at_start


def listed_record(record: Record) -> Record:
    """Return the record that lists show of a delayed session: as its game began."""
    return replace(record, phase=Phase.PLAYING, seats=record.seats_at_start, outcome=None, lost=(), substituted=())
