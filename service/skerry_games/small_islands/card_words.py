"""Objective cards in words: the mission, and the reward for each house."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from skerry_games.small_islands.components import Mission, MissionKind, Reward, RewardKind, Symbol

_PLURALS: Final = {Symbol.LEAF: "leaves"}


def mission_words(mission: Mission) -> str:
    """Return the condition of a mission (SMALL-MISSION-1 to SMALL-MISSION-4): ``islands with ...``."""
    return f"islands with {_MISSIONS[mission.kind](mission.symbols)}"


def reward_words(reward: Reward) -> str:
    """Return the reward for each house (SMALL-PAY-1)."""
    words = _REWARDS[reward.kind](reward)
    plus = f", plus {reward.plus}" if reward.plus and reward.kind is not RewardKind.FLAT else ""
    return f"{words}{plus} for each house"


def symbol_name(symbol: Symbol, count: int = 1) -> str:
    """Return the name of that many symbols, such as ``leaves``."""
    name = symbol.name.lower()
    return name if count == 1 else _PLURALS.get(symbol, f"{name}s")


def counted_symbol(count: int, symbol: Symbol) -> str:
    """Return ``1 leaf`` or ``2 leaves``."""
    return f"{count} {symbol_name(symbol, count)}"


def _plural(symbol: Symbol) -> str:
    return symbol_name(symbol, 2)


_MISSIONS: Final[Mapping[MissionKind, Callable[[tuple[Symbol, ...]], str]]] = {
    MissionKind.MORE: lambda symbols: f"more {_plural(symbols[0])} than {_plural(symbols[1])}",
    MissionKind.HAS: lambda symbols: (
        f"at least {' and '.join(counted_symbol(count, symbol) for symbol, count in Counter(symbols).items())}"
    ),
    MissionKind.TWO_EQUAL: lambda _: "equal numbers of two resources",
    MissionKind.EQUALS_ANOTHER: lambda symbols: f"as many {_plural(symbols[0])} as another resource",
}
_REWARDS: Final[Mapping[RewardKind, Callable[[Reward], str]]] = {
    RewardKind.EACH: lambda reward: f"1 point per {' and per '.join(map(symbol_name, reward.symbols))}",
    RewardKind.LOWEST: lambda _: "2 points per symbol of the scarcest resource",
    RewardKind.FLAT: lambda reward: f"{reward.plus} points",
    RewardKind.SIZE: lambda _: "points by the size of the island",
    RewardKind.PICK: lambda _: "1 point per symbol of a resource that you pick",
    RewardKind.DISCOVERY: lambda _: "a discovery token (draw one per temple, keep one)",
}
