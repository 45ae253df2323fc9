"""How commands and scripts go to Redis and come back: each within a deadline, every trouble a refusal."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib import resources
from typing import Any

from redis.exceptions import NoScriptError, RedisError, ResponseError

from skerry_service.sessions.errors import SkerryError, StoreFull, StoreUnavailable
from skerry_service.sessions.stored import damaged

from . import keys
from .connection import QUESTIONS, PackingConnection, pack, require_usable
from .facts import Facts, facts_of
from .multiplexer import ConnectionEnded, Multiplexer
from .waiting import NotReplicatedError, Wait, WaitingMultiplexer

_log = logging.getLogger(__name__)

_SILENCE_SECONDS = 60.0
"""How long nothing more is said of a store that refuses for the same reason: it refuses every call."""
_CONFIRMED_MS = 1000


class Script:
    """A Lua script of this package."""

    def __init__(self, name: str) -> None:
        self.source = resources.files(__package__).joinpath(name).read_bytes()
        self.sha = hashlib.sha1(self.source, usedforsecurity=False).hexdigest()


class Calls:
    """Sends over one connection for all. ``deadline``: seconds that no call waits longer for.

    ``wait``: what to have replicas of the store confirm, over a connection apart: ``None`` for nothing.
    """

    def __init__(
        self, new_connection: Callable[[], PackingConnection], deadline: float, wait: Wait | None = None
    ) -> None:
        self._multiplexer = self._keeping = Multiplexer(new_connection, deadline)
        self.waits = wait is not None
        if wait is not None:
            self._keeping = WaitingMultiplexer(new_connection, deadline, wait)
        self._deadline = deadline
        self._silent_until: dict[str, float] = {}  # by the first word of what the server says: it has a dozen
        self._closed = False

    async def close(self) -> None:
        """Close the connection. Calls under way and later ones raise ``StoreUnavailable``."""
        self._closed = True
        await self._multiplexer.close()
        await self._keeping.close()

    def drop(self) -> None:
        """Have the connection made anew, to whichever server is the master by now."""
        self._multiplexer.drop()
        self._keeping.drop()

    async def facts(self) -> Facts:
        """Ask the server anew what it is. Raises StoreUnavailable, also if it is no master any more."""
        async with self.guard():
            info, config, lineage = await asyncio.gather(*(self._ask(question) for question in QUESTIONS))
            if isinstance(info, ResponseError):
                raise info
            try:
                require_usable(info)
            except RedisError:
                await self._multiplexer.renew()
                raise
            return facts_of(info, config, lineage)

    async def _ask(self, question: Sequence[bytes | str]) -> Any:
        """Return the reply, or the error that it is."""
        try:
            return await self._multiplexer.call(pack(*question))
        except ResponseError as error:
            return error

    async def call(self, *arguments: bytes | str | int, session: str | None = None) -> Any:
        """Run a command that may be carried out twice. ``session``: whose keys it is about, if it is about one's."""
        command = pack(*arguments)
        return (await self._send(self._multiplexer, command, lambda: command, session))[0]

    async def run(self, script: Script, names: Sequence[bytes], *arguments: bytes | str | int) -> Any:
        """Run a script that may be carried out twice."""
        rest = (len(names), *names, *arguments)
        command, again = pack("EVALSHA", script.sha, *rest), lambda: pack("EVAL", script.source, *rest)
        return (await self._send(self._multiplexer, command, again, None))[0]

    async def run_at(self, script: Script, session: str, *arguments: bytes | int) -> tuple[Any, bool]:
        """Run a script on a session's hash and log. Return the reply, and whether it may have been run once before.

        What it writes has been confirmed then, if that is waited for.
        """
        rest = (2, keys.head(session), keys.log(session), *arguments)
        command, again = pack("EVALSHA", script.sha, *rest), lambda: pack("EVAL", script.source, *rest)
        return await self._send(self._keeping, command, again, session)

    async def confirm(self, session: str) -> None:
        """Have confirmed what was written at a session before, by whomever: all that comes before another write."""
        command = pack("SET", keys.confirmed(session), "", "PX", _CONFIRMED_MS)
        await self._send(self._keeping, command, lambda: command, session)

    async def _send(
        self, line: Multiplexer, command: bytes, again: Callable[[], bytes], session: str | None
    ) -> tuple[Any, bool]:
        """Return the reply, and whether the command may have been carried out once before the one that brought it.

        Whatever is not answered well is sent once more, as ``again``: on a new connection when the old one has ended.
        """
        if self._closed:
            raise StoreUnavailable
        until = asyncio.get_running_loop().time() + self._deadline
        try:
            return await line.call(command), False
        except NoScriptError:
            unsure = False
        except NotReplicatedError as error:
            raise self._refusal(error, session) from error
        except (ResponseError, ConnectionEnded) as error:
            unsure = not await self._left(line, error)
        async with self.guard(until, session):
            while True:
                try:
                    return await line.call(again()), unsure
                except ResponseError as error:
                    if not await self._left(line, error):
                        raise

    async def _left(self, line: Multiplexer, error: Exception) -> bool:
        """Leave a server that was the master when it was connected to and is none now. Return whether that is so."""
        demoted = str(error).startswith("READONLY")
        if demoted:
            await line.renew()
        return demoted

    @asynccontextmanager
    async def guard(self, until: float | None = None, session: str | None = None) -> AsyncIterator[None]:
        """End what is waited for at that time, or the deadline; turn every trouble with Redis into a refusal."""
        if self._closed:
            raise StoreUnavailable
        try:
            async with asyncio.timeout_at(until or asyncio.get_running_loop().time() + self._deadline):
                yield
        except (ConnectionEnded, NotReplicatedError, RedisError, OSError) as error:
            raise self._refusal(error, session) from error

    def _refusal(self, error: Exception, session: str | None) -> SkerryError:
        """Return what a caller is told of an error. A server without room says OOM of memory, MISCONF of its disk."""
        words = str(error)
        if not isinstance(error, ResponseError | NotReplicatedError):
            return StoreUnavailable()
        if session is not None and words.startswith("WRONGTYPE"):
            return damaged(session, words)
        kind, now = words.partition(" ")[0], asyncio.get_running_loop().time()
        if now >= self._silent_until.get(kind, now):
            self._silent_until[kind] = now + _SILENCE_SECONDS
            _log.error("the store refuses: %s", error)
        return StoreFull() if kind in ("OOM", "MISCONF") else StoreUnavailable()
