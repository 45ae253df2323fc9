"""The index of players' sessions in Redis: a sorted set for each player, in a slot of the player's own.

The score of a session is its time of creation. Sessions that are not over have ``_OPEN`` added, so they come first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from math import isfinite

from msgspec import MsgspecError

from skerry_service.domain.errors import StoreFull, StoreUnavailable
from skerry_service.domain.index_keys import vouched_players
from skerry_service.domain.record import Record, unpack_record
from skerry_service.sessions.lists.player_index_port import MOST_OVER, Indexed
from skerry_service.sessions.loader import report_damaged_entry
from skerry_service.store import redis_keys
from skerry_service.store.call_router import RunCommand, RunScript
from skerry_service.store.stored_values import session_of

_OPEN = 10**15


class RedisPlayerIndex:
    """A ``sessions.lists.player_index_port.PlayerIndex``."""

    def __init__(self, call: RunCommand, run: RunScript) -> None:
        self._call = call
        self._run = run
        self._ending: set[asyncio.Task[None]] = set()

    async def add(self, player_id: str, session: str, created_ms: int) -> None:
        await self._call("ZADD", redis_keys.player_sessions(player_id), "NX", _OPEN + created_ms, session)

    async def end(self, player_id: str, session: str, created_ms: int) -> None:
        names = (redis_keys.player_sessions(player_id),)
        await self._run("end_for_player.lua", names, session, created_ms, _OPEN, MOST_OVER)

    async def has(self, record: Record) -> bool:
        """Return whether each player of a session has it."""
        keys = map(redis_keys.player_sessions, vouched_players(record))
        return None not in await asyncio.gather(*(self._call("ZSCORE", key, record.id) for key in keys))

    async def restore(self, record: Record) -> None:
        """Add a session for each of its players."""
        for player_id in vouched_players(record):
            await self.add(player_id, record.id, record.created_ms)
            if record.over:
                await self.end(player_id, record.id, record.created_ms)

    def end_soon(self, players: Collection[str], session: str, created_ms: int) -> None:
        """Mark a session as over in the background. Until then, and if it fails, lists check what they find."""

        async def end() -> None:
            with suppress(StoreUnavailable, StoreFull):
                for player_id in players:
                    await self.end(player_id, session, created_ms)

        task = asyncio.create_task(end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def page(self, player_id: str, before: Indexed | None, count: int, *, over: bool) -> Sequence[Indexed]:
        base, key = 0 if over else _OPEN, redis_keys.player_sessions(player_id)
        top: str | int = (f"({_OPEN}" if over else "+inf") if before is None else base + before[0]
        found: list[Indexed] = []
        offset = 0
        while len(found) < count:
            limits = ("BYSCORE", "REV", "LIMIT", offset, count, "WITHSCORES")
            reply = await self._call("ZRANGE", key, top, base, *limits)
            pairs = [_pair(*one, base) for one in zip(reply[::2], reply[1::2], strict=True)]
            # Redis orders equal times by id, descending here, which is the order of pairs.
            found += [one for one in pairs if one is not None and (before is None or one < before)]
            offset += count
            if len(pairs) < count:
                break
        return found[:count]

    async def remove(self, player_id: str, sessions: Collection[str]) -> None:
        if sessions:
            await self._call("ZREM", redis_keys.player_sessions(player_id), *sessions)

    async def forget(self, player_id: str) -> bool:
        return bool(await self._call("DEL", redis_keys.player_sessions(player_id)))


def _pair(member: bytes, score: bytes, base: int) -> Indexed | None:
    """Return an entry of the index; ``None`` if it is damaged."""
    created, session = float(score) - base, session_of("player index", member)
    if session is None or not isfinite(created):
        report_damaged_entry("the index of players", member)
        return None
    return int(created), session


def players_in(packed: bytes) -> frozenset[str]:
    """Return the vouched players of a packed record; none if it is damaged."""
    try:
        return vouched_players(unpack_record(packed))
    except (MsgspecError, ValueError):
        return frozenset()
