"""Acting on drawn positions."""

from __future__ import annotations

from typing import TypeVar

import pytest

from skerry_games.api import IllegalMove
from skerry_games.canarias import GAME
from skerry_games.canarias.events import Event
from skerry_games.canarias.moves import Move
from skerry_games.canarias.state import State

E = TypeVar("E")


def do(state: State, *moves: Move) -> State:
    """Return the state after these moves, each made by the acting seat or chance."""
    for move in moves:
        state, _ = happens(state, move)
    return state


def happens(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the state after a move of the acting seat or chance, and the events."""
    (actor,) = GAME.to_act(state)
    assert move in GAME.legal_moves(state, actor), f"not listed: {move}"
    return GAME.apply(state, actor, move)


def events_of(kind: type[E], state: State, *moves: Move) -> list[E]:
    """Return the events of a kind that these moves bring."""
    found: list[E] = []
    for move in moves:
        state, events = happens(state, move)
        found += [event for event in events if isinstance(event, kind)]
    return found


def refused(state: State, move: Move, actor: int | None = None) -> str:
    """Return the rule under which the move is refused. Without an actor, the acting seat or chance makes it."""
    actor = GAME.to_act(state)[0] if actor is None else actor
    assert move not in GAME.legal_moves(state, actor)
    with pytest.raises(IllegalMove) as refusal:
        GAME.apply(state, actor, move)
    assert refusal.value.sentence.endswith(".")
    return refusal.value.rule


def choices(state: State) -> tuple[Move, ...]:
    """Return the legal moves of the acting seat or chance."""
    return tuple(move for actor in GAME.to_act(state) for move in GAME.legal_moves(state, actor))
