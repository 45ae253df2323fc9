"""Writes what each action means, by its number, into ``recorded/``: whoever has learned with them relies on that.

python -m tests.arena.learning.alphabets
"""

from __future__ import annotations

from pathlib import Path

from skerry_arena.learning.action_encoding import ActionEncoding
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games

FOLDER = Path(__file__).with_name("recorded")


def written(game: AnyGame) -> str:
    """Return the actions of a game, a line for each."""
    return "".join(f"{number} {name}\n" for number, name in enumerate(ActionEncoding(game).names))


def file_of(game: AnyGame) -> Path:
    """Return where they are written."""
    return FOLDER / f"{game.id}.txt"


if __name__ == "__main__":
    for one in all_games().values():
        file_of(one).write_text(written(one), encoding="utf-8")
