"""Writes the meaning of each action, by its number, into ``recorded/``. Trained programs rely on these numbers.

python -m tests.arena.learning.action_names
"""

from __future__ import annotations

from pathlib import Path

from skerry_arena.learning.action_encoding import ActionEncoding
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games

FOLDER = Path(__file__).with_name("recorded")


def written(game: AnyGame) -> str:
    """Return the actions of a game, one per line."""
    return "".join(f"{number} {name}\n" for number, name in enumerate(ActionEncoding(game).names))


def file_of(game: AnyGame) -> Path:
    """Return the file of a game."""
    return FOLDER / f"{game.id}.txt"


if __name__ == "__main__":
    for one in all_games().values():
        file_of(one).write_text(written(one), encoding="utf-8")
