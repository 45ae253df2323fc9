"""What the learnt evaluation sees of a state of Small Islands, for each seat: what islands would pay, and pieces.

The weights are in ``weights.json``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from skerry_games.evaluation import ExpectedPoints, Features
from skerry_games.small_islands.advice import pay
from skerry_games.small_islands.phases.ending import kept_by, ports_around
from skerry_games.small_islands.phases.objectives import CARDS
from skerry_games.small_islands.phases.reward_phase import free_house_symbols
from skerry_games.small_islands.state import (
    ASIDE,
    CHOSEN,
    GAME_OVER,
    NOTHING,
    SHIPS,
    STACK,
    SeatState,
    State,
    cards_of,
    houses_left,
)
from skerry_games.small_islands.tabletop.chart import IslandSummary

NAMES: Final = (
    "points",
    "kept",
    "ports",
    "ship",
    "tokens",
    "at_hand",
    "reserve",
    "sure",
    "landing",
    "hoped",
    "best",
    "spread",
    "aside",
    "after",
    "free_islands",
    "free_tiles",
    "free_mean",
    "turn",
    "turn_landing",
    "turn_lead",
)
_LANDING: Final = NAMES.index("landing")
_HOPED: Final = NAMES.index("hoped")
_OBJECTIVES: Final = tuple(
    number for number, card in enumerate(CARDS) if card.mission is not None and card.reward is not None
)


def features(state: State) -> list[list[float]]:
    """Return the numbers of each seat, in the order of ``NAMES``."""
    free = free_house_symbols(state)
    sites = tuple([island for island in state.table.chart.sites if island.cells & free])
    can_land = not state.stack
    rows = [_of_seat(state, me, seat, sites, can_land) for me, seat in enumerate(state.seats)]
    hoped = [row[_HOPED] + row[_LANDING] for row in rows]
    for me, row in enumerate(rows):
        mine = me == state.turn
        row.append(1.0 if mine else 0.0)
        row.append(row[_LANDING] if mine else 0.0)
        row.append(row[_LANDING] - max([other for at, other in enumerate(hoped) if at != me]) if mine else 0.0)
    return rows


def _of_seat(state: State, me: int, seat: SeatState, sites: tuple[IslandSummary, ...], can_land: bool) -> list[float]:
    """Return the numbers of a seat that depend on it alone. ``sites``: the islands with room for a house."""
    mine, revealed = sum([1 << cell for cell in seat.houses]), bool(state.revealed)
    open_sites = [site for site in sites if not site.cells & mine]
    chosen = state.chosen >> me & 1
    pays = list[float]()
    if chosen and not (state.revealed >> me & 1 and state.turn != me):
        pays = _pays(cards_of(state, me, CHOSEN), open_sites)
    taken = pays[: seat.at_hand]
    used, promised = len(taken), sum(taken)
    left, rounds_left = seat.at_hand - used + houses_left(seat), SHIPS - len(state.table.ships) - (not revealed)
    means = sorted([_mean_pay(site.tiles, site.counts) for site in open_sites], reverse=True)[used:]
    aside = after = 0.0
    if rounds_left > 0:
        after = sum(means[: min(left, 2 * rounds_left)])
        aside = sum(_pays(cards_of(state, me, ASIDE), open_sites)[used : used + left]) if chosen else 0.0
    return [
        seat.score,
        sum(kept_by(state, me)),
        ports_around(state, me),
        float(seat.ship != NOTHING),
        seat.tokens.bit_count(),
        seat.at_hand,
        houses_left(seat),
        promised if revealed else 0.0,
        promised if not revealed and can_land else 0.0,
        promised if not revealed and not can_land else 0.0,
        pays[0] if pays else 0.0,
        float(len(pays) > seat.at_hand),
        aside,
        after,
        len(open_sites),
        sum([site.tiles for site in open_sites]),
        sum(means),
    ]


def _pays(cards: tuple[int, ...], sites: list[IslandSummary]) -> list[float]:
    """Return what houses on the islands would pay with these cards, the most first, without those that pay nothing."""
    pays = [pay(cards[0], cards[-1], site.tiles, site.counts) for site in sites]
    return sorted([each for each in pays if each], reverse=True)


@lru_cache(maxsize=1 << 12)
def _mean_pay(tiles: int, counts: tuple[int, ...]) -> float:
    """Return what a house on such an island pays, in the mean over all objectives."""
    return sum([pay(card, card, tiles, counts) for card in _OBJECTIVES]) / len(_OBJECTIVES)


_STAGES: Final = STACK * SHIPS


def _stage(state: State) -> int:
    """Return how many tiles the navigation stacks of all rounds have given, as far as ships are left."""
    landed = len(state.table.ships) - bool(state.revealed)
    return max(0, min(_STAGES, STACK * landed + STACK - state.stack))


def _final(state: State) -> ExpectedPoints | None:
    return tuple([seat.score for seat in state.seats]) if state.phase is GAME_OVER else None


FEATURES: Final = Features(NAMES, features, _stage, _STAGES, _final)
