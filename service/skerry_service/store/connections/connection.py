"""Connections to Redis that pack commands in C, have no timeouts of their own, and read the server's facts first.

redis-py packs commands in Python and wraps each reply in a timeout. ``hiredis.pack_command`` and one deadline for many
calls cost far less. Connections retry nothing: the store knows which commands may be sent twice.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
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

from skerry_service.store import redis_keys
from skerry_service.store.connections.sentinels import Sentinels, is_behind_sentinels
from skerry_service.store.connections.server_facts import FSYNC, ServerFacts, facts_of

IDENTIFYING: Sequence[tuple[bytes | str, ...]] = (
    ("INFO",),
    ("CONFIG", "GET", *FSYNC),
    ("HGET", redis_keys.STORE, redis_keys.LINEAGE),
)
"""The commands that each server receives first. ``facts_of`` reads the replies, including errors."""
_OLDEST = 7
"""The oldest supported major version of Redis, which has sharded channels. Valkey reports 7.2 or later."""


class ReplicaError(RedisError):
    """The server is a replica, so it is not used."""


def pack(*arguments: bytes | str | int) -> bytes:
    """Return a command in the wire format."""
    return hiredis.pack_command(arguments)  # type: ignore[no-any-return, arg-type]


class PackingConnection(AbstractConnection):
    """A connection of redis-py that packs in C, and can be handed over to an asyncio protocol."""

    def pack_command(self, *args: Any) -> list[bytes]:
        words = str(args[0]).split() if isinstance(args[0], str) else [args[0]]
        return [pack(*words, *args[1:])]

    def pack_commands(self, commands: Iterable[Iterable[Any]]) -> list[bytes]:
        return [b"".join(pack(*command) for command in commands)]

    def hand_over(self, protocol: asyncio.Protocol) -> asyncio.Transport:
        """Let ``protocol`` receive all further data, and return the transport to write to. ``disconnect`` closes it."""
        assert self._writer is not None, "connect first"
        transport = cast(asyncio.Transport, self._writer.transport)
        transport.set_protocol(protocol)
        return transport


class _Networked(PackingConnection):
    """A connection over the network. With ``find``, it asks that for host and port whenever it connects."""

    host: str
    port: int

    def __init__(self, *, find: Callable[[], Awaitable[tuple[str, int]]] | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._find = find

    async def connect(self) -> None:
        if self._find is not None and not self.is_connected:
            self.host, self.port = await self._find()
        await super().connect()  # type: ignore[no-untyped-call]


class _Tcp(_Networked, Connection):
    pass


class _Tls(_Networked, SSLConnection):
    pass


class _Unix(PackingConnection, UnixDomainSocketConnection):
    pass


_PACKING = {Connection: _Tcp, SSLConnection: _Tls, UnixDomainSocketConnection: _Unix}


class Connector:
    """Makes connections to one server. Each reads the server's facts before any other command.

    The server is that of the address, or the master that its Sentinels name at the time.
    """

    def __init__(self, where: str | Mapping[str, Any], on_facts: Callable[[ServerFacts], None]) -> None:
        """``where``: an address, or redis-py's connection options for a server of a cluster.

        Raises ValueError for a malformed address.
        """
        self._clustered = not isinstance(where, str)
        options = _options_at(where) if isinstance(where, str) else where
        require_known(options)
        self._class, self._options = _class_of(options)
        self._on_facts = on_facts

    def __call__(self) -> PackingConnection:
        """Return a new connection, not yet connected."""
        connection: PackingConnection = self._class(**self._options, redis_connect_func=self._connected)
        return connection

    async def _connected(self, connection: AbstractConnection) -> None:
        await connection.on_connect()
        await connection.send_packed_command(b"".join(pack(*command) for command in IDENTIFYING))
        info, config, lineage = await _reply(connection), await _reply(connection), await _reply(connection)
        if isinstance(info, ResponseError):
            raise info
        require_usable(info)
        if not self._clustered:
            _require_alone(info)
        self._on_facts(facts_of(info, config, lineage))


def _options_at(url: str) -> dict[str, Any]:
    if not is_behind_sentinels(url):
        return dict(parse_url(url))
    sentinels = Sentinels(url)
    return {**sentinels.options, "find": sentinels.master}


def _class_of(options: Mapping[str, Any]) -> tuple[type[PackingConnection], dict[str, Any]]:
    """Return the class of connections with these options, and all arguments to make one."""
    given = dict(options)
    found = _PACKING[given.pop("connection_class", Connection)]
    ours: dict[str, Any] = dict(protocol=2, decode_responses=False, driver_info=None, client_name="skerry")
    ours |= dict(socket_timeout=None, socket_connect_timeout=None, retry=None, retry_on_error=[])
    return found, given | ours


def require_known(options: Mapping[str, Any]) -> None:
    """Raise ValueError for an unknown parameter or a value that it cannot have.

    redis-py checks most parameters only when it makes a connection.
    """
    found, given = _class_of(options)
    try:
        found(**given)
    except TypeError as error:
        raise ValueError(f"unknown parameter {str(error).rpartition(' ')[2]}") from None
    except RedisError as error:
        raise ValueError(str(error)) from None


async def ask_once(options: Mapping[str, Any], place: tuple[str, int], command: bytes) -> Any:
    """Send one packed command to the server at a place, and return its reply. Raises RedisError, OSError."""
    found, given = _class_of({**options, "host": place[0], "port": place[1]})
    connection = found(**given)
    try:
        await connection.send_packed_command(command)
        return await connection.read_response()
    finally:
        await connection.disconnect(nowait=True)


async def _reply(connection: AbstractConnection) -> Any:
    """Return the next reply. An error reply is returned, not raised, so that the next replies are read too."""
    try:
        return await connection.read_response()
    except ResponseError as error:
        return error


def _require_alone(info: bytes) -> None:
    if re.search(rb"^cluster_enabled:1", info, re.MULTILINE):
        raise RedisError("this server belongs to a cluster: its address begins with redis+cluster://")


def require_usable(info: bytes) -> None:
    """Raise RedisError if the server is too old, is still loading its data, or is a replica.

    A server that loads its data responds to some commands and reports that nothing is synced. That would look like a
    loss of data, and so would a read from a replica that lags behind.
    """
    found = re.search(rb"^redis_version:(\d+)[^\r\n]*", info, re.MULTILINE)
    if found and int(found[1]) < _OLDEST:
        raise RedisError(f"Redis {_OLDEST}.0 or newer is needed, this server is {found[0].partition(b':')[2].decode()}")
    if re.search(rb"^loading:1", info, re.MULTILINE):
        raise BusyLoadingError("the server is loading its data")
    if re.search(rb"^role:slave", info, re.MULTILINE):
        raise ReplicaError(
            "this server is a replica, which accepts no writes: use the address of its master or Sentinels"
        )
