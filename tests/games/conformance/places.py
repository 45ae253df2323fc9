"""Compares states place by place: which parts differ between two of them, which parts a redeal varies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import to_builtins

from skerry_games.api import AnyGame, Viewer
from tests.games.conformance.play import dice

Place = tuple[int | str, ...]
"""Where a value lies, as a path of fields and indices."""

MISSING = object()
"""What lies in a place that is not there."""


def varying(values: Sequence[Any]) -> dict[Place, list[Any]]:
    """Return each place at which the values do not all hold the same number or text, with what each of them holds."""
    found: dict[Place, list[Any]] = {}
    _compare([to_builtins(value) for value in values], (), found)
    return found


def differences(one: Any, other: Any) -> set[Place]:
    """Return the places in which two values differ."""
    return set(varying((one, other))) if one != other else set()


def varied(game: AnyGame, state: Any, viewer: Viewer, redeals: int) -> Iterator[set[Place]]:
    """Yield the places in which one redeal after the other differs from the state."""
    for roll in range(redeals):
        yield differences(state, game.redeal(state, viewer, dice(roll, 0)))


def never_varied(game: AnyGame, state: Any, viewer: Viewer, places: Iterable[Place], redeals: int) -> list[Place]:
    """Return those of the places in which none of so many redeals differs from the state."""
    own = to_builtins(state)
    kept = [(place, held_at(own, place)) for place in places]
    for roll in range(redeals):
        if not kept:
            break
        redealt = to_builtins(game.redeal(state, viewer, dice(roll, 0)))
        kept = [(place, value) for place, value in kept if held_at(redealt, place) == value]
    return [place for place, _ in kept]


def held_at(value: Any, place: Place) -> Any:
    """Return the number or text at a place of what ``to_builtins`` made, ``MISSING`` if there is none."""
    for key in place:
        value = _part(value, key)
    return MISSING if isinstance(value, dict | list | tuple) else value


def _part(value: Any, key: int | str) -> Any:
    if isinstance(value, dict):
        return value.get(key, MISSING)
    if isinstance(value, list | tuple) and isinstance(key, int) and key < len(value):
        return value[key]
    return MISSING


def _keys(value: Any) -> Iterable[int | str]:
    if isinstance(value, dict):
        return value
    return range(len(value)) if isinstance(value, list | tuple) else ()


def _compare(values: Sequence[Any], at: Place, found: dict[Place, list[Any]]) -> None:
    """Add the places in which the values differ. What is equal in all of them is not looked into."""
    if _all_equal(values):
        return
    held = [held_at(value, ()) for value in values]
    if not _all_equal(held):
        found[at] = held
    for key in dict.fromkeys(key for value in values for key in _keys(value)):
        _compare([_part(value, key) for value in values], (*at, key), found)


def _all_equal(values: Sequence[Any]) -> bool:
    return values.count(values[0]) == len(values)
