"""Sessions in Redis: implements ``sessions.store_port.Store``.

Each commit is one script call and one round trip (``commit.lua``). Every failure on the way to Redis becomes
``StoreUnavailable``. No call takes longer than the store's deadline.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeVar

from skerry_service.access.gcra import RateExceeded, Taken
from skerry_service.access.quotas import Rate
from skerry_service.domain.errors import SessionDamaged, StoreFull, StoreUnavailable
from skerry_service.domain.packed import Head, Request
from skerry_service.domain.record import MAX_SEATS
from skerry_service.sessions.loader import report_damage
from skerry_service.sessions.store_port import (
    Commit,
    CommitResult,
    Duplicate,
    Listener,
    Stored,
    Summary,
    Tip,
)
from skerry_service.store import redis_keys, request_window
from skerry_service.store.call_router import CallRouter, RunCommand, RunScript, Script
from skerry_service.store.connections.cluster import servers_of
from skerry_service.store.connections.free_space import FreeSpace, in_memory, is_ample
from skerry_service.store.connections.replication_wait import ReplicationWait
from skerry_service.store.connections.servers import UNKNOWN
from skerry_service.store.delivery_states import RedisDeliveryStates
from skerry_service.store.finished_sessions import RedisFinishedSessions
from skerry_service.store.health.replica_states import ReplicaStates
from skerry_service.store.health.ticks import Ticks
from skerry_service.store.indexes.index_journal import IndexJournal
from skerry_service.store.indexes.list_index import RedisListIndex
from skerry_service.store.indexes.player_index import RedisPlayerIndex, players_in
from skerry_service.store.redis_match_store import RedisMatchStore
from skerry_service.store.redis_resources import RedisResources
from skerry_service.store.redis_schedule import RedisSchedule
from skerry_service.store.replica_registry import ReplicaRegistry
from skerry_service.store.stored_values import head_of, number_of, result_of, sequence_of, time_of_batch
from skerry_service.store.upgrades.redis_upgrades import RedisUpgrades
from skerry_service.store.upgrades.session_indexes import RedisSessionIndexes
from skerry_service.store.uptime import Uptime

T = TypeVar("T")

_log = logging.getLogger(__name__)


_COMMIT, _CREATE, _EXPIRE = Script("commit.lua"), Script("create.lua"), Script("expire.lua")
_SCRIPTS = {
    name: Script(name)
    for name in (
        "change_fields.lua",
        "delete.lua",
        "end_for_player.lua",
        "match_collect.lua",
        "match_exchange.lua",
        "match_forget.lua",
        "match_heal.lua",
        "match_publish.lua",
        "match_release.lua",
        "match_resign.lua",
        "quota.lua",
        "relist.lua",
        "replace_session.lua",
        "schedule.lua",
        "set_format.lua",
        "set_once.lua",
        "set_state.lua",
        "unlist.lua",
    )
}
_SEEN_FOR_MS = 8 * 86_400_000
"""How long the store remembers when a player was last seen: longer than any absence limit."""
_AMPLE_SECONDS = 0.1
"""How long an ample amount of free memory is taken for granted: new sessions do not fill half of it meanwhile."""


class RedisStore:
    """A ``sessions.store_port.Store`` in Redis.

    It belongs to the event loop of its first use. The Redis user needs INFO, and CONFIG GET for the durable epoch.
    """

    def __init__(
        self,
        url: str,
        *,
        deadline: float = 5.0,
        disk: Callable[[], FreeSpace] = lambda: FreeSpace.PLENTY,
        on_stored: Callable[[], None] = lambda: None,
        wait: ReplicationWait | None = None,
    ) -> None:
        """``url``: as ``connections.servers_of`` takes it. ``deadline``: in seconds.

        ``disk`` returns the free space of the server's disk, if known. ``on_stored`` is called after each write of a
        session, before the write is acknowledged. With ``wait``, a write that too few replicas confirm in time raises
        StoreUnavailable although it is stored; a repeat of the request succeeds once they confirm it.
        """
        self._on_stored = on_stored
        self._disk = disk
        self._uptime = Uptime()
        self._ample_until = 0.0
        self._servers = servers_of(url, deadline, wait, self._identified)
        self._facts = UNKNOWN
        self._calls = CallRouter(self._servers, deadline, waits=wait is not None)
        self._call: RunCommand = self._calls.call
        self._run: RunScript = self._run_named
        self._journal: IndexJournal | None = None
        self._repair: asyncio.Task[None] | None = None
        if self._servers.spread:
            self._journal = IndexJournal(self._calls.call, self._run_named)
            self._call, self._run = self._journal.call, self._journal.run
        self.replicas = ReplicaRegistry()
        self.replica_states = ReplicaStates(self._calls, self._uptime)
        self.ticks = Ticks(self._servers, self._calls, self._uptime, self.replicas, self._require_room)
        self.schedule = RedisSchedule(self._call, self._run, self.uptime_ms, self._uptime.now)
        self.replicas.on_silent = self.schedule.read_again
        self.deliveries = RedisDeliveryStates(self._call, self._run)
        self.finished = RedisFinishedSessions(self._call, self._run)
        self.matching = RedisMatchStore(self._calls.call, self._run_named, self._require_room)
        self.resources = RedisResources(self._calls.call, self._run_named, self._require_room)
        self._listing = RedisListIndex(self._call, self._run)
        self.players = RedisPlayerIndex(self._call, self._run)
        parts = (self._listing, self.players, self.uptime_ms, lambda: self._facts.reign)
        self.indexes = RedisSessionIndexes(self._call, self._run, *parts)
        self.scan, self.walk = self.indexes.scan, self.indexes.walk
        self.upgrades = RedisUpgrades(self._call, self._run, self._calls)

    @property
    def epoch(self) -> str:
        """``DURABLE``, or an id of the current run of the server; empty before the first call.

        Each connection reads it before it sends any other command, so it is never older than a reply of the store.
        """
        return self._facts.epoch

    @property
    def evicts(self) -> str | None:
        """The policy by which the server evicts sessions when memory is short; ``None`` if it evicts none."""
        return self._facts.evicts

    @property
    def warnings(self) -> tuple[str, ...]:
        """The reasons why the epoch is not ``"durable"``, each as a sentence about the server."""
        return self._facts.warnings

    def _identified(self) -> None:
        before, self._facts = self._facts, self._servers.facts
        epoch, warnings = self._facts.epoch, " ".join(self._facts.warnings)
        if before is not UNKNOWN and epoch != before.epoch:
            _log.warning("the store's epoch changed from %s to %s. %s", before.epoch, epoch, warnings)
            if self._journal is not None:
                self._stop_repair()
                self._repair = asyncio.create_task(self._journal.write_again())

    def _stop_repair(self) -> None:
        if self._repair is not None:
            self._repair.cancel()

    async def open(self) -> None:
        """Check that the store responds, and read its epoch. Calls work without it."""
        async with self._calls.guard():
            await self._servers.identify()

    async def close(self) -> None:
        """Close all connections. Calls in progress and later calls raise ``StoreUnavailable``."""
        self._calls.close()
        self._stop_repair()
        await self._servers.close()

    async def identify(self) -> None:
        """Read the server's settings again, which can change while connections stay open.

        If the server was promoted, store that as a new lineage, so that no later epoch equals one from before.
        """
        async with self._calls.guard():
            await self._servers.identify()
        facts = self._facts
        if facts.promoted and facts.lineage != facts.reign:
            await self._call("HSET", redis_keys.STORE, redis_keys.LINEAGE, facts.reign)

    async def create(
        self, session: str, commit: Commit, public_since_ms: int | None, index_keys: Iterable[bytes] = ()
    ) -> Head | None:
        if min(self._disk(), await self._memory(session)) < FreeSpace.PLENTY:
            if existing := await self.load(session):
                return await self._confirmed(session, existing)
            raise StoreFull
        head, expires, steps = commit.head, await self._expires(commit), list[Awaitable[Any]]()
        # The indexes come first: a crash then leaves no session that is not listed, or that never expires.
        if commit.lifetime_ms is not None:
            steps.append(self.schedule.at("expiry", session, commit.lifetime_ms, earlier=False))
        if public_since_ms is not None:
            steps.append(self._listing.add(session, public_since_ms, index_keys))
        steps += self._seating(session, commit)
        arguments = (
            head.sequence,
            commit.batch,
            head.snapshot,
            head.record,
            _entry(commit),
            expires,
            head.chained_hash,
        )
        steps.append(self._calls.run_at(_CREATE, session, *arguments))
        *_, (reply, _) = await self._calls.in_order(*steps)
        self._note_stored()
        return None if reply == 1 else await self._confirmed(session, head_of(session, reply))

    async def _memory(self, session: str) -> FreeSpace:
        """Return the free memory of the session's server. An ample amount may be as of a moment ago."""
        now = asyncio.get_running_loop().time()
        if now < self._ample_until:
            return FreeSpace.PLENTY
        info = await self._calls.call("INFO", "memory", near=redis_keys.head(session))
        if is_ample(info) and not self._servers.spread:  # one server of a cluster knows only its own memory
            self._ample_until = now + _AMPLE_SECONDS
        return in_memory(info)

    async def load(self, session: str) -> Head | None:
        fields = (redis_keys.SEQUENCE, redis_keys.RECORD, redis_keys.SNAPSHOT, redis_keys.HASH)
        reply = await self._call("HMGET", redis_keys.head(session), *fields, session=session)
        return None if all(value is None for value in reply) else head_of(session, reply)

    async def tip(self, session: str) -> Tip | None:
        sequence, chained = await self._call(
            "HMGET", redis_keys.head(session), redis_keys.SEQUENCE, redis_keys.HASH, session=session
        )
        if sequence is None and chained is None:
            return None
        if sequence is None:
            raise report_damage(session, "its head is incomplete")
        return Tip(sequence_of(session, sequence), chained or b"")

    async def commit(self, session: str, commit: Commit) -> CommitResult:
        head = commit.head
        if head.sequence <= commit.base:
            raise ValueError("a commit adds at least one entry to the log")
        if self._disk() is FreeSpace.NONE:
            return await self._find_or_refuse(session, commit)
        storing = self._calls.run_at(
            _COMMIT,
            session,
            commit.base,
            head.sequence,
            commit.batch,
            head.snapshot,
            _entry(commit),
            await self._expires(commit),
            commit.base_hash,
            head.chained_hash,
            *((head.record,) if commit.record_changed else ()),
        )
        adding = self._seating(session, commit)  # first, so that a crash leaves no session that lists do not find
        if commit.added_keys:
            adding.append(self._listing.relist(session, head.sequence, commit.added_keys, ()))
        *_, (reply, unsure) = await self._calls.in_order(*adding, storing) if adding else (await storing,)
        if unsure and commit.request is None and isinstance(reply, bytes):
            # The conflict may be with an earlier run of this commit. Without a request id, the two look the same.
            raise StoreUnavailable
        self._note_stored()
        result = result_of(session, reply)
        if isinstance(result, Stored) and commit.removed_keys:
            self._listing.remove_soon(session, head.sequence, commit.removed_keys)
        if isinstance(result, Stored) and commit.ended:
            self.players.end_soon(commit.ended, session, commit.created_ms)
        return await self._confirmed(session, result) if isinstance(result, Duplicate) else result

    def _seating(self, session: str, commit: Commit) -> list[Awaitable[Any]]:
        return [self.players.add(player_id, session, commit.created_ms) for player_id in sorted(commit.seated)]

    def _note_stored(self) -> None:
        self.ticks.stored()
        self._on_stored()

    async def _confirmed(self, session: str, found: T) -> T:
        """Return a result of an earlier write, after replicas have confirmed that write if the store waits for them."""
        if self._calls.waits:
            await self._calls.confirm(session)
        return found

    async def _find_or_refuse(self, session: str, commit: Commit) -> CommitResult:
        """Return the earlier result of a commit for which there is no space now, or raise StoreFull."""
        if commit.request and (duplicate := await self.find_request(session, commit.request)):
            return duplicate
        raise StoreFull

    async def find_request(self, session: str, request: Request) -> Duplicate | None:
        reply = await self._call("HGET", redis_keys.head(session), redis_keys.WINDOW, session=session)
        duplicate = request_window.find(reply, request.id) if reply else None
        return await self._confirmed(session, duplicate) if duplicate else None

    async def batches(self, session: str, after: int) -> Sequence[bytes]:
        reply = await self._call("XRANGE", redis_keys.log(session), f"({after}-0", "+", session=session)
        return [fields[1] for _, fields in reply]

    async def list_sessions(
        self, before: tuple[int, str] | None, count: int, index_keys: Sequence[bytes] | None = None
    ) -> Sequence[tuple[int, str]]:
        return await self._listing.page(before, count, index_keys)

    async def summaries(self, sessions: Sequence[str]) -> Sequence[Summary | SessionDamaged | None]:
        return await self._listing.summaries(sessions)

    async def changed_ms(self, sessions: Sequence[str]) -> Sequence[int]:
        """Return when the last entry of each session was stored, in ms since 1970; 0 if that cannot be read."""
        return await asyncio.gather(*map(self._changed_ms, sessions))

    async def _changed_ms(self, session: str) -> int:
        try:
            found = await self._call("XREVRANGE", redis_keys.log(session), "+", "-", "COUNT", 1, session=session)
        except SessionDamaged:
            return 0
        return time_of_batch(found[0][1][1]) if found else 0

    async def relist(self, session: str, sequence: int, added: Iterable[bytes], removed: Iterable[bytes]) -> None:
        if self._disk() is not FreeSpace.NONE:
            await self._listing.relist(session, sequence, added, removed)

    async def unlist(self, sessions: Sequence[str]) -> None:
        if sessions and self._disk() is not FreeSpace.NONE:
            await self._listing.unlist(sessions)

    async def uptime_ms(self) -> int:
        if not self._uptime.known:  # read it, because a full store accepts no tick
            self._uptime.learn(number_of(await self._call("HGET", redis_keys.STORE, redis_keys.UPTIME)))
        return self._uptime.now()

    async def record_seen(self, seats: Sequence[tuple[str, int]]) -> None:
        if not seats:
            return
        now = await self.uptime_ms()
        pairs = [word for session, seat in seats for word in (now, redis_keys.seat(session, seat))]
        await self._call("ZADD", redis_keys.PRESENCE, "GT", *pairs)
        await self._call("ZREMRANGEBYSCORE", redis_keys.PRESENCE, "-inf", now - _SEEN_FOR_MS)

    async def last_seen(self, session: str, seats: int) -> Sequence[int]:
        members = [redis_keys.seat(session, seat) for seat in range(seats)]
        return [int(float(at or 0)) for at in await self._call("ZMSCORE", redis_keys.PRESENCE, *members)]

    async def forget_seen(self, session: str) -> None:
        await self._call("ZREM", redis_keys.PRESENCE, *(redis_keys.seat(session, seat) for seat in range(MAX_SEATS)))

    async def listen(self, session: str, listener: Listener) -> None:
        async with self._calls.guard():
            await self._servers.add(redis_keys.channel(session), listener)

    async def unlisten(self, session: str, listener: Listener) -> None:
        await self._servers.remove(redis_keys.channel(session), listener)

    async def query(self, *command: bytes | str | int) -> Any:
        """Return the reply to a command that writes nothing."""
        return await self._call(*command)

    async def query_each(self, *command: bytes | str | int) -> Sequence[Any]:
        """Return the reply of each server to a command that writes nothing and names no key, such as INFO."""
        return await self._calls.each(*command)

    async def heads(self, count: int) -> AsyncIterator[Sequence[str]]:
        """Yield all sessions in pages, without an index. A session can come twice. Raises StoreUnavailable."""
        async for keys in self._calls.scan(redis_keys.HEADS, count):
            yield [session for key in keys if (session := redis_keys.session_in(key)) is not None]

    async def tick(self, now_ms: int, *, announces: bool = True) -> int | None:
        """Advance the store's uptime by the time since the last tick. ``announces``: whether to announce this replica.

        ``now_ms``: the wall clock, in ms since 1970. No lifetime depends on it. Return the latest wall-clock time of
        any replica before, if there is one.
        """
        return await self.ticks.tick(now_ms, announces=announces)

    async def leave(self) -> None:
        """Announce that this replica has stopped."""
        entry, self.replicas.own = self.replicas.entry(), None
        await self._call("ZREM", redis_keys.REPLICAS, entry)
        own = self.replicas.id
        await self._call("HDEL", redis_keys.STORE, redis_keys.load_of(own), redis_keys.drain_of(own))

    async def expire(self, session: str) -> int | None:
        """Delete a session if it has expired. Return the ms until it does; ``None`` if the session is gone."""
        self._require_room()
        now = self._uptime.now()
        reply, _ = await self._calls.run_at(_EXPIRE, session, now)
        if isinstance(reply, bytes):
            return number_of(reply) - now
        await self.unlist([session])
        for player_id in players_in(reply[0]):
            await self.players.remove(player_id, [session])
        return None

    def _require_room(self) -> None:
        if self._disk() is FreeSpace.NONE:
            raise StoreFull

    async def _expires(self, commit: Commit) -> int | bytes:
        """Return the uptime at which the session expires, in the form that the scripts take."""
        if commit.lifetime_ms is None:
            return b""
        return await self.uptime_ms() + commit.lifetime_ms

    async def take(self, kind: str, wanted: Sequence[tuple[str, Rate]]) -> Taken:
        """Count a call, as ``access.gcra.SharedCounters`` promises. A call whose reply is lost is counted twice."""
        names = [redis_keys.quota(kind, key) for key, _ in wanted]
        rates = [number for _, rate in wanted for number in (rate.step_us, rate.count)]
        index, wait_us, *used_us = await self._run("quota.lua", names, *rates)
        return Taken(RateExceeded(index - 1, wait_us) if index else None, used_us)

    async def _run_named(self, script: str, names: Sequence[bytes], *arguments: bytes | str | int) -> Any:
        """Run the script of that file name. It may run twice if a reply is lost."""
        return await self._calls.run(_SCRIPTS[script], names, *arguments)


def _entry(commit: Commit) -> bytes:
    return b"" if commit.request is None else request_window.entry(commit.request, commit.head.sequence)
