"""The servers of a store: one of them, or those of a cluster (``cluster.py``), each with its connections."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from redis.exceptions import RedisError, ResponseError

from skerry_service.sessions.store_port import Listener
from skerry_service.store.connections.connection import QUESTIONS, Connector, pack, require_usable
from skerry_service.store.connections.multiplexer import Multiplexer
from skerry_service.store.connections.replication_wait import ReplicationWait, WaitingMultiplexer
from skerry_service.store.connections.server_facts import ServerFacts, facts_of
from skerry_service.store.connections.subscriptions import Subscriptions

UNKNOWN = ServerFacts("", None, ())
"""What is known of a server to which there was no connection."""

Connecting = Callable[[Callable[[ServerFacts], None]], Connector]
"""Returns what makes connections, each of which tells what the server says of itself."""


class Server:
    """One server. ``deadline``: seconds; ``wait``: what its replicas are to confirm of what is to be kept."""

    def __init__(
        self, connecting: Connecting, deadline: float, wait: ReplicationWait | None, on_facts: Callable[[], None]
    ) -> None:
        """``on_facts`` is called when what it says of itself has become known, or another."""
        connector = connecting(self._identified)
        self.facts = UNKNOWN
        self.line = self.keeping = Multiplexer(connector, deadline)
        """What carries calls, and what those whose writes are to be kept."""
        if wait is not None:
            self.keeping = WaitingMultiplexer(connector, deadline, wait)
        self.subscriptions = Subscriptions(connector, deadline)
        self._on_facts = on_facts

    async def close(self) -> None:
        """Close the connections. Calls under way and later ones raise ``ConnectionEnded``."""
        await self.subscriptions.close()
        await self.line.close()
        await self.keeping.close()

    async def renew(self) -> None:
        """Have calls go over new connections."""
        await asyncio.gather(self.line.renew(), self.keeping.renew())

    async def identify(self) -> None:
        """Ask it anew what it is. Raises RedisError if it is none that can be used any more; ConnectionEnded."""
        info, config, lineage = await asyncio.gather(*(self._ask(question) for question in QUESTIONS))
        if isinstance(info, ResponseError):
            raise info
        try:
            require_usable(info)
        except RedisError:
            await self.renew()
            raise
        self._identified(facts_of(info, config, lineage))

    async def _ask(self, question: Sequence[bytes | str]) -> Any:
        """Return the reply, or the error that it is."""
        try:
            return await self.line.call(pack(*question))
        except ResponseError as error:
            return error

    def _identified(self, facts: ServerFacts) -> None:
        before, self.facts = self.facts, facts
        if facts == before:
            return
        if before is not UNKNOWN and facts.reign != before.reign:
            # A connection to the former master, if there is still one, leads astray.
            self.line.drop()
            self.keeping.drop()
            self.subscriptions.drop()
        self._on_facts()


class Servers(Protocol):
    """Those of a store: who has which key, and what becomes of calls that came to another one."""

    spread: bool
    """Whether keys lie on several of them."""

    @property
    def facts(self) -> ServerFacts:
        """What they say of themselves, taken together."""

    def of(self, key: bytes | None) -> Server | None:
        """Return who has that key, if that is known; for no key any of them."""

    async def find(self, key: bytes | None) -> Server:
        """Return who has that key. Raises RedisError."""

    async def strayed(self, error: Exception, server: Server) -> bool:
        """Return whether a call came to a server that was not the one for it, so that nothing was done.

        Whoever ``find`` returns then is another one, or the same when it is ready. Raises RedisError.
        """

    def asked(self, error: Exception, server: Server) -> Server | None:
        """Return whom to send the call to once instead, if that is what the error says."""

    def each(self) -> Sequence[Server]:
        """Return all that are known."""

    async def identify(self) -> None:
        """Ask them anew what they are. Raises RedisError, ConnectionEnded."""

    async def add(self, name: bytes, listener: Listener) -> None:
        """See ``Subscriptions``."""

    async def remove(self, name: bytes, listener: Listener) -> None:
        """See ``Subscriptions``."""

    async def close(self) -> None:
        """Close all connections."""


class OneServer:
    """Servers of which there is one: the one at an address, or behind Sentinels."""

    spread = False

    def __init__(self, url: str, deadline: float, wait: ReplicationWait | None, on_facts: Callable[[], None]) -> None:
        """Raises ValueError for an address that is none."""
        self._server = Server(lambda told: Connector(url, told), deadline, wait, on_facts)
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

    async def strayed(self, error: Exception, server: Server) -> bool:
        """It was the master when it was connected to, and is none now."""
        demoted = str(error).startswith("READONLY")
        if demoted:
            await server.renew()
        return demoted

    def asked(self, error: Exception, server: Server) -> None:
        return None

    def each(self) -> Sequence[Server]:
        return (self._server,)
