"""The in-process client against the rules alone: a program plays a seat against bots, or all seats, at random."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from random import Random

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_service import local

from .playouts import FastRng, play
from .report import Row, Target
from .settings import Settings

TARGET = Target(10, of_floor=True)
_SEED = bytes(range(32))
_GAMES_A_TURN = 3
_ENTRIES_BEFORE = 3
"""Created, joined, started: entries that are no moves."""


def run(settings: Settings) -> Iterator[Row]:
    """Measure each game with the fewest seats and with the most."""
    with local.Client() as skerry:
        for game in all_games().values():
            for seats in (game.seats[0], game.seats[-1]):
                yield from _measure(skerry, game, seats, settings)


def _measure(skerry: local.Client, game: AnyGame, seats: int, settings: Settings) -> Iterator[Row]:
    """Measure all alternately, so that other load on the machine disturbs all equally."""
    rng = FastRng(1)
    loops: dict[str, Callable[[], int]] = {
        "the rules alone": lambda: play(game, seats, rng),
        "a seat against bots": lambda: _against_bots(skerry, game, seats),
        "all seats, each reads its position": lambda: _all_seats(skerry, game, seats),
    }
    times: dict[str, list[float]] = {name: [] for name in loops}
    ends = time.perf_counter() + settings.seconds
    while time.perf_counter() < ends:
        for name, loop in loops.items():
            times[name].append(_seconds_a_move(loop))
    floor = statistics.median(times["the rules alone"])
    for name, measured in times.items():
        move = statistics.median(measured)
        target = None if name == "the rules alone" else TARGET
        ratio = None if target is None else move / floor
        yield Row("local", f"{game.id}, {seats} seats: a move, {name}", move * 1e6, "µs", target, ratio)


def _seconds_a_move(loop: Callable[[], int]) -> float:
    began = time.process_time()
    moves = sum(loop() for _ in range(_GAMES_A_TURN))
    return (time.process_time() - began) / moves


def _against_bots(skerry: local.Client, game: AnyGame, seats: int) -> int:
    """Play one game by the first loop of docs/how-to/python-client.md; return its moves, including bots and chance."""
    random = Random(1)
    table = skerry.create(game.id, seats=seats, bots=seats - 1, seed=_SEED)
    seat = table.join("Ada")
    for position in seat.turns():
        seat.act(random.choice(position.legal_moves))
    return table.session().sequence - _ENTRIES_BEFORE


def _all_seats(skerry: local.Client, game: AnyGame, seats: int) -> int:
    """Play one game, each seat from its own position; return the number of moves."""
    random, moves = Random(1), 0
    table = skerry.create(game.id, seats=seats, seed=_SEED)
    held = [table.join(f"Player {'ABCDE'[number]}") for number in range(seats)]
    position = held[0].position()
    while position.to_act:
        seat = held[position.to_act[0]]
        position = seat.act(random.choice(seat.position().legal_moves)).position
        moves += 1
    return moves
