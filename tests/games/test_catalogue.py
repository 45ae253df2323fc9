"""The catalogue has every package of ``skerry_games`` that is a game, and nothing else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import skerry_games
from skerry_games import kreta
from skerry_games.api import Game
from skerry_games.catalogue import all_games, earlier_rulesets, find_game, game_module
from skerry_games.kreta import advice as kreta_advice

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


def test_all_games_returns_the_same_values_each_time() -> None:
    for name, game in all_games().items():
        assert all_games()[name] is game


A_RULESET = """
from dataclasses import replace
from skerry_games.kreta import GAME as NEWEST

GAME = replace(NEWEST, ruleset="{ruleset}"{more})
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary directory whose packages are sub-packages of Kreta."""
    monkeypatch.setattr(kreta, "__path__", [*kreta.__path__, str(tmp_path)])
    caches = (earlier_rulesets, game_module)
    for cache in caches:
        cache.cache_clear()
    yield tmp_path
    for cache in caches:
        cache.cache_clear()
    for name in [name for name in sys.modules if name.startswith("skerry_games.kreta.kreta_0")]:
        del sys.modules[name]


def write_package(folder: Path, ruleset: str, more: str = "", name: str = "kreta_0") -> Path:
    package = folder / name
    package.mkdir()
    (package / "__init__.py").write_text(A_RULESET.format(ruleset=ruleset, more=more), encoding="utf-8")
    return package


def test_an_earlier_ruleset_is_supported_if_it_has_a_package(folder: Path) -> None:
    before = earlier_rulesets()
    assert "kreta-0" not in before
    write_package(folder, "kreta-0")
    earlier_rulesets.cache_clear()
    old = earlier_rulesets()["kreta-0"]
    assert earlier_rulesets() == {**before, "kreta-0": old}
    assert (find_game("kreta", "kreta-0"), find_game("kreta", kreta.GAME.ruleset)) == (old, kreta.GAME)
    assert find_game("kreta", "kreta-99") is find_game("tenerife", "kreta-0") is find_game("chess", "kreta-0") is None


def test_an_earlier_ruleset_uses_the_newest_modules_for_those_it_lacks(folder: Path) -> None:
    package = write_package(folder, "kreta-0")
    (package / "advice.py").write_text("ADVICE = 'its own'", encoding="utf-8")
    for ruleset, advice in (("kreta-0", "its own"), (kreta.GAME.ruleset, kreta_advice.ADVICE)):
        found, bounds = game_module("kreta", ruleset, "advice"), game_module("kreta", ruleset, "bounds")
        assert found is not None
        assert advice == found.ADVICE
        assert bounds is not None
        assert bounds.__name__ == "skerry_games.kreta.bounds"


@pytest.mark.parametrize(
    ("ruleset", "more", "name"),
    [("kreta-1", "", "kreta_0"), ("kreta-0", ', id="tenerife"', "kreta_0"), (kreta.GAME.ruleset, "", "kreta_0")],
)
def test_a_package_with_the_wrong_ruleset_is_rejected(folder: Path, ruleset: str, more: str, name: str) -> None:
    write_package(folder, ruleset, more, name)
    with pytest.raises(ValueError, match=r"kreta_0 holds .* It has to hold an earlier ruleset of 'kreta'"):
        earlier_rulesets()


def test_the_name_of_a_ruleset_begins_with_its_game() -> None:
    """So the rulesets of two games never have the same name."""
    for game in (*all_games().values(), *earlier_rulesets().values()):
        assert game.ruleset.startswith(f"{game.id.replace('_', '-')}-") or game.ruleset.startswith(f"{game.id}-")
