"""Authorization: every RPC with every kind of token."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import uuid4

import grpc
import pytest
from google.protobuf.message import Message

from skerry.games.tenerife.v1 import tenerife_pb2
from skerry.v1 import payload_pb2, session_pb2
from skerry.v1 import service_pb2 as pb
from tests.api.endpoint_requests import ENDPOINT_REQUESTS
from tests.api.ladder_requests import LADDER_REQUESTS
from tests.api.playing import Player, attach, move, reason_of
from tests.api.tournament_requests import TOURNAMENT_REQUESTS
from tests.api.wire import (
    OPEN,
    SERVICE,
    Api,
    Metadata,
    Sitting,
    act,
    bearer,
    create,
    lose_seat,
    refusal_of,
    refused,
    sit_down,
    turn,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

OK, MISSING, INVALID, DENIED = "OK", "TOKEN_MISSING", "TOKEN_INVALID", "NOT_ALLOWED"
GONE, NOTHING, UNFINISHED = "PROPOSAL_EXPIRED", "NOTHING_TO_UNDO", "NOT_FINISHED"
CODES = {MISSING: "UNAUTHENTICATED", INVALID: "UNAUTHENTICATED", DENIED: "PERMISSION_DENIED"}
CODES |= {OK: "OK", GONE: "FAILED_PRECONDITION", NOTHING: "FAILED_PRECONDITION", UNFINISHED: "FAILED_PRECONDITION"}
NO_KEY, NO_BOT, NO_LADDER = "API_KEY_MISSING", "BOT_NOT_FOUND", "LADDER_NOT_FOUND"
NO_CUP = "TOURNAMENT_NOT_FOUND"
CODES |= {NO_CUP: "NOT_FOUND"}
NO_IDENTITY = "IDENTITY_MISSING"
CODES |= {NO_IDENTITY: "UNAUTHENTICATED"}
CODES |= {NO_KEY: "UNAUTHENTICATED", NO_BOT: "NOT_FOUND", NO_LADDER: "NOT_FOUND"}
CODES |= {"NO_PLAYER": "FAILED_PRECONDITION", "NOT_YOUR_TURN": "FAILED_PRECONDITION"}

STARTED_BY_FOUR = 6
"""The sequence of the entry that starts a game for four."""
KINDS = ("none", "malformed", "not_bearer", "two", "seat", "other_seat", "host", "spectator", "foreign", "voided")
NEEDS_NONE = (OK, OK, INVALID, INVALID, OK, OK, OK, OK, OK, OK)
SPECTATES = (OK, INVALID, INVALID, INVALID, OK, OK, OK, OK, INVALID, INVALID)
EXPECTED = {
    "ListGames": NEEDS_NONE,
    "GetGame": NEEDS_NONE,
    "CreateSession": NEEDS_NONE,
    "JoinSession": NEEDS_NONE,
    "GetHowToPlay": NEEDS_NONE,
    "ListSessions": NEEDS_NONE,
    "ListOpenTables": NEEDS_NONE,
    "FindMatch": NEEDS_NONE,
    "ConfirmMatch": (GONE, GONE, INVALID, INVALID, *[GONE] * 6),  # it needs a ticket
    "StartSession": (MISSING, INVALID, INVALID, INVALID, DENIED, DENIED, OK, DENIED, INVALID, INVALID),
    "RemovePlayer": (MISSING, INVALID, INVALID, INVALID, DENIED, DENIED, OK, DENIED, INVALID, INVALID),
    "LabelSession": (MISSING, INVALID, INVALID, INVALID, DENIED, DENIED, OK, DENIED, INVALID, INVALID),
    "LeaveSession": (MISSING, INVALID, INVALID, INVALID, OK, OK, DENIED, DENIED, INVALID, INVALID),
    "ReturnToSession": (MISSING, INVALID, INVALID, INVALID, OK, OK, DENIED, DENIED, INVALID, INVALID),
    "ResignSession": (MISSING, INVALID, INVALID, INVALID, OK, OK, DENIED, DENIED, INVALID, INVALID),
    "NudgeSeat": (MISSING, INVALID, INVALID, INVALID, "NO_PLAYER", "NO_PLAYER", DENIED, DENIED, INVALID, INVALID),
    "SendEmote": (MISSING, INVALID, INVALID, INVALID, OK, OK, DENIED, DENIED, INVALID, INVALID),
    "SetWebhook": (MISSING, INVALID, INVALID, INVALID, OK, OK, OK, DENIED, INVALID, INVALID),
    "OpenSeat": (MISSING, INVALID, INVALID, INVALID, DENIED, DENIED, OK, DENIED, INVALID, INVALID),
    "RecoverSeat": (NO_IDENTITY, NO_IDENTITY, INVALID, INVALID, *[NO_IDENTITY] * 6),  # it needs an identity token
    "CancelSession": (MISSING, INVALID, INVALID, INVALID, DENIED, DENIED, OK, DENIED, INVALID, INVALID),
    "RematchSession": (MISSING, INVALID, INVALID, INVALID, OK, OK, DENIED, DENIED, INVALID, INVALID),
    "ForkSession": SPECTATES,
    "Act": (MISSING, INVALID, INVALID, INVALID, OK, "NOT_YOUR_TURN", DENIED, DENIED, INVALID, INVALID),
    "GetHint": (MISSING, INVALID, INVALID, INVALID, DENIED, "NOT_YOUR_TURN", DENIED, DENIED, INVALID, INVALID),
    "UndoMove": (MISSING, INVALID, INVALID, INVALID, NOTHING, NOTHING, DENIED, DENIED, INVALID, INVALID),
    "SampleStates": (MISSING, INVALID, INVALID, INVALID, OK, OK, DENIED, DENIED, INVALID, INVALID),
    "GetSession": SPECTATES,
    "GetPositionText": SPECTATES,
    "ExplainTarget": SPECTATES,
    "GetAnalysis": (UNFINISHED, INVALID, INVALID, INVALID, *[UNFINISHED] * 4, INVALID, INVALID),
    "GetPicture": SPECTATES,
    "GetReplayPicture": SPECTATES,
    "ListEntries": SPECTATES,
    "Observe": SPECTATES,
    "GetReplay": SPECTATES,
    **dict.fromkeys(ENDPOINT_REQUESTS, (NO_KEY, NO_KEY, INVALID, INVALID, *[NO_KEY] * 6)),
    "RegisterBot": (NO_KEY, NO_KEY, INVALID, INVALID, *[NO_KEY] * 6),  # tokens open no bot
    "WakeBot": (NO_KEY, NO_KEY, INVALID, INVALID, *[NO_KEY] * 6),
    "FindLadderGame": (NO_KEY, NO_KEY, INVALID, INVALID, *[NO_KEY] * 6),
    "GetBot": (NO_BOT, NO_BOT, INVALID, INVALID, *[NO_BOT] * 6),
    "ListLadders": NEEDS_NONE,
    "GetLadder": (NO_LADDER, NO_LADDER, INVALID, INVALID, *[NO_LADDER] * 6),
    "ListLadderGames": (NO_LADDER, NO_LADDER, INVALID, INVALID, *[NO_LADDER] * 6),
    "GetHeadToHead": (NO_LADDER, NO_LADDER, INVALID, INVALID, *[NO_LADDER] * 6),
    "CreateTournament": NEEDS_NONE,
    "ListTournaments": NEEDS_NONE,
    **dict.fromkeys(
        [rpc for rpc in TOURNAMENT_REQUESTS if rpc not in ("CreateTournament", "ListTournaments")],
        (NO_CUP, NO_CUP, INVALID, INVALID, *[NO_CUP] * 6),
    ),
    "Play": NEEDS_NONE,  # each attachment has its own token
}
AFTERWARDS = ("RematchSession", "ForkSession", "GetReplayPicture")
IN_THE_LOBBY = ("JoinSession", "StartSession", "RemovePlayer", "CancelSession")
CASES = [(method, kind, reason) for method, row in EXPECTED.items() for kind, reason in zip(KINDS, row, strict=True)]


@dataclass
class Scene:
    """A session with a token of every kind."""

    sitting: Sitting
    metadata: dict[str, Metadata]
    requests: dict[str, Message]
    left: int
    """A seat whose player left in play."""


async def in_the_lobby(api: Api) -> tuple[Sitting, str, str, str, int]:
    sitting = await create(api, OPEN, OPEN, OPEN, OPEN)
    for name in ("Ada", "Bob", "Cyd"):
        joined = await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name=name))
        sitting.seats.append(joined.seat_token)
    gone = sitting.seats[2]
    await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(gone))
    return sitting, sitting.seats[0], sitting.seats[1], gone, 0


async def in_play(api: Api) -> tuple[Sitting, str, str, str, int]:
    sitting = await sit_down(
        api, 4, abandonment=session_pb2.AbandonmentPolicy(on_resignation=session_pb2.TIMEOUT_ACTION_END)
    )
    first = (await turn(api, sitting))[0]
    gone, left, other = [token for token in sitting.seats if token != first]
    await lose_seat(api, sitting, sitting.seats.index(gone))
    await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(left))
    return sitting, first, other, gone, sitting.seats.index(left)


async def over(api: Api) -> tuple[Sitting, str, str, str, int]:
    scene = await in_play(api)
    sitting, seat = scene[:2]
    await api.stub.ResignSession(pb.ResignSessionRequest(name=sitting.name), metadata=bearer(seat))
    return scene


async def set_up(api: Api, method: str) -> Scene:
    lobby, afterwards = method in IN_THE_LOBBY, method in AFTERWARDS
    begin = in_the_lobby if lobby else over if afterwards else in_play
    sitting, seat, other, gone, left = await begin(api)
    foreign = (await sit_down(api)).seats[0]
    tokens = {"seat": seat, "other_seat": other, "host": sitting.host, "spectator": sitting.spectator}
    tokens |= {"foreign": foreign, "voided": gone, "malformed": "skerry_seat_nonsense"}
    metadata = {"none": (), "not_bearer": (("authorization", f"Basic {seat}"),)}
    metadata["two"] = bearer(seat) * 2
    metadata |= {kind: bearer(token) for kind, token in tokens.items()}
    return Scene(sitting, metadata, {} if lobby or afterwards else {"Act": await a_move(api, sitting)}, left)


async def a_move(api: Api, sitting: Sitting) -> pb.ActRequest:
    _, position = await turn(api, sitting)
    return act(sitting, position.legal_moves[0], position.sequence)


def request_of(scene: Scene, method: str) -> Message:
    name = scene.sitting.name
    requests: dict[str, Message] = {
        "ListGames": pb.ListGamesRequest(),
        "GetGame": pb.GetGameRequest(name="games/kreta"),
        "GetHowToPlay": pb.GetHowToPlayRequest(name="games/kreta"),
        "CreateSession": pb.CreateSessionRequest(game="kreta", seats=[OPEN] * 2),
        "JoinSession": pb.JoinSessionRequest(name=name, display_name="Dot"),
        "ListSessions": pb.ListSessionsRequest(),
        "ListOpenTables": pb.ListOpenTablesRequest(),
        "FindMatch": pb.FindMatchRequest(game="kreta", display_name="Eve", seats=[3]),
        **LADDER_REQUESTS,
        **ENDPOINT_REQUESTS,
        **TOURNAMENT_REQUESTS,
        "ConfirmMatch": pb.ConfirmMatchRequest(ticket=str(uuid4()), proposal="kreta/1"),
        "StartSession": pb.StartSessionRequest(name=name),
        "RemovePlayer": pb.RemovePlayerRequest(name=name, seat=0),
        "LabelSession": pb.LabelSessionRequest(name=name),
        "LeaveSession": pb.LeaveSessionRequest(name=name),
        "ReturnToSession": pb.ReturnToSessionRequest(name=name),
        "ResignSession": pb.ResignSessionRequest(name=name),
        "NudgeSeat": pb.NudgeSeatRequest(name=name, seat=scene.left),
        "SendEmote": pb.SendEmoteRequest(name=name, emote=session_pb2.EMOTE_HELLO),
        "UndoMove": pb.UndoMoveRequest(name=name, expected_sequence=1),
        "SetWebhook": pb.SetWebhookRequest(name=name, url="http://127.0.0.1:9/"),
        "OpenSeat": pb.OpenSeatRequest(name=name, seat=scene.left),
        "RecoverSeat": pb.RecoverSeatRequest(name=name),
        "CancelSession": pb.CancelSessionRequest(name=name),
        "RematchSession": pb.RematchSessionRequest(name=name),
        "ForkSession": pb.ForkSessionRequest(name=name, sequence=STARTED_BY_FOUR, seats=[OPEN] * 4),
        "GetSession": pb.GetSessionRequest(name=name),
        "GetPositionText": pb.GetPositionTextRequest(name=name),
        "ExplainTarget": pb.ExplainTargetRequest(name=name, target="province:KIS"),
        "GetPicture": pb.GetPictureRequest(name=name),
        "GetReplayPicture": pb.GetReplayPictureRequest(name=name, width=100),
        "ListEntries": pb.ListEntriesRequest(name=name),
        "Observe": pb.ObserveRequest(name=name),
        "GetReplay": pb.GetReplayRequest(name=name),
        "GetAnalysis": pb.GetAnalysisRequest(name=name),
        "GetHint": pb.GetHintRequest(name=name),
        "SampleStates": pb.SampleStatesRequest(name=name),
        "Play": pb.PlayRequest(),
        **scene.requests,
    }
    return requests[method]


async def test_every_rpc_of_the_service_has_its_row() -> None:
    assert set(EXPECTED) == set(SERVICE.methods_by_name)


@pytest.mark.parametrize(("method", "kind", "reason"), CASES)
async def test_each_kind_of_token_permits_exactly_its_calls(api: Api, method: str, kind: str, reason: str) -> None:
    scene = await set_up(api, method)
    try:
        await api.send(method, request_of(scene, method).SerializeToString(), scene.metadata[kind])
        found = ("OK", OK)
    except grpc.aio.AioRpcError as error:
        refusal = refusal_of(error)
        found = (refusal.code, refusal.reason)
    assert found == (CODES[reason], reason)


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "bEaReR", "Bearer "])
async def test_the_authorization_scheme_is_case_insensitive(api: Api, scheme: str) -> None:
    sitting = await sit_down(api)
    metadata = (("authorization", f"{scheme} {sitting.seats[1]}"),)
    got = await api.stub.GetSession(pb.GetSessionRequest(name=sitting.name), metadata=metadata)
    assert got.seat == 1


async def test_the_server_checks_the_token_before_it_parses_the_move(api: Api) -> None:
    """A move of another game is malformed. A caller without permission gets the same error as for a valid move."""
    sitting = await sit_down(api)
    foreign = payload_pb2.Move(tenerife=tenerife_pb2.Move())
    for token, code, reason in (
        (sitting.seats[0], "INVALID_ARGUMENT", "MALFORMED_MOVE"),
        ("skerry_seat_nonsense", "UNAUTHENTICATED", INVALID),
        (sitting.host, "PERMISSION_DENIED", DENIED),
        (None, "UNAUTHENTICATED", MISSING),
    ):
        with refused(code, reason):
            await api.stub.Act(act(sitting, foreign, 1), metadata=bearer(token))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("not_bearer", "two")])
async def test_a_token_permits_the_same_when_it_is_attached_to_a_play_stream(api: Api, kind: str) -> None:
    scene = await set_up(api, "Act")
    token = scene.metadata[kind][0][1].removeprefix("Bearer ") if scene.metadata[kind] else None
    request = scene.requests["Act"]
    assert isinstance(request, pb.ActRequest)
    player = Player(api, attach(1, scene.sitting, token))
    update = await player.receives(lambda update: not (update.HasField("refused") and update.refused.act))
    observed = OK if update.HasField("observed") else reason_of(update.refused.status)
    assert observed == EXPECTED["Observe"][KINDS.index(kind)]
    (answer,) = await player.answers(move(1, request.move, request.expected_sequence, request_id=str(uuid4())))
    acted = OK if answer.HasField("acted") else reason_of(answer.refused.status)
    assert acted == EXPECTED["Act"][KINDS.index(kind)]
    await player.hang_up()


@pytest.mark.parametrize("spectating", ["SPECTATING_INVITED", "SPECTATING_NOBODY"])
async def test_only_seats_and_invited_spectators_see_a_game_that_is_not_public(api: Api, spectating: str) -> None:
    sitting = await sit_down(api, spectating=spectating)
    invited = spectating == "SPECTATING_INVITED"
    refusals: list[tuple[str | None, str]] = [(None, MISSING if invited else DENIED)]
    refusals += [(token, OK if invited else DENIED) for token in (sitting.host, sitting.spectator)]
    refusals += [(token, OK) for token in sitting.seats]
    for token, reason in refusals:
        got = await api.stub.GetSession(pb.GetSessionRequest(name=sitting.name), metadata=bearer(token))
        assert got.HasField("position") == (reason == OK)
        for method, request in (
            ("Observe", pb.ObserveRequest(name=sitting.name)),
            ("GetReplay", pb.GetReplayRequest(name=sitting.name)),
        ):
            try:
                await api.send(method, request.SerializeToString(), bearer(token))
                found = ("OK", OK)
            except grpc.aio.AioRpcError as error:
                found = (refusal_of(error).code, refusal_of(error).reason)
            assert found == (CODES[reason], reason), (method, token)
