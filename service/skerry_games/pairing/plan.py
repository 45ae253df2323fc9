"""The plan of a tournament: its games, their order and seeds. It follows from the settings (see also ``rounds``).

The unit is the block: one deal and one line-up, played once in each rotation of the seats. So no player gains by its
seat, and every player of a block has the same luck of the deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations, combinations_with_replacement, count
from typing import TypeVar

from msgspec import Struct

from skerry_games.pairing.form import Format, TournamentForm
from skerry_games.rng import SeededRng

T = TypeVar("T")


class PlannedGame(Struct, frozen=True):
    """A planned game."""

    number: int
    """From 0, in the order of the plan."""
    block: int
    lineup: tuple[int, ...]
    """For each seat, the index of its player in the settings."""
    seed: bytes
    """The seed of all chance in the game, the same for all games of a block."""


def games(settings: TournamentForm) -> Iterator[PlannedGame]:
    """Yield the games, block by block, until the settings' number of games is reached."""
    numbers = count()
    for block, chosen in zip(range(blocks(settings)), _in_turn(settings), strict=False):
        seed = block_seed(settings, block)
        # The order of the seats is random, too.
        lineup = shuffled(settings, "places", block, chosen)
        for rotation in rotations(lineup):
            yield PlannedGame(next(numbers), block, rotation, seed)


def blocks(settings: TournamentForm) -> int:
    """Return the number of blocks; in a tournament with rounds, at each table."""
    return -(-settings.games // settings.table)


def total(settings: TournamentForm) -> int:
    """Return the number of games; in a tournament with rounds, at each table."""
    return blocks(settings) * settings.table


def rotations(lineup: Sequence[int]) -> list[tuple[int, ...]]:
    """Return all rotations of the line-up: by no seat, by one, and so on."""
    return [tuple(lineup[at:]) + tuple(lineup[:at]) for at in range(len(lineup))]


def block_seed(settings: TournamentForm, block: int) -> bytes:
    """Return the seed of chance in the games of a block."""
    return _derived(settings, "block", block)


def seat_seed(settings: TournamentForm, game: int, seat: int, purpose: str) -> bytes:
    """Return the seed of one seat in one game, for its ``player``, its ``substitute`` or its ``view``."""
    return _derived(settings, purpose, game, seat)


def shuffled(settings: TournamentForm, purpose: str, number: int, items: Sequence[T]) -> tuple[T, ...]:
    """Return the items in a random order, which depends on the seed, the purpose and the number."""
    return rng_of(settings, purpose, number).shuffle(items)


def rng_of(settings: TournamentForm, purpose: str, number: int) -> SeededRng:
    """Return a generator, which depends on the seed, the purpose and the number."""
    return SeededRng(_derived(settings, purpose, number), 0)


def _derived(settings: TournamentForm, purpose: str, *numbers: int) -> bytes:
    return sha256(" ".join([settings.seed, purpose, *map(str, numbers)]).encode()).digest()


def _in_turn(settings: TournamentForm) -> Iterator[tuple[int, ...]]:
    """Yield choices of players endlessly: all of them in a random order, then all in another order, and so on."""
    choices = lineups(settings.format, len(settings.players), settings.table)
    for turn in count():
        yield from shuffled(settings, "round", turn, choices)


def lineups(form: Format, players: int, seats: int) -> list[tuple[int, ...]]:
    """Return the choices of players that meet. In the long run, each choice plays equally often."""
    if form is Format.GAUNTLET:
        return [(0, *[other] * (seats - 1)) for other in range(1, players)]
    if players >= seats:
        return list(combinations(range(players), seats))
    # With fewer players than seats, every player sits at the table, and some have several seats.
    chosen = combinations_with_replacement(range(players), seats)
    return [one for one in chosen if len(set(one)) == players]
