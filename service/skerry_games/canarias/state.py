"""The state: immutable, with all secrets. ``view.py`` hides them from viewers.

The state has no hidden order of cards. The deck, the discard pile and the ship after its arrival are sorted, and chance
decides which of their cards comes next.
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

# CANARIAS-SETUP-1: numbers of seats, and pieces per colour.
SEATS: Final = (2, 3, 4, 5)
HOUSES_EACH: Final = 8
PALACES_EACH: Final = 6
TOWNS_EACH: Final = 2

NO_SEAT: Final = -1
"""Instead of a seat: no seat."""
TAKEN: Final = -2
"""``State.extra`` after the extra card was taken and which card it was no longer matters."""

PerColour = tuple[int, int, int, int, int, int]
"""A number per colour."""
Ship = tuple[tuple[int, int], ...]
"""Pairs of a card and the seat that put it on the ship and knows that it is still there, or NO_SEAT."""
COLOUR_NUMBERS: Final = range(len(COLOURS))


def per_colour(value: int) -> PerColour:
    """Return the same number for each colour."""
    return (value, value, value, value, value, value)


ZERO_PER_COLOUR: Final = per_colour(0)


class Phase(IntEnum):
    """The next decision. In the phases up to ``LAST_CHANCE_PHASE`` chance acts."""

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
# Access through the enum class is slow: 81 ns, as long as checking a rule.
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
    """The settlers in the deck."""

    DISTINCT = 1
    TRIPLES = 2


class Options(Struct, frozen=True):
    """The setup of a game. If ``start_seat`` is ``None``, chance draws it."""

    edition: str = EDITIONS[0]
    start_seat: int | None = None
    islands: IslandOption = IslandOption.CHOOSE
    deck: DeckOption = DeckOption.DISTINCT


class SeatState(Struct, frozen=True, array_like=True, gc=False):
    """A seat: its island, pieces, points and hand."""

    island: int = NOWHERE
    free: Squares = 0
    """The empty building squares."""
    houses: PerColour = ZERO_PER_COLOUR
    """Per colour: the set of squares with a house. The same for palaces and towns."""
    palaces: PerColour = ZERO_PER_COLOUR
    towns: PerColour = ZERO_PER_COLOUR
    points: PerColour = ZERO_PER_COLOUR
    """Per colour (CANARIAS-SCORE-1). Stored because the rules need them after every change."""
    hand: tuple[int, ...] = ()
    """Cards, ascending."""


class State(Struct, frozen=True, array_like=True, gc=False):
    """A state. Packed as an array: the order of the fields is the format of stored games.

    ``resume`` is the main phase: a turn (BUILD_OR_DRAW or LOAD), the unloading of the ship (TURN_UP), or during setup
    the phase that follows. An interruption changes ``phase`` only; when it is done, ``phase`` becomes ``resume`` again.
    At most one interruption is active:

    | interruption | phases | decides | kept in | done when |
    |---|---|---|---|---|
    | drawing | DRAW_CARD | chance, for ``turn`` | ``owed`` | ``owed`` is 0 |
    | a piece | COLOUR, PLACE | ``actor`` | ``piece``, ``card`` or ``material``, ``colour`` | the piece is placed |
    | a pirate | DIVERT, GIVE_UP | ``actor`` | ``card``, ``victims`` | the last of the ``victims`` has given up |

    The seat whose turn it is builds a piece, or the seat that a settler from the ship has chosen. In both cases
    ``actor`` is the owner of the island. While a pirate turns to its next victim, ``actor`` is NO_SEAT. At the start of
    a turn ``actor`` is ``turn``, and interruptions of the turn do not change it.
    """

    phase: Phase
    seats: tuple[SeatState, ...]
    deck: tuple[int, ...]
    """The cards of the face-down deck, ascending. Chance decides their order as they are drawn."""
    start: int
    """The start seat of the round; NO_SEAT until it is known."""
    turn: int = NO_SEAT
    """The seat whose turn it is, or was last."""
    actor: int = NO_SEAT
    """The acting seat, in phases after LAST_CHANCE_PHASE."""
    round: int = 0
    """From 1; 0 during setup."""
    last: bool = False
    """Whether this is the last round (CANARIAS-END-1, CANARIAS-END-2)."""
    discard: tuple[int, ...] = ()
    """Cards, ascending."""
    ship: Ship = ()
    """In the order in which seats put the cards there; ascending after the ship has arrived."""
    privileges: PerColour = per_colour(NO_SEAT)
    """Per colour: the owner, or NO_SEAT."""
    houses_left: PerColour = per_colour(HOUSES_EACH)
    palaces_left: PerColour = per_colour(PALACES_EACH)
    towns_left: PerColour = per_colour(TOWNS_EACH)
    resume: Phase = Phase.START_SHIP
    """The phase that follows the interruption."""
    owed: int = 0
    """The number of cards still to be drawn."""
    extra: int = NO_CARD
    """The extra card taken in this turn before building or drawing (CANARIAS-PRIV-CARD), or NO_CARD, or TAKEN."""
    card: int = NO_CARD
    """The settler whose house is being built, or the pirate that robs, or NO_CARD."""
    piece: int = NOTHING
    """The kind of piece that is being built, or NOTHING."""
    material: Squares = 0
    """The squares of the houses that become a palace or town."""
    colour: int = NOTHING
    """The colour of the piece that is being built, or NOTHING until it is known."""
    victims: tuple[int, ...] = ()
    """The seats that still have to give up a house, the next one first."""
    known: Knowledge = Knowledge()
    """The public knowledge about hidden cards."""


def with_seat(seats: tuple[SeatState, ...], me: int, seat: SeatState) -> tuple[SeatState, ...]:
    """Return the seats with one seat replaced."""
    changed = [*seats]  # Faster than ``list``, and half the time of joining two slices.
    changed[me] = seat
    return tuple(changed)


def with_colour(numbers: PerColour, colour: int, value: int) -> PerColour:
    """Return the numbers with the one of that colour replaced."""
    changed = [*numbers]
    changed[colour] = value
    return tuple(changed)  # type: ignore[return-value]


def with_card(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return the cards, ascending, with that card added."""
    added = [*cards]
    insort(added, card)
    return tuple(added)


def without_card(cards: tuple[int, ...], card: object) -> tuple[int, ...] | None:
    """Return the cards, ascending, without one copy of that card; ``None`` if it is not among them or no card."""
    at = bisect_left(cards, card) if isinstance(card, int) else len(cards)
    if at == len(cards) or cards[at] != card:
        return None
    fewer = [*cards]
    del fewer[at]
    return tuple(fewer)


def at_sea(state: State) -> bool:
    """Return whether the ship has not arrived yet, so that its cards are in loading order."""
    return state.resume is not UNLOADING


def loaders(state: State) -> int:
    """Return the bit set of the seats that have put a card on this ship."""
    if not at_sea(state):
        return state.known.loaders
    return sum([1 << seat for _, seat in state.ship[1:]])  # without the first card, which stayed there


def holds(state: State, me: int, power: Power) -> bool:
    """Return whether the seat owns the privilege with that power, which applies at once (CANARIAS-PRIV-1)."""
    return state.privileges[COLOUR_OF[power]] == me


def colour_at(seat: SeatState, squares: Squares) -> int:
    """Return the colour of the houses on all these squares, or NOTHING if they do not share one."""
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
