"""Sessions as callers use them: load, decide, commit, tell. Every change is one trip to the store."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from secrets import token_bytes
from typing import Any
from uuid import UUID, uuid4

from msgspec import Struct

from skerry_games.api import AnyGame, GameError
from skerry_games.rng import SEED_BYTES
from skerry_service.sessions import table as tables
from skerry_service.sessions.access import (
    Caller,
    Role,
    digest,
    new_token,
    recognise,
    require_host,
    require_look_on,
    require_seat,
    seat_of,
)
from skerry_service.sessions.errors import (
    LimitReached,
    RequestIdReused,
    SessionNotFound,
    ShuttingDown,
    SkerryError,
    StaleSequence,
)
from skerry_service.sessions.limits import Limits
from skerry_service.sessions.listing import Cursor, Page, read_page
from skerry_service.sessions.log import Joined, pack
from skerry_service.sessions.port import Commit, Conflict, Duplicate, Gone, Request, Store, Tip
from skerry_service.sessions.record import Labels, Phase, Record, SeatRecord, Spectating, Visibility
from skerry_service.sessions.requests import identify, session_id
from skerry_service.sessions.streams import Streams, Update
from skerry_service.sessions.table import Change, Table, Told
from skerry_service.sessions.thinking import Due, due, request_of

_ATTEMPTS = 8
_REFRESH_EVERY = 16
"""Commits between two refreshes of a game's lifetime."""


class _SeatedBefore(SkerryError):
    """The token that a join would give out plays a seat already. Never leaves this module."""


class NewSession(Struct, frozen=True):
    """What a session is to be."""

    game: AnyGame
    options: Any
    seats: tuple[SeatRecord, ...]
    visibility: Visibility = Visibility.PUBLIC
    spectating: Spectating = Spectating.ANYONE
    seed: bytes | None = None
    """32 bytes to draw all chance from; ``None``: a secret one."""
    labels: Labels = ()
    public_player_ids: bool = False


