"""How a seat of Tenerife plays in a play-out: rules of thumb, with what the seat itself knows.

A move is drawn with weights. First the card, by what its character can gain in this round and by where it can still
lie, then the space.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from skerry_games.rng import Rng
from skerry_games.tenerife.actions.mason import plot_moves, town_moves
from skerry_games.tenerife.actions.merchant import destination_moves
from skerry_games.tenerife.actions.roads import destinations, farmers_symbols, foreign_mansions, has_room
from skerry_games.tenerife.actions.storage import warehouse_moves
from skerry_games.tenerife.actions.town_hall import split_of
from skerry_games.tenerife.moves import LAY, Move
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import (
    CHARACTER,
    NO_PLACE,
    NO_SEAT,
    Character,
    CharacterCard,
    Owners,
    Phase,
    State,
    at_hall,
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

_FINE: Final = 1 << 30
_VALUES: Final = tuple(space.value for space in BOARD.storage)
_TRANSPORTED: Final = (Character.MERCHANT, Character.EXPORTER)


def policy(state: State, me: int, rng: Rng) -> Move:
    """Draw a legal move of the acting seat."""
    if state.phase is Phase.LAY:
        return _lay(state, me, rng)
    if state.phase is Phase.CHOOSE_TOWN:
        return rng.choice(town_moves(state, me))
    listing, gain = _CHOICES[state.phase]
    moves = listing(state, me)
    gains = [gain(state, me, move) for move in moves]
    return moves[gains.index(max(gains))]


def _hall_points(state: State, me: int, move: Any) -> int:
    return split_of(with_item(state.hall, move.plot - 1, me), me)[0]


def _value(state: State, me: int, move: Any) -> int:
    return _VALUES[int(move.storage) - 1]


def _merchant_points(state: State, me: int, move: Any) -> int:
    return foreign_mansions(state, me, move.place)


_CHOICES: Final[dict[Phase, tuple[Callable[[State, int], Sequence[Move]], Callable[[State, int, Any], int]]]] = {
    Phase.CHOOSE_PLOT: (plot_moves, _hall_points),
    Phase.CHOOSE_WAREHOUSE: (warehouse_moves, _value),
    Phase.CHOOSE_DESTINATION: (destination_moves, _merchant_points),
}
"""For each decision of a character, the moves, and the points of a move. The best one is made."""


def _lay(state: State, me: int, rng: Rng) -> Move:
    """Draw a card and a space. Thieves have no space left at last, but then the seat holds another character too."""
    weights, cards = list[float](), list[tuple[CharacterCard, tuple[float, ...]]]()
    for card in state.seats[me].hand:
        character = CHARACTER[card]
        spaces, total = _spaces(state.owners, me, _kind(character))
        if total:
            cards.append((card, spaces))
            weights.append(_worth(state, me, character) * total)
    card, spaces = cards[_drawn(weights, rng)]
    return LAY[card][_drawn(spaces, rng)]


def _drawn(weights: Sequence[float], rng: Rng) -> int:
    """Return an index, drawn with these weights. At least one must be above 0."""
    mark = rng.below(_FINE) / _FINE * sum(weights)
    for number, weight in enumerate(weights):
        mark -= weight
        if mark < 0:
            return number
    return max(range(len(weights)), key=weights.__getitem__)


def _worth(state: State, me: int, character: Character) -> float:
    """Return the weight of a character by what it can gain in this round."""
    seat = state.seats[me]
    if character is Character.THIEVES:
        return THIEVES
    if character is Character.EXPORTER:
        return max(
            [value for value, owners in zip(_VALUES, state.storage, strict=True) if me in owners], default=USELESS
        )
    if character is Character.MERCHANT:
        places = (state.place,) if seat.merchant == NO_PLACE else destinations(state, me)
        return USELESS + max([foreign_mansions(state, me, place) for place in places])
    if not seat.mansions:
        return USELESS
    if character is Character.FARMER:
        return FARMER if state.place in farmers_symbols(state) else USELESS
    return MASON if at_hall(state) or has_room(state, state.place) else USELESS


def _kind(character: Character) -> int:
    """Return 0 for thieves, 1 for characters that need transport, and 2 for others."""
    return 0 if character is Character.THIEVES else 1 if character in _TRANSPORTED else 2


@lru_cache(maxsize=1 << 12)
def _spaces(owners: Owners, me: int, kind: int) -> tuple[tuple[float, ...], float]:
    """Return the weight of each space for a kind of character, and the sum."""
    last = len(owners) - 1
    weights = [0.0] * len(owners)
    for at, owner in enumerate(owners):
        if owner != NO_SEAT:
            continue
        if kind == 0:
            ahead = owners[at - 1] if at else me
            weights[at] = 0.0 if at == last else USELESS if ahead == me else AMBUSH if ahead == NO_SEAT else PREY
        else:
            early = 1.0 if kind == 2 else EARLY if at < len(owners) // 2 else LATE
            weights[at] = early * (SAFE if at == last or owners[at + 1] != NO_SEAT else 1.0)
    return tuple(weights), sum(weights)
