"""Measures who beats whom, in every game with every number of seats: ``make ladder``.

    python -m tests.games.players.ladder                              the table, on standard output
    python -m tests.games.players.ladder --least 12 --games tenerife  a look
    python -m tests.games.players.ladder --write                      the table into docs/explanation/players.md

The unit is the block: one deal, played once for each seat, with the one player in that seat and the other in all
others. What counts is the share of opponents that the one has beaten, a tie being half. Blocks are independent, the
games of one are not: so the interval is Student's of the means of the blocks.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import ceil
from multiprocessing import get_context
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

from skerry_games.catalogue import all_games
from skerry_games.players import player
from tests.games.players.matches import play_block

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "players.md"
HEADER = (
    "| game | seats | player | against | beats | 95 % interval | blocks | games |\n|---|---|---|---|---|---|---|---|"
)
CONFIDENCE = 0.95


class Rung(NamedTuple):
    """A player against another one."""

    one: str
    others: str
    games: int
    """At least so many for each line, in whole blocks, whatever the first of them bring."""
    tables: tuple[tuple[str, int], ...] = ()
    """Where; empty: at every table."""


GAMES = 30
RUNGS = (
    Rung("greedy", "random", GAMES),
    Rung("mcts:50", "greedy", GAMES),
    Rung("mcts:200", "greedy", 100),
    Rung("mcts:1000", "greedy", 48, (("kreta", 4), ("small_islands", 4))),
)


class Task(NamedTuple):
    """Blocks to be played."""

    game: str
    seats: int
    one: str
    others: str


def play(task: Task, block: int) -> float:
    """Return what ``one`` has beaten in a block."""
    return play_block(all_games()[task.game], task.seats, player(task.one), player(task.others), block)


def student(freedom: int) -> float:
    """Return how many standard errors the interval reaches (Cornish and Fisher's series, good from 3 on)."""
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def interval(shares: Sequence[float]) -> tuple[float, float]:
    """Return the confidence interval of the mean, as far as it lies between 0 and 1."""
    reach = student(len(shares) - 1) * stdev(shares) / len(shares) ** 0.5
    return max(0.0, fmean(shares) - reach), min(1.0, fmean(shares) + reach)


def row(task: Task, shares: Sequence[float]) -> str:
    """Return a line of the table."""
    low, high = interval(shares)
    # Equal blocks tell nothing of how unequal others may be.
    between = "all blocks alike" if low == high else f"{low:.2f} – {high:.2f}"
    cells = (*task, f"{fmean(shares):.2f}", between, len(shares), len(shares) * task.seats)
    return f"| {' | '.join(map(str, cells))} |"


def rows(games: Sequence[str], rungs: Sequence[Rung], workers: int) -> Iterator[str]:
    """Play what each line takes; yield the lines one after the other."""
    tasks = [
        (Task(game, seats, rung.one, rung.others), ceil(rung.games / seats))
        for rung in rungs
        for game in games
        for seats in all_games()[game].seats
        if not rung.tables or (game, seats) in rung.tables
    ]
    # Not forked: in a copy of a process that has used gRPC, collecting what was gRPC's waits for threads that are not
    # there, and never ends.
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        played = [(task, [pool.submit(play, task, block) for block in range(blocks)]) for task, blocks in tasks]
        for task, futures in played:
            yield row(task, [future.result() for future in futures])


def write(table: str) -> None:
    """Put the table in its place in the page."""
    page = PAGE.read_text(encoding="utf-8")
    marked = re.compile(r"(?<=<!-- ladder -->\n).*?(?=<!-- end -->)", re.DOTALL)
    PAGE.write_text(marked.sub(lambda _: table, page), encoding="utf-8")


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.games.players.ladder", description="Measures the players.")
    parser.add_argument("--least", type=int, help="games for each line, in whole blocks of at least 3")
    parser.add_argument("--games", nargs="+", default=list(all_games()), choices=list(all_games()))
    parser.add_argument("--rung", nargs=2, action="append", metavar=("PLAYER", "AGAINST"), help="another pair")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--write", action="store_true", help=f"into {PAGE.name}, too")
    asked = parser.parse_args()
    lines = [HEADER]
    print(HEADER)
    rungs = [Rung(one, others, GAMES) for one, others in asked.rung] if asked.rung else list(RUNGS)
    if asked.least is not None:
        rungs = [rung._replace(games=asked.least) for rung in rungs]
    for line in rows(asked.games, rungs, asked.workers):
        print(line, flush=True)
        lines.append(line)
    if asked.write:
        write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
