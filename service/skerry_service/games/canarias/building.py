"""Building a house, a palace or a town: which colour, which square, and what it changes.

One piece at a time is being built, by ``State.actor``: in its own turn, or because a settler from the ship has chosen
its island. A colour or a square that leaves no choice is taken at once.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from skerry_service.games.api import IllegalMove, MalformedMove
from skerry_service.games.canarias.cards import HOUSE_COLOUR, NO_CARD, PRIORITIES
from skerry_service.games.canarias.events import ColourChosen, Event, HousePlaced, NoHouseLeft, PalaceBuilt, TownBuilt
from skerry_service.games.canarias.islands import SQUARES
from skerry_service.games.canarias.moves import CHOOSE_COLOUR, PLACE, ChooseColour, Move, Place
from skerry_service.games.canarias.privileges import hand_over, points_for
from skerry_service.games.canarias.squares import TOUCHING, Squares, beside, bit_of, members, selector
from skerry_service.games.canarias.state import (
    SIX,
    Phase,
    SeatState,
    Six,
    State,
    holds,
    put,
    with_seat,
)
from skerry_service.games.canarias.terms import NOTHING, Colour, Feature, Piece, Power

HOUSE: Final = Piece.HOUSE
PALACE: Final = Piece.PALACE
COLOUR_PHASE: Final = Phase.COLOUR
PLACE_PHASE: Final = Phase.PLACE
FREE: Final = Power.FREE
_LAND: Final = int(Feature.COAST)
"""The features from this number on are land, those below are colours."""

_places = selector(PLACE)


def room(seat: SeatState, feature: int) -> Squares:
    """Return the empty squares next to that feature of the island (CANARIAS-BUILD-3, CANARIAS-BUILD-4)."""
    if feature >= _LAND:
        return TOUCHING[seat.island][feature] & seat.free
    # All buildings of the colour count, not houses alone.
    return beside(seat.island, seat.houses[feature] | seat.palaces[feature] | seat.towns[feature]) & seat.free


def binding(seat: SeatState, card: int) -> int:
    """Return the first priority of the settler with an empty square next to it (CANARIAS-BUILD-2), or NOTHING."""
    for feature in PRIORITIES[card]:
        if room(seat, feature):
            return feature
    return NOTHING


def squares_for(state: State) -> Squares:
    """Return where the piece that is being built may stand, its colour being known."""
    seat = state.seats[state.actor]
    if holds(state, state.actor, FREE):
        return seat.free | state.material  # CANARIAS-PRIV-FREE: an emptied square as well
    if state.piece == HOUSE:
        feature = binding(seat, state.card)
        return seat.free if feature == NOTHING else room(seat, feature)
    return _emptied_squares(state, seat)


def _emptied_squares(state: State, seat: SeatState) -> Squares:
    """Return the squares of the material that suit the colour (CANARIAS-PALACE-1, CANARIAS-TOWN-1).

    With houses of two colours the piece stands where the one of its own colour stood (CANARIAS-PRIV-MIX), or, as a
    substitute, where that of a used-up colour stood (CANARIAS-SUPPLY-1).
    """
    suiting, left = 0, pieces_left(state, state.piece)
    for colour, houses in enumerate(seat.houses):
        if colour == state.colour or not left[colour]:
            suiting |= houses & state.material
    return suiting


def pieces_left(state: State, piece: int) -> Six:
    """Return how many pieces of a kind are in the supply, by colour."""
    return (state.houses_left, state.palaces_left, state.towns_left)[piece]


def wanted_colours(state: State) -> tuple[int, ...]:
    """Return the colours that the piece should have, were there enough of everything."""
    if state.piece == HOUSE:
        return (HOUSE_COLOUR[state.card],)
    return tuple([colour for colour in SIX if state.seats[state.actor].houses[colour] & state.material])


def colour_choices(state: State) -> tuple[int, ...]:
    """Return the colours on offer: the wanted ones, or any if one of these is used up (CANARIAS-SUPPLY-1)."""
    left, wanted = pieces_left(state, state.piece), wanted_colours(state)
    if all(map(left.__getitem__, wanted)):
        return wanted
    return tuple([colour for colour in SIX if left[colour]])


def find_colour(state: State, told: list[Event]) -> State:
    """Go on with a piece that has no colour yet: take the only one, or ask."""
    choices = colour_choices(state)
    if not choices:
        told.append(NoHouseLeft(state.actor))
        return done(state)
    if len(choices) > 1:
        return replace(state, phase=COLOUR_PHASE)
    if choices[0] not in wanted_colours(state):
        told.append(ColourChosen(state.actor, Piece(state.piece), Colour(choices[0]), True))
    return _find_square(replace(state, colour=choices[0]), told)


def _find_square(state: State, told: list[Event]) -> State:
    """Go on with a piece whose colour is known: take the only square, or ask."""
    squares = squares_for(state)
    if squares & (squares - 1):
        return replace(state, phase=PLACE_PHASE)
    return _put_down(state, squares, told, automatic=True)


def done(state: State) -> State:
    """Return the state in which nothing is being built, and the game goes on where it was interrupted."""
    return replace(state, phase=state.resume, card=NO_CARD, piece=NOTHING, material=0, colour=NOTHING)


def colour_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the colours that the piece may have."""
    return tuple([CHOOSE_COLOUR[colour] for colour in colour_choices(state)])


