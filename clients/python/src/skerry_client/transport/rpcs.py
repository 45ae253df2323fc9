"""The unary RPCs of ``SkerryService`` that the client calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from google.protobuf.message import Message

from skerry.v1 import ladder_pb2 as ladder
from skerry.v1 import service_pb2 as api
from skerry.v1 import tournament_pb2 as cup
from skerry.v1 import webhook_pb2 as hook

Q = TypeVar("Q", bound=Message)
A = TypeVar("A", bound=Message)


@dataclass(frozen=True)
class Method(Generic[Q, A]):
    """A unary RPC of ``SkerryService``."""

    name: str
    """The name in the proto, for example ``CreateSession``."""
    request: type[Q]
    response: type[A]


LIST_GAMES: Final = Method("ListGames", api.ListGamesRequest, api.ListGamesResponse)
GET_GAME: Final = Method("GetGame", api.GetGameRequest, api.GetGameResponse)
GET_HOW_TO_PLAY: Final = Method("GetHowToPlay", api.GetHowToPlayRequest, api.GetHowToPlayResponse)
CREATE_SESSION: Final = Method("CreateSession", api.CreateSessionRequest, api.CreateSessionResponse)
JOIN_SESSION: Final = Method("JoinSession", api.JoinSessionRequest, api.JoinSessionResponse)
RECOVER_SEAT: Final = Method("RecoverSeat", api.RecoverSeatRequest, api.RecoverSeatResponse)
START_SESSION: Final = Method("StartSession", api.StartSessionRequest, api.StartSessionResponse)
LEAVE_SESSION: Final = Method("LeaveSession", api.LeaveSessionRequest, api.LeaveSessionResponse)
RETURN_TO_SESSION: Final = Method("ReturnToSession", api.ReturnToSessionRequest, api.ReturnToSessionResponse)
RESIGN_SESSION: Final = Method("ResignSession", api.ResignSessionRequest, api.ResignSessionResponse)
UNDO_MOVE: Final = Method("UndoMove", api.UndoMoveRequest, api.UndoMoveResponse)
NUDGE_SEAT: Final = Method("NudgeSeat", api.NudgeSeatRequest, api.NudgeSeatResponse)
SEND_EMOTE: Final = Method("SendEmote", api.SendEmoteRequest, api.SendEmoteResponse)
SET_WEBHOOK: Final = Method("SetWebhook", api.SetWebhookRequest, api.SetWebhookResponse)
OPEN_SEAT: Final = Method("OpenSeat", api.OpenSeatRequest, api.OpenSeatResponse)
CANCEL_SESSION: Final = Method("CancelSession", api.CancelSessionRequest, api.CancelSessionResponse)
REMATCH_SESSION: Final = Method("RematchSession", api.RematchSessionRequest, api.RematchSessionResponse)
FORK_SESSION: Final = Method("ForkSession", api.ForkSessionRequest, api.ForkSessionResponse)
REMOVE_PLAYER: Final = Method("RemovePlayer", api.RemovePlayerRequest, api.RemovePlayerResponse)
LABEL_SESSION: Final = Method("LabelSession", api.LabelSessionRequest, api.LabelSessionResponse)
GET_SESSION: Final = Method("GetSession", api.GetSessionRequest, api.GetSessionResponse)
GET_POSITION_TEXT: Final = Method("GetPositionText", api.GetPositionTextRequest, api.GetPositionTextResponse)
EXPLAIN_TARGET: Final = Method("ExplainTarget", api.ExplainTargetRequest, api.ExplainTargetResponse)
GET_PICTURE: Final = Method("GetPicture", api.GetPictureRequest, api.GetPictureResponse)
GET_REPLAY_PICTURE: Final = Method("GetReplayPicture", api.GetReplayPictureRequest, api.GetReplayPictureResponse)
LIST_ENTRIES: Final = Method("ListEntries", api.ListEntriesRequest, api.ListEntriesResponse)
GET_HINT: Final = Method("GetHint", api.GetHintRequest, api.GetHintResponse)
GET_ANALYSIS: Final = Method("GetAnalysis", api.GetAnalysisRequest, api.GetAnalysisResponse)
SAMPLE_STATES: Final = Method("SampleStates", api.SampleStatesRequest, api.SampleStatesResponse)
LIST_OPEN_TABLES: Final = Method("ListOpenTables", api.ListOpenTablesRequest, api.ListOpenTablesResponse)
LIST_SESSIONS: Final = Method("ListSessions", api.ListSessionsRequest, api.ListSessionsResponse)
ACT: Final = Method("Act", api.ActRequest, api.ActResponse)
CONFIRM_MATCH: Final = Method("ConfirmMatch", api.ConfirmMatchRequest, api.ConfirmMatchResponse)
GET_REPLAY: Final = Method("GetReplay", api.GetReplayRequest, api.GetReplayResponse)
REGISTER_BOT: Final = Method("RegisterBot", ladder.RegisterBotRequest, ladder.RegisterBotResponse)
GET_BOT: Final = Method("GetBot", ladder.GetBotRequest, ladder.GetBotResponse)
WAKE_BOT: Final = Method("WakeBot", ladder.WakeBotRequest, ladder.WakeBotResponse)
LIST_LADDERS: Final = Method("ListLadders", ladder.ListLaddersRequest, ladder.ListLaddersResponse)
GET_LADDER: Final = Method("GetLadder", ladder.GetLadderRequest, ladder.GetLadderResponse)
LIST_LADDER_GAMES: Final = Method("ListLadderGames", ladder.ListLadderGamesRequest, ladder.ListLadderGamesResponse)
GET_HEAD_TO_HEAD: Final = Method("GetHeadToHead", ladder.GetHeadToHeadRequest, ladder.GetHeadToHeadResponse)
CREATE_TOURNAMENT: Final = Method("CreateTournament", cup.CreateTournamentRequest, cup.CreateTournamentResponse)
GET_TOURNAMENT: Final = Method("GetTournament", cup.GetTournamentRequest, cup.GetTournamentResponse)
ENTER_TOURNAMENT: Final = Method("EnterTournament", cup.EnterTournamentRequest, cup.EnterTournamentResponse)
LEAVE_TOURNAMENT: Final = Method("LeaveTournament", cup.LeaveTournamentRequest, cup.LeaveTournamentResponse)
START_TOURNAMENT: Final = Method("StartTournament", cup.StartTournamentRequest, cup.StartTournamentResponse)
CANCEL_TOURNAMENT: Final = Method("CancelTournament", cup.CancelTournamentRequest, cup.CancelTournamentResponse)
LIST_TOURNAMENTS: Final = Method("ListTournaments", cup.ListTournamentsRequest, cup.ListTournamentsResponse)
LIST_TOURNAMENT_GAMES: Final = Method(
    "ListTournamentGames", cup.ListTournamentGamesRequest, cup.ListTournamentGamesResponse
)
SET_WEBHOOK_ENDPOINT: Final = Method(
    "SetWebhookEndpoint", hook.SetWebhookEndpointRequest, hook.SetWebhookEndpointResponse
)
GET_WEBHOOK_ENDPOINT: Final = Method(
    "GetWebhookEndpoint", hook.GetWebhookEndpointRequest, hook.GetWebhookEndpointResponse
)
LIST_WEBHOOK_ENDPOINTS: Final = Method(
    "ListWebhookEndpoints", hook.ListWebhookEndpointsRequest, hook.ListWebhookEndpointsResponse
)
DELETE_WEBHOOK_ENDPOINT: Final = Method(
    "DeleteWebhookEndpoint", hook.DeleteWebhookEndpointRequest, hook.DeleteWebhookEndpointResponse
)
PING_WEBHOOK_ENDPOINT: Final = Method(
    "PingWebhookEndpoint", hook.PingWebhookEndpointRequest, hook.PingWebhookEndpointResponse
)
RESEND_WEBHOOKS: Final = Method("ResendWebhooks", hook.ResendWebhooksRequest, hook.ResendWebhooksResponse)
