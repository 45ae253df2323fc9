"""The state: immutable and small. Its only secrets are the face-down characters, and therefore the hands.

Town cards are drawn when they are turned up, so their order is not in the state. Facts that follow from the board are
not stored.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Final, TypeVar

from msgspec import Struct

from skerry_games.annotations import As
from skerry_games.tenerife.printed.tenerife_board import BOARD, EDITIONS

T = TypeVar("T")

# By number of seats: TENERIFE-ROUND-2, TENERIFE-TRANSPORT-1, TENERIFE-TWO-1.
SPACES: Final = {2: 8, 3: 9, 4: 12}
CHARACTERS_EACH: Final = {2: 4, 3: 3, 4: 3}
TRANSPORT_SPACES: Final = {2: (2,), 3: (2, 3), 4: (3,)}
"""The allowed numbers of transport spaces, the default first."""

MANSIONS: Final = 12
"""Mansions in the supply of each seat, without the one that marks its points (TENERIFE-SETUP-1)."""
MOST_HALL_ROUNDS: Final = 12
"""TENERIFE-END-3."""

PLACES: Final = range(len(BOARD.places))
LA_LAGUNA: Final = PLACES[-1]
TOWNS: Final = PLACES[:-1]
SANTA_CRUZ: Final = BOARD.removed_town
PUERTO: Final = BOARD.option_symbol_town
HALL_PLOTS: Final = range(1, len(BOARD.hall_plots) + 1)
STORAGE: Final = range(1, len(BOARD.storage) + 1)

NO_SEAT: Final = -1
"""Instead of a seat: no acting seat, or a vacant space or plot."""
NO_PLACE: Final = -1
"""Instead of a place: a merchant token that is not on the board, or no current place."""
CLOSED: Final = -2
"""Instead of an owner: a plot of the Town Hall that is not in this game."""


class Character(IntEnum):
    """The character on a card."""

    MASON = 1
    FARMER = 2
    MERCHANT = 3
    EXPORTER = 4
    THIEVES = 5


class BackColour(IntEnum):
    """The colour of a card's back, visible to all viewers."""

    OWN = 1
    SECOND = 2


class CharacterCard(IntEnum):
    """A kind of card: a character and the colour of its back."""

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


class CardFaces(Struct, frozen=True):
    """Both sides of a card."""

    character: Character
    colour: BackColour


Card = Annotated[
    CharacterCard,
    As(
        CardFaces,
        write=lambda card: CardFaces(CHARACTER[card], COLOUR[card]),
        read=lambda faces: FACES[faces.character, faces.colour],
        noun="card",
    ),
]
Hand = tuple[Card, ...]
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
    """The next decision. In the phases up to ``LAST_CHANCE_PHASE`` chance acts."""

    START_SEAT = 1
    TURN_UP = 2
    LAY = 3
    CHOOSE_PLOT = 4
    CHOOSE_TOWN = 5
    CHOOSE_WAREHOUSE = 6
    CHOOSE_DESTINATION = 7
    OVER = 8
    ACTIVATE = 9
    """The characters act one after the other. Only within a move: no move ends in this phase."""


LAST_CHANCE_PHASE: Final = Phase.TURN_UP
# Access through the enum class is slow: it takes as long as checking a rule.
GAME_OVER: Final = Phase.OVER
ACTIVATE: Final = Phase.ACTIVATE


class Options(Struct, frozen=True):
    """The setup of a game. If ``start_seat`` is ``None``, chance draws it."""

    edition: str = EDITIONS[0]
    start_seat: int | None = None
    transport_spaces: int | None = None
    turbulent: bool = False
    puerto_farmer: bool = False
    """Whether Puerto de la Cruz has a farmer's symbol too (TENERIFE-FARMER-1)."""


class SeatState(Struct, frozen=True, array_like=True, gc=False):
    """A seat, without its pieces on the board."""

    hand: Hand
    mansions: int = MANSIONS
    """In the supply."""
    merchant: int = NO_PLACE
    """The place of the merchant token, or NO_PLACE."""
    score: int = 0


Owners = tuple[int, ...]
"""Seats: in the order in which they built, or one per space or plot."""


class State(Struct, frozen=True, array_like=True, gc=False):
    """A state. Packed as an array: the order of the fields is the format of stored games."""

    phase: Phase
    turn: int
    """The acting seat; NO_SEAT while chance acts and when the game is over."""
    seats: tuple[SeatState, ...]
    hall: Owners
    """Per plot: the owner of its element, NO_SEAT or CLOSED."""
    owners: Owners
    """Per space of the column: the owner of its card, or NO_SEAT."""
    cards: tuple[CharacterCard | None, ...]
    """Per space: its card, or ``None`` while the space is vacant."""
    vacant: int
    """Bit set of the vacant spaces."""
    undrawn: int
    """Bit set of the towns whose cards have not been turned up. Their order is not decided yet."""
    transport_spaces: int
    turbulent: bool = False
    puerto_farmer: bool = False
    start: int = NO_SEAT
    """The start seat of the round."""
    round: int = 0
    place: int = NO_PLACE
    """The current place, or NO_PLACE."""
    active: int = 0
    """The space of the acting character; 0 while characters are laid."""
    transport: tuple[int, ...] = ()
    """The spaces of the characters that have taken a transport space in this round."""
    towns: tuple[Owners, ...] = ((),) * len(TOWNS)
    """Per town: the owners of its mansions."""
    storage: tuple[Owners, ...] = ((),) * len(STORAGE)
    """Per storage space: the owners of its warehouses."""
    farmhand: int = 1
    """The storage space of the farmhand (TENERIFE-SETUP-3)."""


def all_spaces(seats: int) -> int:
    """Return the bit set of the spaces for that number of seats (TENERIFE-ROUND-2, TENERIFE-TWO-1)."""
    return (2 << SPACES[seats]) - 2


def full_hand(turbulent: bool) -> Hand:
    """Return all cards of a seat."""
    return TURBULENT_HAND if turbulent else HAND


def with_seat(state: State, seat: int, changed: SeatState) -> tuple[SeatState, ...]:
    """Return the seats with one seat replaced."""
    seats = [*state.seats]  # as in ``with_item``
    seats[seat] = changed
    return tuple(seats)


def with_item(items: tuple[T, ...], at: int, changed: T) -> tuple[T, ...]:
    """Return the tuple with the item at that index replaced."""
    copy = [*items]  # A changed copy takes half the time of joining two slices.
    copy[at] = changed
    return tuple(copy)


def town_cards(seats: int) -> int:
    """Return the bit set of the towns with a card in the game (TENERIFE-SETUP-2, TENERIFE-TWO-1)."""
    return (1 << len(TOWNS)) - 1 & ~(1 << SANTA_CRUZ if seats < 4 else 0)


def hall_round(state: State) -> int:
    """Return the number of rounds of the Town Hall so far, with the current one."""
    return max(0, state.round - town_cards(len(state.seats)).bit_count())


def at_hall(state: State) -> bool:
    """Return whether this is a round of the Town Hall (TENERIFE-ROUND-1)."""
    return state.place == LA_LAGUNA


def revealed(state: State) -> bool:
    """Return whether the characters in the column are face up (TENERIFE-ROUND-4)."""
    return state.active != 0
