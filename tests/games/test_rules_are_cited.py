"""The code and the tests cite every rule. If a move can break the rule, an error cites it too.

Each game's tests name in ``UNBREAKABLE`` (``tests/games/<game>/__init__.py``) the rules that no error cites.
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
"""The source at the end of a rule's text."""

every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in all_games().values()])


def code_files(game: AnyGame) -> list[Path]:
    """Return the modules of a game and its sentences in English, without its earlier rulesets."""
    home = FOLDER / game.id
    modules = sorted(
        path for path in home.rglob("*.py") if not path.relative_to(home).parts[0].startswith(f"{game.id}_")
    )
    # A new game says its sentences in its modules.
    return [*modules, *home.glob(f"languages/en/{game.id}.ftl")]


def own_tests(game: AnyGame) -> list[Path]:
    return sorted((TESTS / game.id).glob("test_*.py"))


def rules_of(game: AnyGame) -> set[str]:
    return {rule.id for rule in game.rules}


def breakable(game: AnyGame) -> set[str]:
    unbreakable: set[str] = import_module(f"tests.games.{game.id}").UNBREAKABLE
    assert unbreakable < rules_of(game)
    return rules_of(game) - unbreakable


def ids(game: AnyGame, texts: Iterable[str]) -> set[str]:
    """Return all rule ids of the game in these texts."""
    family = game.rules[0].id.partition("-")[0]
    return {rule for text in texts for rule in re.findall(rf"{family}(?:-[A-Z]+)+-[A-Z0-9]+", text)}


def strings(path: Path) -> Iterator[str]:
    """Yield the literals of a module except docstrings, or the text of a catalogue. An error can contain them."""
    if path.suffix == ".ftl":
        yield path.read_text(encoding="utf-8")
        return
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
def test_every_rule_is_cited_by_a_test(game: AnyGame) -> None:
    assert ids(game, [text for path in own_tests(game) for text in docstrings(path)]) == rules_of(game)


@every_game
def test_an_error_cites_every_rule_that_can_be_broken(game: AnyGame) -> None:
    """What teaches a game cites rules too, but raises no errors. What reads components rejects editions, not moves."""
    rules = [path for path in code_files(game) if not {"teaching", "lesson", "printed"} & {*path.parts}]
    assert ids(game, [text for path in rules for text in strings(path)]) == breakable(game)


@every_game
def test_every_cited_error_has_a_test(game: AnyGame) -> None:
    assert ids(game, [text for path in own_tests(game) for text in strings(path)]) == breakable(game)


@every_game
def test_rules_have_sections(game: AnyGame) -> None:
    assert {rule.section for rule in game.rules} > {"Setup", "End"}


@every_game
def test_every_rule_of_a_game_with_sources_names_its_own(game: AnyGame) -> None:
    """A game that was invented for Skerry has no sources, so its rules have no marks."""
    without = [rule.id for rule in game.rules if not IN_SOURCE.search(rule.text)]
    assert without in ([], [rule.id for rule in game.rules])
