"""One method for each RPC: checks the request, calls the sessions, renders the response. Knows no transport.

Every method takes the request and the caller's bearer token (``None`` without one). It raises the refusals of
``domain.errors`` and ``skerry_games.api``, which ``error_table.status_of`` converts to statuses.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, aclosing, suppress
from functools import lru_cache
from typing import Any

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.access.client_addresses import UNKNOWN_ORIGIN, StreamOrigin
from skerry_service.api.act import make_move
from skerry_service.api.list_requests import read_cursor, session_filter_of, write_cursor
from skerry_service.api.match_requests import callers_of, ticket_request_of, write_match_update
from skerry_service.api.new_session_requests import fork_of, new_session_of
from skerry_service.api.pictures.picture_methods import PictureMethods
from skerry_service.api.play_stream import OnActed, OnRefused, Play, Receive
from skerry_service.api.rendering import (
    VIEWS,
    Renderer,
    View,
    entry_for_view,
    includes_position,
    past_position,
    position_text,
)
from skerry_service.api.request_checks import (
    choice_of,
    display_name_of,
    entropy_of,
    game_of,
    labels_of,
    level_of,
    past_sequence_of,
    player_id_of,
    request_id_of,
    session_of,
    stream_start_of,
    ticket_of,
    webhook_events_of,
)
from skerry_service.api.seat_requests import bot_of
from skerry_service.domain.delay import sees_delayed
from skerry_service.domain.errors import InvalidField, SessionDamaged
from skerry_service.domain.table import Table
from skerry_service.domain.tokens import (
    ANONYMOUS,
    ANY_SEAT,
    HOST,
    Caller,
    Role,
    join_code_of,
    may_see_join_code,
    may_view_game,
    recognise,
    require_view_access,
)
from skerry_service.sessions.loader import confined
from skerry_service.sessions.service import Sessions
from skerry_service.watching.streams import StreamReader
from skerry_service.wire.serialized import Serialized, serialize
from skerry_service.wire.session_messages import (
    entries_to_wire,
    write_clocks,
    write_game,
    write_session,
)
from skerry_service.wire.splice import int_field, message_field

PAGE_SIZE = 20
LARGEST_PAGE = 100
MOST_SAMPLES = 64
ENTRIES_PAGE, MOST_ENTRIES = 100, 500
"""The default and the largest page of a log."""
_ACT_VIEWS = tuple(sorted(VIEWS))
"""The first is the default: none."""
_GET_POSITION, _REPLAY_ENTRIES = (
    message_field(pb.GetSessionResponse, "position"),
    message_field(session_pb2.Replay, "entries"),
)
_LISTED_ENTRIES = message_field(pb.ListEntriesResponse, "entries")
_ACT_SEQUENCE, _ACT_ENTRIES, _ACT_POSITION = (
    int_field(pb.ActResponse, "sequence"),
    message_field(pb.ActResponse, "entries"),
    message_field(pb.ActResponse, "position"),
)


class Methods(PictureMethods):
    """The RPCs of ``SkerryService``."""

    def __init__(
        self,
        sessions: Sessions,
        on_refused: OnRefused = lambda error: None,
        on_acted: OnActed = lambda seconds: None,
    ) -> None:
        """``on_refused``: called with each refusal inside a stream that continues. ``on_acted``: see ``OnActed``."""
        super().__init__(sessions)
        self._on_refused, self._on_acted = on_refused, on_acted
        self._renderer = Renderer(sessions)
        self._games: dict[str, Serialized[pb.GetGameResponse]] = {}
        """The responses of ``get_game`` by ruleset: their drawings have up to 300 KB."""

    # ------------------------------------------------------------ catalogue

    async def list_games(self, request: pb.ListGamesRequest, token: str | None) -> pb.ListGamesResponse:
        """List the games."""
        return pb.ListGamesResponse(
            games=[write_game(game, self._sessions.levels, full=False) for game in self._sessions.new_games.all()]
        )

    async def get_game(self, request: pb.GetGameRequest, token: str | None) -> Serialized[pb.GetGameResponse]:
        """Return one game with its board and rules."""
        if not request.name.startswith("games/"):
            raise InvalidField("name", "The name of a game has the form games/{id}.")
        game = game_of(request.name.removeprefix("games/"), self._sessions.new_games.game)
        known = self._games.get(game.ruleset)
        if known is None:
            response = pb.GetGameResponse(game=write_game(game, self._sessions.levels, full=True))
            known = self._games[game.ruleset] = serialize(response)
        return known

    # ------------------------------------------------------------ lifecycle

    async def create_session(
        self, request: pb.CreateSessionRequest, token: str | None
    ) -> Serialized[pb.CreateSessionResponse]:
        """Create a session."""
        new = new_session_of(request, self._sessions.new_games, self._sessions.levels)
        table, host, spectator = await self._sessions.create(new, request_id_of(request.request_id))
        return self._renderer.response(
            pb.CreateSessionResponse,
            table,
            HOST,
            host_token=host,
            spectator_token=spectator,
            join_code=join_code_of(table.record),
        )

    async def join_session(
        self, request: pb.JoinSessionRequest, token: str | None
    ) -> Serialized[pb.JoinSessionResponse]:
        """Take a seat."""
        session, name = session_of(request.name), display_name_of(request.display_name)
        wanted = request.seat if request.HasField("seat") else None
        player_id, request_id = player_id_of(request.player_id), request_id_of(request.request_id)
        table, seat, seat_token = await self._sessions.players.join(
            session,
            name,
            wanted,
            request_id,
            player_id=player_id,
            code=request.join_code,
            bot=bot_of(request.bot_token),
            entropy=entropy_of(request.entropy),
        )
        caller = Caller(Role.SEAT, seat)
        return self._renderer.response(pb.JoinSessionResponse, table, caller, seat=seat, seat_token=seat_token)

    async def find_match(
        self, request: pb.FindMatchRequest, token: str | None, origin: StreamOrigin = UNKNOWN_ORIGIN
    ) -> AsyncGenerator[Serialized[Any], None]:
        """Find a match and stream the updates of its ticket."""
        ticket, request_id = ticket_request_of(request, self._sessions.new_games), request_id_of(request.request_id)
        async with aclosing(self._sessions.matchmaker.find(ticket, request_id, callers_of(ticket, origin))) as updates:
            async for update in updates:
                yield serialize(write_match_update(update, ticket.game, self._renderer))

    async def confirm_match(self, request: pb.ConfirmMatchRequest, token: str | None) -> pb.ConfirmMatchResponse:
        """Confirm a proposal."""
        await self._sessions.matchmaker.confirm(ticket_of(request.ticket), request.proposal)
        return pb.ConfirmMatchResponse()

    async def start_session(
        self, request: pb.StartSessionRequest, token: str | None
    ) -> Serialized[pb.StartSessionResponse]:
        """Start the game early."""
        session, request_id = session_of(request.name), request_id_of(request.request_id)
        if request.level and not request.fill_with_bots:
            raise InvalidField("level", "The level is for bots that fill open seats. Set fill_with_bots too.")
        level = level_of(request.level, self._sessions.levels, "level")
        table = await self._sessions.host.start(session, token, request.fill_with_bots, request_id, level=level)
        return self._renderer.response(pb.StartSessionResponse, table, HOST)

    async def leave_session(
        self, request: pb.LeaveSessionRequest, token: str | None
    ) -> Serialized[pb.LeaveSessionResponse]:
        """Leave a seat."""
        table = await self._sessions.players.leave(session_of(request.name), token, request_id_of(request.request_id))
        return self._renderer.response(pb.LeaveSessionResponse, table, ANONYMOUS)

    async def return_to_session(
        self, request: pb.ReturnToSessionRequest, token: str | None
    ) -> Serialized[pb.ReturnToSessionResponse]:
        """Take a seat back from its substitute."""
        table = await self._sessions.players.return_to_seat(
            session_of(request.name), token, request_id_of(request.request_id)
        )
        return self._renderer.response(pb.ReturnToSessionResponse, table, ANY_SEAT)

    async def resign_session(
        self, request: pb.ResignSessionRequest, token: str | None
    ) -> Serialized[pb.ResignSessionResponse]:
        """Resign the game."""
        table = await self._sessions.players.resign(session_of(request.name), token, request_id_of(request.request_id))
        return self._renderer.response(pb.ResignSessionResponse, table, ANY_SEAT)

    async def nudge_seat(self, request: pb.NudgeSeatRequest, token: str | None) -> Serialized[pb.NudgeSeatResponse]:
        """Remind the player of another seat of its decision."""
        session, request_id = session_of(request.name), request_id_of(request.request_id)
        if not request.HasField("seat"):
            raise InvalidField("seat", "Send the seat that is to act.")
        table = await self._sessions.players.nudge(session, token, request.seat, request_id)
        return self._renderer.response(pb.NudgeSeatResponse, table, ANY_SEAT)

    async def set_webhook(self, request: pb.SetWebhookRequest, token: str | None) -> Serialized[pb.SetWebhookResponse]:
        """Set, replace or remove a webhook."""
        session, request_id = session_of(request.name), request_id_of(request.request_id)
        events = webhook_events_of(request.events)
        table, secret = await self._sessions.webhooks.set(session, token, request.url, events, request_id)
        return self._renderer.response(pb.SetWebhookResponse, table, recognise(table.record, token), secret=secret)

    async def open_seat(self, request: pb.OpenSeatRequest, token: str | None) -> Serialized[pb.OpenSeatResponse]:
        """Open an abandoned seat to other players."""
        session, request_id = session_of(request.name), request_id_of(request.request_id)
        if not request.HasField("seat"):
            raise InvalidField("seat", "Send the abandoned seat.")
        table = await self._sessions.host.open_seat(session, token, request.seat, request_id)
        return self._renderer.response(pb.OpenSeatResponse, table, HOST)

    async def cancel_session(
        self, request: pb.CancelSessionRequest, token: str | None
    ) -> Serialized[pb.CancelSessionResponse]:
        """Cancel a session."""
        table = await self._sessions.host.cancel(session_of(request.name), token, request_id_of(request.request_id))
        return self._renderer.response(pb.CancelSessionResponse, table, HOST)

    async def rematch_session(
        self, request: pb.RematchSessionRequest, token: str | None
    ) -> Serialized[pb.RematchSessionResponse]:
        """Take the caller's seat in the rematch of a finished session."""
        session = session_of(request.name)
        request_id_of(request.request_id)
        joined = await self._sessions.rematches.rematch(session, token, entropy_of(request.entropy))
        return self._renderer.response(
            pb.RematchSessionResponse,
            joined.table,
            Caller(Role.SEAT, joined.seat),
            seat=joined.seat,
            seat_token=joined.token,
            host_token=joined.host,
            spectator_token=joined.spectator,
        )

    async def fork_session(
        self, request: pb.ForkSessionRequest, token: str | None
    ) -> Serialized[pb.ForkSessionResponse]:
        """Create a session that continues a finished game from one of its entries."""
        session, request_id = session_of(request.name), request_id_of(request.request_id)
        if request.sequence <= 0:
            raise InvalidField("sequence", "Send the entry after which the fork continues, any since the game began.")
        new = fork_of(request, self._sessions.levels)
        table, host, spectator = await self._sessions.rematches.fork(session, token, request.sequence, new, request_id)
        return self._renderer.response(
            pb.ForkSessionResponse,
            table,
            HOST,
            host_token=host,
            spectator_token=spectator,
            join_code=join_code_of(table.record),
        )

    async def label_session(
        self, request: pb.LabelSessionRequest, token: str | None
    ) -> Serialized[pb.LabelSessionResponse]:
        """Replace a session's labels."""
        session, labels = session_of(request.name), labels_of(request.labels)
        table = await self._sessions.host.label(session, token, labels, request_id_of(request.request_id))
        return self._renderer.response(pb.LabelSessionResponse, table, HOST)

    async def remove_player(
        self, request: pb.RemovePlayerRequest, token: str | None
    ) -> Serialized[pb.RemovePlayerResponse]:
        """Remove a player in the lobby."""
        session, request_id = session_of(request.name), request_id_of(request.request_id)
        if not request.HasField("seat"):
            raise InvalidField("seat", "Send the seat of the player.")
        table = await self._sessions.host.remove(session, token, request.seat, request_id)
        return self._renderer.response(pb.RemovePlayerResponse, table, HOST)

    # ------------------------------------------------------------ reading

    async def get_session(self, request: pb.GetSessionRequest, token: str | None) -> Serialized[pb.GetSessionResponse]:
        """Return a session and what the caller may see of its game."""
        session, view = session_of(request.name), choice_of(request, "view", VIEWS)
        if request.HasField("sequence"):
            table, caller, past = await self._sessions.past(session, token, past_sequence_of(request.sequence))
            shown = includes_position(view, past, caller.seat)
            parts = [_GET_POSITION(past_position(past, caller.seat, view))] if shown else []
        else:
            table, caller = await self._sessions.get(session, token)
            parts = await self._position_parts(table, caller, view)
        rematch = await self._sessions.rematches.find(table.record)
        return self._renderer.response(
            pb.GetSessionResponse,
            table,
            caller,
            *parts,
            seat=caller.seat,
            join_code=join_code_of(table.record) if may_see_join_code(caller) else None,
            rematch=f"sessions/{rematch}" if rematch else None,
        )

    async def get_position_text(
        self, request: pb.GetPositionTextRequest, token: str | None
    ) -> pb.GetPositionTextResponse:
        """Return the position in words, as the caller may see it."""
        session = session_of(request.name)
        if request.HasField("sequence"):
            _, caller, table = await self._sessions.past(session, token, past_sequence_of(request.sequence))
        else:
            table, caller = await self._sessions.get(session, token)
            require_view_access(table.record, caller)
        return pb.GetPositionTextResponse(sequence=table.sequence, text=position_text(table, caller.seat))

    async def _position_parts(self, table: Table, caller: Caller, view: View) -> list[bytes]:
        """Return the current position and clocks for the caller, as parts of a serialized GetSessionResponse."""
        if not (may_view_game(table.record, caller) and includes_position(view, table, caller.seat)):
            return []
        position = self._renderer.position(table, caller, view, with_areas=True)
        parts = [_GET_POSITION(position)] if position else []
        if table.clocks and not sees_delayed(table.record, caller):
            clocks = write_clocks(table, await self._sessions.uptime_ms())
            parts.append(pb.GetSessionResponse(clocks=clocks).SerializeToString())
        return parts

    async def sample_states(self, request: pb.SampleStatesRequest, token: str | None) -> pb.SampleStatesResponse:
        """Sample states that the caller's seat cannot distinguish from the true one."""
        session = session_of(request.name)
        if not 0 <= request.count <= MOST_SAMPLES:
            raise InvalidField("count", f"Send a count from 1 to {MOST_SAMPLES}, or none for one state.")
        table, seat, states = await self._sessions.sample(session, token, request.count or 1)
        game = table.game
        return pb.SampleStatesResponse(
            game=game.id, ruleset=game.ruleset, seat=seat, sequence=table.sequence, states=states
        )

    async def list_sessions(self, request: pb.ListSessionsRequest, token: str | None) -> pb.ListSessionsResponse:
        """Return a page of public sessions."""
        if request.page_size < 0:
            raise InvalidField("page_size", "The size of a page must not be negative.")
        size = min(request.page_size or PAGE_SIZE, LARGEST_PAGE)
        page = await self._sessions.public(read_cursor(request.page_token), size, *session_filter_of(request))
        epoch = self._sessions.epoch
        response = pb.ListSessionsResponse(next_page_token=write_cursor(page.next))
        for record, sequence in page.sessions:
            with suppress(SessionDamaged), confined(record.id):
                listed = write_session(record, sequence, epoch, with_player_ids=record.public_player_ids)
                response.sessions.append(listed)
        return response

    async def get_replay(self, request: pb.GetReplayRequest, token: str | None) -> Serialized[pb.GetReplayResponse]:
        """Return the whole log as the caller may see it."""
        table, caller, log = await self._sessions.replay(session_of(request.name), token)
        entries = await self._sessions.tasks.run(entries_to_wire(table, log, caller.seat))
        public = self._renderer.response(
            session_pb2.Replay, table, ANONYMOUS
        )  # without player ids: people pass replays on
        replay = b"".join((public.serialized(), *map(_REPLAY_ENTRIES, entries)))
        return Serialized(pb.GetReplayResponse, message_field(pb.GetReplayResponse, "replay")(replay))

    async def list_entries(
        self, request: pb.ListEntriesRequest, token: str | None
    ) -> Serialized[pb.ListEntriesResponse]:
        """Return a page of the log after an entry, as the caller may see it."""
        session, after = session_of(request.name), request.after_sequence
        if after < 0:
            raise InvalidField("after_sequence", "Send the number of an entry, or 0 for the whole log.")
        if request.page_size < 0:
            raise InvalidField("page_size", "The size of a page must not be negative.")
        most = min(request.page_size or ENTRIES_PAGE, MOST_ENTRIES)
        table, caller, log = await self._sessions.entries(session, token, after, most)
        entries = await self._sessions.tasks.run(entries_to_wire(table, log, caller.seat))
        reached = pb.ListEntriesResponse(sequence=table.sequence, epoch=self._sessions.epoch)
        return Serialized(
            pb.ListEntriesResponse, b"".join((reached.SerializeToString(), *map(_LISTED_ENTRIES, entries)))
        )

    # ------------------------------------------------------------ play

    async def act(self, request: pb.ActRequest, token: str | None) -> Serialized[pb.ActResponse]:
        """Make one move."""
        view = choice_of(request, "view", _ACT_VIEWS)
        table, made = await make_move(self._sessions, request, request.name, token)
        parts = [_ACT_SEQUENCE(table.sequence)]
        if made is not None:
            change, seat = made
            parts += [_ACT_ENTRIES(entry_for_view(table, applied, seat, view)) for applied in change.applied]
            if includes_position(view, table, seat):
                parts.append(_ACT_POSITION(self._renderer.position(table, Caller(Role.SEAT, seat), view)))
        parts.append(_epoch_to_wire(self._sessions.epoch))
        if table.clocks:
            clocks = write_clocks(table, await self._sessions.uptime_ms())
            parts.append(pb.ActResponse(clocks=clocks).SerializeToString())
        return Serialized(pb.ActResponse, b"".join(parts))

    async def observe(
        self, request: pb.ObserveRequest, token: str | None, origin: StreamOrigin = UNKNOWN_ORIGIN
    ) -> AsyncGenerator[Serialized[Any], None]:
        """Stream the entries of a session. Spectators are counted by their origin."""
        (session, after), view = stream_start_of(request), choice_of(request, "view", VIEWS)
        async with self._sessions.reading(session, token, after, origin.reader) as reading:
            while True:
                update = reading.read()
                rendered = self._renderer.render_now(update, reading.caller, view)
                yield rendered or await self._renderer.render_update(update, reading.caller, view)
                if reading.over:
                    return
                await reading.feed.wait(reading.generation)

    def play(
        self, receive: Receive, token: str | None, origin: StreamOrigin = UNKNOWN_ORIGIN
    ) -> AsyncGenerator[bytes, None]:
        """Play and observe many sessions over one stream."""

        def follow(attach: pb.PlayAttach) -> AbstractAsyncContextManager[StreamReader]:
            session, after = stream_start_of(attach)
            return self._sessions.reading(session, attach.token or None, after, origin.reader)

        observers = self._on_refused, self._on_acted
        return Play(follow, self._renderer, self._act, self._sessions.on_close, *observers).messages(receive)

    async def _act(self, act: pb.PlayAct, attach: pb.PlayAttach) -> int:
        table, _ = await make_move(self._sessions, act, attach.name, attach.token or None)
        return table.sequence


@lru_cache(maxsize=8)
def _epoch_to_wire(epoch: str) -> bytes:
    return pb.ActResponse(epoch=epoch).SerializeToString()
