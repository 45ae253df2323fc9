"""A store on a Redis cluster: which server has which of the 16,384 slots, and how that changes.

All keys of a call are in one slot (``redis_keys.py``), so each call goes to one server, over the same connections as
to a single server. A session and its index entries can be in different slots. They are written one after the other in
any case; ``index_journal.py`` repeats writes that only an index has lost.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from redis.crc import key_slot
from redis.exceptions import RedisError, ResponseError

from skerry_service.sessions.store_port import Listener
from skerry_service.store.connections.connection import Connector, ask_once, pack, require_known
from skerry_service.store.connections.multiplexer import ConnectionEnded
from skerry_service.store.connections.replication_wait import ReplicationWait
from skerry_service.store.connections.server_addresses import Place, read_places
from skerry_service.store.connections.server_facts import DURABLE, ServerFacts
from skerry_service.store.connections.servers import UNKNOWN, OneServer, Server, Servers

_SCHEMES = ("redis+cluster", "rediss+cluster")
_PORT = 6379
_SLOTS = 16_384
_ASK_SECONDS = 1.0
"""How long to wait for the slots from one server before the next one is tried."""
_PAUSE_SECONDS = 0.02
"""Pause before a call is repeated that reached a wrong server, or one that was not ready."""
_SLOTS_COMMAND = pack("CLUSTER", "SLOTS")
_NOT_READY = ("MOVED", "TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN", "READONLY")


def servers_of(url: str, deadline: float, wait: ReplicationWait | None, on_facts: Callable[[], None]) -> Servers:
    """Return the servers at an address. Raises ValueError for a malformed address."""
    is_cluster = url.partition("://")[0] in _SCHEMES
    return (Cluster if is_cluster else OneServer)(url, deadline, wait, on_facts)


class Cluster:
    """The masters of a cluster. The address names some of its servers: ``redis+cluster://[user:password@]host[:port],...``"""

    spread = True

    def __init__(self, url: str, deadline: float, wait: ReplicationWait | None, on_facts: Callable[[], None]) -> None:
        """Raises ValueError for a malformed address."""
        given = read_places(url, _PORT)
        if given.path not in ("", "0"):
            raise ValueError("a cluster has no numbered databases: remove the path from its address")
        require_known(given.options)
        self._places, self._options = given.places, given.options
        self._settings = deadline, wait
        self._on_facts = on_facts
        self.facts = UNKNOWN
        self._servers: dict[Place, Server] = {}
        """Servers with connections. All masters are among them once the slots are known."""
        self._masters: dict[Place, Server] = {}
        self._slots: list[Server | None] = [None] * _SLOTS
        self._learning: asyncio.Task[None] | None = None
        self._listening: dict[bytes, tuple[Server, list[Listener]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------ slots

    def of(self, key: bytes | None) -> Server | None:
        return self._slots[0 if key is None else key_slot(key)]

    async def find(self, key: bytes | None) -> Server:
        if (server := self.of(key)) is None:
            await self._learn()
            server = self.of(key)
        if server is None:
            raise RedisError("no server of the cluster has the slot of that key")
        return server

    def each(self) -> Sequence[Server]:
        return tuple(self._masters.values())

    def one_key_each(self, first: bytes, further: Callable[[int], bytes]) -> Sequence[bytes]:
        found = {self.of(first): first}
        for key in map(further, range(_SLOTS)):
            if len(found) >= len(self._masters):
                break
            found.setdefault(self.of(key), key)
        return tuple(found.values())

    def redirected(self, error: Exception, server: Server) -> Server | None:
        kind, _, rest = str(error).partition(" ")
        return self._at(self._place_in(rest, server)) if kind == "ASK" else None

    async def rerouted(self, error: Exception, server: Server) -> bool:
        kind, _, rest = str(error).partition(" ")
        if isinstance(error, ConnectionEnded):
            with suppress(RedisError):
                await self._learn()  # another server may have taken over
            return False
        if kind == "MOVED" and (now := self._masters.get(self._place_in(rest, server))):
            self._slots[int(rest.partition(" ")[0])] = now
            await asyncio.sleep(_PAUSE_SECONDS)
        elif kind in _NOT_READY:
            if kind == "READONLY":
                await server.renew()
            await asyncio.sleep(_PAUSE_SECONDS)
            await self._learn()
        else:
            return False
        return True

    def _place_in(self, words: str, server: Server) -> Place:
        """Return the place in ``slot host:port``. Without a host, it is that of the server that replied."""
        host, _, port = words.partition(" ")[2].rpartition(":")
        return host or self._place_of(server)[0], int(port)

    def _place_of(self, server: Server) -> Place:
        return next((place for place, one in self._servers.items() if one is server), self._places[0])

    def _at(self, place: Place) -> Server:
        """Return the server at a place; add it if it is new."""
        if (server := self._servers.get(place)) is None:
            host, port = place
            options = {**self._options, "host": host, "port": port}
            server = Server(lambda on_facts: Connector(options, on_facts), *self._settings, self._combine)
            self._servers[place] = server
        return server

    async def _learn(self) -> None:
        """Read the slots from the cluster. Raises RedisError. Concurrent callers share one read."""
        if self._learning is None or self._learning.done():
            self._learning = asyncio.create_task(self._read_slots())
            self._learning.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.shield(self._learning)

    async def _read_slots(self) -> None:
        """Ask the known servers, then those of the address, which may be replicas by now."""
        failure: Exception | None = None
        for place in (*self._servers, *self._places):
            try:
                async with asyncio.timeout(_ASK_SECONDS):
                    slots = await self._ask(place)
                await self._adopt(slots, place)
                return
            except ResponseError as error:
                if "cluster support disabled" in str(error):
                    raise RedisError(
                        "this server does not belong to a cluster: its address begins with redis://"
                    ) from None
                failure = error
            except (ConnectionEnded, RedisError, OSError) as error:
                failure = error
        raise RedisError(f"no server of the cluster returns its slots: {failure}") from failure

    async def _ask(self, place: Place) -> Any:
        if server := self._servers.get(place):
            return await server.line.call(_SLOTS_COMMAND)
        return await ask_once(self._options, place, _SLOTS_COMMAND)

    async def _adopt(self, reply: Any, place: Place) -> None:
        """Adopt the slots that the server at that place returned, and close servers that have none any more."""
        slots: list[Server | None] = [None] * _SLOTS
        masters: dict[Place, Server] = {}
        for first, last, (host, port, *_), *_ in reply:
            name = (host or b"").decode()
            where = name if name not in ("", "?") else place[0], port
            masters[where] = server = self._at(where)
            slots[first : last + 1] = [server] * (last + 1 - first)
        # The facts of new servers are read before any other call, because the epoch depends on them.
        fresh = [server for where, server in masters.items() if where not in self._masters]
        await asyncio.gather(*(server.identify() for server in fresh), return_exceptions=True)
        self._slots, self._masters = slots, masters
        for where in self._servers.keys() - masters.keys():
            self._in_background(self._servers.pop(where).close())
        self._combine()
        for listened, (server, _) in tuple(self._listening.items()):
            if self.of(listened) is not server:
                self._in_background(self._move(listened))

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------ facts

    async def identify(self) -> None:
        """See ``Servers``. It fails only if no server responds, because the others can still serve their slots."""
        await self._learn()
        failures = await asyncio.gather(*(server.identify() for server in self.each()), return_exceptions=True)
        if failures and all(failures):
            raise next(failure for failure in failures if failure)

    def _combine(self) -> None:
        facts = combined({f"{host}:{port}": server.facts for (host, port), server in self._masters.items()})
        if self._masters and facts != self.facts:
            self.facts = facts
            self._on_facts()

    # ------------------------------------------------------------ listening

    async def add(self, name: bytes, listener: Listener) -> None:
        found = await self.find(name)
        server, listeners = self._listening.setdefault(name, (found, []))
        listeners.append(listener)
        try:
            await server.subscriptions.add(name, listener)
        except BaseException:
            await self.remove(name, listener)
            raise

    async def remove(self, name: bytes, listener: Listener) -> None:
        server, listeners = self._listening.get(name, (None, []))
        if server is None or listener not in listeners:
            return
        listeners.remove(listener)
        if not listeners:
            del self._listening[name]
        await server.subscriptions.remove(name, listener)

    async def _move(self, name: bytes) -> None:
        """Move the listeners of a channel to its current server. They may have missed messages."""
        former, listeners = self._listening.get(name, (None, []))
        server = self.of(name)
        if former is None or server is None or server is former:
            return
        self._listening[name] = server, listeners
        for listener in tuple(listeners):
            await former.subscriptions.remove(name, listener)
            if self._listening.get(name) != (server, listeners):
                return  # it has moved again
            with suppress(ConnectionEnded):
                await server.subscriptions.add(name, listener)
            if listener in listeners:
                listener(None)
            else:
                await server.subscriptions.remove(name, listener)

    async def close(self) -> None:
        for task in (*self._tasks, *([self._learning] if self._learning else [])):
            task.cancel()
        await asyncio.gather(
            *(server.close() for server in self._servers.values()), *self._tasks, return_exceptions=True
        )


def combined(each: Mapping[str, ServerFacts]) -> ServerFacts:
    """Combine the facts of servers, by their places. A server whose facts are unknown changes the epoch."""
    facts = [each[place] for place in sorted(each)]
    warnings = tuple(dict.fromkeys(warning for one in facts for warning in one.warnings))
    lineage = max((one.lineage for one in facts), default="")
    durable = bool(facts) and all(one.reign for one in facts) and not warnings
    reigns = [one.reign or place for place, one in sorted(each.items())]
    promoted = sorted(one.reign for one in facts if one.promoted)
    return ServerFacts(
        epoch="-".join(filter(None, (DURABLE, lineage))) if durable else _digest(reigns),
        evicts=next((one.evicts for one in facts if one.evicts), None),
        warnings=warnings,
        reign=_digest(promoted or reigns),
        promoted=bool(promoted),
        lineage=lineage,
    )


def _digest(words: Iterable[str]) -> str:
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:16]
