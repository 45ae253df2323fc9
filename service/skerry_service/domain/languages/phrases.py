"""Sentences of the service as messages with parameters. Their catalogues are in this folder."""

from __future__ import annotations

from collections.abc import Iterable

from skerry_games.languages.catalogues import ENGLISH, catalogue, key_of, register
from skerry_games.sentences import Sentence, grouped, listed, made, phrase

register("skerry_service")

__all__ = ("either", "grouped", "listed", "phrase", "quoted", "thing", "verbatim")


def verbatim(words: object) -> Sentence:
    """Return words of a caller, for example a name. No language translates them."""
    text = str(words)
    return made(text, "verbatim", {"words": text})


def quoted(words: str) -> Sentence:
    """Return words of a caller in quotes."""
    return verbatim(repr(words))


def either(names: Iterable[object]) -> Sentence:
    """Return names of which one is allowed: ``a, b or c``. No language translates them."""
    return listed(map(verbatim, names), "or")


def thing(noun: str) -> Sentence:
    """Return a noun of the wire as the object of a sentence. That of a game without words for it stays English."""
    message = f"noun-{key_of(noun)}"
    return phrase(message, noun=noun) if message in catalogue(ENGLISH).messages else verbatim(noun)
