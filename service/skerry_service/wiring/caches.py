"""The sizes of all caches in the process, for metrics. docs/explanation/capacity.md lists their bounds."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from skerry_service.sessions.service import Sessions
from skerry_service.wire.bounded_cache import cache_bytes

_CachedFunction: Any = type(lru_cache(len))
_ROOMS = {"skerry_games": "rules", "skerry_service": "service"}


def large_caches(sessions: Sessions) -> Mapping[str, int]:
    """Return the bytes of each cache that is bounded by bytes."""
    return {"tables": sessions.tables.bytes, **cache_bytes()}


def small_caches() -> Mapping[str, int]:
    """Return the entries of the caches of functions, which are bounded by their number."""
    return {room: sum(one.cache_info().currsize for one in found) for room, found in _of_functions().items()}


@cache
def _of_functions() -> Mapping[str, Sequence[Any]]:
    """Return the caches of the functions in all modules that are loaded at the first call."""
    found: dict[str, dict[int, Any]] = {room: {} for room in _ROOMS.values()}
    for name, module in list(sys.modules.items()):
        room = _ROOMS.get(name.partition(".")[0])
        for value in list(vars(module).values()) if room else ():
            if room and isinstance(value, _CachedFunction):
                found[room][id(value)] = value
    return {room: list(caches.values()) for room, caches in found.items()}
