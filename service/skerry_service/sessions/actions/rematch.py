"""Rematches of finished games, and forks: new sessions that continue from an earlier entry of a finished game.

A rematch needs no stored link. Its id derives from the finished session's salt, and its seat tokens from the earlier
ones. So the first caller creates the rematch, later callers find it, and a crash in between loses nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from hashlib import blake2b
from typing import Any

from msgspec import MsgspecError, Struct, msgpack
from msgspec.structs import replace

from skerry_games.api import AnyGame, BadOptions
from skerry_service.domain import transitions
from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import (
    InvalidField,
    NotFinished,
    NotStarted,
    RequestIdReused,
    SequenceAhead,
    SkerryError,
)
from skerry_service.domain.languages.phrases import phrase, verbatim
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.log import Moved, Started
from skerry_service.domain.record import FREE_PLAY, LESSON, RANDOM, Occupant, Phase, Record, SeatRecord
from skerry_service.domain.table import OPEN, Applied, Change, Table, options_of
from skerry_service.domain.tokens import Caller, Role, base32, digest, new_token, recognise, require_seat, seat_of
from skerry_service.domain.undoing.undo_actions import moves_that_stand
from skerry_service.sessions.actions.new_games import NewGames
from skerry_service.sessions.actions.new_session import NewSession, new_record
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.request_identity import new_request_id
from skerry_service.sessions.resource_ids import cell_of, in_cell
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.table_cache import TableCache
from skerry_service.watching.presence import Presence

SessionTemplate = Callable[[AnyGame, Any], NewSession]
"""Returns the settings of a new session of a game with these options."""
ReadSession = Callable[[str, str | None], Awaitable[tuple[Table, Caller, list[Applied]]]]
"""Returns the caller's view of a session, the caller, and the log: ``Sessions.replay``."""


class _RematchSeatTaken(SkerryError):
    """The caller has already taken its seat. Used only within this module."""


class RematchSeat(Struct, frozen=True):
    """The caller's seat in a rematch, with the caller's tokens."""

    table: Table
    seat: int
    token: str
    host: str = ""
    """The host token, only for the caller that created the rematch."""
    spectator: str = ""
    """The spectator token, only for the caller that created the rematch."""


class Rematches:
    """Rematches and forks of all sessions."""

    def __init__(  # noqa: PLR0913, PLR0917 - the collaborators of a service
        self,
        store: Store,
        tables: TableCache,
        committer: Committer,
        presence: Presence,
        read: ReadSession,
        limits: SessionLimits,
        new_games: NewGames,
        levels: Collection[str],
    ) -> None:
        """``levels``: of bots."""
        self._store = store
        self._tables = tables
        self._committer = committer
        self._presence = presence
        self._read = read
        self._new_games = new_games
        self._after_lesson = FREE_PLAY if FREE_PLAY in levels else RANDOM
        self._kept_seats_ms = limits.kept_seats_ms

    async def find(self, record: Record) -> str | None:
        """Return the id of a session's rematch; ``None`` if none exists yet."""
        if record.phase is not Phase.FINISHED:
            return None
        rematch = rematch_of(record)
        return rematch if await self._store.tip(rematch) is not None else None

    async def rematch(self, session: str, token: str | None, entropy: bytes = b"") -> RematchSeat:
        """Take the caller's seat in the rematch of a finished session. The first caller creates the rematch.

        ``entropy``: 32 bytes that the player adds to the seed, or empty. A repeat does not change it.

        Raises TokenMissing, TokenInvalid, NotAllowed, NotFinished, AlreadyStarted, GameOver, BadOptions.
        """
        finished = await self._tables.newest(session)
        before = require_seat(recognise(finished.record, token))
        if finished.record.phase is not Phase.FINISHED:
            raise NotFinished
        identity, seat = digest(token or ""), _rotated_seat(before, len(finished.record.seats))
        rematch = rematch_of(finished.record)
        if await self._store.tip(rematch) is None:
            now = await self._committer.now()
            game = self._new_games.successor(finished.game)
            kept_until = now.uptime_ms + self._kept_seats_ms
            record = _rematch_record(
                game, finished.record, identity, now.time_ms, kept_until, after_lesson=self._after_lesson
            )
            await self._committer.schedule_deliveries(finished.record)
            await self._committer.begin(transitions.create(record, now))
            await self._committer.schedule_deliveries(finished.record, 0)

        def decide(table: Table, now: Moment) -> Change:
            own = digest(new_token(Role.SEAT, table.record.salt, identity))
            if seat_of(table.record, own) is not None:
                raise _RematchSeatTaken("You have already taken your seat.")
            return transitions.take_kept_seat(table, seat, own, now, entropy=entropy)

        try:
            table = (await self._committer.change(rematch, None, decide)).table
        except _RematchSeatTaken:
            table = await self._tables.newest(rematch)
        return await self._seated(table, identity)

    async def _seated(self, table: Table, identity: bytes) -> RematchSeat:
        """Return the caller's seat and tokens. Raises TokenInvalid if the caller has lost the seat since."""
        salt = table.record.salt
        token, host = new_token(Role.SEAT, salt, identity), new_token(Role.HOST, salt, identity)
        seat = require_seat(recognise(table.record, token))
        await self._presence.mark_seen(table, seat)
        if digest(host) != table.record.host_token:
            return RematchSeat(table, seat, token)
        return RematchSeat(table, seat, token, host, new_token(Role.SPECTATOR, salt, identity))

    async def fork(
        self, session: str, token: str | None, sequence: int, new: SessionTemplate, request_id: bytes | None
    ) -> tuple[Table, str, str]:
        """Create a session that continues a finished game from an entry. Returns and repeats as ``Sessions.create``.

        Raises as ``Sessions.replay``, and NotFinished, SequenceAhead, NotStarted, GameOver, InvalidField,
        RequestIdReused.
        """
        source, _, log = await self._read(session, token)
        if not source.record.over:
            raise NotFinished
        if sequence > source.sequence:
            raise SequenceAhead(sequence, source.sequence)
        moves = _moves(source.record, log, sequence)
        finished = source.record
        settings = replace(
            new(source.game, options_of(finished)),
            undo=finished.undo,
            hints=finished.hints,
            cell=self._new_games.cell,
        )
        if len(settings.seats) != len(finished.seats):
            raise InvalidField("seats", phrase("field-same-seats", seats=len(finished.seats)))
        new_id, request_id = request_id is None, request_id or new_request_id()
        now = await self._committer.now()
        record = new_record(settings, request_id, now.time_ms, session, sequence)
        table = await self._committer.begin(
            await self._committer.tasks.run(transitions.fork(record, moves, now)), new_id=new_id
        )
        if table.record.request != record.request:
            raise RequestIdReused
        salt = table.record.salt
        return table, new_token(Role.HOST, salt, request_id), new_token(Role.SPECTATOR, salt, request_id)


