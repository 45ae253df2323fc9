"""German grammar: articles and cases of our nouns, numbers and lists.

A term of the catalogue is a noun as dictionaries write it, ``der König, des Königs, die Könige``, or any other words,
which do not change. Nouns without a plural leave it out, and those without a singular begin with ``die (pl)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from skerry_games.languages.catalogues import Catalogue, key_of
from skerry_games.sentences import Sentence, made

_GENDERS: Final = {"der": "m", "die": "f", "das": "n"}
_CASES: Final = ("nom", "gen", "dat", "acc")
_THE: Final = {
    "m": ("der", "des", "dem", "den"),
    "f": ("die", "der", "der", "die"),
    "n": ("das", "des", "dem", "das"),
    "pl": ("die", "der", "den", "die"),
}
_A: Final = {
    "m": ("ein", "eines", "einem", "einen"),
    "f": ("eine", "einer", "einer", "eine"),
    "n": ("ein", "eines", "einem", "ein"),
    "pl": ("", "", "", ""),
}
_CONJUNCTIONS: Final = {"and": "und", "or": "oder"}
_SEPARATORS: Final = {", and ": ", und ", " and ": " und ", " and per ": " und je ", ", then ": ", dann "}
_NOUN: Final = re.compile(r"(der|die|das) ([^,]+), (?:des|der) ([^,]+?)(?:, die (.+))?")
_PLURAL_ONLY: Final = re.compile(r"die \(pl\) (.+)")


class Noun(Struct, frozen=True):
    """A noun in all cases and numbers."""

    gender: str
    """``m``, ``f``, ``n``; ``pl`` for a noun without a singular."""
    singular: tuple[str, str, str, str]
    """By case."""
    plural: tuple[str, str, str, str]


def noun_of(term: str) -> Noun | None:
    """Return the noun that a term of the catalogue describes; ``None`` for other words."""
    if only := _PLURAL_ONLY.fullmatch(term):
        forms = _plural(only[1])
        return Noun("pl", forms, forms)
    entry = _NOUN.fullmatch(term)
    if entry is None:
        return None
    article, nominative, genitive, plural = entry.groups()
    gender = _GENDERS[article]
    weak = gender == "m" and genitive.endswith("n") and genitive != nominative  # des Piraten, dem Piraten
    oblique = genitive if weak else nominative
    return Noun(gender, (nominative, genitive, oblique, oblique), _plural(plural or nominative))


def _plural(nominative: str) -> tuple[str, str, str, str]:
    dative = nominative if nominative.endswith(("n", "s")) else f"{nominative}n"
    return nominative, nominative, dative, nominative


class German:
    """The functions of the German catalogue."""

    def __init__(self, own: Catalogue, show: Callable[[Any], str]) -> None:
        self._terms = {key: noun_of(term) or term for key, term in own.terms.items()}
        self._messages = own.messages
        self._show = show
        self.functions: Mapping[str, Callable[..., str]] = {
            "THE": self.the,
            "A": self.a,
            "FORM": self.form,
            "ADJ": lambda value, ending: f"{show(value)}{ending}",
        }

    def label(self, key: str) -> str | None:
        """Return a term by itself, in the nominative; ``None`` for an unknown one."""
        term = self._terms.get(key)
        return term.singular[0] if isinstance(term, Noun) else term

    def the(self, value: Any, case: str = "nom", place: str = "within") -> str:
        """Return a noun, or each of a list, with its definite article: ``den König``; ``Den`` first in a sentence."""
        words = self._with(_THE, value, case)
        return f"{words[:1].upper()}{words[1:]}" if place == "first" else words

    def a(self, value: Any, case: str = "nom") -> str:
        """Return a noun, or each of a list, with the indefinite article: ``einen König``."""
        return self._with(_A, value, case)

    def form(self, value: Any, case: str = "nom", number: str = "sg") -> str:
        """Return a noun, a counted noun, or each of a list, without an article: ``3 Punkten``."""
        if type(value) is Sentence:
            if value.id == "counted":
                return self.counted(value.parameters, case)
            if value.id == "listed":
                return self._list(value.parameters, lambda item: self.form(item, case, number))
        noun = self._noun(value)
        if noun is None:
            return self._show(value)
        return (noun.plural if number == "pl" else noun.singular)[_CASES.index(case)]

    def counted(self, parameters: Mapping[str, Any], case: str = "nom") -> str:
        """Return a number and its noun: ``1 Punkt``, ``5 Punkte``, ``keine Punkte``."""
        number, noun = parameters["number"], self._noun(parameters["thing"])
        at = _CASES.index(case)
        forms = None if noun is None else noun.singular if number == 1 else noun.plural
        words = self._show(parameters["thing"]) if forms is None else forms[at]
        if number == 0 and parameters["none"] == "no":
            return f"{('keine', 'keiner', 'keinen', 'keine')[at]} {words}"
        return f"{number} {words}"

    def grouped(self, parameters: Mapping[str, Any]) -> str:
        """Return a number with separators of thousands: ``1.000``."""
        return f"{parameters['number']:,}".replace(",", ".")

    def plural(self, parameters: Mapping[str, Any]) -> str:
        """Return a noun in the plural: ``Blätter``."""
        noun = self._noun(parameters["thing"])
        return self._show(parameters["thing"]) if noun is None else noun.plural[0]

    def joined(self, parameters: Mapping[str, Any]) -> str:
        """Return parts one after the other."""
        separator: str = parameters["separator"]
        return _SEPARATORS.get(separator, separator).join(map(self._show, parameters["items"]))

    def headed(self, parameters: Mapping[str, Any]) -> str:
        """Return parts one after the other, after a head."""
        return f"{self._show(parameters['head'])}{parameters['then']}{self.joined(parameters)}"

    def listed(self, parameters: Mapping[str, Any]) -> str:
        """Return ``a, b und c``."""
        return self._list(parameters, self._show)

    def _list(self, parameters: Mapping[str, Any], show: Callable[[Any], str]) -> str:
        *first, last = map(show, parameters["items"])
        if not first:
            return last
        before_last = parameters["before_last"]
        return f"{', '.join(first)} {_CONJUNCTIONS.get(before_last, before_last)} {last}"

    def _with(self, articles: Mapping[str, tuple[str, ...]], value: Any, case: str) -> str:
        if type(value) is Sentence and value.id == "listed":
            return self._list(value.parameters, lambda item: self._with(articles, item, case))
        at = _CASES.index(case)
        if type(value) is Sentence and (head := self._head(value)):
            noun, name = head
            words = made(noun.singular[at], "verbatim", {"words": noun.singular[at]})
            return f"{articles[noun.gender][at]} {self._show(made(value, value.id, {**value.parameters, name: words}))}"
        noun_alone = self._noun(value)
        if noun_alone is None:
            return self._show(value)
        noun = noun_alone
        return f"{articles[noun.gender][at]} {noun.singular[at]}".strip()

    def _head(self, sentence: Sentence) -> tuple[Noun, str] | None:
        """Return the noun that a phrase is about, the first parameter in its pattern, with its name."""
        message = self._messages.get(sentence.id)
        name = next((part.name for part in message.parts if not isinstance(part, str)), "") if message else ""
        noun = self._noun(sentence.parameters.get(name))
        return None if noun is None else (noun, name)

    def _noun(self, value: Any) -> Noun | None:
        term = self._terms.get(key_of(value)) if isinstance(value, str) else None
        return term if isinstance(term, Noun) else None
