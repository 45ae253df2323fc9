"""Connections to Redis as the store wants them: packed in C, without timeouts of their own, and identified.

redis-py packs commands in Python and wraps each reply in a timeout; ``hiredis.pack_command`` and deadlines of our own
cost a part of that. Nothing is retried down here: the store knows what may be sent twice.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from typing import Any, cast

import hiredis
from redis.asyncio.connection import (
    AbstractConnection,
    Connection,
    SSLConnection,
    UnixDomainSocketConnection,
    parse_url,
)
from redis.exceptions import BusyLoadingError, RedisError, ResponseError

from . import keys
from .facts import FSYNC, Facts, facts_of

_OLDEST = 7
"""Major version of Redis: sharded channels. Valkey says 7.2 here, whatever it is."""


def pack(*arguments: bytes | str | int) -> bytes:
    """Return a command as it goes over the wire."""
    return hiredis.pack_command(arguments)  # type: ignore[no-any-return, arg-type]


class PackingConnection(AbstractConnection):
    """A connection of redis-py that packs in C and can be handed over to a protocol once it is made."""

    def pack_command(self, *args: Any) -> list[bytes]:
        words = str(args[0]).split() if isinstance(args[0], str) else [args[0]]
        return [pack(*words, *args[1:])]

    def pack_commands(self, commands: Iterable[Iterable[Any]]) -> list[bytes]:
        return [b"".join(pack(*command) for command in commands)]

    def hand_over(self, protocol: asyncio.Protocol) -> asyncio.Transport:
        """Let ``protocol`` take what comes in from now on; return what to write to. ``disconnect`` ends both."""
        assert self._writer is not None, "connect first"
        transport = cast(asyncio.Transport, self._writer.transport)
        transport.set_protocol(protocol)
        return transport


class _Tcp(PackingConnection, Connection):
    pass


class _Tls(PackingConnection, SSLConnection):
    pass


class _Unix(PackingConnection, UnixDomainSocketConnection):
    pass


_PACKING = {Connection: _Tcp, SSLConnection: _Tls, UnixDomainSocketConnection: _Unix}


class Connector:
    """Makes connections to one server, each of which asks who it is before it carries anything else."""

    def __init__(self, url: str, on_identity: Callable[[Facts], None]) -> None:
        options: dict[str, Any] = dict(parse_url(url))
        self._class = _PACKING[options.pop("connection_class", Connection)]
        ours: dict[str, Any] = dict(protocol=2, decode_responses=False, driver_info=None, client_name="skerry")
        ours |= dict(socket_timeout=None, socket_connect_timeout=None, retry=None, retry_on_error=[])
        self._options = options | ours
        self._on_identity = on_identity

    def __call__(self) -> PackingConnection:
        """Return a connection; it is not connected yet."""
        connection: PackingConnection = self._class(**self._options, redis_connect_func=self._connected)
        return connection

    async def _connected(self, connection: AbstractConnection) -> None:
        await connection.on_connect()
        asking = pack("INFO") + pack("CONFIG", "GET", *FSYNC) + pack("HGET", keys.STORE, keys.LINEAGE)
        await connection.send_packed_command(asking)
        info, config, lineage = await _reply(connection), await _reply(connection), await _reply(connection)
        if isinstance(info, ResponseError):
            raise info
        require_usable(info)
        self._on_identity(facts_of(info, config, lineage if isinstance(lineage, bytes) else b""))


async def _reply(connection: AbstractConnection) -> Any:
    """Return the next reply; an error reply is returned, so that those behind it are still read."""
    try:
        return await connection.read_response()
    except ResponseError as error:
        return error


def require_usable(info: bytes) -> None:
    """Raise RedisError if the server is older than the commands used here, or still loads its data.

    While it loads it answers some commands, and says of itself that nothing is synced, which would look like a loss.
    """
    found = re.search(rb"^redis_version:(\d+)[^\r\n]*", info, re.MULTILINE)
    if found and int(found[1]) < _OLDEST:
        raise RedisError(f"Redis {_OLDEST}.0 or newer is needed, this server is {found[0].partition(b':')[2].decode()}")
    if re.search(rb"^loading:1", info, re.MULTILINE):
        raise BusyLoadingError("the server is loading its data")
