"""Commands and scripts to Redis: each goes to the right server, within a deadline, and every failure is translated."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from importlib import resources
from time import monotonic
from typing import Any, Protocol, cast

from redis.exceptions import NoScriptError, RedisError, ResponseError

from skerry_service.domain.errors import SkerryError, StoreFull, StoreUnavailable
from skerry_service.sessions.loader import report_damage
from skerry_service.store import redis_keys
from skerry_service.store.connections.connection import pack
from skerry_service.store.connections.multiplexer import ConnectionEnded
from skerry_service.store.connections.replication_wait import NotReplicatedError
from skerry_service.store.connections.servers import Server, Servers

_log = logging.getLogger(__name__)

_QUIET_SECONDS = 60.0
"""How long the log omits further rejections by the store for the same reason."""
_MARKER_MS = 1000
"""Lifetime of the key that ``confirm`` writes."""
_KEYLESS = ("PING", "INFO", "TIME")
_ASKING = pack("ASKING")
"""Precedes a command for a key that is being moved to that server of a cluster."""


class WrongType(StoreUnavailable):
    """A key that belongs to no session has a value of another type, so the store is damaged."""


class RunCommand(Protocol):
    """Runs a command. It may run twice if a reply is lost."""

    def __call__(self, *arguments: bytes | str | int, session: str | None = None) -> Awaitable[Any]: ...


class RunScript(Protocol):
    """Runs the script of that file name. It may run twice if a reply is lost."""

    def __call__(self, script: str, names: Sequence[bytes], *arguments: bytes | str | int) -> Awaitable[Any]: ...


class Now(Protocol):
    """Returns the store's uptime in ms."""

    def __call__(self) -> Awaitable[int]: ...


class Script:
    """A Lua script of ``store/scripts``."""

    def __init__(self, name: str) -> None:
        self.source = resources.files(__package__).joinpath("scripts", name).read_bytes()
        self.sha = hashlib.sha1(self.source, usedforsecurity=False).hexdigest()


_CONFIRM = Script("confirm.lua")


