"""Ticks of the store clock, which are also the writes that health follows. Each goes to every server of the store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from secrets import token_bytes
from typing import Any

from skerry_service.domain.errors import SkerryError
from skerry_service.store import redis_keys
from skerry_service.store.call_router import CallRouter, Script
from skerry_service.store.connections.servers import Servers
from skerry_service.store.health.write_health import WriteHealth, WriteProblem, problem_of
from skerry_service.store.replica_registry import ReplicaRegistry
from skerry_service.store.stored_values import number_of
from skerry_service.store.uptime import Uptime

_SCRIPT = Script("uptime.lua")


class Ticks:
    """Advances the uptime of a store, announces this replica, and knows by that which of its servers accept writes."""

    def __init__(
        self,
        servers: Servers,
        calls: CallRouter,
        uptime: Uptime,
        replicas: ReplicaRegistry,
        require_room: Callable[[], None],
    ) -> None:
        """``require_room``: raises StoreFull if the store must not be written to."""
        self._servers = servers
        self._calls = calls
        self._uptime = uptime
        self._replicas = replicas
        self._require_room = require_room
        self._health: dict[bytes, WriteHealth] = {redis_keys.STORE: WriteHealth()}
        """For each server, by the key that is written there."""
        self.on_bans_changed: Callable[[], None] = lambda: None
        """Called after a tick if any replica has changed the bans since the tick before."""
        self._bans_changed: bytes | None = None

    async def tick(self, now_ms: int, *, announces: bool = True) -> int | None:
        """See ``RedisStore.tick``. A server that fails does not keep the others from being written to."""
        keys = self._servers.one_key_each(redis_keys.STORE, redis_keys.heartbeat)
        self._health = {key: self._health.get(key) or WriteHealth() for key in keys}
        writes = (self._write(key, now_ms, announces=announces and key == redis_keys.STORE) for key in keys)
        replies: list[Any] = await asyncio.gather(*writes, return_exceptions=True)
        for number, failure in enumerate(replies):
            if isinstance(failure, BaseException) and not (number and isinstance(failure, SkerryError)):
                raise failure
        uptime, latest, live, bans_changed, mark = replies[0]
        self._uptime.learn(int(uptime))
        if bans_changed != self._bans_changed:
            self._bans_changed = bans_changed
            self.on_bans_changed()
        if announces:
            self._replicas.learn(live, int(uptime))
        self._replicas.marked(mark)
        return number_of(latest) or None

    async def announce_bans(self) -> None:
        """Let every replica call ``on_bans_changed``, this one at once. Raises StoreUnavailable, StoreFull."""
        await self._calls.call("HSET", redis_keys.STORE, redis_keys.BANS_CHANGED, token_bytes(8))
        self.on_bans_changed()

    def uptime_ms(self) -> int:
        """Return the store uptime as this replica counts it, in ms."""
        return self._uptime.now()

    async def probe(self) -> Sequence[WriteProblem]:
        """Write a key to each server and delete it. Return the problem of each server that does not accept that."""
        problems = []
        for key in self._servers.one_key_each(redis_keys.heartbeat(0), redis_keys.heartbeat):
            try:
                await self._calls.run(_SCRIPT, (key,), 0, 0, replicated=True)
                await self._calls.call("DEL", key)
            except SkerryError as error:
                problems.append(problem_of(error))
        return problems

    async def _write(self, key: bytes, now_ms: int, *, announces: bool) -> Any:
        health = self._health[key]
        health.began()
        try:
            self._require_room()
            names = (key, redis_keys.REPLICAS) if announces else (key,)
            figures = self._replicas.packed_figures() if announces else b""
            arguments = (self._uptime.now(), now_ms, self._replicas.entry(), figures)
            reply = await self._calls.run(_SCRIPT, names, *arguments, replicated=True)
        except SkerryError as error:
            health.failed(error)
            raise
        health.succeeded()
        return reply

    def stored(self) -> None:
        """Record that a session was written. On a single server, that counts as a tick would."""
        if not self._servers.spread:
            self._health[redis_keys.STORE].succeeded()

    def problems(self) -> Sequence[WriteProblem]:
        """Return the problem of each server that accepts no writes."""
        return [problem for health in self._health.values() if (problem := health.problem())]

    def problem(self) -> WriteProblem | None:
        """Return why no server accepts writes; ``None`` if one does."""
        problems = self.problems()
        return problems[0] if len(problems) == len(self._health) else None
