"""Caches of a bounded number of bytes. A hit costs less than one of ``lru_cache``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

V = TypeVar("V")

ENTRY_BYTES = 400
"""What an entry takes at most beside its value: its key, a move or an event with the names of players, and its slot."""
_caches: list[BoundedCache[Any]] = []


class BoundedCache(dict[tuple[Any, ...], V], Generic[V]):
    """The results of a function by its arguments: ``cache[arguments]`` computes what is missing.

    It is emptied when it is full. A value larger than a hundredth of it is not kept.
    """

    def __init__(
        self, name: str, most_bytes: int, make: Callable[..., V], size: Callable[[V], int] = lambda value: 0
    ) -> None:
        """``size``: returns the bytes of a value; by default, ``ENTRY_BYTES`` includes it."""
        super().__init__()
        self.name = name
        self.most_bytes = most_bytes
        self.bytes = 0
        self._make = make
        self._size = size
        _caches.append(self)

    def __missing__(self, arguments: tuple[Any, ...]) -> V:
        value = self._make(*arguments)
        size = ENTRY_BYTES + self._size(value)
        if size <= self.most_bytes // 100:
            if self.bytes + size > self.most_bytes:
                self.clear()
                self.bytes = 0
            self.bytes += size
            self[arguments] = value
        return value


def cache_bytes() -> Mapping[str, int]:
    """Return the bytes of each cache by its name."""
    return {cache.name: cache.bytes for cache in _caches}
