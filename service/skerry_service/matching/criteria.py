"""Matching of tickets by their criteria. Pure: the same tickets in the same order give the same match.

A table setting is a number of seats, options and a clock. The criteria of a ticket accept settings with a range of
clock times. Tickets match if they all accept one setting, fill its seats, and have different display names.
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
    """Clocks that differ only in their time: the time of the bank if there is one, else the time of a turn."""

    least: Clock | None
    """The clock with the shortest time; ``None``: no clock."""
    most_ms: int = 0
    """The longest time."""

    def contains(self, clock: Clock | None) -> bool:
        """Whether a clock is in the range."""
        if clock is None or self.least is None:
            return clock is self.least
        alike = _clock_family(clock) == _clock_family(self.least)
        return alike and time_of(self.least) <= time_of(clock) <= self.most_ms


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


class Criteria(Struct, frozen=True, array_like=True):
    """The table settings that a ticket accepts: each of its tables with each of its clocks."""

    tables: tuple[tuple[int, bytes], ...]
    """Numbers of seats, each with packed options of the game, in order of preference."""
    clocks: tuple[ClockRange, ...]
    """In order of preference."""

    def accept(self, seats: int, options: bytes, clock: Clock | None) -> bool:
        """Whether a table fits."""
        return (seats, options) in self.tables and any(accepted.contains(clock) for accepted in self.clocks)


class TableSetting(Struct, frozen=True, array_like=True):
    """What a matched table plays."""

    seats: int
    options: bytes
    """Packed."""
    clock: Clock | None


class Candidate(Protocol):
    """A ticket that may be matched."""

    name: str
    criteria: Criteria


class Match(Struct, frozen=True):
    """Tickets that fit each other."""

    setting: TableSetting
    members: tuple[int, ...]
    """Their positions in the queue, in ascending order."""


_ClockFamily = tuple[ClockKind, int, int, TimeoutAction] | None
_Group = list[tuple[int, int, int]]
"""Candidates that accept a setting: position in the queue, shortest and longest time in ms."""


def first_match(candidates: Sequence[Candidate]) -> Match | None:
    """Return the match of the candidate that has waited longest among all that have a match, or ``None``.

    ``candidates``: in the order of the queue. If that candidate has several matches, its preferred setting wins. Within
    a setting, the candidates that have waited longest win, then the shortest time that they all accept.
    """
    names = [comparison_key(candidate.name) for candidate in candidates]
    groups: dict[tuple[int, bytes, _ClockFamily], _Group] = {}
    for position, candidate in enumerate(candidates):
        for seats, options, clocks in _accepted(candidate.criteria):
            group = groups.setdefault((seats, options, _clock_family(clocks.least)), [])
            group.append((position, time_of(clocks.least), clocks.most_ms))
    matches: list[tuple[int, int, Match]] = []
    for (seats, options, family), group in groups.items():
        if (best := _best_members(group, seats, names)) is not None:
            members, time_ms = best
            for rank, (number, packed, clocks) in enumerate(_accepted(candidates[members[0]].criteria)):
                if (number, packed, _clock_family(clocks.least)) == (seats, options, family):
                    setting = TableSetting(seats, options, with_time(clocks.least, time_ms))
                    matches.append((members[0], rank, Match(setting, members)))
                    break
    return min(matches, key=lambda match: match[:2])[2] if matches else None


def _accepted(criteria: Criteria) -> Iterator[tuple[int, bytes, ClockRange]]:
    for seats, options in criteria.tables:
        for clocks in criteria.clocks:
            yield seats, options, clocks


def _best_members(group: _Group, seats: int, names: Sequence[str]) -> tuple[tuple[int, ...], int] | None:
    """Return the members of a group that have waited longest and fit each other, and their time in ms.

    Intervals with a common time have the greatest of their lower ends in common. So only lower ends need to be tried.
    """
    if len({names[position] for position, _, _ in group}) < seats:
        return None
    tried = ((_members_at(time_ms, group, seats, names), time_ms) for time_ms in sorted({low for _, low, _ in group}))
    return min(((members, time_ms) for members, time_ms in tried if len(members) == seats), default=None)


def _members_at(time_ms: int, group: _Group, seats: int, names: Sequence[str]) -> tuple[int, ...]:
    """Return the first members of a group that accept a time, with different names, up to the number of seats."""
    members: dict[str, int] = {}
    for position, low, high in group:
        accepts = low <= time_ms <= high
        if accepts and members.setdefault(names[position], position) == position and len(members) == seats:
            break
    return tuple(members.values())


def _clock_family(clock: Clock | None) -> _ClockFamily:
    """Return what all clocks of a range have in common."""
    if clock is None:
        return None
    same = with_time(clock, 0)
    assert same is not None
    return same.kind, same.increment_ms, same.grace_ms, same.on_expiry
