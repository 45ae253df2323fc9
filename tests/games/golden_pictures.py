"""Records a picture of a position of each game: with all seats, in the middle of a random game, the last move marked.

    python -m tests.games.golden_pictures            records all games
    python -m tests.games.golden_pictures kreta      records one game

The pictures are in ``tests/games/pictures/``. If you change a look on purpose, record it again and look at it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_games.position import Position
from tests.games.conformance.play import play
from tests.games.conformance.texts import NAMES

HERE = Path(__file__).parent / "pictures"


def picture_path(game: AnyGame) -> Path:
    """Return the path of the recorded picture."""
    return HERE / f"{game.id}.svg"


def draw(game: AnyGame) -> str:
    """Return the picture, as seat 0 sees it. Equal looks give equal pictures."""
    seats = game.seats[-1]
    steps = play(game, seats, 1).steps
    step = steps[len(steps) // 2]
    position = Position(game, step.after, step.events)
    return position.svg(0, NAMES[:seats], touched=position.touched(0), annotated=True)


def main(*chosen: str) -> None:
    """Record the chosen games, or all of them."""
    for game in all_games().values():
        if not chosen or game.id in chosen:
            path = picture_path(game)
            path.write_text(draw(game) + "\n", encoding="utf-8")
            print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
