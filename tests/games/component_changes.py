"""Changes to a components file that tests make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Raw = Any
Fault = tuple[Callable[[Raw], object], str, str, str]
"""A change, and place, sentence and rule of the problem that it causes."""


def keep(part: str, count: int) -> Callable[[Raw], object]:
    """Return a change that keeps only the first entries of a part."""

    def shorten(raw: Raw) -> None:
        raw[part] = dict(list(raw[part].items())[:count])

    return shorten
