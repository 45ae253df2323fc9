"""Advice to a beginner at Islas Canarias, as points that a position is worth.

Beside each figure stands what it advises.
"""

from __future__ import annotations

from typing import Final

from skerry_games.advice import Advice, ExpectedPoints
from skerry_games.canarias.actions.ship_arrival import choice
from skerry_games.canarias.printed.cards import FIRST_PIRATE
from skerry_games.canarias.printed.terms import HOUSE
from skerry_games.canarias.state import GAME_OVER, NOBODY, SeatState, State, is_pirate, score

CARD: Final = 0.3
"""Have cards to build from, and one that suits you for each ship ..."""
ENOUGH: Final = 5
"""... but no more than so many: what is built counts, not what is held."""
PAIR: Final = 0.5
"""Collect houses of the same colour: two can become a palace whenever you want."""
SQUARE: Final = 0.2
"""Keep room on your island."""
PRIVILEGE: Final = 0.8
"""Take privileges, above all those that others are about to take."""
SETTLER: Final = 0.7
"""Put settlers on the ship that will choose your island: somebody else may get there first, but it costs no turn."""
ROBBED: Final = 0.6
"""Put a pirate on the ship against another's privilege."""
LEAD: Final = 3.0


def worth(state: State) -> ExpectedPoints:
    """Return what the position is worth to each seat."""
    worths = [float(score(seat)) for seat in state.seats]
    if state.phase is GAME_OVER:
        return tuple(worths)
    if not state.last:
        for me, seat in enumerate(state.seats):
            worths[me] += _means(seat, state.owed if me == state.turn else 0)
    for owner in state.privileges:
        if owner != NOBODY:
            worths[owner] += PRIVILEGE
    if state.piece == HOUSE:
        worths[state.actor] += 1  # it is as good as built
    _add_ship(state, worths)
    return tuple(worths)


def _means(seat: SeatState, owed: int) -> float:
    """Return what helps the seat in later rounds; ``owed``: how many cards it is drawing."""
    pairs = sum([houses & (houses - 1) != 0 for houses in seat.houses])
    return CARD * min(len(seat.hand) + owed, ENOUGH) + PAIR * pairs + SQUARE * seat.free.bit_count()


def _add_ship(state: State, worths: list[float]) -> None:
    """Add what the ship brings if its cards find the islands as they are."""
    for card, _ in state.ship:
        if is_pirate(card):
            owner = state.privileges[card - FIRST_PIRATE]
            if owner != NOBODY:
                worths[owner] -= ROBBED
        elif (winner := choice(state, card).winner) is not None:
            worths[winner] += SETTLER


ADVICE: Final = Advice(worth, LEAD)
