"""One request to one receiver: resolved, checked, sent to the very address that was checked, answered by a status.

HTTP/1.1 is read and written by h11, which uvicorn brings along; what is left to do here are the bytes. That leaves the
choice of the address, and the end of waiting, to nobody else.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial

import h11

from skerry_service.domain.webhook_events import Receiver
from skerry_service.webhooks.allowed_receivers import Allowed

TIMEOUT_SECONDS = 5.0
"""For all of it: name, connection, TLS, request, the head of the answer."""
_LARGEST_HEAD = 16 * 1024
_READ = 4096

Headers = Sequence[tuple[str, str]]
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a host."""


class NotSent(Exception):
    """No answer came. Says why in a word, and nothing of where to."""


class HttpSender:
    """Sends requests to receivers that the operator allows."""

    def __init__(self, allowed: Allowed, *, timeout: float = TIMEOUT_SECONDS, resolve: Resolve | None = None) -> None:
        """``timeout`` in seconds. ``resolve``: how addresses of hosts are found; by the system, if it is not said."""
        self._allowed = allowed
        self._timeout = timeout
        self._looking: dict[tuple[str, int], asyncio.Future[list[str]]] = {}
        self._resolve = resolve or self._by_the_system
        self._tls: ssl.SSLContext | None = None

    async def send(self, to: Receiver, headers: Headers, body: bytes) -> int:
        """Send a POST request and return the status of its answer, whatever it is: no redirect is followed.

        Raises NotSent.
        """
        try:
            async with asyncio.timeout(self._timeout):
                return await self._exchange(to, await self._address(to), headers, body)
        except TimeoutError:
            raise NotSent("too slow") from None
        except (OSError, ValueError) as error:
            raise NotSent(type(error).__name__) from None
        except h11.RemoteProtocolError:
            raise NotSent("no HTTP") from None

    async def _address(self, to: Receiver) -> str:
        """Return an address of the receiver to which a request may go. Raises NotSent, OSError."""
        if not self._allowed.names(to.host, to.port):
            raise NotSent("not allowed any more")
        for address in await self._resolve(to.host, to.port):
            if self._allowed.permits(address, to.port):
                return address
        raise NotSent("no address that is allowed")

    async def _by_the_system(self, host: str, port: int) -> Sequence[str]:
        """Look a host up in a thread: one for all who ask at once, as a name for which nobody answers keeps it."""
        found = self._looking.get((host, port))
        if found is None:
            found = self._looking[host, port] = asyncio.get_running_loop().create_future()
            found.add_done_callback(lambda done: self._looked(host, port, done))
            # Not of a pool: the end of the process would wait for it.
            threading.Thread(target=_look_up_for, args=(found, host, port), daemon=True).start()
        return await asyncio.shield(found)

    def _looked(self, host: str, port: int, done: asyncio.Future[list[str]]) -> None:
        del self._looking[host, port]
        done.exception()  # there may be nobody left who wants to know

    async def _exchange(self, to: Receiver, address: str, headers: Headers, body: bytes) -> int:
        tls = self._tls_for(to)
        named = to.host if tls else None
        reader, writer = await asyncio.open_connection(address, to.port, ssl=tls, server_hostname=named, limit=_READ)
        try:
            http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_LARGEST_HEAD)
            fixed = [("host", to.authority), ("content-length", str(len(body))), ("connection", "close")]
            asked = h11.Request(method="POST", target=to.target, headers=[*fixed, *headers])
            for part in (asked, h11.Data(data=body), h11.EndOfMessage()):
                writer.write(http.send(part) or b"")
            await writer.drain()
            return await _status(http, reader)
        finally:
            writer.transport.abort()  # what else the receiver has to say is not waited for

    def _tls_for(self, to: Receiver) -> ssl.SSLContext | None:
        if to.scheme != "https":
            return None
        if self._tls is None:
            self._tls = ssl.create_default_context()
        return self._tls


async def _status(http: h11.Connection, reader: asyncio.StreamReader) -> int:
    """Read the head of the answer, and no more."""
    while True:
        event = http.next_event()
        if isinstance(event, h11.Response):
            return event.status_code
        if event is h11.NEED_DATA:
            http.receive_data(await reader.read(_READ))
        elif not isinstance(event, h11.InformationalResponse):
            raise NotSent("no answer")


def _look_up_for(found: asyncio.Future[list[str]], host: str, port: int) -> None:
    """Look a host up, and hand over what was found in the event loop of who waits for it."""
    try:
        addresses = _look_up(host, port)
    except Exception as error:
        _hand_over(found, partial(found.set_exception, error))
    else:
        _hand_over(found, partial(found.set_result, addresses))


def _hand_over(found: asyncio.Future[list[str]], done: Callable[[], None]) -> None:
    with suppress(RuntimeError):  # the loop is closed: nobody waits any more
        found.get_loop().call_soon_threadsafe(done)


def _look_up(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]
