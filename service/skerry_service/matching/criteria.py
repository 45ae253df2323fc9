"""Criteria of tickets: which table settings they accept.

A table setting is a number of seats, options and a clock. There is a queue for each setting, apart from the time of its
clock: a ticket stands in a queue with a range of times.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from skerry_service.domain.record import Clock, ClockKind, TimeoutAction

_BANKS = (ClockKind.BANK, ClockKind.BANK_WITH_GRACE)
_WIDENING_MS = 10_000
"""Time after which a skill range doubles."""
WIDENINGS = 6
"""Number of times that a skill range doubles. After that, any skill is accepted."""


class ClockRange(Struct, frozen=True, array_like=True):
    """Clocks that differ only in their time: the time of the bank if there is one, else the time of a turn."""

    least: Clock | None
    """The clock with the shortest time; ``None``: no clock."""
    most_ms: int = 0
    """The longest time."""


def time_of(clock: Clock | None) -> int:
    """Return the time in ms that ranges compare; 0 without a clock."""
    if clock is None:
        return 0
    return clock.bank_ms if clock.kind in _BANKS else clock.grace_ms


def with_time(clock: Clock | None, time_ms: int) -> Clock | None:
    """Return the clock with another time."""
    if clock is None:
        return None
    return replace(clock, bank_ms=time_ms) if clock.kind in _BANKS else replace(clock, grace_ms=time_ms)


class Skill(Struct, frozen=True, array_like=True):
    """The skill of a ticket, and the greatest difference that it accepts at first."""

    value: int
    range: int

    def accepts(self, other: Skill, waited_ms: int) -> bool:
        """Whether the other's skill is in the range after that time. The range doubles every ten seconds."""
        widenings = max(waited_ms, 0) // _WIDENING_MS  # uptimes of replicas differ somewhat
        return widenings > WIDENINGS or abs(self.value - other.value) <= self.range << widenings


def widening_times(since_ms: int) -> Iterator[int]:
    """Yield the times at which the skill range of a ticket that arrived then becomes wider."""
    for number in range(1, WIDENINGS + 2):
        yield since_ms + number * _WIDENING_MS


class Criteria(Struct, frozen=True, array_like=True):
    """The table settings that a ticket accepts: each of its tables with each of its clocks."""

    tables: tuple[tuple[int, bytes], ...]
    """Numbers of seats, each with packed options of the game, in order of preference."""
    clocks: tuple[ClockRange, ...]
    """In order of preference."""
    skill: Skill | None = None
    """``None``: any skill is accepted, and the ticket counts as of any skill."""
    rated: bool = False
    """Whether the result is to count for ladders. Rated and other tickets never match."""


class TableSetting(Struct, frozen=True, array_like=True):
    """What a matched table plays."""

    seats: int
    options: bytes
    """Packed."""
    clock: Clock | None
    rated: bool = False


ClockFamily = tuple[ClockKind, int, int, TimeoutAction] | None
QueueKey = tuple[int, bytes, ClockFamily, bool]
"""Identifies a queue: number of seats, packed options, what its clocks have in common, and whether it is rated."""


class QueuePlace(Struct, frozen=True):
    """A queue in which a ticket stands, with the range of times that it accepts there."""

    queue: QueueKey
    least: Clock | None
    most_ms: int

    @property
    def least_ms(self) -> int:
        """The shortest time."""
        return time_of(self.least)

    def setting(self, time_ms: int) -> TableSetting:
        """Return the setting of the queue with that time."""
        seats, options, _, rated = self.queue
        return TableSetting(seats, options, with_time(self.least, time_ms), rated)


def places_of(criteria: Criteria) -> Iterator[QueuePlace]:
    """Yield the places of a ticket, in order of preference."""
    for seats, options in criteria.tables:
        for clocks in criteria.clocks:
            yield QueuePlace((seats, options, clock_family(clocks.least), criteria.rated), clocks.least, clocks.most_ms)


def clock_family(clock: Clock | None) -> ClockFamily:
    """Return what all clocks of a range have in common."""
    if clock is None:
        return None
    same = with_time(clock, 0)
    assert same is not None
    return same.kind, same.increment_ms, same.grace_ms, same.on_expiry
