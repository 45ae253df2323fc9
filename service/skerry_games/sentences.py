"""Sentence templates. The rules know seats only, and ``fill`` puts the players' names in.

In a template, ``{0}`` is the name of the player in seat 0, ``{1}`` of the player in seat 1, and so on. Braces have no
other use.

A ``Sentence`` is a template in English that knows its message and its parameters, so that
``skerry_games.languages.translation`` can write it in another language. Making one takes several times as long as a
plain ``str``, so the games cache the parts of sentences that have few values: cards, places, counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from skerry_games.languages.catalogues import ENGLISH, catalogue
from skerry_games.languages.fluent import Pattern, compiled


class Sentence(str):
    """A template in English, made of a message and its parameters. Any other use makes a plain ``str`` of it."""

    __slots__ = ("id", "parameters")

    id: str
    """The id of the message in the catalogues."""
    parameters: Mapping[str, Any]
    """By name: numbers, texts, sentences, and tuples of them."""

    def __getnewargs__(self) -> tuple[str]:
        return (str(self),)


def phrase(id_: str, /, **parameters: Any) -> Sentence:
    """Return the message with these parameters. Raises KeyError for an unknown id or a missing parameter."""
    one = Sentence(_ENGLISH[id_](parameters))  # not ``made``: texts of positions have hundreds of phrases
    one.id = id_
    one.parameters = parameters
    return one


def made(text: str, id_: str, parameters: Mapping[str, Any]) -> Sentence:
    """Return a sentence whose English text is known."""
    one = Sentence(text)
    one.id = id_
    one.parameters = parameters
    return one


class _Patterns(dict[str, Pattern]):
    """The messages of English that were used, by id."""

    def __missing__(self, id_: str) -> Pattern:
        pattern = self[id_] = compiled(catalogue(ENGLISH).messages[id_].parts, str, {})
        return pattern


_ENGLISH: Final = _Patterns()


@lru_cache(maxsize=1 << 6)
def player(seat: int) -> str:
    """Return the placeholder for the name of a seat's player, as in ``{0}``."""
    return f"{{{seat}}}"


def listed(items: Iterable[str], before_last: str = "and") -> Sentence:
    """Return ``a``, ``a and b`` or ``a, b and c``."""
    items = tuple(items)
    *first, last = items
    text = f"{', '.join(first)} {before_last} {last}" if first else last
    return made(text, "listed", {"items": items, "before_last": before_last})


def joined_by(separator: str, parts: Iterable[str]) -> Sentence:
    """Return the parts, one after the other."""
    items = tuple(parts)
    return made(separator.join(items), "joined", {"items": items, "separator": separator})


def headed(head: str, then: str, parts: Iterable[str], separator: str) -> Sentence:
    """Return the parts like ``joined_by``, after a head: ``head: part; part``, where ``then`` is ``: ``."""
    items = tuple(parts)
    parameters = {"head": head, "then": then, "items": items, "separator": separator}
    return made(f"{head}{then}{separator.join(items)}", "headed", parameters)


def capitalized(words: str) -> Sentence:
    """Return the words with a capital letter first."""
    return made(f"{words[:1].upper()}{words[1:]}", "capitalized", {"words": words})


def uncapitalized(words: str) -> Sentence:
    """Return a sentence that goes on after a colon: with a small letter first, where the language has it so."""
    return made(f"{words[:1].lower()}{words[1:]}", "uncapitalized", {"words": words})


_PLURALS: Final = {"leaf": "leaves"}
"""Of the words that do not add an s."""


@lru_cache(maxsize=1 << 10)
def plural(thing: str) -> Sentence:
    """Return a word in the plural."""
    return made(_PLURALS.get(thing, f"{thing}s"), "plural", {"thing": thing})


@lru_cache(maxsize=1 << 10)
def counted(number: int, thing: str, *, none: str = "0") -> Sentence:
    """Return ``1 point`` or ``5 points``. ``none`` replaces the number 0, as in ``no points``."""
    text = f"1 {thing}" if number == 1 else f"{number or none} {_PLURALS.get(thing, f'{thing}s')}"
    return made(text, "counted", {"number": number, "thing": thing, "none": none})


def grouped(number: int) -> Sentence:
    """Return a number with separators of thousands: ``1,000``."""
    return made(f"{number:,}", "grouped", {"number": number})


def winners_sentence(winners: Sequence[int], best: str) -> Sentence:
    """Return the sentence that ends a game in which these seats are ahead, each with ``best`` (``7 points``).

    The sentence does not say "wins": a player who resigned does not win, and the rules do not know of resignations.
    """
    if len(winners) == 1:
        return phrase("game-over-one-ahead", winner=player(winners[0]), best=best)
    return phrase("game-over-several-ahead", winners=listed(map(player, winners)), best=best)


def fill(template: str, names: Sequence[str]) -> str:
    """Return the sentence with the names of the players. ``names`` has one name for each seat."""
    return template.format(*names) if "{" in template else str(template)
