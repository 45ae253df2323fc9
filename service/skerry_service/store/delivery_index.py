"""What is still to be told outside, in Redis: one index of sessions by the age at which to look, and marks in each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any, Protocol

from skerry_service.store import redis_keys


class RunCommand(Protocol):
    """Runs a command that may be carried out twice."""

    def __call__(self, *arguments: bytes | str | int, session: str | None = None) -> Awaitable[Any]: ...


class RunScript(Protocol):
    """Runs the script of that name, which may be carried out twice."""

    def __call__(self, script: str, names: Sequence[bytes], *arguments: bytes | str | int) -> Awaitable[Any]: ...


class Now(Protocol):
    """Tells the age of the store in ms."""

    def __call__(self) -> Awaitable[int]: ...


class RedisDeliveryIndex:
    """A ``sessions.port.DeliveryIndex``."""

    def __init__(self, call: RunCommand, run: RunScript, now: Now) -> None:
        self._call = call
        self._run = run
        self._now = now

    async def schedule(self, session: str, after_ms: int) -> None:
        await self._call("ZADD", redis_keys.OUTBOX, "LT", await self._now() + after_ms, session)

    async def due(self, most: int, again_ms: int) -> Sequence[tuple[str, int]]:
        now = await self._now()
        found = await self._call("ZRANGE", redis_keys.OUTBOX, "-inf", now, "BYSCORE", "LIMIT", 0, most)
        lease = now + again_ms
        # Whoever moves an entry has it; for others, who ask at the same age, it does not move.
        taken = await asyncio.gather(
            *(self._call("ZADD", redis_keys.OUTBOX, "XX", "GT", "CH", lease, session) for session in found)
        )
        return [(session.decode(), lease) for session, mine in zip(found, taken, strict=True) if mine]

    async def release(self, session: str, lease: int, after_ms: int | None) -> None:
        again = "" if after_ms is None else await self._now() + after_ms
        await self._run("settle.lua", (redis_keys.OUTBOX,), session, lease, again)

    async def states(self, session: str, places: Sequence[str]) -> Sequence[bytes]:
        if not places:
            return ()
        fields = [redis_keys.mark(place) for place in places]
        reply = await self._call("HMGET", redis_keys.head(session), *fields, session=session)
        return [one or b"" for one in reply]

    async def set_state(self, session: str, place: str, before: bytes, after: bytes) -> bool:
        reply = await self._run("mark.lua", (redis_keys.head(session),), redis_keys.mark(place), before, after)
        return bool(reply == 1)
