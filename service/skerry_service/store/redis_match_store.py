"""The matchmaker's part of the store in Redis. All keys of a game are in one slot; each game has another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from skerry_service.sessions.loader import report_damaged_entry
from skerry_service.sessions.match_port import (
    CLAIM_MS,
    LEASE_MS,
    Collected,
    Exchange,
    Received,
    RoundWrite,
)
from skerry_service.store import redis_keys
from skerry_service.store.call_router import RunCommand, RunScript, WrongType

_LARGEST = 1 << 53
"""Scores are exact below it."""


class RedisMatchStore:
    """A ``sessions.match_port.MatchStore``."""

    def __init__(self, call: RunCommand, run: RunScript, require_room: Callable[[], None]) -> None:
        """``require_room``: raises StoreFull if the disk of the server is full."""
        self._call = call
        self._run = run
        self._require_room = require_room

    def channel(self, game: str) -> str:
        return f"match:{game}"

    async def exchange(self, game: str, exchange: Exchange) -> Received:
        names = [
            redis_keys.matcher(game),
            redis_keys.match_messages(game),
            redis_keys.match_news(game),
            *(redis_keys.match_claim(game, ticket.hex()) for ticket in exchange.tickets),
        ]
        self._require_room()
        term, leads, last, news, claims = await self._script(
            "match_exchange.lua",
            names,
            exchange.replica,
            exchange.now_ms,
            exchange.now_ms + LEASE_MS,
            exchange.new_term,
            exchange.after,
            exchange.message,
        )
        return Received(term, bool(leads), last, news, [claim or None for claim in claims])

    async def collect(
        self, game: str, term: bytes, now_ms: int, after: bytes, *, everything: bool = False
    ) -> Collected | None:
        names = [key(game) for key in (redis_keys.matcher, redis_keys.match_messages)]
        reply = await self._script("match_collect.lua", names, term, now_ms + LEASE_MS, after)
        if not reply:
            return None
        last, messages = reply
        if not everything:
            return Collected(last, messages)
        counted = await self._command("ZRANGE", redis_keys.match_no_shows(game), 0, -1, "WITHSCORES")
        no_shows = {caller: _whole(score) for caller, score in zip(counted[::2], counted[1::2], strict=True)}
        return Collected(last, messages, await self.agreed(game), no_shows)

    async def publish(self, game: str, term: bytes, write: RoundWrite) -> Sequence[tuple[int, int]] | None:
        if write.agreed:
            self._require_room()
        names = [
            redis_keys.matcher(game),
            redis_keys.match_news(game),
            redis_keys.agreed_matches(game),
            redis_keys.match_no_shows(game),
            *(redis_keys.match_claim(game, ticket.hex()) for match in write.agreed for ticket, _ in match.claims),
        ]
        arguments: list[bytes | str | int] = [term, CLAIM_MS, write.forget_no_shows]
        arguments += [len(write.news), *(word for pair in write.news.items() for word in pair)]
        arguments += [len(write.finished), *write.finished]
        arguments += [
            len(write.no_shows),
            *(word for caller, stored in write.no_shows.items() for word in (stored, caller)),
        ]
        for match in write.agreed:
            arguments += [match.packed, len(match.claims), *(claim for _, claim in match.claims)]
        reply = await self._script("match_publish.lua", names, *arguments)
        return None if reply == 0 else [(match, member) for match, member in reply]

    async def resign(self, game: str, term: bytes) -> None:
        await self._script("match_resign.lua", (redis_keys.matcher(game),), term)

    async def claim(self, game: str, ticket: bytes, claim: bytes) -> bytes | None:
        key = redis_keys.match_claim(game, ticket.hex())
        existing: bytes | None = await self._command("SET", key, claim, "NX", "GET", "PX", CLAIM_MS)
        return existing

    async def release(self, game: str, ticket: bytes, claim: bytes) -> None:
        await self._script("match_release.lua", (redis_keys.match_claim(game, ticket.hex()),), claim)

    async def find_claim(self, game: str, ticket: bytes) -> bytes | None:
        claim: bytes | None = await self._command("GET", redis_keys.match_claim(game, ticket.hex()))
        return claim

    async def agreed(self, game: str) -> Sequence[bytes]:
        found: Sequence[bytes] = await self._command("ZRANGE", redis_keys.agreed_matches(game), 0, -1)
        return found

    async def forget(self, game: str, text: bytes, callers: Sequence[bytes]) -> tuple[int, int]:
        names = [
            redis_keys.matcher(game),
            redis_keys.match_messages(game),
            redis_keys.agreed_matches(game),
            redis_keys.match_no_shows(game),
        ]
        removed, found = await self._script("match_forget.lua", names, text, *callers)
        return removed, found

    async def forget_crashed(self, games: Iterable[str]) -> None:
        """Remove what replicas that crashed have left: the leases of matchers, and tickets. No replica may be running.

        A replica that has shut down has ended its lease. Its tickets keep their places.
        """
        for game in games:
            lease = redis_keys.matcher(game)
            if await self._command("HGET", lease, "until") not in (None, b"0"):
                await self._command("DEL", lease, redis_keys.match_messages(game))

    async def _script(self, script: str, names: Sequence[bytes], *arguments: bytes | str | int) -> Any:
        try:
            return await self._run(script, names, *arguments)
        except WrongType:
            await self._heal(names)
        return await self._run(script, names, *arguments)

    async def _command(self, word: str, key: bytes, *arguments: bytes | str | int) -> Any:
        try:
            return await self._call(word, key, *arguments)
        except WrongType:
            await self._heal((key,))
        return await self._call(word, key, *arguments)

    async def _heal(self, names: Sequence[bytes]) -> None:
        """Delete keys whose values have another type. What they had is lost, as if it had never been stored."""
        for key in await self._run("match_heal.lua", names, *map(redis_keys.match_type, names)):
            report_damaged_entry(f"matchmaking ({key.decode()})", b"a value of another type")


def _whole(score: bytes) -> int:
    """Return a score as a number; 0 if it is damaged."""
    value = float(score)
    return int(value) if 0 <= value < _LARGEST and value.is_integer() else 0
