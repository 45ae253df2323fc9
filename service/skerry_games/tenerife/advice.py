"""Advice for beginners at Tenerife, as an estimate of points in a state. Each constant is one piece of advice."""

from __future__ import annotations

from typing import Final

from skerry_games.evaluation import Advice, ExpectedPoints
from skerry_games.tenerife.actions.roads import destinations, farmers_symbols, foreign_mansions, has_room
from skerry_games.tenerife.actions.town_hall import split_of
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import (
    CHARACTER,
    GAME_OVER,
    NO_PLACE,
    NO_SEAT,
    THIEVES,
    Character,
    CharacterCard,
    State,
    at_hall,
)

MANSION: Final = 2.0
"""Lay a mason when the town has a free plot: 2 points."""
ELEMENT: Final = 1.7
"""In the Town Hall a mason scores nothing at once, but elements in a line score at the end."""
STORED: Final = 0.6
"""A warehouse is worth this share of its goods, because they still have to be sold."""
EXPOSED: Final = 0.7
"""In front of a vacant space a character is worth this share, because thieves may follow."""
AMBUSH: Final = 1.0
"""Lay thieves behind a vacant space: a character may follow in front of them."""
LOOT: Final = 2.0
"""Lay thieves behind a mason or a merchant of another seat: their gain becomes yours."""
LEAD: Final = 5.0

_VALUES: Final = tuple(space.value for space in BOARD.storage)
_TRANSPORTED: Final = (Character.MERCHANT, Character.EXPORTER)


def worth(state: State) -> ExpectedPoints:
    """Return the estimated points per seat."""
    if state.phase is GAME_OVER:
        return tuple([seat.score for seat in state.seats])
    worths = [float(seat.score) for seat in state.seats]
    for me in set(state.hall).intersection(range(len(worths))):
        worths[me] += split_of(state.hall, me)[0]
    for value, owners in zip(_VALUES, state.storage, strict=True):
        for owner in owners:
            worths[owner] += STORED * value
    _add_column(state, worths)
    return tuple(worths)


def _add_column(state: State, worths: list[float]) -> None:
    """Add the estimated gains of the characters in the column that have not acted."""
    cards, owners = state.cards, state.owners
    transport = state.transport_spaces - len(state.transport)
    for at in range(max(0, state.active - 1), len(cards)):
        card, owner = cards[at], owners[at]
        if card is None:
            continue
        if card in THIEVES:
            if at and cards[at - 1] is None:
                worths[owner] += AMBUSH
            continue
        character, robber = CHARACTER[card], robber_of(state, at)
        if character is not Character.FARMER and robber not in (NO_SEAT, owner):
            worths[robber] += _loot(state, owner, character)
            continue
        gain = _gain(state, owner, character)
        if gain and character in _TRANSPORTED:
            transport -= 1
            if transport < 0:  # TENERIFE-TRANSPORT-1: lay characters that need transport in front.
                continue
        worths[owner] += gain * (EXPOSED if _is_exposed(cards, at) else 1.0)


def _is_exposed(cards: tuple[CharacterCard | None, ...], at: int) -> bool:
    return at + 1 < len(cards) and cards[at + 1] is None


def robber_of(state: State, at: int) -> int:
    """Return the owner of the last thieves in the row behind a character, or NO_SEAT."""
    cards, thieves = state.cards, at
    while thieves + 1 < len(cards) and cards[thieves + 1] in THIEVES:
        thieves += 1
    return state.owners[thieves] if thieves > at else NO_SEAT


def _loot(state: State, victim: int, character: Character) -> float:
    """Return the gain of thieves that rob this character."""
    if character is Character.EXPORTER:
        return min(_goods(state, victim), default=0)
    return LOOT


def _goods(state: State, seat: int) -> list[int]:
    """Return the values of the seat's warehouses."""
    return [value for value, owners in zip(_VALUES, state.storage, strict=True) if seat in owners]


def _gain(state: State, owner: int, character: Character) -> float:
    """Return the gain of a character that no thieves rob."""
    if character is Character.MERCHANT:
        places = destinations(state, owner) if state.seats[owner].merchant != NO_PLACE else (state.place,)
        return max([foreign_mansions(state, owner, place) for place in places])
    if character is Character.EXPORTER:
        return (1 - STORED) * max(_goods(state, owner), default=0)
    if not state.seats[owner].mansions:
        return 0.0
    if character is Character.FARMER:
        return STORED * _VALUES[state.farmhand - 1] if state.place in farmers_symbols(state) else 0.0
    if at_hall(state):
        return ELEMENT if NO_SEAT in state.hall else 0.0
    return MANSION if has_room(state, state.place) else 0.0


def settled(state: State) -> bool:
    """Return whether the column is empty. Otherwise the gains of its characters are not known yet."""
    return not any(state.cards)


ADVICE: Final = Advice(worth, LEAD, settled)
