"""The tables of a round of a Swiss tournament. Players with similar results meet, and as few as possible meet again.

With two seats, a matching finds the pairs with the fewest rematches that this round allows. With more seats, exchanges
of players improve the tables until no exchange helps, which can leave a rematch that could be avoided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct

from skerry_games.pairing.form import PAIR, TournamentForm
from skerry_games.pairing.match import Match, Players
from skerry_games.pairing.plan import rng_of, shuffled

_UNKNOWN: Final = 0.5
"""The result of a player without a game that counts."""
_SCALE: Final = 1_000_000
_REST: Final = -1
"""The opponent of the player that sits out."""


def mean_shares(players: int, matches: Sequence[Match]) -> list[float | None]:
    """Return the mean share of each player's matches; ``None`` for a player without a match that counts."""
    shares: list[list[float]] = [[] for _ in range(players)]
    for match in matches:
        for one, share in zip(match.table, match.shares, strict=True):
            if share is not None:
                shares[one].append(share)
    return [sum(each) / len(each) if each else None for each in shares]


def next_tables(settings: TournamentForm, matches: Sequence[Match], number: int) -> tuple[Players, ...]:
    """Return the tables of round ``number``, from 0, after these matches. Raises ImportError without networkx."""
    shares = mean_shares(len(settings.players), matches)
    so_far = _SoFar(
        results=tuple([round(_SCALE * (_UNKNOWN if share is None else share)) for share in shares]),
        met=Counter(pair for match in matches for pair in combinations(sorted(match.table), 2)),
        played=Counter(one for match in matches for one in match.table),
    )
    found = _pairs(settings, so_far, number) if settings.table == PAIR else _tables(settings, so_far, number)
    return tuple(sorted(found, key=lambda table: (-max(so_far.results[one] for one in table), table)))


class _SoFar(Struct, frozen=True):
    """The results of the rounds so far."""

    results: tuple[int, ...]
    """For each player the mean share of its matches, in millionths."""
    met: Mapping[tuple[int, int], int]
    played: Mapping[int, int]

    def cost(self, one: int, other: int) -> tuple[int, int]:
        """Return what a meeting costs: earlier meetings, then the squared difference of the results."""
        return self.met[min(one, other), max(one, other)], (self.results[one] - self.results[other]) ** 2


def _pairs(settings: TournamentForm, so_far: _SoFar, number: int) -> list[Players]:
    """Return the pairs, without the player that sits out if the number of players is odd.

    The most important comes first: nobody sits out twice before all have sat out once; the fewest rematches; a low
    result of the player that sits out; similar results; the lot.
    """
    from skerry_games.pairing.matching import best_pairs  # noqa: PLC0415 - an extra, and a slow import

    players, lot = range(len(settings.players)), rng_of(settings, "swiss", number)
    costs = {
        (one, other): (0, again, 0, apart, lot.below(1 << 32))
        for one, other in combinations(players, 2)
        for again, apart in [so_far.cost(one, other)]
    }
    if len(players) % 2:
        most = max(so_far.played[one] for one in players)
        for one in players:
            costs[_REST, one] = (most - so_far.played[one], 0, so_far.results[one], 0, lot.below(1 << 32))
    return [pair for pair in best_pairs(tuple(costs.items())) if _REST not in pair]


def _tables(settings: TournamentForm, so_far: _SoFar, number: int) -> list[Players]:
    """Return tables of neighbours in the standings who have met least, improved by exchanges."""
    order = shuffled(settings, "swiss", number, range(len(settings.players)))
    left = _without_byes(sorted(order, key=lambda one: -so_far.results[one]), so_far, settings.table)
    tables: list[list[int]] = []
    while left:
        table = [left.pop(0)]
        while len(table) < settings.table:
            table.append(min(left, key=lambda one: sum(so_far.cost(one, at)[0] for at in table)))
            left.remove(table[-1])
        tables.append(table)
    while _exchange(tables, so_far):
        pass
    return [tuple(table) for table in tables]


def _exchange(tables: Sequence[list[int]], so_far: _SoFar) -> bool:
    """Exchange two players of different tables if that costs less. Return whether there was such an exchange."""
    for first, second in combinations(tables, 2):
        before = _sum(_cost(first, so_far), _cost(second, so_far))
        for here in range(len(first)):
            for there in range(len(second)):
                first[here], second[there] = second[there], first[here]
                if _sum(_cost(first, so_far), _cost(second, so_far)) < before:
                    return True
                first[here], second[there] = second[there], first[here]
    return False


def _cost(table: Sequence[int], so_far: _SoFar) -> tuple[int, int]:
    return _sum(*[so_far.cost(one, other) for one, other in combinations(table, 2)])


def _sum(*costs: tuple[int, int]) -> tuple[int, int]:
    return sum(again for again, _ in costs), sum(apart for _, apart in costs)


def _without_byes(order: Sequence[int], so_far: _SoFar, seats: int) -> list[int]:
    """Return the players of the round. Players with the most matches and the lowest standings sit out."""
    out = sorted(range(len(order)), key=lambda place: (-so_far.played[order[place]], -place))[: len(order) % seats]
    return [one for place, one in enumerate(order) if place not in out]
