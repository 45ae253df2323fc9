"""Ports that several processes listen on: the kernel gives each of them a share of the connections."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from skerry_service.edge.http.http_server import address_of


@contextmanager
def held(host: str, port: int) -> Iterator[int]:
    """Hold a port for those who will share it, and yield it; port 0: any free one. Raises OSError if it is taken.

    What is bound and does not listen gets no connection.
    """
    bare = host.removeprefix("[").removesuffix("]")
    try:
        found = socket.getaddrinfo(bare, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, where = found[0]
        if port:
            with _bound(family, where, shared=False):
                pass  # nobody else's, who shares it as well
        holder = _bound(family, where, shared=True)
    except socket.gaierror as error:
        raise OSError(f"cannot listen on {address_of(host, port)}: {error.strerror}") from error
    except OSError as error:
        raise OSError(f"cannot listen on {address_of(host, port)}; is another server there?") from error
    with holder:
        yield holder.getsockname()[1]


def _bound(family: int, where: tuple[object, ...], *, shared: bool) -> socket.socket:
    one = socket.socket(family, socket.SOCK_STREAM)
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT if shared else socket.SO_REUSEADDR, 1)
        one.bind(where)
    except OSError:
        one.close()
        raise
    return one
