"""Missions and rewards, as pure functions of the symbols and tiles of an island."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from skerry_games.small_islands.events import Part, PartKind
from skerry_games.small_islands.printed.components import (
    COMPONENTS,
    EACH,
    LOWEST,
    RESOURCES,
    SIZE,
    Mission,
    MissionKind,
    Reward,
    Symbol,
)
from skerry_games.small_islands.state import State
from skerry_games.small_islands.tabletop.chart import IslandSummary

CARDS: Final = COMPONENTS.cards
_PER_SCARCEST: Final = 2
_PART_KINDS: Final[dict[Symbol, PartKind]] = {
    symbol: PartKind[symbol.name] for symbol in Symbol if symbol is not Symbol.HOUSE
}
"""The kind of reward part for each symbol."""

SymbolCounts = tuple[int, ...]
"""How many of each symbol an island shows, indexed by the number of the symbol."""


def reward_of(state: State, seat: int) -> Reward:
    """Return the reward that the seat has chosen for this round. In normal mode it is on the objective card."""
    reward = CARDS[state.decks[-1].cards[seat][0]].reward
    assert reward is not None
    return reward


def _more(mission: Mission, counts: SymbolCounts) -> bool:
    """SMALL-MISSION-1."""
    one, other = mission.symbols
    return counts[one] > counts[other]


def _has(mission: Mission, counts: SymbolCounts) -> bool:
    """SMALL-MISSION-2."""
    wanted = mission.symbols
    return not [symbol for symbol in wanted if counts[symbol] < wanted.count(symbol)]


def _two_equal(mission: Mission, counts: SymbolCounts) -> bool:
    """SMALL-MISSION-3."""
    present = [counts[resource] for resource in RESOURCES if counts[resource]]
    return len(set(present)) < len(present)


def _equals_another(mission: Mission, counts: SymbolCounts) -> bool:
    """SMALL-MISSION-4."""
    (wanted,) = mission.symbols
    others = [counts[resource] for resource in RESOURCES if resource is not wanted]
    return counts[wanted] > 0 and counts[wanted] in others


_MISSIONS: Final[dict[MissionKind, Callable[[Mission, SymbolCounts], bool]]] = {
    MissionKind.MORE: _more,
    MissionKind.HAS: _has,
    MissionKind.TWO_EQUAL: _two_equal,
    MissionKind.EQUALS_ANOTHER: _equals_another,
}


def fulfils(island: IslandSummary, mission: Mission) -> bool:
    """Return whether an island fulfils a mission (SMALL-MISSION-1 to SMALL-MISSION-4)."""
    return _MISSIONS[mission.kind](mission, island.counts)


@lru_cache(maxsize=1 << 12)
def card_fulfilled(card: int, counts: SymbolCounts) -> bool:
    """Return whether these symbols fulfil the mission of a card. Cached, because the same counts recur often."""
    mission = CARDS[card].mission
    assert mission is not None
    return _MISSIONS[mission.kind](mission, counts)


def _each(symbol: Symbol, counts: SymbolCounts) -> Part:
    return Part(_PART_KINDS[symbol], counts[symbol], counts[symbol])


def _scarcest(counts: SymbolCounts) -> Part:
    fewest = min((counts[resource] for resource in RESOURCES if counts[resource]), default=0)
    return Part(PartKind.SCARCEST, fewest, _PER_SCARCEST * fewest)


def _size(tiles: int) -> Part:
    return Part(
        PartKind.SIZE, tiles, max((pays for least, pays in COMPONENTS.size_points if tiles >= least), default=0)
    )


def parts(island: IslandSummary, reward: Reward, picked: Symbol | None = None) -> tuple[Part, ...]:
    """Return the parts of a house's reward (SMALL-PAY-1). ``picked`` is the resource that its owner picked."""
    paid: list[Part] = []
    if reward.kind is EACH:
        paid = [_each(symbol, island.counts) for symbol in reward.symbols]
    elif reward.kind is LOWEST:
        paid = [_scarcest(island.counts)]
    elif reward.kind is SIZE:
        paid = [_size(island.tiles)]
    elif picked is not None:
        paid = [_each(picked, island.counts)]
    if reward.plus:
        paid.append(Part(PartKind.FIXED, 1, reward.plus))
    return tuple(paid)
