"""The matchmaker's part of a store in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, field

from skerry_service.sessions.match_port import (
    CLAIM_MS,
    LEASE_MS,
    TO_MATCHER,
    TO_REPLICAS,
    Collected,
    Exchange,
    Received,
    RoundWrite,
)


class _GameState(Struct):
    term: bytes = b""
    matcher: str = ""
    until: int = 0
    handled: int = 0
    """The number of messages that matchers have handled."""
    messages: list[bytes] = field(default_factory=list)
    news: list[dict[str, bytes]] = field(default_factory=list)
    agreed: list[bytes] = field(default_factory=list)
    no_shows: dict[bytes, int] = field(default_factory=dict)
    claims: dict[bytes, tuple[bytes, int]] = field(default_factory=dict)
    """Each with the uptime until which it is kept."""


class MemoryMatchStore:
    """A ``match_port.MatchStore`` over dictionaries. Ids of messages and news are their positions."""

    def __init__(self, clock_ms: Callable[[], int], notify: Callable[[str, bytes], None]) -> None:
        """``notify``: calls the listeners of a channel."""
        self._clock_ms = clock_ms
        self._notify = notify
        self._games: dict[str, _GameState] = {}

    def _state(self, game: str) -> _GameState:
        return self._games.setdefault(game, _GameState())

    def channel(self, game: str) -> str:
        return f"match:{game}"

    async def exchange(self, game: str, exchange: Exchange) -> Received:
        state = self._state(game)
        if exchange.new_term and state.until <= exchange.now_ms:
            state.term, state.matcher = exchange.new_term, exchange.replica
            state.until = exchange.now_ms + LEASE_MS
        if exchange.message:
            state.messages.append(exchange.message)
            self._notify(self.channel(game), TO_MATCHER)
        end = len(state.news)
        new = state.news[int(exchange.after) :] if exchange.after else []
        news = [one[exchange.replica] for one in new if exchange.replica in one]
        claims = [await self.find_claim(game, ticket) for ticket in exchange.tickets]
        return Received(state.term, state.matcher == exchange.replica, b"%d" % end, news, claims)

    async def collect(
        self, game: str, term: bytes, now_ms: int, after: bytes, *, everything: bool = False
    ) -> Collected | None:
        state = self._state(game)
        if state.term != term:
            return None
        state.until = now_ms + LEASE_MS
        state.handled = int(after) if after else state.handled
        found = state.messages[state.handled :]
        agreed, no_shows = (tuple(state.agreed), dict(state.no_shows)) if everything else ((), {})
        return Collected(b"%d" % len(state.messages), found, agreed, no_shows)

    async def publish(self, game: str, term: bytes, write: RoundWrite) -> Sequence[tuple[int, int]] | None:
        state, now = self._state(game), self._clock_ms()
        if state.term != term:
            return None
        conflicts: list[tuple[int, int]] = []
        for number, match in enumerate(write.agreed):
            existing = [await self.find_claim(game, ticket) for ticket, _ in match.claims]
            taken = [
                (number, member)
                for member, (_, claim) in enumerate(match.claims)
                if existing[member] not in (None, claim)
            ]
            conflicts += taken
            if not taken and match.packed not in state.agreed:
                state.claims.update({ticket: (claim, now + CLAIM_MS) for ticket, claim in match.claims})
                state.agreed.append(match.packed)
        state.agreed = [packed for packed in state.agreed if packed not in write.finished]
        state.no_shows.update(write.no_shows)
        state.no_shows = {
            caller: stored for caller, stored in state.no_shows.items() if stored >= write.forget_no_shows
        }
        if write.news:
            state.news.append(dict(write.news))
            self._notify(self.channel(game), TO_REPLICAS)
        return conflicts

    async def resign(self, game: str, term: bytes) -> None:
        state = self._state(game)
        if state.term == term:
            state.until = 0
            self._notify(self.channel(game), TO_REPLICAS)

    async def claim(self, game: str, ticket: bytes, claim: bytes) -> bytes | None:
        existing = await self.find_claim(game, ticket)
        if existing is None:
            self._state(game).claims[ticket] = claim, self._clock_ms() + CLAIM_MS
        return existing

    async def release(self, game: str, ticket: bytes, claim: bytes) -> None:
        if await self.find_claim(game, ticket) == claim:
            del self._state(game).claims[ticket]

    async def find_claim(self, game: str, ticket: bytes) -> bytes | None:
        claim, until = self._state(game).claims.get(ticket, (None, 0))
        return claim if until > self._clock_ms() else None

    async def agreed(self, game: str) -> Sequence[bytes]:
        return tuple(self._state(game).agreed)

    async def forget(self, game: str, text: bytes, callers: Sequence[bytes]) -> tuple[int, int]:
        state = self._state(game)
        removed = sum(state.no_shows.pop(caller, None) is not None for caller in callers)
        state.messages[: state.handled] = [b""] * state.handled
        return removed, sum(text in packed for packed in (*state.messages, *state.agreed))
