"""Names, documents, comments and docstrings use no retired word of ``scripts/prose/retired.json``."""

from __future__ import annotations

import pytest

from tests.architecture.vocabulary import retired, terms_in, uses

PENDING = {
    "identifiers": {
        "call off", "hearer", "lapse", "leavers", "looks on", "postman", "remedy", "seeker", "teller", "told",
        "whoever",
    },
    "prose": {
        "a defect", "age of the store", "anybody", "befall", "call off", "front door", "hear", "lapse",
        "look on", "looks on", "nobody", "not carried", "postman", "seeker", "somebody", "tell", "told", "whoever",
    },
}  # fmt: skip
"""Terms that are not yet replaced everywhere. A term leaves this list with its last use."""


@pytest.mark.parametrize("kind", ["identifiers", "prose"])
def test_no_retired_word_is_used(kind: str) -> None:
    terms = {form: term for form, term in retired(kind).items() if term not in PENDING[kind]}
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
    assert terms_in(text, retired("identifiers")) == found


@pytest.mark.parametrize("kind", ["identifiers", "prose"])
def test_every_kind_of_file_is_read(kind: str) -> None:
    read = {use.path.rpartition(".")[2] for use in uses(kind)}
    assert {"py", "ts", "tsx", "proto", "md"} <= read
