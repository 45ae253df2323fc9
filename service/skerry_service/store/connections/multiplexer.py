"""One connection on which many commands are under way at once, their replies in the order of the commands.

A pool gives each command a connection, a write and a read of its own; here all commands of a moment share them, which
costs a quarter of the processor time. Whatever is not plain sailing ends the connection and gives every command on it
back to its caller, who may send it again. The next command opens a new connection.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import hiredis
from redis.exceptions import NoScriptError, ResponseError

from skerry_service.store.connections.connection import PackingConnection

_NOTHING = object()
_log = logging.getLogger(__name__)


class ConnectionEnded(Exception):
    """There is no reply; whether the server carried the command out is not known."""


class Replies(asyncio.Protocol):
    """Calls ``on_reply`` with each reply, an error among them; ``ended`` is done when no more will come."""

    def __init__(self, on_reply: Callable[[Any], None]) -> None:
        self._on_reply = on_reply
        self._reader = hiredis.Reader(replyError=_error, notEnoughData=_NOTHING)
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (reply := self._reader.gets()) is not _NOTHING:
            self._on_reply(reply)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_result(None)


def _error(message: str) -> ResponseError:
    return NoScriptError(message) if message.startswith("NOSCRIPT") else ResponseError(message)


class Multiplexer:
    """Connects when it is first used. No call waits much longer than ``deadline`` seconds."""

    def __init__(self, new_connection: Callable[[], PackingConnection], deadline: float) -> None:
        self._new_connection = new_connection
        self._deadline = deadline
        self._unsent: list[bytes] = []
        self._unsent_calls: list[tuple[float, asyncio.Future[Any]]] = []
        """When each of these was made, and who waits for it."""
        self._sent: deque[tuple[float, asyncio.Future[Any]]] = deque()
        """Likewise, of what was sent and is not answered yet."""
        self._loop: asyncio.AbstractEventLoop | None = None
        """The one that it is used in: to ask for it again takes a call of the system."""
        self._line: asyncio.Transport | None = None
        self._task: asyncio.Task[None] | None = None

    def call(self, command: bytes) -> Awaitable[Any]:
        """Send a packed command; return what becomes its reply, or raises ``ResponseError`` or ``ConnectionEnded``."""
        future = self._append(command)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        return future

    def say(self, command: bytes) -> None:
        """Send a packed command right before the one that is called next; its reply is for nobody."""
        self._append(command).add_done_callback(asyncio.Future.exception)

    def _append(self, command: bytes) -> asyncio.Future[Any]:
        """Return the future of a command that is sent once all that is ready now has been done: with others."""
        loop = self._loop
        if loop is None:
            loop = self._loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        if not self._unsent:
            loop.call_soon(self._flush)
        self._unsent.append(command)
        self._unsent_calls.append((loop.time(), future))
        return future

    def drop(self) -> None:
        """Have the connection end, as if the server had ended it; the next call makes another one."""
        if self._line is not None:
            self._line.abort()

    async def renew(self) -> None:
        """Drop the connection, and return when calls go over another one."""
        self.drop()
        if self._task is not None:
            await asyncio.wait([self._task])

    async def close(self) -> None:
        """End the connection; calls under way raise ``ConnectionEnded``."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._give_back()

    async def _run(self) -> None:
        connection = self._new_connection()
        cause: Exception | None = None
        try:
            async with asyncio.timeout(self._deadline):
                await connection.connect()  # type: ignore[no-untyped-call]
            replies = Replies(self._answer)
            self._line = connection.hand_over(replies)
            self._flush()
            await self._watch(replies.ended)
        except Exception as error:
            _log.debug("the multiplexed connection ended: %r", error)
            cause = error
        finally:
            self._line = None
            try:
                await connection.disconnect(nowait=True)
            finally:
                self._give_back(cause)  # the last thing done: a call that finds this task running relies on it

    def _give_back(self, cause: Exception | None = None) -> None:
        futures = [future for _, future in (*self._sent, *self._unsent_calls)]
        self._sent.clear()
        self._unsent.clear()
        self._unsent_calls.clear()
        for future in futures:
            if not future.done():
                ended = ConnectionEnded()
                ended.__cause__ = cause
                future.set_exception(ended)

    def _flush(self) -> None:
        """Send what waits, unless the connection is still being made, which flushes by itself, or has just ended."""
        if self._line is not None and not self._line.is_closing() and self._unsent:
            commands = b"".join(self._unsent)
            self._sent.extend(self._unsent_calls)
            self._unsent.clear()
            self._unsent_calls.clear()
            self._line.write(commands)

    def _answer(self, reply: Any) -> None:
        _, future = self._sent.popleft()
        if future.done():
            return  # its caller has gone
        if isinstance(reply, ResponseError):
            future.set_exception(reply)
        else:
            future.set_result(reply)

    async def _watch(self, ended: asyncio.Future[None]) -> None:
        """Return when the connection ends, or when a reply is overdue: one timer here instead of one a command."""
        loop = asyncio.get_running_loop()
        while not ended.done():
            await asyncio.wait((ended,), timeout=self._deadline / 8)
            if self._sent and loop.time() - self._sent[0][0] > self._deadline * 7 / 8:
                raise TimeoutError("a reply is overdue")
