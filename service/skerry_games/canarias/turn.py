"""A seat's turn: build or draw, palaces and towns at any moment, then a card for the ship."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove
from skerry_games.canarias.building import find_colour
from skerry_games.canarias.cards import COLOUR_OF, FIRST_PIRATE, NO_CARD
from skerry_games.canarias.deck import BUILD_OR_DRAW, DRAW_CARD, check_card, drawable
from skerry_games.canarias.events import (
    CardLoaded,
    DrawingBegun,
    Event,
    ExtraTaken,
    MaterialChosen,
    NothingLoaded,
    SettlerPlayed,
    ShipArrived,
    TurnBegun,
)
from skerry_games.canarias.islands import SQUARES
from skerry_games.canarias.knowledge import arrived, played
from skerry_games.canarias.moves import (
    BUILD,
    BUILD_PALACE,
    BUILD_TOWN,
    DRAW,
    LOAD,
    TAKE_EXTRA,
    Build,
    BuildPalace,
    BuildTown,
    Draw,
    Load,
    Move,
    TakeExtra,
)
from skerry_games.canarias.squares import Squares, chooser, members
from skerry_games.canarias.state import (
    TAKEN,
    UNLOADING,
    Phase,
    State,
    all_houses,
    holds,
    is_pirate,
    loaders,
    with_card,
    with_seat,
    without_card,
)
from skerry_games.canarias.terms import Piece, Power

LOAD_PHASE: Final = Phase.LOAD
HOUSE: Final = Piece.HOUSE
PALACE: Final = Piece.PALACE
TOWN: Final = Piece.TOWN
# The colours of the privileges that every listing asks for: to compare their owners at once saves calls of ``holds``.
MIX: Final = COLOUR_OF[Power.MIX]
CARD: Final = COLOUR_OF[Power.CARD]
DRAWN: Final = 3
DRAWN_WITH_PRIVILEGE: Final = 5

_MATERIAL: Final[dict[tuple[int, ...], Squares]] = {
    move.squares: houses for moves in (BUILD_PALACE, BUILD_TOWN) for houses, move in moves.items()
}
"""The set of squares for the squares that a move names: 2 or 3 different ones, ascending."""

_pairs = chooser(BUILD_PALACE, 2)
_threes = chooser(BUILD_TOWN, 3)


def begin_turn(state: State, me: int, told: list[Event]) -> State:
    """Give the turn to a seat (CANARIAS-TURN-1)."""
    told.append(TurnBegun(state.round, me))
    return replace(state, phase=BUILD_OR_DRAW, resume=BUILD_OR_DRAW, turn=me, actor=me, extra=NO_CARD)


def must_draw(state: State, me: int) -> bool:
    """Return whether the seat began its turn with fewer than two cards or only pirates (CANARIAS-TURN-2)."""
    hand = state.seats[me].hand
    if state.extra >= 0:
        hand = without_card(hand, state.extra)
    return len(hand) < 2 or hand[0] >= FIRST_PIRATE


def turn_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return what the seat can do first: build, draw, or what it can do at any moment."""
    listed: list[Move] = []
    if _can_build(state, me):
        listed += [BUILD[card] for card in dict.fromkeys(state.seats[me].hand) if card < FIRST_PIRATE]
    listed.append(DRAW)
    return (*listed, *moves_at_any_moment(state, me))


def _can_build(state: State, me: int) -> bool:
    """Return whether the seat can build a house (CANARIAS-TURN-2, CANARIAS-TURN-5, CANARIAS-SUPPLY-1)."""
    return state.seats[me].free != 0 and any(state.houses_left) and not must_draw(state, me)


