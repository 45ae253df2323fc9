"""The lines of a position in words: ``subject: fact; fact``.

Every game writes its positions in this form (``Game.text``), so that a person, a program and a language model read
them alike. A line has one subject. Lines and facts keep their order, and facts that do not hold are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache, lru_cache

from skerry_games.sentences import counted, headed, joined_by, phrase, player


def joined(lines: Iterable[str]) -> str:
    """Return the lines as a text, without empty ones."""
    return joined_by("\n", filter(None, lines))


def line(subject: str, *facts: str | None) -> str:
    """Return ``subject: fact; fact``, without facts that are ``None``; an empty line if all are."""
    stated = tuple(filter(None, facts))
    return headed(subject, ": ", stated, "; ") if stated else ""


def listed(label: str, things: Iterable[object]) -> str | None:
    """Return the fact ``label one, two``; ``None`` if there are no things."""
    stated = tuple(thing if isinstance(thing, str) else str(thing) for thing in things)
    return headed(label, " ", stated, ", ") if stated else None


def pieces(*counts: tuple[int, str]) -> Iterator[str]:
    """Yield ``2 ships``, ``1 fort``: the counts that are not 0, each with the name of one piece."""
    return (counted(count, piece) for count, piece in counts if count)


def named(member: Enum) -> str:
    """Return the name of a member in words, such as ``play card``."""
    return _in_words(member._name_)


@cache
def _in_words(name: str) -> str:
    return name.lower().replace("_", " ")


def if_any(member: Enum | None) -> str | None:
    """Return the name of a member as a fact; ``None`` for ``None``."""
    return None if member is None else named(member)


def number(value: int | None) -> str | None:
    """Return a number as a fact; ``None`` for ``None``."""
    return None if value is None else str(value)


@lru_cache(maxsize=1 << 5)
def seat(value: int | None) -> str | None:
    """Return the fact ``seat 0``; ``None`` for ``None``."""
    return None if value is None else phrase("common-seat", seat=value)


@lru_cache(maxsize=1 << 6)
def seat_subject(value: int, viewer: int | None) -> str:
    """Return the subject of a seat's line, such as ``seat 0 ({0}, you)``: a template for the name of its player."""
    return phrase("common-you" if value == viewer else "common-seat-of", seat=value, player=player(value))
