"""The position: immutable and small. Its only secrets are the characters that lie face down, and so the hands.

Town cards that nobody has seen are undrawn, not hidden. What follows from the board is derived.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, TypeVar

from msgspec import Struct

from skerry_games.tenerife.printed_board import BOARD, EDITIONS, REMOVED_TOWN, SYMBOL_TOWN

T = TypeVar("T")

# What depends on the number of seats: TENERIFE-ROUND-2, TENERIFE-TRANSPORT-1, TENERIFE-TWO-1.
SPACES: Final = {2: 8, 3: 9, 4: 12}
CHARACTERS_EACH: Final = {2: 4, 3: 3, 4: 3}
TRANSPORT_SPACES: Final = {2: (2,), 3: (2, 3), 4: (3,)}
"""How many transport spaces there can be, the default first."""

MANSIONS: Final = 12
"""TENERIFE-SETUP-1: in each seat's supply, less the one that counts its points."""
MOST_HALL_ROUNDS: Final = 12
"""TENERIFE-END-3."""

PLACES: Final = range(len(BOARD.places))
LA_LAGUNA: Final = PLACES[-1]
TOWNS: Final = PLACES[:-1]
SANTA_CRUZ: Final = next(town for town in TOWNS if BOARD.places[town].id == REMOVED_TOWN)
PUERTO: Final = next(town for town in TOWNS if BOARD.places[town].id == SYMBOL_TOWN)
HALL_PLOTS: Final = range(1, len(BOARD.hall_plots) + 1)
STORAGE: Final = range(1, len(BOARD.storage) + 1)

NOBODY: Final = -1
"""No seat, and no place: nobody's turn, a vacant space, a merchant token not yet placed, no current place."""
CLOSED: Final = -2
"""In place of an owner: a plot of the Town Hall that is not in this game."""


class Character(IntEnum):
    """What a card does."""

    MASON = 1
    FARMER = 2
    MERCHANT = 3
    EXPORTER = 4
    THIEVES = 5


class BackColour(IntEnum):
    """What the back of a card shows. Everybody sees it."""

    OWN = 1
    SECOND = 2


class CharacterCard(IntEnum):
    """A kind of card: a character with the colour of its back."""

    MASON = 1
    FARMER = 2
    MERCHANT = 3
    EXPORTER = 4
    THIEVES = 5
    SECOND_MASON = 6
    SECOND_FARMER = 7
    SECOND_THIEVES = 8


CHARACTER: Final[dict[CharacterCard, Character]] = dict(
    zip(CharacterCard, (*Character, Character.MASON, Character.FARMER, Character.THIEVES), strict=True)
)
COLOUR: Final = {
    card: BackColour.SECOND if card >= CharacterCard.SECOND_MASON else BackColour.OWN for card in CharacterCard
}
FACES: Final[dict[tuple[Character | None, BackColour], CharacterCard]] = {
    (CHARACTER[card], COLOUR[card]): card for card in CharacterCard
}
"""The card with that character and that back."""
THIEVES: Final = frozenset(card for card in CharacterCard if CHARACTER[card] is Character.THIEVES)

Hand = tuple[CharacterCard, ...]
"""Cards in the order of ``CharacterCard``."""

HAND: Final[Hand] = (
    CharacterCard.MASON,
    CharacterCard.MASON,
    CharacterCard.FARMER,
    CharacterCard.MERCHANT,
    CharacterCard.EXPORTER,
    CharacterCard.THIEVES,
)
"""TENERIFE-SETUP-1."""
TURBULENT_HAND: Final[Hand] = tuple(card for card in CharacterCard if card is not CharacterCard.FARMER)
"""TENERIFE-TWO-2."""


class Phase(IntEnum):
    """What has to happen next. The phases up to ``LAST_CHANCE_PHASE`` are chance's."""

    START_SEAT = 1
    TURN_UP = 2
    LAY = 3
    CHOOSE_PLOT = 4
    CHOOSE_TOWN = 5
    CHOOSE_WAREHOUSE = 6
    CHOOSE_DESTINATION = 7
    OVER = 8
    ACTIVATE = 9
    """The characters go on acting by themselves. Only within a move: no move ends in it."""


