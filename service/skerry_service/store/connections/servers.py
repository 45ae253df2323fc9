"""The servers of a store, each with its connections: a single server here, a cluster in ``cluster.py``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from redis.exceptions import RedisError, ResponseError

from skerry_service.sessions.store_port import Listener
from skerry_service.store.connections.connection import IDENTIFYING, Connector, pack, require_usable
from skerry_service.store.connections.multiplexer import Multiplexer
from skerry_service.store.connections.replication_wait import ReplicationWait, WaitingMultiplexer
from skerry_service.store.connections.server_facts import ServerFacts, facts_of
from skerry_service.store.connections.subscriptions import Subscriptions

UNKNOWN = ServerFacts("", None, ())
"""The facts of a server before the first connection to it."""

Connecting = Callable[[Callable[[ServerFacts], None]], Connector]
"""Takes a callback for the server's facts, and returns a connector that calls it at each connection."""


class Server:
    """One server and its connections."""

    def __init__(
        self, connecting: Connecting, deadline: float, wait: ReplicationWait | None, on_facts: Callable[[], None]
    ) -> None:
        """``deadline``: in seconds. ``wait``: how many Redis replicas are to confirm writes of sessions.

        ``on_facts`` is called when the facts of the server become known or change.
        """
        connector = connecting(self._identified)
        self.facts = UNKNOWN
        self.line = self.replicated_line = Multiplexer(connector, deadline)
        """Connections for calls, and for calls that wait for Redis replicas."""
        if wait is not None:
            self.replicated_line = WaitingMultiplexer(connector, deadline, wait)
        self.subscriptions = Subscriptions(connector, deadline)
        self._on_facts = on_facts

    async def close(self) -> None:
        """Close the connections. Calls in progress and later calls raise ``ConnectionEnded``."""
        await self.subscriptions.close()
        await self.line.close()
        await self.replicated_line.close()

    async def renew(self) -> None:
        """Replace the connections for calls by new ones."""
        await asyncio.gather(self.line.renew(), self.replicated_line.renew())

    async def identify(self) -> None:
        """Read the facts of the server again. Raises RedisError if it can no longer be used, ConnectionEnded."""
        info, config, lineage = await asyncio.gather(*(self._ask(command) for command in IDENTIFYING))
        if isinstance(info, ResponseError):
            raise info
        try:
            require_usable(info)
        except RedisError:
            await self.renew()
            raise
        self._identified(facts_of(info, config, lineage))

    async def _ask(self, command: Sequence[bytes | str]) -> Any:
        """Return the reply; an error reply is returned, not raised."""
        try:
            return await self.line.call(pack(*command))
        except ResponseError as error:
            return error

    def _identified(self, facts: ServerFacts) -> None:
        before, self.facts = self.facts, facts
        if facts == before:
            return
        if before is not UNKNOWN and facts.reign != before.reign:
            # A remaining connection may lead to the former master.
            self.line.drop()
            self.replicated_line.drop()
            self.subscriptions.drop()
        self._on_facts()


class Servers(Protocol):
    """The servers of a store: the server of each key, and the routing of calls that reached another one."""

    spread: bool
    """Whether the keys are spread over several servers."""

    @property
    def facts(self) -> ServerFacts:
        """The facts of all servers, combined."""

    def of(self, key: bytes | None) -> Server | None:
        """Return the server of a key, if it is known; for no key, any server."""

    async def find(self, key: bytes | None) -> Server:
        """Return the server of a key. Raises RedisError."""

    async def rerouted(self, error: Exception, server: Server) -> bool:
        """Return whether the error says that the call reached the wrong server, so that it did not run.

        ``find`` then returns the right server, or the same one once it is ready. Raises RedisError.
        """

    def redirected(self, error: Exception, server: Server) -> Server | None:
        """Return the server to which the error redirects this one call, if it does."""

    def each(self) -> Sequence[Server]:
        """Return all known servers."""

    def one_key_each(self, first: bytes, further: Callable[[int], bytes]) -> Sequence[bytes]:
        """Return ``first``, and for each other known server one of the ``further`` keys, which is on that server."""

    async def identify(self) -> None:
        """Read the facts of all servers again. Raises RedisError, ConnectionEnded."""

    async def add(self, name: bytes, listener: Listener) -> None:
        """See ``Subscriptions``."""

    async def remove(self, name: bytes, listener: Listener) -> None:
        """See ``Subscriptions``."""

    async def close(self) -> None:
        """Close all connections."""


class OneServer:
    """A single server: at an address, or the master behind Sentinels."""

    spread = False

    def __init__(self, url: str, deadline: float, wait: ReplicationWait | None, on_facts: Callable[[], None]) -> None:
        """Raises ValueError for a malformed address."""
        self._server = Server(lambda on_facts: Connector(url, on_facts), deadline, wait, on_facts)
        self.identify = self._server.identify
        self.add, self.remove = self._server.subscriptions.add, self._server.subscriptions.remove
        self.close = self._server.close

    @property
    def facts(self) -> ServerFacts:
        return self._server.facts

    def of(self, key: bytes | None) -> Server:
        return self._server

    async def find(self, key: bytes | None) -> Server:
        return self._server

    async def rerouted(self, error: Exception, server: Server) -> bool:
        """Return whether the server was demoted to a replica after the connection was made."""
        demoted = str(error).startswith("READONLY")
        if demoted:
            await server.renew()
        return demoted

    def redirected(self, error: Exception, server: Server) -> None:
        return None

    def each(self) -> Sequence[Server]:
        return (self._server,)

    def one_key_each(self, first: bytes, further: Callable[[int], bytes]) -> Sequence[bytes]:
        return (first,)
