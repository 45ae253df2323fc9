"""Views: what a viewer may see. The face-down characters and the hands of other seats are hidden.

Once the game is over, nothing is hidden.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.annotations import Numbered, PerSeat, Without
from skerry_games.api import Viewer
from skerry_games.tenerife.actions.roads import farmers_symbols
from skerry_games.tenerife.events import CharacterLaid, Event
from skerry_games.tenerife.moves import Lay, Move, Place, Town
from skerry_games.tenerife.state import (
    CHARACTER,
    CLOSED,
    COLOUR,
    GAME_OVER,
    NO_SEAT,
    SPACES,
    TOWNS,
    BackColour,
    Character,
    Hand,
    Owners,
    Phase,
    SeatState,
    State,
    hall_round,
    revealed,
)


class SpaceView(Struct, frozen=True):
    """A space of the column. ``None``: the space is vacant, or its character is hidden from this viewer."""

    seat: int | None
    colour: BackColour | None
    character: Character | None


class TownView(Struct, frozen=True):
    """A town: the owners of its mansions in the order of building, and whether it has a farmer's symbol."""

    mansions: Owners
    farmers_symbol: bool


class PlotView(Struct, frozen=True):
    """A plot of the Town Hall: the owner of its element, or ``None``, and whether it is not in this game."""

    seat: int | None
    closed: bool


class SeatView(Struct, frozen=True):
    """A seat as the viewer sees it."""

    score: int
    mansions: int
    """In the supply."""
    merchant: Place | None
    """The place of the merchant token; ``None`` until it has been placed."""
    cards_in_hand: int
    hand: Hand
    """Before the end of the game only the viewer's own hand; empty for all other seats."""


class View(Struct, frozen=True):
    """A game as one viewer sees it."""

    phase: Annotated[Phase, Without((Phase.ACTIVATE,))]
    """No move ends while characters act."""
    acting_seat: int | None
    """The acting seat; ``None`` while chance acts and when the game is over."""
    round: int
    hall_round: int
    start_seat: int | None
    """``None`` until it is known."""
    current_place: Place | None
    """``None`` until the first town card is turned up."""
    column: Annotated[tuple[SpaceView, ...], Numbered("space", start=1)]
    active_space: int | None
    """The space of the character that the acting seat decides for; ``None`` while no character acts."""
    transport_spaces: int
    transport: tuple[int, ...]
    towns: Annotated[tuple[TownView, ...], Numbered("town", Town)]
    hall: Annotated[tuple[PlotView, ...], Numbered("plot", start=1)]
    storage: Annotated[tuple[Owners, ...], Numbered("storage", start=1)]
    """Per storage space: the owners of its warehouses."""
    farmhand: int
    seats: PerSeat[SeatView]
    undrawn_towns: tuple[Town, ...]
    turbulent: bool


VACANT: Final = SpaceView(None, None, None)
_PLOTS: Final = {NO_SEAT: PlotView(None, closed=False), CLOSED: PlotView(None, closed=True)} | {
    seat: PlotView(seat, closed=False) for seat in range(max(SPACES))
}


def view(state: State, viewer: Viewer) -> View:
    """Return the game as that viewer sees it."""
    over = state.phase is GAME_OVER
    return View(
        phase=state.phase,
        acting_seat=_known(state.turn),
        round=state.round,
        hall_round=hall_round(state),
        start_seat=_known(state.start),
        current_place=_known(state.place),
        column=tuple([_space(state, at, viewer) for at in range(len(state.cards))]),
        active_space=state.active or None,
        transport_spaces=state.transport_spaces,
        transport=state.transport,
        towns=_towns(state.towns, farmers_symbols(state)),
        hall=_hall(state.hall),
        storage=state.storage,
        farmhand=state.farmhand,
        seats=tuple([_seat(seat, over or number == viewer) for number, seat in enumerate(state.seats)]),
        undrawn_towns=tuple([town for town in TOWNS if state.undrawn >> town & 1]),
        turbulent=state.turbulent,
    )


def _known(number: int) -> int | None:
    return None if number == NO_SEAT else number


def _space(state: State, at: int, viewer: Viewer) -> SpaceView:
    """Return a space. All viewers see the owner and the back of its card, not the character (TENERIFE-ROUND-3)."""
    owner, card = state.owners[at], state.cards[at]
    if card is None:
        return VACANT
    seen = revealed(state) or owner == viewer
    return SpaceView(owner, COLOUR[card], CHARACTER[card] if seen else None)


@lru_cache(maxsize=1 << 10)
def _towns(towns: tuple[Owners, ...], farmers_symbols: tuple[int, ...]) -> tuple[TownView, ...]:
    return tuple([TownView(owners, town in farmers_symbols) for town, owners in enumerate(towns)])


@lru_cache(maxsize=1 << 10)
def _hall(hall: Owners) -> tuple[PlotView, ...]:
    return tuple([_PLOTS[owner] for owner in hall])


def _seat(seat: SeatState, open_hand: bool) -> SeatView:
    return SeatView(
        score=seat.score,
        mansions=seat.mansions,
        merchant=_known(seat.merchant),
        cards_in_hand=len(seat.hand),
        hand=seat.hand if open_hand else (),
    )


def show(event: Event, viewer: Viewer) -> Event | None:
    """Return the event, without the character if another seat laid it face down."""
    if isinstance(event, CharacterLaid) and event.seat != viewer:
        return replace(event, character=None)
    return event


def show_move(move: Move, actor: int, viewer: Viewer) -> Move:
    """Return the move, without the character if another seat laid it face down (TENERIFE-ROUND-3).

    All other moves, chance moves included, are public.
    """
    if isinstance(move, Lay) and actor != viewer:
        return replace(move, character=None)
    return move


def reveals(before: State, actor: int, after: State) -> bool:
    """Return whether the move laid the last character of a round, so that all are turned up (TENERIFE-ROUND-4)."""
    return not revealed(before) and before.vacant.bit_count() == 1
