"""Listens for HTTP in the event loop that is there already, and stops when it is told to, not by signals."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from skerry_service.rest.protocol import Protocol

_BACKLOG = 2048
_KEEP_ALIVE_SECONDS = 60
_SILENT_MS = 60_000
"""How long a client may take nothing of what is sent to it: then it is gone, or does not read."""


class _Uvicorn(uvicorn.Server):
    """A server that leaves signals to its process: uvicorn would raise them again when it is done."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; port 0: on any free one. Raises OSError."""
    bare = host.removeprefix("[").removesuffix("]")
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    try:
        listening = socket.create_server((bare, port), family=family, backlog=_BACKLOG)
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


class HttpServer:
    """Serves an ASGI application on a listening socket."""

    def __init__(self, app: Any, listening: socket.socket) -> None:
        config = uvicorn.Config(
            app,
            http=Protocol,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level=logging.ERROR,  # whoever sent a malformed request is told
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        )
        self._server = _Uvicorn(config)
        self._socket = listening
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Answer from now on."""
        self._task = asyncio.get_running_loop().create_task(self._server.serve([self._socket]))

    async def stop(self, grace_seconds: float) -> None:
        """Refuse new connections, let requests under way be answered for so long, and return when all are closed."""
        self._server.config.timeout_graceful_shutdown = round(grace_seconds)
        self._server.should_exit = True
        if self._task is not None:
            await self._task
