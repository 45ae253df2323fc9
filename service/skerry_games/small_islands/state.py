"""The state of a game. States are immutable and hold the knowledge of all seats. ``view.py`` defines who sees what.

Piles have no order: undrawn tiles and cards are sets, and chance draws from them. A state keeps what a seat has seen
and returned, such as cards and discovery tokens, because the seat still knows it.
"""

from __future__ import annotations

from bisect import bisect_left
from enum import IntEnum
from typing import Final

from msgspec import Struct

from skerry_games.small_islands.printed.components import COMPONENTS, EDITIONS, Bonus, Symbol
from skerry_games.small_islands.tabletop.cells import DEFAULT_SIZE, Cell
from skerry_games.small_islands.tabletop.table import Table

SEATS: Final = (2, 3, 4)
"""The numbers of seats that can play (SMALL-SETUP-1)."""
# SMALL-SETUP-2, SMALL-SETUP-3, SMALL-SETUP-5: numbers of pieces.
HAND: Final = 2
DISPLAY: Final = 3
STACK: Final = 6
SHIPS: Final = 4
HOUSES_EACH: Final = 8
AT_HAND: Final = 4
CARDS_EACH: Final = 3
"""The number of cards of each kind that a seat chooses from (SMALL-PREP-2)."""
ALL_TOKENS: Final = sum(1 << token for token in COMPONENTS.bonus_tokens)
"""All bonus tokens. Sets of bonus tokens, seats and tiles are bit sets of their numbers."""

NOBODY: Final = -1
"""The value for "no seat"."""
NOTHING: Final = -1
"""The value for "no tile" and "no cell"."""


class Mode(IntEnum):
    """Whether an objective is one card or two (SMALL-SETUP-1)."""

    NORMAL = 1
    ADVANCED = 2


class Layout(IntEnum):
    """How the starting tiles are laid (SMALL-SETUP-4)."""

    FIXED = 1
    FREE = 2


class Phase(IntEnum):
    """The next decision. Chance decides in the phases up to ``LAST_CHANCE_PHASE``."""

    START_SEAT = 1
    DEAL_TILES = 2
    TURN_UP = 3
    DEAL_CARDS = 4
    DRAW_DISCOVERY = 5
    LAY_START = 6
    CHOOSE_OBJECTIVE = 7
    TURN = 8
    PICK_TILE = 9
    LAY_TILE = 10
    CHOOSE_TOKEN = 11
    PLACE_TOKEN = 12
    PLACE_HOUSES = 13
    PICK_RESOURCE = 14
    KEEP_DISCOVERY = 15
    OVER = 16


LAST_CHANCE_PHASE: Final = Phase.DRAW_DISCOVERY
# Reading a member through its class costs as much as a rule (81 ns).
DEAL_TILES: Final = Phase.DEAL_TILES
START_SEAT: Final = Phase.START_SEAT
DRAW_DISCOVERY: Final = Phase.DRAW_DISCOVERY
GAME_OVER: Final = Phase.OVER
CHOOSING: Final = Phase.CHOOSE_OBJECTIVE
TURN_UP: Final = Phase.TURN_UP
DEAL_CARDS: Final = Phase.DEAL_CARDS
TURN: Final = Phase.TURN
PICKING: Final = Phase.PICK_TILE
LAYING: Final = Phase.LAY_TILE
CHOOSE_TOKEN: Final = Phase.CHOOSE_TOKEN
PLACING: Final = Phase.PLACE_TOKEN
BUILDING: Final = Phase.PLACE_HOUSES


class End(IntEnum):
    """The condition that ended the game, or will end it after this reward phase."""

    RESERVE = 1
    STUCK = 2
    SHIPS = 3


class Options(Struct, frozen=True):
    """The options of a game. If ``start_seat`` is ``None``, chance draws the start seat."""

    edition: str = EDITIONS[0]
    mode: Mode = Mode.NORMAL
    start_layout: Layout = Layout.FIXED
    table_size: int = DEFAULT_SIZE
    start_seat: int | None = None


class SeatState(Struct, frozen=True, array_like=True, gc=False):
    """The points, tiles and pieces of one seat."""

    score: int = 0
    hand: tuple[int, ...] = ()
    """Landscape tiles, ascending."""
    tokens: int = ALL_TOKENS
    """Bit set of the bonus tokens that the seat has left."""
    houses: tuple[Cell, ...] = ()
    """The cells of its houses, in the order of placing."""
    at_hand: int = AT_HAND
    """Houses that the seat can place before it refills them from its reserve."""
    ship: Cell = NOTHING
    """The cell of its own ship."""
    laid: int = 0
    """Number of tiles and ships on the table after the seat laid its latest tile or ship (SMALL-TIE-1). Initially 0."""


Trio = tuple[int, int, int]
"""The card chosen for the round, the card put aside, and the returned card."""
CHOSEN, ASIDE, RETURNED = range(3)


