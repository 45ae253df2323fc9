"""Measures how strong the players are, in every game with every number of seats: ``make ladder``.

    python -m tests.games.players.ladder                              prints the table
    python -m tests.games.players.ladder --least 12 --games tenerife  measures one game, with fewer games
    python -m tests.games.players.ladder --write                      writes the table to docs/explanation/players.md

A block is one deal, played once for each seat: one player has that seat, and the other player has all other seats. The
measure is the share of opponents that the one player beats. A tie counts as half. Blocks are independent, but the games
of a block are not. So the interval is Student's, over the means of the blocks. The last columns are the mean processor
time of a decision of both players, in milliseconds.
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

import msgspec

from skerry_games.catalogue import all_games
from skerry_games.players import PlayerFactory, player
from tests.games.players.kreta_three_plies import KretaThreePlies
from tests.games.players.matches import Timed, play_block
from tests.games.players.tenerife_monte_carlo import TenerifeMonteCarlo

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "players.md"
HEADER = (
    "| game | seats | player | against | beats | 95 % interval | blocks | games | ms | ms against |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)
CONFIDENCE = 0.95


class Rung(NamedTuple):
    """A comparison of two players."""

    one: str
    others: str
    games: int
    """The minimum number of games for each line, in whole blocks. It does not depend on results."""
    tables: tuple[tuple[str, int], ...] = ()
    """The games and numbers of seats. Empty means all of them."""


BASELINE = "baseline"
BASELINES: dict[str, PlayerFactory] = {"kreta": KretaThreePlies, "tenerife": TenerifeMonteCarlo}
"""Fixed opponents by game: players as users bring them. They never change, so they measure the levels."""
BASELINE_TABLES = tuple((game, seats) for game in BASELINES for seats in all_games()[game].seats)

GAMES = 30
PLANNED_GAMES = 16
"""Games of the levels hard and expert, which take long."""
STARTER = "starter"
PLAYERS = {STARTER: "skerry_arena.new_bot.starter_bot:Bot"}
"""Players outside the library, by the names that they have in the table."""
RUNGS = (
    Rung(STARTER, "random", 24),
    Rung("greedy", "random", GAMES),
    Rung("mcts:200", "greedy", 100),
    Rung("mcts:1000", "greedy", 48, (("kreta", 4), ("small_islands", 4))),
    Rung("planner:24", "mcts:200", PLANNED_GAMES),
    Rung("planner:24", "mcts:1000", PLANNED_GAMES),
    Rung("planner:72", "planner:24", PLANNED_GAMES),
    Rung("planner:72", "mcts:1000", PLANNED_GAMES),
    Rung("hard", BASELINE, GAMES, BASELINE_TABLES),
    Rung("expert", BASELINE, GAMES, BASELINE_TABLES),
)


class Task(NamedTuple):
    """The line of the table for one game and one number of seats."""

    game: str
    seats: int
    one: str
    others: str


class Played(NamedTuple):
    """A block of games."""

    share: float
    """The share of opponents that ``one`` beats."""
    times: tuple[tuple[float, int], tuple[float, int]]
    """The processor time of ``one`` and of ``others`` in seconds, and their numbers of decisions."""


def play(task: Task, block: int) -> Played:
    """Play a block."""
    one, others = (Timed(factory_of(name, task.game)) for name in (task.one, task.others))
    share = play_block(all_games()[task.game], task.seats, one, others, block)
    return Played(share, ((one.seconds, one.decisions), (others.seconds, others.decisions)))


def factory_of(name: str, game: str) -> PlayerFactory:
    """Return the factory of the player with this name; ``baseline`` is another one in each game."""
    return BASELINES[game] if name == BASELINE else player(PLAYERS.get(name, name))


def student(freedom: int) -> float:
    """Return the half-width of the interval in standard errors (Cornish-Fisher series, for 3 degrees or more)."""
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def interval(shares: Sequence[float]) -> tuple[float, float]:
    """Return the confidence interval of the mean, limited to the range from 0 to 1."""
    reach = student(len(shares) - 1) * stdev(shares) / len(shares) ** 0.5
    return max(0.0, fmean(shares) - reach), min(1.0, fmean(shares) + reach)


def row(task: Task, blocks: Sequence[Played]) -> str:
    """Return a line of the table."""
    shares = [block.share for block in blocks]
    low, high = interval(shares)
    # Equal blocks say nothing about the variance.
    between = "all blocks alike" if low == high else f"{low:.2f} – {high:.2f}"
    milliseconds = [_milliseconds(times) for times in zip(*[block.times for block in blocks], strict=True)]
    cells = (*task, f"{fmean(shares):.2f}", between, len(shares), len(shares) * task.seats, *milliseconds)
    return f"| {' | '.join(map(str, cells))} |"


def _milliseconds(times: Sequence[tuple[float, int]]) -> str:
    """Return the mean time of a decision."""
    seconds, decisions = map(sum, zip(*times, strict=True))
    milliseconds = 1000 * seconds / max(decisions, 1)
    return f"{milliseconds:.0f}" if milliseconds >= 1 else "< 1"


class KeptBlocks:
    """The blocks played so far, a line of a file each, so that a measurement can be interrupted."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        lines = file.read_bytes().splitlines() if file is not None and file.exists() else []
        self._known = {(task, block): played for task, block, played in map(_BLOCK.decode, lines)}

    def get(self, task: Task, block: int) -> Played | None:
        """Return a block if it has been played."""
        return self._known.get((task, block))

    def add(self, task: Task, block: int, played: Played) -> None:
        """Keep a block."""
        if self._file is not None:
            with self._file.open("ab") as file:
                file.write(msgspec.json.encode((task, block, played)) + b"\n")


