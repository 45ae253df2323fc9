"""Building a house, a palace or a town: its colour, its square, and the changes that follow.

``State.actor`` builds one piece at a time: in its own turn, or because a settler from the ship has chosen its island.
If only one colour or square is possible, the piece gets it without a decision.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.canarias.actions.privileges import claim_privilege, points_for, update_privileges
from skerry_games.canarias.events import ColourChosen, Event, HousePlaced, NoHouseLeft, PalaceBuilt, TownBuilt
from skerry_games.canarias.moves import CHOOSE_COLOUR, PLACE, ChooseColour, Move, Place
from skerry_games.canarias.printed.cards import COLOUR_OF, HOUSE_COLOUR, NO_CARD, PRIORITIES
from skerry_games.canarias.printed.components_file import SQUARES
from skerry_games.canarias.printed.squares import NEIGHBOUR_SQUARES, TOUCHING, Squares, bit_of, members, selector
from skerry_games.canarias.printed.terms import COLOURS, FEATURES, HOUSE, NOTHING, PALACE, PIECES, Feature, Power
from skerry_games.canarias.state import (
    CHOOSING_COLOUR,
    COLOUR_NUMBERS,
    PLACING,
    PerColour,
    SeatState,
    State,
    score,
    with_colour,
    with_seat,
)
from skerry_games.canarias.words import next_to_phrase
from skerry_games.sentences import phrase

FREE: Final = COLOUR_OF[Power.FREE]
_LAND: Final = int(Feature.COAST)
"""Features from this number on are land, smaller ones are colours."""

_places = selector(PLACE)


def free_squares_next_to(seat: SeatState, feature: int) -> Squares:
    """Return the empty squares next to that feature of the island (CANARIAS-BUILD-3, CANARIAS-BUILD-4)."""
    if feature >= _LAND:
        return TOUCHING[seat.island][feature] & seat.free
    # Palaces and towns count as well as houses.
    built = seat.houses[feature] | seat.palaces[feature] | seat.towns[feature]
    return NEIGHBOUR_SQUARES[seat.island][built] & seat.free if built else 0


def binding_priority(seat: SeatState, card: int) -> tuple[int, Squares]:
    """Return the settler's binding priority and the empty squares next to it (CANARIAS-BUILD-2).

    If no priority has an empty square, return NOTHING and all empty squares.
    """
    for feature in PRIORITIES[card]:
        if squares := free_squares_next_to(seat, feature):
            return feature, squares
    return NOTHING, seat.free


def allowed_squares(state: State, colour: int) -> tuple[int, Squares]:
    """Return the binding priority and the allowed squares for the current piece in that colour.

    The priority is NOTHING for a free choice, and for palaces and towns.
    """
    me = state.actor
    seat = state.seats[me]
    if state.privileges[FREE] == me:
        return NOTHING, seat.free | state.material  # CANARIAS-PRIV-FREE: also a square that was just emptied
    if state.piece == HOUSE:
        return binding_priority(seat, state.card)
    return NOTHING, _emptied_squares(state, seat, colour)


def _emptied_squares(state: State, seat: SeatState, colour: int) -> Squares:
    """Return the squares of the material that a piece of that colour may take (CANARIAS-PALACE-1, CANARIAS-TOWN-1).

    With houses of two colours, only the square of the house of this colour (CANARIAS-PRIV-MIX). A substitute colour,
    which no house has (CANARIAS-SUPPLY-1), may take any of the squares.
    """
    return seat.houses[colour] & state.material or state.material


def pieces_left(state: State, piece: int) -> PerColour:
    """Return the number of pieces of that kind in the supply, per colour."""
    if piece == HOUSE:
        return state.houses_left
    return state.palaces_left if piece == PALACE else state.towns_left


def wanted_colours(state: State) -> tuple[int, ...]:
    """Return the colours that the piece should have, whether or not the supply has them."""
    if state.piece == HOUSE:
        return (HOUSE_COLOUR[state.card],)
    material = state.material
    return tuple([colour for colour, houses in enumerate(state.seats[state.actor].houses) if houses & material])


def colour_choices(state: State, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """Return the wanted colours that the supply has, else all colours that it has (CANARIAS-SUPPLY-1).

    A palace of two colours therefore gets a substitute colour only if both are used up (CANARIAS-PRIV-MIX).
    """
    left = pieces_left(state, state.piece)
    for colour in wanted:
        if not left[colour]:
            return tuple([each for each in wanted if left[each]]) or tuple(
                [each for each in COLOUR_NUMBERS if left[each]]
            )
    return wanted


def begin_piece(state: State, left: PerColour, events: tuple[Event, ...]) -> Step[State, Event]:
    """Continue with a piece of known colour, or find another colour if none is left of that one.

    ``state`` is in the phase that asks for the square, which nearly always follows. ``left``: pieces of this kind in
    the supply, per colour. ``events``: the events of the move so far.
    """
    if left[state.colour]:
        return _find_square(state, events)
    return find_colour(replace(state, colour=NOTHING), events)


def find_colour(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    """Give the piece its only possible colour, or let the actor choose. ``events``: the events of the move so far."""
    wanted = wanted_colours(state)
    choices = colour_choices(state, wanted)
    if not choices:
        return _done(state), (*events, NoHouseLeft(state.actor))
    if len(choices) > 1:
        return replace(state, phase=CHOOSING_COLOUR), events
    colour = choices[0]
    if wanted != choices:
        events = (*events, ColourChosen(state.actor, PIECES[state.piece], COLOURS[colour], True))
    return _find_square(replace(state, phase=PLACING, colour=colour), events)


def _find_square(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    """Build on the only possible square, or let the actor choose.

    ``state`` is in the phase that asks for the square.
    """
    next_to, squares = allowed_squares(state, state.colour)
    if squares & (squares - 1):
        return state, events
    return _put_down(state, state.colour, next_to, squares, events, automatic=True)


def _done(state: State) -> State:
    """Return the state without a piece being built, in the phase that was interrupted."""
    return replace(state, phase=state.resume, card=NO_CARD, piece=NOTHING, material=0, colour=NOTHING)


def colour_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return a move per possible colour of the piece."""
    return tuple([CHOOSE_COLOUR[colour] for colour in colour_choices(state, wanted_colours(state))])


