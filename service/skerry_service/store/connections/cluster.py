"""A store that is spread over the servers of a cluster: who has which of its 16,384 slots, and what changes in that.

Every call is about keys of one slot (``keys.py``), so it goes to one server, over the same connections as to a server
alone. What belongs together and lies in different slots, a session and what stands of it in an index, is written one
after the other anyway; what an index loses apart from the session is written again (``journal.py``).
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
"""How long one server may take to say who has what, before the next one is asked."""
_PAUSE_SECONDS = 0.02
"""Before a call is tried again that came to a wrong server, or to one that was not ready."""
_WHO_HAS_WHAT = pack("CLUSTER", "SLOTS")
_NOT_YET = ("MOVED", "TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN", "READONLY")


def servers_of(url: str, deadline: float, wait: ReplicationWait | None, on_facts: Callable[[], None]) -> Servers:
    """Return the servers at an address. Raises ValueError for one that is none."""
    several = url.partition("://")[0] in _SCHEMES
    return (Cluster if several else OneServer)(url, deadline, wait, on_facts)


class Cluster:
    """The masters of a cluster: ``redis+cluster://[user:password@]host[:port],...``, some of its servers."""

    spread = True

    def __init__(self, url: str, deadline: float, wait: ReplicationWait | None, on_facts: Callable[[], None]) -> None:
        """Raises ValueError for an address that is none."""
        given = read_places(url, _PORT)
        if given.path not in ("", "0"):
            raise ValueError("a cluster has no databases: end the address behind its servers")
        require_known(given.options)
        self._places, self._options = given.places, given.options
        self._settings = deadline, wait
        self._on_facts = on_facts
        self.facts = UNKNOWN
        self._servers: dict[Place, Server] = {}
        """Those to which there are connections; all masters are among them as soon as it is known who they are."""
        self._masters: dict[Place, Server] = {}
        self._slots: list[Server | None] = [None] * _SLOTS
        self._learning: asyncio.Task[None] | None = None
        self._listening: dict[bytes, tuple[Server, list[Listener]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------ who has what

    def of(self, key: bytes | None) -> Server | None:
        return self._slots[0 if key is None else key_slot(key)]

    async def find(self, key: bytes | None) -> Server:
        if (server := self.of(key)) is None:
            await self._learn()
            server = self.of(key)
        if server is None:
            raise RedisError("no server of the cluster has that slot")
        return server

    def each(self) -> Sequence[Server]:
        return tuple(self._masters.values())

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
        elif kind in _NOT_YET:
            if kind == "READONLY":
                await server.renew()
            await asyncio.sleep(_PAUSE_SECONDS)
            await self._learn()
        else:
            return False
        return True

    def _place_in(self, words: str, server: Server) -> Place:
        """Return the place in ``slot host:port``; without a host it is that of the server that said so."""
        host, _, port = words.partition(" ")[2].rpartition(":")
        return host or self._place_of(server)[0], int(port)

    def _place_of(self, server: Server) -> Place:
        return next((place for place, one in self._servers.items() if one is server), self._places[0])

    def _at(self, place: Place) -> Server:
        """Return the server there, which may be new."""
        if (server := self._servers.get(place)) is None:
            host, port = place
            options = {**self._options, "host": host, "port": port}
            server = Server(lambda told: Connector(options, told), *self._settings, self._combine)
            self._servers[place] = server
        return server

    async def _learn(self) -> None:
        """Ask who has what. Raises RedisError. Whoever asks at the same time is answered together."""
        if self._learning is None or self._learning.done():
            self._learning = asyncio.create_task(self._ask_around())
            self._learning.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.shield(self._learning)

    async def _ask_around(self) -> None:
        """Ask those that are known, then those that the address names, which may be replicas by now."""
        trouble: Exception | None = None
        for place in (*self._servers, *self._places):
            try:
                async with asyncio.timeout(_ASK_SECONDS):
                    told = await self._ask(place)
                await self._take(told, place)
                return
            except ResponseError as error:
                if "cluster support disabled" in str(error):
                    raise RedisError("this server belongs to no cluster: its address begins with redis://") from None
                trouble = error
            except (ConnectionEnded, RedisError, OSError) as error:
                trouble = error
        raise RedisError(f"no server of the cluster tells who has what: {trouble}") from trouble

    async def _ask(self, place: Place) -> Any:
        if server := self._servers.get(place):
            return await server.line.call(_WHO_HAS_WHAT)
        return await ask_once(self._options, place, _WHO_HAS_WHAT)

    async def _take(self, told: Any, place: Place) -> None:
        """Go by what a server at that place has told; leave servers that have nothing any more."""
        slots: list[Server | None] = [None] * _SLOTS
        masters: dict[Place, Server] = {}
        for first, last, (host, port, *_), *_ in told:
            name = (host or b"").decode()
            where = name if name not in ("", "?") else place[0], port
            masters[where] = server = self._at(where)
            slots[first : last + 1] = [server] * (last + 1 - first)
        # What new ones are is known before they are asked for anything else: it makes the epoch.
        fresh = [server for where, server in masters.items() if where not in self._masters]
        await asyncio.gather(*(server.identify() for server in fresh), return_exceptions=True)
        self._slots, self._masters = slots, masters
        for where in self._servers.keys() - masters.keys():
            self._beside(self._servers.pop(where).close())
        self._combine()
        for listened, (server, _) in tuple(self._listening.items()):
            if self.of(listened) is not server:
                self._beside(self._move(listened))

    def _beside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------ what they are

    async def identify(self) -> None:
        """See ``Servers``. One that does not answer keeps nobody from serving what the others have."""
        await self._learn()
        told = await asyncio.gather(*(server.identify() for server in self.each()), return_exceptions=True)
        if told and all(told):
            raise next(one for one in told if one)

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
        """Have a channel listened to at the server that has it now. Something may have been missed by that."""
        former, listeners = self._listening.get(name, (None, []))
        server = self.of(name)
        if former is None or server is None or server is former:
            return
        self._listening[name] = server, listeners
        for listener in tuple(listeners):
            await former.subscriptions.remove(name, listener)
            if self._listening.get(name) != (server, listeners):
                return  # it has moved on
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
    """Take together what servers say of themselves, by their places. One that is not known yet makes a difference."""
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
