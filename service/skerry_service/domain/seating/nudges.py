"""When a player can nudge another one, whose seat owes a decision."""

from __future__ import annotations

from math import ceil

from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import LimitReached
from skerry_service.domain.languages.phrases import phrase, verbatim
from skerry_service.domain.log import Batch
from skerry_service.domain.record import ClockKind, Record
from skerry_service.domain.table import Table

MIN_WAIT_MS = 60_000
"""How long a seat must have owed its decision before the first nudge."""
_CORRESPONDENCE_FRACTION = 24
"""In correspondence games, the first nudge needs this fraction of a turn to have passed."""


def require_nudge_due(table: Table, seat: int, owed: int) -> None:
    """Raise LimitReached unless the seat has owed its decision for long enough. ``owed``: in ms.

    After the first nudge, the owed time must double before the next one. So a decision gets only a handful of nudges,
    and nudges cannot fill the log.
    """
    last = table.record.seats[seat].nudged
    again = last is not None and last.since == table.open_since[seat]
    least_ms = 2 * last.owed_ms if last is not None and again else _first_nudge_ms(table.record)
    if owed >= least_ms:
        return
    name, left = table.record.names[seat], (least_ms - owed) / 1000
    seconds = f"{ceil(left):,}"
    sentence = phrase("limit-nudged" if again else "limit-nudge-early", name=verbatim(name), seconds=seconds)
    raise LimitReached("nudges", sentence, retry_after=left)


def owed_ms(batch: Batch, now: Moment) -> int:
    """Return for how many ms a decision has been owed that began with ``batch``.

    The store uptime measures it in sessions that record it. In others, the wall clocks of two replicas do. A wrong
    wall clock makes a nudge early or late but not more frequent, because each owed time is at least twice the last.
    """
    return max(0, now.uptime_ms - batch.uptime_ms if batch.uptime_ms else now.time_ms - batch.time_ms)


def _first_nudge_ms(record: Record) -> int:
    clock = record.clock
    if clock is None or clock.kind is not ClockKind.CORRESPONDENCE:
        return MIN_WAIT_MS
    return clock.grace_ms // _CORRESPONDENCE_FRACTION
