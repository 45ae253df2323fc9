"""Which callers receive the frontend's player ids: every RPC with every kind of token, including streams."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from uuid import uuid4

import pytest
import pytest_asyncio
from google.protobuf.message import Message

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.endpoint_requests import ENDPOINT_REQUESTS
from tests.api.ladder_requests import LADDER_REQUESTS
from tests.api.playing import attach
from tests.api.tournament_requests import TOURNAMENT_REQUESTS
from tests.api.watching import Watcher
from tests.api.wire import OPEN, SERVICE, Api, Sitting, act, bearer, create, get, play_out, refused, turn
from tests.store.servers import ask

pytestmark = pytest.mark.asyncio(loop_scope="module")

IDS = {"Ada": "account/4711", "Bob": "\u9f8d-\U0001f3b2", "Cyd": "x" * 64}
NO_IDS = ("two words", " ", "a ", "a\n", "a\u00a0b", "x\u200by", "\u202eid", "x" * 65, "x" * 50_000)

KINDS = ("none", "seat", "host", "spectator")
BEGUN = len(IDS) + 2
"""The entry with which the game begins."""
NOBODY = (False, False, False, False)
HOLDERS = (False, True, True, False)
RECEIVES_IDS = {
    "ListGames": NOBODY,
    "GetGame": NOBODY,
    "GetHowToPlay": NOBODY,
    "CreateSession": NOBODY,  # of another session
    "ListSessions": NOBODY,
    "ListOpenTables": NOBODY,
    "GetSession": HOLDERS,
    "GetReplay": NOBODY,
    "Observe": HOLDERS,
    "Play": HOLDERS,
    "Act": (False, False, False, False),  # its answer has no session
    "GetPositionText": NOBODY,  # names of players alone
    "ExplainTarget": NOBODY,
    "GetPicture": NOBODY,
    "GetReplayPicture": NOBODY,
    "ListEntries": NOBODY,
    "GetHint": NOBODY,
    "GetAnalysis": NOBODY,
    "SampleStates": NOBODY,  # states contain seats but no players
    "JoinSession": (True, True, True, True),  # the caller holds a seat's token after joining
    "FindMatch": (True, True, True, True),  # the caller holds a seat's token after the match
    "ConfirmMatch": NOBODY,
    **dict.fromkeys(LADDER_REQUESTS, NOBODY),  # this server has no ladder
    **dict.fromkeys(ENDPOINT_REQUESTS, NOBODY),
    **dict.fromkeys(TOURNAMENT_REQUESTS, NOBODY),
    "StartSession": (False, False, True, False),
    "RemovePlayer": (False, False, True, False),
    "LabelSession": (False, False, True, False),
    "LeaveSession": (False, False, False, False),  # the caller holds no token after leaving the lobby
    "ReturnToSession": (False, True, False, False),
    "ResignSession": (False, True, False, False),
    "OpenSeat": (False, False, True, False),
    "RecoverSeat": NOBODY,  # it needs an identity token
    "CancelSession": (False, False, True, False),
    "SetWebhook": (False, True, True, False),
    "NudgeSeat": NOBODY,  # refused to every caller so soon after the start
    "SendEmote": (False, True, False, False),
    "UndoMove": NOBODY,  # its answer has no session
    "RematchSession": (False, True, False, False),
    "ForkSession": NOBODY,  # of another session
}
"""By RPC: the kinds of token that receive the ids of a session whose ids are not public."""
CASES = [(rpc, kind, receives) for rpc, row in RECEIVES_IDS.items() for kind, receives in zip(KINDS, row, strict=True)]


@pytest_asyncio.fixture(loop_scope="module", autouse=True)
async def _empty(valkey: EmbeddedServer) -> AsyncIterator[None]:
    await ask(valkey, "FLUSHALL")
    yield


@dataclass
class Scene:
    """A session with ids in it, and the tokens of the kinds."""

    sitting: Sitting
    tokens: dict[str, str | None]


async def join(api: Api, sitting: Sitting, name: str, player_id: str) -> pb.JoinSessionResponse:
    request = pb.JoinSessionRequest(name=sitting.name, display_name=name, player_id=player_id)
    joined = await api.stub.JoinSession(request)
    sitting.seats.append(joined.seat_token)
    return joined


async def set_up(api: Api, *, public: bool, lobby: bool) -> Scene:
    seats = len(IDS) + (1 if lobby else 0)
    abandonment = session_pb2.AbandonmentPolicy(on_resignation=session_pb2.TIMEOUT_ACTION_END)
    sitting = await create(api, *[OPEN] * seats, public_player_ids=public, abandonment=abandonment)
    for name, player_id in IDS.items():
        await join(api, sitting, name, player_id)
    tokens = {"none": None, "seat": sitting.seats[0], "host": sitting.host, "spectator": sitting.spectator}
    return Scene(sitting, tokens)


async def request_of(api: Api, scene: Scene, rpc: str, token: str | None) -> Message:
    name = scene.sitting.name
    if rpc == "Play":
        return pb.PlayRequest(attach=[attach(1, scene.sitting, token)])
    if rpc == "Act":
        _, position = await turn(api, scene.sitting)
        return act(scene.sitting, position.legal_moves[0], position.sequence, view=pb.POSITION_VIEW_FULL)
    requests: dict[str, Message] = {
        "ListGames": pb.ListGamesRequest(),
        "GetGame": pb.GetGameRequest(name="games/kreta"),
        "GetHowToPlay": pb.GetHowToPlayRequest(name="games/kreta"),
        "CreateSession": pb.CreateSessionRequest(game="kreta", seats=[OPEN] * 2),
        "ListSessions": pb.ListSessionsRequest(page_size=100),
        "ListOpenTables": pb.ListOpenTablesRequest(),
        "Observe": pb.ObserveRequest(name=name, after_sequence=0),
        "JoinSession": pb.JoinSessionRequest(name=name, display_name="Dot", player_id="dot"),
        "FindMatch": pb.FindMatchRequest(game="kreta", display_name="Dot", seats=[len(scene.sitting.seats) + 1]),
        **LADDER_REQUESTS,
        **ENDPOINT_REQUESTS,
        **TOURNAMENT_REQUESTS,
        "ConfirmMatch": pb.ConfirmMatchRequest(ticket=str(uuid4()), proposal="kreta/1"),
        "ExplainTarget": pb.ExplainTargetRequest(name=name, target="province:KIS"),
        "RemovePlayer": pb.RemovePlayerRequest(name=name, seat=0),
        "OpenSeat": pb.OpenSeatRequest(name=name, seat=0),
        "NudgeSeat": pb.NudgeSeatRequest(name=name, seat=1),
        "SendEmote": pb.SendEmoteRequest(name=name, emote=session_pb2.EMOTE_HELLO),
        "ForkSession": pb.ForkSessionRequest(name=name, sequence=BEGUN, seats=[OPEN] * len(IDS)),
    }
    return requests.get(rpc) or getattr(pb, f"{rpc}Request")(name=name)


def ids_in(data: bytes) -> set[str]:
    """Return the names of the players whose ids are in there."""
    return {name for name, player_id in IDS.items() if player_id.encode() in data}


WITHOUT_SESSION = (
    "ListOpenTables",
    "ListGames",
    "GetGame",
    "GetHowToPlay",
    "CreateSession",
    "ForkSession",
    "Act",
    "SampleStates",
    "GetHint",
    "GetAnalysis",
    "GetPositionText",
    "ExplainTarget",
    "GetPicture",
    "GetReplayPicture",
    "ListEntries",
    *LADDER_REQUESTS,
    *ENDPOINT_REQUESTS,
    *TOURNAMENT_REQUESTS,
)
"""Calls whose responses contain no session, or another one."""


async def test_every_rpc_has_its_row() -> None:
    assert set(RECEIVES_IDS) == set(SERVICE.methods_by_name)


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize(("rpc", "kind", "receives"), CASES)
async def test_only_seat_and_host_tokens_receive_ids_unless_ids_are_public(
    api: Api, rpc: str, kind: str, receives: bool, public: bool
) -> None:
    lobby = rpc in ("JoinSession", "FindMatch", "StartSession", "LeaveSession", "RemovePlayer", "CancelSession")
    scene = await set_up(api, public=public, lobby=lobby)
    token = (await turn(api, scene.sitting))[0] if (rpc, kind) == ("Act", "seat") else scene.tokens[kind]
    request = (await request_of(api, scene, rpc, token)).SerializeToString()
    if rpc == "OpenSeat":
        leave = pb.LeaveSessionRequest(name=scene.sitting.name)
        await api.stub.LeaveSession(leave, metadata=bearer(scene.sitting.seats[0]))
    if rpc in ("RematchSession", "ForkSession"):
        resign = pb.ResignSessionRequest(name=scene.sitting.name)
        await api.stub.ResignSession(resign, metadata=bearer(scene.sitting.seats[0]))
    try:
        (answer,) = await api.send(rpc, request, bearer(None if rpc == "Play" else token))
    except Exception as error:
        assert not receives
        answer = repr(error).encode()
        assert ids_in(answer) == set()
        return
    has_session = rpc not in WITHOUT_SESSION
    expected = set(IDS) if receives or (public and has_session) else set()
    if expected and rpc in ("LeaveSession", "RemovePlayer"):
        expected.remove("Ada")
    assert ids_in(answer) == expected


@pytest.mark.parametrize("public", [False, True])
async def test_concurrent_streams_send_ids_only_to_permitted_viewers(api: Api, public: bool) -> None:
    """What is rendered for one reader is shared with others: never with those who may know less."""
    sitting = await create(api, *[OPEN] * 4, public_player_ids=public)
    await join(api, sitting, "Ada", IDS["Ada"])
    tokens = (sitting.host, None, sitting.seats[0], sitting.spectator, sitting.host, None, sitting.seats[0])
    for order in (tokens, tokens[::-1]):
        watchers = [Watcher(api, sitting, token) for token in order]
        for watcher in watchers:
            await watcher.has(1)
        if order == tokens:
            await join(api, sitting, "Bob", IDS["Bob"])
            await join(api, sitting, "Cyd", IDS["Cyd"])
        sequence = (await get(api, sitting)).session.sequence
        for token, watcher in zip(order, watchers, strict=True):
            await watcher.reaches(sequence)
            await watcher.hang_up()
            received = b"".join(message.SerializeToString() for message in watcher.messages)
            may = public or token in (sitting.host, sitting.seats[0])
            assert ids_in(received) == (set(IDS) if may else set())


async def test_after_the_end_only_permitted_viewers_receive_ids(api: Api) -> None:
    scene = await set_up(api, public=False, lobby=False)
    sitting = scene.sitting
    watchers = {kind: Watcher(api, sitting, token) for kind, token in scene.tokens.items()}
    await play_out(api, sitting)
    for kind, token in scene.tokens.items():
        await watchers[kind].ends()
        received = b"".join(message.SerializeToString() for message in watchers[kind].messages)
        looked = (await get(api, sitting, token)).SerializeToString()
        expected = set(IDS) if kind in ("seat", "host") else set()
        assert (ids_in(received), ids_in(looked)) == (expected, expected)
        replay = await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name), metadata=bearer(token))
        assert ids_in(replay.SerializeToString()) == set()


async def test_leaving_removes_the_id_in_the_lobby_and_keeps_it_in_play(api: Api) -> None:
    sitting = await create(api, OPEN, OPEN)
    gone = (await join(api, sitting, "Ada", IDS["Ada"])).seat_token
    leave = pb.LeaveSessionRequest(name=sitting.name)
    await api.stub.LeaveSession(leave, metadata=bearer(gone))
    sitting.seats = []
    assert ids_in((await get(api, sitting, sitting.host)).SerializeToString()) == set()
    for name in ("Bob", "Cyd"):
        await join(api, sitting, name, IDS[name])
    await api.stub.LeaveSession(leave, metadata=bearer(sitting.seats[0]))
    seats = (await get(api, sitting, sitting.host)).session.seats
    assert [(seat.occupant, seat.player_id) for seat in seats] == [
        (session_pb2.OCCUPANT_BOT, IDS["Bob"]),
        (session_pb2.OCCUPANT_PLAYER, IDS["Cyd"]),
    ]
    assert ids_in((await get(api, sitting)).SerializeToString()) == set()


async def test_a_player_without_an_id_has_none_in_responses(api: Api) -> None:
    sitting = await create(api, OPEN, OPEN, public_player_ids=True)
    joined = await join(api, sitting, "Ada", "")
    assert [seat.HasField("player_id") for seat in joined.session.seats] == [False, False]
    assert joined.session.public_player_ids


@pytest.mark.parametrize("player_id", NO_IDS, ids=lambda text: ascii(text[:10]))
async def test_a_malformed_player_id_is_refused(api: Api, player_id: str) -> None:
    sitting = await create(api, OPEN, OPEN)
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="player_id"):
        await join(api, sitting, "Ada", player_id)
