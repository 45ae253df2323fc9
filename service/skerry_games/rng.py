"""The one source of chance: a specified generator that another language can re-check.

Specification (``docs/explanation/randomness.md`` has it with test vectors)
---------------------------------------------------------------
A draw is identified by a 32-byte ``seed`` and a draw number ``n`` (the sequence of the log entry it fills).
Block ``i`` (from 0) of that draw is ``SHA-256(seed || n as 8 bytes || i as 8 bytes)``, big-endian.
The blocks are read one after the other as 64-bit big-endian words, four a block.
``below(k)``: with ``limit`` the largest multiple of ``k`` that is at most 2**64, take the next word smaller
than ``limit`` and answer it modulo ``k``. ``shuffle`` is Fisher-Yates from the end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from hashlib import sha256
from typing import Protocol, TypeVar

T = TypeVar("T")

SEED_BYTES = 32
_WORDS = 1 << 64
"""Words, draw numbers and block numbers are below this."""


class Rng(ABC):
    """A source of unbiased choices. Rules take one as an argument and never make their own."""

    __slots__ = ()

    @abstractmethod
    def below(self, count: int) -> int:
        """Return an integer of ``range(count)``, each equally likely. Raises ValueError if ``count`` is below 1."""

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, each equally likely. Raises ValueError if there are none."""
        return items[self.below(len(items))]

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in random order (Fisher-Yates, from the last place to the second)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            pick = self.below(last + 1)
            order[last], order[pick] = order[pick], order[last]
        return tuple(order)


class RandomSource(Protocol):
    """Where ``Dice`` draw from; a ``random.Random`` is one."""

    def randrange(self, stop: int, /) -> int:
        """Return an integer of ``range(stop)``, each equally likely."""


class Dice(Rng):
    """Draws from a generator of the caller's, a ``random.Random`` for example. Quicker than ``SeededRng``."""

    __slots__ = ("_source",)

    def __init__(self, source: RandomSource) -> None:
        self._source = source

    def below(self, count: int) -> int:
        return self._source.randrange(count)


class SeededRng(Rng):
    """The specified generator: SHA-256 in counter mode over ``seed || draw number``.

    Raises ValueError for a seed of another length, a draw number that does not fit 8 bytes, and, when it is used,
    for a ``count`` that is not from 1 to 2**64.
    """

    __slots__ = ("_block", "_prefix", "_words")

    def __init__(self, seed: bytes, draw: int) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        if not 0 <= draw < _WORDS:
            raise ValueError(f"a draw number has 64 bits: {draw}")
        self._prefix = seed + draw.to_bytes(8, "big")
        self._block = 0
        self._words: list[int] = []

    def below(self, count: int) -> int:
        if not 1 <= count <= _WORDS:
            raise ValueError(f"cannot choose below {count}")
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
