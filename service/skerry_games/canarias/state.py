"""The position: immutable, with every secret in it. ``view.py`` says who may see what.

Cards whose place nobody knows are not in any order: the deck, the discard pile and, once it has arrived, the ship are
kept in ascending order, and chance decides which of their cards comes next.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from enum import IntEnum
from typing import Final

from msgspec import Struct

from skerry_games.canarias.knowledge import Knowledge
from skerry_games.canarias.printed.cards import COLOUR_OF, FIRST_PIRATE, NO_CARD
from skerry_games.canarias.printed.islands import EDITIONS
from skerry_games.canarias.printed.squares import NOWHERE, Squares
from skerry_games.canarias.printed.terms import COLOURS, NOTHING, Power

# CANARIAS-SETUP-1: numbers of seats, and pieces of each colour.
SEATS: Final = (2, 3, 4, 5)
HOUSES_EACH: Final = 8
PALACES_EACH: Final = 6
TOWNS_EACH: Final = 2

NOBODY: Final = -1
"""Stands where no seat is."""
TAKEN: Final = -2
"""``State.extra`` when the extra card of the turn was taken and no longer matters."""

Six = tuple[int, int, int, int, int, int]
"""A number for each colour."""
Ship = tuple[tuple[int, int], ...]
"""Pairs of a card and the seat that put it there and still knows that it is there (NOBODY: no such seat)."""
SIX: Final = range(len(COLOURS))


def six(value: int) -> Six:
    """Return the same number for each colour."""
    return (value, value, value, value, value, value)


NONE_OF_SIX: Final = six(0)


class Phase(IntEnum):
    """What has to happen next. The phases up to ``LAST_CHANCE_PHASE`` are chance's."""

    START_SEAT = 1
    DEAL_ISLAND = 2
    DRAW_CARD = 3
    START_SHIP = 4
    TURN_UP = 5
    TAKE_ISLAND = 6
    BUILD_OR_DRAW = 7
    LOAD = 8
    COLOUR = 9
    PLACE = 10
    GIVE_UP = 11
    DIVERT = 12
    OVER = 13


LAST_CHANCE_PHASE: Final = Phase.TURN_UP
# Reading a member through its class costs as much as a rule (81 ns).
DRAWING: Final = Phase.DRAW_CARD
LOADING: Final = Phase.LOAD
BUILD_OR_DRAW: Final = Phase.BUILD_OR_DRAW
STARTING_SHIP: Final = Phase.START_SHIP
CHOOSING_COLOUR: Final = Phase.COLOUR
PLACING: Final = Phase.PLACE
GIVING_UP: Final = Phase.GIVE_UP
UNLOADING: Final = Phase.TURN_UP
GAME_OVER: Final = Phase.OVER


class IslandOption(IntEnum):
    """How seats get their islands (CANARIAS-SETUP-3)."""

    CHOOSE = 1
    DEAL = 2


class DeckOption(IntEnum):
    """Which settlers are in the deck."""

    DISTINCT = 1
    TRIPLES = 2


class Options(Struct, frozen=True):
    """How a game is set up. Without a start seat, it is drawn."""

    edition: str = EDITIONS[0]
    start_seat: int | None = None
    islands: IslandOption = IslandOption.CHOOSE
    deck: DeckOption = DeckOption.DISTINCT


class SeatState(Struct, frozen=True, array_like=True, gc=False):
    """What one seat has."""

    island: int = NOWHERE
    free: Squares = 0
    """The empty building squares."""
    houses: Six = NONE_OF_SIX
    """For each colour the set of squares, as for palaces and towns."""
    palaces: Six = NONE_OF_SIX
    towns: Six = NONE_OF_SIX
    points: Six = NONE_OF_SIX
    """For each colour (CANARIAS-SCORE-1). Derived, but asked for after every change."""
    hand: tuple[int, ...] = ()
    """Cards, ascending."""


