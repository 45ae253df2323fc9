"""States that a seat cannot tell from the true one, for those who search elsewhere."""

from __future__ import annotations

from typing import Any

from msgspec import msgpack

from skerry_games.api import AnyGame
from skerry_games.rng import SeededRng
from skerry_service.domain.cooperative import CooperativeTask


def samples(game: AnyGame, state: Any, seat: int, count: int, seed: bytes) -> CooperativeTask[tuple[bytes, ...]]:
    """Deal so many states for a seat; return them packed.

    ``seed``: 32 bytes to draw from, which nothing else is drawn from. Nothing of the true state gets into a sample but
    what the seat may know: that is what ``redeal`` promises, and the conformance suite of the games checks.
    """
    packed = []
    for draw in range(count):
        packed.append(msgpack.encode(game.redeal(state, seat, SeededRng(seed, draw))))
        yield
    return tuple(packed)
