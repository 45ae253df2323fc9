"""Views: what a viewer may see. A view names each field that it shows; all other fields stay hidden.

Once the game is over, the log is public, so a view shows all hands and the ship to every viewer. The deck has the
remaining cards, in an order that was never drawn.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.annotations import Numbered, PerSeat
from skerry_games.api import Viewer
from skerry_games.canarias.events import CardDrawn, CardLoaded, Event
from skerry_games.canarias.moves import Card, DealCard, IslandNumber, Load, Move, Square, StartShip
from skerry_games.canarias.printed.cards import NO_CARD
from skerry_games.canarias.printed.squares import NOWHERE, Squares, members
from skerry_games.canarias.printed.terms import NOTHING, Colour, Piece
from skerry_games.canarias.state import (
    LAST_CHANCE_PHASE,
    NO_SEAT,
    PerColour,
    Phase,
    SeatState,
    State,
    at_sea,
    loaders,
    score,
)

_PIECES: Final = tuple(Piece)
_COLOURS: Final = tuple(Colour)


class BuildingView(Struct, frozen=True, array_like=True):
    """A piece on an island."""

    square: Square
    piece: Piece
    colour: Colour


class SeatView(Struct, frozen=True):
    """The public part of a seat."""

    island: IslandNumber | None
    """``None`` until the seat has one."""
    buildings: tuple[BuildingView, ...]
    """By square."""
    points: PerColour
    score: int
    hand: int
    """The number of cards in hand."""
    loaded: bool
    """Whether the seat has put a card on this ship."""
    cards: tuple[Card, ...]
    """The hand, once the game is over; empty before."""


class Passenger(Struct, frozen=True, array_like=True):
    """A card on the ship."""

    card: Card
    seat: int | None
    """The seat that put it there; ``None`` if unknown."""


class View(Struct, frozen=True):
    """A game as one viewer sees it."""

    phase: Phase
    round: int | None
    """From 1; ``None`` during setup."""
    last_round: bool
    start_seat: int | None
    turn: int | None
    """The seat whose turn it is; ``None`` during setup, while a ship is unloaded, and at the end."""
    acting_seat: int | None
    """The acting seat; ``None`` while chance acts, and at the end."""
    seats: PerSeat[SeatView]
    privileges: Annotated[tuple[int | None, ...], Numbered("colour", Colour)]
    """Per colour: the owner, or ``None``."""
    houses_left: PerColour
    palaces_left: PerColour
    towns_left: PerColour
    deck: int
    """The number of cards in the deck."""
    discard: tuple[Card, ...]
    ship: int
    """The number of cards on the ship."""
    to_draw: int
    extra_taken: bool
    card: Card | None
    """The settler whose house is being built, or the pirate that robs; ``None`` if there is none."""
    piece: Piece | None
    material: tuple[Square, ...]
    colour: Colour | None
    victims: tuple[int, ...]
    hand: tuple[Card, ...]
    """The viewer's own cards."""
    aboard: tuple[Passenger, ...]
    """The cards on the ship that the viewer put there and knows to be still there; all, once the game is over."""


def view(state: State, viewer: Viewer) -> View:
    """Return the game as that viewer sees it."""
    over, loaded = state.phase is Phase.OVER, loaders(state)
    return View(
        phase=state.phase,
        round=state.round or None,
        last_round=state.last,
        start_seat=None if state.start == NO_SEAT else state.start,
        turn=state.turn if _is_turn(state) else None,
        acting_seat=state.actor if LAST_CHANCE_PHASE < state.phase < Phase.OVER else None,
        seats=tuple([_seat_view(seat, loaded >> me & 1 == 1, over) for me, seat in enumerate(state.seats)]),
        privileges=tuple([None if owner == NO_SEAT else owner for owner in state.privileges]),
        houses_left=state.houses_left,
        palaces_left=state.palaces_left,
        towns_left=state.towns_left,
        deck=len(state.deck),
        discard=state.discard,
        ship=len(state.ship),
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
    """Return the cards that the viewer knows on the ship: its own, or all at the end (CANARIAS-SHIP-1)."""
    known = sorted([entry for entry in state.ship if over or entry[1] == viewer])
    return tuple([Passenger(card, None if loader == NO_SEAT else loader) for card, loader in known])


@lru_cache(maxsize=1 << 10)
def _seat_view(seat: SeatState, loaded: bool, over: bool) -> SeatView:
    return SeatView(
        island=None if seat.island == NOWHERE else seat.island,
        buildings=_buildings(seat.houses, seat.palaces, seat.towns),
        points=seat.points,
        score=score(seat),
        hand=len(seat.hand),
        loaded=loaded,
        cards=seat.hand if over else (),
    )


@lru_cache(maxsize=1 << 10)  # Most moves build nothing.
def _buildings(*of_kinds: tuple[Squares, ...]) -> tuple[BuildingView, ...]:
    """``of_kinds``: for each kind of piece the squares of each colour."""
    return tuple(
        sorted(
            [
                BuildingView(square, piece, colour)
                for piece, of_piece in zip(_PIECES, of_kinds, strict=True)
                for colour, squares in zip(_COLOURS, of_piece, strict=True)
                if squares
                for square in members(squares)
            ],
            key=lambda building: building.square,
        )
    )


def show(event: Event, viewer: Viewer) -> Event | None:
    """Return the event, without the card if it is the secret of another seat."""
    if isinstance(event, CardDrawn | CardLoaded) and event.seat != viewer:
        return replace(event, card=None)
    return event


def show_move(move: Move, actor: int, viewer: Viewer) -> Move:
    """Return the move, without the card if the viewer must not see it: on the ship, or in another hand."""
    if isinstance(move, Load) and actor != viewer:
        return Load()
    if isinstance(move, DealCard) and move.seat != viewer:
        return DealCard(move.seat)
    return StartShip() if isinstance(move, StartShip) else move


def reveals(before: State, actor: int, after: State) -> bool:
    """Return ``False``: chance deals cards and turns them up on the ship, and other seats see only cards played."""
    return False
