"""Sends one POST request to a URL of the operator, and returns a response of bounded size.

Unlike a webhook, it may reach any address, because no caller chooses the URL.
"""

from __future__ import annotations

import asyncio
import ssl
from urllib.parse import urlsplit

import h11

from skerry_service.webhooks.host_lookups import HostLookups
from skerry_service.webhooks.http_sender import Headers, post

_CHUNK = 16 * 1024


class BadStatus(ValueError):
    """The response has another status than 200."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the status of the response is {status}")
        self.status = status


class BoundedPost:
    """Posts to one server. It follows no redirect, so the headers reach no other."""

    def __init__(self, origin: str, largest: int) -> None:
        """``origin``: scheme, host and perhaps port. ``largest``: the number of bytes that a response may have."""
        self._lookups = HostLookups()
        parts = urlsplit(origin)
        self._host, self._authority = parts.hostname or "", parts.netloc
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._port = parts.port or (443 if self._tls else 80)
        self._largest = largest

    async def post(self, path: str, headers: Headers, body: bytes) -> bytes:
        """Return the body of a response with the status 200. Raises OSError, ValueError. The caller sets a timeout."""
        reader, writer = await self._connected()
        try:
            return await self._body(await post(writer, self._authority, path, headers, body), reader)
        except h11.RemoteProtocolError as error:
            raise ValueError(f"the response is not HTTP: {error}") from None
        finally:
            writer.transport.abort()

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the first address of the host that accepts it."""
        name, problem = self._host if self._tls else None, OSError("the host has no address")
        for address in await self._lookups.resolve(self._host, self._port):
            try:
                return await asyncio.open_connection(
                    address, self._port, ssl=self._tls, server_hostname=name, limit=_CHUNK
                )
            except OSError as error:
                problem = error
        raise problem

    async def _body(self, http: h11.Connection, reader: asyncio.StreamReader) -> bytes:
        body = b""
        while not isinstance(event := http.next_event(), h11.EndOfMessage | h11.ConnectionClosed):
            if event is h11.NEED_DATA:
                http.receive_data(await reader.read(_CHUNK))
            elif isinstance(event, h11.Response) and event.status_code != 200:
                raise BadStatus(event.status_code)
            elif isinstance(event, h11.Data):
                body += event.data
                if len(body) > self._largest:
                    raise ValueError(f"the response is larger than {self._largest >> 10} KiB")
        return body
