"""The speed of the players against that of random moves: every game with every seat count.

The search is measured at the first decision after the setup, in iterations per processor time. It is compared with the
moves of random play-outs just before: of the same game, and of the game that the target names.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_games.information_state import seen_from
from skerry_games.players import player, untimed
from skerry_games.players.fast_dice import FastDice
from skerry_games.players.search import Search
from skerry_games.players.turn_search import turn_utilities
from skerry_games.players.utility import advice_of
from skerry_games.position import Position, start
from skerry_games.rng import Dice

from .playouts import FastRng, play
from .report import Row, Target
from .settings import Settings

MEASURE = ("kreta", 2)
"""The game whose play-outs measure the speed of the machine."""
TARGET = Target(2_000 / 190_000, at_least=True, of_floor=True)
"""2,000 iterations per second where that game's play-outs make 190,000 moves."""
_SEED = 1
_SHARE = 0.2
"""Share of the measurement length for each table: its calls are short, and there are many tables."""


def run(settings: Settings) -> Iterator[Row]:
    """Measure each game with each seat count."""
    seconds = settings.seconds * _SHARE
    for game in all_games().values():
        for seats in game.seats:
            yield from _measure(game, seats, seconds)


def _measure(game: AnyGame, seats: int, seconds: float) -> Iterator[Row]:
    what, dice = f"{game.id}, {seats} seats", Dice(Random(_SEED))
    position = start(game.id, seats, rng=dice)
    common, common_seats = MEASURE
    floor = _rate(lambda: play(all_games()[common], common_seats, FastRng(_SEED)), seconds)
    own = _rate(lambda: play(game, seats, FastRng(_SEED)), seconds)
    iterations = _rate(_iterating(position), seconds)
    yield Row("players", f"{what}: search", iterations, "iterations/s", TARGET, iterations / floor)
    yield Row("players", f"{what}: search, for 1,000 moves of its own play-outs", 1000 * iterations / own, "iterations")
    seen = seen_from(position, position.to_act[0], dice)
    greedy = player("greedy")(dice)
    yield Row("players", f"{what}: greedy, first decision", 1e3 / _rate(lambda: _one(greedy, seen), seconds), "ms")


def _iterating(position: Position) -> Callable[[], int]:
    """Return a function that runs one more iteration of a search from that position."""
    seat, dice = position.to_act[0], FastDice(Dice(Random(_SEED)))
    game, moves = position.game, position.legal_moves(seat)
    advice = advice_of(game)
    search = Search(game, advice, seat, turn_utilities(game, advice, position.state, seat, moves), dice)

    def iterate() -> int:
        search.iterate(position.redeal(seat, dice).state)
        return 1

    return iterate


def _one(chooser: Any, seen: Any) -> int:
    chooser.choose(seen, untimed)
    return 1


def _rate(work: Callable[[], int], seconds: float) -> float:
    """Return the amount of work per second of processor time. ``work`` returns the amount of one call."""
    done, began = 0, time.process_time()
    while (used := time.process_time() - began) < seconds:
        done += work()
    return done / used
