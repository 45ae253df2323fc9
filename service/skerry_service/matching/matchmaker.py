"""Seats for strangers: at an open table first, else at one that is made when enough of them wait who fit each other.

Who waits stands in the store, in one note for each game (``pool``), which every replica changes from what it was. So it
does not matter whose streams are held where, and a replica that dies is missed by nobody: its people are gone when its
lease is. No pool is looked at by a replica that holds no stream of it.
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
from skerry_service.matching.queue import MatchQueue, Proposal, Waiter
from skerry_service.matching.queue_handle import QueueHandle, Ticket, TicketRequest
from skerry_service.sessions.actions.new_session import NewSession, new_record
from skerry_service.sessions.actions.player_actions import PlayerActions
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.request_identity import identify
from skerry_service.sessions.session_list import read_page
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.table_cache import TableCache

ABSENCE_MS = 120_000
"""After which a seat counts as abandoned at a table that strangers were brought together at."""
FOUND_FOR_MS = 600_000
"""For so long a seat that was found is told again."""
_POLL_SECONDS = 0.25
_LOOK_SECONDS = 5.0
"""Between two looks at open tables while somebody waits."""
_MOST_TABLES = 100
_MOST_TRIED = 5
"""Tables tried one after another, where others are always first."""
_log = logging.getLogger(__name__)
Result = TypeVar("Result")


class Found(Struct, frozen=True):
    """A seat."""

    table: Table
    seat: int
    token: str


class MatchUpdate(Struct, frozen=True):
    """Something to tell somebody who looks for a table."""

    ticket: bytes
    offer: str | None = None
    """What is to be confirmed."""
    found: Found | None = None
    """What they looked for: the last thing told."""
    heartbeat: bool = False


class _Remembered(Struct, frozen=True, array_like=True):
    """Where somebody was seated, or was about to be."""

    asked: bytes
    session: str


class Matchmaker:
    """Finds seats, as one replica does."""

    def __init__(
        self, store: Store, tables: TableCache, changes: Committer, seats: PlayerActions, limits: SessionLimits
    ) -> None:
        self._store = store
        self._tables = tables
        self._changes = changes
        self._seats = seats
        self._limits = limits
        self._holder = token_hex(8)
        self._boards: dict[str, QueueHandle] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._closing = False

    # ------------------------------------------------------------ for those who look

    async def find(self, seeking: TicketRequest, request_id: bytes | None) -> AsyncGenerator[MatchUpdate, None]:
        """Tell how it goes: at once, whenever there is something, as a heartbeat, and at last the seat.

        Raises RequestIdReused, ProposalExpired, LimitReached, ShuttingDown, StoreUnavailable, StoreFull.
        """
        ticket = request_id or uuid4().bytes  # told as a UUID
        asked = identify(ticket, "find", seeking.game.id, seeking.wish, seeking.name, seeking.player_id).payload
        one = Ticket(seeking, ticket, _id_of(ticket), asked, await self._store.uptime_ms())
        if found := await self._found(one):
            yield MatchUpdate(ticket, found=found)
            return
        board = self._board(seeking.game)
        board.seekers.append(one)
        self._keep_looking(board)
        try:
            async with aclosing(self._wait(board, one)) as told:
                async for what in told:
                    yield what
        finally:
            board.seekers.remove(one)
            board.hurry.set()

    async def confirm(self, ticket: bytes, offer: str) -> None:
        """Confirm an offer. Raises ProposalExpired."""
        waiter, game = _id_of(ticket), all_games().get(offer.partition("/")[0])
        if game is None:
            raise ProposalExpired

        def do(pool: MatchQueue, now: int) -> None:
            known = pool.offer_to(waiter)
            token = digest(new_token(Role.SEAT, known.salt, ticket)) if known else b""
            pool.confirm(waiter, offer.partition("/")[2], token, now)

        try:
            await self._change(self._board(game), do)
        except ProposalExpired:
            if await self._store.read_register(_note_of(waiter)) is None:
                raise

    # ------------------------------------------------------------ one stream

    async def _wait(self, board: QueueHandle, one: Ticket) -> AsyncGenerator[MatchUpdate, None]:
        found = await self._arrive(board, one)
        told, loop = None, asyncio.get_running_loop()
        beat = loop.time() + self._limits.heartbeat_seconds
        while found is None:
            if self._closing:
                raise ShuttingDown
            news, offer = board.news, board.pool.offer_to(one.id)
            place = board.pool.waiter(one.id)
            if place is None:
                found = await self._found(one) or await self._arrive(board, one)
                continue
            if place.lapsed:
                raise ProposalExpired("You did not confirm the match in time. Search again.")
            what = MatchUpdate(one.ticket, offer=f"{board.game.id}/{offer.id}" if offer else None)
            if what != told or loop.time() >= beat:
                yield MatchUpdate(what.ticket, offer=what.offer, heartbeat=what == told)
                told, beat = what, loop.time() + self._limits.heartbeat_seconds
                continue
            found = None if offer else await self._try_tables(board, one)
            if found is None:
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(beat):
                        await news.wait()
        yield MatchUpdate(one.ticket, found=found)

    async def _arrive(self, board: QueueHandle, one: Ticket) -> Found | None:
        """Have somebody wait. Whoever is new looks for an open table first; return the seat if there was one."""
        one.aside = True
        if await self._change(board, lambda pool, _: pool.arrive(one.waiter(self._holder))):
            await self._look_at_tables(board)
            if found := await self._sit_down(board, one):
                return found
        one.aside = False
        await self._change(board, _nothing)
        return None

    async def _try_tables(self, board: QueueHandle, one: Ticket) -> Found | None:
        """Seat somebody who waits at an open table, if one has turned up."""
        if one.looked == board.looked:
            return None
        one.looked = board.looked
        if not any(_fits(record, one.seeking) for record in board.tables):
            return None
        one.aside = True
        if await self._change(board, lambda pool, _: pool.take_aside(one.id, self._holder)) and (
            found := await self._sit_down(board, one)
        ):
            return found
        one.aside = False
        await self._change(board, _nothing)
        return None

    async def _sit_down(self, board: QueueHandle, one: Ticket) -> Found | None:
        """Join an open table that will do, if nobody is faster. It is noted first, so that a repeat finds the seat."""
        fitting = [record for record in board.tables if _fits(record, one.seeking)][:_MOST_TRIED]
        for record in fitting:
            await self._remember(one.id, one.asked, record.id)
            try:
                joined = await self._seats.join(
                    record.id, one.seeking.name, None, one.ticket, player_id=one.seeking.player_id
                )
            except (StoreUnavailable, StoreFull):
                raise
            except SkerryError as refusal:
                _log.debug("session %s is not joined: %s", record.id, refusal)
            else:
                return Found(*joined)
        if fitting:
            await self._store.write_register(_note_of(one.id), b"", 0)
        return None

    async def _found(self, one: Ticket) -> Found | None:
        """Return the seat that somebody has found before. Raises RequestIdReused."""
        note = await self._store.read_register(_note_of(one.id))
        if note is None:
            return None
        known = _read_remembered(note.value)
        if known.asked != one.asked:
            raise RequestIdReused
        try:
            table = await self._tables.newest(known.session)
        except SessionNotFound:
            return None
        token = new_token(Role.SEAT, table.record.salt, one.ticket)
        seat = seat_of(table.record, digest(token))
        return None if seat is None else Found(table, seat, token)

    async def _remember(self, waiter: bytes, asked: bytes, session: str) -> None:
        await self._store.write_register(_note_of(waiter), pack(_Remembered(asked, session)), FOUND_FOR_MS)

    # ------------------------------------------------------------ all of them

    async def poll(self) -> None:
        """See what has become of those who wait here. Raises what the store does."""
        for board in list(self._boards.values()):
            await self._change(board, _nothing)

    async def close(self) -> None:
        """End the streams with ShuttingDown. Whoever looks elsewhere within seconds has their place there."""
        self._closing = True
        for board in self._boards.values():
            board.closing = True
            board.ring()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _board(self, game: AnyGame) -> QueueHandle:
        if game.id not in self._boards:
            self._boards[game.id] = QueueHandle(self._store, game, self._holder)
        return self._boards[game.id]

    def _keep_looking(self, board: QueueHandle) -> None:
        task = self._tasks.get(board.game.id)
        if task is None or task.done():
            self._tasks[board.game.id] = asyncio.get_running_loop().create_task(self._run(board))

    async def _run(self, board: QueueHandle) -> None:
        """Look at the pool until nobody waits here any more, and that has been written."""
        loop = asyncio.get_running_loop()
        next_look = loop.time() + _LOOK_SECONDS
        while True:
            gone = not board.seekers
            try:
                await self._change(board, _nothing)
                if loop.time() >= next_look:
                    next_look = loop.time() + _LOOK_SECONDS
                    await self._look_at_tables(board)
                    board.ring()
            except SkerryError as refusal:
                _log.debug("nobody looked who waits for %s: %s", board.game.id, refusal)
            except Exception:  # it goes on for the others
                _log.exception("a look at who waits for %s has failed", board.game.id)
            else:
                if gone and not board.seekers:
                    return
            await board.sleep(_POLL_SECONDS)

    async def _look_at_tables(self, board: QueueHandle) -> None:
        """Know which public tables have a seat: by a look that begins from now on, shared by all who ask for one."""
        mine = board.looks + 1
        async with board.looking:
            if board.looks < mine:
                board.looks = mine
                await self._read_tables(board)

    async def _read_tables(self, board: QueueHandle) -> None:
        """Look which public tables have a seat for strangers: among the newest, those first that begin soonest.

        Of a game with a chosen seed, or from within another one, its host can know what is hidden from everybody else.
        """

        def wanted(record: Record) -> bool:
            alike = (record.game, record.ruleset) == (board.game.id, board.game.ruleset)
            return (
                alike
                and record.phase is Phase.LOBBY
                and not (record.requires_join_code or record.seeded or record.opening)
                and any(record.seats[seat].is_for("") for seat in record.open_seats())
            )

        index_keys = index_keys_for((board.game.id,), Phase.LOBBY, None, "")
        now_ms = (await self._changes.now()).time_ms
        page = await read_page(self._store, None, _MOST_TABLES, wanted, index_keys, now_ms)
        found = [record for record, _ in page.sessions]
        board.tables = sorted(found, key=lambda one: (len(one.open_seats()), one.created_ms, one.id))
        board.looked += 1

    async def _change(self, board: QueueHandle, do: Callable[[MatchQueue, int], Result]) -> Result:
        """Change a pool, and carry out what is agreed then."""
        result = await board.change(do)
        pool = board.pool
        for offer in [one for one in pool.offers if one.agreed]:
            await self._carry_out(board, offer, [pool.waiter(member) for member in offer.members])
        return result

    async def _carry_out(self, board: QueueHandle, offer: Proposal, members: Sequence[Waiter | None]) -> None:
        """Create the session, once however many replicas do so; tell its players where it is; let them go."""
        waiters = [one for one in members if one is not None]
        setting = offer.setting
        new = NewSession(
            game=board.game,
            options=unpack_options(board.game.id, setting.options),
            seats=(OPEN,) * setting.seats,
            abandonment=AbandonmentPolicy(absence_ms=ABSENCE_MS),
            clock=setting.clock,
        )
        now = await self._changes.now()
        record = new_record(new, UUID(bytes=offer.creation, version=4).bytes, now.time_ms, salt=offer.salt)
        joined = [Joined(seat, one.name, offer.confirmed[one.id], one.player_id) for seat, one in enumerate(waiters)]
        table = await self._changes.begin(transitions.create(record, now, joined))
        for one in waiters:
            await self._remember(one.id, one.asked, table.record.id)
        await board.change(lambda pool, _: pool.finish(offer.id))


def _nothing(pool: MatchQueue, now: int) -> None:
    """Change nothing but what has become of time."""


def _fits(record: Record, seeking: TicketRequest) -> bool:
    return seeking.wish.holds(len(record.seats), record.options, record.clock)


def _id_of(ticket: bytes) -> bytes:
    return blake2b(ticket, digest_size=12, person=b"skerry finding").digest()


def _note_of(waiter: bytes) -> str:
    return f"found:{waiter.hex()}"


_read_remembered = msgpack.Decoder(_Remembered).decode
