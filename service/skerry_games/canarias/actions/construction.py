"""Building a house, a palace or a town: which colour, which square, and what it changes.

One piece at a time is being built, by ``State.actor``: in its own turn, or because a settler from the ship has chosen
its island. A colour or a square that leaves no choice is taken at once.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.canarias.actions.privileges import claim, hand_over, points_for
from skerry_games.canarias.events import ColourChosen, Event, HousePlaced, NoHouseLeft, PalaceBuilt, TownBuilt
from skerry_games.canarias.moves import CHOOSE_COLOUR, PLACE, ChooseColour, Move, Place
from skerry_games.canarias.printed.cards import COLOUR_OF, HOUSE_COLOUR, NO_CARD, PRIORITIES
from skerry_games.canarias.printed.islands import SQUARES
from skerry_games.canarias.printed.squares import BESIDE, TOUCHING, Squares, bit_of, members, selector
from skerry_games.canarias.printed.terms import COLOURS, FEATURES, HOUSE, NOTHING, PALACE, PIECES, Feature, Power
from skerry_games.canarias.state import (
    CHOOSING_COLOUR,
    PLACING,
    SIX,
    SeatState,
    Six,
    State,
    put,
    score,
    with_seat,
)
from skerry_games.canarias.words import wish

FREE: Final = COLOUR_OF[Power.FREE]
_LAND: Final = int(Feature.COAST)
"""The features from this number on are land, those below are colours."""

_places = selector(PLACE)


def room(seat: SeatState, feature: int) -> Squares:
    """Return the empty squares next to that feature of the island (CANARIAS-BUILD-3, CANARIAS-BUILD-4)."""
    if feature >= _LAND:
        return TOUCHING[seat.island][feature] & seat.free
    # All buildings of the colour count, not houses alone.
    built = seat.houses[feature] | seat.palaces[feature] | seat.towns[feature]
    return BESIDE[seat.island][built] & seat.free if built else 0


def binding(seat: SeatState, card: int) -> tuple[int, Squares]:
    """Return the first priority of the settler with an empty square next to it, and these squares (CANARIAS-BUILD-2).

    NOTHING and all empty squares, if none of the four has any.
    """
    for feature in PRIORITIES[card]:
        if squares := room(seat, feature):
            return feature, squares
    return NOTHING, seat.free


def site(state: State, colour: int) -> tuple[int, Squares]:
    """Return where the piece that is being built may stand in that colour, and before it the priority that binds it.

    The priority is NOTHING for a free choice, and for palaces and towns.
    """
    me = state.actor
    seat = state.seats[me]
    if state.privileges[FREE] == me:
        return NOTHING, seat.free | state.material  # CANARIAS-PRIV-FREE: an emptied square as well
    if state.piece == HOUSE:
        return binding(seat, state.card)
    return NOTHING, _emptied_squares(state, seat, colour)


def _emptied_squares(state: State, seat: SeatState, colour: int) -> Squares:
    """Return the squares of the material that suit the colour (CANARIAS-PALACE-1, CANARIAS-TOWN-1).

    With houses of two colours that is where the one of this colour stood (CANARIAS-PRIV-MIX). A colour that none of the
    houses has is a substitute (CANARIAS-SUPPLY-1), and suits them all.
    """
    return seat.houses[colour] & state.material or state.material


def pieces_left(state: State, piece: int) -> Six:
    """Return how many pieces of a kind are in the supply, by colour."""
    if piece == HOUSE:
        return state.houses_left
    return state.palaces_left if piece == PALACE else state.towns_left


def wanted_colours(state: State) -> tuple[int, ...]:
    """Return the colours that the piece should have, were there enough of everything."""
    if state.piece == HOUSE:
        return (HOUSE_COLOUR[state.card],)
    material = state.material
    return tuple([colour for colour, houses in enumerate(state.seats[state.actor].houses) if houses & material])


def colour_choices(state: State, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """Return the colours on offer: the wanted ones of which a piece is left, or else any (CANARIAS-SUPPLY-1).

    So a palace of two colours is a substitute only when both are used up (CANARIAS-PRIV-MIX).
    """
    left = pieces_left(state, state.piece)
    for colour in wanted:
        if not left[colour]:
            return tuple([one for one in wanted if left[one]]) or tuple([one for one in SIX if left[one]])
    return wanted


def begin_piece(state: State, left: Six, events: tuple[Event, ...]) -> Step[State, Event]:
    """Go on with a piece in the colour that it should have, or in another if none of that is left.

    ``state``: that in which its square is asked for, as it nearly always is; ``left``: how many pieces of its kind are
    in the supply, by colour; ``events``: what has led here.
    """
    if left[state.colour]:
        return _find_square(state, events)
    return find_colour(replace(state, colour=NOTHING), events)


def find_colour(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    """Go on with a piece that has no colour yet: take the only one, or ask. ``events``: what has led here."""
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
    """Take the only square, or ask. ``state``: that in which the square is asked for."""
    next_to, squares = site(state, state.colour)
    if squares & (squares - 1):
        return state, events
    return _put_down(state, state.colour, next_to, squares, events, automatic=True)


def _done(state: State) -> State:
    """Return the state in which nothing is being built, and the game goes on where it was interrupted."""
    return replace(state, phase=state.resume, card=NO_CARD, piece=NOTHING, material=0, colour=NOTHING)


def colour_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the colours that the piece may have."""
    return tuple([CHOOSE_COLOUR[colour] for colour in colour_choices(state, wanted_colours(state))])


