"""How many games the arena plays on one core, and what it costs to ask a program instead of a player in-process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from skerry_arena.entrants import entrant
from skerry_arena.plan import games
from skerry_arena.running.worker import Worker
from skerry_arena.settings import Settings as Tournament
from skerry_games.catalogue import all_games

from .report import Row
from .settings import Settings

PLAYERS = ("random", "greedy", "mcts:50")
HOSTED = "skerry_games.players.simple:RandomPlayer"
"""The random player as a class of somebody else: in a process of its own."""
_SEED = "5a" * 32
_SHARE = 0.2
"""Of the length of a measurement: there are many tables."""
_MANY = 100_000


def run(settings: Settings) -> Iterator[Row]:
    """Measure each game with its fewest seats, all of them one player's."""
    for game in all_games().values():
        where = f"{game.id}, {game.seats[0]} seats"
        for name in PLAYERS:
            rate, _ = _played(game.id, name, settings.seconds * _SHARE, time.process_time)
            yield Row("arena", f"{where}: {name}", rate, "games/s")
        seconds = settings.seconds * _SHARE
        here, there = (_played(game.id, name, seconds, time.perf_counter) for name in ("random", HOSTED))
        yield Row("arena", f"{where}: random in a process of its own", 1e3 * (there[1] - here[1]), "ms more a decision")


def _played(game: str, player: str, seconds: float, watch: Callable[[], float]) -> tuple[float, float]:
    """Play for so long; return games a second, and seconds a decision."""
    made = Tournament(
        game=game, seed=_SEED, games=_MANY, players=(entrant(f"one={player}"), entrant(f"other={player}"))
    )
    worker, plan = Worker(made), iter(games(made))
    worker.play(next(plan))  # so that programs have started
    done = decisions = 0
    began = watch()
    while (used := watch() - began) < seconds:
        done += 1
        decisions += len(worker.play(next(plan)).choices)
    worker.close()
    return done / used, used / decisions
