"""Writes the meaning of each action, by its number, into ``recorded/``, and digests of the features of observations.

Trained programs rely on these numbers.

    python -m tests.arena.learning.action_names            writes the actions of all games
    python -m tests.arena.learning.action_names kreta      writes the actions of one game

A game without ``bounds.py`` has no actions.
"""

from __future__ import annotations

import argparse
from hashlib import blake2b
from pathlib import Path

from msgspec import json

from skerry_arena.learning.encoding.action_encoding import ActionEncoding
from skerry_arena.learning.encoding.game_encoding import GameEncoding
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games

FOLDER = Path(__file__).with_name("recorded")


def written(game: AnyGame) -> str:
    """Return the actions of a game, one per line, then the features of observations: a digest for each seat count."""
    lines = [f"{number} {name}" for number, name in enumerate(ActionEncoding(game).names)]
    for seats in game.seats:
        features = GameEncoding(game.id, seats).observations.features
        digest = blake2b(json.encode(features), digest_size=8).hexdigest()
        lines.append(f"observations, {seats} seats: {len(features)} features, digest {digest}")
    return "\n".join([*lines, ""])


def file_of(game: AnyGame) -> Path:
    """Return the file of a game."""
    return FOLDER / f"{game.id}.txt"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the meaning of each action of the games.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="the ids of games; by default all games")
    for game_id in parser.parse_args().games or all_games():
        file_of(all_games()[game_id]).write_text(written(all_games()[game_id]), encoding="utf-8")
