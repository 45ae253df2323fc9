"""Finds out whether a Redis that cannot be used speaks TLS and its URL does not, or the other way round."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress

from redis.asyncio.connection import parse_url

from skerry_service.store.connections.server_addresses import Place, read_places

_PORT = 6379
_SECONDS = 2.0
_PLAIN_REPLIES = (b"+", b"-")


async def mismatch(url: str) -> str:
    """Return what is wrong with the scheme of a URL, as a clause; empty if nothing is, or nothing answers."""
    scheme = url.partition("://")[0]
    if scheme == "unix":
        return ""
    host, port = _first_place(url)
    if scheme.startswith("rediss"):
        if await _answers_plainly(host, port):
            return f"it does not speak TLS, so its URL begins with {scheme.replace('rediss', 'redis')}://"
    elif await _answers_with_tls(host, port):
        return f"it speaks TLS, so its URL begins with {scheme.replace('redis', 'rediss')}://"
    return ""


def _first_place(url: str) -> Place:
    if "+" in url.partition("://")[0]:
        return read_places(url, _PORT, "sentinel_").places[0]
    options = parse_url(url)
    return str(options.get("host", "localhost")), int(options.get("port", _PORT))


async def _answers_plainly(host: str, port: int) -> bool:
    """Return whether a server replies to a command without TLS."""
    with suppress(OSError):
        async with asyncio.timeout(_SECONDS):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(b"PING\r\n")
                return (await reader.read(1)).startswith(_PLAIN_REPLIES)
            finally:
                writer.close()
    return False


async def _answers_with_tls(host: str, port: int) -> bool:
    """Return whether a server completes or rejects a TLS handshake. A plain server does neither."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        async with asyncio.timeout(_SECONDS):
            _, writer = await asyncio.open_connection(host, port, ssl=context)
            writer.close()
            return True
    except ssl.SSLError as error:
        return "ALERT" in str(error)  # it wants the certificate of a client
    except OSError:
        return False
