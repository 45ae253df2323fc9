"""Pictures of a game in few bytes: the parts that occur in several pictures are stored once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

_SPLIT: Final = re.compile(r'(<g [^>]*data-(?:area|piece|place)="[^"]*"[^>]*>|\n)')
"""Before and after the beginning of each piece and place, and between the lines of the description."""


class Frames(Struct, frozen=True):
    """Pictures as numbers of parts."""

    parts: tuple[str, ...]
    pictures: tuple[tuple[int, ...], ...]
    """The parts of each picture, to be joined."""


def frames_of(pictures: Sequence[str]) -> Frames:
    """Return pictures as parts. Joined, the parts of each picture are the picture."""
    numbers: dict[str, int] = {}
    numbered = [
        tuple([numbers.setdefault(part, len(numbers)) for part in _SPLIT.split(picture) if part])
        for picture in pictures
    ]
    return Frames(tuple(numbers), tuple(numbered))
