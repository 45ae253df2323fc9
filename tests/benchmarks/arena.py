"""How many games the arena plays on one core, and the cost of a player in another process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from skerry_arena.entrants import parse_entrant
from skerry_arena.live.tournament_watch import TournamentWatch
from skerry_arena.running.pool import play_all
from skerry_arena.running.runner import play_missing
from skerry_arena.running.tournament_folder import begin
from skerry_arena.running.worker import Worker
from skerry_arena.settings import Settings as Tournament
from skerry_games.catalogue import all_games
from skerry_games.pairing.plan import games

from .report import Row
from .settings import Settings

PLAYERS = ("random", "greedy", "mcts:50")
HOSTED = "skerry_games.players.random_player:RandomPlayer"
"""The random player as a user's class, in its own process."""
_SEED = "5a" * 32
_SHARE = 0.2
"""Share of the measurement length for each table, because there are many tables."""
_MANY = 100_000


def run(settings: Settings) -> Iterator[Row]:
    """Measure each game with its fewest seats, the same player in all of them."""
    for game in all_games().values():
        where = f"{game.id}, {game.seats[0]} seats"
        for name in PLAYERS:
            rate, _ = _played(game.id, name, settings.seconds * _SHARE, time.process_time)
            yield Row("arena", f"{where}: {name}", rate, "games/s")
        seconds = settings.seconds * _SHARE
        here, there = (_played(game.id, name, seconds, time.perf_counter) for name in ("random", HOSTED))
        yield Row("arena", f"{where}: random in its own process", 1e3 * (there[1] - here[1]), "ms more a decision")
    yield from _very_many(100 if settings.quick else 10_000)


def _very_many(games: int) -> Iterator[Row]:
    """Play a long tournament on two processes, to show whether it slows down or its memory grows."""
    made = Tournament(
        game="kreta", seed=_SEED, games=games, players=(parse_entrant("one=random"), parse_entrant("other=random"))
    )
    at: dict[int, tuple[float, float]] = {}
    with TemporaryDirectory(prefix="skerry-bench-") as folder:
        begin(Path(folder), made)
        watch = TournamentWatch(made, 2)
        watch.changed = lambda now: at.update({now.finished: (time.perf_counter(), _resident_mib())})
        play_missing(Path(folder), partial(play_all, workers=2), watch)
    for name, first, last in (("second", 0.2, 0.4), ("last", 0.8, 1.0)):
        span = [(done, *seen) for done, seen in at.items() if first * games <= done <= last * games]
        (begun, began, _), (ended, end, size) = span[0], span[-1]
        what = f"kreta, 2 seats: {games:,} games of random on two processes, the {name} fifth"
        yield Row("arena", what, (ended - begun) / (end - began), "games/s")
        yield Row("arena", f"{what}: memory of the process that writes the log", size, "MiB")


def _resident_mib() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def _played(game: str, player: str, seconds: float, watch: Callable[[], float]) -> tuple[float, float]:
    """Play for that many seconds; return games per second and seconds per decision."""
    made = Tournament(
        game=game, seed=_SEED, games=_MANY, players=(parse_entrant(f"one={player}"), parse_entrant(f"other={player}"))
    )
    worker, plan = Worker(made), iter(games(made))
    worker.play(next(plan))  # programs have started then
    done = decisions = 0
    began = watch()
    while (used := watch() - began) < seconds:
        done += 1
        decisions += len(worker.play(next(plan)).choices)
    worker.close()
    return done / used, used / decisions
