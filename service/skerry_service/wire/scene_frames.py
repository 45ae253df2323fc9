"""Frames: the change from one list of pieces to the next."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence

from msgspec import Struct

from skerry_games.looks.scene import ScenePiece


class Frame(Struct, frozen=True):
    """What changes a list of pieces into the next one."""

    put: tuple[tuple[ScenePiece, str], ...]
    """In the order of drawing, each with the id of the piece directly below it; empty if it is the lowest."""
    removed: tuple[str, ...]
    """The ids of the pieces that are gone."""


def frame_between(before: Sequence[ScenePiece], after: Sequence[ScenePiece]) -> Frame:
    """Return the frame that changes ``before`` into ``after``. The ids in each of them differ."""
    known = {piece.id: (number, piece) for number, piece in enumerate(before)}
    numbers = []
    for piece in after:
        number, earlier = known.get(piece.id, (-1, None))
        if earlier == piece:
            numbers.append(number)
    kept = _increasing(numbers)
    put, below = [], ""
    for piece in after:
        number, earlier = known.get(piece.id, (-1, None))
        if earlier != piece or number not in kept:
            put.append((piece, below))
        below = piece.id
    present = {piece.id for piece in after}
    return Frame(tuple(put), tuple([id_ for id_ in known if id_ not in present]))


def _increasing(numbers: Sequence[int]) -> Collection[int]:
    """Return a longest increasing subsequence of different numbers: the pieces that need not be put again."""
    ends: list[int] = []
    """The lowest last number of an increasing subsequence, by its length."""
    lower: dict[int, int | None] = {}
    for number in numbers:
        length = bisect_left(ends, number)
        lower[number] = ends[length - 1] if length else None
        ends[length:] = [number, *ends[length + 1 :]]
    longest = set()
    last = ends[-1] if ends else None
    while last is not None:
        longest.add(last)
        last = lower[last]
    return longest
