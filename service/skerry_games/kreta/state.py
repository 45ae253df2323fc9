"""The position: immutable, small, and free of secrets.

What follows from the board is derived; ``figures`` is the exception, because nearly every listing asks for it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.kreta.kreta_board import EDITIONS
from skerry_games.kreta.province_sets import ALL_FORTS, EVERYWHERE, ProvinceCounts, ProvinceSet, occupied, total

# KRETA-SETUP-2: what each seat has of each piece.
SHIPS: Final = 2
FORTS_EACH: Final = 3
VILLAGES: Final = 4
VILLAGERS: Final = 5
ABBOTS: Final = 1

# KRETA-SETUP-5: fort cards in the row, and how many of them lie face up.
ROW: Final = 11
FACE_UP: Final = 2
PILE: Final = ALL_FORTS.bit_count() - ROW

MOVEMENT_POINTS: Final = 4
NOBODY: Final = -1
"""``State.turn`` until the start seat is known."""


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


# KRETA-SETUP-4: agriculture tiles of each kind.
TILES: Final = {Tile.WHEAT: 2, Tile.OLIVE: 4, Tile.WINE: 4, Tile.THYME: 3, Tile.CHEESE: 3}


class Phase(IntEnum):
    """What has to happen next. The phases up to ``LAST_CHANCE_PHASE`` are chance's."""

    DEAL_HILLS = 1
    DEAL_MOUNTAINS = 2
    TURN_UP = 3
    REPLACEMENT = 4
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
REPLACEMENT: Final = Phase.REPLACEMENT
TURN_UP: Final = Phase.TURN_UP

FULL_HAND: Final = sum(1 << card for card in KretaCard)
"""Sets of cards are bit sets of their numbers."""


class Options(Struct, frozen=True):
    """How a game is set up. Without a start seat, it is drawn."""

    edition: str = EDITIONS[0]
    start_seat: int | None = None


class SeatState(Struct, frozen=True, array_like=True, gc=False):
    """What one seat has on the board, in hand, and before it."""

    villagers: ProvinceCounts = 0
    villages: ProvinceCounts = 0
    abbot: ProvinceSet = 0
    """Where the abbot is; empty while it is in the supply."""
    ships: ProvinceSet = 0
    forts: int = 0
    """Bit set of fort spaces."""
    hand: int = FULL_HAND
    """Bit set of cards; all others lie on the table."""
    harvested: tuple[int, ...] = (0,) * len(Tile)
    """Tiles of each kind, in the order of ``Tile``."""
    score: int = 0


class State(Struct, frozen=True, array_like=True, gc=False):
    """A position. Packed as an array: the order of the fields is the format of stored games."""

    phase: Phase
    turn: int
    """The seat whose turn it is; NOBODY until it is known."""
    seats: tuple[SeatState, ...]
    figures: ProvinceCounts = 0
    """Abbots, villagers and villages of all seats together; at most 7 in a province."""
    tiles: ProvinceCounts = 0
    """The kind of tile in each province; 0 where there is none."""
    row: tuple[int, ...] = ()
    """Fort cards that lie face up, leftmost first."""
    unseen: int = ALL_FORTS
    """Bit set of the fort cards that have not been turned up. Undrawn: nobody knows their order."""
    buried: int = 0
    """Bit set of the fort cards that were put under the pile."""
    scorings: int = 0
    action: KretaCard | None = None
    """The card being carried out, the copied one for a king."""
    points: int = 0
    """Movement points left while villagers may march."""
    began: ProvinceCounts = 0
    """The acting seat's villagers when its march began (KRETA-COMMANDER-5)."""


def with_seat(state: State, me: int, seat: SeatState) -> tuple[SeatState, ...]:
    """Return the seats with one of them changed."""
    seats = list(state.seats)
    seats[me] = seat
    return tuple(seats)


def end_turn(state: State) -> State:
    """Return the state in which the next seat clockwise plays a card (KRETA-TURN-1)."""
    turn = (state.turn + 1) % len(state.seats)
    return replace(state, phase=PLAY_CARD, turn=turn, action=None, points=0, began=0)


def crowded(state: State) -> ProvinceSet:
    """Return the provinces that hold 7 figures (KRETA-COMMANDER-3): no count is greater, so all three bits are set."""
    figures = state.figures
    return figures & figures >> 1 & figures >> 2 & EVERYWHERE


def with_tiles(state: State) -> ProvinceSet:
    """Return the provinces whose tile has not been harvested."""
    return occupied(state.tiles)


def forts_built(state: State) -> int:
    """Return the bit set of fort spaces that are taken."""
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
    """Return how many cards of the row lie face down."""
    replaced = state.phase is REPLACEMENT
    return ROW - state.scorings - len(state.row) - replaced


def pile(state: State) -> int:
    """Return how many fort cards lie in the pile; one more while a replaced card's substitute is drawn from it."""
    return PILE + (state.phase is REPLACEMENT)


def scored_forts(state: State) -> int:
    """Return the bit set of the fort cards that were scored."""
    shown = ALL_FORTS & ~state.unseen & ~state.buried
    for number in state.row:
        shown &= ~(1 << number)
    return shown
