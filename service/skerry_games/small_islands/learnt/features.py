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
from skerry_games.small_islands.printed.components import (
    DISCOVERY,
    HOUSE,
    LOWEST,
    PORT,
    RESOURCES,
    SIZE,
    RewardKind,
    Symbol,
)
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
from skerry_games.small_islands.tabletop.cells import FACES, SEA, Cells, around, members
from skerry_games.small_islands.tabletop.chart import IslandSummary

_REWARDS: Final = (SIZE, LOWEST, DISCOVERY, RewardKind.FLAT)
"""The kinds of rewards that have a number of their own. The other kind of a normal game pays for symbols."""
NAMES: Final = (
    "points",
    "kept",
    "ports",
    "ship",
    "berth",
    "tokens",
    "at_hand",
    "reserve",
    "sure",
    "landing",
    "hoped",
    "best",
    "spread",
    "firm",
    "near",
    "contested",
    "aside",
    "after",
    "free_islands",
    "free_tiles",
    "free_mean",
    "in_hand",
    "houses_in_hand",
    *(f"{kind.name.lower()}_reward" for kind in _REWARDS),
    "turn",
    "turn_landing",
    "turn_lead",
)
_NO_CARD: Final[tuple[int, ...]] = ()
_WANTED: Final = (*RESOURCES, Symbol.TEMPLE)
_NO_PROMISE: Final = (0.0,) * 8
_NO_KIND: Final = (0.0,) * len(_REWARDS)
_KINDS: Final = tuple(
    tuple([float(card.reward is not None and card.reward.kind is kind) for kind in _REWARDS]) for card in CARDS
)
_LANDING: Final = NAMES.index("landing")
_HOPED: Final = NAMES.index("hoped")
_OBJECTIVES: Final = tuple(
    number for number, card in enumerate(CARDS) if card.mission is not None and card.reward is not None
)

Site = tuple[IslandSummary, int]
"""An island with room for houses, and for how many."""


def features(state: State) -> list[list[float]]:
    """Return the numbers of each seat, in the order of ``NAMES``."""
    free, chart = free_house_symbols(state), state.table.chart
    sites = [(island, (island.cells & free).bit_count()) for island in chart.sites if island.cells & free]
    berth = 0
    if any(seat.ship == NOTHING for seat in state.seats):
        berth = _best_berth(chart.fitting_cells[SEA], chart.low_bits[PORT], chart.high_bits[PORT])
    rows = [_of_seat(state, me, seat, sites, berth) for me, seat in enumerate(state.seats)]
    hoped = [row[_HOPED] + row[_LANDING] for row in rows]
    for me, row in enumerate(rows):
        if me == state.turn:
            lead = row[_LANDING] - max([other for at, other in enumerate(hoped) if at != me])
            row.extend((1.0, row[_LANDING], lead))
        else:
            row.extend((0.0, 0.0, 0.0))
    return rows


def _of_seat(state: State, me: int, seat: SeatState, sites: list[Site], berth: int) -> list[float]:
    """Return the numbers of a seat that depend on it alone. ``berth``: the most ports that a ship could have."""
    mine = sum([1 << cell for cell in seat.houses])
    open_sites = [each for each in sites if not each[0].cells & mine]
    choosing = not state.chosen >> me & 1
    built = choosing or (state.revealed >> me & 1 and state.turn != me)
    card = _NO_CARD if built else cards_of(state, me, CHOSEN)
    exploring = bool(card) and not state.revealed
    now, used = _this_round(state, card, seat.at_hand, open_sites)
    return [
        seat.score,
        sum(kept_by(state, me)),
        ports_around(state, me),
        float(seat.ship != NOTHING),
        berth if seat.ship == NOTHING else 0.0,
        seat.tokens.bit_count(),
        seat.at_hand,
        houses_left(seat),
        *now,
        *_later(state, _NO_CARD if choosing else cards_of(state, me, ASIDE), seat, open_sites, used),
        *(_in_hand(card[0], card[-1], seat.hand) if exploring else (0.0, 0.0)),
        *(_KINDS[card[-1]] if exploring else _NO_KIND),
    ]