class CallRouter:
    """Sends each call to the server that has its keys.

    ``deadline``: the most seconds that a call takes. ``waits``: whether writes of sessions wait for Redis replicas.
    """

    def __init__(self, servers: Servers, deadline: float, *, waits: bool) -> None:
        self._servers = servers
        self.waits = waits
        self._deadline = deadline
        self._quiet_until: dict[str, float] = {}  # by the first word of the error, of which Redis has a dozen
        self._closed = False

    def close(self) -> None:
        """Have later calls raise ``StoreUnavailable``."""
        self._closed = True

    async def call(self, *arguments: bytes | str | int, session: str | None = None, near: bytes | None = None) -> Any:
        """Run a command. It may run twice if a reply is lost.

        ``session``: the session of its key, if it is a key of one. ``near``: a key on the server to call, for a command
        that names no key.
        """
        command = pack(*arguments)
        key = near if arguments[0] in _KEYLESS else arguments[1]
        return (await self._send(cast("bytes | None", key), False, command, lambda: command, session))[0]

    async def each(self, *arguments: bytes | str | int) -> Sequence[Any]:
        """Return the reply of each server to a command that names no key. Raises StoreUnavailable."""
        async with self.guard():
            await self._servers.find(None)
            return await asyncio.gather(*(server.line.call(pack(*arguments)) for server in self._servers.each()))

    async def scan(self, pattern: str, count: int) -> AsyncIterator[Sequence[bytes]]:
        """Yield all keys of all servers that match a pattern, in pages of about ``count`` of the keys that are read.

        A key that exists during the whole scan comes at least once. Raises StoreUnavailable.
        """
        async with self.guard():
            await self._servers.find(None)
        for server in self._servers.each():
            cursor = b"0"
            while True:
                async with self.guard():
                    cursor, keys = await server.line.call(pack("SCAN", cursor, "MATCH", pattern, "COUNT", count))
                yield keys
                if cursor == b"0":
                    break

    async def run(
        self, script: Script, names: Sequence[bytes], *arguments: bytes | str | int, replicated: bool = False
    ) -> Any:
        """Run a script. It may run twice if a reply is lost.

        ``replicated``: whether Redis replicas are to confirm what it writes, if the router waits for them.
        """
        rest = (len(names), *names, *arguments)
        command, again = pack("EVALSHA", script.sha, *rest), lambda: pack("EVAL", script.source, *rest)
        return (await self._send(names[0], replicated, command, again, None))[0]

    def run_at(self, script: Script, session: str, *arguments: bytes | int) -> Coroutine[Any, Any, tuple[Any, bool]]:
        """Run a script on a session's hash and log. Return the reply, and whether the script may have run once before.

        If the router waits for Redis replicas, they have confirmed the write.
        """
        head = redis_keys.head(session)
        rest = (2, head, redis_keys.log(session), *arguments)
        command, again = pack("EVALSHA", script.sha, *rest), lambda: pack("EVAL", script.source, *rest)
        return self._send(head, True, command, again, session)

    async def in_order(self, *calls: Awaitable[Any]) -> list[Any]:
        """Make calls in this order and return their results. On a single connection they are pipelined.

        If the process crashes, no call is made whose predecessor was not.
        """
        if not (self.waits or self._servers.spread):
            return await asyncio.gather(*calls)  # one connection keeps the order
        replies: list[Any] = []
        try:
            for call in calls:
                replies.append(await call)
        finally:
            for call in calls[len(replies) :]:
                if asyncio.iscoroutine(call):
                    call.close()  # it has not begun
        return replies

    async def confirm(self, session: str) -> None:
        """Wait until Redis replicas confirm all earlier writes to a session, by any Skerry replica."""
        key = redis_keys.replicated(session)
        rest = (1, key, _MARKER_MS)
        command, again = pack("EVALSHA", _CONFIRM.sha, *rest), lambda: pack("EVAL", _CONFIRM.source, *rest)
        await self._send(key, True, command, again, session)

    async def _send(
        self, key: bytes | None, replicated: bool, command: bytes, again: Callable[[], bytes], session: str | None
    ) -> tuple[Any, bool]:
        """Send a command. Return the reply, and whether the command may have run once before.

        A command that fails is sent once more, as ``again()``: on a new connection if the old one has ended, or to
        another server if it reached the wrong one. ``replicated``: whether to wait for Redis replicas.
        """
        if self._closed:
            raise StoreUnavailable
        until, server = monotonic() + self._deadline, self._servers.of(key)
        failure: Exception | None = None
        if server is not None:
            try:
                return await (server.replicated_line if replicated else server.line).call(command), False
            except NoScriptError:
                pass
            except NotReplicatedError as error:
                raise self._translated(error, session) from error
            except (ResponseError, ConnectionEnded) as error:
                failure = error
        async with self.guard(until, session):
            return await self._resend(key, replicated, again, failure, server)

    async def _resend(
        self,
        key: bytes | None,
        replicated: bool,
        again: Callable[[], bytes],
        failure: Exception | None,
        server: Server | None,
    ) -> tuple[Any, bool]:
        """Send a command again, and repeat that while it reaches a wrong server. ``failure``: of the first attempt."""
        instead: Server | None = None
        unsure = False
        if failure is not None and server is not None:
            instead = self._servers.redirected(failure, server)
            unsure = instead is None and not await self._servers.rerouted(failure, server)
        while True:
            server = instead or await self._servers.find(key)
            line = server.replicated_line if replicated else server.line
            if instead is not None:
                line.send_ahead(_ASKING)
            try:
                return await line.call(again()), unsure
            except ResponseError as error:
                instead = self._servers.redirected(error, server)
                if instead is None and not await self._servers.rerouted(error, server):
                    raise

    @asynccontextmanager
    async def guard(self, until: float | None = None, session: str | None = None) -> AsyncIterator[None]:
        """Limit the time of the block, and translate every failure of Redis into an error of Skerry.

        ``until``: when to give up, by the monotonic clock of event loops; by default after the deadline.
        """
        if self._closed:
            raise StoreUnavailable
        try:
            async with asyncio.timeout_at(until or monotonic() + self._deadline):
                yield
        except (ConnectionEnded, NotReplicatedError, RedisError, OSError) as error:
            raise self._translated(error, session) from error

    def _translated(self, error: Exception, session: str | None) -> SkerryError:
        """Return the error for the caller. A full server reports OOM for its memory and MISCONF for its disk."""
        text = str(error)
        if not isinstance(error, ResponseError | NotReplicatedError):
            return StoreUnavailable()
        if text.startswith("WRONGTYPE"):
            return WrongType() if session is None else report_damage(session, text)
        kind, now = text.partition(" ")[0], monotonic()
        if now >= self._quiet_until.get(kind, now):
            self._quiet_until[kind] = now + _QUIET_SECONDS
            _log.error("the store rejects calls: %s", error)
        return StoreFull() if kind in ("OOM", "MISCONF") else StoreUnavailable()
