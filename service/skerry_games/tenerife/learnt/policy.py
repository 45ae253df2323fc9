"""How the seats of Tenerife play in a play-out: rules of thumb, with what each seat itself knows.

A card is drawn with weights, by what its character can gain in this round and by where it can still lie, and then its
space. What characters can gain does not change while cards are laid, and nobody sees what others lay. So a column is
filled at once, without the moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final

from msgspec.structs import replace

from skerry_games.api import Viewer
from skerry_games.evaluation import weighted
from skerry_games.rng import Rng
from skerry_games.tenerife.actions.activation import activate
from skerry_games.tenerife.actions.mason import plot_moves, town_moves
from skerry_games.tenerife.actions.merchant import destination_moves
from skerry_games.tenerife.actions.roads import destinations, farmers_symbols, foreign_mansions, has_room
from skerry_games.tenerife.actions.storage import warehouse_moves
from skerry_games.tenerife.actions.town_hall import split_of
from skerry_games.tenerife.moves import Move
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.rules import apply
from skerry_games.tenerife.state import (
    ACTIVATE,
    COLOUR,
    NO_PLACE,
    NO_SEAT,
    Character,
    Owners,
    Phase,
    State,
    at_hall,
    full_hand,
    revealed,
    with_item,
)

USELESS: Final = 0.1
"""The weight of a character that can gain nothing. It can still be a bluff."""
MASON: Final = 3.0
FARMER: Final = 2.5
THIEVES: Final = 1.0
SAFE: Final = 2.0
"""A space is better if no thieves can be laid behind it any more ..."""
EARLY: Final = 2.0
"""... and, for characters that need transport, in the first half of the column."""
LATE: Final = 0.5
AMBUSH: Final = 1.0
PREY: Final = 3.0
"""Thieves belong behind a card of another seat."""

_VALUES: Final = tuple(space.value for space in BOARD.storage)
_TRANSPORTED: Final = (Character.MERCHANT, Character.EXPORTER)
_LAY: Final = Phase.LAY


def play_on(state: State, rng: Rng) -> State:
    """Play on until the column is empty again. A seat must be to act."""
    while True:
        state = activate(filled(state, rng), ())[0] if state.phase is _LAY else _decide(state, rng)
        if not any(state.cards):
            return state


def _decide(state: State, rng: Rng) -> State:
    """Return the state after the best move of a character's decision, by the points that it scores at once."""
    listing, gain = _CHOICES[state.phase]
    me = state.turn
    moves = listing(state, me)
    gains = [gain(state, me, move) for move in moves]
    return apply(state, me, moves[gains.index(max(gains))] if any(gains) else rng.choice(moves))[0]


def _hall_points(state: State, me: int, move: Any) -> int:
    return split_of(with_item(state.hall, move.plot - 1, me), me)[0]


def _no_points(state: State, me: int, move: Any) -> int:
    return 0


def _value(state: State, me: int, move: Any) -> int:
    return _VALUES[int(move.storage) - 1]


def _merchant_points(state: State, me: int, move: Any) -> int:
    return foreign_mansions(state, me, move.place)


_CHOICES: Final[dict[Phase, tuple[Callable[[State, int], Sequence[Move]], Callable[[State, int, Any], int]]]] = {
    Phase.CHOOSE_PLOT: (plot_moves, _hall_points),
    Phase.CHOOSE_TOWN: (town_moves, _no_points),
    Phase.CHOOSE_WAREHOUSE: (warehouse_moves, _value),
    Phase.CHOOSE_DESTINATION: (destination_moves, _merchant_points),
}
"""For each decision of a character, the moves, and the points of a move. The best one is made."""


