"""Which games are played, in which order, with which seeds: all of it follows from the settings (``rounds`` has more).

The unit is the block: one deal and one line-up, played once in each rotation of the seats. So nobody gains by a seat,
and by a deal only what others can gain by it too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations, combinations_with_replacement, count
from typing import TypeVar

from msgspec import Struct

from skerry_arena.settings import Format, Settings
from skerry_games.rng import SeededRng

T = TypeVar("T")


class Game(Struct, frozen=True):
    """A game that is to be played."""

    number: int
    """From 0, in the order of the plan."""
    block: int
    lineup: tuple[int, ...]
    """For each seat the player that sits there, by its place in the settings."""
    seed: bytes
    """The same for all games of a block. All that chance draws follows from it."""


def games(settings: Settings) -> Iterator[Game]:
    """Yield the games, block by block, until there are as many as wanted."""
    numbers = count()
    for block, chosen in zip(range(blocks(settings)), _in_turn(settings), strict=False):
        seed = block_seed(settings, block)
        # Who sits beside whom is drawn, too.
        lineup = drawn(settings, "places", block, chosen)
        for rotation in rotations(lineup):
            yield Game(next(numbers), block, rotation, seed)


def blocks(settings: Settings) -> int:
    """Return how many blocks there are; in rounds, at each table."""
    return -(-settings.games // settings.table)


def total(settings: Settings) -> int:
    """Return how many games there are; in rounds, at each table."""
    return blocks(settings) * settings.table


def rotations(lineup: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the line-up with everybody moved on by no seat, by one, and so on."""
    return [tuple(lineup[at:]) + tuple(lineup[:at]) for at in range(len(lineup))]


def block_seed(settings: Settings, block: int) -> bytes:
    """Return what chance draws from in the games of a block."""
    return _derived(settings, "block", block)


def seat_seed(settings: Settings, game: int, seat: int, what: str) -> bytes:
    """Return what is drawn from at one seat of one game: by its ``player``, its ``substitute``, or for its view."""
    return _derived(settings, what, game, seat)


def drawn(settings: Settings, what: str, number: int, items: Sequence[T]) -> tuple[T, ...]:
    """Return the items in an order that is drawn for this purpose."""
    return SeededRng(_derived(settings, what, number), 0).shuffle(items)


def _derived(settings: Settings, what: str, *numbers: int) -> bytes:
    return sha256(" ".join([settings.seed, what, *map(str, numbers)]).encode()).digest()


def _in_turn(settings: Settings) -> Iterator[tuple[int, ...]]:
    """Yield choices of players without end: each once, then each once in another order, and so on."""
    choices = lineups(settings.format, len(settings.players), settings.table)
    for turn in count():
        yield from drawn(settings, "round", turn, choices)


def lineups(form: Format, players: int, seats: int) -> list[tuple[int, ...]]:
    """Return the choices of players that meet, each as often as the others in the long run."""
    if form is Format.GAUNTLET:
        return [(0, *[other] * (seats - 1)) for other in range(1, players)]
    if players >= seats:
        return list(combinations(range(players), seats))
    # Too few for the table: everybody sits there, and some more than once.
    chosen = combinations_with_replacement(range(players), seats)
    return [one for one in chosen if len(set(one)) == players]
