"""Who looks on late, and how much of a session is shown by then. What is behind that is not there for them.

A session with a delay is shown to its seats and its host as it stands. Everybody else is shown a former table of it,
and the log as far as that: whatever is told, sequences, seats, refusals and the outcome, is told of that table.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from skerry_service.domain.log import Started
from skerry_service.domain.record import Delay, Phase, Record
from skerry_service.domain.table import Applied, Table
from skerry_service.domain.tokens import Caller, Role

BatchEnd = tuple[int, int]
"""The last entry of a batch, and the age of the store at which that was stored."""


def sees_delayed(record: Record, caller: Caller) -> bool:
    """Whether the caller is shown the game late."""
    return record.delay is not None and caller.role not in (Role.SEAT, Role.HOST)


def is_shown_whole(table: Table, delay: Delay, uptime_ms: int) -> bool:
    """Whether nothing of a session is held back, as far as can be said without its log."""
    if table.record.phase is Phase.LOBBY or (table.record.over and delay.entries):
        return True
    return delay.ms > 0 and uptime_ms - table.uptime_ms >= delay.ms


def shown_until(record: Record, started: int, ends: Sequence[BatchEnd], uptime_ms: int) -> tuple[int, int | None]:
    """Return the last entry that is shown, and in how many ms there is another one; ``None`` if time alone brings none.

    ``started``: the entry with which the game began, which is no secret; 0 before. ``ends``: of all batches.
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
    """Return the entry with which the game begins, if it is among these; else 0."""
    return next((one.sequence for one in applied if isinstance(one.entry, Started)), 0)


def is_unlisted(record: Record) -> bool:
    """Whether a session is in no list from now on: called off, unless it is shown late. Then its end is no news yet."""
    return record.phase is Phase.CANCELLED and not record.seats_at_start


def listed_record(record: Record) -> Record:
    """Return what a listing tells of a session that is not shown whole: how its game began."""
    return replace(record, phase=Phase.PLAYING, seats=record.seats_at_start, outcome=None, lost=(), substituted=())
