"""A connection that carries many commands at once. Replies come in the order of the commands.

A connection pool needs a write and a read for each command. Here, all commands of one turn of the event loop share
them, which takes a quarter of the processor time. Any failure ends the connection: every command on it then fails, and
its caller may send it again. The next command opens a new connection.
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
    """No reply has come. The server may or may not have run the command."""


class Replies(asyncio.Protocol):
    """Calls ``on_reply`` with each reply, including errors. ``ended`` is done when the connection has ended."""

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
    """Connects at its first use. No call takes much longer than ``deadline`` seconds."""

    def __init__(self, new_connection: Callable[[], PackingConnection], deadline: float) -> None:
        self._new_connection = new_connection
        self._deadline = deadline
        self._unsent: list[bytes] = []
        self._unsent_calls: list[tuple[float, asyncio.Future[Any]]] = []
        """The time and the future of each unsent command."""
        self._sent: deque[tuple[float, asyncio.Future[Any]]] = deque()
        """The time and the future of each command that was sent and has no reply yet."""
        self._loop: asyncio.AbstractEventLoop | None = None
        """The event loop of its first use. To look it up for each command would take a system call."""
        self._line: asyncio.Transport | None = None
        self._task: asyncio.Task[None] | None = None

    def call(self, command: bytes) -> Awaitable[Any]:
        """Send a packed command. Return an awaitable reply, which raises ResponseError or ConnectionEnded."""
        future = self._append(command)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        return future

    def send_ahead(self, command: bytes) -> None:
        """Send a packed command right before that of the next ``call``, and ignore its reply."""
        self._append(command).add_done_callback(asyncio.Future.exception)

    def _append(self, command: bytes) -> asyncio.Future[Any]:
        """Queue a command, and return the future of its reply. It is sent with others at the end of this turn."""
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
        """End the connection. The next call opens a new one."""
        if self._line is not None:
            self._line.abort()

    async def renew(self) -> None:
        """Drop the connection, and return once calls use a new one."""
        self.drop()
        if self._task is not None:
            await asyncio.wait([self._task])

    async def close(self) -> None:
        """End the connection. Calls in progress raise ``ConnectionEnded``."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._fail_all()

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
                self._fail_all(cause)  # last, because a call that finds this task running relies on it

    def _fail_all(self, cause: Exception | None = None) -> None:
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
        """Send the queued commands, unless the connection is not open. It flushes once it is."""
        if self._line is not None and not self._line.is_closing() and self._unsent:
            commands = b"".join(self._unsent)
            self._sent.extend(self._unsent_calls)
            self._unsent.clear()
            self._unsent_calls.clear()
            self._line.write(commands)

    def _answer(self, reply: Any) -> None:
        _, future = self._sent.popleft()
        if future.done():
            return  # its caller was cancelled
        if isinstance(reply, ResponseError):
            future.set_exception(reply)
        else:
            future.set_result(reply)

    async def _watch(self, ended: asyncio.Future[None]) -> None:
        """Return when the connection ends. Raise TimeoutError if a reply is overdue: one timer serves all commands."""
        loop = asyncio.get_running_loop()
        while not ended.done():
            await asyncio.wait((ended,), timeout=self._deadline / 8)
            if self._sent and loop.time() - self._sent[0][0] > self._deadline * 7 / 8:
                raise TimeoutError("a reply is overdue")
