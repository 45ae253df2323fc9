"""Compares states place by place: which parts differ between two of them, which parts a redeal varies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import to_builtins

from skerry_service.games.api import AnyGame, Viewer
from tests.games.conformance.play import dice

Place = tuple[int | str, ...]
"""Where a value lies, as a path of fields and indices."""

MISSING = object()
"""What lies in a place that is not there."""


def leaves(value: Any) -> dict[Place, Any]:
    """Return each number and text of a value, by its place."""
    return dict(_walk(to_builtins(value), ()))


def differences(one: Any, other: Any) -> set[Place]:
    """Return the places in which two values differ."""
    if one == other:
        return set()
    here, there = leaves(one), leaves(other)
    return {place for place in here | there if here.get(place, MISSING) != there.get(place, MISSING)}


def varied(game: AnyGame, state: Any, viewer: Viewer, redeals: int) -> Iterator[set[Place]]:
    """Yield the places in which one redeal after the other differs from the state."""
    for roll in range(redeals):
        yield differences(state, game.redeal(state, viewer, dice(roll, 0)))


def _walk(value: Any, at: Place) -> Iterator[tuple[Place, Any]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _walk(part, (*at, key))
    elif isinstance(value, list | tuple):
        for index, part in enumerate(value):
            yield from _walk(part, (*at, index))
    else:
        yield at, value
