"""The objective cards of Small Islands in words: the mission, and the reward for each house."""

from __future__ import annotations

from collections import Counter

from skerry.games.small_islands.v1 import small_islands_pb2 as pb


def in_words(card: pb.Card) -> str:
    """Return the mission and reward of a card as one line."""
    mission = _mission(card.mission) if card.HasField("mission") else ""
    reward = f"{_reward(card.reward)} for each house" if card.HasField("reward") else ""
    return f"{card.id}: {', '.join(part for part in (mission, reward) if part)}"


def _mission(mission: pb.Mission) -> str:
    symbols = mission.symbols
    match mission.kind:
        case pb.MISSION_KIND_MORE:
            return f"islands with more {_name(symbols[0], 2)} than {_name(symbols[1], 2)}"
        case pb.MISSION_KIND_HAS:
            counted = [f"{count} {_name(symbol, count)}" for symbol, count in Counter(symbols).items()]
            return f"islands with at least {' and '.join(counted)}"
        case pb.MISSION_KIND_TWO_EQUAL:
            return "islands with equal numbers of two resources"
        case pb.MISSION_KIND_EQUALS_ANOTHER:
            return f"islands with as many {_name(symbols[0], 2)} as another resource"
    return "islands of another kind"


def _reward(reward: pb.Reward) -> str:
    plus = f", plus {reward.plus}" if reward.plus else ""
    match reward.kind:
        case pb.REWARD_KIND_EACH:
            return f"1 point per {' and per '.join(map(_name, reward.symbols))}{plus}"
        case pb.REWARD_KIND_LOWEST:
            return f"2 points per symbol of the scarcest resource{plus}"
        case pb.REWARD_KIND_FLAT:
            return f"{reward.plus} points"
        case pb.REWARD_KIND_SIZE:
            return f"points by island size{plus}"
        case pb.REWARD_KIND_PICK:
            return f"1 point per symbol of a resource that you pick{plus}"
        case pb.REWARD_KIND_DISCOVERY:
            return "a discovery token (draw one per temple, keep one)"
    return "points of another kind"


def _name(symbol: pb.Symbol.ValueType, count: int = 1) -> str:
    name = pb.Symbol.Name(symbol).removeprefix("SYMBOL_").lower()
    if count == 1:
        return name
    return "leaves" if symbol == pb.SYMBOL_LEAF else f"{name}s"
