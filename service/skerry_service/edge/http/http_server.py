"""The HTTP server. It runs in the current event loop, and leaves signals to the process."""

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
"""How long a client may acknowledge no data before its connection is closed."""


class _Uvicorn(uvicorn.Server):
    """A server without signal handlers: uvicorn would raise captured signals again when it stops."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def open_listener(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """Return a listening socket. Raises OSError.

    ``port``: 0 for any free one; ``shared``: whether other sockets may listen on the port too.
    """
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
    """Return ``HOST:PORT``, with brackets around an IPv6 address."""
    bare = host.removeprefix("[").removesuffix("]")
    return f"[{bare}]:{port}" if ":" in bare else f"{bare}:{port}"


def _make_protocol(
    handshakes: TlsHandshakes | None, make: Callable[..., HttpProtocol], **named: Any
) -> asyncio.BaseProtocol:
    """Return the protocol of a new connection, with its TLS handshake if there is one."""
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
        """``connections``: the maximum at once; ``admit``: holds the slot of each; ``refused``: called with errors.

        ``tls``: ``None`` for plain HTTP.
        """
        make = partial(HttpProtocol, admit=admit, refused=refused, most_connections=connections)
        self._handshakes = TlsHandshakes(tls, connections) if tls else None
        config = uvicorn.Config(
            app,
            http=partial(_make_protocol, self._handshakes, make),  # type: ignore[arg-type]  # uvicorn accepts any factory
            ws="none",
            lifespan="off",
            log_config=None,
            log_level=logging.ERROR,  # malformed requests are answered, not logged
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=grace_seconds + 1,  # a last resort after ``_abort_connections``
        )
        self._server = _Uvicorn(config)
        self._socket = listening
        self._grace_seconds = grace_seconds
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start answering."""
        self._task = asyncio.get_running_loop().create_task(self._server.serve([self._socket]))

    async def stop(self) -> None:
        """Stop: reject new connections, answer current requests within the grace period, and close all connections."""
        self._server.should_exit = True
        if self._handshakes is not None:
            self._handshakes.abort_pending()
        if self._task is not None:
            aborting = asyncio.get_running_loop().call_later(self._grace_seconds, self._abort_connections)
            await self._task
            aborting.cancel()

    def _abort_connections(self) -> None:
        """Abort the connections whose clients do not read their responses."""
        for connection in list(self._server.server_state.connections):
            connection.transport.abort()
