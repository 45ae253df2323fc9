"""Setup, and all chance moves: tiles, fort cards and the start seat."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from msgspec.structs import replace

from skerry_games.api import BadOptions, IllegalMove, MalformedMove, Step
from skerry_games.kreta.events import Event, FortTurnedUp, StartSeatSet, TilesDealt
from skerry_games.kreta.kreta_board import EDITIONS
from skerry_games.kreta.moves import (
    TURN_UP_FORT,
    DealHills,
    DealMountains,
    DrawStartSeat,
    Move,
    TurnUpFort,
)
from skerry_games.kreta.province_sets import HILLS, MOUNTAINS, PLAINS, SET_OF, bit_selector
from skerry_games.kreta.state import (
    FACE_UP,
    KEEP_OR_REPLACE,
    LAST_CHANCE_PHASE,
    NOBODY,
    REPLACEMENT,
    TILES,
    TURN_UP,
    Options,
    Phase,
    SeatState,
    State,
    Tile,
    end_turn,
)
from skerry_games.rng import Rng
from skerry_games.sentences import phrase
from skerry_games.texts.text_lines import named

SEATS: Final = (2, 3, 4)


def setup(options: Options, seats: int) -> State:
    """Return the initial state, before tiles and fort cards are dealt. Raises BadOptions."""
    if seats not in SEATS:
        raise BadOptions("seats", phrase("kreta-kreta-takes-or-seats", seats=seats))
    if options.edition not in EDITIONS:
        facts = {"edition": repr(options.edition), "editions": ", ".join(EDITIONS)}
        raise BadOptions("edition", phrase("common-unknown-edition", **facts))
    start = options.start_seat
    if start is not None and start not in range(seats):
        raise BadOptions("start_seat", phrase("kreta-seat-does-not-exist", start=start, seats=seats, seats_2=seats - 1))
    # KRETA-SETUP-2 and KRETA-SETUP-3 are the defaults of SeatState.
    return State(Phase.DEAL_HILLS, NOBODY if start is None else start, (SeatState(),) * seats)


def _arrangements(one: Tile, other: Tile, places: int) -> Iterator[tuple[Tile, ...]]:
    """Yield every way to deal all tiles of two kinds to as many places."""
    for chosen in combinations(range(places), TILES[one]):
        yield tuple(one if place in chosen else other for place in range(places))


_turn_ups = bit_selector(TURN_UP_FORT)

# KRETA-SETUP-4: tiles of one kind are interchangeable, so all deals are equally likely: 70 and 20 in the house edition.
HILL_DEALS: Final = tuple(map(DealHills, _arrangements(Tile.OLIVE, Tile.WINE, len(HILLS))))
MOUNTAIN_DEALS: Final = tuple(map(DealMountains, _arrangements(Tile.THYME, Tile.CHEESE, len(MOUNTAINS))))


def deal_hills(state: State, actor: int, move: DealHills) -> Step[State, Event]:
    """Deal tiles to the hills, and wheat to the plains. Raises IllegalMove (KRETA-SETUP-4)."""
    if move not in HILL_DEALS:
        raise IllegalMove("KRETA-SETUP-4", _refusal("hills", Tile.OLIVE, Tile.WINE))
    dealt = sorted([*((province, Tile.WHEAT) for province in PLAINS), *zip(HILLS, move.tiles, strict=True)])
    return _deal(state, tuple(dealt), Phase.DEAL_MOUNTAINS)


def deal_mountains(state: State, actor: int, move: DealMountains) -> Step[State, Event]:
    """Deal tiles to the mountains. Raises IllegalMove (KRETA-SETUP-4)."""
    if move not in MOUNTAIN_DEALS:
        raise IllegalMove("KRETA-SETUP-4", _refusal("mountains", Tile.THYME, Tile.CHEESE))
    return _deal(state, tuple(zip(MOUNTAINS, move.tiles, strict=True)), Phase.TURN_UP)


def _refusal(provinces: str, one: Tile, other: Tile) -> str:
    return phrase(
        "kreta-provinces-get-tiles",
        number=TILES[one] + TILES[other],
        provinces=provinces,
        first=TILES[one],
        one=named(one),
        second=TILES[other],
        other=named(other),
    )


def _deal(state: State, dealt: tuple[tuple[int, Tile], ...], phase: Phase) -> Step[State, Event]:
    tiles = state.tiles + sum(SET_OF[province] * tile for province, tile in dealt)
    return replace(state, tiles=tiles, phase=phase), (TilesDealt(dealt),)


def turn_up_moves(state: State) -> tuple[Move, ...]:
    """Return the fort cards that can be turned up: all that have never been seen.

    A card put under the pile never returns, because at most 9 of the cards in the pile are drawn (KRETA-CASTELLAN-3).
    """
    return _turn_ups(state.unseen)


def turn_up_fort(state: State, actor: int, move: TurnUpFort) -> Step[State, Event]:
    """Turn up a fort card. Raises IllegalMove (KRETA-SETUP-5) or MalformedMove."""
    if move.number not in TURN_UP_FORT:
        raise MalformedMove(phrase("kreta-no-fort-card", card=repr(move.number), last=len(TURN_UP_FORT)))
    if not state.unseen >> move.number & 1:
        raise IllegalMove("KRETA-SETUP-5", phrase("kreta-fort-card-has-already", number=move.number))
    shown = replace(state, row=(*state.row, move.number), unseen=state.unseen & ~(1 << move.number))
    event = FortTurnedUp(move.number, state.phase is REPLACEMENT)
    if state.phase is REPLACEMENT:
        return end_turn(shown), (event,)
    if state.scorings:
        return replace(shown, phase=KEEP_OR_REPLACE), (event,)
    return _after_setup_card(shown, event)


def _after_setup_card(state: State, event: FortTurnedUp) -> Step[State, Event]:
    if len(state.row) < FACE_UP:
        return state, (event,)
    if state.turn == NOBODY:
        return replace(state, phase=Phase.START_SEAT), (event,)
    return replace(state, phase=Phase.PLAY_CARD), (event, StartSeatSet(state.turn))


def draw_start_seat(state: State, actor: int, move: DrawStartSeat) -> Step[State, Event]:
    """Draw the seat with the first turn. Raises MalformedMove."""
    if move.seat not in range(len(state.seats)):
        raise MalformedMove(phrase("common-unknown-seat", seat=repr(move.seat), last=len(state.seats) - 1))
    return replace(state, phase=Phase.PLAY_CARD, turn=move.seat), (StartSeatSet(move.seat),)


def chance_moves(state: State) -> tuple[Move, ...]:
    """Return the chance moves. All are equally likely."""
    phase = state.phase
    if phase is TURN_UP or phase is REPLACEMENT:
        return turn_up_moves(state)
    if phase is Phase.START_SEAT:
        return tuple(DrawStartSeat(seat) for seat in range(len(state.seats)))
    return HILL_DEALS if phase is Phase.DEAL_HILLS else MOUNTAIN_DEALS


def draw(state: State, rng: Rng) -> Move:
    """Draw a chance move. Raises ValueError if chance is not to act."""
    if state.phase > LAST_CHANCE_PHASE:
        raise ValueError("chance is not to act")
    return rng.choice(chance_moves(state))