LAST_CHANCE_PHASE: Final = Phase.TURN_UP
# Reading a member through its class costs as much as a rule.
GAME_OVER: Final = Phase.OVER
ACTIVATE: Final = Phase.ACTIVATE


class Options(Struct, frozen=True):
    """How a game is set up. Without a start seat, it is drawn."""

    edition: str = EDITIONS[0]
    start_seat: int | None = None
    transport_spaces: int | None = None
    turbulent: bool = False
    puerto_farmer: bool = False
    """One more farmer's symbol, at Puerto de la Cruz (TENERIFE-FARMER-1)."""


class SeatState(Struct, frozen=True, array_like=True, gc=False):
    """What one seat has beside its mansions on the board."""

    hand: Hand
    mansions: int = MANSIONS
    """In its supply."""
    merchant: int = NOBODY
    """The place of its merchant token."""
    score: int = 0


Owners = tuple[int, ...]
"""Seats, in the order in which they came, or one for each space or plot."""


class State(Struct, frozen=True, array_like=True, gc=False):
    """A position. Packed as an array: the order of the fields is the format of stored games."""

    phase: Phase
    turn: int
    """The seat that decides; NOBODY while chance acts, and when the game is over."""
    seats: tuple[SeatState, ...]
    hall: Owners
    """For each plot the owner of its element, NOBODY or CLOSED."""
    owners: Owners
    """For each space of the column the owner of the card there."""
    cards: tuple[CharacterCard | None, ...]
    """For each space the card there; ``None`` while the space is vacant."""
    vacant: int
    """Bit set of the vacant spaces."""
    undrawn: int
    """Bit set of the towns whose cards have not been turned up. Undrawn: nobody knows their order."""
    transport_spaces: int
    turbulent: bool = False
    puerto_farmer: bool = False
    start: int = NOBODY
    """The seat that lays first in this round."""
    round: int = 0
    place: int = NOBODY
    """The current place."""
    active: int = 0
    """The space whose character acts; 0 while characters are laid."""
    transport: tuple[int, ...] = ()
    """The spaces whose characters have taken a transport space in this round."""
    towns: tuple[Owners, ...] = ((),) * len(TOWNS)
    """For each town the owners of its mansions."""
    storage: tuple[Owners, ...] = ((),) * len(STORAGE)
    """For each storage space the owners of its warehouses."""
    farmhand: int = 1
    """The storage space on which it stands (TENERIFE-SETUP-3)."""


def all_spaces(seats: int) -> int:
    """Return the bit set of the spaces that a table uses (TENERIFE-ROUND-2, TENERIFE-TWO-1)."""
    return (2 << SPACES[seats]) - 2


def full_hand(turbulent: bool) -> Hand:
    """Return all cards of a seat."""
    return TURBULENT_HAND if turbulent else HAND


def with_seat(state: State, seat: int, changed: SeatState) -> tuple[SeatState, ...]:
    """Return the seats with one of them changed."""
    seats = [*state.seats]  # as in ``with_item``
    seats[seat] = changed
    return tuple(seats)


def with_item(many: tuple[T, ...], at: int, changed: T) -> tuple[T, ...]:
    """Return towns, seats, or what lies on spaces and plots with one of them changed."""
    items = [*many]  # Changing a copy takes half the time of joining what stands before and behind.
    items[at] = changed
    return tuple(items)


def town_cards(seats: int) -> int:
    """Return the bit set of the towns whose cards are in the game (TENERIFE-SETUP-2, TENERIFE-TWO-1)."""
    return (1 << len(TOWNS)) - 1 & ~(1 << SANTA_CRUZ if seats < 4 else 0)


def hall_round(state: State) -> int:
    """Return how many rounds the Town Hall has had, the current one included."""
    return max(0, state.round - town_cards(len(state.seats)).bit_count())


def at_hall(state: State) -> bool:
    """Return whether this is a round of the Town Hall (TENERIFE-ROUND-1)."""
    return state.place == LA_LAGUNA


def revealed(state: State) -> bool:
    """Return whether the characters in the column lie face up (TENERIFE-ROUND-4)."""
    return state.active != 0
