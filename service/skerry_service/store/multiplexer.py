"""One connection on which many commands are under way at once, their replies in the order of the commands.

A pool gives each command a connection, a write and a read of its own; here all commands of a moment share them, which
costs a quarter of the processor time. Whatever is not plain sailing ends the connection and gives every command on it
back to its caller, who may send it again. The next command opens a new connection.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ResponseError

_log = logging.getLogger(__name__)


class ConnectionEnded(Exception):
    """There is no reply; whether the server carried the command out is not known."""


class Multiplexer:
    """Connects when it is first used. No call waits much longer than ``deadline`` seconds."""

    def __init__(self, new_connection: Callable[[], AbstractConnection], deadline: float) -> None:
        self._new_connection = new_connection
        self._deadline = deadline
        self._unsent: list[tuple[bytes, float, asyncio.Future[Any]]] = []
        self._sent: deque[tuple[float, asyncio.Future[Any]]] = deque()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def call(self, command: bytes) -> Any:
        """Send a packed command; return the reply, raise ``ResponseError`` if it is one, or ``ConnectionEnded``."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._unsent.append((command, loop.time(), future))
        self._wake.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        return await future

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
                await connection.connect()
            async with asyncio.TaskGroup() as group:
                for part in (self._write(connection), self._read(connection), self._watch()):
                    group.create_task(part)
        except Exception as error:
            _log.info("the multiplexed connection ended: %r", error)
            cause = error
        finally:
            try:
                await connection.disconnect(nowait=True)
            finally:
                self._give_back(cause)  # the last thing done: a call that finds this task running relies on it

    def _give_back(self, cause: Exception | None = None) -> None:
        futures = [future for _, future in self._sent] + [future for _, _, future in self._unsent]
        self._sent.clear()
        self._unsent.clear()
        for future in futures:
            if not future.done():
                ended = ConnectionEnded()
                ended.__cause__ = cause
                future.set_exception(ended)

    async def _write(self, connection: AbstractConnection) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            commands, self._unsent = self._unsent, []
            self._sent.extend((since, future) for _, since, future in commands)
            if not connection.is_connected:
                raise ConnectionEnded  # sending would connect again, behind the reader's back
            await connection.send_packed_command(b"".join([command for command, _, _ in commands]))

    async def _read(self, connection: AbstractConnection) -> None:
        while True:
            try:
                reply = await connection.read_response()
            except ResponseError as error:
                reply = error
            _, future = self._sent.popleft()
            if future.done():
                continue  # its caller has gone
            if isinstance(reply, ResponseError):
                future.set_exception(reply)
            else:
                future.set_result(reply)

    async def _watch(self) -> None:
        """End the connection when a reply is overdue: one timer here instead of one for each command."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._deadline / 8)
            if self._sent and loop.time() - self._sent[0][0] > self._deadline * 7 / 8:
                raise TimeoutError("a reply is overdue")
