"""Which texts are printable, and which display names look the same."""

from __future__ import annotations

import re
from unicodedata import category, normalize

from skerry_service.domain.seating.skeletons import skeleton

MAX_NAME_LENGTH = 40
"""Maximum length of a display name, in characters."""
FORGOTTEN = "Forgotten"
"""The display name in place of one that was erased; with a number if several players of a game have it."""

_EMOJI_STYLE = "\ufe0f"
_JOINER = "\u200d"
_KEYCAP = "\u20e3"
_BLANKS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00013441\U00013442\U0001d159"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)
"""Marks, letters and symbols without a visible glyph."""
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d*$")
_RESERVED = ("seat", "bot", "chance", "spectator")


def is_printable(text: str) -> bool:
    """Return whether every character is visible: a letter, mark, number, punctuation, symbol, or the space U+0020.

    Control and format characters, other spaces and blanks are not. Two characters that form emoji are allowed where
    they do so: U+FE0F after a symbol or before U+20E3, and U+200D between two symbols.
    """
    return all(map(_is_visible, f" {text}", text, f"{text[1:]} "))


def _is_visible(before: str, character: str, after: str) -> bool:
    if character == _EMOJI_STYLE:
        return _is_symbol(before) or after == _KEYCAP
    if character == _JOINER:
        return (_is_symbol(before) or before == _EMOJI_STYLE) and _is_symbol(after)
    return character.isprintable() and character not in _BLANKS


def _is_symbol(character: str) -> bool:
    return category(character).startswith("S")


def starts_with_combining_mark(text: str) -> bool:
    """Return whether the first character would combine with the text before it."""
    return category(text[0]).startswith("M")


def look_alike(one: str, other: str) -> bool:
    """Return whether two names could be mistaken for each other: "Ada" and "ADA", or "Ada" in Latin and in Cyrillic."""
    return not comparison_keys(one).isdisjoint(comparison_keys(other))


def is_reserved_name(name: str) -> bool:
    """Return whether the name could be mistaken for a seat, a bot, chance or a spectator: "Seat 2", "Bot l"."""
    words = _WORD.findall(_visible(name))
    if len(words) > 1 and all(map(_looks_like_digit, words[-1])):
        words.pop()
    letters = _NUMBER.sub("", "".join(words))
    return any(look_alike(letters, word) for word in _RESERVED)


def _looks_like_digit(character: str) -> bool:
    return character.isdigit() or any(look_alike(character, digit) for digit in "0123456789")


def comparison_keys(name: str) -> frozenset[str]:
    """Return two keys. Names that have one in common look alike.

    A capital I looks like a small l, but not like the small i, which is the same letter. So one key compares letters as
    they are written, and the other their small forms.
    """
    return frozenset((skeleton(_folded(name)), skeleton(_folded(skeleton(_visible(name))))))


def _visible(name: str) -> str:
    """Return the name without marks of style, in NFKC, with single spaces."""
    visible = name.replace(_EMOJI_STYLE, "").replace(_JOINER, "")
    return " ".join(normalize("NFKC", visible).split())


def _folded(name: str) -> str:
    return normalize("NFKC", _visible(name).casefold())
