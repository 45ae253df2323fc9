"""Looks up the addresses of hosts in threads of their own.

A lookup can block for half a minute. The threads that the event loop shares for its work, such as connections to the
store, must not wait for it.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial


class HostLookups:
    """Lookups by the resolver of the system. Concurrent ones of a host share a thread."""

    def __init__(self) -> None:
        self._lookups: dict[tuple[str, int], asyncio.Future[list[str]]] = {}

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return the IP addresses of a host. Raises OSError, ValueError. The caller sets a timeout."""
        addresses = self._lookups.get((host, port))
        if addresses is None:
            addresses = self._lookups[host, port] = asyncio.get_running_loop().create_future()
            addresses.add_done_callback(lambda done: self._forget(host, port, done))
            # A daemon thread instead of a pool: at exit the process would wait for the threads of a pool.
            threading.Thread(target=_resolve_into, args=(addresses, host, port), daemon=True).start()
        return await asyncio.shield(addresses)

    def _forget(self, host: str, port: int, done: asyncio.Future[list[str]]) -> None:
        del self._lookups[host, port]
        done.exception()  # mark it as retrieved: all waiting tasks may have been cancelled


def _resolve_into(addresses: asyncio.Future[list[str]], host: str, port: int) -> None:
    """Resolve a host in this thread, and set the result of a future of an event loop in another thread."""
    try:
        found = _addresses_of(host, port)
    except Exception as error:
        _call_in_loop(addresses, partial(addresses.set_exception, error))
    else:
        _call_in_loop(addresses, partial(addresses.set_result, found))


def _call_in_loop(future: asyncio.Future[list[str]], callback: Callable[[], None]) -> None:
    with suppress(RuntimeError):  # the event loop is closed
        future.get_loop().call_soon_threadsafe(callback)


def _addresses_of(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]
