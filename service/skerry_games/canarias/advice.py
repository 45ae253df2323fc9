"""Advice for beginners at Islas Canarias, as an estimate of points in a state. Each constant is one piece of advice."""

from __future__ import annotations

from typing import Final

from skerry_games.canarias.actions.ship_arrival import choose_island
from skerry_games.canarias.printed.cards import FIRST_PIRATE
from skerry_games.canarias.printed.terms import HOUSE
from skerry_games.canarias.state import GAME_OVER, NO_SEAT, SeatState, State, is_pirate, score
from skerry_games.evaluation import Advice, ExpectedPoints

CARD: Final = 0.3
"""Hold cards to build from, and a suitable one for each ship ..."""
ENOUGH: Final = 5
"""... but no more than this number: buildings count, not cards."""
PAIR: Final = 0.5
"""Collect houses of the same colour: two of them can become a palace in any turn."""
SQUARE: Final = 0.2
"""Keep empty squares on your island."""
PRIVILEGE: Final = 0.8
"""Take privileges, above all those that another seat is about to take."""
SETTLER: Final = 0.7
"""Put settlers on the ship that will choose your island. Another seat may win them, but they cost no turn."""
ROBBED: Final = 0.6
"""Put a pirate on the ship against the owner of a privilege."""
LEAD: Final = 3.0


def worth(state: State) -> ExpectedPoints:
    """Return the estimated points per seat."""
    worths = [float(score(seat)) for seat in state.seats]
    if state.phase is GAME_OVER:
        return tuple(worths)
    if not state.last:
        for me, seat in enumerate(state.seats):
            worths[me] += _means(seat, state.owed if me == state.turn else 0)
    for owner in state.privileges:
        if owner != NO_SEAT:
            worths[owner] += PRIVILEGE
    if state.piece == HOUSE:
        worths[state.actor] += 1  # the house is certain
    _add_ship(state, worths)
    return tuple(worths)


def _means(seat: SeatState, owed: int) -> float:
    """Return the value of cards, houses and squares for later rounds. ``owed``: cards still to be drawn."""
    pairs = sum([houses & (houses - 1) != 0 for houses in seat.houses])
    return CARD * min(len(seat.hand) + owed, ENOUGH) + PAIR * pairs + SQUARE * seat.free.bit_count()


def _add_ship(state: State, worths: list[float]) -> None:
    """Add the effects of the cards on the ship, as if they were turned up now."""
    for card, _ in state.ship:
        if is_pirate(card):
            owner = state.privileges[card - FIRST_PIRATE]
            if owner != NO_SEAT:
                worths[owner] -= ROBBED
        elif (winner := choose_island(state, card).winner) is not None:
            worths[winner] += SETTLER


ADVICE: Final = Advice(worth, LEAD)
