"""Compares states leaf by leaf: where two of them differ, and where a redeal varies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import to_builtins

from skerry_games.api import AnyGame, Viewer
from tests.games.conformance.play import dice

StatePath = tuple[int | str, ...]
"""The path of fields and indices to a value in a state."""

MISSING = object()
"""The value at a path that does not exist."""


def varying(values: Sequence[Any]) -> dict[StatePath, list[Any]]:
    """Return each path at which the values have different numbers or texts, with the number or text of each value."""
    found: dict[StatePath, list[Any]] = {}
    _compare([to_builtins(value) for value in values], (), found)
    return found


def differences(one: Any, other: Any) -> set[StatePath]:
    """Return the paths at which two values differ."""
    return set(varying((one, other))) if one != other else set()


def varied(game: AnyGame, state: Any, viewer: Viewer, redeals: int) -> Iterator[set[StatePath]]:
    """Yield, for each of several redeals, the paths at which it differs from the state."""
    for roll in range(redeals):
        yield differences(state, game.redeal(state, viewer, dice(roll, 0)))


def never_varied(
    game: AnyGame, state: Any, viewer: Viewer, paths: Iterable[StatePath], redeals: int
) -> list[StatePath]:
    """Return the paths at which none of several redeals differs from the state."""
    own = to_builtins(state)
    kept = [(path, held_at(own, path)) for path in paths]
    for roll in range(redeals):
        if not kept:
            break
        redealt = to_builtins(game.redeal(state, viewer, dice(roll, 0)))
        kept = [(path, value) for path, value in kept if held_at(redealt, path) == value]
    return [path for path, _ in kept]


def held_at(value: Any, path: StatePath) -> Any:
    """Return the number or text at a path of a value from ``to_builtins``, or ``MISSING``."""
    for key in path:
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


def _compare(values: Sequence[Any], at: StatePath, found: dict[StatePath, list[Any]]) -> None:
    """Add the paths at which the values differ. Skip parts that are equal in all of them."""
    if _all_equal(values):
        return
    held = [held_at(value, ()) for value in values]
    if not _all_equal(held):
        found[at] = held
    for key in dict.fromkeys(key for value in values for key in _keys(value)):
        _compare([_part(value, key) for value in values], (*at, key), found)


def _all_equal(values: Sequence[Any]) -> bool:
    return values.count(values[0]) == len(values)
