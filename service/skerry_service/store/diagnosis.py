"""Read-only checks of a store and its sessions, for ``skerry doctor``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from skerry_service.domain import bot_decisions, clocks
from skerry_service.domain.errors import GameNotFound, RulesetUnsupported, SessionDamaged, StoreUnavailable
from skerry_service.domain.record import Record
from skerry_service.domain.table import Table
from skerry_service.sessions.loader import confined, read_record, read_table
from skerry_service.store import redis_keys
from skerry_service.store.connections.free_space import FreeSpace, in_memory, used_share
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.stored_values import number_of

OVERDUE_MS = 60_000
"""How long a timer can be due before it counts as overdue. Replicas check due timers within fifteen seconds."""
_NAMES = (b"valkey_version", b"redis_version")


class Vitals(Struct, frozen=True):
    """The state of a server, from its own statistics."""

    server: str
    """Its name and version, such as ``valkey 9.1.2``."""
    skew_ms: int
    """How far its clock is ahead of this machine's; negative: behind. Accurate to the time of one call."""
    replicas_ahead_ms: int
    """How far the clock of any Skerry replica has been ahead of this machine's; 0: none was."""
    uptime_ms: int
    room: FreeSpace
    replicas: int
    """Number of its Redis replicas; in a cluster, the lowest of all servers."""
    is_bounded: bool
    """Whether it has a ``maxmemory``."""
    has_log: bool
    """Whether it has an append-only file."""
    timeout_s: int
    """After which idle time it closes connections; 0: never, or unknown."""


async def vitals(store: RedisStore, clock_ms: Callable[[], int]) -> Vitals:
    """Read the vitals of the server, or of all servers of a cluster.

    ``clock_ms``: this machine's clock, in ms since 1970. Raises StoreUnavailable.
    """
    infos = await store.query_each("INFO")
    each = [dict(line.split(b":", 1) for line in info.splitlines() if b":" in line) for info in infos]
    facts = each[0]
    name = next((one for one in _NAMES if one in facts), _NAMES[-1])
    before = clock_ms()
    seconds, micros = await store.query("TIME")
    now = (before + clock_ms()) // 2
    age, latest = await store.query("HMGET", redis_keys.STORE, redis_keys.UPTIME, redis_keys.LATEST_TIME)
    return Vitals(
        server=f"{name.partition(b'_')[0].decode()} {facts.get(name, b'?').decode()}",
        skew_ms=int(seconds) * 1000 + int(micros) // 1000 - now,
        replicas_ahead_ms=max(0, number_of(latest) - now),
        uptime_ms=number_of(age),
        room=min(in_memory(info) for info in infos),
        replicas=min(int(facts.get(b"connected_slaves", b"0")) for facts in each),
        is_bounded=all(facts.get(b"maxmemory", b"0") != b"0" for facts in each),
        has_log=all(facts.get(b"aof_enabled") == b"1" for facts in each),
        timeout_s=await _timeout(store),
    )


async def _timeout(store: RedisStore) -> int:
    """Return the largest ``timeout`` of the servers, in seconds; 0 if the user may not read it."""
    try:
        replies = await store.query_each("CONFIG", "GET", "timeout")
    except StoreUnavailable:
        return 0
    return max(number_of(reply[1]) for reply in replies)


async def amounts(store: RedisStore, overdue_ms: int, backlog_ms: int) -> tuple[int, int, int, float]:
    """Return the number of sessions, of those with an overdue timer, and of those overdue for the archive.

    The last value is the largest share of ``maxmemory`` that a server uses. ``overdue_ms``, ``backlog_ms``: how long
    sessions must have been due. Raises StoreUnavailable, StoreFull.
    """
    stored = await asyncio.gather(*(store.query("ZCARD", key) for key in redis_keys.shards("expiry")))
    overdue = await store.schedule.overdue("timers", overdue_ms)
    backlog = await store.schedule.overdue("archive", backlog_ms)
    infos = await store.query_each("INFO", "memory")
    return sum(stored), overdue, backlog, max(used_share(info) for info in infos)


Trouble = Literal["damaged", "overdue", "unknown"]


async def trouble_with(
    store: RedisStore, session: str, uptime_ms: int, now_ms: int, show: Callable[[Record, int], object]
) -> Trouble | None:
    """Return what is wrong with a session: it is damaged, has an overdue timer, or has an unknown game or ruleset.

    ``uptime_ms``: the store's uptime; ``now_ms``: its wall clock. ``show`` makes of a record and its sequence what
    lists show of them. Raises StoreUnavailable.
    """
    try:
        head = await store.load(session)
        if head is None:
            return None  # it has expired meanwhile
        newest = await store.query("XREVRANGE", redis_keys.log(session), "+", "-", "COUNT", 1)
        if head.sequence and not _leads_to(newest, head.sequence):
            after = await store.load(session)
            return "damaged" if after == head else None  # else a commit came between the two reads
        record = read_record(session, head)
        with confined(session):
            show(record, head.sequence)
        if record.over:
            return None
        return "overdue" if _is_overdue(read_table(session, head), uptime_ms, now_ms) else None
    except SessionDamaged:
        return "damaged"
    except (GameNotFound, RulesetUnsupported):
        return "unknown"


def _leads_to(newest: list[tuple[bytes, object]], sequence: int) -> bool:
    return bool(newest) and newest[0][0] == b"%d-0" % sequence


def _is_overdue(table: Table, uptime_ms: int, now_ms: int) -> bool:
    if any(clocks.has_expired(one, uptime_ms - OVERDUE_MS) for one in table.clocks):
        return True
    return bool(bot_decisions.due_decisions(table)) and now_ms - table.time_ms > OVERDUE_MS
