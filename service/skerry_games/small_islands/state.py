"""The position: immutable, and with all that anybody knows in it. ``view.py`` says who sees what.

Nobody knows the order of a pile, so there is none: what is undrawn is a set, and drawing is a move of chance. Somebody
may know what he once saw (a card that he returned, a discovery token that he put back), so that is kept.
"""

from __future__ import annotations

from bisect import bisect_left
from enum import IntEnum
from typing import Final

from msgspec import Struct

from skerry_games.small_islands.components import COMPONENTS, EDITIONS, Bonus, Symbol
from skerry_games.small_islands.tabletop.cells import DEFAULT_SIZE, Cell
from skerry_games.small_islands.tabletop.table import GREY, Table

SEATS: Final = (2, 3, 4)
"""The numbers of seats that can play (SMALL-SETUP-1)."""
# SMALL-SETUP-2, SMALL-SETUP-3, SMALL-SETUP-5: what there is of each piece.
HAND: Final = 2
DISPLAY: Final = 3
STACK: Final = 6
SHIPS: Final = 4
HOUSES_EACH: Final = 8
AT_HAND: Final = 4
CARDS_EACH: Final = 3
"""From so many cards of a kind a seat chooses (SMALL-PREP-2)."""
ALL_TOKENS: Final = sum(1 << token for token in COMPONENTS.bonus_tokens)
"""Sets of bonus tokens, of seats and of tiles are bit sets of their numbers."""

NOBODY: Final = -1
"""Stands for no seat."""
NOTHING: Final = -1
"""Stands for no tile and for no cell."""


class Mode(IntEnum):
    """What objectives are made of (SMALL-SETUP-1)."""

    NORMAL = 1
    ADVANCED = 2


class Layout(IntEnum):
    """Who lays the starting tiles (SMALL-SETUP-4)."""

    FIXED = 1
    FREE = 2


class Phase(IntEnum):
    """What has to happen next. The phases up to ``LAST_CHANCE_PHASE`` are chance's."""

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
    """Which condition ended the game, or will end it after this reward phase."""

    RESERVE = 1
    STUCK = 2
    SHIPS = 3


class Options(Struct, frozen=True):
    """How a game is set up. Without a start seat, it is drawn."""

    edition: str = EDITIONS[0]
    mode: Mode = Mode.NORMAL
    start_layout: Layout = Layout.FIXED
    table_size: int = DEFAULT_SIZE
    start_seat: int | None = None


class SeatState(Struct, frozen=True, array_like=True, gc=False):
    """What one seat has."""

    score: int = 0
    hand: tuple[int, ...] = ()
    """Landscape tiles, ascending."""
    tokens: int = ALL_TOKENS
    """Bit set of the bonus tokens that it has left."""
    houses: tuple[Cell, ...] = ()
    """Where its houses are, in the order of placing."""
    at_hand: int = AT_HAND
    """Houses that it may place before it takes new ones from its reserve."""
    ship: Cell = NOTHING
    """Where its own ship lies."""
    laid: int = 0
    """How much lay on the table when it had laid its latest landscape tile or ship (SMALL-TIE-1); 0 before that."""


Trio = tuple[int, int, int]
"""A card chosen for the round, one put aside, one returned."""
CHOSEN, ASIDE, RETURNED = range(3)


class ObjectiveDeck(Struct, frozen=True, array_like=True, gc=False):
    """Cards of one kind, called by their number among all cards."""

    pile: tuple[int, ...]
    """Undrawn cards, ascending."""
    cards: tuple[tuple[int, ...], ...]
    """Of each seat. While it chooses: the card that it had put aside, then those drawn. After that: a Trio."""
    past: tuple[tuple[Trio, ...], ...] = ()
    """What each seat did with its cards in the rounds before: each knows of itself, and all know what was chosen."""


class Discovery(Struct, frozen=True, array_like=True, gc=False):
    """Discovery tokens that were drawn at once, by value, ascending. Only who drew them has seen them."""

    seat: int
    drawn: tuple[int, ...]
    kept: int = 0
    """0 until one is chosen."""


