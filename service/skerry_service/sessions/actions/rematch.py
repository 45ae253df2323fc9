"""Playing once more: the rematch of a finished game, and a new session that goes on from within one.

A rematch is found, not noted: its id follows from the finished session's salt, the tokens of its seats from those that
they had before. So whoever calls first makes it, everybody who calls later finds it, and there is nothing that a crash
in between could lose.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from hashlib import blake2b
from typing import Any

from msgspec import MsgspecError, Struct, msgpack
from msgspec.structs import replace

from skerry_games.api import AnyGame, BadOptions
from skerry_games.catalogue import all_games
from skerry_service.domain import transitions
from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import (
    GameNotFound,
    InvalidField,
    NotFinished,
    NotStarted,
    RequestIdReused,
    SequenceAhead,
    SkerryError,
)
from skerry_service.domain.log import Moved, Started
from skerry_service.domain.record import Occupant, Phase, Record, SeatRecord
from skerry_service.domain.table import OPEN, Applied, Change, Table, options_of
from skerry_service.domain.tokens import Caller, Role, base32, digest, new_token, recognise, require_seat, seat_of
from skerry_service.sessions.actions.new_session import NewSession, new_record
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.request_identity import new_request_id
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.table_cache import TableCache
from skerry_service.sessions.task_runner import TaskRunner
from skerry_service.watching.presence import Presence

SessionTemplate = Callable[[AnyGame, Any], NewSession]
"""Returns what a new session of a game with these options is to be."""
ReadSession = Callable[[str, str | None], Awaitable[tuple[Table, Caller, list[Applied]]]]
"""Returns a session as its caller may see it, with who that is and the log: ``Sessions.replay``."""


class _RematchSeatTaken(SkerryError):
    """The caller has taken its seat already. Never leaves this module."""


class RematchSeat(Struct, frozen=True):
    """The caller's seat in a rematch."""

    table: Table
    seat: int
    token: str
    host: str = ""
    """The host token, for who made the session alone."""
    spectator: str = ""
    """The spectator token, likewise."""


class Rematches:
    """All sessions, for those who want to play once more."""

    def __init__(
        self,
        store: Store,
        tables: TableCache,
        committer: Committer,
        presence: Presence,
        tasks: TaskRunner,
        read: ReadSession,
    ) -> None:
        self._store = store
        self._tables = tables
        self._committer = committer
        self._presence = presence
        self._tasks = tasks
        self._read = read

    async def found(self, record: Record) -> str | None:
        """Return the id of a session's rematch, if there is one."""
        if record.phase is not Phase.FINISHED:
            return None
        rematch = rematch_of(record)
        return rematch if await self._store.tip(rematch) is not None else None

    async def rematch(self, session: str, token: str | None) -> RematchSeat:
        """Take the caller's seat in the rematch of a finished session; make the rematch if nobody has.

        Raises TokenMissing, TokenInvalid, NotAllowed, NotFinished, AlreadyStarted, GameOver, BadOptions.
        """
        finished = await self._tables.newest(session)
        before = require_seat(recognise(finished.record, token))
        if finished.record.phase is not Phase.FINISHED:
            raise NotFinished
        who, seat = digest(token or ""), _moved_on(before, len(finished.record.seats))
        rematch = rematch_of(finished.record)
        if await self._store.tip(rematch) is None:
            now = await self._committer.now()
            await self._committer.begin(transitions.create(_rematch_record(finished.record, who, now.time_ms), now))

        def decide(table: Table, now: Moment) -> Change:
            own = digest(new_token(Role.SEAT, table.record.salt, who))
            if seat_of(table.record, own) is not None:
                raise _RematchSeatTaken("You sit there.")
            return transitions.take_kept_seat(table, seat, own, now)

        try:
            table = (await self._committer.change(rematch, None, decide)).table
        except _RematchSeatTaken:
            table = await self._tables.newest(rematch)
        return await self._seated(table, who)

    async def _seated(self, table: Table, who: bytes) -> RematchSeat:
        """Return the seat, and the tokens that are the caller's. Raises TokenInvalid if the seat was lost since."""
        salt = table.record.salt
        token, host = new_token(Role.SEAT, salt, who), new_token(Role.HOST, salt, who)
        seat = require_seat(recognise(table.record, token))
        await self._presence.mark_seen(table, seat)
        if digest(host) != table.record.host_token:
            return RematchSeat(table, seat, token)
        return RematchSeat(table, seat, token, host, new_token(Role.SPECTATOR, salt, who))

    async def fork(
        self, session: str, token: str | None, sequence: int, new: SessionTemplate, request_id: bytes | None
    ) -> tuple[Table, str, str]:
        """Go on in a new session from an entry of a game that is over. Answers and repeats like ``Sessions.create``.

        Raises what ``Sessions.replay`` does, NotFinished, SequenceAhead, NotStarted, GameOver, InvalidField,
        RequestIdReused.
        """
        source, _, log = await self._read(session, token)
        if not source.record.over:
            raise NotFinished
        if sequence > source.sequence:
            raise SequenceAhead(sequence, source.sequence)
        moves = _moves(source.record, log, sequence)
        made = new(source.game, options_of(source.record))
        if len(made.seats) != len(source.record.seats):
            raise InvalidField("seats", f"{len(source.record.seats)} seats played this game: send as many.")
        new_id, request_id = request_id is None, request_id or new_request_id()
        now = await self._committer.now()
        record = new_record(made, request_id, now.time_ms, session, sequence)
        table = await self._committer.begin(await self._tasks.run(transitions.fork(record, moves, now)), new_id=new_id)
        if table.record.request != record.request:
            raise RequestIdReused
        salt = table.record.salt
        return table, new_token(Role.HOST, salt, request_id), new_token(Role.SPECTATOR, salt, request_id)