def _this_round(state: State, card: tuple[int, ...], at_hand: int, sites: list[Site]) -> tuple[tuple[float, ...], int]:
    """Return what a chosen card promises in this round, and how many houses it takes."""
    if not card:
        return _NO_PROMISE, 0
    prospects = [(*_prospect(card[0], card[-1], site.tiles, site.counts), room) for site, room in sites]
    prospects.sort(reverse=True)
    pays = [each for each in prospects if each[0]]
    taken = pays[:at_hand]
    promised = sum([each[0] for each in taken])
    sure = landing = hoped = firm = near = 0.0
    if state.revealed:
        sure = promised
    else:
        landing, hoped = (0.0, promised) if state.stack else (promised, 0.0)
        firm = sum([each[1] for each in taken])
        near = sum(sorted([each[2] for each in prospects], reverse=True)[: max(0, at_hand - len(pays))])
    best, spread = pays[0][0] if pays else 0.0, float(len(pays) > at_hand)
    contested = sum([each[0] for each in taken if each[3] == 1])
    return (sure, landing, hoped, best, spread, firm, near, contested), len(taken)


def _later(
    state: State, aside: tuple[int, ...], seat: SeatState, sites: list[Site], used: int
) -> tuple[float, float, int, int, float]:
    """Return what the islands offer after this round, in which ``used`` houses are placed."""
    means = sorted([_mean_pay(site.tiles, site.counts) for site, _ in sites], reverse=True)[used:]
    left = seat.at_hand + houses_left(seat)
    rounds_left = SHIPS - len(state.table.ships) - (not state.revealed)
    promised = after = 0.0
    if rounds_left > 0:
        after = sum(means[: min(left - used, 2 * rounds_left)])
        if aside:
            pays = [_prospect(aside[0], aside[-1], site.tiles, site.counts)[0] for site, _ in sites]
            pays.sort(reverse=True)
            promised = sum(pays[used:left])
    return promised, after, len(sites), sum([site.tiles for site, _ in sites]), sum(means)


@lru_cache(maxsize=1 << 12)
def _prospect(mission_card: int, reward_card: int, tiles: int, counts: tuple[int, ...]) -> tuple[float, float, float]:
    """Return what a house on such an island pays; the same if it still pays after one more of any resource, else 0;
    and what it would pay after one more symbol, if it pays nothing now, else 0.
    """
    paid = pay(mission_card, reward_card, tiles, counts)
    if paid:
        firm = all(pay(mission_card, reward_card, tiles, _more(counts, symbol)) for symbol in RESOURCES)
        return paid, paid if firm else 0.0, 0.0
    return 0.0, 0.0, max([pay(mission_card, reward_card, tiles, _more(counts, symbol)) for symbol in _WANTED])


def _more(counts: tuple[int, ...], symbol: int) -> tuple[int, ...]:
    return (*counts[:symbol], counts[symbol] + 1, *counts[symbol + 1 :])


@lru_cache(maxsize=1 << 10)
def _best_berth(cells: Cells, low_bits: Cells, high_bits: Cells) -> int:
    """Return the most ports that a ship on one of the cells would have around it."""
    most = 0
    for cell in members(cells):
        near = around(cell)
        most = max(most, (low_bits & near).bit_count() + 2 * (high_bits & near).bit_count())
    return most


@lru_cache(maxsize=1 << 12)
def _in_hand(mission_card: int, reward_card: int, hand: tuple[int, ...]) -> tuple[float, float]:
    """Return how many symbols of the hand the mission wants or the reward pays, and how many house symbols it has."""
    mission, reward = CARDS[mission_card].mission, CARDS[reward_card].reward
    assert mission is not None and reward is not None
    wanted = {*mission.symbols[: 1 if len(mission.symbols) == 2 else None], *reward.symbols}
    symbols = [symbol for tile in hand for symbol in FACES[tile].symbols]
    return float(sum([symbol in wanted for symbol in symbols])), float(symbols.count(HOUSE))


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
