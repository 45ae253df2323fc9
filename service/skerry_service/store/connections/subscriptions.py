"""Subscriptions: one connection for all sessions that this process watches.

Each session has a sharded channel, with one subscription for all its listeners. Messages are lost while there is no
connection. So when a subscription is renewed, each listener is called with ``None`` and reads the log.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from redis.exceptions import ResponseError

from skerry_service.sessions.store_port import Listener
from skerry_service.store.connections.connection import PackingConnection, pack
from skerry_service.store.connections.multiplexer import ConnectionEnded, Replies

_log = logging.getLogger(__name__)

_PING_AFTER = 10.0
"""Seconds without a message after which the server is sent a PING: a peer that vanished closes no connection."""

_BACKOFF = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Seconds between attempts to connect. The last value repeats."""


class _Channel:
    """The listeners of a channel, whether the server has confirmed it, and whether messages may have been lost."""

    def __init__(self) -> None:
        self.listeners: list[Listener] = []
        self.confirmed = asyncio.Event()
        self.renewed = False


class Subscriptions:
    """Connects at its first use, and again whenever the connection ends, until it is closed."""

    def __init__(self, connect: Callable[[], PackingConnection], deadline: float) -> None:
        self._connect = connect
        self._deadline = deadline
        self._channels: dict[bytes, _Channel] = {}
        self._unconfirmed: deque[_Channel] = deque()
        self._line: asyncio.Transport | None = None
        self._received = False
        """Whether the server has sent anything since the last check."""
        self._task: asyncio.Task[None] | None = None
        self._failures = 0
        self._closed = False

    async def add(self, name: bytes, listener: Listener) -> None:
        """Call the listener for all messages of a channel from now on.

        Return once the server has confirmed the subscription. Raises ConnectionEnded if ``close`` comes first.
        """
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        channel = self._channels.get(name)
        fresh = channel is None
        if channel is None:
            channel = self._channels[name] = _Channel()
        channel.listeners.append(listener)
        try:
            if fresh and self._line is not None:  # else connecting subscribes to all channels
                self._unconfirmed.append(channel)
                self._write("SSUBSCRIBE", name)
            await channel.confirmed.wait()
            if self._closed:
                raise ConnectionEnded
        except BaseException:
            await self.remove(name, listener)
            raise

    async def remove(self, name: bytes, listener: Listener) -> None:
        """Stop calling the listener, if it is called at all."""
        channel = self._channels.get(name)
        if channel is None or listener not in channel.listeners:
            return
        channel.listeners.remove(listener)
        if not channel.listeners:
            del self._channels[name]
            self._write("SUNSUBSCRIBE", name)

    def drop(self) -> None:
        """End the connection. A new one is opened, and each listener is called with ``None``."""
        if self._line is not None:
            self._line.abort()

    async def close(self) -> None:
        """End the connection. No listener is called any more."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        for channel in self._channels.values():
            channel.confirmed.set()

    def _write(self, *command: str | bytes) -> None:
        """Send a command, unless the connection has ended: the next one subscribes to all current channels."""
        if self._line is not None and not self._line.is_closing():
            self._line.write(pack(*command))

    async def _run(self) -> None:
        while True:
            connection = self._connect()
            try:
                async with asyncio.timeout(self._deadline):
                    await connection.connect()  # type: ignore[no-untyped-call]
                await self._serve(connection)
            except Exception as error:
                _log.debug("the subscription connection ended: %s", error)
            finally:
                self._lost()
                await connection.disconnect(nowait=True)
            await asyncio.sleep(_BACKOFF[min(self._failures, len(_BACKOFF) - 1)])
            self._failures += 1

    def _lost(self) -> None:
        self._line = None
        for channel in self._channels.values():
            channel.renewed |= channel.confirmed.is_set()
            channel.confirmed.clear()

    async def _serve(self, connection: PackingConnection) -> None:
        """Return when the connection ends. Raises ResponseError, and TimeoutError without a reply to a PING."""
        replies = Replies(lambda message: self._receive(message, replies.ended))
        self._line = connection.hand_over(replies)
        self._unconfirmed = deque(self._channels.values())
        if self._channels:
            self._line.write(b"".join([pack("SSUBSCRIBE", name) for name in self._channels]))
        pinged = False
        while not replies.ended.done():
            self._received = False
            await asyncio.wait((replies.ended,), timeout=_PING_AFTER)
            if self._received:
                pinged = False
            elif pinged:
                raise TimeoutError("no reply to a PING")
            else:
                pinged = True
                self._write("PING")
        replies.ended.result()

    def _receive(self, message: Any, ended: asyncio.Future[None]) -> None:
        self._received = True
        if isinstance(message, ResponseError):
            if not ended.done():
                ended.set_exception(message)
        elif message[0] == b"smessage":
            channel = self._channels.get(message[1])
            if channel is not None:
                _notify(channel, message[2])
        elif message[0] == b"ssubscribe":
            # Confirmations come in the order of the requests. By name, an old one could be taken for a later one.
            channel = self._unconfirmed.popleft()
            self._failures = 0
            channel.confirmed.set()
            if channel.renewed:
                channel.renewed = False
                _notify(channel, None)


def _notify(channel: _Channel, batch: bytes | None) -> None:
    for listener in tuple(channel.listeners):
        try:
            listener(batch)
        except Exception:
            _log.exception("a listener failed")
