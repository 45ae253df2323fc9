"""Listens for HTTP in the event loop that is there already, and stops when it is told to, not by signals."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import uvicorn

from skerry_service.edge.http.http_protocol import Admit, HttpProtocol, Refused
from skerry_service.edge.http.tls_handshakes import Context, TlsHandshakes

_BACKLOG = 2048
_KEEP_ALIVE_SECONDS = 60
_SILENT_MS = 60_000
"""How long a client may take nothing of what is sent to it: then it is gone, or does not read."""


class _Uvicorn(uvicorn.Server):
    """A server that leaves signals to its process: uvicorn would raise them again when it is done."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def open_listener(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """Return a socket that listens there; port 0: on any free one; ``shared``: others may too. Raises OSError."""
    bare = host.removeprefix("[").removesuffix("]")
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    try:
        listening = socket.create_server((bare, port), family=family, backlog=_BACKLOG, reuse_port=shared)
    except OSError as error:
        where = address_of(host, port)
        raise OSError(f"cannot listen on {where} for HTTP; is another server there? ({error.strerror})") from error
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _SILENT_MS)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def address_of(host: str, port: int) -> str:
    """Return ``HOST:PORT``, an IPv6 address in brackets."""
    bare = host.removeprefix("[").removesuffix("]")
    return f"[{bare}]:{port}" if ":" in bare else f"{bare}:{port}"


def _behind(handshakes: TlsHandshakes | None, make: Callable[..., HttpProtocol], **named: Any) -> asyncio.BaseProtocol:
    """Return what a connection is given to."""
    return handshakes.begin(make(**named)) if handshakes else make(**named)


class HttpServer:
    """Serves an ASGI application on a listening socket."""

    def __init__(
        self,
        app: Any,
        listening: socket.socket,
        admit: Admit,
        refused: Refused,
        grace_seconds: int,
        connections: int,
        tls: Context | None = None,
    ) -> None:
        """``connections``: how many are taken at once; ``admit`` has a say on each, ``refused`` is told of refusals.

        ``tls``: ``None``: it speaks in the clear.
        """
        make = partial(HttpProtocol, admit=admit, refused=refused, most_connections=connections)
        self._handshakes = TlsHandshakes(tls, connections) if tls else None
        config = uvicorn.Config(
            app,
            http=partial(_behind, self._handshakes, make),  # type: ignore[arg-type]  # whatever makes a protocol will do
            ws="none",
            lifespan="off",
            log_config=None,
            log_level=logging.ERROR,  # whoever sent a malformed request is told
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=grace_seconds + 1,  # only for what ``_cut_off`` leaves
        )
        self._server = _Uvicorn(config)
        self._socket = listening
        self._grace_seconds = grace_seconds
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Answer from now on."""
        self._task = asyncio.get_running_loop().create_task(self._server.serve([self._socket]))

    async def stop(self) -> None:
        """Refuse new connections, let requests under way be answered for the grace, and return when all are closed."""
        self._server.should_exit = True
        if self._handshakes is not None:
            self._handshakes.cut_off()
        if self._task is not None:
            cutting_off = asyncio.get_running_loop().call_later(self._grace_seconds, self._cut_off)
            await self._task
            cutting_off.cancel()

    def _cut_off(self) -> None:
        """End the connections of those who do not read: what is on its way to them would be waited for."""
        for connection in list(self._server.server_state.connections):
            connection.transport.abort()
