"""The RPCs that change sessions, and the streams.

Each method checks the request, calls the sessions, and renders the response. None knows a transport. It takes the
request and the caller's bearer token (``None`` without one). It raises the refusals of ``domain.errors`` and
``skerry_games.api``, which ``error_table.status_of`` converts to statuses.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, aclosing
from functools import lru_cache
from typing import Any, TypeVar

from skerry.v1 import service_pb2 as pb
from skerry_service.access.client_addresses import UNKNOWN_ORIGIN, StreamOrigin
from skerry_service.access.identity.identity_errors import IdentityMissing
from skerry_service.access.identity.vouched_players import current_player
from skerry_service.api.act import make_move
from skerry_service.api.endpoints.endpoint_methods import WebhookEndpointMethods
from skerry_service.api.ladder_methods import LadderMethods
from skerry_service.api.lists.directory_methods import Ask, peer_directory
from skerry_service.api.play_stream import OnActed, OnRefused, Play, Receive
from skerry_service.api.reading_methods import ReadingMethods
from skerry_service.api.rendering import (
    VIEWS,
    entry_for_view,
    includes_position,
)
from skerry_service.api.requests.calling_players import calling_name_of, calling_player_id
from skerry_service.api.requests.match_requests import callers_of, ticket_request_of, write_match_update
from skerry_service.api.requests.new_session_requests import fork_of, new_session_of
from skerry_service.api.requests.request_checks import (
    choice_of,
    entropy_of,
    labels_of,
    level_of,
    request_id_of,
    require_own_cell,
    session_of,
    stream_start_of,
    ticket_of,
    webhook_events_of,
)
from skerry_service.api.requests.seat_requests import bot_of
from skerry_service.api.tournaments.tournament_methods import TournamentMethods
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.record import SESSION_WEBHOOK_EVENTS, Emote
from skerry_service.domain.table import Change, Table
from skerry_service.domain.tokens import (
    ANONYMOUS,
    ANY_SEAT,
    HOST,
    Caller,
    PlayerCredential,
    Role,
    join_code_of,
    recognise,
)
from skerry_service.sessions.service import Sessions
from skerry_service.watching.streams import StreamReader
from skerry_service.wire.serialized import Serialized, serialize
from skerry_service.wire.session_messages import (
    write_clocks,
)
from skerry_service.wire.splice import int_field, message_field

_ACT_VIEWS = tuple(sorted(VIEWS))
"""The first is the default: none."""
ActResponse = TypeVar("ActResponse", pb.ActResponse, pb.UndoMoveResponse)
"""Both have the same fields."""
_ACT_SEQUENCE, _ACT_ENTRIES, _ACT_POSITION = (
    int_field(pb.ActResponse, "sequence"),
    message_field(pb.ActResponse, "entries"),
    message_field(pb.ActResponse, "position"),
)


class Methods(ReadingMethods, LadderMethods, TournamentMethods, WebhookEndpointMethods):
    """The RPCs of ``SkerryService``."""

    def __init__(
        self,
        sessions: Sessions,
        on_refused: OnRefused = lambda error: None,
        on_acted: OnActed = lambda seconds: None,
        peers: Mapping[str, Ask] | None = None,
    ) -> None:
        """``on_refused``: called with each refusal inside a stream that continues. ``on_acted``: see ``OnActed``.

        ``peers``: ask the other cells of the service.
        """
        super().__init__(sessions)
        self._directory = peer_directory(peers or {})
        self._on_refused, self._on_acted = on_refused, on_acted

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
        session, name = session_of(request.name), calling_name_of(request.display_name)
        wanted = request.seat if request.HasField("seat") else None
        player_id, request_id = calling_player_id(request.player_id), request_id_of(request.request_id)
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
        cell = self._sessions.new_games.cell
        async with aclosing(self._sessions.matchmaker.find(ticket, request_id, callers_of(ticket, origin))) as updates:
            async for update in updates:
                yield serialize(write_match_update(update, ticket.game, self._renderer, cell))

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

    async def send_emote(self, request: pb.SendEmoteRequest, token: str | None) -> Serialized[pb.SendEmoteResponse]:
        """Send an emote to the table."""
        session, request_id = session_of(request.name), request_id_of(request.request_id)
        if not request.emote:
            raise InvalidField("emote", "Send an emote, for example EMOTE_HELLO.")
        emote = choice_of(request, "emote", tuple(Emote))
        table = await self._sessions.players.send_emote(session, token, emote, request_id)
        return self._renderer.response(pb.SendEmoteResponse, table, ANY_SEAT)

    async def set_webhook(self, request: pb.SetWebhookRequest, token: str | None) -> Serialized[pb.SetWebhookResponse]:
        """Set, replace or remove a webhook."""
        session, request_id = session_of(request.name), request_id_of(request.request_id)
        events = webhook_events_of(request.events, SESSION_WEBHOOK_EVENTS)
        table, secret = await self._sessions.webhooks.set(session, token, request.url, events, request_id)
        return self._renderer.response(pb.SetWebhookResponse, table, recognise(table.record, token), secret=secret)

    async def open_seat(self, request: pb.OpenSeatRequest, token: str | None) -> Serialized[pb.OpenSeatResponse]:
        """Open an abandoned seat to other players."""
        session, request_id = session_of(request.name), request_id_of(request.request_id)
        if not request.HasField("seat"):
            raise InvalidField("seat", "Send the abandoned seat.")
        table = await self._sessions.host.open_seat(session, token, request.seat, request_id)
        return self._renderer.response(pb.OpenSeatResponse, table, HOST)

    async def recover_seat(
        self, request: pb.RecoverSeatRequest, token: str | None
    ) -> Serialized[pb.RecoverSeatResponse]:
        """Return a new token of the vouched caller's own seat."""
        session, request_id = session_of(request.name), request_id_of(request.request_id)
        wanted = request.seat if request.HasField("seat") else None
        player = current_player()
        if player is None:
            await self._sessions.live(session)  # as in every call, an unknown session is reported first
            raise IdentityMissing
        table, seat, seat_token = await self._sessions.players.recover(session, player.player_id, wanted, request_id)
        caller = Caller(Role.SEAT, seat)
        return self._renderer.response(pb.RecoverSeatResponse, table, caller, seat=seat, seat_token=seat_token)

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

    # ------------------------------------------------------------ play

    async def act(self, request: pb.ActRequest, token: str | None) -> Serialized[pb.ActResponse]:
        """Make one move."""
        view = choice_of(request, "view", _ACT_VIEWS)
        table, made = await make_move(self._sessions, request, request.name, token)
        return await self._act_response(pb.ActResponse, table, made, view)

    async def undo_move(self, request: pb.UndoMoveRequest, token: str | None) -> Serialized[pb.UndoMoveResponse]:
        """Take back the caller's latest move."""
        view = choice_of(request, "view", _ACT_VIEWS)
        session, request_id = session_of(request.name), request_id_of(request.request_id)
        if request.expected_sequence <= 0:
            raise InvalidField("expected_sequence", "Send the sequence of the position for which you decided.")
        undone = await self._sessions.players.undo(session, token, request.expected_sequence, request_id)
        return await self._act_response(pb.UndoMoveResponse, undone[0].table, undone, view)

    async def _act_response(
        self, kind: type[ActResponse], table: Table, made: tuple[Change, int] | None, view: pb.PositionView.ValueType
    ) -> Serialized[ActResponse]:
        """Return the response to a move made or taken back. ``made``: the change and its seat, if there is one."""
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
        return Serialized(kind, b"".join(parts))

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

        player = token if isinstance(token, PlayerCredential) else None

        def follow(attach: pb.PlayAttach) -> AbstractAsyncContextManager[StreamReader]:
            require_own_cell(attach.name, self._sessions.new_games.cell)
            session, after = stream_start_of(attach)
            return self._sessions.reading(session, attach.token or player, after, origin.reader)

        async def act(act: pb.PlayAct, attach: pb.PlayAttach) -> int:
            table, _ = await make_move(self._sessions, act, attach.name, attach.token or player)
            return table.sequence

        observers = self._on_refused, self._on_acted
        return Play(follow, self._renderer, act, self._sessions.on_close, *observers).messages(receive)


@lru_cache(maxsize=8)
def _epoch_to_wire(epoch: str) -> bytes:
    return pb.ActResponse(epoch=epoch).SerializeToString()