_BLOCK = msgspec.json.Decoder(tuple[Task, int, Played])


def rows(games: Sequence[str], rungs: Sequence[Rung], workers: int, keep: Path | None = None) -> Iterator[str]:
    """Play the games of each line, and yield the lines. ``keep``: a file of blocks that need not be played again."""
    tasks = [
        (Task(game, seats, rung.one, rung.others), ceil(rung.games / seats))
        for rung in rungs
        for game in games
        for seats in all_games()[game].seats
        if not rung.tables or (game, seats) in rung.tables
    ]
    # Spawn, not fork: a forked process has gRPC's objects but not its threads, and hangs when it frees the objects.
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        kept = KeptBlocks(keep)
        due = {
            (task, block): pool.submit(play, task, block)
            for task, blocks in tasks
            for block in range(blocks)
            if kept.get(task, block) is None
        }
        for task, blocks in tasks:
            played = []
            for block in range(blocks):
                if (known := kept.get(task, block)) is None:
                    known = due[task, block].result()
                    kept.add(task, block, known)
                played.append(known)
            yield row(task, played)


def write(table: str) -> None:
    """Replace the table in the page."""
    page = PAGE.read_text(encoding="utf-8")
    marked = re.compile(r"(?<=<!-- ladder -->\n).*?(?=<!-- end -->)", re.DOTALL)
    PAGE.write_text(marked.sub(lambda _: table, page), encoding="utf-8")


def rung_of(one: str, others: str) -> Rung:
    """Return the comparison of two players, at the tables where both play."""
    return Rung(one, others, GAMES, BASELINE_TABLES if BASELINE in (one, others) else ())


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.games.players.ladder", description="Measures the players.")
    parser.add_argument("--least", type=int, help="games for each line, in whole blocks of at least 3")
    parser.add_argument("--games", nargs="+", default=list(all_games()), choices=list(all_games()))
    parser.add_argument("--rung", nargs=2, action="append", metavar=("PLAYER", "AGAINST"), help="another pair")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument(
        "--keep", type=Path, metavar="FILE", help="keep blocks, and continue (not after a change of players)"
    )
    parser.add_argument("--write", action="store_true", help=f"into {PAGE.name}, too")
    asked = parser.parse_args()
    lines = [HEADER]
    print(HEADER)
    rungs = [rung_of(*pair) for pair in asked.rung] if asked.rung else list(RUNGS)
    if asked.least is not None:
        rungs = [rung._replace(games=asked.least) for rung in rungs]
    for line in rows(asked.games, rungs, asked.workers, asked.keep):
        print(line, flush=True)
        lines.append(line)
    if asked.write:
        write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
