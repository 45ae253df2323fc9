"""Finds seats among strangers: first at open tables, else at a new table once enough tickets fit each other.

The tickets of a game wait in one register of the store, which all replicas change by compare-and-set. So the members of
a match may have their streams at different replicas. If a replica dies, its lease ends and its tickets leave the queue.
A replica polls a queue only while it holds a stream of that game.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from hashlib import blake2b
from secrets import token_hex
from typing import TypeVar
from uuid import UUID, uuid4

from msgspec import Struct, msgpack

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
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
from skerry_service.domain.index_keys import index_keys_for
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.log import Joined, pack
from skerry_service.domain.record import AbandonmentPolicy, Phase, Record
from skerry_service.domain.table import OPEN, Table, unpack_options
from skerry_service.domain.tokens import Role, digest, new_token, seat_of
from skerry_service.matching.queue import MatchQueue, Proposal, QueuedTicket
from skerry_service.matching.queue_handle import QueueHandle, TicketRequest, TicketStream
from skerry_service.sessions.actions.new_session import NewSession, new_record
from skerry_service.sessions.actions.player_actions import PlayerActions
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.request_identity import identify
from skerry_service.sessions.session_list import read_page
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.table_cache import TableCache

ABSENCE_MS = 120_000
"""Absence after which a seat at a table of strangers counts as abandoned."""
RESULT_LIFETIME_MS = 600_000
"""Time for which a retry of FindMatch returns the same seat."""
_POLL_SECONDS = 0.25
_READ_TABLES_SECONDS = 5.0
"""Interval between reads of the open tables while tickets wait."""
_MAX_TABLES = 100
_MAX_JOINS = 5
"""Open tables to try, if other players take their seats first."""
_log = logging.getLogger(__name__)
Result = TypeVar("Result")


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
    found: FoundSeat | None = None
    """The seat, in the last message."""
    heartbeat: bool = False


class _StoredResult(Struct, frozen=True, array_like=True):
    """The session in which a ticket has a seat, or is about to get one."""

    request: bytes
    session: str


class Matchmaker:
    """Finds seats for the streams of one replica."""

    def __init__(
        self, store: Store, tables: TableCache, committer: Committer, players: PlayerActions, limits: SessionLimits
    ) -> None:
        self._store = store
        self._tables = tables
        self._committer = committer
        self._players = players
        self._limits = limits
        self._holder = token_hex(8)
        self._handles: dict[str, QueueHandle] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._closing = False

    # ------------------------------------------------------------ calls

    async def find(self, request: TicketRequest, request_id: bytes | None) -> AsyncGenerator[MatchUpdate, None]:
        """Yield an update at once, at each change, as a heartbeat, and at last with the seat.

        Raises RequestIdReused, ProposalExpired, LimitReached, ShuttingDown, StoreUnavailable, StoreFull.
        """
        ticket = request_id or uuid4().bytes  # sent to the client as a UUID
        identity = identify(ticket, "find", request.game.id, request.criteria, request.name, request.player_id)
        stream = TicketStream(request, ticket, _id_of(ticket), identity.payload, await self._store.uptime_ms())
        if found := await self._stored_seat(stream):
            yield MatchUpdate(ticket, found=found)
            return
        handle = self._handle(request.game)
        handle.streams.append(stream)
        self._ensure_polling(handle)
        try:
            async with aclosing(self._wait(handle, stream)) as updates:
                async for update in updates:
                    yield update
        finally:
            handle.streams.remove(stream)
            handle.wake.set()

    async def confirm(self, ticket: bytes, proposal: str) -> None:
        """Confirm a proposal. Raises ProposalExpired."""
        ticket_id, game = _id_of(ticket), all_games().get(proposal.partition("/")[0])
        if game is None:
            raise ProposalExpired

        def do(queue: MatchQueue, now: int) -> None:
            known = queue.proposal_for(ticket_id)
            token = digest(new_token(Role.SEAT, known.salt, ticket)) if known else b""
            queue.confirm(ticket_id, proposal.partition("/")[2], token, now)

        try:
            await self._change(self._handle(game), do)
        except ProposalExpired:
            if await self._store.read_register(_result_key(ticket_id)) is None:
                raise

    # ------------------------------------------------------------ one stream

    async def _wait(self, handle: QueueHandle, stream: TicketStream) -> AsyncGenerator[MatchUpdate, None]:
        found = await self._enqueue(handle, stream)
        sent, loop = None, asyncio.get_running_loop()
        heartbeat_at = loop.time() + self._limits.heartbeat_seconds
        while found is None:
            if self._closing:
                raise ShuttingDown
            changed, proposal = handle.changed, handle.queue.proposal_for(stream.id)
            queued = handle.queue.ticket(stream.id)
            if queued is None:
                found = await self._stored_seat(stream) or await self._enqueue(handle, stream)
                continue
            if queued.expired:
                raise ProposalExpired("You did not confirm the match in time. Search again.")
            update = MatchUpdate(stream.ticket, proposal=f"{handle.game.id}/{proposal.id}" if proposal else None)
            if update != sent or loop.time() >= heartbeat_at:
                yield MatchUpdate(update.ticket, proposal=update.proposal, heartbeat=update == sent)
                sent, heartbeat_at = update, loop.time() + self._limits.heartbeat_seconds
                continue
            found = None if proposal else await self._try_tables(handle, stream)
            if found is None:
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(heartbeat_at):
                        await changed.wait()
        yield MatchUpdate(stream.ticket, found=found)

    async def _enqueue(self, handle: QueueHandle, stream: TicketStream) -> FoundSeat | None:
        """Add the ticket to the queue. A new ticket tries the open tables first; return the seat if one had room."""
        stream.reserved = True
        if await self._change(handle, lambda queue, _: queue.add(stream.queued(self._holder))):
            await self._refresh_tables(handle)
            if found := await self._join_table(handle, stream):
                return found
        stream.reserved = False
        await self._change(handle, _no_change)
        return None

    async def _try_tables(self, handle: QueueHandle, stream: TicketStream) -> FoundSeat | None:
        """Join an open table with a waiting ticket if the tables read since the last try include one that fits."""
        if stream.tables_version == handle.tables_version:
            return None
        stream.tables_version = handle.tables_version
        if not any(_fits(record, stream.request) for record in handle.tables):
            return None
        stream.reserved = True
        if await self._change(handle, lambda queue, _: queue.reserve(stream.id, self._holder)) and (
            found := await self._join_table(handle, stream)
        ):
            return found
        stream.reserved = False
        await self._change(handle, _no_change)
        return None

    async def _join_table(self, handle: QueueHandle, stream: TicketStream) -> FoundSeat | None:
        """Join the first open table that fits and still has a seat.

        The session is stored as the result before the ticket joins, so that a retry finds the seat.
        """
        request = stream.request
        fitting = [record for record in handle.tables if _fits(record, request)][:_MAX_JOINS]
        for record in fitting:
            await self._store_result(stream.id, stream.digest, record.id)
            try:
                joined = await self._players.join(
                    record.id, request.name, None, stream.ticket, player_id=request.player_id
                )
            except (StoreUnavailable, StoreFull):
                raise
            except SkerryError as error:
                _log.debug("cannot join session %s: %s", record.id, error)
            else:
                return FoundSeat(*joined)
        if fitting:
            await self._store.write_register(_result_key(stream.id), b"", 0)
        return None

    async def _stored_seat(self, stream: TicketStream) -> FoundSeat | None:
        """Return the seat that the ticket has got before. Raises RequestIdReused."""
        register = await self._store.read_register(_result_key(stream.id))
        if register is None:
            return None
        result = _read_result(register.value)
        if result.request != stream.digest:
            raise RequestIdReused
        try:
            table = await self._tables.newest(result.session)
        except SessionNotFound:
            return None
        token = new_token(Role.SEAT, table.record.salt, stream.ticket)
        seat = seat_of(table.record, digest(token))
        return None if seat is None else FoundSeat(table, seat, token)

    async def _store_result(self, ticket_id: bytes, request: bytes, session: str) -> None:
        result = _StoredResult(request, session)
        await self._store.write_register(_result_key(ticket_id), pack(result), RESULT_LIFETIME_MS)

    # ------------------------------------------------------------ all streams

    async def poll(self) -> None:
        """Update the queues of this replica's streams. Raises what the store raises."""
        for handle in list(self._handles.values()):
            await self._change(handle, _no_change)

    async def close(self) -> None:
        """End the streams with ShuttingDown. A client that reconnects elsewhere within seconds keeps its position."""
        self._closing = True
        for handle in self._handles.values():
            handle.closing = True
            handle.notify()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _handle(self, game: AnyGame) -> QueueHandle:
        if game.id not in self._handles:
            self._handles[game.id] = QueueHandle(self._store, game, self._holder)
        return self._handles[game.id]

    def _ensure_polling(self, handle: QueueHandle) -> None:
        task = self._tasks.get(handle.game.id)
        if task is None or task.done():
            self._tasks[handle.game.id] = asyncio.get_running_loop().create_task(self._run(handle))

    async def _run(self, handle: QueueHandle) -> None:
        """Poll the queue until this replica holds no stream of it and the stored queue says so."""
        loop = asyncio.get_running_loop()
        next_read = loop.time() + _READ_TABLES_SECONDS
        while True:
            idle = not handle.streams
            try:
                await self._change(handle, _no_change)
                if loop.time() >= next_read:
                    next_read = loop.time() + _READ_TABLES_SECONDS
                    await self._refresh_tables(handle)
                    handle.notify()
            except SkerryError as error:
                _log.debug("cannot poll the match queue of %s: %s", handle.game.id, error)
            except Exception:  # the other streams continue
                _log.exception("polling the match queue of %s has failed; trying again", handle.game.id)
            else:
                if idle and not handle.streams:
                    return
            await handle.sleep(_POLL_SECONDS)

    async def _refresh_tables(self, handle: QueueHandle) -> None:
        """Read the open tables. Concurrent callers share the first read that begins after their call."""
        mine = handle.reads_begun + 1
        async with handle.reading:
            if handle.reads_begun < mine:
                handle.reads_begun = mine
                await self._read_tables(handle)

    async def _read_tables(self, handle: QueueHandle) -> None:
        """Find public tables with a seat for strangers among the newest. Sort those first that need the fewest players.

        Skip games with a chosen seed and forks: their hosts can know what is hidden from everyone else.
        """

        def wanted(record: Record) -> bool:
            alike = (record.game, record.ruleset) == (handle.game.id, handle.game.ruleset)
            return (
                alike
                and record.phase is Phase.LOBBY
                and not (record.requires_join_code or record.seeded or record.opening)
                and any(record.seats[seat].is_for("") for seat in record.open_seats())
            )

        index_keys = index_keys_for((handle.game.id,), Phase.LOBBY, None, "")
        now_ms = (await self._committer.now()).time_ms
        page = await read_page(self._store, None, _MAX_TABLES, wanted, index_keys, now_ms)
        records = [record for record, _ in page.sessions]
        handle.tables = sorted(records, key=lambda record: (len(record.open_seats()), record.created_ms, record.id))
        handle.tables_version += 1

    async def _change(self, handle: QueueHandle, do: Callable[[MatchQueue, int], Result]) -> Result:
        """Change a queue, then create the sessions of all agreed proposals."""
        result = await handle.change(do)
        queue = handle.queue
        for proposal in [proposal for proposal in queue.proposals if proposal.agreed]:
            await self._create_session(handle, proposal, [queue.ticket(member) for member in proposal.members])
        return result

    async def _create_session(
        self, handle: QueueHandle, proposal: Proposal, members: Sequence[QueuedTicket | None]
    ) -> None:
        """Create the session of an agreed proposal, store it as the result of its members, and remove the proposal.

        The session is created once, even if several replicas do this.
        """
        tickets = [member for member in members if member is not None]
        setting = proposal.setting
        new = NewSession(
            game=handle.game,
            options=unpack_options(handle.game.id, setting.options),
            seats=(OPEN,) * setting.seats,
            abandonment=AbandonmentPolicy(absence_ms=ABSENCE_MS),
            clock=setting.clock,
        )
        now = await self._committer.now()
        record = new_record(new, UUID(bytes=proposal.creation, version=4).bytes, now.time_ms, salt=proposal.salt)
        joined = [
            Joined(seat, ticket.name, proposal.confirmed[ticket.id], ticket.player_id)
            for seat, ticket in enumerate(tickets)
        ]
        table = await self._committer.begin(transitions.create(record, now, joined))
        for ticket in tickets:
            await self._store_result(ticket.id, ticket.request, table.record.id)
        await handle.change(lambda queue, _: queue.finish(proposal.id))


def _no_change(queue: MatchQueue, now: int) -> None:
    """Change nothing, so that only expiry and matching apply."""


def _fits(record: Record, request: TicketRequest) -> bool:
    return request.criteria.accept(len(record.seats), record.options, record.clock)


def _id_of(ticket: bytes) -> bytes:
    return blake2b(ticket, digest_size=12, person=b"skerry ticket").digest()


def _result_key(ticket_id: bytes) -> str:
    return f"match:{ticket_id.hex()}"


_read_result = msgpack.Decoder(_StoredResult).decode