def rematch_of(finished: Record) -> str:
    """Return the id of a session's rematch. Without the salt nobody knows it before there is one."""
    return base32(blake2b(digest_size=10, key=finished.salt, person=b"rematch").digest())


def _rematch_record(finished: Record, maker: bytes, now_ms: int) -> Record:
    """Return the record of a rematch, whose seats wait for those who played."""
    game = all_games().get(finished.game)
    if game is None:
        raise GameNotFound(finished.game)
    last = len(finished.seats) - 1
    again = NewSession(
        game=game,
        options=_options(finished, game),
        seats=tuple([_kept(one) for one in (finished.seats[last], *finished.seats[:last])]),
        visibility=finished.visibility,
        spectating=finished.spectating,
        labels=finished.labels,
        public_player_ids=finished.public_player_ids,
        requires_join_code=finished.requires_join_code,
        abandonment=finished.abandonment,
        clock=finished.clock,
        delay=finished.delay,
    )
    return replace(new_record(again, maker, now_ms), id=rematch_of(finished))


def _moved_on(seat: int, seats: int) -> int:
    """Return where who sat on a seat sits in the rematch."""
    return (seat + 1) % seats


def _kept(one: SeatRecord) -> SeatRecord:
    """Return what a seat is at the beginning of the rematch. A substitute's is kept for who owns it."""
    if one.occupant is Occupant.BOT and one.cause is None:
        return SeatRecord(Occupant.BOT, level=one.level)
    return (
        SeatRecord(Occupant.KEPT, one.name, player_id=one.player_id, reserved_for=one.reserved_for)
        if one.token
        else OPEN
    )


def _options(finished: Record, game: AnyGame) -> Any:
    """Return a session's options for the ruleset that new sessions begin under. Raises BadOptions."""
    try:
        return msgpack.decode(finished.options, type=game.options_type)
    except MsgspecError:
        raise BadOptions(
            "options", f"Those of a session under {finished.ruleset} are none under {game.ruleset}."
        ) from None


def _moves(record: Record, log: Sequence[Applied], sequence: int) -> list[tuple[int, Any]]:
    """Return the moves up to an entry, each with its actor. Raises NotStarted."""
    begun = record.opening > 0 or any(isinstance(one.entry, Started) for one in log[:sequence])
    if not begun:
        raise NotStarted(sequence)
    return [(one.entry.actor, one.move) for one in log[:sequence] if isinstance(one.entry, Moved)]
