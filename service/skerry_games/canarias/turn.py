"""A seat's turn: how it begins, and what can be done in it. What that does stands where its subject does."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import Step
from skerry_games.canarias.cards import FIRST_PIRATE, NO_CARD
from skerry_games.canarias.deck import can_take_extra
from skerry_games.canarias.events import Event, TurnBegun
from skerry_games.canarias.moves import BUILD, DRAW, LOAD, TAKE_EXTRA, Move
from skerry_games.canarias.settling import can_build
from skerry_games.canarias.state import BUILD_OR_DRAW, State
from skerry_games.canarias.upgrading import palaces_and_towns


def begin_turn(state: State, me: int, events: tuple[Event, ...]) -> Step[State, Event]:
    """Give the turn to a seat (CANARIAS-TURN-1). ``events``: what has led here."""
    begun = replace(state, phase=BUILD_OR_DRAW, resume=BUILD_OR_DRAW, turn=me, actor=me, extra=NO_CARD)
    return begun, (*events, TurnBegun(state.round, me))


def turn_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return what the seat can do first: build, draw, or what it can do at any moment."""
    listed: list[Move] = []
    if can_build(state, me):
        listed += [BUILD[card] for card in dict.fromkeys(state.seats[me].hand) if card < FIRST_PIRATE]
    listed.append(DRAW)
    return (*listed, *_moves_at_any_moment(state, me))


def load_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return what the seat can do after building or drawing: load a card, or what it can do at any moment."""
    loads = [LOAD[card] for card in dict.fromkeys(state.seats[me].hand)]
    return (*loads, *_moves_at_any_moment(state, me))


def _moves_at_any_moment(state: State, me: int) -> list[Move]:
    """Return palaces and towns, and the extra card (CANARIAS-PALACE-1, CANARIAS-TOWN-1, CANARIAS-PRIV-CARD)."""
    listed = palaces_and_towns(state, me)
    if can_take_extra(state, me):
        listed.append(TAKE_EXTRA)
    return listed
