"""The form of texts that people read."""

from __future__ import annotations

from typing import Final

from skerry_games.sentences import fill

NAMES: Final = ("Ada", "Bob", "Cleo", "Dan", "Eve")
"""Display names of the players."""


def one_line(text: str) -> bool:
    """Return whether a text is one line, not empty, without blanks around it."""
    return bool(text) and text == text.strip() and len(text.splitlines()) == 1


def is_sentence(template: str) -> bool:
    """Return whether a template is one line, begins without lower case, and ends with one full stop."""
    text = fill(template, NAMES)
    stops = text.endswith(".") and not text.endswith("..")
    return one_line(text) and "{" not in text and stops and not text[0].islower()
