"""Listening sockets."""

from __future__ import annotations

import socket

_BACKLOG = 2048
_SILENT_MS = 60_000
"""How long a client may acknowledge no data before its connection is closed."""


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
        raise OSError(f"cannot listen on {where}; is another server there? ({error.strerror})") from error
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _SILENT_MS)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def address_of(host: str, port: int) -> str:
    """Return ``HOST:PORT``, with brackets around an IPv6 address."""
    bare = host.removeprefix("[").removesuffix("]")
    return f"[{bare}]:{port}" if ":" in bare else f"{bare}:{port}"
