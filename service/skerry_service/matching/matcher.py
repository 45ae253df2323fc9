"""The matcher of a game: the one replica that holds the lease of the game's queues.

Each round reads the messages of all replicas, decides, and writes all changes at once. If the lease is lost, nothing
more is written, and the next matcher starts with what the replicas send it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from secrets import SystemRandom, token_bytes
from typing import Protocol
from uuid import UUID

from skerry_games.api import AnyGame
from skerry_service.domain.errors import SkerryError, StoreFull, StoreUnavailable
from skerry_service.domain.log import pack
from skerry_service.matching.match_rounds import Agreed, MatchRounds, Round
from skerry_service.matching.no_shows import NoShows
from skerry_service.matching.round_news import ReplicaNews
from skerry_service.matching.tickets import Agreement, Claim, News, read_agreement, read_message
from skerry_service.sessions.match_port import AgreedMatch, MatchStore, RoundWrite
from skerry_service.sessions.request_identity import session_id

ROUND_SECONDS = 0.25
"""Shortest time between two comparisons of arrivals, so that many are compared together. After a longer pause, they are
compared at once. Confirmations need not wait."""
_GAP_SECONDS = 0.02
"""Shortest time between two rounds."""
_RENEW_SECONDS = 1.0
"""Longest time between two rounds."""
_IDLE_SECONDS = 5.0
"""Time without tickets after which the matcher resigns."""
_RETRY_SECONDS = 0.5
_MOST_CREATIONS = 32
"""Sessions that are created at the same time."""
_log = logging.getLogger(__name__)
_random = SystemRandom()


class MatchObserver(Protocol):
    """Counts what the matchmaker does. Its methods must return at once."""

    def round_done(self, game: str, seconds: float) -> None:
        """Count a round and its duration."""

    def waiting(self, game: str, count: int) -> None:
        """Record the number of tickets that wait for this matcher."""

    def proposed(self, game: str, count: int) -> None:
        """Count proposals."""

    def missed(self, game: str, count: int) -> None:
        """Count tickets that did not confirm a proposal."""

    def seated(self, game: str, seconds: float) -> None:
        """Count a ticket that has got a seat, and the time that it has waited."""


class Matcher:
    """Leads the queues of one game during one term."""

    def __init__(
        self,
        store: MatchStore,
        game: AnyGame,
        term: bytes,
        uptime_ms: Callable[[], Awaitable[int]],
        create: Callable[[Agreement], Awaitable[None]],
        observers: Sequence[MatchObserver] = (),
        cell: str = "",
    ) -> None:
        """``create``: creates the session of an agreement unless it exists; ``cell``: that of new sessions."""
        self.term = term
        self.wake = asyncio.Event()
        """Set when messages have arrived."""
        self.lost = False
        """Whether another replica leads, or this one has resigned."""
        self._store = store
        self._game = game.ruleset
        self._game_id = game.id
        self._uptime_ms = uptime_ms
        self._create = create
        self._observers = observers
        self._cell = cell
        self._rounds = MatchRounds(NoShows(), token_bytes)
        self._after = b""
        self._compares_at = 0.0
        """When to compare arrivals next, by the clock of the event loop."""
        self._idle_seconds = _RENEW_SECONDS
        """How long to wait for a message."""
        self._numbers: dict[str, int] = {}
        """The number of the last news for each replica."""
        self._unwritten: tuple[RoundWrite, list[Agreed]] | None = None
        """A write whose success is unknown. It is repeated first."""
        self._created: list[tuple[bytes, Agreed | None]] = []
        """Agreed matches whose sessions exist since the last round."""
        self._creating: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore(_MOST_CREATIONS)
        self._lock = asyncio.Lock()

    @property
    def waiting(self) -> int:
        """The number of tickets of all replicas that wait."""
        return self._rounds.waiting

    async def serve(self) -> None:
        """Decide rounds until the lease is lost, or no ticket has waited for some seconds."""
        loop = asyncio.get_running_loop()
        busy_at = loop.time()
        while not self.lost:
            self.wake.clear()
            began = loop.time()
            try:
                await self.round()
            except SkerryError as error:
                _log.debug("a round of the matcher of %s has failed: %s", self._game, error)
            except Exception:  # the streams of all replicas depend on the next round
                _log.exception("a round of the matcher of %s has failed; trying again", self._game)
            if self._rounds.waiting or self._creating or self._unwritten or self._created:
                busy_at = began
            elif began - busy_at > _IDLE_SECONDS:
                await self.resign()
            await self._pause(began)
        for observer in self._observers:
            observer.waiting(self._game_id, 0)

    async def _pause(self, began: float) -> None:
        """Wait for a message, or until arrivals are to be compared or the lease is to be renewed."""
        until = max(began, self._compares_at) if self._rounds.backlog else began + self._idle_seconds
        await asyncio.sleep(_GAP_SECONDS)
        with suppress(TimeoutError):
            async with asyncio.timeout_at(until):
                await self.wake.wait()

    async def resign(self) -> None:
        """Give the lease up. Sessions that are being created are completed first."""
        self.lost = True
        if self._creating:
            await asyncio.wait(self._creating)
        try:
            await self._store.resign(self._game, self.term)
        except SkerryError as error:
            _log.debug("cannot end the lease of the matcher of %s: %s", self._game, error)

    async def round(self, *, compare: bool = False) -> None:
        """Read the messages, decide, and write. Raises what the store raises.

        ``compare``: whether to compare arrivals although they were compared a moment ago.
        """
        self._idle_seconds = _RENEW_SECONDS  # after a round that fails, too
        async with self._lock:
            if self._unwritten is not None:
                await self._write(*self._unwritten)
            began, now = asyncio.get_running_loop().time(), await self._uptime_ms()
            first = not self._after
            collected = await self._store.collect(self._game, self.term, now, self._after, everything=first)
            if collected is None:
                self.lost = True
                return
            self._after = collected.last
            if first:
                self._rounds.no_shows = NoShows(collected.no_shows, now)
                for packed in collected.agreed:
                    self._begin_creation(packed, None)
            for message in collected.messages:
                if (read := read_message(message)) is not None:  # else its replica is asked for all its tickets
                    self._rounds.apply(read, now)
            created, self._created = self._created, []
            for _, agreed in created:
                if agreed is not None:
                    self._rounds.report_seated(agreed)
                    self._count_seated(agreed, now)
            compare = compare or began >= self._compares_at
            if compare and self._rounds.backlog:
                self._compares_at = began + ROUND_SECONDS
            done = self._rounds.run(now, compare=compare)
            due_ms = self._rounds.due_ms(now)
            if due_ms is not None:
                self._idle_seconds = min(_RENEW_SECONDS, due_ms / 1000)
            await self._write_round(done, [packed for packed, _ in created], now)
            self._count_round(done, asyncio.get_running_loop().time() - began)

    async def _write_round(self, done: Round, finished: Sequence[bytes], now: int) -> None:
        news = {name: pack(self._news(name, one)) for name, one in done.news.items()}
        matches = [_agreed_match(agreed, self._cell) for agreed in done.agreed]
        if news or matches or finished or done.no_shows:
            forget = self._rounds.no_shows.forget(now)
            await self._write(RoundWrite(news, matches, finished, done.no_shows, forget), done.agreed)

    async def _write(self, write: RoundWrite, agreed: list[Agreed]) -> None:
        self._unwritten = write, agreed
        conflicts = await self._store.publish(self._game, self.term, write)
        self._unwritten = None
        if conflicts is None:
            self.lost = True
            return
        now = await self._uptime_ms()
        for number, match in enumerate(write.agreed):
            claimed = [member for conflicting, member in conflicts if conflicting == number]
            if claimed:
                self._rounds.reopen(agreed[number], claimed, now)
                self.wake.set()
            else:
                self._begin_creation(match.packed, agreed[number])

    def _news(self, name: str, news: ReplicaNews) -> News:
        self._numbers[name] = self._numbers.get(name, 0) + 1
        return News(self.term, self._numbers[name], news.answers, news.restart, tuple(news.items), tuple(news.waiting))

    # ------------------------------------------------------------ sessions

    def _begin_creation(self, packed: bytes, agreed: Agreed | None) -> None:
        agreement = read_agreement(packed)
        if agreement is None:
            self._created.append((packed, None))  # the next round removes it
            return
        task = asyncio.get_running_loop().create_task(self._create_session(packed, agreement, agreed))
        self._creating.add(task)
        task.add_done_callback(self._creating.discard)

    async def _create_session(self, packed: bytes, agreement: Agreement, agreed: Agreed | None) -> None:
        async with self._slots:
            while True:
                try:
                    await self._create(agreement)
                except (StoreUnavailable, StoreFull) as error:
                    _log.debug("cannot create a matched session of %s yet: %s", self._game, error)
                    if self.lost:
                        return  # the next matcher finds the agreement
                    await asyncio.sleep(_RETRY_SECONDS)
                except Exception:
                    _log.exception("cannot create a matched session of %s", self._game)
                    break
                else:
                    break
        self._created.append((packed, agreed))
        self.wake.set()

    # ------------------------------------------------------------ counts

    def _count_seated(self, agreed: Agreed, now: int) -> None:
        for observer in self._observers:
            for member in agreed.members:
                observer.seated(self._game_id, (now - member.ticket.since) / 1000)

    def _count_round(self, done: Round, seconds: float) -> None:
        for observer in self._observers:
            observer.round_done(self._game_id, seconds)
            observer.waiting(self._game_id, self._rounds.waiting)
            if done.proposed:
                observer.proposed(self._game_id, done.proposed)
            if done.missed:
                observer.missed(self._game_id, done.missed)


def _agreed_match(agreed: Agreed, cell: str) -> AgreedMatch:
    """Seat the players in a random order."""
    tickets = [member.ticket for member in agreed.members]
    players = [player for ticket in tickets for player in ticket.players]
    _random.shuffle(players)
    creation = UUID(bytes=token_bytes(16), version=4).bytes
    applications = tuple(sorted({ticket.application for ticket in tickets} - {""}))
    agreement = Agreement(
        agreed.proposal.setting, tuple(players), creation, token_bytes(16), tickets[0].share, applications, cell
    )
    session = session_id(creation, cell)
    claims = [(ticket.id, pack(Claim(ticket.request, session))) for ticket in tickets]
    return AgreedMatch(pack(agreement), claims)
