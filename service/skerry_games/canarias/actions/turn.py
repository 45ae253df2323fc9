"""The turn of a seat: its start, and its legal moves. Other modules carry out these moves."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import Step
from skerry_games.canarias.actions.deck import can_take_extra
from skerry_games.canarias.actions.settler_house import can_build
from skerry_games.canarias.actions.upgrading import palaces_and_towns
from skerry_games.canarias.events import Event, TurnBegun
from skerry_games.canarias.moves import BUILD, DRAW, LOAD, TAKE_EXTRA, Move
from skerry_games.canarias.printed.cards import FIRST_PIRATE, NO_CARD
from skerry_games.canarias.state import BUILD_OR_DRAW, SeatState, Ship, State


def begin_turn(
    state: State, me: int, seats: tuple[SeatState, ...], ship: Ship, events: tuple[Event, ...]
) -> Step[State, Event]:
    """Begin the turn of a seat (CANARIAS-TURN-1).

    ``seats``, ``ship``: their new values. ``events``: the events of the move so far.
    """
    begun = replace(
        state,
        phase=BUILD_OR_DRAW,
        seats=seats,
        turn=me,
        actor=me,
        ship=ship,
        resume=BUILD_OR_DRAW,
        extra=NO_CARD,
    )
    return begun, (*events, TurnBegun(state.round, me))


def turn_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the moves at the start of a turn: build, draw, and the moves of any moment."""
    listed: list[Move] = []
    if can_build(state, me):
        before = NO_CARD
        for card in state.seats[me].hand:
            if card != before and card < FIRST_PIRATE:  # equal cards are neighbours in the hand
                listed.append(BUILD[card])
                before = card
    listed.append(DRAW)
    return _with_moves_at_any_moment(listed, state, me)


def load_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the moves after building or drawing: load a card, and the moves of any moment."""
    listed: list[Move] = []
    before = NO_CARD
    for card in state.seats[me].hand:
        if card != before:  # equal cards are neighbours in the hand
            listed.append(LOAD[card])
            before = card
    return _with_moves_at_any_moment(listed, state, me)


def _with_moves_at_any_moment(listed: list[Move], state: State, me: int) -> tuple[Move, ...]:
    """Return the listed moves and the moves of any moment: palaces, towns and the extra card.

    CANARIAS-PALACE-1, CANARIAS-TOWN-1, CANARIAS-PRIV-CARD.
    """
    listed += palaces_and_towns(state, me)
    if can_take_extra(state, me):
        listed.append(TAKE_EXTRA)
    return tuple(listed)
