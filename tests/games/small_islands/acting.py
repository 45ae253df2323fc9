"""Acting on drawn positions.

``put`` does not repeat which token was decided for: whatever acts on a state puts it in.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from skerry_games.api import CHANCE_ACTS, IllegalMove
from skerry_games.rng import SeededRng
from skerry_games.small_islands import GAME
from skerry_games.small_islands.events import Event
from skerry_games.small_islands.moves import (
    NO_TOKEN,
    LandShip,
    LayTile,
    Move,
    PickTile,
    PlaceHouse,
    PlaceToken,
    TakeTile,
    TakeToken,
)
from skerry_games.small_islands.printed.components import Bonus, Symbol
from skerry_games.small_islands.state import State
from tests.games.small_islands.drawing import cell, face

DICE = SeededRng(bytes(32), 0)


def take(tile: str) -> TakeTile:
    return TakeTile(face(tile))


def pick(tile: str) -> PickTile:
    return PickTile(face(tile))


def lay(at: str, turns: int = 0) -> LayTile:
    return LayTile(cell(at), turns)


def land(at: str, *, grey: bool = False) -> LandShip:
    return LandShip(cell(at), grey)


def token(name: str, shows: str = "") -> TakeToken:
    return TakeToken(Bonus[name.upper()], Symbol[(shows or name).upper()])


def put(at: str, covers: str = "") -> PlaceToken:
    return PlaceToken(Bonus.ANY, Symbol.PORT, cell(at), Symbol[covers.upper()] if covers else None)


def meant(state: State, move: Move) -> Move:
    """Return the move with the token that was decided for."""
    if isinstance(move, PlaceToken) and state.token is not None and state.shows is not None:
        return replace(move, token=state.token, shows=state.shows)
    return move


def _bare(move: Move) -> Move:
    """Return the move as ``put`` writes it."""
    return replace(move, token=Bonus.ANY, shows=Symbol.PORT) if isinstance(move, PlaceToken) else move


def house(at: str) -> PlaceHouse:
    return PlaceHouse(cell(at))


def explore(tile: str, at: str, turns: int = 0, taken: str = "") -> tuple[Move, ...]:
    """Return the moves that take a tile (or ``taken``) and lay it, without a bonus token."""
    return (take(taken or tile), pick(tile), lay(at, turns), NO_TOKEN)


def do(state: State, *moves: Move) -> State:
    """Return the state after these moves. Each is made by the actor that is to act."""
    for move in moves:
        state, _ = happens(state, move)
    return state


def happens(state: State, move: Move, actor: int | None = None) -> tuple[State, tuple[Event, ...]]:
    """Return the state after a move of the actor, and the events. The default actor is the first to act."""
    actor, move = GAME.to_act(state)[0] if actor is None else actor, meant(state, move)
    assert move in GAME.legal_moves(state, actor), f"{GAME.say_move(move)} is not listed"
    return GAME.apply(state, actor, move)


def refused(state: State, move: Move, actor: int | None = None) -> str:
    """Return the rule under which the move is refused. Without an actor, the first that is to act makes it."""
    actor, move = GAME.to_act(state)[0] if actor is None else actor, meant(state, move)
    assert move not in GAME.legal_moves(state, actor)
    with pytest.raises(IllegalMove) as refusal:
        GAME.apply(state, actor, move)
    assert refusal.value.sentence.endswith(".")
    return refusal.value.rule


def choices(state: State) -> tuple[Move, ...]:
    """Return the legal moves of the first that is to act."""
    actors = GAME.to_act(state)
    return tuple(map(_bare, GAME.legal_moves(state, actors[0]))) if actors else ()


def drawn_on(state: State) -> State:
    """Return the state after chance has drawn, until a seat is to act or the game is over."""
    while GAME.to_act(state) == CHANCE_ACTS:
        state, _ = GAME.apply(state, -1, GAME.draw(state, DICE))
    return state
