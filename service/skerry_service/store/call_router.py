"""How commands and scripts go to Redis and come back: each within a deadline, every trouble a refusal."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from importlib import resources
from time import monotonic
from typing import Any, cast

from redis.exceptions import NoScriptError, RedisError, ResponseError

from skerry_service.domain.errors import SkerryError, StoreFull, StoreUnavailable
from skerry_service.sessions.loader import report_damage
from skerry_service.store import redis_keys
from skerry_service.store.connections.connection import pack
from skerry_service.store.connections.multiplexer import ConnectionEnded
from skerry_service.store.connections.replication_wait import NotReplicatedError
from skerry_service.store.connections.servers import Server, Servers

_log = logging.getLogger(__name__)

_SILENCE_SECONDS = 60.0
"""How long nothing more is said of a store that refuses for the same reason: it refuses every call."""
_CONFIRMED_MS = 1000
_WITHOUT_KEY = ("PING", "INFO", "TIME")
_ASKING = pack("ASKING")
"""Before a command for a key that is on its way to that server."""


class Script:
    """A Lua script of ``store/scripts``."""

    def __init__(self, name: str) -> None:
        self.source = resources.files(__package__).joinpath("scripts", name).read_bytes()
        self.sha = hashlib.sha1(self.source, usedforsecurity=False).hexdigest()


_CONFIRM = Script("confirm.lua")


class CallRouter:
    """Sends each call to the server that has its keys. ``deadline``: seconds that no call waits longer for.

    ``waits``: whether what is to be kept is confirmed by replicas of the store.
    """

    def __init__(self, servers: Servers, deadline: float, *, waits: bool) -> None:
        self._servers = servers
        self.waits = waits
        self._deadline = deadline
        self._silent_until: dict[str, float] = {}  # by the first word of what the server says: it has a dozen
        self._closed = False

    def close(self) -> None:
        """Have later calls raise ``StoreUnavailable``."""
        self._closed = True

    async def call(self, *arguments: bytes | str | int, session: str | None = None, near: bytes | None = None) -> Any:
        """Run a command that may be carried out twice. ``session``: whose keys it is about, if it is about one's.

        ``near``: a key whose server is to be asked, for a command that names none.
        """
        command = pack(*arguments)
        key = near if arguments[0] in _WITHOUT_KEY else arguments[1]
        return (await self._send(cast("bytes | None", key), False, command, lambda: command, session))[0]

    async def each(self, *arguments: bytes | str | int) -> Sequence[Any]:
        """Return the reply of each server to a command that names no key. Raises StoreUnavailable."""
        async with self.guard():
            await self._servers.find(None)
            return await asyncio.gather(*(one.line.call(pack(*arguments)) for one in self._servers.each()))

    async def run(self, script: Script, names: Sequence[bytes], *arguments: bytes | str | int) -> Any:
        """Run a script that may be carried out twice."""
        rest = (len(names), *names, *arguments)
        command, again = pack("EVALSHA", script.sha, *rest), lambda: pack("EVAL", script.source, *rest)
        return (await self._send(names[0], False, command, again, None))[0]

    def run_at(self, script: Script, session: str, *arguments: bytes | int) -> Coroutine[Any, Any, tuple[Any, bool]]:
        """Run a script on a session's hash and log. Return the reply, and whether it may have been run once before.

        What it writes has been confirmed then, if that is waited for.
        """
        head = redis_keys.head(session)
        rest = (2, head, redis_keys.log(session), *arguments)
        command, again = pack("EVALSHA", script.sha, *rest), lambda: pack("EVAL", script.source, *rest)
        return self._send(head, True, command, again, session)

    async def in_order(self, *calls: Awaitable[Any]) -> list[Any]:
        """Carry calls out one after the other, and return what each returns; over one line without waiting between.

        What comes first is done first, however soon this process ends.
        """
        if not (self.waits or self._servers.spread):
            return await asyncio.gather(*calls)  # the line keeps the order in which they begin
        replies: list[Any] = []
        try:
            for call in calls:
                replies.append(await call)
        finally:
            for call in calls[len(replies) :]:
                if asyncio.iscoroutine(call):
                    call.close()  # nothing of it is done
        return replies

    async def confirm(self, session: str) -> None:
        """Have confirmed what was written at a session before, by whomever: all that comes before another write."""
        key = redis_keys.replicated(session)
        rest = (1, key, _CONFIRMED_MS)
        command, again = pack("EVALSHA", _CONFIRM.sha, *rest), lambda: pack("EVAL", _CONFIRM.source, *rest)
        await self._send(key, True, command, again, session)

    async def _send(
        self, key: bytes | None, kept: bool, command: bytes, again: Callable[[], bytes], session: str | None
    ) -> tuple[Any, bool]:
        """Return the reply, and whether the command may have been carried out once before the one that brought it.

        Whatever is not answered well is sent once more, as ``again``: on a new connection when the old one has ended,
        to another server when it came to a wrong one.
        """
        if self._closed:
            raise StoreUnavailable
        until, server = monotonic() + self._deadline, self._servers.of(key)
        trouble: Exception | None = None
        if server is not None:
            try:
                return await (server.keeping if kept else server.line).call(command), False
            except NoScriptError:
                pass
            except NotReplicatedError as error:
                raise self._refusal(error, session) from error
            except (ResponseError, ConnectionEnded) as error:
                trouble = error
        async with self.guard(until, session):
            return await self._again(key, kept, again, trouble, server)

    async def _again(
        self,
        key: bytes | None,
        kept: bool,
        again: Callable[[], bytes],
        trouble: Exception | None,
        server: Server | None,
    ) -> tuple[Any, bool]:
        """Send it once more, and on for as long as it comes to a wrong server. ``trouble``: what came of it before."""
        instead: Server | None = None
        unsure = False
        if trouble is not None and server is not None:
            instead = self._servers.asked(trouble, server)
            unsure = instead is None and not await self._servers.strayed(trouble, server)
        while True:
            server = instead or await self._servers.find(key)
            line = server.keeping if kept else server.line
            if instead is not None:
                line.say(_ASKING)
            try:
                return await line.call(again()), unsure
            except ResponseError as error:
                instead = self._servers.asked(error, server)
                if instead is None and not await self._servers.strayed(error, server):
                    raise

    @asynccontextmanager
    async def guard(self, until: float | None = None, session: str | None = None) -> AsyncIterator[None]:
        """End what is waited for at that time, or the deadline; turn every trouble with Redis into a refusal.

        ``until``: by the monotonic clock, which is that of event loops.
        """
        if self._closed:
            raise StoreUnavailable
        try:
            async with asyncio.timeout_at(until or monotonic() + self._deadline):
                yield
        except (ConnectionEnded, NotReplicatedError, RedisError, OSError) as error:
            raise self._refusal(error, session) from error

    def _refusal(self, error: Exception, session: str | None) -> SkerryError:
        """Return what a caller is told of an error. A server without room says OOM of memory, MISCONF of its disk."""
        words = str(error)
        if not isinstance(error, ResponseError | NotReplicatedError):
            return StoreUnavailable()
        if session is not None and words.startswith("WRONGTYPE"):
            return report_damage(session, words)
        kind, now = words.partition(" ")[0], monotonic()
        if now >= self._silent_until.get(kind, now):
            self._silent_until[kind] = now + _SILENCE_SECONDS
            _log.error("the store refuses: %s", error)
        return StoreFull() if kind in ("OOM", "MISCONF") else StoreUnavailable()