def load_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return what the seat can do after building or drawing: load a card, or what it can do at any moment."""
    loads = [LOAD[card] for card in dict.fromkeys(state.seats[me].hand)]
    return (*loads, *moves_at_any_moment(state, me))


def moves_at_any_moment(state: State, me: int) -> list[Move]:
    """Return palaces and towns, and the extra card (CANARIAS-PALACE-1, CANARIAS-TOWN-1, CANARIAS-PRIV-CARD)."""
    listed = _palaces_and_towns(state, me)
    if can_take_extra(state, me):
        listed.append(TAKE_EXTRA)
    return listed


def _palaces_and_towns(state: State, me: int) -> list[Move]:
    """Return the palaces and towns that the seat's houses can become, while the supply has any."""
    palaces: list[Move] = []
    towns: list[Move] = []
    seat = state.seats[me]
    for alike in seat.houses:
        if alike & (alike - 1):  # two houses or more
            palaces += _pairs(alike)
            towns += _threes(alike)
    if state.privileges[MIX] == me:
        palaces = list(_pairs(all_houses(seat)))
    if palaces and not any(state.palaces_left):
        palaces = []
    return palaces + towns if towns and any(state.towns_left) else palaces


def can_take_extra(state: State, me: int) -> bool:
    """Return whether the seat can take the extra card of this turn (CANARIAS-PRIV-CARD)."""
    return state.privileges[CARD] == me and state.extra == NO_CARD and drawable(state, 1) > 0


def build(state: State, me: int, move: Build, told: list[Event]) -> State:
    """Build a settler's house. Raises IllegalMove (CANARIAS-TURN-1, -2, -5, PIRATE-1, SUPPLY-1) or MalformedMove."""
    seat = state.seats[me]
    if move.card not in seat.hand or is_pirate(move.card) or not _can_build(state, me):
        raise _refuse_build(state, me, move.card)
    told.append(SettlerPlayed(me, move.card))
    begun = replace(
        state,
        seats=with_seat(state.seats, me, replace(seat, hand=without_card(seat.hand, move.card))),
        discard=with_card(state.discard, move.card),  # CANARIAS-TURN-3
        extra=TAKEN if state.extra != NO_CARD else NO_CARD,
        resume=LOAD_PHASE,
        card=move.card,
        piece=HOUSE,
        known=played(state.known, me, move.card),
    )
    return find_colour(begun, told)


def _refuse_build(state: State, me: int, card: int) -> IllegalMove:
    """Say why that card builds no house now."""
    seat = state.seats[me]
    if card not in seat.hand:
        return _refuse_card(card)
    if is_pirate(card):
        return IllegalMove("CANARIAS-PIRATE-1", "A pirate builds nothing: you can only put the card on the ship.")
    if must_draw(state, me):
        sentence = "You began your turn with fewer than two cards, or with pirates only, so you must draw."
        return IllegalMove("CANARIAS-TURN-2", sentence)
    if not seat.free:
        sentence = "Your island has no empty square: draw cards, or build a palace or a town first."
        return IllegalMove("CANARIAS-TURN-5", sentence)
    return IllegalMove("CANARIAS-SUPPLY-1", "No house of any colour is left in the supply.")


def _refuse_card(card: int | None) -> IllegalMove:
    """Say that a card is not in the hand. Raises MalformedMove for what is no card."""
    check_card(card)
    return IllegalMove("CANARIAS-TURN-1", "That card is not in your hand.")


def draw_cards(state: State, me: int, move: Draw, told: list[Event]) -> State:
    """Draw 3 cards, or 5 with the privilege (CANARIAS-TURN-1, CANARIAS-PRIV-DRAW), or what there is."""
    owed = drawable(state, DRAWN_WITH_PRIVILEGE if holds(state, me, Power.DRAW) else DRAWN)
    told.append(DrawingBegun(me, owed))
    extra = TAKEN if state.extra != NO_CARD else NO_CARD
    return replace(state, phase=DRAW_CARD, resume=LOAD_PHASE, owed=owed, extra=extra)


def take_extra(state: State, me: int, move: TakeExtra, told: list[Event]) -> State:
    """Take the extra card of the turn. Raises IllegalMove (CANARIAS-PRIV-CARD, CANARIAS-TURN-4)."""
    if not can_take_extra(state, me):
        raise _refuse_extra(state, me)
    told.append(ExtraTaken(me))
    return replace(state, phase=DRAW_CARD, resume=state.phase, owed=1, extra=TAKEN)


