"""Advice to a beginner at Kreta, as points that a position is worth. Beside each figure stands what it advises."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from skerry_games.advice import Advice, ExpectedPoints
from skerry_games.kreta.actions.castellan import awards, influence
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.province_sets import FORT_PROVINCES, PROVINCES, count_at, fort_numbers, unpacked
from skerry_games.kreta.state import GAME_OVER, State, face_down

NEXT: Final = 0.8
"""Be first where the castellan scores next: that is nearly as good as points."""
AFTER_NEXT: Final = 0.7
"""Be first where the other open fort card scores: there is less time for others to come."""
LATER: Final = 0.35
"""Be first in provinces of whose fort spaces many may still come up: for this part of what they would bring."""
TILE: Final = 0.5
"""Harvest: with each tile the next of its kind brings more, and a village more may be built."""
CARD: Final = 0.15
"""Keep cards in hand: each is something that you can still do before you have to call the castellan."""
LEAD: Final = 6.0

_VALUES: Final = tuple(province.value for province in BOARD.provinces)


def worth(state: State) -> ExpectedPoints:
    """Return what the position is worth to each seat."""
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
    """Return for each province which part of what it would award now can be expected from scorings to come.

    ``hidden``: how many fort cards of the row lie face down; each is any of the unseen ones.
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
