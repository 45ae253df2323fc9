"""Every rule is cited where it is enforced, where it is tested and, if it can be broken, where it is refused."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import skerry_service.games.small_islands
from skerry_service.games.small_islands import GAME

RULES = {rule.id for rule in GAME.rules}
RULE_ID = re.compile(r"SMALL-[A-Z]+-\d+")
CODE = sorted(Path(skerry_service.games.small_islands.__path__[0]).glob("*.py"))
TESTS = sorted(Path(__file__).parent.glob("test_*.py"))

# What no move and no options can break: what is given, what is permitted, and what happens by itself.
UNBREAKABLE = {
    *("SMALL-SETUP-2", "SMALL-SETUP-5", "SMALL-TILE-1", "SMALL-ISLAND-1", "SMALL-ISLAND-2", "SMALL-PREP-1"),
    *("SMALL-PREP-4", "SMALL-REWARD-4", "SMALL-REWARD-5", "SMALL-ROUND-1", "SMALL-SCORE-1", "SMALL-TIE-1"),
    *("SMALL-MISSION-1", "SMALL-MISSION-2", "SMALL-MISSION-3", "SMALL-MISSION-4"),
}
# They end the game: cited by its outcome rather than by a refusal.
ENDINGS = {"SMALL-END-1", "SMALL-END-2", "SMALL-END-3"}


def ids(text: str) -> set[str]:
    return set(RULE_ID.findall(text))


def documented(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the docstrings and other strings that stand alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def refusals(path: Path) -> set[str]:
    """Return the rules that strings of the program cite, docstrings apart: those that a refusal can name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    apart = set(documented(tree))
    strings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and node not in apart]
    return {rule for string in strings if isinstance(string, str) for rule in ids(string)}


def cited_in_tests(path: Path) -> set[str]:
    """Return the rules that docstrings of tests cite."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tests = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return {rule for test in tests for rule in ids(ast.get_docstring(test) or "")}


def test_every_rule_is_cited_in_the_code_and_nothing_else_is() -> None:
    assert set().union(*(ids(path.read_text(encoding="utf-8")) for path in CODE)) == RULES


def test_every_rule_is_shown_by_a_test() -> None:
    assert set().union(*map(cited_in_tests, TESTS)) == RULES


def test_every_rule_that_can_be_broken_is_named_by_a_refusal() -> None:
    assert set().union(*map(refusals, CODE)) == RULES - UNBREAKABLE


def test_every_refusal_is_shown_by_a_test() -> None:
    others = [path for path in TESTS if path != Path(__file__)]
    assert set().union(*map(refusals, others)) == RULES - UNBREAKABLE
    assert ENDINGS <= RULES - UNBREAKABLE


def test_rules_stand_in_sections_and_say_where_they_come_from() -> None:
    assert {rule.section for rule in GAME.rules} >= {"Setup", "Exploration", "Reward", "End"}
    assert all(re.search(r"\[[SWR][^\]]*\]$", rule.text) for rule in GAME.rules)
