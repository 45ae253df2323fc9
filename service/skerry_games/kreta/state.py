"""The state of a game. States are immutable and hide nothing.

Values that follow from other fields are computed. ``figures`` is stored, because most listings of moves need it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.kreta.kreta_board import BOARD, EDITIONS
from skerry_games.kreta.province_sets import ALL_FORTS, EVERYWHERE, ProvinceCounts, ProvinceSet, occupied, total

# KRETA-SETUP-2: pieces of each seat.
SHIPS: Final = 2
FORTS_EACH: Final = 3
VILLAGES: Final = 4
VILLAGERS: Final = 5
ABBOTS: Final = 1

# KRETA-SETUP-5: fort cards in the row, and how many of them are face up.
ROW: Final = 11
FACE_UP: Final = 2
PILE: Final = ALL_FORTS.bit_count() - ROW

MOVEMENT_POINTS: Final = 4
NOBODY: Final = -1
"""The value of ``State.turn`` until the start seat is set."""


class KretaCard(IntEnum):
    """A character card. Each seat owns one of each (KRETA-SETUP-3)."""

    KING = 1
    ARCHITECT = 2
    ADMIRAL = 3
    COMMANDER = 4
    CASTELLAN = 5
    ABBOT = 6
    FARMER = 7


# Reading a member through its class costs as much as a rule (81 ns).
KING: Final = KretaCard.KING
CASTELLAN: Final = KretaCard.CASTELLAN


class Tile(IntEnum):
    """A kind of agriculture tile."""

    WHEAT = 1
    OLIVE = 2
    WINE = 3
    THYME = 4
    CHEESE = 5


# KRETA-SETUP-4: the number of agriculture tiles of each kind.
TILES: Final = {tile: BOARD.tiles[tile.name.lower()] for tile in Tile}


class Phase(IntEnum):
    """The next decision. Chance decides in the phases up to ``LAST_CHANCE_PHASE``."""

    DEAL_HILLS = 1
    DEAL_MOUNTAINS = 2
    TURN_UP = 3
    TURN_UP_REPLACEMENT = 4
    START_SEAT = 5
    PLAY_CARD = 6
    ACTION = 7
    MARCH = 8
    KEEP_OR_REPLACE = 9
    OVER = 10


LAST_CHANCE_PHASE: Final = Phase.START_SEAT
# Reading a member through its class costs as much as a rule (81 ns).
ACTION: Final = Phase.ACTION
GAME_OVER: Final = Phase.OVER
KEEP_OR_REPLACE: Final = Phase.KEEP_OR_REPLACE
PLAY_CARD: Final = Phase.PLAY_CARD
REPLACEMENT: Final = Phase.TURN_UP_REPLACEMENT
TURN_UP: Final = Phase.TURN_UP

FULL_HAND: Final = sum(1 << card for card in KretaCard)
"""All cards. A set of cards is a bit set of their numbers."""


class Options(Struct, frozen=True):
    """The options of a game. If ``start_seat`` is ``None``, chance draws the start seat."""

    edition: str = EDITIONS[0]
    start_seat: int | None = None


class SeatState(Struct, frozen=True, array_like=True, gc=False):
    """The pieces, cards, tiles and points of one seat."""

    villagers: ProvinceCounts = 0
    villages: ProvinceCounts = 0
    abbot: ProvinceSet = 0
    """The abbot's province. Empty while the abbot is in the supply."""
    ships: ProvinceSet = 0
    forts: int = 0
    """Bit set of fort spaces."""
    hand: int = FULL_HAND
    """Bit set of cards. All other cards are on the table."""
    harvested: tuple[int, ...] = (0,) * len(Tile)
    """Number of tiles of each kind, in the order of ``Tile``."""
    score: int = 0


class State(Struct, frozen=True, array_like=True, gc=False):
    """The state of a game. Stored games encode it as an array, so the order of the fields is part of their format."""

    phase: Phase
    turn: int
    """The seat whose turn it is. NOBODY until the start seat is set."""
    seats: tuple[SeatState, ...]
    figures: ProvinceCounts = 0
    """The total of abbots, villagers and villages of all seats. At most 7 per province."""
    tiles: ProvinceCounts = 0
    """The kind of tile in each province. 0 means no tile."""
    row: tuple[int, ...] = ()
    """Face-up fort cards of the row, leftmost first."""
    unseen: int = ALL_FORTS
    """Bit set of fort cards that were never turned up. Their order is not part of the state: chance draws them."""
    buried: int = 0
    """Bit set of fort cards that were put under the pile."""
    scorings: int = 0
    action: KretaCard | None = None
    """The card whose action is being carried out. For a king, the copied card."""
    points: int = 0
    """Movement points left after a march. 0 before the first march."""
    began: ProvinceCounts = 0
    """The acting seat's villagers before its first march (KRETA-COMMANDER-5). 0 outside a march."""


def with_seat(state: State, me: int, seat: SeatState) -> tuple[SeatState, ...]:
    """Return all seats, with the one of number ``me`` replaced."""
    seats = list(state.seats)
    seats[me] = seat
    return tuple(seats)


def end_turn(state: State) -> State:
    """Return the state in which the next seat clockwise plays a card (KRETA-TURN-1)."""
    turn = (state.turn + 1) % len(state.seats)
    return replace(state, phase=PLAY_CARD, turn=turn, action=None, points=0, began=0)


def crowded(state: State) -> ProvinceSet:
    """Return the provinces with 7 figures, the maximum (KRETA-COMMANDER-3): those with all three bits set."""
    figures = state.figures
    return figures & figures >> 1 & figures >> 2 & EVERYWHERE


def with_tiles(state: State) -> ProvinceSet:
    """Return the provinces that have a tile."""
    return occupied(state.tiles)


def forts_built(state: State) -> int:
    """Return the bit set of fort spaces with a fort."""
    taken = 0
    for seat in state.seats:
        taken |= seat.forts
    return taken


def villagers_left(seat: SeatState) -> int:
    """Return how many villagers are in the seat's supply."""
    return VILLAGERS - total(seat.villagers)


def villages_left(seat: SeatState) -> int:
    """Return how many villages are in the seat's supply."""
    return VILLAGES - total(seat.villages)


def ships_left(seat: SeatState) -> int:
    """Return how many ships are in the seat's supply."""
    return SHIPS - seat.ships.bit_count()


def forts_left(seat: SeatState) -> int:
    """Return how many forts are in the seat's supply."""
    return FORTS_EACH - seat.forts.bit_count()


def face_down(state: State) -> int:
    """Return how many cards of the row are face down."""
    replaced = state.phase is REPLACEMENT
    return ROW - state.scorings - len(state.row) - replaced


def pile(state: State) -> int:
    """Return how many fort cards are in the pile: one more until the replacement of a card has been drawn."""
    return PILE + (state.phase is REPLACEMENT)


def scored_forts(state: State) -> int:
    """Return the bit set of scored fort cards."""
    shown = ALL_FORTS & ~state.unseen & ~state.buried
    for number in state.row:
        shown &= ~(1 << number)
    return shown
