"""What callers wish for, and who fits whom. Pure: the same people in the same order are matched in the same way.

A *setting* is a number of seats, options and a clock but for its time. Whoever takes part in it names an interval of
times. People fit each other who share a setting and a time, as many as it has seats, with names that can be told apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from skerry_service.domain.record import Clock, ClockKind, TimeoutAction
from skerry_service.domain.seating.display_names import comparison_key

_BANKS = (ClockKind.BANK, ClockKind.BANK_WITH_GRACE)


class ClockRange(Struct, frozen=True, array_like=True):
    """Clocks that differ in the time alone: that of the bank, where there is one, else that of a turn."""

    least: Clock | None
    """``None``: no clock."""
    most_ms: int = 0
    """The longest time."""

    def holds(self, clock: Clock | None) -> bool:
        """Whether that clock will do."""
        if clock is None or self.least is None:
            return clock is self.least
        alike = _but_for_time(clock) == _but_for_time(self.least)
        return alike and time_of(self.least) <= time_of(clock) <= self.most_ms


def time_of(clock: Clock | None) -> int:
    """Return the time of a clock that ranges are about, in ms; 0 for none."""
    if clock is None:
        return 0
    return clock.bank_ms if clock.kind in _BANKS else clock.grace_ms


def with_time(clock: Clock | None, time_ms: int) -> Clock | None:
    """Return the clock with another time."""
    if clock is None:
        return None
    return replace(clock, bank_ms=time_ms) if clock.kind in _BANKS else replace(clock, grace_ms=time_ms)


class Criteria(Struct, frozen=True, array_like=True):
    """What somebody would play."""

    tables: tuple[tuple[int, bytes], ...]
    """Numbers of seats, each with the game's options, packed. The best first."""
    clocks: tuple[ClockRange, ...]
    """The best first."""

    def holds(self, seats: int, options: bytes, clock: Clock | None) -> bool:
        """Whether such a table will do."""
        return (seats, options) in self.tables and any(one.holds(clock) for one in self.clocks)


class TableSetting(Struct, frozen=True, array_like=True):
    """What is played."""

    seats: int
    options: bytes
    """Packed."""
    clock: Clock | None


class Waiting(Protocol):
    """Somebody who waits for a table."""

    name: str
    wish: Criteria


class Match(Struct, frozen=True):
    """People who fit each other."""

    setting: TableSetting
    members: tuple[int, ...]
    """Their places among those who wait, whoever has waited longest first."""


_Kind = tuple[ClockKind, int, int, TimeoutAction] | None
_Crowd = list[tuple[int, int, int]]
"""The places of people who share a setting, in order, each with the interval of times that will do."""


def first_match(seekers: Sequence[Waiting]) -> Match | None:
    """Return the match of whoever has waited longest of all who have one; ``None`` if nobody has.

    ``seekers``: whoever has waited longest first. Of several matches it is the one whose setting that person likes
    best, then the one whose others have waited longest, and of the times that will do the shortest.
    """
    names = [comparison_key(one.name) for one in seekers]
    crowds: dict[tuple[int, bytes, _Kind], _Crowd] = {}
    for place, seeker in enumerate(seekers):
        for seats, options, wanted in _settings(seeker.wish):
            crowd = crowds.setdefault((seats, options, _but_for_time(wanted.least)), [])
            crowd.append((place, time_of(wanted.least), wanted.most_ms))
    found: list[tuple[int, int, Match]] = []
    for (seats, options, kind), crowd in crowds.items():
        if (best := _longest_waiting(crowd, seats, names)) is not None:
            members, time_ms = best
            for rank, (number, packed, wanted) in enumerate(_settings(seekers[members[0]].wish)):
                if (number, packed, _but_for_time(wanted.least)) == (seats, options, kind):
                    setting = TableSetting(seats, options, with_time(wanted.least, time_ms))
                    found.append((members[0], rank, Match(setting, members)))
                    break
    return min(found, key=lambda one: one[:2])[2] if found else None


def _settings(wish: Criteria) -> Iterator[tuple[int, bytes, ClockRange]]:
    for seats, options in wish.tables:
        for clock in wish.clocks:
            yield seats, options, clock


def _longest_waiting(crowd: _Crowd, seats: int, names: Sequence[str]) -> tuple[tuple[int, ...], int] | None:
    """Return who of a crowd play together first, and at which time.

    Intervals that have a time in common have the greatest of their lower ends in common, so those are all to be tried.
    """
    if len({names[place] for place, _, _ in crowd}) < seats:
        return None
    tried = ((_at(time_ms, crowd, seats, names), time_ms) for time_ms in sorted({low for _, low, _ in crowd}))
    return min(((members, time_ms) for members, time_ms in tried if len(members) == seats), default=None)


def _at(time_ms: int, crowd: _Crowd, seats: int, names: Sequence[str]) -> tuple[int, ...]:
    """Return the first of a crowd for whom that time will do, as many as there are seats and names."""
    members: dict[str, int] = {}
    for place, low, high in crowd:
        if low <= time_ms <= high and members.setdefault(names[place], place) == place and len(members) == seats:
            break
    return tuple(members.values())


def _but_for_time(clock: Clock | None) -> _Kind:
    """Return what is the same of all clocks of a range."""
    if clock is None:
        return None
    same = with_time(clock, 0)
    assert same is not None
    return same.kind, same.increment_ms, same.grace_ms, same.on_expiry
