"""Ports that several processes listen on. The kernel distributes the connections among them."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from skerry_service.edge.listening.listening_sockets import address_of


@contextmanager
def reserved_port(host: str, port: int) -> Iterator[int]:
    """Reserve a port for processes that share it, and yield it. Port 0 takes any free one. Raises OSError if taken.

    The reserving socket is bound but does not listen, so it gets no connection.
    """
    bare_host = host.removeprefix("[").removesuffix("]")
    try:
        found = socket.getaddrinfo(bare_host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        if port:
            # Only an exclusive socket notices another server that shares the port as well.
            _bind(family, address, shared=False).close()
        reservation = _bind(family, address, shared=True)
    except socket.gaierror as error:
        raise OSError(f"cannot listen on {address_of(host, port)}: {error.strerror}") from error
    except OSError as error:
        raise OSError(f"cannot listen on {address_of(host, port)}; is another server there?") from error
    with reservation:
        yield reservation.getsockname()[1]


def _bind(family: int, address: tuple[object, ...], *, shared: bool) -> socket.socket:
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT if shared else socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    return bound
