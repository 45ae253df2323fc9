"""The objective cards of Small Islands in words: what an island must have, and what a house on it is then paid."""

from __future__ import annotations

from collections.abc import Sequence

from skerry.games.small_islands.v1 import small_islands_pb2 as pb


def in_words(card: pb.Card) -> str:
    """Return a card's mission and reward in a line."""
    mission = _mission(card.mission) if card.HasField("mission") else ""
    reward = f"{_reward(card.reward)} a house" if card.HasField("reward") else ""
    return f"{card.id}: {': '.join(part for part in (mission, reward) if part)}"


def _mission(mission: pb.Mission) -> str:
    names = _names(mission.symbols)
    match mission.kind:
        case pb.MISSION_KIND_MORE:
            return f"islands with more {names[0]} than {names[1]}"
        case pb.MISSION_KIND_HAS:
            return f"islands with at least {', '.join(names)}"
        case pb.MISSION_KIND_TWO_EQUAL:
            return "islands with two resources in equal numbers"
        case pb.MISSION_KIND_EQUALS_ANOTHER:
            return f"islands with as much {names[0]} as of another resource"
    return "islands as the rules say"


def _reward(reward: pb.Reward) -> str:
    plus = f" + {reward.plus}" if reward.plus else ""
    match reward.kind:
        case pb.REWARD_KIND_EACH:
            return f"1 for each {' and '.join(_names(reward.symbols))}{plus}"
        case pb.REWARD_KIND_LOWEST:
            return f"2 for each of the scarcest resource{plus}"
        case pb.REWARD_KIND_FLAT:
            return f"{reward.plus} points"
        case pb.REWARD_KIND_SIZE:
            return f"points by the number of its tiles{plus}"
        case pb.REWARD_KIND_PICK:
            return f"1 for each of a resource that you pick{plus}"
        case pb.REWARD_KIND_DISCOVERY:
            return "a discovery token, out of one for each temple,"
    return "points as the rules say"


def _names(symbols: Sequence[pb.Symbol.ValueType]) -> list[str]:
    return [pb.Symbol.Name(symbol).removeprefix("SYMBOL_").lower() for symbol in symbols]
