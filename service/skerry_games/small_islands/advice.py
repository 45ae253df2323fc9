"""Advice for beginners at Small Islands, as an estimate in points. Each weight states its advice in its docstring."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from skerry_games.evaluation import Advice, ExpectedPoints
from skerry_games.small_islands.phases.ending import kept_by, ports_around
from skerry_games.small_islands.phases.objectives import CARDS, fulfils, parts
from skerry_games.small_islands.phases.reward_phase import free_house_symbols
from skerry_games.small_islands.printed.components import DISCOVERY, PICK, RESOURCES, Symbol
from skerry_games.small_islands.state import CHOSEN, GAME_OVER, SeatState, State, cards_of
from skerry_games.small_islands.tabletop.chart import IslandSummary

HOPED: Final = 0.6
"""Shape islands for your objective. Their rewards count with this share while other players can still change them."""
SURE: Final = 0.95
"""Land when your islands are better than theirs. Once a seat has landed, rewards count with this share."""
TOKEN: Final = 0.4
"""Keep a bonus token until it gains more than this."""
DISCOVERY_LEAST: Final = 2.0
"""The base value of a discovery token."""
DISCOVERY_MORE: Final = 0.7
"""The extra value per temple, because you keep the best of several tokens."""
LEAD: Final = 6.0


def worth(state: State) -> ExpectedPoints:
    """Return the estimated points of each seat."""
    seats = state.seats
    if state.phase is GAME_OVER:
        return tuple([seat.score for seat in seats])
    free = free_house_symbols(state)
    sites = tuple([island for island in state.table.chart.sites if island.cells & free])
    return tuple(
        [
            # Put your ship next to ports. Each is worth a point.
            seat.score
            + sum(kept_by(state, me))
            + ports_around(state, me)
            + TOKEN * seat.tokens.bit_count()
            + _promises(state, me, sites)
            for me, seat in enumerate(seats)
        ]
    )


def _promises(state: State, me: int, sites: tuple[IslandSummary, ...]) -> float:
    """Return the points that the seat can expect from houses in this round."""
    has_built = state.revealed >> me & 1 and state.turn != me
    if has_built or not state.chosen >> me & 1:
        return 0.0
    promised = _promised(state.seats[me], cards_of(state, me, CHOSEN), sites)
    return promised * (SURE if state.revealed else HOPED)


def _promised(seat: SeatState, cards: tuple[int, ...], sites: tuple[IslandSummary, ...]) -> float:
    """Return the total reward of the best houses that the seat could place with these cards."""
    mine = sum([1 << cell for cell in seat.houses])
    pays = [pay(cards[0], cards[-1], site.tiles, site.counts) for site in sites if not site.cells & mine]
    pays.sort(reverse=True)
    return sum(pays[: seat.at_hand])


@lru_cache(maxsize=1 << 14)
def pay(mission_card: int, reward_card: int, tiles: int, counts: tuple[int, ...]) -> float:
    """Return the reward of a house on an island with these tiles and symbols, 0 if the mission is not fulfilled."""
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