def place_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the squares that the piece may stand on."""
    _, squares = site(state, state.colour)
    return _places(squares)


def choose_colour(state: State, me: int, move: ChooseColour) -> Step[State, Event]:
    """Choose the colour. Raises IllegalMove (CANARIAS-SUPPLY-1, CANARIAS-PRIV-MIX) or MalformedMove."""
    if move.colour not in SIX:
        raise MalformedMove(f"There is no colour {move.colour!r}.")
    colour = int(move.colour)
    if colour not in colour_choices(state, wanted_colours(state)):
        raise _refuse_colour(state, colour)
    chosen = ColourChosen(me, PIECES[state.piece], COLOURS[colour], False)
    return _find_square(replace(state, phase=PLACING, colour=colour), (chosen,))


def _refuse_colour(state: State, colour: int) -> IllegalMove:
    name, piece = COLOURS[colour].name.lower(), PIECES[state.piece].name.lower()
    if not pieces_left(state, state.piece)[colour]:
        return IllegalMove("CANARIAS-SUPPLY-1", f"No {name} {piece} is left in the supply.")
    return IllegalMove("CANARIAS-PRIV-MIX", f"Your {piece} has the colour of one of its houses: neither is {name}.")


def place(state: State, me: int, move: Place) -> Step[State, Event]:
    """Choose the square. Raises IllegalMove (CANARIAS-BUILD-1, -2, CANARIAS-PALACE-1, CANARIAS-TOWN-1)."""
    square = bit_of(move.square)
    next_to, squares = site(state, state.colour)
    if not square & squares:
        raise _refuse_square(state, me, next_to, square)
    return _put_down(state, state.colour, next_to, square, (), automatic=False)


def _refuse_square(state: State, me: int, next_to: int, square: Squares) -> IllegalMove:
    seat, name = state.seats[me], SQUARES[members(square)[0]]
    if not square & (seat.free | state.material):
        return IllegalMove("CANARIAS-BUILD-1", f"{name} is not an empty building square of your island.")
    if state.piece == HOUSE:
        sentence = f"{name} is not next to {wish(next_to)}, where your settler wants to live."
        return IllegalMove("CANARIAS-BUILD-2", sentence)
    rule = "CANARIAS-PALACE-1" if state.piece == PALACE else "CANARIAS-TOWN-1"
    return IllegalMove(rule, f"{name} is not one of the squares of the houses that you return.")


def _put_down(
    state: State, colour: int, next_to: int, square: Squares, events: tuple[Event, ...], *, automatic: bool
) -> Step[State, Event]:
    """Put the piece on that one square, and see who has which privilege then."""
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
    return claim(built, me, colour, (*events, placed))


def _put_palace_or_town(
    state: State, colour: int, square: Squares, events: tuple[Event, ...], automatic: bool
) -> Step[State, Event]:
    """Return the material to the supply and put the piece down: one change (CANARIAS-PRIV-2)."""
    me, material, is_palace = state.actor, state.material, state.piece == PALACE
    seat, left = state.seats[me], pieces_left(state, state.piece)
    houses, houses_left, changed = [*seat.houses], [*state.houses_left], []
    for each, alike in enumerate(seat.houses):
        if returned := alike & material:
            houses[each] ^= returned
            houses_left[each] += returned.bit_count()
            changed.append(each)
    if colour not in changed:  # a substitute
        changed = sorted([*changed, colour])
    grown = _rebuilt(state, houses, changed, colour, square)
    gained = score(grown) - score(seat)
    event = PalaceBuilt if is_palace else TownBuilt
    placed = event(me, square.bit_length() - 1, COLOURS[colour], members(material), gained, automatic)
    fewer = put(left, colour, left[colour] - 1)
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
    return hand_over(built, changed, (*events, placed))


def _rebuilt(state: State, houses: list[Squares], changed: list[int], colour: int, square: Squares) -> SeatState:
    """Return the seat with a palace or town of that colour, and these houses. ``changed``: colours with new points."""
    seat = state.seats[state.actor]
    palaces, towns, points = seat.palaces, seat.towns, [*seat.points]
    if state.piece == PALACE:
        palaces = put(palaces, colour, palaces[colour] | square)
    else:
        towns = put(towns, colour, towns[colour] | square)
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
