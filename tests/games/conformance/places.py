"""Compares states place by place: which parts differ between two of them, which parts a redeal varies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import to_builtins

from skerry_games.api import AnyGame, Viewer
from tests.games.conformance.play import dice

Place = tuple[int | str, ...]
"""Where a value lies, as a path of fields and indices."""

MISSING = object()
"""What lies in a place that is not there."""


def leaves(value: Any) -> dict[Place, Any]:
    """Return each number and text of a value, by its place."""
    found: dict[Place, Any] = {}
    _collect(to_builtins(value), (), found)
    return found


def differences(one: Any, other: Any) -> set[Place]:
    """Return the places in which two values differ."""
    found: set[Place] = set()
    if one != other:
        _compare(to_builtins(one), to_builtins(other), (), found)
    return found


def varied(game: AnyGame, state: Any, viewer: Viewer, redeals: int) -> Iterator[set[Place]]:
    """Yield the places in which one redeal after the other differs from the state."""
    for roll in range(redeals):
        yield differences(state, game.redeal(state, viewer, dice(roll, 0)))


def _parts(value: Any) -> Mapping[int | str, Any] | None:
    """Return what the value holds, by field or index; ``None`` for a number or text."""
    if isinstance(value, dict):
        return value
    return dict(enumerate(value)) if isinstance(value, list | tuple) else None


def _collect(value: Any, at: Place, found: dict[Place, Any]) -> None:
    parts = _parts(value)
    if parts is None:
        found[at] = value
        return
    for key, part in parts.items():
        _collect(part, (*at, key), found)


def _compare(one: Any, other: Any, at: Place, found: set[Place]) -> None:
    """Add the places of two different values that differ. What is equal in them is not looked into."""
    here, there = _parts(one), _parts(other)
    if here is None or there is None:
        for value in (one, other):
            inside: dict[Place, Any] = {}
            if value is not MISSING:
                _collect(value, at, inside)
            found.update(inside)
        return
    for key in {**here, **there}:
        left, right = here.get(key, MISSING), there.get(key, MISSING)
        if left is not right and left != right:
            _compare(left, right, (*at, key), found)
