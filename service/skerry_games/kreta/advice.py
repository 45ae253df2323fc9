"""Advice for beginners at Kreta, as an estimate in points. Each weight states its advice in its docstring."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from skerry_games.evaluation import Advice, ExpectedPoints
from skerry_games.kreta.actions.castellan import awards, influence
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.province_sets import FORT_PROVINCES, PROVINCES, count_at, fort_numbers, unpacked
from skerry_games.kreta.state import GAME_OVER, State, face_down

NEXT: Final = 0.8
"""Have the most influence where the castellan scores next. That is nearly as good as points."""
AFTER_NEXT: Final = 0.7
"""Have the most influence where the second face-up fort card scores. Other players have time to react."""
LATER: Final = 0.35
"""Have the most influence in provinces with many unseen fort cards. Each counts with this share of its points."""
TILE: Final = 0.5
"""Harvest. Each tile makes the next tile of its kind worth more, and allows one more village."""
CARD: Final = 0.15
"""Keep cards in hand. Each is one more action before you must play the castellan."""
LEAD: Final = 6.0

_VALUES: Final = tuple(province.value for province in BOARD.provinces)


def worth(state: State) -> ExpectedPoints:
    """Return the estimated points of each seat."""
    seats = state.seats
    if state.phase is GAME_OVER:
        return tuple([seat.score for seat in seats])
    worths = [seat.score + TILE * sum(seat.harvested) + CARD * seat.hand.bit_count() for seat in seats]
    stakes = _stakes(state.row, state.unseen, face_down(state))
    shares = zip(*[unpacked(influence(seat)) for seat in seats], strict=True)
    for stake, value, share in zip(stakes, _VALUES, shares, strict=True):
        if stake and any(share):
            for seat, award in enumerate(awards(share, value)):
                worths[seat] += stake * award
    return tuple(worths)


@lru_cache(maxsize=1 << 12)
def _stakes(row: tuple[int, ...], unseen: int, hidden: int) -> tuple[float, ...]:
    """Return for each province the share of its current awards to expect from future scorings.

    ``hidden`` is the number of face-down fort cards in the row. Each can be any of the unseen cards.
    """
    numbers = fort_numbers(unseen)
    chances = dict.fromkeys(numbers, LATER * hidden / len(numbers)) if hidden else {}
    chances |= zip(row, (NEXT, AFTER_NEXT), strict=False)
    return tuple(
        [
            sum([chance for fort, chance in chances.items() if count_at(FORT_PROVINCES[fort], province)])
            for province in PROVINCES
        ]
    )


ADVICE: Final = Advice(worth, LEAD)
