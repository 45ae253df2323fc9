"""The queues of one game: a queue for each setting, with the tickets that accept it, the longest waiting first.

Each ticket that arrives is compared with the tickets that wait, which fit no other among themselves. So a round costs
in proportion to the arrivals. A ticket takes its places in all queues at once, and leaves them all at once.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import chain, islice

from msgspec import Struct

from skerry_service.domain.seating.display_names import comparison_keys
from skerry_service.matching.criteria import QueueKey, QueuePlace, TableSetting, places_of
from skerry_service.matching.tickets import Ticket

MAX_COMPARISONS = 1_024
"""Comparisons of one arrival with other tickets. Only crafted criteria need more."""
_OLDEST = _NEWEST = 128
"""Tickets of one queue with which an arrival is compared: those that have waited longest, and those that came last.
However many tickets wait that fit no other, those of players who arrive one after the other find each other."""
_MAX_INFORMED = 32
"""Tickets of a queue that learn of its changes: those that have waited longest. Few wait unless they do not fit."""


class Standing(IntEnum):
    """What is known of the reliability of a ticket. Tickets are matched with their like first."""

    PROVEN = 0
    """It confirmed a proposal that another ticket did not confirm."""
    NEW = 1
    NO_SHOW = 2
    """One of its callers did not confirm a proposal lately."""


class WaitingTicket:
    """A ticket with what matching needs of it."""

    def __init__(self, ticket: Ticket) -> None:
        self.ticket = ticket
        self.id = ticket.id
        self.since = ticket.since
        self.size = len(ticket.players)
        self.names = frozenset().union(*(comparison_keys(player.name) for player in ticket.players))
        self.skill = ticket.criteria.skill
        self.places: Sequence[QueuePlace] = tuple(places_of(ticket.criteria))
        self.standing = Standing.NEW
        self.alike_until = 0
        """The uptime until which it is matched only with its like."""


class MatchFound(Struct, frozen=True):
    """Tickets that fit each other, the longest waiting first."""

    setting: TableSetting
    members: tuple[WaitingTicket, ...]


_Entry = tuple[int, bytes, int, WaitingTicket, QueuePlace]
"""Time of arrival, ticket id, number of the place, ticket, place. The first three order the entries of a queue."""


class _Group:
    """Tickets that fit each other so far, and the times that they all accept."""

    def __init__(self, first: WaitingTicket, place: QueuePlace, now: int) -> None:
        self.members = [first]
        self.now = now
        self.left = place.queue[0] - first.size
        """The number of seats that are left."""
        self.times = (place.least_ms, place.most_ms)

    def accepts(self, other: WaitingTicket, place: QueuePlace) -> bool:
        """Whether a ticket fits all members and a free seat."""
        least, most = self.times
        if other.size > self.left or place.least_ms > most or place.most_ms < least:
            return False
        return all(member.names.isdisjoint(other.names) and self._skills_fit(member, other) for member in self.members)

    def _skills_fit(self, one: WaitingTicket, other: WaitingTicket) -> bool:
        if one.skill is None or other.skill is None:
            return True
        return one.skill.accepts(other.skill, self.now - one.since) and other.skill.accepts(
            one.skill, self.now - other.since
        )

    def add(self, other: WaitingTicket, place: QueuePlace) -> None:
        """Add a ticket that fits."""
        self.members.append(other)
        self.left -= other.size
        self.times = max(self.times[0], place.least_ms), min(self.times[1], place.most_ms)

    def remove(self, times: tuple[int, int]) -> None:
        """Remove the last member. ``times``: those before it was added."""
        self.left += self.members.pop().size
        self.times = times


class _Budget:
    """The comparisons of one arrival."""

    def __init__(self) -> None:
        self.spent = 0

    def spend(self) -> bool:
        """Spend one. Return whether there was one."""
        self.spent += 1
        return self.spent <= MAX_COMPARISONS


class WaitingQueues:
    """All queues of a game."""

    def __init__(self) -> None:
        self._queues: dict[QueueKey, tuple[list[_Entry], ...]] = {}
        """For each queue, the entries by standing."""
        self._players: Counter[QueueKey] = Counter()
        self._changed: set[QueueKey] = set()
        """Queues that have changed since ``take_changed``."""
        self.comparisons = 0
        """The number of comparisons so far."""

    def add(self, ticket: WaitingTicket) -> None:
        """Add a ticket to all its queues."""
        for entry in _entries(ticket):
            queue = self._queues.setdefault(entry[4].queue, ([], [], []))
            insort(queue[ticket.standing], entry, key=_order)
        self._count(ticket, ticket.size)

    def remove(self, ticket: WaitingTicket) -> None:
        """Remove a ticket from all its queues."""
        for entry in _entries(ticket):
            queue = self._queues[entry[4].queue]
            entries = queue[ticket.standing]
            del entries[bisect_left(entries, _order(entry), key=_order)]
            if not any(queue):
                del self._queues[entry[4].queue]
        self._count(ticket, -ticket.size)

    def take_changed(self) -> Iterator[tuple[WaitingTicket, int]]:
        """Yield tickets in the queues that have changed since the last call, each with the other players there."""
        changed, self._changed = self._changed, set()
        tickets = {
            entry[3].id: entry[3]
            for key in changed
            for entry in islice(chain.from_iterable(self._queues.get(key, ())), _MAX_INFORMED)
        }
        for ticket in tickets.values():
            yield ticket, self.players(ticket) - ticket.size

    def players(self, ticket: WaitingTicket) -> int:
        """Return the number of players in that of a ticket's queues which has most."""
        return max(self._players[place.queue] for place in ticket.places)

    def _count(self, ticket: WaitingTicket, players: int) -> None:
        for key in {place.queue for place in ticket.places}:
            self._changed.add(key)
            self._players[key] += players
            if not self._players[key]:
                del self._players[key]

    def has_unlike(self, ticket: WaitingTicket) -> bool:
        """Whether tickets of another standing wait in a queue of a ticket."""
        others = [standing for standing in Standing if standing is not ticket.standing]
        queues = [self._queues[place.queue] for place in ticket.places if place.queue in self._queues]
        return any(queue[standing] for queue in queues for standing in others)

    def find(self, arrival: WaitingTicket, now: int, *, alike: bool) -> MatchFound | None:
        """Return a match of a ticket, which stands in no queue, with tickets that do.

        ``alike``: only with tickets of the same standing.
        Of several, the one whose first member has waited longest wins, then the setting that this member prefers.
        """
        budget, best = _Budget(), None
        for place in arrival.places:
            group = _Group(arrival, place, now)
            standings = [arrival.standing] if alike else _alike_first(arrival.standing)
            if group.left < 0 or not self._complete(group, place.queue, standings, budget):
                continue
            members = tuple(sorted(group.members, key=lambda member: (member.since, member.id)))
            ranked = [one.queue for one in members[0].places].index(place.queue)
            rank = (members[0].since, members[0].id, ranked)
            if best is None or rank < best[0]:
                best = rank, MatchFound(place.setting(group.times[0]), members)
        self.comparisons += budget.spent
        return best[1] if best else None

    def _complete(self, group: _Group, key: QueueKey, standings: Sequence[Standing], budget: _Budget) -> bool:
        """Fill the seats of a group from a queue. Return whether all are filled."""
        queue = self._queues.get(key, ((), (), ()))
        candidates = [
            (entry[3], entry[4])
            for one in standings
            for entry in _ends(queue[one])
            if budget.spend()
            and group.accepts(entry[3], entry[4])
            and (one is group.members[0].standing or entry[3].alike_until <= group.now)
        ]
        return _fill(group, candidates, 0, budget)


def _ends(entries: Sequence[_Entry]) -> Iterable[_Entry]:
    """Return the entries with which an arrival is compared, the longest waiting first."""
    if len(entries) <= _OLDEST + _NEWEST:
        return entries
    return chain(entries[:_OLDEST], entries[-_NEWEST:])


def _fill(group: _Group, candidates: Sequence[tuple[WaitingTicket, QueuePlace]], start: int, budget: _Budget) -> bool:
    """Add candidates from ``start`` on until no seat is left: the first in their order that fit each other."""
    if not group.left:
        return True
    for position in range(start, len(candidates)):
        if not budget.spend():
            return False
        ticket, place = candidates[position]
        if group.accepts(ticket, place):
            times = group.times
            group.add(ticket, place)
            if _fill(group, candidates, position + 1, budget):
                return True
            group.remove(times)
    return False


def _alike_first(standing: Standing) -> Sequence[Standing]:
    return sorted(Standing, key=lambda one: (one is not standing, one))


def _entries(ticket: WaitingTicket) -> Iterator[_Entry]:
    for number, place in enumerate(ticket.places):
        yield ticket.since, ticket.id, number, ticket, place


def _order(entry: _Entry) -> tuple[int, bytes, int]:
    return entry[:3]