def place_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the squares that the piece may stand on."""
    return _places(squares_for(state))


def choose_colour(state: State, me: int, move: ChooseColour, told: list[Event]) -> State:
    """Choose the colour. Raises IllegalMove (CANARIAS-SUPPLY-1, CANARIAS-PRIV-MIX) or MalformedMove."""
    if move.colour not in SIX:
        raise MalformedMove(f"{move.colour!r} is not a colour.")
    if move.colour not in colour_choices(state):
        raise _refuse_colour(state, move.colour)
    told.append(ColourChosen(me, Piece(state.piece), Colour(move.colour), False))
    return _find_square(replace(state, colour=int(move.colour)), told)


def _refuse_colour(state: State, colour: int) -> IllegalMove:
    name, piece = Colour(colour).name.lower(), Piece(state.piece).name.lower()
    if not pieces_left(state, state.piece)[colour]:
        return IllegalMove("CANARIAS-SUPPLY-1", f"No {name} {piece} is left in the supply.")
    return IllegalMove("CANARIAS-PRIV-MIX", f"Your {piece} has the colour of one of its two houses, not {name}.")


def place(state: State, me: int, move: Place, told: list[Event]) -> State:
    """Choose the square. Raises IllegalMove (CANARIAS-BUILD-1, -2, CANARIAS-PALACE-1, CANARIAS-TOWN-1)."""
    square = bit_of(move.square)
    if not square & squares_for(state):
        raise _refuse_square(state, me, square)
    return _put_down(state, square, told, automatic=False)


def _refuse_square(state: State, me: int, square: Squares) -> IllegalMove:
    seat, name = state.seats[me], SQUARES[members(square)[0]]
    if not square & (seat.free | state.material):
        return IllegalMove("CANARIAS-BUILD-1", f"{name} is no empty building square of your island.")
    if state.piece == HOUSE:
        feature = Feature(binding(seat, state.card)).name.lower()
        return IllegalMove("CANARIAS-BUILD-2", f"The settler wants to live next to {feature}; {name} is not.")
    if square & state.material:
        return IllegalMove("CANARIAS-PRIV-MIX", f"The house on {name} does not have the colour of your palace.")
    rule = "CANARIAS-PALACE-1" if state.piece == PALACE else "CANARIAS-TOWN-1"
    return IllegalMove(rule, f"None of the returned houses stood on {name}.")


def _put_down(state: State, square: Squares, told: list[Event], *, automatic: bool) -> State:
    """Put the piece on that one square, and see who has which privilege then."""
    if state.piece == HOUSE:
        return _put_house(state, square, told, automatic)
    return _put_palace_or_town(state, square, told, automatic)


def _put_house(state: State, square: Squares, told: list[Event], automatic: bool) -> State:
    me, colour = state.actor, state.colour
    seat = state.seats[me]
    next_to = NOTHING if holds(state, me, FREE) else binding(seat, state.card)
    feature = NOTHING if next_to == NOTHING else Feature(next_to)
    told.append(HousePlaced(me, square.bit_length() - 1, Colour(colour), feature, automatic))
    grown = replace(
        seat,
        free=seat.free ^ square,
        houses=put(seat.houses, colour, seat.houses[colour] | square),
        points=put(seat.points, colour, seat.points[colour] + 1),
    )
    built = replace(
        state,
        phase=state.resume,
        seats=with_seat(state.seats, me, grown),
        houses_left=put(state.houses_left, colour, state.houses_left[colour] - 1),
        card=NO_CARD,
        piece=NOTHING,
        colour=NOTHING,
    )
    return hand_over(built, (colour,), told)


def _put_palace_or_town(state: State, square: Squares, told: list[Event], automatic: bool) -> State:
    """Return the material to the supply and put the piece down: one change (CANARIAS-PRIV-2)."""
    me, colour, material = state.actor, state.colour, state.material
    seat = state.seats[me]
    returned = wanted_colours(state)
    houses, houses_left = list(seat.houses), list(state.houses_left)
    for old in returned:
        houses_left[old] += (houses[old] & material).bit_count()
        houses[old] &= ~material
    is_palace = state.piece == PALACE
    grown = replace(
        seat,
        free=(seat.free | material) ^ square,
        houses=tuple(houses),
        palaces=put(seat.palaces, colour, seat.palaces[colour] | square) if is_palace else seat.palaces,
        towns=seat.towns if is_palace else put(seat.towns, colour, seat.towns[colour] | square),
    )
    points = tuple(map(points_for, grown.houses, grown.palaces, grown.towns))
    grown = replace(grown, points=points)
    event = PalaceBuilt if is_palace else TownBuilt
    gained = sum(points) - sum(seat.points)
    told.append(event(me, square.bit_length() - 1, Colour(colour), members(material), gained, automatic))
    left = put(pieces_left(state, state.piece), colour, pieces_left(state, state.piece)[colour] - 1)
    built = replace(
        state,
        seats=with_seat(state.seats, me, grown),
        houses_left=tuple(houses_left),
        palaces_left=left if is_palace else state.palaces_left,
        towns_left=state.towns_left if is_palace else left,
    )
    return hand_over(done(built), sorted({colour, *returned}), told)
