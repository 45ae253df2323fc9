"""Caches of a bounded number of bytes. A hit of ``BoundedCache`` costs less than one of ``lru_cache``."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Generic, TypeVar

V = TypeVar("V")

ENTRY_BYTES = 400
"""What an entry takes at most beside its value: its key, a move or an event with the names of players, and its slot."""
_caches: list[BoundedCache[Any] | RecentFiles] = []


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


class RecentFiles:
    """The files that were used last, by what they depend on. A file larger than a tenth of the cache is not kept."""

    def __init__(self, name: str, most_bytes: int) -> None:
        self.name = name
        self.most_bytes = most_bytes
        self.bytes = 0
        self._files: OrderedDict[Hashable, bytes] = OrderedDict()
        _caches.append(self)

    def get(self, key: Hashable) -> bytes | None:
        """Return a file; ``None`` if it is not kept."""
        found = self._files.get(key)
        if found is not None:
            self._files.move_to_end(key)
        return found

    def keep(self, key: Hashable, file: bytes) -> None:
        """Keep a file, and drop those that were not used for longest if there is no room."""
        size = ENTRY_BYTES + len(file)
        if size > self.most_bytes // 10 or key in self._files:
            return
        self._files[key] = file
        self.bytes += size
        while self.bytes > self.most_bytes:
            _, dropped = self._files.popitem(last=False)
            self.bytes -= ENTRY_BYTES + len(dropped)


def cache_bytes() -> Mapping[str, int]:
    """Return the bytes of each cache by its name."""
    return {cache.name: cache.bytes for cache in _caches}
