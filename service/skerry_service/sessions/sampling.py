"""Samples: states that a seat cannot distinguish from the true one, for players that search on their own machine."""

from __future__ import annotations

from typing import Any

from msgspec import msgpack

from skerry_games.api import AnyGame
from skerry_games.rng import SeededRng
from skerry_service.domain.cooperative import CooperativeTask


def samples(game: AnyGame, state: Any, seat: int, count: int, seed: bytes) -> CooperativeTask[tuple[bytes, ...]]:
    """Return ``count`` serialized samples for a seat. Yields after each sample.

    ``seed``: 32 bytes that nothing else draws from. A sample reveals nothing of the true state but what the seat may
    know: ``redeal`` promises that, and the conformance tests of the games check it.
    """
    packed = []
    for draw in range(count):
        packed.append(msgpack.encode(game.redeal(state, seat, SeededRng(seed, draw))))
        yield
    return tuple(packed)
