"""Backup and restore of resources beside sessions, such as ladders and bots.

Each resource is backed up as it is at one moment, without a call that reads all of it. The backup reads part by part.
The revisions say which parts changed meanwhile, and one call reads those again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

from msgspec import Struct

from skerry_service.store import redis_keys
from skerry_service.store.call_router import CallRouter, Script

_READ = Script("read_parts.lua")
_PAGE = 500
"""Fields that are written at a time, and keys that are read at a time."""
Pairs = Sequence[tuple[bytes, bytes]]


class BackedUpFields(Struct, frozen=True, array_like=True):
    """Fields of a part of a resource, with their values."""

    resource: str
    part: str
    fields: tuple[tuple[bytes, bytes], ...]
    replaces: bool
    """Whether these fields replace those of the part before, instead of being added to them."""


async def parts_of_resources(calls: CallRouter) -> Mapping[str, set[str]]:
    """Return the parts of all resources. Raises StoreUnavailable."""
    parts = defaultdict[str, set[str]](set)
    async for resource, part in _parts(calls):
        parts[resource].add(part)
    return parts


async def read_resource(calls: CallRouter, resource: str, parts: set[str]) -> AsyncIterator[BackedUpFields]:
    """Yield a resource as it is when the last parts are read. Raises StoreUnavailable."""
    revisions = redis_keys.resource_part(resource, redis_keys.REVISIONS)
    before = dict(_pairs((await calls.run(_READ, [revisions]))[0]))
    for part in sorted(parts - {redis_keys.REVISIONS}):
        (words,) = await calls.run(_READ, [redis_keys.resource_part(resource, part)])
        for piece in _pieces(resource, part, _pairs(words)):
            yield piece
    changed = set[bytes]()
    while True:  # ends, because ``changed`` grows each time and a resource has finitely many parts
        keys = sorted(changed)
        now, *values = map(_pairs, await calls.run(_READ, [revisions, *keys]))
        later = {key for key, revision in now if before.get(key) != revision}
        if later <= changed:
            break
        changed |= later
    for key, fields in zip(keys, values, strict=True):
        if (found := redis_keys.part_in(key)) is not None:
            for piece in _pieces(*found, fields):
                yield piece


async def has_resources(calls: CallRouter) -> bool:
    """Return whether the store has any resource. Raises StoreUnavailable."""
    async for _ in _parts(calls):
        return True
    return False


async def write_fields(calls: CallRouter, kept: BackedUpFields) -> None:
    """Write fields into a store that had no resources. Raises StoreUnavailable."""
    key = redis_keys.resource_part(kept.resource, kept.part)
    if kept.replaces:
        await calls.call("DEL", key)
    if kept.fields:
        await calls.call("HSET", key, *(word for pair in kept.fields for word in pair))


def _pieces(resource: str, part: str, fields: Pairs) -> Iterator[BackedUpFields]:
    for first in range(0, max(1, len(fields)), _PAGE):
        yield BackedUpFields(resource, part, tuple(fields[first : first + _PAGE]), replaces=first == 0)


def _pairs(words: Sequence[bytes]) -> Pairs:
    return list(zip(words[::2], words[1::2], strict=True))


async def _parts(calls: CallRouter) -> AsyncIterator[tuple[str, str]]:
    async for keys in calls.scan(redis_keys.RESOURCE_PARTS, _PAGE):
        for key in keys:
            if (found := redis_keys.part_in(key)) is not None:
                yield found
