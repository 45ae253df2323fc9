"""Acting on drawn positions."""

from __future__ import annotations

import pytest

from skerry_games.api import IllegalMove
from skerry_games.tenerife import GAME
from skerry_games.tenerife.events import CharactersRevealed, Event
from skerry_games.tenerife.moves import Lay, Move
from skerry_games.tenerife.state import CHARACTER, COLOUR, CharacterCard, State
from tests.games.tenerife.drawing import position

Events = tuple[Event, ...]


def do(state: State, *moves: Move) -> State:
    """Return the state after these moves, each made by the acting seat or chance."""
    for move in moves:
        state, _ = happens(state, move)
    return state


def laying(space: int, card: CharacterCard) -> Lay:
    """Return the move that lays this card there."""
    return Lay(space, CHARACTER[card], COLOUR[card])


def happens(state: State, move: Move) -> tuple[State, Events]:
    """Return the state after a move of the acting seat or chance, and the events."""
    (actor,) = GAME.to_act(state)
    assert move in GAME.legal_moves(state, actor)
    return GAME.apply(state, actor, move)


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


def reveal(state: State) -> tuple[State, Events]:
    """Lay the last character of a drawn position. Return what happened after all were revealed."""
    (last,) = choices(state)
    state, events = happens(state, last)
    assert isinstance(events[1], CharactersRevealed)
    return state, events[2:]


def acted(text: str, seats: int = 3) -> tuple[State, Events]:
    """Return what comes of a drawn position once the last character is laid."""
    return reveal(position(text, seats))


def below(events: Events, *spaces: int) -> Events:
    """Return the events about the characters below these spaces."""
    return tuple(event for event in events if getattr(event, "space", None) in spaces)
