"""The messages of a language as one file: the catalogues again, in the syntax that other programs read."""

from __future__ import annotations

import re
from typing import Any

import pytest

from skerry_games.languages.catalogues import ENGLISH, catalogue, languages
from skerry_games.languages.fluent import Message, Part, Selector, parse
from skerry_games.languages.fluent_file import fluent_file


def joined(parts: tuple[Part, ...]) -> list[Any]:
    """Return the parts of a pattern with neighbouring texts as one: quotes divide them."""
    found: list[Any] = []
    for part in parts:
        if isinstance(part, str) and found and isinstance(found[-1], str):
            found[-1] += part
        elif isinstance(part, Selector):
            found.append((part.name, part.default, [(key, joined(inner)) for key, inner in part.variants]))
        else:
            found.append(part)
    return found


@pytest.mark.parametrize("language", languages())
def test_the_file_has_all_messages_and_terms_of_a_language(language: str) -> None:
    own, read = catalogue(language), dict(parse(fluent_file(language)))
    assert len(read) == len(own.messages) + len(own.terms) > 900
    for id_, message in own.messages.items():
        found = read[id_]
        assert isinstance(found, Message)
        assert joined(found.parts) == joined(message.parts), id_
    assert {id_: word for id_, word in read.items() if isinstance(word, str)} == {
        f"-{key}": word for key, word in own.terms.items()
    }


def test_selectors_have_a_line_for_each_variant_and_spaces_are_in_quotes() -> None:
    """Other implementations demand both."""
    written = fluent_file(ENGLISH)
    assert '{ $turns ->\n       [0] { "" }\n' in written
    assert '[yes] { " " }worth { $worth }\n' in written
    variants = [line for line in written.splitlines() if line.lstrip().startswith(("[", "*["))]
    assert len(variants) > 70
    assert all(re.fullmatch(r" +\*?\[[\w-]+\] \S.*", line) and not line.endswith(" ") for line in variants)
    assert not re.search(r"-> *\S", written)
