"""Which texts can be shown, and when two names are one to the eye. Letters of different scripts are not compared."""

from __future__ import annotations

import re
from unicodedata import category, normalize

MAX_NAME_LENGTH = 40
"""Characters of a player's name."""

_EMOJI_STYLE = "\ufe0f"
_JOINER = "\u200d"
_KEYCAP = "\u20e3"
_BLANKS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00013441\U00013442\U0001d159"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)
"""Marks, letters and symbols that show nothing."""
_NO_PLAYER = re.compile(r"(seat|bot|chance|spectator)\d*")


def is_printable(text: str) -> bool:
    """Whether each character shows: a letter, mark, number, punctuation, symbol, or the space U+0020.

    Controls, formats, other spaces and blanks do not. Two that make emoji are let through where they do so: U+FE0F
    behind a symbol or before U+20E3, and U+200D between two symbols.
    """
    return all(map(_shows, f" {text}", text, f"{text[1:]} "))


def _shows(before: str, one: str, after: str) -> bool:
    if one == _EMOJI_STYLE:
        return _is_symbol(before) or after == _KEYCAP
    if one == _JOINER:
        return (_is_symbol(before) or before == _EMOJI_STYLE) and _is_symbol(after)
    return one.isprintable() and one not in _BLANKS


def _is_symbol(character: str) -> bool:
    return category(character).startswith("S")


def starts_with_combining_mark(text: str) -> bool:
    """Whether the first character would be drawn over whatever stands before the text."""
    return category(text[0]).startswith("M")


def comparison_key(name: str) -> str:
    """Return what two names have in common that read the same: NFKC, casefolded, with single spaces."""
    seen = name.replace(_EMOJI_STYLE, "").replace(_JOINER, "")
    return " ".join(normalize("NFKC", normalize("NFKC", seen).casefold()).split())


def is_reserved_name(name: str) -> bool:
    """Whether the name reads like a seat, a bot, chance or a spectator: "Seat 2", "seat-2", "BOT"."""
    return _NO_PLAYER.fullmatch("".join(filter(str.isalnum, comparison_key(name)))) is not None
