"""The server of one or several listening sockets, in the current event loop. It leaves signals to the process."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence

from skerry_service.edge.listening.connection_table import ConnectionTable
from skerry_service.edge.listening.first_bytes import FirstBytes, Protocols
from skerry_service.edge.listening.listening_sockets import BACKLOG, remove_path
from skerry_service.edge.listening.tls_connection import TlsConnection, TlsContext

_ABORT_SECONDS = 1.0
"""How long aborted connections may take to end their calls."""


class Listener:
    """Serves every protocol on each of its sockets."""

    def __init__(
        self,
        sockets: Sequence[socket.socket],
        protocols: Protocols,
        table: ConnectionTable,
        tls: TlsContext | None = None,
    ) -> None:
        """``table``: counts the connections of all sockets; ``tls``: ``None`` for plain text."""
        self._sockets = sockets
        self._protocols = protocols
        self._table = table
        self._tls = tls
        self._servers: list[asyncio.Server] = []

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return len(self._table)

    async def start(self) -> None:
        """Start answering."""
        loop = asyncio.get_running_loop()
        for listening in self._sockets:
            create = loop.create_unix_server if listening.family == socket.AF_UNIX else loop.create_server
            self._servers.append(await create(self._accept, sock=listening))
            # asyncio has lowered it to 100. Its own parameter would let one turn of the loop accept all that wait.
            listening.listen(BACKLOG)

    async def stop(self, grace: float) -> None:
        """Reject new connections, answer the calls under way within ``grace`` seconds, and close all connections."""
        for listening in self._sockets:
            remove_path(listening)
        for server in self._servers:
            server.close()
        for connection in self._table:
            connection.drain()
        await self._table.wait_until_empty(grace)
        for connection in self._table:
            connection.transport.abort()  # of clients that do not read their responses
        await self._table.wait_until_empty(_ABORT_SECONDS)

    def _accept(self) -> asyncio.BaseProtocol:
        """Return the protocol of a new connection."""
        first_bytes = FirstBytes(self._protocols, self._table)
        return first_bytes if self._tls is None else TlsConnection(first_bytes, self._tls())