class State(Struct, frozen=True, array_like=True, gc=False):
    """A position. Packed as an array: the order of the fields is the format of stored games."""

    phase: Phase
    turn: int
    """The seat that acts, or for which chance acts; NOBODY while that is no single one."""
    seats: tuple[SeatState, ...]
    table: Table
    decks: tuple[ObjectiveDeck, ...]
    """Objectives; in advanced mode missions and rewards."""
    layout: Layout
    unseen: tuple[int, ...]
    """Landscape tiles that nobody has seen: the navigation stack and the reserve, ascending."""
    stack: int = 0
    """How many of them are the navigation stack."""
    display: tuple[int, ...] = ()
    """Landscape tiles that lie face up, in the order in which they were turned up."""
    open_tiles: int = 0
    """Bit set of the tiles in hands that everybody has seen."""
    gone: tuple[int, ...] = ()
    """Landscape tiles that left the game (SMALL-EXPLORE-3)."""
    round: int = 0
    first: int = NOBODY
    """The seat that began the round, and in the reward phase the one that began that."""
    chosen: int = 0
    """Bit set of the seats that have chosen an objective for this round."""
    revealed: int = 0
    """Bit set of the seats that have revealed it."""
    taken: int = NOTHING
    """The tile that was taken from the display in this turn."""
    picked: int = NOTHING
    """The tile of the hand that is being laid."""
    token: Bonus | None = None
    """The bonus token that is being placed ..."""
    shows: Symbol | None = None
    """... and what it will show."""
    housed: Cell = NOTHING
    """The house whose reward is being decided."""
    discoveries: tuple[Discovery, ...] = ()
    end: End | None = None


def with_seat(state: State, me: int, seat: SeatState) -> tuple[SeatState, ...]:
    """Return the seats with one of them changed."""
    seats = [*state.seats]
    seats[me] = seat
    return tuple(seats)


def with_cards(deck: ObjectiveDeck, me: int, cards: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the cards of all seats with those of one changed."""
    held = [*deck.cards]
    held[me] = cards
    return tuple(held)


def cards_of(state: State, seat: int, role: int) -> tuple[int, ...]:
    """Return the seat's cards of all kinds that are CHOSEN, ASIDE or RETURNED, once it has chosen."""
    cards = []
    for deck in state.decks:  # A comprehension over one or two takes twice as long.
        cards.append(deck.cards[seat][role])
    return tuple(cards)


def held_by(state: State, seat: int) -> tuple[int, ...]:
    """Return all cards of the seat, kind by kind."""
    return tuple([card for deck in state.decks for card in deck.cards[seat]])


def next_seat(state: State, seat: int) -> int:
    """Return the next seat clockwise."""
    return (seat + 1) % len(state.seats)


def reserve(state: State) -> int:
    """Return how many tiles are in the reserve."""
    return len(state.unseen) - state.stack


def houses_left(seat: SeatState) -> int:
    """Return how many houses are in the seat's reserve, beside those at hand (SMALL-REWARD-4)."""
    return HOUSES_EACH - len(seat.houses) - seat.at_hand


def grey_ships_left(state: State) -> int:
    """Return how many grey ships have not been placed (SMALL-SETUP-5)."""
    left = SHIPS - len(state.seats)
    for ship in state.table.ships:
        if ship.owner == GREY:
            left -= 1
    return left


def without(items: tuple[int, ...], item: int) -> tuple[int, ...]:
    """Return the items without the first one that equals ``item``. Raises ValueError if none does."""
    left = [*items]
    left.remove(item)
    return tuple(left)


def without_one_of(ascending: tuple[int, ...], item: int) -> tuple[int, ...]:
    """Return ascending numbers without one of them. Raises ValueError if it is none of them, TypeError if no number."""
    left, place = [*ascending], bisect_left(ascending, item)
    if place == len(left) or left.pop(place) != item:
        raise ValueError(f"{item} is not among {ascending}")
    return tuple(left)


def with_one_more(ascending: tuple[int, ...], item: int) -> tuple[int, ...]:
    """Return ascending numbers with one more."""
    more = [*ascending, item]
    more.sort()
    return tuple(more)
