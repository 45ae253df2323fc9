"""Resources in Redis. All keys of a resource are in one slot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from skerry_service.sessions.resources.resource_port import ANY, FieldChange
from skerry_service.store import redis_keys
from skerry_service.store.call_router import RunCommand, RunScript


class RedisResources:
    """A ``sessions.resources.resource_port.ResourceStore``."""

    def __init__(self, call: RunCommand, run: RunScript, require_room: Callable[[], None]) -> None:
        """``require_room``: raises StoreFull if the disk of the server is full."""
        self._call = call
        self._run = run
        self._require_room = require_room

    async def read_all(self, resource: str, part: str) -> Mapping[bytes, bytes]:
        reply = await self._call("HGETALL", redis_keys.resource_part(resource, part))
        return dict(zip(reply[::2], reply[1::2], strict=True)) if isinstance(reply, list) else dict(reply)

    async def read(self, resource: str, part: str, fields: Sequence[bytes]) -> Sequence[bytes | None]:
        if not fields:
            return ()
        values: Sequence[bytes | None] = await self._call("HMGET", redis_keys.resource_part(resource, part), *fields)
        return values

    async def change(self, resource: str, changes: Sequence[FieldChange]) -> bool:
        if any(one.value is not None for one in changes):
            self._require_room()
        parts = list(dict.fromkeys(one.part for one in changes))
        arguments: list[bytes | int] = []
        for one in changes:
            mode, expected = (
                (2, b"") if one.expected == ANY else (0, b"") if one.expected is None else (1, one.expected)
            )
            value = (0, b"") if one.value is None else (1, one.value)
            arguments += [1 + parts.index(one.part), one.field, mode, _bytes(expected), *value]
        names = [redis_keys.resource_part(resource, part) for part in parts]
        names.append(redis_keys.resource_part(resource, redis_keys.REVISIONS))
        return bool(await self._run("change_fields.lua", names, *arguments) == 1)


def _bytes(expected: bytes | str) -> bytes:
    return expected if isinstance(expected, bytes) else expected.encode()
