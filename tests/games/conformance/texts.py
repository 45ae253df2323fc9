"""What a text must look like that people read: names put in, one line, a sentence."""

from __future__ import annotations

from typing import Final

from skerry_games.sentences import fill

NAMES: Final = ("Ada", "Bob", "Cleo", "Dan", "Eve")
"""Display names of the players."""


def one_line(text: str) -> bool:
    """Tell whether a text is one line of something, without blanks around it."""
    return bool(text) and text == text.strip() and len(text.splitlines()) == 1


def is_sentence(template: str) -> bool:
    """Tell whether a text, names put in, is one line with one full stop at its end, and not begun in lower case."""
    text = fill(template, NAMES)
    stops = text.endswith(".") and not text.endswith("..")
    return one_line(text) and "{" not in text and stops and not text[0].islower()
