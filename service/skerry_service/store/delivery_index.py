"""The schedule of webhook deliveries in Redis: a sorted set of sessions, and a field in each session's hash."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any, Protocol

from skerry_service.store import redis_keys


class RunCommand(Protocol):
    """Runs a command. It may run twice if a reply is lost."""

    def __call__(self, *arguments: bytes | str | int, session: str | None = None) -> Awaitable[Any]: ...


class RunScript(Protocol):
    """Runs the script of that file name. It may run twice if a reply is lost."""

    def __call__(self, script: str, names: Sequence[bytes], *arguments: bytes | str | int) -> Awaitable[Any]: ...


class Now(Protocol):
    """Returns the store's uptime in ms."""

    def __call__(self) -> Awaitable[int]: ...


class RedisDeliveryIndex:
    """A ``sessions.store_port.DeliveryIndex``."""

    def __init__(self, call: RunCommand, run: RunScript, now: Now) -> None:
        self._call = call
        self._run = run
        self._now = now

    async def schedule(self, session: str, after_ms: int) -> None:
        await self._call("ZADD", redis_keys.DELIVERIES, "LT", await self._now() + after_ms, session)

    async def due(self, most: int, again_ms: int) -> Sequence[tuple[str, int]]:
        now = await self._now()
        due = await self._call("ZRANGE", redis_keys.DELIVERIES, "-inf", now, "BYSCORE", "LIMIT", 0, most)
        lease = now + again_ms
        # The replica that moves an entry has the lease. A second ZADD with the same score reports no change.
        moved = await asyncio.gather(
            *(self._call("ZADD", redis_keys.DELIVERIES, "XX", "GT", "CH", lease, session) for session in due)
        )
        return [(session.decode(), lease) for session, leased in zip(due, moved, strict=True) if leased]

    async def release(self, session: str, lease: int, after_ms: int | None) -> None:
        next_check = "" if after_ms is None else await self._now() + after_ms
        await self._run("release.lua", (redis_keys.DELIVERIES,), session, lease, next_check)

    async def states(self, session: str, slots: Sequence[str]) -> Sequence[bytes]:
        if not slots:
            return ()
        fields = [redis_keys.delivery_state(slot) for slot in slots]
        reply = await self._call("HMGET", redis_keys.head(session), *fields, session=session)
        return [state or b"" for state in reply]

    async def set_state(self, session: str, slot: str, expected: bytes, value: bytes) -> bool:
        field = redis_keys.delivery_state(slot)
        reply = await self._run("set_state.lua", (redis_keys.head(session),), field, expected, value)
        return bool(reply == 1)
