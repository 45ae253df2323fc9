"""Skeletons: texts with equal skeletons look alike, also across scripts (Unicode Technical Standard 39, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from unicodedata import normalize

_MARK = "\u200e"
"""The library's data put this mark around right-to-left characters."""


def skeleton(text: str) -> str:
    """Return the skeleton of a text: each character replaced by the one that stands for all that look like it.

    Skeletons are for comparison only. They mix scripts, and some letters become two ("m" becomes "rn").
    """
    prototypes = load_prototypes()
    return normalize("NFD", "".join([prototypes.get(one, one) for one in normalize("NFD", text)]))


@cache
def load_prototypes() -> Mapping[str, str]:
    """Return the character or characters that stand for each character that looks like others.

    The first call takes about a tenth of a second.
    """
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415 - parses a megabyte of JSON

    alike = {text: [one["c"] for one in entries] for text, entries in confusables_data.items()}
    return {text: _prototype(text, alike).replace(_MARK, "") for text in alike if len(text) == 1}


def _prototype(text: str, alike: Mapping[str, list[str]]) -> str:
    """Return the text that stands for those that look like it.

    The data are the pairs of each text and its prototype, in both directions. So a text with several partners is the
    prototype. In a single pair either can be it, but a text of several characters has to be.
    """
    if len(alike[text]) > 1:
        return text
    (other,) = alike[text]
    if len(alike[other]) > 1:
        return other
    return max(text, other, key=lambda one: (len(one), one))
