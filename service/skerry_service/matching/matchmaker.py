"""Finds seats among strangers: first at open tables, else at a new table once enough tickets fit each other."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from secrets import token_hex
from uuid import uuid4

from msgspec import Struct

from skerry_games.api import AnyGame
from skerry_games.catalogue import supported_games
from skerry_service.domain import transitions
from skerry_service.domain.errors import (
    ProposalExpired,
    RequestIdReused,
    SessionNotFound,
    ShuttingDown,
    SkerryError,
    StoreFull,
    StoreUnavailable,
)
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.log import Joined, pack
from skerry_service.domain.record import AbandonmentPolicy, level_of_substitutes
from skerry_service.domain.table import OPEN, Table, unpack_options
from skerry_service.domain.tokens import Role, digest, new_token, seat_of
from skerry_service.matching.criteria import TableSetting
from skerry_service.matching.matcher import MatchObserver
from skerry_service.matching.open_tables import OpenTables
from skerry_service.matching.replica_queue import QueueState, ReplicaQueue
from skerry_service.matching.ticket_streams import TicketRequest, TicketStream, WaitingStatus
from skerry_service.matching.tickets import (
    Agreement,
    Claim,
    Ticket,
    TicketPlayer,
    read_agreement,
    read_claim,
    ticket_id,
    ticket_token,
)
from skerry_service.sessions.actions.new_games import NewGames
from skerry_service.sessions.actions.new_session import NewSession, new_record
from skerry_service.sessions.actions.player_actions import PlayerActions
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.request_identity import identify, session_id
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.table_cache import TableCache

ABSENCE_MS = 120_000
"""Absence after which a seat at a table of strangers counts as abandoned."""
_READ_TABLES_SECONDS = 5.0
"""Interval between reads of the open tables while tickets wait."""
_log = logging.getLogger(__name__)


class FoundSeat(Struct, frozen=True):
    """A seat at a table, with its token."""

    table: Table
    seat: int
    token: str


class MatchUpdate(Struct, frozen=True):
    """A message of a FindMatch stream."""

    ticket: bytes
    proposal: str | None = None
    """The id of the proposal to confirm."""
    setting: TableSetting | None = None
    """What the proposed match plays."""
    others: int | None = None
    """Other players who wait for the same kind of table; ``None``: unknown, or there is a proposal."""
    held_ms: int = 0
    """Time during which the ticket gets no proposal, because one of its callers did not confirm one."""
    found: tuple[FoundSeat, ...] = ()
    """The seats of all players of the ticket, in the last message."""
    heartbeat: bool = False


class _GameMatching(Struct, frozen=True):
    """What a replica has for the tickets of one game."""

    game: AnyGame
    queue: ReplicaQueue
    tables: OpenTables


class Matchmaker:
    """Finds seats for the streams of one replica."""

    def __init__(
        self,
        store: Store,
        tables: TableCache,
        committer: Committer,
        players: PlayerActions,
        limits: SessionLimits,
        new_games: NewGames,
        levels: Sequence[str],
    ) -> None:
        """``levels``: the levels of bots, from weak to strong."""
        self.observers: list[MatchObserver] = []
        self._store = store
        self._tables = tables
        self._committer = committer
        self._players = players
        self._limits = limits
        self._new_games = new_games
        self._levels = levels
        self._replica = token_hex(8)
        self._games: dict[str, _GameMatching] = {}
        """By ruleset."""
        self._reading: dict[str, asyncio.Task[None]] = {}
        """For each game with waiting tickets, the task that reads the open tables."""
        self._closing = False

    def waiting(self) -> Sequence[QueueState]:
        """Return the queues in which tickets of this replica wait, or which it leads."""
        return [state for matching in self._games.values() if (state := matching.queue.status()) is not None]

    # ------------------------------------------------------------ calls

    async def find(
        self, request: TicketRequest, request_id: bytes | None, callers: Sequence[bytes] = ()
    ) -> AsyncGenerator[MatchUpdate, None]:
        """Yield an update at once, at each change, as a heartbeat, and at last with the seats.

        ``callers``: hashes of those who answer for the ticket. Raises RequestIdReused, ProposalExpired, ShuttingDown,
        StoreUnavailable, StoreFull.
        """
        secret = request_id or uuid4().bytes  # sent to the client as a UUID
        stream = TicketStream(request, secret, await self._ticket(request, secret, callers))
        matching = self._matching(request.game)
        found = await self._claimed_seats(stream) if request_id else ()
        if not found:
            await matching.tables.refresh()
            found = await self._join_table(matching, stream)
        if found:
            yield MatchUpdate(secret, found=found)
            return
        matching.queue.open(stream)
        self._ensure_reading(matching)
        try:
            async with aclosing(self._wait(matching, stream)) as updates:
                async for update in updates:
                    found = update.found
                    yield update
        finally:
            matching.queue.close(stream, seated=bool(found))

    async def confirm(self, ticket: bytes, proposal: str) -> None:
        """Confirm a proposal. Raises ProposalExpired, StoreUnavailable, StoreFull."""
        ruleset, _, proposal_id = proposal.partition("/")
        game = next((one for one in supported_games() if one.ruleset == ruleset), None)
        if game is None:
            raise ProposalExpired
        try:
            known = bytes.fromhex(proposal_id)
        except ValueError:
            raise ProposalExpired from None
        try:
            await self._matching(game).queue.confirm(ticket_id(ticket), known)
        except ProposalExpired:
            if await self._store.matching.find_claim(game.ruleset, ticket_id(ticket)) is None:
                raise

    async def _ticket(self, request: TicketRequest, secret: bytes, callers: Sequence[bytes]) -> Ticket:
        people = [(player.name, player.player_id) for player in request.players]
        identity = identify(secret, "find", request.game.id, request.criteria, people)
        players = [
            TicketPlayer(name, player_id, digest(ticket_token(secret, number)))
            for number, (name, player_id) in enumerate(people)
        ]
        now = await self._store.uptime_ms()
        known = ticket_id(secret)
        behind, share, application = tuple(callers), request.share, request.application
        return Ticket(known, identity.payload, now, request.criteria, tuple(players), behind, share, application)

    # ------------------------------------------------------------ one stream

    async def _wait(self, matching: _GameMatching, stream: TicketStream) -> AsyncGenerator[MatchUpdate, None]:
        loop = asyncio.get_running_loop()
        sent: tuple[bytes | None, WaitingStatus | None] | None = None
        heartbeat_at = 0.0
        while True:
            stream.changed.clear()
            if self._closing:
                raise ShuttingDown
            if found := await self._seats_now(matching, stream):
                yield MatchUpdate(stream.secret, found=found)
                return
            if stream.error is not None:
                raise stream.error
            if stream.proposal is None and not self._is_current(matching.game):
                raise ShuttingDown  # the client comes back, to the players of the ruleset that new games have now
            state = stream.proposal, stream.waiting
            if state != sent or loop.time() >= heartbeat_at:
                yield _update_of(matching.game, stream, loop.time(), heartbeat=state == sent)
                sent, heartbeat_at = state, loop.time() + self._limits.heartbeat_seconds
            with suppress(TimeoutError):
                async with asyncio.timeout_at(heartbeat_at):
                    await stream.changed.wait()

    def _is_current(self, game: AnyGame) -> bool:
        """Return whether new games begin with the ruleset of this game."""
        return self._new_games.successor(game).ruleset == game.ruleset

    async def _seats_now(self, matching: _GameMatching, stream: TicketStream) -> tuple[FoundSeat, ...]:
        """Return the seats of a ticket if it has got them, or can join an open table."""
        if stream.has_claim:
            if found := await self._claimed_seats(stream):
                return found
            stream.has_claim = False
            matching.queue.open_again(stream)
        if stream.tries_tables:
            stream.tries_tables = False
            if stream.proposal is None:
                return await self._join_table(matching, stream)
        return ()

    async def _join_table(self, matching: _GameMatching, stream: TicketStream) -> tuple[FoundSeat, ...]:
        """Join the first open table that fits and still has a seat.

        The claim is stored before the ticket joins: a retry finds the seat, and the ticket gets no other.
        """
        player, rules = stream.request.players[0], matching.game.ruleset
        for record in matching.tables.fitting(stream.request):
            claim = pack(Claim(stream.ticket.request, record.id))
            if await self._store.matching.claim(rules, stream.ticket.id, claim) not in (None, claim):
                return await self._claimed_seats(stream)
            try:
                joined = await self._players.join(
                    record.id, player.name, None, stream.secret, player_id=player.player_id
                )
            except (StoreUnavailable, StoreFull):
                raise
            except SkerryError as error:
                _log.debug("cannot join session %s: %s", record.id, error)
                await self._store.matching.release(rules, stream.ticket.id, claim)
            else:
                return (FoundSeat(*joined),)
        return ()

    async def _claimed_seats(self, stream: TicketStream) -> tuple[FoundSeat, ...]:
        """Return the seats that the ticket has got before. Raises RequestIdReused.

        A claim can outlive its session, and a process can die before it carries a claim out. Such a claim is removed.
        """
        rules = stream.request.game.ruleset
        packed = await self._store.matching.find_claim(rules, stream.ticket.id)
        if packed is None:
            return ()
        claim = read_claim(packed)
        if claim is None:
            await self._store.matching.release(rules, stream.ticket.id, packed)
            return ()
        if claim.request != stream.ticket.request:
            raise RequestIdReused
        try:
            table, fresh = await self._tables.any(claim.session)
            found = _seats_at(table, stream)
            if not found and not fresh:
                found = _seats_at(await self._tables.load(claim.session), stream)
        except SessionNotFound:
            found = await self._create_agreed(stream, claim.session)
        if not found:
            await self._store.matching.release(rules, stream.ticket.id, packed)
        return found

    async def _create_agreed(self, stream: TicketStream, session: str) -> tuple[FoundSeat, ...]:
        """Create the session of a claim if its match is agreed and the matcher has not created it yet."""
        game = stream.request.game
        for packed in await self._store.matching.agreed(game.ruleset):
            agreement = read_agreement(packed)
            if agreement is not None and session_id(agreement.creation, agreement.cell) == session:
                return _seats_at(await self._create_session(game, agreement), stream)
        return ()

    async def _create_session(self, game: AnyGame, agreement: Agreement) -> Table:
        """Create the session of an agreed match, or return its table if it exists."""
        setting = agreement.setting
        seats = (OPEN,) * setting.seats
        new = NewSession(
            game=game,
            options=unpack_options(game.id, setting.options, game.ruleset),
            seats=seats,
            abandonment=AbandonmentPolicy(level=level_of_substitutes(seats, self._levels), absence_ms=ABSENCE_MS),
            clock=setting.clock,
            share=agreement.share,
            applications=agreement.applications,
            rated=setting.rated,
            cell=agreement.cell,
        )
        now = await self._committer.now()
        record = new_record(new, agreement.creation, now.time_ms, salt=agreement.salt)
        joined = [
            Joined(seat, player.name, player.token, player.player_id) for seat, player in enumerate(agreement.seats)
        ]
        return await self._committer.begin(transitions.create(record, now, joined))

    # ------------------------------------------------------------ all streams

    async def poll(self) -> None:
        """Exchange messages with the matchers, and decide rounds where this replica leads."""
        for matching in list(self._games.values()):
            await matching.queue.poll()

    async def close(self) -> None:
        """End the streams with ShuttingDown. A client that reconnects elsewhere within seconds keeps its position."""
        self._closing = True
        for task in self._reading.values():
            task.cancel()
        await asyncio.gather(*self._reading.values(), return_exceptions=True)
        for matching in self._games.values():
            with suppress(SkerryError):
                await matching.queue.leave()
            for stream in matching.queue.all_streams():
                stream.changed.set()

    def _matching(self, game: AnyGame) -> _GameMatching:
        if game.ruleset not in self._games:

            async def create(agreement: Agreement) -> None:
                await self._create_session(game, agreement)

            async def now_ms() -> int:
                return (await self._committer.now()).time_ms

            queue = ReplicaQueue(self._store, game, self._replica, create, self.observers, self._new_games.cell)
            self._games[game.ruleset] = _GameMatching(game, queue, OpenTables(self._store, game, now_ms))
        return self._games[game.ruleset]

    def _ensure_reading(self, matching: _GameMatching) -> None:
        task = self._reading.get(matching.game.ruleset)
        if not self._closing and (task is None or task.done()):
            self._reading[matching.game.ruleset] = asyncio.get_running_loop().create_task(self._read_tables(matching))

    async def _read_tables(self, matching: _GameMatching) -> None:
        """Read the open tables every few seconds while tickets wait, and have tickets try them."""
        while True:
            await asyncio.sleep(_READ_TABLES_SECONDS)
            if not matching.queue.streams:
                return
            try:
                await matching.tables.refresh()
            except SkerryError as error:
                _log.debug("cannot read the open tables of %s: %s", matching.game.id, error)
                continue
            for stream in matching.tables.assign(matching.queue.all_streams()):
                stream.tries_tables = True
                stream.changed.set()


def _update_of(game: AnyGame, stream: TicketStream, now: float, *, heartbeat: bool) -> MatchUpdate:
    """Return the state of a ticket without a seat. ``now``: by the clock of the event loop."""
    proposal = f"{game.ruleset}/{stream.proposal.hex()}" if stream.proposal else None
    waiting = stream.waiting
    held_ms = max(round(1000 * (waiting.held_until - now)), 0) if waiting else 0
    others = waiting.others if waiting else None
    return MatchUpdate(stream.secret, proposal, stream.setting, others, held_ms, heartbeat=heartbeat)


def _seats_at(table: Table, stream: TicketStream) -> tuple[FoundSeat, ...]:
    """Return the seats of a ticket at a table, in the order of its players; none if it has none there."""
    joined = new_token(Role.SEAT, table.record.salt, stream.secret)
    tokens = [ticket_token(stream.secret, number) for number in range(len(stream.request.players))]
    for candidates in (tokens, [joined]):
        seats = [seat_of(table.record, digest(token)) for token in candidates]
        found = [
            FoundSeat(table, seat, token) for seat, token in zip(seats, candidates, strict=True) if seat is not None
        ]
        if found:
            return tuple(found)
    return ()
