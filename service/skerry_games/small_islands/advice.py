"""Advice to a beginner at Small Islands, as points that a position is worth.

Beside each figure stands what it advises.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from skerry_games.advice import Advice, ExpectedPoints
from skerry_games.small_islands.components import DISCOVERY, PICK, RESOURCES, Symbol
from skerry_games.small_islands.phases.ending import kept_by, ports_around
from skerry_games.small_islands.phases.objectives import CARDS, fulfils, parts
from skerry_games.small_islands.phases.reward_phase import free_house_symbols
from skerry_games.small_islands.state import CHOSEN, GAME_OVER, SeatState, State, cards_of
from skerry_games.small_islands.tabletop.chart import IslandSummary

HOPED: Final = 0.6
"""Shape islands for your objective: what they would pay is worth this part while others can still spoil them ..."""
SURE: Final = 0.95
"""... and nearly all of it once somebody has landed. So land when your islands are better than theirs."""
TOKEN: Final = 0.4
"""Keep a bonus token for a place where it brings more than this."""
DISCOVERY_LEAST: Final = 2.0
"""A discovery token is worth so much ..."""
DISCOVERY_MORE: Final = 0.7
"""... and more for each temple, because you keep the best of several."""
LEAD: Final = 6.0


def worth(state: State) -> ExpectedPoints:
    """Return what the position is worth to each seat."""
    seats = state.seats
    if state.phase is GAME_OVER:
        return tuple([seat.score for seat in seats])
    free = free_house_symbols(state)
    sites = tuple([island for island in state.table.chart.sites if island.cells & free])
    return tuple(
        [
            # Put your ship where ports are: each is a point.
            seat.score
            + sum(kept_by(state, me))
            + ports_around(state, me)
            + TOKEN * seat.tokens.bit_count()
            + _promises(state, me, sites)
            for me, seat in enumerate(seats)
        ]
    )


def _promises(state: State, me: int, sites: tuple[IslandSummary, ...]) -> float:
    """Return what the islands promise to the seat in this round, as far as it may count on it."""
    has_built = state.revealed >> me & 1 and state.turn != me
    if has_built or not state.chosen >> me & 1:
        return 0.0
    promised = _promised(state.seats[me], cards_of(state, me, CHOSEN), sites)
    return promised * (SURE if state.revealed else HOPED)


def _promised(seat: SeatState, cards: tuple[int, ...], sites: tuple[IslandSummary, ...]) -> float:
    """Return what the best houses pay that the seat could place. ``cards``: an objective, or a mission and a reward."""
    mine = sum([1 << cell for cell in seat.houses])
    pays = [_pay(cards[0], cards[-1], site.tiles, site.counts) for site in sites if not site.cells & mine]
    pays.sort(reverse=True)
    return sum(pays[: seat.at_hand])


@lru_cache(maxsize=1 << 14)
def _pay(mission_card: int, reward_card: int, tiles: int, counts: tuple[int, ...]) -> float:
    """Return what a house pays on an island of so many tiles that shows that, 0 if it does not fulfil the mission."""
    mission, reward, island = CARDS[mission_card].mission, CARDS[reward_card].reward, IslandSummary(0, tiles, counts)
    assert mission is not None and reward is not None
    if not fulfils(island, mission):
        return 0.0
    if reward.kind is DISCOVERY:
        temples = counts[Symbol.TEMPLE]
        return DISCOVERY_LEAST + DISCOVERY_MORE * temples if temples else 0.0
    picked = max(RESOURCES, key=lambda resource: counts[resource]) if reward.kind is PICK else None
    return sum([part.points for part in parts(island, reward, picked)])


ADVICE: Final = Advice(worth, LEAD)