def rematch_of(finished: Record) -> str:
    """Return the id of a session's rematch, in the same cell. It is unpredictable without the salt."""
    own = base32(blake2b(digest_size=10, key=finished.salt, person=b"rematch").digest())
    return in_cell(own, cell_of(finished.id))


def _rematch_record(
    game: AnyGame, finished: Record, creator: bytes, now_ms: int, kept_until: int, *, after_lesson: str
) -> Record:
    """Return the record of a rematch, whose seats are kept for the players of the finished game.

    ``game``: under the ruleset of the rematch; ``now_ms``: wall clock; ``kept_until``: store uptime, see ``Record``;
    ``after_lesson``: the level of the bots of a lesson. Its rematch is an ordinary game.
    """
    last = len(finished.seats) - 1
    settings = NewSession(
        game=game,
        options=_options(finished, game),
        seats=tuple([_kept(one, after_lesson) for one in (finished.seats[last], *finished.seats[:last])]),
        visibility=finished.visibility,
        spectating=finished.spectating,
        labels=finished.labels,
        public_player_ids=finished.public_player_ids,
        requires_join_code=finished.requires_join_code,
        abandonment=finished.abandonment,
        clock=finished.clock,
        delay=finished.delay,
        share=finished.share,
        hints=finished.hints,
        undo=finished.undo,
        rated=finished.rated,
        applications=finished.applications,
    )
    return replace(new_record(settings, creator, now_ms), id=rematch_of(finished), kept_until=kept_until)


def _rotated_seat(seat: int, seats: int) -> int:
    """Return the seat in the rematch of a player who had ``seat`` in the finished game."""
    return (seat + 1) % seats


def _kept(one: SeatRecord, after_lesson: str) -> SeatRecord:
    """Return the seat at the beginning of the rematch. A substitute's seat is kept for its owner."""
    if one.occupant is Occupant.BOT and one.cause is None:
        return SeatRecord(Occupant.BOT, level=after_lesson if one.level == LESSON else one.level)
    return (
        SeatRecord(Occupant.KEPT, one.name, player_id=one.player_id, reserved_for=one.reserved_for)
        if one.token
        else OPEN
    )


def _options(finished: Record, game: AnyGame) -> Any:
    """Return a session's options under the game's current ruleset. Raises BadOptions if they do not fit it."""
    try:
        return msgpack.decode(finished.options, type=game.options_type)
    except MsgspecError:
        raise BadOptions(
            "options",
            phrase("options-of-ruleset", ruleset=verbatim(finished.ruleset), newest=verbatim(game.ruleset)),
        ) from None


def _moves(record: Record, log: Sequence[Applied], sequence: int) -> list[tuple[int, Any]]:
    """Return the moves up to an entry, each with its actor. Raises NotStarted before the start of the game."""
    started = record.opening > 0 or any(isinstance(one.entry, Started) for one in log[:sequence])
    if not started:
        raise NotStarted(sequence)
    standing = moves_that_stand(log[:sequence])
    return [(one.entry.actor, one.move) for one in standing if isinstance(one.entry, Moved)]
