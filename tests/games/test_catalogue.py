"""The catalogue holds every folder of ``games/`` that is a game, under the folder's name, and nothing else."""

from __future__ import annotations

from pathlib import Path

import skerry_games
from skerry_games.api import Game
from skerry_games.catalogue import all_games

FOLDERS = {page.parent.name for page in Path(skerry_games.__path__[0]).glob("*/RULES.md")}


def test_every_folder_with_rules_is_a_game() -> None:
    assert FOLDERS
    assert set(all_games()) == FOLDERS


def test_a_game_is_found_under_its_id() -> None:
    for name, game in all_games().items():
        assert isinstance(game, Game)
        assert game.id == name


def test_games_are_in_alphabetical_order() -> None:
    assert list(all_games()) == sorted(all_games())


def test_titles_are_distinct() -> None:
    titles = [game.title for game in all_games().values()]
    assert len(set(titles)) == len(titles)


def test_rules_of_different_games_have_different_ids() -> None:
    ids = [rule.id for game in all_games().values() for rule in game.rules]
    assert len(set(ids)) == len(ids)


def test_the_same_values_come_every_time() -> None:
    for name, game in all_games().items():
        assert all_games()[name] is game