def filled(state: State, rng: Rng) -> State:
    """Return the state with cards below all spaces, before the characters act."""
    seats, owners, cards = state.seats, [*state.owners], [*state.cards]
    hands = [[*seat.hand] for seat in seats]
    worths = [_worths(state, me) for me in range(len(seats))]
    me = state.turn
    for _ in range(owners.count(NO_SEAT)):
        hand, worth = hands[me], worths[me]
        kinds = _spaces(tuple(owners), me)
        weights = list(accumulate([worth[card] * kinds[_KIND[card]][-1] for card in hand]))
        card = hand.pop(weighted(weights, rng))
        at = weighted(kinds[_KIND[card]], rng)
        owners[at], cards[at] = me, card
        me = me + 1 if me + 1 < len(seats) else 0
    left = tuple([replace(seat, hand=tuple(hand)) for seat, hand in zip(seats, hands, strict=True)])
    return replace(state, phase=ACTIVATE, turn=me, seats=left, owners=tuple(owners), cards=tuple(cards), vacant=0)


def _worths(state: State, me: int) -> tuple[float, ...]:
    """Return the weight of each card of a seat by what it can gain in this round. There is no card 0."""
    seat = state.seats[me]
    exporter = max(
        [value for value, owners in zip(_VALUES, state.storage, strict=True) if me in owners], default=USELESS
    )
    places = (state.place,) if seat.merchant == NO_PLACE else destinations(state, me)
    merchant = USELESS + max([foreign_mansions(state, me, place) for place in places])
    mason = farmer = USELESS
    if seat.mansions:
        if at_hall(state) or has_room(state, state.place):
            mason = MASON
        if state.place in farmers_symbols(state):
            farmer = FARMER
    return 0.0, mason, farmer, merchant, exporter, THIEVES, mason, farmer, THIEVES


_KIND: Final = (0, 2, 2, 1, 1, 0, 2, 2, 0)
"""For each card 0 for thieves, 1 for a character that needs transport, and 2 for others."""


@lru_cache(maxsize=1 << 12)
def _spaces(owners: Owners, me: int) -> tuple[tuple[float, ...], ...]:
    """Return the weights of the spaces for each kind of card, as sums so far."""
    last = len(owners) - 1
    weights = [[0.0] * len(owners) for _ in range(3)]
    for at, owner in enumerate(owners):
        if owner != NO_SEAT:
            continue
        ahead = owners[at - 1] if at else me
        weights[0][at] = 0.0 if at == last else USELESS if ahead == me else AMBUSH if ahead == NO_SEAT else PREY
        weights[2][at] = SAFE if at == last or owners[at + 1] != NO_SEAT else 1.0
        weights[1][at] = weights[2][at] * (EARLY if at < len(owners) // 2 else LATE)
    return tuple([tuple(accumulate(each)) for each in weights])


def plausible(state: State, viewer: Viewer, rng: Rng) -> State:
    """Return the state with the hidden cards of other seats dealt anew, by how often these rules lay them there."""
    if revealed(state) or not any(state.cards):
        return state
    cards, seats = [*state.cards], [*state.seats]
    for seat in range(len(seats)):
        laid = [(at, COLOUR[card]) for at, card in enumerate(cards) if card and state.owners[at] == seat]
        if seat == viewer or not laid:
            continue
        hand, worths = [*full_hand(state.turbulent)], _worths(state, seat)
        # The last space first: thieves cannot lie there, and may be all that is left.
        for at, colour in reversed(laid):
            places = _likely(state.owners, seat, at)
            weights = accumulate([(COLOUR[card] is colour) * worths[card] * places[_KIND[card]] for card in hand])
            cards[at] = hand.pop(weighted(list(weights), rng))
        seats[seat] = replace(seats[seat], hand=tuple(hand))
    return replace(state, seats=tuple(seats), cards=tuple(cards))


def _likely(owners: Owners, me: int, at: int) -> tuple[float, float, float]:
    """Return the weight of each kind of card below a space of the seat. It may have been laid before those around."""
    ahead = owners[at - 1] if at else me
    prey = USELESS if ahead == me else AMBUSH if ahead == NO_SEAT else (AMBUSH + PREY) / 2
    return 0.0 if at == len(owners) - 1 else prey, EARLY if at < len(owners) // 2 else LATE, 1.0
