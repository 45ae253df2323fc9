"""Writes sentences in other languages than English."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, Final

from skerry_games.languages.catalogues import ENGLISH, catalogue, key_of, static_ids
from skerry_games.languages.fluent import Pattern, compiled
from skerry_games.languages.german import German
from skerry_games.sentences import Sentence

_GRAMMARS: Final[Mapping[str, type[German]]] = {"de": German}


def in_language(text: str, language: str) -> str:
    """Return a sentence, or a text that the rules never change, in a language; in English if the language lacks it.

    The result is a template for the players' names like ``text``.
    """
    return text if language == ENGLISH else translator(language).show(text)


class Translator:
    """Writes texts in one language."""

    def __init__(self, language: str, missing: Callable[[str], object] = id) -> None:
        """``missing`` is called with each id and text that the catalogue lacks, names of places among them."""
        self._own = catalogue(language)
        self._static = {
            text: own
            for text, id_ in static_ids().items()
            if id_ in self._own.messages and (own := self._own.messages[id_].static)
        }
        """The messages without parameters, by their English text."""
        self._grammar = _GRAMMARS[language](self._own, self.show)
        self._special: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
            "listed": self._grammar.listed,
            "plural": self._grammar.plural,
            "joined": self._grammar.joined,
            "headed": self._grammar.headed,
            "counted": self._grammar.counted,
            "grouped": self._grammar.grouped,
            "uncapitalized": lambda parameters: self.show(parameters["words"]),
            "verbatim": lambda parameters: parameters["words"],
            "capitalized": lambda parameters: _capitalized(self.show(parameters["words"])),
        }
        self._missing = missing
        self._pattern = cache(self._compiled)
        self._plain = lru_cache(maxsize=4096)(self._of_text)

    def show(self, value: Any) -> str:
        """Return a value in the language: a sentence by its message, a text by the catalogue or as it is."""
        if type(value) is Sentence:
            special = self._special.get(value.id)
            if special is not None:
                return special(value.parameters)
            pattern = self._pattern(value.id)
            if pattern is None:
                return str(value)
            own = pattern(value.parameters)
            return _capitalized(own) if own[:1].islower() and value[:1].isupper() and value.endswith(".") else own
        return self._plain(value) if isinstance(value, str) else str(value)

    def _of_text(self, text: str) -> str:
        found = self._static.get(text) or self._grammar.label(key_of(text))
        if found is None:
            self._missing(text)
        return found or text

    def _compiled(self, id_: str) -> Pattern | None:
        message = self._own.messages.get(id_)
        if message is not None:
            return compiled(message.parts, self.show, self._grammar.functions)
        self._missing(id_)
        return None


def _capitalized(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


@cache
def translator(language: str) -> Translator:
    """Return the translator into a language other than English."""
    return Translator(language)
