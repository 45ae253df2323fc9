"""The open connections of a listener, counted by address. When there are too many, idle ones make room for new ones."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from heapq import nsmallest

from skerry_service.access.client_addresses import Peer
from skerry_service.domain.errors import LimitReached
from skerry_service.edge.http.http_refusals import TooManyConnections
from skerry_service.edge.listening.connection_protocol import ConnectionProtocol

Admit = Callable[[Peer], AbstractContextManager[None]]
"""Holds the concurrency slot of a connection. Entering it may raise LimitReached."""
AddressOf = Callable[[Peer], str]
"""Returns the address that a connection is counted for. An IPv6 address counts as its /64."""
_FREED_SHARE = 128
"""The share of all connections that is closed at once when the table is full: finding them takes a pass over all."""
_RETRY_SECONDS = 0.25
"""How long the table stays full without another search, after a search that found no idle connection."""


class OpenConnection:
    """One connection, from its acceptance on."""

    def __init__(self, transport: asyncio.Transport, address: str, opened_at: float) -> None:
        """``address``: that it is counted for; ``opened_at``: by the clock of the event loop."""
        self.transport = transport
        self.address = address
        self.protocol: ConnectionProtocol | None = None
        """``None`` until its first bytes, and the TLS handshake before them, have arrived."""
        self.refusal: LimitReached | None = None
        """Why it is rejected, if it is beyond a limit of its address."""
        self.slot = ExitStack()
        self._opened_at = opened_at

    @property
    def is_idle(self) -> bool:
        """Whether no call is under way."""
        return self.protocol is None or self.protocol.is_idle

    @property
    def idle_since(self) -> float:
        """When the last call ended; without calls, when the connection was opened."""
        return self._opened_at if self.protocol is None else self.protocol.idle_since

    def close_idle(self) -> None:
        """Close the connection, which has no call under way."""
        if self.protocol is None:
            self.transport.abort()
        else:
            self.protocol.close_idle()

    def drain(self) -> None:
        """Close the connection after the calls under way."""
        if self.protocol is None:
            self.transport.abort()
        else:
            self.protocol.drain()


class ConnectionTable:
    """All connections of a listener."""

    def __init__(self, maximum: int, admit: Admit, address_of: AddressOf) -> None:
        """``maximum``: connections at once; ``admit``: the limits on one address."""
        self._maximum = maximum
        self._admit = admit
        self._address_of = address_of
        self._open: dict[OpenConnection, None] = {}
        self._by_address: Counter[str] = Counter()
        self._full_until = 0.0
        self.opened = 0
        """Connections counted so far."""
        self._empty = asyncio.Event()
        self._empty.set()

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[OpenConnection]:
        return iter(list(self._open))

    def open(self, transport: asyncio.Transport, peer: Peer) -> OpenConnection:
        """Count a new connection. Raises TooManyConnections.

        One beyond the limits of its address counts too, with its ``refusal``, because the response takes time. When
        the table is full, it raises LimitReached, as it may not take the room of others.
        """
        now = asyncio.get_running_loop().time()
        connection = OpenConnection(transport, self._address_of(peer), now)
        is_full = len(self._open) >= self._maximum
        try:
            connection.slot.enter_context(self._admit(peer))
        except LimitReached as refusal:
            if is_full:
                raise
            connection.refusal = refusal
        if is_full and not self._make_room(now):
            connection.slot.close()
            raise TooManyConnections(self._maximum)
        self._open[connection] = None
        self._by_address[connection.address] += 1
        self.opened += 1
        self._empty.clear()
        return connection

    def close(self, connection: OpenConnection) -> None:
        """Stop counting a connection."""
        if connection not in self._open:
            return
        del self._open[connection]
        connection.protocol = None  # it refers to the connection, so nothing would free them at once
        connection.slot.close()
        self._by_address[connection.address] -= 1
        if not self._by_address[connection.address]:
            del self._by_address[connection.address]
        if not self._open:
            self._empty.set()

    def _make_room(self, now: float) -> bool:
        """Close idle connections of the addresses with the most connections; return whether there were any.

        A client with many connections thus loses its own before it takes those of others.
        """
        if now < self._full_until:
            return False
        idle = [connection for connection in self._open if connection.is_idle]
        for connection in nsmallest(1 + self._maximum // _FREED_SHARE, idle, key=self._order):
            connection.close_idle()
            self.close(connection)
        if not idle:
            self._full_until = now + _RETRY_SECONDS
        return bool(idle)

    def _order(self, connection: OpenConnection) -> tuple[int, float]:
        """Return the key that sorts connections by the order in which they make room."""
        return -self._by_address[connection.address], connection.idle_since

    async def wait_until_empty(self, seconds: float) -> None:
        """Return when no connection is open, at the latest after that time."""
        try:
            async with asyncio.timeout(seconds):
                await self._empty.wait()
        except TimeoutError:
            pass
