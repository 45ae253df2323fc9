"""One method for each RPC: check the request, call the sessions, write the answer. Knows no transport.

Every method takes the request and the caller's bearer token (``None`` without one), and raises the refusals of
``sessions.errors`` and ``games.api``; ``errors.describe`` turns them into statuses.
"""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import cache, partial

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.api import Viewer
from skerry_games.catalogue import all_games
from skerry_service.rpc.checks import (
    choice_of,
    display_name_of,
    game_of,
    label_of,
    labels_of,
    player_id_of,
    request_id_of,
    require_known_fields,
    seed_of,
    session_of,
)
from skerry_service.rpc.codecs import read_move, read_options
from skerry_service.rpc.translate import add_entries, fill_position, write_game, write_session
from skerry_service.sessions.access import ANYBODY, HOST, Caller, Role, may_know_players, may_look_on
from skerry_service.sessions.errors import InvalidField
from skerry_service.sessions.listing import Cursor
from skerry_service.sessions.record import (
    MOST_SEATS,
    Occupant,
    Phase,
    Record,
    SeatRecord,
    Spectating,
    Visibility,
)
from skerry_service.sessions.service import NewSession, Sessions
from skerry_service.sessions.streams import Update
from skerry_service.sessions.table import BOT, OPEN, Table

Write = Callable[[pb.ObserveResponse], bytes]

PAGE_SIZE = 20
LARGEST_PAGE = 100
LONGEST_CURSOR = 200
_MOST_SHARED = 64
"""Messages kept of a session for other readers: enough for all viewers, whatever they resume from."""
_MOST_POSITIONS = 256
"""Positions kept in case they are read again."""
_WithPosition = pb.GetSessionResponse | pb.ActResponse | pb.ObserveResponse
_VIEWS = (pb.POSITION_VIEW_NONE, pb.POSITION_VIEW_FULL)


