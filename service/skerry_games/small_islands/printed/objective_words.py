"""Words for the symbols and cards that are printed: ``2 leaves``, ``more flowers than leaves: 1 point per flower``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from skerry_games.sentences import counted, joined_by, phrase, plural
from skerry_games.small_islands.printed.components import (
    Mission,
    MissionKind,
    ObjectiveCard,
    Reward,
    RewardKind,
    Symbol,
)


def card_words(card: ObjectiveCard) -> str:
    """Return what is printed on a card: ``more flowers than leaves: 1 point per flower, plus 2``."""
    parts = (card.mission and _condition(card.mission), card.reward and _payment(card.reward))
    return joined_by(": ", [part for part in parts if part])


def mission_words(mission: Mission) -> str:
    """Return the condition of a mission (SMALL-MISSION-1 to SMALL-MISSION-4): ``islands with ...``."""
    return phrase("small_islands-islands-with", condition=_condition(mission))


def _condition(mission: Mission) -> str:
    return _MISSIONS[mission.kind](mission.symbols)


def reward_words(reward: Reward) -> str:
    """Return the reward for each house (SMALL-PAY-1)."""
    return phrase("small_islands-each-house", payment=_payment(reward))


def _payment(reward: Reward) -> str:
    words = _REWARDS[reward.kind](reward)
    return (
        phrase("small_islands-plus-2", words=words, plus=reward.plus)
        if reward.plus and reward.kind is not RewardKind.FLAT
        else words
    )


def symbol_name(symbol: Symbol, count: int = 1) -> str:
    """Return the name of that many symbols, such as ``leaves``."""
    name = symbol.name.lower()
    return name if count == 1 else plural(name)


def counted_symbol(count: int, symbol: Symbol) -> str:
    """Return ``1 leaf`` or ``2 leaves``."""
    return counted(count, symbol.name.lower())


_MISSIONS: Final[Mapping[MissionKind, Callable[[tuple[Symbol, ...]], str]]] = {
    MissionKind.MORE: lambda symbols: phrase(
        "small_islands-more-than", more=symbol_name(symbols[0], 2), fewer=symbol_name(symbols[1], 2)
    ),
    MissionKind.HAS: lambda symbols: phrase(
        "small_islands-at-least",
        symbols=joined_by(" and ", (counted_symbol(count, symbol) for symbol, count in Counter(symbols).items())),
    ),
    MissionKind.TWO_EQUAL: lambda _: "equal numbers of two resources",
    MissionKind.EQUALS_ANOTHER: lambda symbols: phrase(
        "small_islands-as-many-as-another", symbols=symbol_name(symbols[0], 2)
    ),
}
_REWARDS: Final[Mapping[RewardKind, Callable[[Reward], str]]] = {
    RewardKind.EACH: lambda reward: phrase(
        "small_islands-point-per", symbols=joined_by(" and per ", map(symbol_name, reward.symbols))
    ),
    RewardKind.LOWEST: lambda _: "2 points per symbol of the scarcest resource",
    RewardKind.FLAT: lambda reward: phrase("small_islands-points", plus=reward.plus),
    RewardKind.SIZE: lambda _: "points by the size of the island",
    RewardKind.PICK: lambda _: "1 point per symbol of a resource that you pick",
    RewardKind.DISCOVERY: lambda _: "a discovery token (draw one per temple, keep one)",
}
