"""Every rule is cited where it is enforced, where it is tested and, if it can be broken, where it is refused.

Each game's tests name in ``UNBREAKABLE`` (``tests/games/<game>/__init__.py``) the rules that no refusal cites.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

import skerry_games
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games

FOLDER = Path(skerry_games.__path__[0])
TESTS = Path(__file__).parent
IN_SOURCE = re.compile(r"\[[SWR][^\]]*\]$")
"""How the text of a rule ends: with where it comes from."""

every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in all_games().values()])


def code_files(game: AnyGame) -> list[Path]:
    """Return the modules of a game, without those of its earlier rulesets."""
    home = FOLDER / game.id
    return sorted(path for path in home.rglob("*.py") if not path.relative_to(home).parts[0].startswith(f"{game.id}_"))


def own_tests(game: AnyGame) -> list[Path]:
    return sorted((TESTS / game.id).glob("test_*.py"))


def rules_of(game: AnyGame) -> set[str]:
    return {rule.id for rule in game.rules}


def breakable(game: AnyGame) -> set[str]:
    unbreakable: set[str] = import_module(f"tests.games.{game.id}").UNBREAKABLE
    assert unbreakable < rules_of(game)
    return rules_of(game) - unbreakable


def ids(game: AnyGame, texts: Iterable[str]) -> set[str]:
    """Return what looks like the id of a rule of that game."""
    family = game.rules[0].id.partition("-")[0]
    return {rule for text in texts for rule in re.findall(rf"{family}(?:-[A-Z]+)+-[A-Z0-9]+", text)}


def strings(path: Path) -> Iterator[str]:
    """Yield the strings of the program, docstrings apart: what a refusal can name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    apart = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in apart:
            yield node.value


def docstrings(path: Path) -> Iterator[str]:
    """Yield the docstrings of tests."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield ast.get_docstring(node) or ""


@every_game
def test_every_rule_is_cited_in_the_code_and_nothing_else_is(game: AnyGame) -> None:
    assert ids(game, [path.read_text(encoding="utf-8") for path in code_files(game)]) == rules_of(game)


@every_game
def test_every_rule_is_shown_by_a_test(game: AnyGame) -> None:
    assert ids(game, [text for path in own_tests(game) for text in docstrings(path)]) == rules_of(game)


@every_game
def test_every_rule_that_can_be_broken_is_named_by_a_refusal(game: AnyGame) -> None:
    assert ids(game, [text for path in code_files(game) for text in strings(path)]) == breakable(game)


@every_game
def test_every_refusal_is_shown_by_a_test(game: AnyGame) -> None:
    assert ids(game, [text for path in own_tests(game) for text in strings(path)]) == breakable(game)


@every_game
def test_rules_stand_in_sections_and_say_where_they_come_from(game: AnyGame) -> None:
    assert {rule.section for rule in game.rules} > {"Setup", "End"}
    assert [rule.id for rule in game.rules if not IN_SOURCE.search(rule.text)] == []