class Sessions:
    """All sessions of a store, as one replica serves them."""

    def __init__(self, store: Store, *, clock_ms: Callable[[], int], limits: Limits | None = None) -> None:
        self._store = store
        self._clock_ms = clock_ms
        self._limits = limits or Limits()
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._streams = Streams(store, self._limits)
        self._watchers: list[Callable[[Table], None]] = []

    @property
    def epoch(self) -> str:
        """See ``Session.epoch`` in the API."""
        return self._store.epoch

    async def close(self) -> None:
        """End every stream. The store stays open: it is its owner's."""
        await self._streams.close()

    @property
    def closing(self) -> bool:
        """Whether it is closed: new calls are refused."""
        return self._streams.closing

    def watch(self, watcher: Callable[[Table], None]) -> None:
        """Call it from now on with each table that this replica stores. It must return at once."""
        self._watchers.append(watcher)

    def require_open(self) -> None:
        """Raise ShuttingDown once closed. Calls under way go on; it is for those who let calls in."""
        if self._streams.closing:
            raise ShuttingDown

    # ------------------------------------------------------------ reading

    async def get(self, session: str, token: str | None) -> tuple[Table, Caller]:
        """Return a session as it stands, and who asks. Raises SessionNotFound, TokenInvalid."""
        table = self._tables.get(session)
        if table is None or await self._store.tip(session) != Tip(table.sequence, table.mark):
            table = await self._load(session)
        return table, recognise(table.record, token)

    def forget(self, session: str) -> None:
        """Keep no table of that session."""
        self._tables.pop(session, None)

    async def replay(self, session: str, token: str | None) -> tuple[Table, Caller, list[Told]]:
        """Return a session, who asks, and its whole log. Raises also TokenMissing and NotAllowed."""
        changes = list(tables.fold(None, await self._store.batches(session, 0)))
        if not changes:
            raise SessionNotFound(session)
        table = changes[-1].table
        caller = recognise(table.record, token)
        require_look_on(table.record, caller)
        return table, caller, [told for change in changes for told in change.told]

    async def public(self, before: Cursor | None, count: int, wanted: Callable[[Record], bool]) -> Page:
        """Return a page of public sessions, the newest first."""
        return await read_page(self._store, before, count, wanted, self._clock_ms())

    def observe(self, session: str, token: str | None, after: int | None) -> AsyncGenerator[Update, None]:
        """Follow a session. See ``Streams.follow``."""
        return self._streams.follow(session, token, after)

    # ------------------------------------------------------------ changing

    async def create(self, new: NewSession, request_id: UUID | None) -> tuple[Table, str, str]:
        """Store a new session. Return its table, the host token and the spectator token.

        A repeat returns the first time's tokens. Raises BadOptions, RequestIdReused.
        """
        request_id = request_id or uuid4()
        change = tables.create(_new_record(new, request_id, self._clock_ms()), self._clock_ms())
        record = change.table.record
        listed = record.created_ms if record.visibility is Visibility.PUBLIC else None
        existing = await self._store.create(record.id, self._commit(None, change, None), listed)
        table = tables.unpack_head(existing) if existing else change.table
        if table.record.request != record.request:
            raise RequestIdReused
        self._keep(table)
        if existing is None:
            self._show(table)
        salt = table.record.salt
        return table, new_token(Role.HOST, salt, request_id), new_token(Role.SPECTATOR, salt, request_id)

    async def join(
        self, session: str, name: str, wanted: int | None, request_id: UUID | None, *, player_id: str = ""
    ) -> tuple[Table, int, str]:
        """Take a seat. Return the table, the seat and its token; for a repeat the first time's.

        Raises SessionNotFound, AlreadyStarted, SeatTaken, NameTaken, RequestIdReused.
        """
        request_id = request_id or uuid4()

        def decide(table: Table) -> Change:
            token = digest(new_token(Role.SEAT, table.record.salt, request_id))
            if seat_of(table.record, token) is not None:
                raise _SeatedBefore("You have joined before.")
            return tables.join(table, name, token, wanted, self._clock_ms(), player_id=player_id)

        try:
            change = await self._change(session, identify(request_id, "join", name, wanted, player_id), decide)
        except _SeatedBefore:
            return await self._joined_before(session, name, player_id, request_id)
        seat = next(told.deed.seat for told in change.told if isinstance(told.deed, Joined))
        return change.table, seat, new_token(Role.SEAT, change.table.record.salt, request_id)

    async def _joined_before(self, session: str, name: str, player_id: str, request_id: UUID) -> tuple[Table, int, str]:
        """Answer a repeat whose request is forgotten by now: the seat itself remembers it."""
        token = new_token(Role.SEAT, (await self._table(session)).record.salt, request_id)
        table, caller = await self.get(session, token)
        seat = require_seat(caller)
        one = table.record.seats[seat]
        if (one.name, one.player_id) != (name, player_id):
            raise RequestIdReused
        return table, seat, token

    async def start(self, session: str, token: str | None, fill_with_bots: bool, request_id: UUID | None) -> Table:
        """Begin the game early.

        Raises TokenMissing, TokenInvalid, NotAllowed, AlreadyStarted, TooFewSeats, SeatOpen, BadOptions.
        """

        def decide(table: Table) -> Change:
            require_host(recognise(table.record, token))
            return tables.start(table, fill_with_bots=fill_with_bots, now_ms=self._clock_ms())

        request = identify(request_id, token or "", "start", fill_with_bots) if request_id else None
        return (await self._change(session, request, decide)).table

    async def leave(self, session: str, token: str | None, request_id: UUID | None) -> Table:
        """Leave a seat for good. Raises TokenMissing, TokenInvalid, NotAllowed, GameOver."""

        def decide(table: Table) -> Change:
            return tables.leave(table, require_seat(recognise(table.record, token)), self._clock_ms())

        request = identify(request_id, token or "", "leave") if request_id else None
        return (await self._change(session, request, decide)).table

    async def label(self, session: str, token: str | None, labels: Labels, request_id: UUID | None) -> Table:
        """Replace the labels. Raises TokenMissing, TokenInvalid, NotAllowed, GameOver."""

        def decide(table: Table) -> Change:
            require_host(recognise(table.record, token))
            return tables.label(table, labels, self._clock_ms())

        request = identify(request_id, token or "", "label", labels) if request_id else None
        return (await self._change(session, request, decide)).table

    async def act(
        self,
        session: str,
        token: str | None,
        read_move: Callable[[AnyGame], Any],
        expected_sequence: int,
        request_id: UUID | None,
    ) -> tuple[Change, Caller]:
        """Make one move. ``read_move`` returns the move of that game, or raises MalformedMove.

        Raises SessionNotFound, TokenMissing, TokenInvalid, NotAllowed, RequestIdReused, what ``table.act`` raises.
        """
        move = read_move((await self._table(session)).game)
        request = identify(request_id, token or "", "act", expected_sequence, move) if request_id else None

        def decide(table: Table) -> Change:
            seat = require_seat(recognise(table.record, token))
            return tables.act(table, seat, move, expected_sequence, self._clock_ms())

        change = await self._change(session, request, decide)
        return change, recognise(change.table.record, token)

    async def decide(self, one: Due, move: Any) -> Change:
        """Make a bot's decision, once: whoever comes later gets the change of whoever was first.

        Raises SessionNotFound, StaleSequence where it was made long ago, and what ``table.act`` raises.
        """
        request = request_of((await self._table(one.session)).record, one)

        def decide(table: Table) -> Change:
            if one not in due(table):
                raise StaleSequence(one.since, table.sequence)
            return tables.act(table, one.seat, move, one.since, self._clock_ms())

        return await self._change(one.session, request, decide)

    async def check(
        self, session: str, token: str | None, read_move: Callable[[AnyGame], Any], expected_sequence: int
    ) -> Table:
        """Check a move as ``act`` would, and do nothing. What chance would bring is not told."""
        table, caller = await self.get(session, token)
        tables.act(table, require_seat(caller), read_move(table.game), expected_sequence, self._clock_ms())
        return table

    async def _change(self, session: str, request: Request | None, decide: Callable[[Table], Change]) -> Change:
        """Decide on the table known here and commit. Look again if that fails: this replica's table may be old, or
        the request a repeat."""
        table = await self._table(session)
        for attempt in range(_ATTEMPTS):
            if attempt:
                table = await self._load(session)
            try:
                change = decide(table)
            except (SkerryError, GameError):
                if not attempt:
                    continue
                if request and (done := await self._store.find_request(session, request)):
                    return await self._done_before(session, done, request)
                raise
            result = await self._store.commit(session, self._commit(table, change, request))
            if isinstance(result, Duplicate):
                return await self._done_before(session, result, request)
            if isinstance(result, Gone):
                self._tables.pop(session, None)
                raise SessionNotFound(session)
            if not isinstance(result, Conflict):
                self._keep(change.table)
                self._streams.push(session, change)
                self._show(change.table)
                return change
        raise LimitReached("conflicts", "Too many calls change this session at once.")

    def _show(self, table: Table) -> None:
        for watcher in self._watchers:
            watcher(table)

    async def _done_before(self, session: str, done: Duplicate, request: Request | None) -> Change:
        if request is None or done.payload != request.payload:
            raise RequestIdReused
        for change in tables.fold(None, await self._store.batches(session, 0)):
            if change.batch.last == done.last:
                return change
        raise SessionNotFound(session)

    def _commit(self, before: Table | None, change: Change, request: Request | None) -> Commit:
        """Pack a change. Lifetimes are refreshed now and then: writing them each time would buy nothing."""
        base = before.sequence if before else 0
        table = change.table
        record_changed = before is None or table.record is not before.record
        refresh = record_changed or table.sequence // _REFRESH_EVERY > base // _REFRESH_EVERY
        return Commit(
            base=base,
            batch=change.packed,
            head=tables.head_of(table, pack_record=record_changed),
            record_changed=record_changed,
            request=request,
            lifetime_ms=self._lifetime_ms(table.record.phase) if refresh else None,
            base_mark=before.mark if before else b"",
        )

    def _lifetime_ms(self, phase: Phase) -> int:
        limits = self._limits
        if phase is Phase.LOBBY:
            return limits.lobby_lifetime_ms
        return limits.game_lifetime_ms if phase is Phase.PLAYING else limits.finished_lifetime_ms

    # ------------------------------------------------------------ tables known here

    async def _table(self, session: str) -> Table:
        """Return the table known here, however old; load it if there is none."""
        table = self._tables.get(session)
        if table is None:
            return await self._load(session)
        self._tables.move_to_end(session)
        return table

    async def _load(self, session: str) -> Table:
        head = await self._store.load(session)
        if head is None:
            self._tables.pop(session, None)
            raise SessionNotFound(session)
        table = tables.unpack_head(head)
        self._tables[session] = table
        self._trim()
        return table

    def _keep(self, table: Table) -> None:
        known = self._tables.get(table.record.id)
        if known is None or known.sequence < table.sequence:
            self._tables[table.record.id] = table
            self._trim()

    def _trim(self) -> None:
        if len(self._tables) > self._limits.cached_tables:
            self._tables.popitem(last=False)


def _new_record(new: NewSession, request_id: UUID, now_ms: int) -> Record:
    who = (new.seats, new.visibility, new.spectating, new.public_player_ids)
    asked = (new.game.id, new.options, who, new.seed, new.labels)
    salt = token_bytes(16)
    return Record(
        id=session_id(request_id),
        game=new.game.id,
        ruleset=new.game.ruleset,
        options=pack(new.options),
        phase=Phase.LOBBY,
        seats=new.seats,
        visibility=new.visibility,
        spectating=new.spectating,
        seed=new.seed or token_bytes(SEED_BYTES),
        seeded=new.seed is not None,
        salt=salt,
        host_token=digest(new_token(Role.HOST, salt, request_id)),
        spectator_token=digest(new_token(Role.SPECTATOR, salt, request_id)),
        created_ms=now_ms,
        request=identify(request_id, "create", asked).payload,
        labels=new.labels,
        public_player_ids=new.public_player_ids,
    )
