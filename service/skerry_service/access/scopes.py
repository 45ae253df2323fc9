"""The scopes of API keys, and the table of the scopes that each RPC accepts."""

from __future__ import annotations

from collections.abc import Mapping

PLAY, HOST, WATCH, BOTS, LADDER, ACT_FOR, ADMIN = SCOPES = (
    "play",
    "host",
    "watch",
    "bots",
    "ladder",
    "act-for",
    "admin",
)
MEANINGS: Mapping[str, str] = {
    PLAY: "take seats, play, and find matches",
    HOST: "create and manage sessions",
    WATCH: "spectate; read sessions, lists, replays and the catalogue",
    BOTS: "everything a bot needs: seats, moves, sampled states, the engine",
    LADDER: "register bots, and find their games on ladders",
    ACT_FOR: "act for the key's own players without their seat tokens, in calls that its other scopes permit",
    ADMIN: "operator calls, on the operator port",
}
_ANY = frozenset((PLAY, HOST, WATCH, BOTS, LADDER))
_PLAYERS = frozenset((PLAY, BOTS))
_ENTERING = frozenset((PLAY, BOTS, LADDER))
_SITTING = frozenset((PLAY, HOST, BOTS))

SCOPES_OF_RPC: Mapping[str, frozenset[str]] = {
    "ListGames": _ANY,
    "GetGame": _ANY,
    "GetHowToPlay": _ANY,
    "GetSession": _ANY,
    "GetPositionText": _ANY,
    "ExplainTarget": _ANY,
    "GetPicture": _ANY,
    "GetReplayPicture": _ANY,
    "ListEntries": _ANY,
    "ListSessions": _ANY,
    "Observe": _ANY,
    "GetReplay": _ANY,
    "GetAnalysis": _ANY,
    "CreateSession": frozenset((HOST,)),
    "StartSession": frozenset((HOST,)),
    "LabelSession": frozenset((HOST,)),
    "RemovePlayer": frozenset((HOST,)),
    "OpenSeat": frozenset((HOST,)),
    "RecoverSeat": _PLAYERS,
    "CancelSession": frozenset((HOST,)),
    "ForkSession": frozenset((HOST,)),
    "RematchSession": _SITTING,  # any player of the game before
    "SetWebhook": _SITTING,
    "JoinSession": _PLAYERS,
    "LeaveSession": _PLAYERS,
    "ReturnToSession": _PLAYERS,
    "ResignSession": _PLAYERS,
    "NudgeSeat": _PLAYERS,
    "SendEmote": _PLAYERS,
    "UndoMove": _PLAYERS,
    "Act": _PLAYERS,
    "Play": _PLAYERS,  # spectators have Observe
    "FindMatch": frozenset((PLAY,)),
    "ConfirmMatch": frozenset((PLAY,)),
    "GetHint": _PLAYERS,
    "GetBot": _ANY,
    "ListLadders": _ANY,
    "GetLadder": _ANY,
    "ListLadderGames": _ANY,
    "GetHeadToHead": _ANY,
    "RegisterBot": frozenset((LADDER,)),
    "WakeBot": frozenset((LADDER,)),
    "FindLadderGame": frozenset((LADDER,)),
    "GetTournament": _ANY,
    "ListTournaments": _ANY,
    "ListTournamentGames": _ANY,
    "CreateTournament": frozenset((HOST,)),
    "StartTournament": frozenset((HOST,)),
    "CancelTournament": frozenset((HOST,)),
    "EnterTournament": _ENTERING,
    "LeaveTournament": _ENTERING | {HOST},
    "SampleStates": frozenset((BOTS,)),
    "NewState": frozenset((BOTS,)),
    "ApplyMoves": frozenset((BOTS,)),
    "ReadStates": frozenset((BOTS,)),
    "PlayOut": frozenset((BOTS,)),
    "ListAllSessions": frozenset((ADMIN,)),
    "InspectSession": frozenset((ADMIN,)),
    "EndSession": frozenset((ADMIN,)),
    "DrainReplica": frozenset((ADMIN,)),
    "CreateLadder": frozenset((ADMIN,)),
    "CloseLadder": frozenset((ADMIN,)),
    "StartLadderSeason": frozenset((ADMIN,)),
    "ListAllLadders": frozenset((ADMIN,)),
    "ListBots": frozenset((ADMIN,)),
    "ListAllTournaments": frozenset((ADMIN,)),
    "EndTournament": frozenset((ADMIN,)),
    "ForgetPlayer": frozenset((ADMIN,)),
}
"""The accepted scopes of each RPC of all services. A key needs one of them."""
