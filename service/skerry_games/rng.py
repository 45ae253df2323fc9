"""Random number generators: ``SeededRng``, which programs in other languages can reproduce, and ``Dice``.

Specification of ``SeededRng`` (``docs/explanation/randomness.md`` adds test vectors)
---------------------------------------------------------------------------------
A draw is identified by a 32-byte ``seed`` and a draw number ``n`` (the sequence of the log entry it fills).
Block ``i`` (from 0) of that draw is ``SHA-256(seed || n as 8 bytes || i as 8 bytes)``, big-endian.
The generator reads the blocks in order as 64-bit big-endian words, four words a block.
``below(k)``: let ``limit`` be the largest multiple of ``k`` that is at most 2**64. Take the next word smaller than
``limit`` and return it modulo ``k``. ``shuffle`` is Fisher-Yates from the end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Protocol, TypeVar

T = TypeVar("T")

SEED_BYTES = 32
_WORDS = 1 << 64
"""Upper bound (exclusive) of words, draw numbers and block numbers."""


class Rng(ABC):
    """A generator of unbiased choices. Rules take one as an argument and never create their own."""

    __slots__ = ()

    @abstractmethod
    def below(self, count: int) -> int:
        """Return a uniform integer from ``range(count)``. Raises ValueError if ``count`` is below 1."""

    def choice(self, items: Sequence[T]) -> T:
        """Return a uniform choice of the items. Raises ValueError if ``items`` is empty."""
        return items[self.below(len(items))]

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in random order (Fisher-Yates, from the last item to the second)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            pick = self.below(last + 1)
            order[last], order[pick] = order[pick], order[last]
        return tuple(order)


class RandomSource(Protocol):
    """The generator behind ``Dice``. A ``random.Random`` is one."""

    def randrange(self, stop: int, /) -> int:
        """Return a uniform integer from ``range(stop)``."""


class Dice(Rng):
    """Draws from a generator of the caller, for example a ``random.Random``. Faster than ``SeededRng``."""

    __slots__ = ("_source",)

    def __init__(self, source: RandomSource) -> None:
        self._source = source

    def below(self, count: int) -> int:
        return self._source.randrange(count)


class SeededRng(Rng):
    """The generator that the module specifies: SHA-256 in counter mode over ``seed || draw number``.

    Raises ValueError unless ``seed`` has 32 bytes and ``draw`` fits 8 bytes. ``below`` raises ValueError unless
    ``count`` is from 1 to 2**64.
    """

    __slots__ = ("_block", "_prefix", "_words")

    def __init__(self, seed: bytes, draw: int) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
        if not 0 <= draw < _WORDS:
            raise ValueError(f"Draw number {draw} is out of range: it is from 0 to 2**64 - 1.")
        self._prefix = seed + draw.to_bytes(8, "big")
        self._block = 0
        self._words: list[int] = []

    def below(self, count: int) -> int:
        if not 1 <= count <= _WORDS:
            raise ValueError(f"Cannot choose below {count}: the count is from 1 to 2**64.")
        limit = _WORDS - _WORDS % count
        while True:
            word = self._next_word()
            if word < limit:
                return word % count

    def _next_word(self) -> int:
        if not self._words:
            block = sha256(self._prefix + self._block.to_bytes(8, "big")).digest()
            self._block += 1
            self._words = [int.from_bytes(block[at : at + 8], "big") for at in (24, 16, 8, 0)]
        return self._words.pop()


def commitment(secret: bytes, session: str) -> bytes:
    """Return SHA-256 over a seed or a player's entropy and the session's id (docs/explanation/randomness.md)."""
    return sha256(secret + session.encode("ascii")).digest()


def chance_seed(seed: bytes, entropy: Iterable[bytes]) -> bytes:
    """Return the seed of all draws. ``entropy``: of the players by seat; empty for a seat without any."""
    added = b"".join(entropy)
    return sha256(seed + added).digest() if added else seed
