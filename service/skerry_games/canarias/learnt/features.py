"""What the learnt evaluation sees of a state of Islas Canarias, for each seat.

The weights are in ``weights.json``. Hands, and the cards on the ship, are those of the state: a search samples them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from skerry_games.canarias.actions.privileges import NEEDED
from skerry_games.canarias.actions.ship_arrival import GOAL, TIES
from skerry_games.canarias.learnt.policy import best_islands, play_on
from skerry_games.canarias.printed.cards import COLOUR_OF, FIRST_PIRATE, HOUSE_COLOUR, NO_CARD
from skerry_games.canarias.printed.terms import HOUSE, Power
from skerry_games.canarias.state import (
    BUILD_OR_DRAW,
    GAME_OVER,
    NO_SEAT,
    PerColour,
    State,
    at_sea,
    loaders,
    score,
)
from skerry_games.evaluation import ExpectedPoints, Features

NAMES: Final = (
    "points",
    "houses",
    "palaces",
    "pairs",
    "threes",
    "upgrade",
    "free_squares",
    "few_squares",
    "settlers",
    "more_settlers",
    "pirates",
    "matching",
    "to_draw",
    "building",
    "turn_to_come",
    "starts_next",
    *(f"privilege_{power.name.lower()}" for power in Power),
    "privileges_safe",
    "privileges_near",
    "ship",
    "ship_tied",
    "raided",
    "diverted",
)
_SHIP, _SHIP_TIED, _RAIDED, _DIVERTED = range(NAMES.index("ship"), len(NAMES))
_FEW: Final = 3
_SETTLERS: Final = 3


def features(state: State) -> list[list[float]]:
    """Return the numbers of each seat, in the order of ``NAMES``."""
    seats, owners = state.seats, state.privileges
    safe, near = _races(tuple([seat.points for seat in seats]), owners)
    loaded = loaders(state) if at_sea(state) else -1
    next_start = (state.start + 1) % len(seats)
    rows: list[list[float]] = [
        [
            score(seat),
            *_own(seat.houses, seat.palaces, seat.free),
            *_hand(seat.hand, seat.houses),
            state.owed if me == state.turn else 0,
            state.piece == HOUSE and me == state.actor,
            not loaded >> me & 1,
            me == next_start,
            *_powers(owners, me),
            safe[me],
            near[me],
            0.0,
            0.0,
            0.0,
            0.0,
        ]
        for me, seat in enumerate(seats)
    ]
    _add_ship(state, rows)
    return rows


@lru_cache(maxsize=1 << 12)
def _own(houses: PerColour, palaces: PerColour, free: int) -> tuple[float, ...]:
    """Return what depends on the buildings and squares of an island: the numbers from ``houses`` to ``few_squares``."""
    counts = [each.bit_count() for each in houses]
    threes = sum([each >= 3 for each in counts])
    squares = free.bit_count()
    # CANARIAS-SCORE-1: a town is worth 2 more than its houses, the first palace of a colour 1 more.
    first = any(each >= 2 and not built for each, built in zip(counts, palaces, strict=True))
    return (
        sum(counts),
        sum([each.bit_count() for each in palaces]),
        sum([each >= 2 for each in counts]),
        threes,
        2.0 if threes else float(first),
        squares,
        max(0, _FEW - squares),
    )


@lru_cache(maxsize=1 << 12)
def _hand(hand: tuple[int, ...], houses: PerColour) -> tuple[float, ...]:
    """Return the numbers from ``settlers`` to ``matching``: those whose colour the island has as a house."""
    settlers = [card for card in hand if card < FIRST_PIRATE]
    colours = [HOUSE_COLOUR[card] for card in settlers]
    matching = len({colour for colour in colours if houses[colour]})
    return (min(len(settlers), _SETTLERS), max(0, len(settlers) - _SETTLERS), len(hand) - len(settlers), matching)


@lru_cache(maxsize=1 << 12)
def _powers(owners: PerColour, me: int) -> tuple[float, ...]:
    return tuple([owners[COLOUR_OF[power]] == me for power in Power])


@lru_cache(maxsize=1 << 12)
def _races(points: tuple[PerColour, ...], owners: PerColour) -> tuple[list[int], list[int]]:
    """Return for each seat its privileges that no seat can take with one house, and those that it can take so."""
    safe, near = [0] * len(points), [0] * len(points)
    for colour, owner in enumerate(owners):
        if owner == NO_SEAT:
            for me, each in enumerate(points):
                near[me] += each[colour] == NEEDED - 1
            continue
        held = points[owner][colour]
        others = [me for me in range(len(points)) if me != owner]
        safe[owner] += all(points[me][colour] < held for me in others)
        for me in others:
            near[me] += points[me][colour] >= held
    return safe, near


def _add_ship(state: State, rows: list[list[float]]) -> None:
    """Add what the cards on the ship would do now: settlers that choose an island, and pirates."""
    seats = state.seats
    for card, _ in state.ship:
        if card >= FIRST_PIRATE:
            _add_pirate(state, card - FIRST_PIRATE, rows)
            continue
        best = best_islands(seats, card, state.privileges[TIES])
        if len(best) == 1:
            rows[best[0]][_SHIP] += 1.0
        else:
            for me in best:
                rows[me][_SHIP_TIED] += 1 / len(best)


def _add_pirate(state: State, colour: int, rows: list[list[float]]) -> None:
    """Add the seats that a pirate of this colour would rob (CANARIAS-PIRATE-2, CANARIAS-PIRATE-3)."""
    owner, guarded = state.privileges[colour], state.privileges[COLOUR_OF[Power.PIRATE]]
    if owner != NO_SEAT:
        rows[owner][_RAIDED if owner != guarded else _DIVERTED] += 1.0
        return
    points = [0 if me == guarded else seat.points[colour] for me, seat in enumerate(state.seats)]
    most = max(points)
    for me, each in enumerate(points):
        rows[me][_RAIDED] += each == most > 0


def _settled(state: State) -> bool:
    """Return whether a round begins: then all seats have had equally many turns, and no card has an effect to come."""
    begun = state.phase is BUILD_OR_DRAW and state.extra == NO_CARD
    return begun and state.turn == state.start and len(state.ship) == 1


def _final(state: State) -> ExpectedPoints | None:
    return tuple(map(score, state.seats)) if state.phase is GAME_OVER else None


def _stage(state: State) -> int:
    """Return the points of the leading seat: with ``GOAL`` points the last round follows."""
    return GOAL if state.last else min(GOAL, max(map(score, state.seats)))


FEATURES: Final = Features(NAMES, features, _stage, GOAL, _final, _settled, play_on, playouts=32)