def _refuse_extra(state: State, me: int) -> IllegalMove:
    if not holds(state, me, Power.CARD):
        return IllegalMove("CANARIAS-PRIV-CARD", "You do not own the privilege that gives an extra card.")
    if state.extra != NO_CARD:
        return IllegalMove("CANARIAS-PRIV-CARD", "You have already taken the extra card of this turn.")
    return IllegalMove("CANARIAS-TURN-4", "The deck and the discard pile are empty.")


def build_palace(state: State, me: int, move: BuildPalace, told: list[Event]) -> State:
    """Begin a palace. Raises IllegalMove (CANARIAS-PALACE-1, CANARIAS-SUPPLY-1) or MalformedMove."""
    return _upgrade(state, me, move.squares, PALACE, told)


def build_town(state: State, me: int, move: BuildTown, told: list[Event]) -> State:
    """Begin a town. Raises IllegalMove (CANARIAS-TOWN-1, CANARIAS-SUPPLY-1) or MalformedMove."""
    return _upgrade(state, me, move.squares, TOWN, told)


def _upgrade(state: State, me: int, squares: tuple[int, ...], piece: Piece, told: list[Event]) -> State:
    count = 2 if piece is PALACE else 3
    material = _MATERIAL.get(squares)
    if material is None or len(squares) != count:
        raise MalformedMove(f"Name {count} different squares in ascending order.")
    if not _can_become(state, me, material, piece):
        raise _refuse_upgrade(state, me, material, piece)
    told.append(MaterialChosen(me, piece, members(material)))
    return find_colour(replace(state, resume=state.phase, piece=piece, material=material), told)


def _can_become(state: State, me: int, material: Squares, piece: Piece) -> bool:
    """Return whether a palace or town can be built from what stands on these squares, as it would be listed."""
    seat = state.seats[me]
    if not any(state.palaces_left if piece is PALACE else state.towns_left):
        return False
    if piece is PALACE and state.privileges[MIX] == me:
        return not material & ~all_houses(seat)
    return material in [material & alike for alike in seat.houses]


def _refuse_upgrade(state: State, me: int, material: Squares, piece: Piece) -> IllegalMove:
    rule = "CANARIAS-PALACE-1" if piece is PALACE else "CANARIAS-TOWN-1"
    name, count = piece.name.lower(), material.bit_count()
    if material & ~all_houses(state.seats[me]):
        square = SQUARES[members(material & ~all_houses(state.seats[me]))[0]]
        return IllegalMove(rule, f"You build a {name} from {count} houses, and you have none on {square}.")
    left = state.palaces_left if piece is PALACE else state.towns_left
    if not any(left):
        return IllegalMove("CANARIAS-SUPPLY-1", f"No {name} of any colour is left in the supply.")
    return IllegalMove(rule, f"You build a {name} from {count} houses of one colour.")


def load(state: State, me: int, move: Load, told: list[Event]) -> State:
    """Put a card on the ship, which ends the turn (CANARIAS-SHIP-1). Raises IllegalMove (CANARIAS-TURN-1)."""
    seat = state.seats[me]
    if move.card is None or move.card not in seat.hand:
        raise _refuse_card(move.card)
    told.append(CardLoaded(me, move.card))
    loaded = replace(
        state,
        seats=with_seat(state.seats, me, replace(seat, hand=without_card(seat.hand, move.card))),
        ship=(*state.ship, (move.card, me)),
    )
    return _end_turn(loaded, told)


def load_nothing(state: State, told: list[Event]) -> State:
    """End a turn in which there was no card to draw and none is left to load (CANARIAS-TURN-4)."""
    if state.seats[state.turn].hand:
        return state
    told.append(NothingLoaded(state.turn))
    return _end_turn(state, told)


def _end_turn(state: State, told: list[Event]) -> State:
    """Begin the next turn, or let the ship arrive at the end of the round (CANARIAS-ARRIVE-1)."""
    following = (state.turn + 1) % len(state.seats)
    if following != state.start:
        return begin_turn(state, following, told)
    told.append(ShipArrived(len(state.ship)))
    known = arrived(state.known, loaders(state), [seat.hand for seat in state.seats])
    return replace(state, phase=UNLOADING, resume=UNLOADING, ship=tuple(sorted(state.ship)), extra=NO_CARD, known=known)