class ObjectiveDeck(Struct, frozen=True, array_like=True, gc=False):
    """All cards of one kind. Cards are indices of ``Components.cards``."""

    pile: tuple[int, ...]
    """Undrawn cards, ascending."""
    cards: tuple[tuple[int, ...], ...]
    """Per seat. While the seat chooses: the card that it put aside, then those drawn. After the choice: a Trio."""
    past: tuple[tuple[Trio, ...], ...] = ()
    """The Trio of each seat in each earlier round. Seats know their own, and all viewers know the chosen cards."""


class Discovery(Struct, frozen=True, array_like=True, gc=False):
    """One draw of discovery tokens, by value, ascending. Only the seat that drew has seen them."""

    seat: int
    drawn: tuple[int, ...]
    kept: int = 0
    """The value of the kept token. 0 until the seat keeps one."""


class State(Struct, frozen=True, array_like=True, gc=False):
    """The state of a game. Stored games encode it as an array, so the order of the fields is part of their format."""

    phase: Phase
    turn: int
    """The seat that acts, or for which chance acts. NOBODY if there is no single such seat."""
    seats: tuple[SeatState, ...]
    table: Table
    decks: tuple[ObjectiveDeck, ...]
    """The deck of objectives. In advanced mode, the decks of missions and of rewards."""
    layout: Layout
    unseen: tuple[int, ...]
    """Landscape tiles that no viewer has seen: the navigation stack and the reserve, ascending."""
    stack: int = 0
    """The number of tiles in the navigation stack."""
    display: tuple[int, ...] = ()
    """Face-up landscape tiles, in the order in which they were turned up."""
    open_tiles: int = 0
    """Bit set of tiles in hands that all viewers have seen."""
    gone: tuple[int, ...] = ()
    """Landscape tiles that left the game (SMALL-EXPLORE-3)."""
    round: int = 0
    first: int = NOBODY
    """The seat that began the round. In the reward phase, the seat that began the reward phase."""
    chosen: int = 0
    """Bit set of seats that have chosen an objective for this round."""
    revealed: int = 0
    """Bit set of seats that have revealed their objective."""
    taken: int = NOTHING
    """The tile taken from the display in this turn."""
    picked: int = NOTHING
    """The tile of the hand that the seat is about to lay."""
    token: Bonus | None = None
    """The chosen bonus token, while the seat places it."""
    shows: Symbol | None = None
    """The symbol that the chosen token will show."""
    housed: Cell = NOTHING
    """The cell of the house whose reward is being decided."""
    discoveries: tuple[Discovery, ...] = ()
    end: End | None = None


def with_seat(state: State, me: int, seat: SeatState) -> tuple[SeatState, ...]:
    """Return all seats, with the one of number ``me`` replaced."""
    seats = [*state.seats]
    seats[me] = seat
    return tuple(seats)


def with_cards(deck: ObjectiveDeck, me: int, cards: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the cards of all seats, with those of seat ``me`` replaced."""
    held = [*deck.cards]
    held[me] = cards
    return tuple(held)


def cards_of(state: State, seat: int, role: int) -> tuple[int, ...]:
    """Return the seat's card of each kind in that role: CHOSEN, ASIDE or RETURNED. The seat must have chosen."""
    cards = []
    for deck in state.decks:  # A comprehension over one or two decks takes twice as long.
        cards.append(deck.cards[seat][role])
    return tuple(cards)


def held_by(state: State, seat: int) -> tuple[int, ...]:
    """Return all cards of the seat, kind by kind."""
    return tuple([card for deck in state.decks for card in deck.cards[seat]])


def next_seat(state: State, seat: int) -> int:
    """Return the next seat clockwise."""
    return (seat + 1) % len(state.seats)


def reserve(state: State) -> int:
    """Return the number of tiles in the reserve."""
    return len(state.unseen) - state.stack


def houses_left(seat: SeatState) -> int:
    """Return the number of houses in the seat's reserve, without those at hand (SMALL-REWARD-4)."""
    return HOUSES_EACH - len(seat.houses) - seat.at_hand


def grey_ships_left(state: State) -> int:
    """Return the number of grey ships that are not placed (SMALL-SETUP-5)."""
    left = SHIPS - len(state.seats)
    for ship in state.table.ships:
        if ship.seat is None:
            left -= 1
    return left


def without(items: tuple[int, ...], item: int) -> tuple[int, ...]:
    """Return the items without the first one that equals ``item``. Raises ValueError if none does."""
    left = [*items]
    left.remove(item)
    return tuple(left)


def without_one_of(ascending: tuple[int, ...], item: int) -> tuple[int, ...]:
    """Return ascending numbers without ``item``. Raises ValueError if it is missing, TypeError if no number."""
    left, place = [*ascending], bisect_left(ascending, item)
    if place == len(left) or left.pop(place) != item:
        raise ValueError(f"{item} is not among {ascending}")
    return tuple(left)


def with_one_more(ascending: tuple[int, ...], item: int) -> tuple[int, ...]:
    """Return ascending numbers with ``item`` added."""
    more = [*ascending, item]
    more.sort()
    return tuple(more)
