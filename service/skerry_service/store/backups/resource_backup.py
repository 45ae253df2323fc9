"""Backup and restore of resources beside sessions, such as ladders and bots. Each is read at one moment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Sequence

from msgspec import Struct

from skerry_service.store import redis_keys
from skerry_service.store.call_router import CallRouter, Script

_READ = Script("read_parts.lua")
_PAGE = 500
"""Fields that are written at a time, and keys that are read at a time."""


class BackedUpResource(Struct, frozen=True, array_like=True):
    """A resource with its parts."""

    resource: str
    parts: tuple[tuple[str, tuple[tuple[bytes, bytes], ...]], ...]
    """For each part, its name, and its fields with their values."""


async def read_resources(calls: CallRouter) -> tuple[BackedUpResource, ...]:
    """Return all resources. Raises StoreUnavailable."""
    parts = defaultdict[str, set[str]](set)
    async for resource, part in _parts(calls):
        parts[resource].add(part)
    found = []
    for resource, names in sorted(parts.items()):
        ordered = sorted(names)
        values = await calls.run(_READ, [redis_keys.resource_part(resource, part) for part in ordered])
        pairs = [tuple(zip(one[::2], one[1::2], strict=True)) for one in values]
        found.append(BackedUpResource(resource, tuple(zip(ordered, pairs, strict=True))))
    return tuple(found)


async def has_resources(calls: CallRouter) -> bool:
    """Return whether the store has any resource. Raises StoreUnavailable."""
    async for _ in _parts(calls):
        return True
    return False


async def write_resources(calls: CallRouter, resources: Sequence[BackedUpResource]) -> None:
    """Write resources into a store that has none. Raises StoreUnavailable."""
    for one in resources:
        for part, fields in one.parts:
            key = redis_keys.resource_part(one.resource, part)
            for first in range(0, len(fields), _PAGE):
                await calls.call("HSET", key, *(word for pair in fields[first : first + _PAGE] for word in pair))


async def _parts(calls: CallRouter) -> AsyncIterator[tuple[str, str]]:
    async for keys in calls.scan(redis_keys.RESOURCE_PARTS, _PAGE):
        for key in keys:
            if (found := redis_keys.part_in(key)) is not None:
                yield found
