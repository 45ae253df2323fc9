"""Writes the sizes of the games' arrays into the table of the guide to learning environments.

    python -m tests.arena.learning.sizes            updates the rows of all games
    python -m tests.arena.learning.sizes kreta      updates the row of one game

The last column of a row is written by hand.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from skerry_arena.learning.encoding.game_encoding import GameEncoding
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "learning-environments.md"


def row(game: AnyGame) -> str:
    """Return the beginning of a game's row: its id, the number of actions, and the size of observations by seats."""
    tables = {seats: GameEncoding(game.id, seats) for seats in game.seats}
    sizes = [f"{seats}: {table.observations.size:,}" for seats, table in tables.items()]
    return f"| `{game.id}` | {next(iter(tables.values())).actions.size} | {', '.join(sizes)} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the sizes of the games' arrays into the guide.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="the ids of games; by default all games")
    text = PAGE.read_text(encoding="utf-8")
    for game_id in parser.parse_args().games or all_games():
        text = re.sub(rf"^\| `{game_id}` \|[^|]*\|[^|]*\|", row(all_games()[game_id]), text, flags=re.MULTILINE)
    PAGE.write_text(text, encoding="utf-8")
