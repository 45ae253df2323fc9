"""Listening sockets."""

from __future__ import annotations

import errno
import socket
from contextlib import suppress
from pathlib import Path

BACKLOG = 2048
"""How many new connections may wait to be accepted. The system lowers it to its own limit (``somaxconn``)."""
_UNIX_MODE = 0o660
_SILENT_MS = 60_000
"""How long a client may acknowledge no data before its connection is closed."""


def open_listener(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """Return a listening socket. Raises OSError.

    ``port``: 0 for any free one; ``shared``: whether other sockets may listen on the port too.
    """
    bare = host.removeprefix("[").removesuffix("]")
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    try:
        listening = socket.create_server((bare, port), family=family, backlog=BACKLOG, reuse_port=shared)
    except OSError as error:
        where = address_of(host, port)
        raise OSError(f"cannot listen on {where}; is another server there? ({error.strerror})") from error
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _SILENT_MS)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def open_unix_listener(path: Path) -> socket.socket:
    """Return a socket that listens at a path of this machine. Its group may connect. Raises OSError.

    A socket at which no server listens any more is replaced.
    """
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _remove_unused(path)
        listening.bind(str(path))
        path.chmod(_UNIX_MODE)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise OSError(f"cannot listen on {path}: {error.strerror or error}") from error
    return listening


def _remove_unused(path: Path) -> None:
    """Remove a socket without a server. Raises OSError if there is one."""
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        if probe.connect_ex(str(path)) != errno.ECONNREFUSED:
            raise OSError(errno.EADDRINUSE, "another server listens there")
    path.unlink()


def remove_path(listening: socket.socket) -> None:
    """Remove the path of a socket of this machine, so that clients see that the server is gone."""
    if listening.family == socket.AF_UNIX:
        with suppress(OSError):
            Path(listening.getsockname()).unlink()


def address_of(host: str, port: int) -> str:
    """Return ``HOST:PORT``, with brackets around an IPv6 address."""
    bare = host.removeprefix("[").removesuffix("]")
    return f"[{bare}]:{port}" if ":" in bare else f"{bare}:{port}"
