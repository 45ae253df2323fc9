"""Sentences of the service as messages with parameters. Their catalogues are in this folder."""

from __future__ import annotations

from skerry_games.languages.catalogues import register
from skerry_games.sentences import Sentence, grouped, listed, made, phrase

register("skerry_service")

__all__ = ("grouped", "listed", "phrase", "quoted", "verbatim")


def verbatim(words: object) -> Sentence:
    """Return words of a caller, for example a name. No language translates them."""
    text = str(words)
    return made(text, "verbatim", {"words": text})


def quoted(words: str) -> Sentence:
    """Return words of a caller in quotes."""
    return verbatim(repr(words))
