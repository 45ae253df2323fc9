"""Connecting to a server that speaks HTTP, over TCP or a unix socket."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from ssl import SSLContext
from typing import TypeVar

P = TypeVar("P", bound=asyncio.BaseProtocol)

_HOST_AND_PORT = re.compile(r"(?:\[(?P<v6>[^]]+)]|(?P<host>[^:/]+)):(?P<port>[0-9]+)")
_UNIX = re.compile(r"unix:(?://(?=/))?(?P<path>.+)")
_CONNECT_SECONDS = 5.0
_KEEPALIVE = {"TCP_KEEPIDLE": 20, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 2, "TCP_USER_TIMEOUT": 30_000}
"""Options of sockets: within 30 s, the connection to a machine that is gone breaks. Some systems lack some of them."""


@dataclass(frozen=True)
class HttpAddress:
    """Where a server listens: a host and a port, or the path of a unix socket."""

    authority: str
    """The ``Host`` header."""
    host: str = ""
    port: int = 0
    path: str | None = None
    """``None``: TCP."""

    @classmethod
    def parse(cls, server: str) -> HttpAddress | None:
        """Return the address in ``HOST:PORT``, ``unix:PATH`` or ``unix:///PATH``; ``None`` for any other form."""
        if (found := _UNIX.fullmatch(server)) is not None:
            return cls("localhost", path=found["path"])
        if (found := _HOST_AND_PORT.fullmatch(server)) is not None:
            return cls(server, found["v6"] or found["host"], int(found["port"]))
        return None

    async def connect(self, make: Callable[[], P], context: SSLContext | None) -> tuple[asyncio.Transport, P]:
        """Open a connection. ``context``: ``None`` without TLS. Raises OSError."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                if self.path is not None:
                    name = "localhost" if context is not None else None
                    return await loop.create_unix_connection(make, self.path, ssl=context, server_hostname=name)
                transport, protocol = await loop.create_connection(make, self.host, self.port, ssl=context)
        except TimeoutError:
            raise ConnectionError(f"no connection within {_CONNECT_SECONDS:g} s") from None
        _keep_alive(transport.get_extra_info("socket"))
        return transport, protocol


def _keep_alive(tcp: socket.socket) -> None:
    tcp.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE.items():
        if hasattr(socket, name):
            tcp.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
