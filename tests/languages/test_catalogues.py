"""The catalogues: what is missing, unused or different in a language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import skerry_games
import skerry_service
from skerry_games.languages.catalogues import (
    ENGLISH,
    accepted_languages,
    catalogue,
    catalogue_files,
    languages,
    negotiated,
)
from skerry_games.languages.fluent import CatalogueError, Message, compiled, parse
from skerry_games.languages.german import noun_of
from skerry_games.languages.translation import translator
from skerry_service.domain.languages.phrases import phrase

HOME = Path(skerry_games.__file__).parent
OTHERS = languages()[1:]


def messages(language: str) -> dict[str, dict[str, Message]]:
    """Return the messages of each file of a language."""
    return {
        name: {id_: one for id_, one in parse(text, name) if isinstance(one, Message)}
        for name, text in catalogue_files(language)
    }


def literals() -> Iterator[str]:
    for path in (*HOME.rglob("*.py"), *Path(skerry_service.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_the_messages_of_english_and_no_others(language: str) -> None:
    english = messages(ENGLISH)
    for name, own in messages(language).items():
        assert sorted(own) == sorted(english[name]), name


@pytest.mark.parametrize("language", OTHERS)
def test_a_message_uses_no_parameter_that_english_lacks(language: str) -> None:
    english = catalogue(ENGLISH).messages
    for id_, message in catalogue(language).messages.items():
        assert message.parameters <= english[id_].parameters, id_


def test_every_message_of_english_is_used() -> None:
    """Those of nouns are named by the noun (``phrases.thing``), which a proto or a game has in another form."""
    written = "\n".join(literals())
    for id_, message in catalogue(ENGLISH).messages.items():
        assert id_ in written or (message.static or "\0") in written or id_.startswith("noun-"), id_


def test_every_message_that_the_code_names_exists() -> None:
    for path in (*HOME.rglob("*.py"), *Path(skerry_service.__file__).parent.rglob("*.py")):
        for id_ in re.findall(r'\bphrase\(\s*"([^"]+)"', path.read_text(encoding="utf-8")):
            assert id_ in catalogue(ENGLISH).messages, (path.name, id_)


@pytest.mark.parametrize("language", OTHERS)
def test_every_pattern_can_be_compiled(language: str) -> None:
    for message in catalogue(language).messages.values():
        compiled(message.parts, str, translator(language)._grammar.functions)


def test_terms_with_an_article_are_nouns() -> None:
    for term in catalogue("de").terms.values():
        if re.match(r"(der|die|das) \w+,", term):
            assert noun_of(term) is not None, term


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de", "de"),
        ("de-AT, en;q=0.5", "de"),
        ("en, de;q=0.5", "en"),
        ("fr, de;q=0.3", "de"),
        ("fr", None),
        ("de;q=0, *", "en"),
        ("*", "en"),
        ("de;q=high", None),
        (",;=", None),
        ("", None),
    ],
)
def test_the_language_that_a_caller_likes_best_is_used(header: str, language: str | None) -> None:
    assert negotiated(tuple(accepted_languages(header))) == language


@pytest.mark.parametrize("text", ["no message", "a = { $n", "a = { n }", "a = x }", "a = { $n -> [one] x }"])
def test_a_mistake_in_a_catalogue_is_an_error(text: str) -> None:
    with pytest.raises(CatalogueError):
        list(parse(text))


def test_patterns_choose_by_number_and_by_word() -> None:
    text = 'a = { $n -> [one] 1 card *[other] { $n } cards } { "{" }\nb = { $w -> [x] yes *[y] no }'
    one, two = (compiled(found.parts, str, {}) for _, found in parse(text) if isinstance(found, Message))
    assert [one({"n": 1}), one({"n": 3}), two({"w": "x"}), two({"w": "z"})] == ["1 card {", "3 cards {", "yes", "no"]


@pytest.mark.parametrize("id_", ["none", "common-turn-of"])
def test_an_unknown_message_and_a_missing_parameter_are_errors(id_: str) -> None:
    with pytest.raises(KeyError):
        phrase(id_)


@pytest.mark.parametrize("count", range(7))
def test_english_puts_any_number_of_parameters_between_texts(count: int) -> None:
    """Also sentences and numbers, and braces that are no placeables."""
    values = dict(zip("abcdef"[:count], ("{0}", 7, phrase("common-seat", seat=1), "{", 0, "x"), strict=False))
    ((_, message),) = parse("message = >" + " - ".join(f"{{ ${name} }}" for name in values))
    assert isinstance(message, Message)
    pattern = compiled(message.parts, str, {})
    assert pattern(values) == ">" + " - ".join(map(str, values.values()))
    for name in values:
        with pytest.raises(KeyError):
            pattern({other: value for other, value in values.items() if other != name})
