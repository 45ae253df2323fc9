"""When a player can be nudged: reminded by another one of a decision that the seat owes."""

from __future__ import annotations

from math import ceil

from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import LimitReached
from skerry_service.domain.log import Batch
from skerry_service.domain.record import ClockKind, Record
from skerry_service.domain.table import Table

MIN_WAIT_MS = 60_000
_OF_DAYS = 24
"""Where a turn has days, nobody is nudged before this part of it has passed."""


def require_nudge_due(table: Table, seat: int, owed: int) -> None:
    """Raise LimitReached unless the seat has owed its decision for long enough, when it has for so many ms.

    That is so once at first, and then whenever the time has doubled: however long a decision takes, it is followed by
    a handful of nudges, and no log is filled with them.
    """
    last = table.record.seats[seat].nudged
    again = last is not None and last.since == table.open_since[seat]
    least_ms = 2 * last.owed_ms if last is not None and again else _soonest_ms(table.record)
    if owed >= least_ms:
        return
    name, left = table.record.names[seat], (least_ms - owed) / 1000
    when = "was nudged a while ago" if again else "has not had the turn for long"
    raise LimitReached("nudges", f"{name} {when}, and can be nudged in {ceil(left):,} s.", retry_after=left)


def owed_ms(batch: Batch, now: Moment) -> int:
    """Return for how long what a batch brought has been owed: by the age of the store, where the session notes it.

    Elsewhere it goes by the wall clocks of two replicas. Where one of them is wrong a nudge comes too soon or late, but
    never more often: of nudges of one decision each says at least twice what the one before it said.
    """
    return max(0, now.uptime_ms - batch.uptime_ms if batch.uptime_ms else now.time_ms - batch.time_ms)


def _soonest_ms(record: Record) -> int:
    clock = record.clock
    if clock is None or clock.kind is not ClockKind.CORRESPONDENCE:
        return MIN_WAIT_MS
    return clock.grace_ms // _OF_DAYS
