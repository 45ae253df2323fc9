"""The methods of ``AdminService``, one for each RPC."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol

from google.protobuf.timestamp_pb2 import Timestamp

from skerry.admin.v1 import admin_pb2 as pb
from skerry.admin.v1 import competitions_pb2, overview_pb2
from skerry.v1 import ladder_pb2, session_pb2
from skerry_service.api.ladder_rendering import write_bot, write_ladder
from skerry_service.api.requests.ladder_requests import (
    ladder_of,
    new_ladder_of,
    number_of_token,
    own_id_of,
    page_size_of,
)
from skerry_service.api.requests.request_checks import (
    request_id_of,
    session_of,
    stored_player_id_of,
)
from skerry_service.api.requests.tournament_requests import tournament_of
from skerry_service.api.tournaments.tournament_rendering import write_tournament
from skerry_service.domain.errors import InvalidField, ReplicaNotFound
from skerry_service.domain.languages.phrases import phrase
from skerry_service.domain.record import Phase
from skerry_service.domain.table import Table
from skerry_service.edge.admin.ban_methods import BanMethods
from skerry_service.edge.admin.competition_reading import CompetitionReading
from skerry_service.edge.admin.session_listings import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, AllSessions, SessionListings
from skerry_service.ladders.ladder_records import StoredLadder
from skerry_service.sessions.resources.audit_log import AuditLog
from skerry_service.sessions.resources.ban_registry import BanRegistry
from skerry_service.sessions.service import Sessions
from skerry_service.wire.session_messages import write_clocks, write_session

ADMIN_SERVICE = pb.DESCRIPTOR.services_by_name["AdminService"]
_TOURNAMENTS = 20
"""Tournaments of a page, unless the request says otherwise."""
_MOST_PROBLEMS = 1000
_REPLICA = re.compile(r"[0-9a-f]{16}")
_log = logging.getLogger(__name__)


class ErasureStep(Protocol):
    """A step of an erasure."""

    @property
    def place(self) -> str:
        """``sessions``, ``tournaments``, ``ladders`` or ``matchmaking``."""

    @property
    def count(self) -> int:
        """How much was erased."""

    @property
    def session(self) -> str:
        """The session that the step is about; empty if none."""

    @property
    def problem(self) -> str:
        """Why something remains; empty if nothing does."""


class Erasure(Protocol):
    """The erasure of players from all that the service stores."""

    def everywhere(self, player_id: str) -> AsyncIterator[ErasureStep]:
        """Erase a player. Raises StoreUnavailable, StoreFull."""


class DrainReplicas(Protocol):
    """Lets replicas shut down."""

    @property
    def own(self) -> str:
        """The id of the replica that answers."""

    async def __call__(self, replica: str) -> bool:
        """Let a replica shut down. Return whether it is live and reads marks. Raises StoreUnavailable, StoreFull."""


ReadOverview = Callable[[], Awaitable[overview_pb2.GetOverviewResponse]]
"""Returns the state of the service. Raises nothing that concerns the store."""


class AdminMethods(BanMethods):
    """The RPCs of ``AdminService``."""

    def __init__(
        self,
        sessions: Sessions,
        all_sessions: AllSessions,
        erasure: Erasure,
        overview: ReadOverview,
        drain: DrainReplicas,
        bans: BanRegistry,
        audit: AuditLog,
    ) -> None:
        super().__init__(bans, audit)
        self._erasure = erasure
        self._sessions = sessions
        self._all_sessions = all_sessions
        self._overview = overview
        self._drain = drain
        self._listings = SessionListings(all_sessions)
        self._competitions = CompetitionReading(sessions)

    async def list_all_sessions(self, request: pb.ListAllSessionsRequest, _: str | None) -> pb.ListAllSessionsResponse:
        """Return a page of all sessions."""
        return await self._listings.page(request)

    async def inspect_session(self, request: pb.InspectSessionRequest, _: str | None) -> pb.InspectSessionResponse:
        """Return what a spectator may see of a session, and the state of its service."""
        session = session_of(request.name)
        live, streams = await self._sessions.operator.look(session)
        view, _caller = await self._sessions.get(session, None)
        playing = live.record.phase is Phase.PLAYING
        response = pb.InspectSessionResponse(
            session=self._write(view),
            sequence=live.sequence,
            change_time=_time(live.time_ms),
            to_act=[seat for seat in live.to_act if seat >= 0] if playing else (),
            streams=streams,
        )
        if live.clocks:
            response.clocks.CopyFrom(write_clocks(live, await self._sessions.uptime_ms()))
        return response

    async def end_session(self, request: pb.EndSessionRequest, _: str | None) -> pb.EndSessionResponse:
        """Cancel a session."""
        session = session_of(request.name)
        table = await self._sessions.operator.end(session, request_id_of(request.request_id))
        _log.warning("an operator cancelled sessions/%s", session)
        return pb.EndSessionResponse(session=self._write(table))

    async def drain_replica(self, request: pb.DrainReplicaRequest, _: str | None) -> pb.DrainReplicaResponse:
        """Let a replica shut down."""
        named, own = request.name, self._drain.own
        replica = own_id_of(named, "name", "replica", _REPLICA, ReplicaNotFound) if named else own
        if not await self._drain(replica):
            raise ReplicaNotFound(replica)
        _log.warning("an operator drains replicas/%s", replica)
        return pb.DrainReplicaResponse(name=f"replicas/{replica}")

    async def get_overview(
        self, request: overview_pb2.GetOverviewRequest, _: str | None
    ) -> overview_pb2.GetOverviewResponse:
        """Return the state of the service."""
        return await self._overview()

    async def get_competitions(
        self, request: competitions_pb2.GetCompetitionsRequest, _: str | None
    ) -> competitions_pb2.GetCompetitionsResponse:
        """Return the ladders and tournaments, and where they stand."""
        return await self._competitions.read()

    async def create_ladder(self, request: pb.CreateLadderRequest, _: str | None) -> pb.CreateLadderResponse:
        """Create a ladder."""
        name, wanted = new_ladder_of(request, self._sessions.new_games)
        ladder = await self._sessions.ladders.admin.create(name, wanted)
        return pb.CreateLadderResponse(ladder=await self._write_ladder(name, ladder))

    async def close_ladder(self, request: pb.CloseLadderRequest, _: str | None) -> pb.CloseLadderResponse:
        """Close a ladder."""
        name = ladder_of(request.name)
        ladder = await self._sessions.ladders.admin.close(name)
        return pb.CloseLadderResponse(ladder=await self._write_ladder(name, ladder))

    async def start_ladder_season(
        self, request: pb.StartLadderSeasonRequest, _: str | None
    ) -> pb.StartLadderSeasonResponse:
        """Start a season of a ladder."""
        name = ladder_of(request.name)
        ladder = await self._sessions.ladders.admin.start_season(name, request.season)
        return pb.StartLadderSeasonResponse(ladder=await self._write_ladder(name, ladder))

    async def list_all_ladders(self, request: pb.ListAllLaddersRequest, _: str | None) -> pb.ListAllLaddersResponse:
        """Return all ladders."""
        found = await self._sessions.ladders.readings.all()
        return pb.ListAllLaddersResponse(ladders=[write_ladder(name, *one) for name, one in found.items()])

    async def list_bots(self, request: pb.ListBotsRequest, _: str | None) -> pb.ListBotsResponse:
        """Return a page of all bots, with their contacts."""
        if not 0 <= request.page_size <= MAX_PAGE_SIZE:
            raise InvalidField("page_size", phrase("field-page-size", most=MAX_PAGE_SIZE, default=DEFAULT_PAGE_SIZE))
        size, bots = request.page_size or DEFAULT_PAGE_SIZE, await self._sessions.ladders.bots.all()
        names = sorted(name for name in bots if name > request.page_token)
        page = [
            pb.RegisteredBot(bot=write_bot(name, bots[name]), key=bots[name].key, contact=bots[name].contact)
            for name in names[:size]
        ]
        return pb.ListBotsResponse(bots=page, next_page_token=names[size - 1] if len(names) > size else "")

    async def list_all_tournaments(
        self, request: pb.ListAllTournamentsRequest, _: str | None
    ) -> pb.ListAllTournamentsResponse:
        """Return a page of all tournaments."""
        size, first = page_size_of(request.page_size, _TOURNAMENTS), number_of_token(request.page_token) or 0
        found, more = await self._sessions.tournaments.all(first, size)
        return pb.ListAllTournamentsResponse(
            tournaments=[write_tournament(*one) for one in found], next_page_token=str(first + size) if more else ""
        )

    async def end_tournament(self, request: pb.EndTournamentRequest, _: str | None) -> pb.EndTournamentResponse:
        """Cancel a tournament."""
        name = tournament_of(request.name)
        after = await self._sessions.tournaments.end(name)
        _log.warning("an operator cancelled tournaments/%s", name)
        return pb.EndTournamentResponse(tournament=write_tournament(name, after))

    async def forget_player(self, request: pb.ForgetPlayerRequest, _: str | None) -> pb.ForgetPlayerResponse:
        """Erase what is stored about a player."""
        if not request.player_id:
            raise InvalidField("player_id", "Send the id of the player to erase.")
        player_id, response = stored_player_id_of(request.player_id, "player_id"), pb.ForgetPlayerResponse()
        counts = Counter[str]()
        async for step in self._erasure.everywhere(player_id):
            counts[step.place] += step.count
            if step.problem and len(response.problems) < _MOST_PROBLEMS:
                session = f"sessions/{step.session}" if step.session else ""
                response.problems.add(session=session, detail=step.problem)
        response.sessions, response.tournaments = counts["sessions"], counts["tournaments"]
        response.seasons, response.missed_proposals = counts["ladders"], counts["matchmaking"]
        _log.warning("an operator erased a player from %d sessions", response.sessions)
        return response

    async def _write_ladder(self, name: str, ladder: StoredLadder) -> ladder_pb2.Ladder:
        return write_ladder(name, ladder, *await self._sessions.ladders.readings.activity(name))

    def _write(self, table: Table) -> session_pb2.Session:
        return write_session(table.record, table.sequence, self._sessions.epoch, with_player_ids=False)


def _time(milliseconds: int) -> Timestamp:
    time = Timestamp()
    time.FromMilliseconds(milliseconds)
    return time
