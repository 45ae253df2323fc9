"""Pirates: finding the victims, diverting a pirate, and giving up a house."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.canarias.actions.privileges import update_privileges
from skerry_games.canarias.events import Event, HouseGivenUp, NothingToGiveUp, PirateDiverted, PirateStruck
from skerry_games.canarias.moves import GIVE_UP, Divert, GiveUp, Move
from skerry_games.canarias.printed.cards import COLOUR_OF, FIRST_PIRATE, NO_CARD
from skerry_games.canarias.printed.components_file import SQUARES
from skerry_games.canarias.printed.squares import Squares, bit_of, selector
from skerry_games.canarias.printed.terms import COLOURS, Power
from skerry_games.canarias.state import (
    COLOUR_NUMBERS,
    GIVING_UP,
    NO_SEAT,
    Phase,
    State,
    all_houses,
    colour_at,
    with_colour,
    with_seat,
)
from skerry_games.sentences import phrase, player

_give_ups = selector(GIVE_UP)


def strike(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    """Find the victims of the pirate that was turned up (CANARIAS-PIRATE-2, CANARIAS-PIRATE-3).

    ``events``: the events of the move so far.
    """
    colour = state.card - FIRST_PIRATE
    owner = state.privileges[colour]
    guarded = state.privileges[COLOUR_OF[Power.PIRATE]]
    if owner == NO_SEAT:
        compared = tuple([(me, seat.points[colour]) for me, seat in enumerate(state.seats) if me != guarded])
        victims = _with_most_points(compared, state.start)
        struck = PirateStruck(COLOURS[colour], None, compared, victims, False)
    elif owner == guarded:
        return _divert(state, owner, (*events, PirateStruck(COLOURS[colour], owner, (), (), True)))
    else:
        victims = (owner,)
        struck = PirateStruck(COLOURS[colour], owner, (), victims, False)
    return _rob(state, victims), (*events, struck)


def _rob(state: State, victims: tuple[int, ...]) -> State:
    """Return the state in which these seats have to give up a house, in this order."""
    return replace(state, phase=GIVING_UP, actor=NO_SEAT, victims=victims)


def _with_most_points(compared: tuple[tuple[int, int], ...], start: int) -> tuple[int, ...]:
    """Return the seats with the most points, at least 1, in order from the start seat (CANARIAS-PIRATE-3)."""
    most = max([points for _, points in compared])
    if most < 1:
        return ()
    robbed = [seat for seat, points in compared if points == most]
    return tuple(sorted(robbed, key=lambda seat: (seat < start, seat)))


def _divert(state: State, me: int, events: tuple[Event, ...]) -> Step[State, Event]:
    """Let the protected owner name another seat that has a house (CANARIAS-PRIV-PIRATE)."""
    choices = _seats_to_name(state, me)
    if len(choices) > 1:
        return replace(state, phase=Phase.DIVERT, actor=me), events
    return _rob(state, choices), (*events, PirateDiverted(me, choices[0] if choices else None, True))


def _seats_to_name(state: State, me: int) -> tuple[int, ...]:
    return tuple([other for other, seat in enumerate(state.seats) if other != me and all_houses(seat)])


def divert_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return a move per seat that the owner can name."""
    return tuple([Divert(other) for other in _seats_to_name(state, me)])


def divert(state: State, me: int, move: Divert) -> Step[State, Event]:
    """Name the seat that the pirate robs. Raises IllegalMove (CANARIAS-PRIV-PIRATE) or MalformedMove."""
    if move.seat not in range(len(state.seats)):
        raise MalformedMove(phrase("common-no-seat", seat=repr(move.seat)))
    if move.seat not in _seats_to_name(state, me):
        sentence = (
            "You cannot name yourself: name another player."
            if move.seat == me
            else phrase("canarias-has-no-house", seat=player(move.seat))
        )
        raise IllegalMove("CANARIAS-PRIV-PIRATE", sentence)
    return _rob(state, (move.seat,)), (PirateDiverted(me, move.seat, False),)


def next_victim(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    """Turn to the next victim. After the last one, update the privileges (CANARIAS-PIRATE-3)."""
    if state.actor != NO_SEAT:
        return state, events
    if not state.victims:
        return update_privileges(replace(state, phase=state.resume, card=NO_CARD), COLOUR_NUMBERS, events)
    me, *others = state.victims
    state = replace(state, victims=tuple(others))
    houses = all_houses(state.seats[me])
    if not houses:
        return state, (*events, NothingToGiveUp(me))
    if houses & (houses - 1):
        return replace(state, actor=me), events
    return _give_up(state, me, houses, events, automatic=True)


def give_up_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return a move per house of the victim (CANARIAS-PIRATE-2)."""
    return _give_ups(all_houses(state.seats[me]))


def give_up(state: State, me: int, move: GiveUp) -> Step[State, Event]:
    """Give up the chosen house. Raises IllegalMove (CANARIAS-PIRATE-2) or MalformedMove."""
    square = bit_of(move.square)
    if not square & all_houses(state.seats[me]):
        raise IllegalMove("CANARIAS-PIRATE-2", phrase("canarias-have-no-house-choose", squares=SQUARES[move.square]))
    return _give_up(state, me, square, (), automatic=False)


def _give_up(
    state: State, me: int, square: Squares, events: tuple[Event, ...], *, automatic: bool
) -> Step[State, Event]:
    """Return the house on that single square to the supply."""
    seat = state.seats[me]
    colour = colour_at(seat, square)
    given_up = HouseGivenUp(me, square.bit_length() - 1, COLOURS[colour], automatic)
    robbed = replace(
        seat,
        free=seat.free | square,
        houses=with_colour(seat.houses, colour, seat.houses[colour] ^ square),
        points=with_colour(seat.points, colour, seat.points[colour] - 1),
    )
    left = with_colour(state.houses_left, colour, state.houses_left[colour] + 1)
    after = replace(state, actor=NO_SEAT, seats=with_seat(state.seats, me, robbed), houses_left=left)
    return after, (*events, given_up)
