"""Random games of other engines, if installed, and of this project in the same run.

    python -m tests.benchmarks.others ENGINE SEATS SECONDS

plays one engine in this process, and prints its games and moves per second of processor time. Each engine runs in its
own process, so that its imports and caches do not affect the next one.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import NamedTuple

from skerry_games.catalogue import all_games

from .playouts import FastRng, play
from .report import Row, Target
from .settings import Settings

CATANATRON, CHESS = "catanatron", "chess"
SEATS = (2, 4)
"""Seat counts to compare: Catanatron and all games of this project have them."""
OURS = "skerry"
TARGET = Target(8, at_least=True, of_floor=True)
"""Random moves per random move of python-chess."""
_SHARE = 0.4
"""Share of the measurement length for each table, because there are many tables."""
_SEED = 1


class Rate(NamedTuple):
    """Games and moves per second of processor time."""

    games: float
    moves: float


def run(settings: Settings) -> Iterator[Row]:
    """Measure the installed engines: Catanatron's games with the same seat counts, and the moves of python-chess."""
    seconds = settings.seconds * _SHARE
    chess = _rate(CHESS, 2, seconds)
    if chess:
        yield Row("others", "python-chess: random moves", chess.moves, "moves/s")
    for seats in SEATS:
        catanatron = _rate(CATANATRON, seats, seconds)
        if catanatron:
            yield Row("others", f"Catanatron, {seats} seats: random games", catanatron.games, "games/s")
            yield Row("others", f"Catanatron, {seats} seats: random moves", catanatron.moves, "moves/s")
        for game in all_games():
            ours = _rate(f"{OURS}:{game}", seats, seconds)
            assert ours is not None, "it is installed"
            what = f"{game}, {seats} seats"
            yield Row("others", f"{what}: random games", ours.games, "games/s", None, _ratio(ours, catanatron, 0))
            yield Row("others", f"{what}: random moves", ours.moves, "moves/s", TARGET, _ratio(ours, chess, 1))


def _ratio(ours: Rate, theirs: Rate | None, what: int) -> float | None:
    return ours[what] / theirs[what] if theirs else None


def _rate(engine: str, seats: int, seconds: float) -> Rate | None:
    """Return the rate of an engine in its own process; ``None`` if the engine is not installed."""
    if not engine.startswith(OURS) and find_spec(engine) is None:
        return None
    command = [sys.executable, "-m", __name__, engine, str(seats), str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Rate(*json.loads(done.stdout))


def _catanatron(seats: int) -> Callable[[], int]:
    game, player = (import_module(f"catanatron.{name}") for name in ("game", "models.player"))
    seated = [player.RandomPlayer(colour) for colour in list(player.Color)[:seats]]

    def play_one() -> int:
        played = game.Game(seated)
        played.play()
        return len(played.state.actions)

    return play_one


def _chess(seats: int) -> Callable[[], int]:
    chess, random = import_module("chess"), Random(_SEED)

    def play_one() -> int:
        board, made = chess.Board(), 0
        while not board.is_game_over():
            board.push(random.choice(list(board.legal_moves)))
            made += 1
        return made

    return play_one


def _skerry(game: str, seats: int) -> Callable[[], int]:
    rng, rules = FastRng(_SEED), all_games()[game]
    return lambda: play(rules, seats, rng)


def measured(play_one: Callable[[], int], seconds: float) -> Rate:
    """Play whole games for that many seconds, after one to warm up. ``play_one`` returns the game's number of moves."""
    play_one()
    games = moves = 0
    began = time.process_time()
    while (used := time.process_time() - began) < seconds:
        moves += play_one()
        games += 1
    return Rate(games / used, moves / used)


def main(engine: str, seats: int, seconds: float) -> None:
    """Measure one engine and print its rate."""
    name, _, game = engine.partition(":")
    made = _skerry(game, seats) if name == OURS else {CATANATRON: _catanatron, CHESS: _chess}[name](seats)
    print(json.dumps(measured(made, seconds)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
