"""Random actions of the learning environments, and of PettingZoo's classic games in the same run, if installed.

    python -m tests.benchmarks.learning ENVIRONMENT SECONDS

measures one environment in this process, and prints its games and actions per second of processor time. Each
environment runs in its own process. They run by turns, and the median round counts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from statistics import median
from typing import Any

import numpy as np

from skerry_arena.learning.gymnasium import SkerryEnv
from skerry_arena.learning.pettingzoo import raw_env
from skerry_arena.learning.vector import SkerryVectorEnv
from skerry_games.catalogue import all_games

from .others import Rate, measured
from .report import Row, Target
from .settings import Settings

CHESS = "chess"
CLASSIC = (CHESS, "connect_four", "tictactoe")
"""Games of ``pettingzoo.classic``. They need the packages chess and pygame."""
OURS, ALONE = "skerry", "skerry-gymnasium"
TARGET = Target(4, at_least=True, of_floor=True)
"""Random actions per random action of PettingZoo's chess."""
MANY = 64
"""Games at once."""
_SHARE = 0.2
"""Share of the measurement length for each environment, because there are many."""
_SEED = 1


def run(settings: Settings) -> Iterator[Row]:
    """Measure the games with their fewest seats: all seats (PettingZoo), and one seat against random (Gymnasium)."""
    names = [*CLASSIC, *(f"{kind}:{game}" for game in all_games() for kind in (OURS, ALONE))]
    rates: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(settings.rounds):
        for name in names:
            if (rate := _rate(name, settings.seconds * _SHARE)) is not None:
                rates[name].append(rate.moves)
    actions = {name: median(found) for name, found in rates.items() if found}
    chess = actions.get(CHESS)
    for name, figure in actions.items():
        kind, _, game = name.partition(":")
        what = {OURS: f"{game}: all seats", ALONE: f"{game}: one seat against random"}.get(kind, f"PettingZoo: {kind}")
        target = TARGET if kind == OURS else None
        yield Row("learning", what, figure, "actions/s", target, figure / chess if chess else None)
    yield from _many(settings)


def _many(settings: Settings) -> Iterator[Row]:
    """Measure many games at once by the clock: in this process, in one process and in two."""
    for processes in (0, 1, 2):
        games = SkerryVectorEnv(MANY, processes=processes, copy=False, game="kreta")
        random, steps = np.random.default_rng(_SEED), 0
        observations, _ = games.reset(seed=_SEED)
        began = time.perf_counter()
        while (used := time.perf_counter() - began) < settings.seconds * _SHARE:
            mask = observations["action_mask"]
            observations, *_ = games.step((random.random(mask.shape) * mask).argmax(axis=1))
            steps += MANY
        games.close()
        where = f"{processes} further" if processes else "the same"
        yield Row("learning", f"kreta: {MANY} games at once, processes: {where}", steps / used, "actions/s")


def _rate(name: str, seconds: float) -> Rate | None:
    """Return the rate of an environment in its own process; ``None`` if a package that it needs is not installed."""
    done = subprocess.run(
        [sys.executable, "-m", __name__, name, str(seconds)], capture_output=True, text=True, check=False
    )
    if done.returncode and "ModuleNotFoundError" in done.stderr and name in CLASSIC:
        return None
    done.check_returncode()
    return Rate(*json.loads(done.stdout.splitlines()[-1]))


def _all_seats(game: Any) -> Callable[[], int]:
    """Return a function that plays a game with random actions in a PettingZoo environment."""
    random, seeds = Random(_SEED), iter(range(1 << 62))

    def play_one() -> int:
        made = 0
        game.reset(seed=next(seeds))
        for _ in game.agent_iter():
            observation, _, terminated, truncated, _ = game.last()
            over = terminated or truncated
            game.step(None if over else int(random.choice(observation["action_mask"].nonzero()[0])))
            made += not over
        return made

    return play_one


def _one_seat(game: SkerryEnv) -> Callable[[], int]:
    """Return a function that plays a game with random actions in a Gymnasium environment."""
    random, seeds = Random(_SEED), iter(range(1 << 62))

    def play_one() -> int:
        made, over = 0, False
        observation, _ = game.reset(seed=next(seeds))
        while not over:
            observation, _, over, _, _ = game.step(int(random.choice(observation["action_mask"].nonzero()[0])))
            made += 1
        return made

    return play_one


def main(name: str, seconds: float) -> None:
    """Measure one environment and print its rate."""
    kind, _, game = name.partition(":")
    if kind == OURS:
        play_one = _all_seats(raw_env(game))
    elif kind == ALONE:
        play_one = _one_seat(SkerryEnv(game))
    else:
        play_one = _all_seats(import_module(f"pettingzoo.classic.{name}.{name}").raw_env())
    print(json.dumps(measured(play_one, seconds)))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
