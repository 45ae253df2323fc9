"""The numbered rules of games that speak other languages: the same rules, in the same order, from the same sources."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import groupby

import pytest

from skerry_games.api import AnyGame, Rule
from skerry_games.catalogue import all_games, rules_in
from skerry_games.languages.catalogues import ENGLISH, languages

OTHERS = [language for language in languages() if language != ENGLISH]
_MARK = re.compile(r"\[([^]]*)\]")
_NUMBER = re.compile(r"\d+")
_RULE_ID = re.compile(r"[A-Z]+(?:-[A-Z0-9_]+)+")


def origins(rule: Rule) -> list[str]:
    """Return the letters that name the origins of a rule, in order."""
    return re.findall(r"\b[A-Z]\b", " ".join(_MARK.findall(rule.text)))


@pytest.mark.parametrize(
    ("game", "language"),
    [
        pytest.param(game, language, id=f"{game.id}-{language}")
        for game in all_games().values()
        for language in OTHERS
        if files(f"skerry_games.{game.id}").joinpath("languages", language).is_dir()
    ],
)
def test_a_translation_has_the_same_rules(game: AnyGame, language: str) -> None:
    translated = rules_in(game, language)
    assert [rule.id for rule in translated] == [rule.id for rule in game.rules]
    sizes = [len(list(rules)) for _, rules in groupby(game.rules, key=lambda rule: rule.section)]
    assert [len(list(rules)) for _, rules in groupby(translated, key=lambda rule: rule.section)] == sizes
    for rule, original in zip(translated, game.rules, strict=True):
        assert rule.text != original.text
        assert origins(rule) == origins(original), rule.id
        assert sorted(_NUMBER.findall(rule.text)) == sorted(_NUMBER.findall(original.text)), rule.id
        assert sorted(_RULE_ID.findall(rule.text)) == sorted(_RULE_ID.findall(original.text)), rule.id


def test_a_language_without_a_translation_has_the_english_rules() -> None:
    game = all_games()["kreta"]
    assert rules_in(game, ENGLISH) is game.rules
    assert rules_in(game, "fr") is game.rules
