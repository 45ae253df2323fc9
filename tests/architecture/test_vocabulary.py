"""Names, documents, comments and docstrings use no retired word of ``scripts/prose/retired.json``."""

from __future__ import annotations

import pytest

from tests.architecture.vocabulary import retired, terms_in, uses


@pytest.mark.parametrize("kind", ["identifiers", "prose"])
def test_no_retired_word_is_used(kind: str) -> None:
    terms = retired()
    found = {
        f"{use.path}: {use.text.strip()[:60]!r}: {term}" for use in uses(kind) for term in terms_in(use.text, terms)
    }
    assert sorted(found) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("postman", {"postman"}),
        ("Postman", {"postman"}),
        ("POSTMAN_PORT", {"postman"}),
        ("the_postman", {"postman"}),
        ("postmanOf", {"postman"}),
        ("The postmen come.", {"postman"}),
        ("called_off", {"call off"}),
        ("CalledOff", {"call off"}),
        ("CallOffSession", {"call off"}),
        ("It was called\noff.", {"call off"}),
        ("HTTPFacet", {"facet"}),
        ("postmaster", set()),
        ("a seat", set()),
    ],
)
def test_a_retired_word_is_found_in_every_spelling(text: str, found: set[str]) -> None:
    assert terms_in(text, retired()) == found


@pytest.mark.parametrize("kind", ["identifiers", "prose"])
def test_every_kind_of_file_is_read(kind: str) -> None:
    read = {use.path.rpartition(".")[2] for use in uses(kind)}
    assert {"py", "ts", "tsx", "proto", "md"} <= read