@cache
def method_name(rpc: str) -> str:
    """Return the method of ``Methods`` that serves an RPC: ``get_session`` for ``GetSession``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", rpc).lower()


class Message:
    """One message of a stream, shared by all readers for whom it reads the same."""

    __slots__ = ("_written", "message")

    def __init__(self, message: pb.ObserveResponse) -> None:
        self.message = message
        self._written: dict[Write, bytes] = {}

    def serialized(self) -> bytes:
        """Return the message in wire format, serialized once."""
        return self.written(pb.ObserveResponse.SerializeToString)

    def written(self, write: Write) -> bytes:
        """Return the message as ``write`` writes it, written once however many readers there are."""
        written = self._written.get(write)
        if written is None:
            written = self._written[write] = write(self.message)
        return written


class Methods:
    """The RPCs of ``SkerryService``."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._positions: dict[tuple[str, bytes, Viewer], bytes] = {}
        """Positions in wire format, by session, mark of its log, and viewer."""

    # ------------------------------------------------------------ catalogue

    async def list_games(self, request: pb.ListGamesRequest, token: str | None) -> pb.ListGamesResponse:
        """List the games."""
        require_known_fields(request)
        return pb.ListGamesResponse(games=[write_game(game, whole=False) for game in all_games().values()])

    async def get_game(self, request: pb.GetGameRequest, token: str | None) -> pb.GetGameResponse:
        """Return one game with its board and rules."""
        require_known_fields(request)
        if not request.name.startswith("games/"):
            raise InvalidField("name", "The name of a game has the form games/{id}.")
        return pb.GetGameResponse(game=write_game(game_of(request.name.removeprefix("games/")), whole=True))

    # ------------------------------------------------------------ lifecycle

    async def create_session(self, request: pb.CreateSessionRequest, token: str | None) -> pb.CreateSessionResponse:
        """Create a session."""
        require_known_fields(request)
        game = game_of(request.game)
        new = NewSession(
            game=game,
            options=read_options(request.options, game),
            seats=_read_seats(request),
            visibility=choice_of(request, "visibility", tuple(Visibility)),
            spectating=choice_of(request, "spectating", tuple(Spectating)),
            seed=seed_of(request.seed),
            labels=labels_of(request.labels),
            public_player_ids=request.public_player_ids,
        )
        table, host, spectator = await self._sessions.create(new, request_id_of(request.request_id))
        return pb.CreateSessionResponse(session=self._session(table, HOST), host_token=host, spectator_token=spectator)

    async def join_session(self, request: pb.JoinSessionRequest, token: str | None) -> pb.JoinSessionResponse:
        """Take a seat."""
        require_known_fields(request)
        session, name = session_of(request.name), display_name_of(request.display_name)
        wanted = request.seat if request.HasField("seat") else None
        player_id, request_id = player_id_of(request.player_id), request_id_of(request.request_id)
        table, seat, seat_token = await self._sessions.join(session, name, wanted, request_id, player_id=player_id)
        told = self._session(table, Caller(Role.SEAT, seat))
        return pb.JoinSessionResponse(session=told, seat=seat, seat_token=seat_token)

    async def start_session(self, request: pb.StartSessionRequest, token: str | None) -> pb.StartSessionResponse:
        """Begin the game early."""
        require_known_fields(request)
        session, request_id = session_of(request.name), request_id_of(request.request_id)
        table = await self._sessions.start(session, token, request.fill_with_bots, request_id)
        return pb.StartSessionResponse(session=self._session(table, HOST))

    async def leave_session(self, request: pb.LeaveSessionRequest, token: str | None) -> pb.LeaveSessionResponse:
        """Leave a seat."""
        require_known_fields(request)
        table = await self._sessions.leave(session_of(request.name), token, request_id_of(request.request_id))
        return pb.LeaveSessionResponse(session=self._session(table, ANYBODY))

    async def label_session(self, request: pb.LabelSessionRequest, token: str | None) -> pb.LabelSessionResponse:
        """Replace a session's labels."""
        require_known_fields(request)
        session, labels = session_of(request.name), labels_of(request.labels)
        table = await self._sessions.label(session, token, labels, request_id_of(request.request_id))
        return pb.LabelSessionResponse(session=self._session(table, HOST))

    # ------------------------------------------------------------ reading

    async def get_session(self, request: pb.GetSessionRequest, token: str | None) -> pb.GetSessionResponse:
        """Return a session and what the caller may see of its game."""
        require_known_fields(request)
        table, caller = await self._sessions.get(session_of(request.name), token)
        response = pb.GetSessionResponse(session=self._session(table, caller), seat=caller.seat)
        if may_look_on(table.record, caller):
            self._fill_position(response, table, caller.seat)
        return response

    async def list_sessions(self, request: pb.ListSessionsRequest, token: str | None) -> pb.ListSessionsResponse:
        """Return a page of public sessions."""
        require_known_fields(request)
        game = game_of(request.game).id if request.game else None
        phase = choice_of(request, "state", tuple(Phase)) if request.state else None
        label = label_of(request.label)
        if request.page_size < 0:
            raise InvalidField("page_size", "The size of a page is not negative.")

        def wanted(record: Record) -> bool:
            known = all_games().get(record.game)
            return (
                known is not None
                and known.ruleset == record.ruleset
                and game in (None, record.game)
                and phase in (None, record.phase)
                and (label is None or _is_labelled(record, *label))
            )

        size = min(request.page_size or PAGE_SIZE, LARGEST_PAGE)
        page = await self._sessions.public(_read_cursor(request.page_token), size, wanted)
        epoch = self._sessions.epoch
        return pb.ListSessionsResponse(
            sessions=[
                write_session(record, sequence, epoch, players=record.public_player_ids)
                for record, sequence in page.sessions
            ],
            next_page_token=_write_cursor(page.next),
        )

    async def get_replay(self, request: pb.GetReplayRequest, token: str | None) -> pb.GetReplayResponse:
        """Return the whole log as the caller may see it."""
        require_known_fields(request)
        table, caller, told = await self._sessions.replay(session_of(request.name), token)
        response = pb.GetReplayResponse()
        response.replay.session.CopyFrom(self._session(table, ANYBODY))  # replays are passed on
        add_entries(response.replay.entries, table, told, caller.seat)
        return response

    # ------------------------------------------------------------ play

    async def act(self, request: pb.ActRequest, token: str | None) -> pb.ActResponse:
        """Make one move."""
        require_known_fields(request)
        session, request_id = session_of(request.name), request_id_of(request.request_id)
        expected = request.expected_sequence
        if expected <= 0:
            raise InvalidField("expected_sequence", "Send the sequence of the position that you decided on.")
        view = choice_of(request, "view", _VIEWS)
        read = partial(read_move, request.move)
        if request.validate_only:
            table = await self._sessions.check(session, token, read, expected)
            return pb.ActResponse(sequence=table.sequence, epoch=self._sessions.epoch)
        change, caller = await self._sessions.act(session, token, read, expected, request_id)
        table = change.table
        response = pb.ActResponse(sequence=table.sequence, epoch=self._sessions.epoch)
        if view == pb.POSITION_VIEW_FULL:
            self._fill_position(response, table, caller.seat)
        add_entries(response.entries, table, change.told, caller.seat)
        return response

    async def observe(self, request: pb.ObserveRequest, token: str | None) -> AsyncGenerator[Message, None]:
        """Follow a session."""
        require_known_fields(request)
        session = session_of(request.name)
        after = request.after_sequence if request.HasField("after_sequence") else None
        if after is not None and after < 0:
            raise InvalidField("after_sequence", "A sequence is not negative; 0 asks for the log from its first entry.")
        async with aclosing(self._sessions.observe(session, token, after)) as updates:
            async for update in updates:
                yield self._shared(update)

    def _shared(self, update: Update) -> Message:
        """Render an update, once for all readers who are told the same."""
        first = update.told[0].sequence if update.told else 0
        players = update.record_changed and may_know_players(update.table.record, update.caller)
        shown = update.record_changed, update.heartbeat, players
        key = update.caller.seat, first, update.table.sequence, shown, update.epoch
        shared: Message | None = update.memo.get(key)
        if shared is None:
            shared = Message(self._write_update(update))
            if len(update.memo) < _MOST_SHARED:
                update.memo[key] = shared
        return shared

    def _write_update(self, update: Update) -> pb.ObserveResponse:
        table, viewer = update.table, update.caller.seat
        response = pb.ObserveResponse(
            session=self._session(table, update.caller) if update.record_changed else None,
            sequence=table.sequence,
            epoch=update.epoch,
            heartbeat=update.heartbeat,
        )
        if not update.heartbeat:
            self._fill_position(response, table, viewer)
        add_entries(response.entries, table, update.told, viewer)
        return response

    def _fill_position(self, response: _WithPosition, table: Table, viewer: Viewer) -> None:
        """Write the position that the viewer may see; none in the lobby.

        The last ones are kept: who has acted reads on from there, and its stream tells it too.
        """
        if table.state is None:
            return
        key = table.record.id, table.mark, viewer
        written = self._positions.get(key)
        if written is None:
            fill_position(response.position, table, viewer)
            self._positions[key] = response.position.SerializeToString()
            if len(self._positions) > _MOST_POSITIONS:
                del self._positions[next(iter(self._positions))]
        else:
            response.position.MergeFromString(written)

    def _session(self, table: Table, caller: Caller) -> session_pb2.Session:
        players = may_know_players(table.record, caller)
        return write_session(table.record, table.sequence, self._sessions.epoch, players=players)


def _is_labelled(record: Record, key: str, value: str | None) -> bool:
    return any(known == key and value in (None, held) for known, held in record.labels)


def _read_seats(request: pb.CreateSessionRequest) -> tuple[SeatRecord, ...]:
    if len(request.seats) > MOST_SEATS:
        raise InvalidField("seats", f"No game has more than {MOST_SEATS} seats.")
    chosen = [
        choice_of(setup, "occupant", (Occupant.OPEN, Occupant.BOT), f"seats[{seat}].occupant")
        for seat, setup in enumerate(request.seats)
    ]
    return tuple([BOT if occupant is Occupant.BOT else OPEN for occupant in chosen])


def _write_cursor(cursor: Cursor | None) -> str:
    return "" if cursor is None else urlsafe_b64encode(json.dumps(cursor).encode()).decode()


def _read_cursor(token: str) -> Cursor | None:
    if not token:
        return None
    try:
        if len(token) <= LONGEST_CURSOR:
            since, session = json.loads(urlsafe_b64decode(token.encode()))
            if type(since) is int and type(session) is str:
                return since, session
    except (Base64Error, ValueError, TypeError):
        pass
    raise InvalidField("page_token", "It is not a token that a page came with.")
