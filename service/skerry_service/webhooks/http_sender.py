"""Sends one request to one receiver: resolves the host, checks the address, and connects to exactly that address.

h11 reads and writes HTTP/1.1. Opening the connection here keeps the choice of the
address and the timeout under the control of this module.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Sequence

import h11

from skerry_service.domain.webhook_events import Receiver
from skerry_service.webhooks.allowed_receivers import AllowedReceivers
from skerry_service.webhooks.host_lookups import HostLookups

TIMEOUT_SECONDS = 5.0
"""For the whole request: name resolution, connection, TLS, sending, and the head of the response."""
_MAX_HEAD_BYTES = 16 * 1024
_CHUNK = 4096

Headers = Sequence[tuple[str, str]]
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the IP addresses of a host and port."""


class DeliveryFailed(Exception):
    """The receiver did not respond. The message is a short reason and never contains the URL."""


class HttpSender:
    """Sends requests to allowed receivers."""

    def __init__(
        self, allowed: AllowedReceivers, *, timeout: float = TIMEOUT_SECONDS, resolve: Resolve | None = None
    ) -> None:
        """``timeout``: in seconds. ``resolve``: default: the system's resolver."""
        self._allowed = allowed
        self._timeout = timeout
        self._resolve = resolve or HostLookups().resolve
        self._tls: ssl.SSLContext | None = None

    async def send(self, to: Receiver, headers: Headers, body: bytes) -> int:
        """Send a POST request and return the status of the response. Do not follow redirects. Raises DeliveryFailed."""
        try:
            async with asyncio.timeout(self._timeout):
                return await self._exchange(to, await self._address(to), headers, body)
        except TimeoutError:
            raise DeliveryFailed("timeout") from None
        except (OSError, ValueError) as error:
            raise DeliveryFailed(type(error).__name__) from None
        except h11.RemoteProtocolError:
            raise DeliveryFailed("no HTTP response") from None

    async def _address(self, to: Receiver) -> str:
        """Return a permitted address of the receiver. Raises DeliveryFailed, OSError."""
        if not self._allowed.includes(to.host, to.port):
            raise DeliveryFailed("receiver no longer allowed")
        for address in await self._resolve(to.host, to.port):
            if self._allowed.permits(address, to.port):
                return address
        raise DeliveryFailed("no allowed address")

    async def _exchange(self, to: Receiver, address: str, headers: Headers, body: bytes) -> int:
        tls = self._tls_for(to)
        tls_name = to.host if tls else None
        reader, writer = await asyncio.open_connection(
            address, to.port, ssl=tls, server_hostname=tls_name, limit=_CHUNK
        )
        try:
            return await _status(await post(writer, to.authority, to.target, headers, body), reader)
        finally:
            writer.transport.abort()  # do not wait for the body of the response

    def _tls_for(self, to: Receiver) -> ssl.SSLContext | None:
        if to.scheme != "https":
            return None
        if self._tls is None:
            self._tls = ssl.create_default_context()
        return self._tls


async def post(
    writer: asyncio.StreamWriter, authority: str, target: str, headers: Headers, body: bytes
) -> h11.Connection:
    """Send a POST request on a new connection. Return what reads the response, with a bounded head."""
    http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_HEAD_BYTES)
    fixed = [("host", authority), ("content-length", str(len(body))), ("connection", "close")]
    request = h11.Request(method="POST", target=target, headers=[*fixed, *headers])
    for part in (request, h11.Data(data=body), h11.EndOfMessage()):
        writer.write(http.send(part) or b"")
    await writer.drain()
    return http


async def _status(http: h11.Connection, reader: asyncio.StreamReader) -> int:
    """Read the head of the response, and nothing more."""
    while True:
        event = http.next_event()
        if isinstance(event, h11.Response):
            return event.status_code
        if event is h11.NEED_DATA:
            http.receive_data(await reader.read(_CHUNK))
        elif not isinstance(event, h11.InformationalResponse):
            raise DeliveryFailed("connection closed without a response")
