"""What a viewer may see. Names each field: what is not named stays hidden.

Once the game is over the log is open to everybody, and a view hides nothing that it reveals: hands and the ship are
shown to all. In the deck is then what lies nowhere else, in an order that was never drawn.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.api import Viewer
from skerry_games.canarias.events import CardDrawn, CardLoaded, Event
from skerry_games.canarias.moves import DealCard, Load, Move, StartShip
from skerry_games.canarias.printed.cards import NO_CARD
from skerry_games.canarias.printed.squares import NOWHERE, members
from skerry_games.canarias.printed.terms import NOTHING, Colour, Piece
from skerry_games.canarias.state import (
    LAST_CHANCE_PHASE,
    NOBODY,
    Phase,
    SeatState,
    Six,
    State,
    at_sea,
    loaders,
    score,
)


class BuildingView(Struct, frozen=True, array_like=True):
    """A piece on an island."""

    square: int
    piece: Piece
    colour: Colour


class SeatView(Struct, frozen=True):
    """What everybody sees of a seat."""

    island: int | None
    """``None`` until it has one."""
    buildings: tuple[BuildingView, ...]
    """By square."""
    points: Six
    score: int
    hand_size: int
    loaded: bool
    """Whether it has put a card on this ship."""
    cards: tuple[int, ...]
    """Its hand, once the game is over; empty before."""


class Passenger(Struct, frozen=True, array_like=True):
    """A card on the ship."""

    card: int
    seat: int | None
    """Who put it there, ``None`` if nobody can tell."""


class View(Struct, frozen=True):
    """A game in play, as one viewer sees it."""

    phase: Phase
    round: int | None
    """From 1; ``None`` during setup."""
    last_round: bool
    start_seat: int | None
    turn: int | None
    """The seat whose turn it is; ``None`` during setup, while a ship is unloaded, and at the end."""
    acting_seat: int | None
    """The seat that decides now; ``None`` when chance does, and at the end."""
    seats: tuple[SeatView, ...]
    privileges: tuple[int | None, ...]
    """For each colour the owner, ``None`` if there is none."""
    houses_left: Six
    palaces_left: Six
    towns_left: Six
    deck_size: int
    discard: tuple[int, ...]
    ship_size: int
    to_draw: int
    extra_taken: bool
    card: int | None
    """The settler or pirate that is being carried out."""
    piece: Piece | None
    material: tuple[int, ...]
    colour: Colour | None
    victims: tuple[int, ...]
    hand: tuple[int, ...]
    """The viewer's own cards."""
    aboard: tuple[Passenger, ...]
    """The cards on the ship that the viewer has put there and knows to be there still; once the game is over, all."""


def view(state: State, viewer: Viewer) -> View:
    """Return the game as that viewer sees it."""
    over, loaded = state.phase is Phase.OVER, loaders(state)
    return View(
        phase=state.phase,
        round=state.round or None,
        last_round=state.last,
        start_seat=None if state.start == NOBODY else state.start,
        turn=state.turn if _is_turn(state) else None,
        acting_seat=state.actor if LAST_CHANCE_PHASE < state.phase < Phase.OVER else None,
        seats=tuple([_seat_view(seat, loaded >> me & 1 == 1, over) for me, seat in enumerate(state.seats)]),
        privileges=tuple([None if owner == NOBODY else owner for owner in state.privileges]),
        houses_left=state.houses_left,
        palaces_left=state.palaces_left,
        towns_left=state.towns_left,
        deck_size=len(state.deck),
        discard=state.discard,
        ship_size=len(state.ship),
        to_draw=state.owed,
        extra_taken=state.extra != NO_CARD,
        card=None if state.card == NO_CARD else state.card,
        piece=None if state.piece == NOTHING else Piece(state.piece),
        material=members(state.material),
        colour=None if state.colour == NOTHING else Colour(state.colour),
        victims=state.victims,
        hand=() if viewer is None else state.seats[viewer].hand,
        aboard=_aboard(state, viewer, over),
    )


def _is_turn(state: State) -> bool:
    return state.round > 0 and at_sea(state)


def _aboard(state: State, viewer: Viewer, over: bool) -> tuple[Passenger, ...]:
    """Return the cards on the ship that the viewer knows to be there (CANARIAS-SHIP-1): its own, or all in the end."""
    known = sorted([entry for entry in state.ship if over or entry[1] == viewer])
    return tuple([Passenger(card, None if loader == NOBODY else loader) for card, loader in known])


@lru_cache(maxsize=1 << 10)
def _seat_view(seat: SeatState, loaded: bool, over: bool) -> SeatView:
    return SeatView(
        island=None if seat.island == NOWHERE else seat.island,
        buildings=_buildings(seat),
        points=seat.points,
        score=score(seat),
        hand_size=len(seat.hand),
        loaded=loaded,
        cards=seat.hand if over else (),
    )


def _buildings(seat: SeatState) -> tuple[BuildingView, ...]:
    kinds = zip(Piece, (seat.houses, seat.palaces, seat.towns), strict=True)
    return tuple(
        sorted(
            [
                BuildingView(square, piece, colour)
                for piece, of_piece in kinds
                for colour, squares in zip(Colour, of_piece, strict=True)
                for square in members(squares)
            ],
            key=lambda building: building.square,
        )
    )


def show(event: Event, viewer: Viewer) -> Event | None:
    """Return the event, without the card if it is somebody else's secret."""
    if isinstance(event, CardDrawn | CardLoaded) and event.seat != viewer:
        return replace(event, card=None)
    return event


def show_move(move: Move, actor: int, viewer: Viewer) -> Move:
    """Return the move, without the card if it lies face down to the viewer: on the ship, or in another hand."""
    if isinstance(move, Load) and actor != viewer:
        return Load()
    if isinstance(move, DealCard) and move.seat != viewer:
        return DealCard(move.seat)
    return StartShip() if isinstance(move, StartShip) else move
