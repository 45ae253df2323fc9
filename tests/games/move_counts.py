"""Counts the sequences of legal moves from positions of random games: a change of the rules shows as a number.

    python -m tests.games.move_counts            counts for all games that have counts, and their variants
    python -m tests.games.move_counts kreta      counts for one game and its variants

The counts are in ``tests/games/<game>/move_counts.txt``. A line has the variant, the number of seats, the number of
moves made before, and the numbers of sequences of 1, 2 and 3 moves. Longer sequences are counted only where the shorter
ones are few.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from tests.games.conformance.play import play
from tests.games.variants import all_variants

HERE = Path(__file__).parent
_SEED = 1
_MADE = (0, 5, 10, 20, 40, 60, 90, 120, 150)
_DEPTH = 3
_FEW = 150
"""The largest number of sequences from which longer ones are counted."""


def counts_path(game: AnyGame) -> Path:
    """Return the path of the game's counts."""
    return HERE / game.id / "move_counts.txt"


def counted(game: AnyGame) -> str:
    """Return the counts of a game and its variants."""
    lines = ["variant, seats, moves made before, sequences of 1, 2 and 3 moves", *_lines(game)]
    return "".join(f"{line}\n" for line in lines)


def _lines(game: AnyGame) -> Iterator[str]:
    for variant in all_variants():
        if variant.game.id == game.id:
            for seats in variant.game.seats:
                states = play(variant.game, seats, _SEED).states
                for made in _MADE:
                    if made < len(states) - 1:
                        counts = " ".join(map(str, _counts(variant.game, states[made])))
                        yield f"{variant.name or 'default'} {seats} {made} {counts}"


def _counts(game: AnyGame, state: Any) -> Iterator[int]:
    reached = [state]
    for _ in range(_DEPTH):
        steps = [
            (one, actor, move) for one in reached for actor in game.to_act(one) for move in game.legal_moves(one, actor)
        ]
        yield len(steps)
        if len(steps) > _FEW:
            return
        reached = [game.apply(one, actor, move)[0] for one, actor, move in steps]


def main(*chosen: str) -> None:
    """Count for the chosen games, or for all that have counts."""
    for game in all_games().values():
        if game.id in chosen or (not chosen and counts_path(game).exists()):
            counts_path(game).write_text(counted(game), encoding="utf-8")
            print(counts_path(game).relative_to(HERE))


if __name__ == "__main__":
    main(*sys.argv[1:])
