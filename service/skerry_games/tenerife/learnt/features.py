"""What the learnt evaluation sees of a state of Tenerife, for each seat.

The weights are in ``weights.json``. All numbers are points or counts. Those of the column count what the laid cards can
still gain, as a search sees them: with sampled characters for the cards of other seats.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from skerry_games.evaluation import ExpectedPoints, Features
from skerry_games.tenerife.actions.mason import MANSION_POINTS
from skerry_games.tenerife.actions.roads import destinations, farmers_symbols, foreign_mansions, has_room
from skerry_games.tenerife.actions.thieves import MERCHANT_POINTS
from skerry_games.tenerife.actions.town_hall import best_split
from skerry_games.tenerife.advice import robber_of
from skerry_games.tenerife.learnt.policy import plausible, play_on
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import (
    CHARACTER,
    CLOSED,
    GAME_OVER,
    HALL_PLOTS,
    NO_PLACE,
    NO_SEAT,
    THIEVES,
    TOWNS,
    Character,
    CharacterCard,
    Owners,
    State,
    at_hall,
)

NAMES: Final = (
    "points",
    "mansions",
    "goods",
    "warehouses",
    "best_goods",
    "lowest_goods",
    "merchant",
    "merchant_unplaced",
    "hall",
    "hall_next",
    "starts",
    "to_lay",
    "gain",
    "exposed",
    "loot",
    "ambush",
    "risk",
)
_VALUES: Final = tuple(space.value for space in BOARD.storage)
_TRANSPORTED: Final = (Character.MERCHANT, Character.EXPORTER)
_COLUMN: Final = NAMES.index("gain")
_GAIN, _EXPOSED, _LOOT, _AMBUSH, _RISK = range(_COLUMN, len(NAMES))


def features(state: State) -> list[list[float]]:
    """Return the numbers of each seat, in the order of ``NAMES``."""
    goods = _goods(state.storage, len(state.seats))
    rows = [_own(state, me, goods[me]) for me in range(len(state.seats))]
    if any(state.cards):
        _add_column(state, goods, rows)
    return rows


def _own(state: State, me: int, goods: tuple[int, ...]) -> list[float]:
    """Return the numbers that do not depend on the column, and zeros for those that do."""
    seat, (hall, hall_next) = state.seats[me], _elements(state.hall, me)
    unplaced = seat.merchant == NO_PLACE
    return [
        seat.score,
        seat.mansions,
        sum(goods),
        len(goods),
        max(goods, default=0),
        min(goods, default=0),
        _mean_of_towns(state, me) if unplaced else _merchant_gain(state, me),
        unplaced,
        hall,
        hall_next if seat.mansions else 0.0,
        state.start == me,
        len(seat.hand),
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
    ]


@lru_cache(maxsize=1 << 12)
def _goods(storage: tuple[Owners, ...], seats: int) -> tuple[tuple[int, ...], ...]:
    """Return the values of the warehouses of each seat."""
    goods: list[list[int]] = [[] for _ in range(seats)]
    for value, owners in zip(_VALUES, storage, strict=True):
        for owner in owners:
            goods[owner].append(value)
    return tuple(map(tuple, goods))


@lru_cache(maxsize=1 << 12)
def _elements(hall: Owners, me: int) -> tuple[int, float]:
    """Return the points of the seat's elements, and how many one more element adds at best."""
    mine = sum([1 << plot for plot in HALL_PLOTS if hall[plot - 1] == me])
    points, _ = best_split(mine)
    free = [plot for plot in HALL_PLOTS if hall[plot - 1] == NO_SEAT]
    return points, max([best_split(mine | 1 << plot)[0] for plot in free], default=points) - points


def _merchant_gain(state: State, me: int) -> float:
    """Return the most points that the seat's merchant can score with its next move."""
    return max([foreign_mansions(state, me, place) for place in destinations(state, me)])


def _mean_of_towns(state: State, me: int) -> float:
    """Return the mean number of mansions of other seats in a town: the merchant starts in the current place."""
    return sum([foreign_mansions(state, me, town) for town in TOWNS]) / len(TOWNS)


def _add_column(state: State, goods: tuple[tuple[int, ...], ...], rows: list[list[float]]) -> None:
    """Add what the characters in the column that have not acted can gain, for the seats that gain it."""
    cards, owners = state.cards, state.owners
    transport = state.transport_spaces - len(state.transport)
    for at in range(max(0, state.active - 1), len(cards)):
        card, owner = cards[at], owners[at]
        if card is None:
            continue
        if card in THIEVES:
            rows[owner][_AMBUSH] += at > 0 and cards[at - 1] is None
            continue
        character, robber = CHARACTER[card], robber_of(state, at)
        if robber not in (NO_SEAT, owner) and character is not Character.FARMER:
            rows[robber][_LOOT] += _loot(character, goods[owner])
            rows[owner][_RISK] += character is Character.EXPORTER and min(goods[owner], default=0)
            continue
        gain = _gain(state, owner, character, goods[owner])
        if gain and character in _TRANSPORTED:
            transport -= 1
            if transport < 0:
                continue
        rows[owner][_EXPOSED if _is_exposed(cards, at, character) else _GAIN] += gain


def _is_exposed(cards: tuple[CharacterCard | None, ...], at: int, character: Character) -> bool:
    """Return whether thieves can still be laid directly behind the character, to rob it."""
    return at + 1 < len(cards) and cards[at + 1] is None and character is not Character.FARMER


def _loot(character: Character, goods: tuple[int, ...]) -> int:
    """Return the points of thieves that rob this character of a seat with these goods."""
    if character is Character.EXPORTER:
        return min(goods, default=0)
    return MANSION_POINTS if character is Character.MASON else MERCHANT_POINTS


def _gain(state: State, owner: int, character: Character, goods: tuple[int, ...]) -> float:
    """Return the gain in points of a character that no thieves rob. Goods count when they are stored, too."""
    seat = state.seats[owner]
    if character is Character.MERCHANT:
        return (
            foreign_mansions(state, owner, state.place) if seat.merchant == NO_PLACE else _merchant_gain(state, owner)
        )
    if character is Character.EXPORTER:
        return max(goods, default=0)
    if not seat.mansions:
        return 0.0
    if character is Character.FARMER:
        return _VALUES[state.farmhand - 1] / 2 if state.place in farmers_symbols(state) else 0.0
    if at_hall(state):
        return _elements(state.hall, owner)[1]
    return MANSION_POINTS if has_room(state, state.place) else 0.0


def _settled(state: State) -> bool:
    return not any(state.cards)


def _final(state: State) -> ExpectedPoints | None:
    return tuple([seat.score for seat in state.seats]) if state.phase is GAME_OVER else None


def _stage(state: State) -> int:
    """Return the number of towns that were turned up, plus the elements of the Town Hall, which ends the game."""
    elements = len(state.hall) - state.hall.count(NO_SEAT) - state.hall.count(CLOSED)
    return min(state.round, len(TOWNS)) + elements


_STAGES: Final = len(TOWNS) + len(HALL_PLOTS)
FEATURES: Final = Features(NAMES, features, _stage, _STAGES, _final, _settled, play_on, plausible, playouts=100)
