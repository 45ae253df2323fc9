"""Setup and chance moves: the start seat and the town cards."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from skerry_games.api import BadOptions, IllegalMove, MalformedMove, Step
from skerry_games.rng import Rng
from skerry_games.sentences import listed, phrase
from skerry_games.tenerife.actions.activation import begin_round
from skerry_games.tenerife.events import Event, StartSeatDrawn
from skerry_games.tenerife.moves import DRAW_START_SEAT, TURN_UP_TOWN, DrawStartSeat, Move, TurnUpTown
from skerry_games.tenerife.printed.tenerife_board import BOARD, EDITIONS
from skerry_games.tenerife.state import (
    CLOSED,
    LAST_CHANCE_PHASE,
    NO_SEAT,
    SPACES,
    TOWNS,
    TRANSPORT_SPACES,
    Options,
    Phase,
    SeatState,
    State,
    all_spaces,
    full_hand,
    town_cards,
)

SEATS: Final = tuple(SPACES)


def setup(options: Options, seats: int) -> State:
    """Return the state before the first chance move. Raises BadOptions."""
    _check(options, seats)
    start, spaces = options.start_seat, SPACES[seats]
    # TENERIFE-TWO-1: some plots of the Town Hall are closed with 2 seats.
    hall = tuple(CLOSED if seats == 2 and plot.closed_with_two_seats else NO_SEAT for plot in BOARD.hall_plots)
    return State(
        phase=Phase.START_SEAT if start is None else Phase.TURN_UP,
        turn=NO_SEAT,
        seats=(SeatState(full_hand(options.turbulent)),) * seats,
        hall=hall,
        owners=(NO_SEAT,) * spaces,
        cards=(None,) * spaces,
        vacant=all_spaces(seats),
        undrawn=town_cards(seats),
        transport_spaces=options.transport_spaces or TRANSPORT_SPACES[seats][0],
        turbulent=options.turbulent,
        puerto_farmer=options.puerto_farmer,
        start=NO_SEAT if start is None else start,
    )


def _check(options: Options, seats: int) -> None:
    if seats not in SEATS:
        raise BadOptions("seats", phrase("tenerife-tenerife-or-players-not", seats=seats))
    if options.edition not in EDITIONS:
        facts = {"edition": repr(options.edition), "editions": ", ".join(EDITIONS)}
        raise BadOptions("edition", phrase("common-choose-edition", **facts))
    if options.start_seat is not None and options.start_seat not in range(seats):
        raise BadOptions(
            "start_seat", phrase("tenerife-seat-does-not-exist", start_seat=options.start_seat, seats=seats - 1)
        )
    spaces = TRANSPORT_SPACES[seats]
    if options.transport_spaces is not None and options.transport_spaces not in spaces:
        allowed = listed(map(str, spaces), "or")
        sentence = phrase(
            "tenerife-with-players-there-transport",
            seats=seats,
            allowed=allowed,
            transport_spaces=options.transport_spaces,
        )
        raise BadOptions("transport_spaces", sentence)
    for field, chosen in (("turbulent", options.turbulent), ("puerto_farmer", options.puerto_farmer)):
        if chosen not in (False, True):  # Python would count the text "no" as true.
            raise BadOptions(field, phrase("tenerife-true-or-false", value=repr(chosen)))
    if options.turbulent and seats != 2:
        raise BadOptions("turbulent", phrase("tenerife-turbulent-game-players-not", seats=seats))


def draw_start_seat(state: State, actor: int, move: DrawStartSeat) -> Step[State, Event]:
    """Draw the seat that begins the first round. Raises MalformedMove."""
    if move.seat not in range(len(state.seats)):
        raise MalformedMove(phrase("common-no-seat", seat=repr(move.seat)))
    return replace(state, phase=Phase.TURN_UP, start=move.seat), (StartSeatDrawn(move.seat),)


def turn_up_town(state: State, actor: int, move: TurnUpTown) -> Step[State, Event]:
    """Turn up a town card and begin a round. Raises IllegalMove (TENERIFE-SETUP-2) or MalformedMove."""
    if move.town not in TOWNS:
        raise MalformedMove(phrase("tenerife-not-a-town", town=repr(move.town)))
    if not state.undrawn >> move.town & 1:
        name = BOARD.places[move.town].name
        raise IllegalMove("TENERIFE-SETUP-2", phrase("tenerife-card-not-face-down", name=name))
    begun, event = begin_round(replace(state, undrawn=state.undrawn & ~(1 << move.town)), move.town)
    return begun, (event,)


def chance_moves(state: State) -> tuple[Move, ...]:
    """Return the possible chance moves, all equally likely."""
    if state.phase is Phase.START_SEAT:
        return DRAW_START_SEAT[: len(state.seats)]
    return tuple([TURN_UP_TOWN[town] for town in TOWNS if state.undrawn >> town & 1])


def draw(state: State, rng: Rng) -> Move:
    """Draw a chance move. Raises ValueError if chance is not to act."""
    if state.phase > LAST_CHANCE_PHASE:
        raise ValueError("chance is not to act")
    return rng.choice(chance_moves(state))