def place_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return a move per possible square of the piece."""
    _, squares = allowed_squares(state, state.colour)
    return _places(squares)


def choose_colour(state: State, me: int, move: ChooseColour) -> Step[State, Event]:
    """Choose the colour of the piece. Raises IllegalMove (CANARIAS-SUPPLY-1, CANARIAS-PRIV-MIX) or MalformedMove."""
    if move.colour not in COLOUR_NUMBERS:
        raise MalformedMove(phrase("canarias-no-colour", colour=repr(move.colour)))
    colour = int(move.colour)
    if colour not in colour_choices(state, wanted_colours(state)):
        raise _refuse_colour(state, colour)
    chosen = ColourChosen(me, PIECES[state.piece], COLOURS[colour], False)
    return _find_square(replace(state, phase=PLACING, colour=colour), (chosen,))


def _refuse_colour(state: State, colour: int) -> IllegalMove:
    name, piece = COLOURS[colour].name.lower(), PIECES[state.piece].name.lower()
    if not pieces_left(state, state.piece)[colour]:
        return IllegalMove("CANARIAS-SUPPLY-1", phrase("canarias-no-left-supply", name=name, piece=piece))
    return IllegalMove("CANARIAS-PRIV-MIX", phrase("canarias-must-have-colour-one", piece=piece, name=name))


def place(state: State, me: int, move: Place) -> Step[State, Event]:
    """Choose the square of the piece.

    Raises IllegalMove (CANARIAS-BUILD-1, CANARIAS-BUILD-2, CANARIAS-PALACE-1, CANARIAS-TOWN-1).
    """
    square = bit_of(move.square)
    next_to, squares = allowed_squares(state, state.colour)
    if not square & squares:
        raise _refuse_square(state, me, next_to, square)
    return _put_down(state, state.colour, next_to, square, (), automatic=False)


def _refuse_square(state: State, me: int, next_to: int, square: Squares) -> IllegalMove:
    seat, name = state.seats[me], SQUARES[members(square)[0]]
    if not square & (seat.free | state.material):
        return IllegalMove("CANARIAS-BUILD-1", phrase("canarias-not-empty-building-square", name=name))
    if state.piece == HOUSE:
        sentence = phrase("canarias-not-next-priority-settler", name=name, next_to_phrase=next_to_phrase(next_to))
        return IllegalMove("CANARIAS-BUILD-2", sentence)
    rule = "CANARIAS-PALACE-1" if state.piece == PALACE else "CANARIAS-TOWN-1"
    return IllegalMove(rule, phrase("canarias-not-square-house-return", name=name))


def _put_down(
    state: State, colour: int, next_to: int, square: Squares, events: tuple[Event, ...], *, automatic: bool
) -> Step[State, Event]:
    """Put the piece on that single square, and update the privileges."""
    if state.piece != HOUSE:
        return _put_palace_or_town(state, colour, square, events, automatic)
    me = state.actor
    seat = state.seats[me]
    feature = None if next_to == NOTHING else FEATURES[next_to]
    placed = HousePlaced(me, square.bit_length() - 1, COLOURS[colour], feature, automatic)
    houses, points, left = [*seat.houses], [*seat.points], [*state.houses_left]
    houses[colour] |= square
    points[colour] += 1
    left[colour] -= 1
    grown = replace(seat, free=seat.free ^ square, houses=tuple(houses), points=tuple(points))
    built = replace(
        state,
        phase=state.resume,
        seats=with_seat(state.seats, me, grown),
        houses_left=tuple(left),
        card=NO_CARD,
        piece=NOTHING,
        colour=NOTHING,
    )
    return claim_privilege(built, me, colour, (*events, placed))


def _put_palace_or_town(
    state: State, colour: int, square: Squares, events: tuple[Event, ...], automatic: bool
) -> Step[State, Event]:
    """Return the material to the supply and put down the palace or town, as one change (CANARIAS-PRIV-2)."""
    me, material, is_palace = state.actor, state.material, state.piece == PALACE
    seat, left = state.seats[me], pieces_left(state, state.piece)
    houses, houses_left, changed = [*seat.houses], [*state.houses_left], []
    for each, alike in enumerate(seat.houses):
        if returned := alike & material:
            houses[each] ^= returned
            houses_left[each] += returned.bit_count()
            changed.append(each)
    if colour not in changed:  # a substitute colour
        changed = sorted([*changed, colour])
    grown = _rebuilt(state, houses, changed, colour, square)
    gained = score(grown) - score(seat)
    event = PalaceBuilt if is_palace else TownBuilt
    placed = event(me, square.bit_length() - 1, COLOURS[colour], members(material), gained, automatic)
    fewer = with_colour(left, colour, left[colour] - 1)
    built = replace(
        state,
        phase=state.resume,
        seats=with_seat(state.seats, me, grown),
        houses_left=tuple(houses_left),
        palaces_left=fewer if is_palace else state.palaces_left,
        towns_left=state.towns_left if is_palace else fewer,
        piece=NOTHING,
        material=0,
        colour=NOTHING,
    )
    return update_privileges(built, changed, (*events, placed))


def _rebuilt(state: State, houses: list[Squares], changed: list[int], colour: int, square: Squares) -> SeatState:
    """Return the seat with the new palace or town and with these houses. ``changed``: colours with new points."""
    seat = state.seats[state.actor]
    palaces, towns, points = seat.palaces, seat.towns, [*seat.points]
    if state.piece == PALACE:
        palaces = with_colour(palaces, colour, palaces[colour] | square)
    else:
        towns = with_colour(towns, colour, towns[colour] | square)
    for each in changed:
        points[each] = points_for(houses[each], palaces[each], towns[each])
    return replace(
        seat,
        free=(seat.free | state.material) ^ square,
        houses=tuple(houses),
        palaces=palaces,
        towns=towns,
        points=tuple(points),
    )
