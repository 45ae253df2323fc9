"""Acting on drawn positions."""

from __future__ import annotations

import pytest

from skerry_games.api import IllegalMove
from skerry_games.kreta import GAME
from skerry_games.kreta.events import Event
from skerry_games.kreta.moves import Move
from skerry_games.kreta.state import State


def do(state: State, *moves: Move) -> State:
    """Return the state after these moves. Each is made by the actor that is to act."""
    for move in moves:
        state, _ = happens(state, move)
    return state


def happens(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the state after a move of the actor that is to act, and the events."""
    (actor,) = GAME.to_act(state)
    assert move in GAME.legal_moves(state, actor)
    return GAME.apply(state, actor, move)


def refused(state: State, move: Move, actor: int | None = None) -> str:
    """Return the rule that refuses the move. The default actor is the one that is to act."""
    actor = GAME.to_act(state)[0] if actor is None else actor
    assert move not in GAME.legal_moves(state, actor)
    with pytest.raises(IllegalMove) as refusal:
        GAME.apply(state, actor, move)
    assert refusal.value.sentence.endswith(".")
    return refusal.value.rule


def choices(state: State) -> tuple[Move, ...]:
    """Return the legal moves of the actor that is to act."""
    return tuple(move for actor in GAME.to_act(state) for move in GAME.legal_moves(state, actor))
