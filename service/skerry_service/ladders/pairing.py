"""Who plays next. Pure: draws from a generator that is passed in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

from msgspec import Struct

UNDER_PLAYED_BLOCKS = 10
"""Complete blocks below which an entrant counts as under-played."""
UNDER_PLAYED_SHARE = 0.25
"""How often the first member of a game is the under-played entrant with the fewest games."""
REMATCH_MS = 15_000
"""How long after a game its members rather meet others. It does not begin anew when a bot asks again."""


class Candidate(Struct, frozen=True):
    """A bot that waits."""

    bot: str
    entrant: str
    key: str
    """Its API key. Bots of one key never meet."""
    since: int
    """The store uptime in ms since which it waits."""
    games: int
    blocks: int
    rating: float
    opponents: Collection[str] = ()
    """The entrants of its latest game."""
    seen_ms: int = 0
    """When that game ended, in ms of the replica that recorded it."""


def next_game(
    waiting: Sequence[Candidate], seats: int, now_ms: int, random: Random, *, others_play: bool
) -> list[Candidate] | None:
    """Return the members of the next game; ``None`` if those who wait make none.

    ``others_play``: whether others will come back soon, so that a repeated pairing can wait for them.
    """
    left = list(waiting)
    while len(left) >= seats:
        first = _first(left, random)
        chosen = _opponents(first, left, seats - 1, now_ms, random, others_play=others_play)
        if chosen is not None:
            return [first, *chosen]
        left.remove(first)  # for now: another first member may find opponents
    return None


def _first(waiting: Sequence[Candidate], random: Random) -> Candidate:
    under_played = [one for one in waiting if one.blocks < UNDER_PLAYED_BLOCKS]
    if under_played and random.random() < UNDER_PLAYED_SHARE:
        return min(under_played, key=lambda one: (one.games, one.since, one.bot))
    return min(waiting, key=lambda one: (one.since, one.games, one.bot))


def _opponents(
    first: Candidate, waiting: Sequence[Candidate], count: int, now_ms: int, random: Random, *, others_play: bool
) -> list[Candidate] | None:
    """Choose the opponents one by one, each from the nearest in rating."""
    chosen: list[Candidate] = []
    while len(chosen) < count:
        keys = {first.key, *(one.key for one in chosen)}
        avoid = others_play and len(chosen) == count - 1
        fitting = [one for one in waiting if one.key not in keys and not (avoid and _met_just_now(first, one, now_ms))]
        if not fitting:
            return None
        fitting.sort(key=lambda one: (abs(one.rating - first.rating), one.games, one.since, one.bot))
        chosen.append(random.choice(fitting[: _nearest(random)]))
    return chosen


def _nearest(random: Random) -> int:
    """Return how many of the nearest to choose from: mostly few, sometimes all (docs/design/ladders.md)."""
    return max(1, int(5 / (0.01 + random.random()) ** 0.65))


def _met_just_now(one: Candidate, other: Candidate, now_ms: int) -> bool:
    """Return whether two met in the latest game of each, a moment ago."""
    met = other.entrant in one.opponents and one.entrant in other.opponents
    return met and 0 <= now_ms - max(one.seen_ms, other.seen_ms) < REMATCH_MS
