"""A well-formed request of each RPC about tournaments, for tables with a row for each RPC. None of them exists."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from google.protobuf.message import Message

from skerry.v1 import tournament_pb2 as pb

NAME = "tournaments/abcdefghijklmnop"
REQUEST_ID = str(UUID(int=1, version=4))
TOURNAMENT_REQUESTS: Mapping[str, Message] = {
    "CreateTournament": pb.CreateTournamentRequest(title="Cup", game="kreta", seats=2, request_id=REQUEST_ID),
    "GetTournament": pb.GetTournamentRequest(name=NAME),
    "ListTournaments": pb.ListTournamentsRequest(),
    "EnterTournament": pb.EnterTournamentRequest(name=NAME, display_name="Eve", request_id=REQUEST_ID),
    "LeaveTournament": pb.LeaveTournamentRequest(name=NAME),
    "StartTournament": pb.StartTournamentRequest(name=NAME),
    "CancelTournament": pb.CancelTournamentRequest(name=NAME),
    "ListTournamentGames": pb.ListTournamentGamesRequest(parent=NAME),
}
