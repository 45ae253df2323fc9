"""Makes faulty copies of Pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace as with_changes
from typing import Any

from tests.games.pairs import GAME, rules
from tests.games.pairs.state import Event, Move, State

Applied = tuple[State, tuple[Event, ...]]


def spoil(**changes: Any) -> Any:
    """Return Pairs with some fields replaced."""
    return with_changes(GAME, **changes)


def apply_with(spoil_after: Callable[[State, int, Move, Applied], Applied]) -> Any:
    def apply(state: State, actor: int, move: Move) -> Applied:
        return spoil_after(state, actor, move, rules.apply(state, actor, move))

    return spoil(apply=apply)