class State(Struct, frozen=True, array_like=True, gc=False):
    """A position. Packed as an array: the order of the fields is the format of stored games.

    What goes on is ``resume``: a seat's turn (BUILD_OR_DRAW or LOAD), the unloading of the ship (TURN_UP), or setting
    up, and then it is what comes after the present phase. One thing at a time interrupts it, never one another: as long
    as it lasts ``phase`` is another than ``resume``, and when it is done ``phase`` is ``resume`` again.

    | interrupts | phases | decides | kept in | done when |
    |---|---|---|---|---|
    | drawing | DRAW_CARD | chance, for ``turn`` | ``owed`` | ``owed`` is 0 |
    | a piece | COLOUR, PLACE | ``actor`` | ``piece``, ``card`` or ``material``, ``colour`` | it stands |
    | a pirate | DIVERT, GIVE_UP | ``actor`` | ``card``, ``victims`` | ``victims`` is empty, and the last has given up |

    A piece is built by the seat whose turn it is, or by the one that a settler from the ship has chosen; either way
    ``actor`` says whose island it is. While a pirate goes to its next victim ``actor`` is NOBODY. A turn begins with
    ``actor`` at ``turn``, and what interrupts it leaves it there.
    """

    phase: Phase
    seats: tuple[SeatState, ...]
    deck: tuple[int, ...]
    """Cards of the face-down deck, ascending: their order is not drawn before they are."""
    start: int
    """The start seat of the round; NOBODY until it is known."""
    turn: int = NOBODY
    """The seat whose turn it is, or was last."""
    actor: int = NOBODY
    """The seat that decides now, in phases after LAST_CHANCE_PHASE."""
    round: int = 0
    """From 1; 0 during setup."""
    last: bool = False
    """Whether this is the last round (CANARIAS-END-1, CANARIAS-END-2)."""
    discard: tuple[int, ...] = ()
    """Cards, ascending."""
    ship: Ship = ()
    """In the order in which the cards were put there; once the ship has arrived, ascending."""
    privileges: Six = six(NOBODY)
    """For each colour the owner."""
    houses_left: Six = six(HOUSES_EACH)
    palaces_left: Six = six(PALACES_EACH)
    towns_left: Six = six(TOWNS_EACH)
    resume: Phase = Phase.START_SHIP
    """What goes on when nothing interrupts it any more."""
    owed: int = 0
    """How many cards are still to be drawn."""
    extra: int = NO_CARD
    """The extra card taken in this turn before building or drawing (CANARIAS-PRIV-CARD); NO_CARD, or TAKEN."""
    card: int = NO_CARD
    """The settler whose house is being built, or the pirate that robs."""
    piece: int = NOTHING
    """The kind of piece that is being built."""
    material: Squares = 0
    """The houses that a palace or town is being built from."""
    colour: int = NOTHING
    """The colour of the piece that is being built, once it is known."""
    victims: tuple[int, ...] = ()
    """Seats that still owe the pirate a house, next first."""
    known: Knowledge = Knowledge()
    """What everybody can count of the cards that lie hidden."""


def with_seat(seats: tuple[SeatState, ...], me: int, seat: SeatState) -> tuple[SeatState, ...]:
    """Return the seats with one of them changed."""
    changed = [*seats]  # less work than a call of ``list``, and half of what it is to join what comes before and after
    changed[me] = seat
    return tuple(changed)


def put(six: Six, colour: int, value: int) -> Six:
    """Return the six numbers with one of them changed."""
    changed = [*six]
    changed[colour] = value
    return tuple(changed)  # type: ignore[return-value]


def with_card(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return the cards, ascending, with one more."""
    more = [*cards]
    insort(more, card)
    return tuple(more)


def without_card(cards: tuple[int, ...], card: object) -> tuple[int, ...] | None:
    """Return the cards, ascending, with one fewer; ``None`` if that card is not among them, or is no card."""
    at = bisect_left(cards, card) if isinstance(card, int) else len(cards)
    if at == len(cards) or cards[at] != card:
        return None
    fewer = [*cards]
    del fewer[at]
    return tuple(fewer)


def at_sea(state: State) -> bool:
    """Return whether the ship is being loaded: its cards lie in the order in which they were put there."""
    return state.resume is not UNLOADING


def loaders(state: State) -> int:
    """Return the bit set of the seats that have put a card on this ship."""
    if not at_sea(state):
        return state.known.loaders
    return sum([1 << seat for _, seat in state.ship[1:]])  # behind the one that stayed there


def holds(state: State, me: int, power: Power) -> bool:
    """Return whether the seat owns the privilege with that power (CANARIAS-PRIV-1: it holds at once)."""
    return state.privileges[COLOUR_OF[power]] == me


def colour_at(seat: SeatState, squares: Squares) -> int:
    """Return the colour of the houses on all these squares, NOTHING if they have none in common."""
    for colour, houses in enumerate(seat.houses):
        if houses & squares == squares:
            return colour
    return NOTHING


def all_houses(seat: SeatState) -> Squares:
    """Return the squares with houses of any colour."""
    orange, brown, green, blue, beige, red = seat.houses
    return orange | brown | green | blue | beige | red


def score(seat: SeatState) -> int:
    """Return the points of the seat (CANARIAS-SCORE-1)."""
    return sum(seat.points)


def is_pirate(card: int) -> bool:
    """Return whether the card is a pirate."""
    return card >= FIRST_PIRATE
