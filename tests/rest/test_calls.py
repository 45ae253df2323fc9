"""The same calls over HTTP and over gRPC: the same answers, the same refusals, the same table."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.catalogue import all_games
from skerry_service.edge.rest.conditional_reads import CACHE_CONTROL
from skerry_service.wire.json_names import to_json_names
from tests.api.test_malformed import ENUM_OPTIONS
from tests.api.test_tokens import CASES, CODES, OK, request_of, set_up
from tests.api.wire import OPEN, SERVICE, Sitting, act, bearer, create, look, move_once, refusal_of, sit_down, turn
from tests.games.conformance.play import middle
from tests.rest.web import ROUTES, Response, Web, as_http, events, streamed

pytestmark = pytest.mark.asyncio(loop_scope="module")

HTTP = {
    "UNAUTHENTICATED": 401,
    "PERMISSION_DENIED": 403,
    "FAILED_PRECONDITION": 400,
    "NOT_FOUND": 404,
    "OK": 200,
}


async def over_grpc(web: Web, rpc: str, request: Message, token: str | None) -> Message:
    answer: Message = await getattr(web.api.stub, rpc)(request, metadata=bearer(token))
    return answer


async def first_answer(web: Web, rpc: str, request: Message, headers: dict[str, str]) -> Response:
    """Call it; of a stream return the head alone, unless it was refused."""
    verb, path, body = as_http(rpc, request)
    if not SERVICE.methods_by_name[rpc].server_streaming:
        return await web.call(verb, path, body, headers=headers)
    async with streamed(web, verb, path, headers, body) as stream:
        return stream.head


async def test_every_rpc_but_those_to_which_the_client_streams_has_a_route() -> None:
    assert set(ROUTES) == {rpc.name for rpc in SERVICE.methods if not rpc.client_streaming}


@pytest.mark.parametrize(("rpc", "kind", "reason"), [case for case in CASES if case[0] in ROUTES])
async def test_a_token_opens_the_same_as_over_grpc(web: Web, rpc: str, kind: str, reason: str) -> None:
    scene = await set_up(web.api, rpc)
    lines = "\r\nauthorization: ".join(str(value) for _, value in scene.metadata[kind])
    headers = {"authorization": lines} if lines else {}
    answer = await first_answer(web, rpc, request_of(scene, rpc), headers)
    assert answer.status == HTTP[CODES[reason]]
    if reason != OK:
        assert answer.reason == reason
        assert answer.headers.get("www-authenticate") == ("Bearer" if answer.status == 401 else None)


@pytest.mark.parametrize("game", all_games())
async def test_what_is_read_over_http_is_what_is_read_over_grpc(web: Web, game: str) -> None:
    rules = all_games()[game]
    sitting = await sit_down(web.api, rules.seats[-1], game=game)
    for pick in range(middle(rules, rules.seats[-1], 12)):
        await move_once(web.api, sitting, pick)
    name = sitting.name
    before = (await look(web.api, sitting)).sequence - 1
    requests: list[tuple[str, Message]] = [
        ("ListGames", pb.ListGamesRequest()),
        ("GetGame", pb.GetGameRequest(name=f"games/{game}")),
        ("GetHowToPlay", pb.GetHowToPlayRequest(name=f"games/{game}", theme="dark")),
        ("GetSession", pb.GetSessionRequest(name=name)),
        ("GetSession", pb.GetSessionRequest(name=name, sequence=before)),
        ("GetReplay", pb.GetReplayRequest(name=name)),
        ("ListOpenTables", pb.ListOpenTablesRequest(game=game)),
        ("ListSessions", pb.ListSessionsRequest(game=game, state=session_pb2.SESSION_STATE_PLAYING, page_size=1)),
    ]
    for rpc, request in requests:
        for token in (None, *sitting.seats):
            answer = await web.rpc(rpc, request, token)
            assert answer.message(rpc) == await over_grpc(web, rpc, request, token)
            assert answer.headers["content-type"] == "application/json"
            assert answer.headers["cache-control"] == CACHE_CONTROL.get(rpc, b"no-store").decode()


async def test_players_over_http_and_over_grpc_share_a_table(web: Web) -> None:
    """Seat 0 plays over HTTP from creating the session on, seat 1 over gRPC; both watch to the end."""
    made = (await web.rpc("CreateSession", pb.CreateSessionRequest(game="kreta", seats=[OPEN] * 2))).json
    sitting = Sitting(made["session"]["name"], made["hostToken"], made["spectatorToken"])
    joined = await web.rpc("JoinSession", pb.JoinSessionRequest(name=sitting.name, display_name="Ada"))
    sitting.seats.append(joined.json["seatToken"])
    other = await web.api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name="Bob"))
    sitting.seats.append(other.seat_token)
    sequences = []
    async with events(web, sitting.name, sitting.seats[0], after=0) as stream:
        while (position := await look(web.api, sitting)).to_act:
            if position.to_act[0] == 1:
                await move_once(web.api, sitting, 5 * position.sequence)
            else:
                await move_over_http(web, sitting, 7 * position.sequence)
        while (event := await stream.next()) is not None and event.name == "message":
            sequences += [int(entry["sequence"]) for entry in event.data["entries"]]
    assert sequences == list(range(1, position.sequence + 1))


async def move_over_http(web: Web, sitting: Sitting, pick: int) -> None:
    """Send back a legal move as it was listed."""
    got = (await web.call("GET", f"/v1/{sitting.name}", token=sitting.seats[0])).json
    moves, sequence = got["position"]["legalMoves"], got["position"]["sequence"]
    body = {"move": moves[pick % len(moves)], "expectedSequence": sequence, "view": "POSITION_VIEW_FULL"}
    done = await web.call("POST", f"/v1/{sitting.name}:act", body, sitting.seats[0])
    assert done.status == 200
    assert done.json["position"]["sequence"] == done.json["sequence"] != sequence


async def test_a_refusal_says_the_same_as_over_grpc(web: Web) -> None:
    sitting = await sit_down(web.api)
    token, position = await turn(web.api, sitting)
    other = next(one for one in sitting.seats if one != token)
    move, now = position.legal_moves[0], position.sequence
    lobby = await create(web.api, OPEN, OPEN)
    cases: list[tuple[str, Message, str | None, int]] = [
        ("GetGame", pb.GetGameRequest(name="games/chess"), None, 404),
        ("GetSession", pb.GetSessionRequest(name="sessions/aaaaaaaaaaaaaaaa"), None, 404),
        ("GetSession", pb.GetSessionRequest(name=sitting.name, sequence=0), None, 400),
        ("GetSession", pb.GetSessionRequest(name=sitting.name, sequence=1), token, 400),
        ("GetSession", pb.GetSessionRequest(name=sitting.name, sequence=now + 99), token, 400),
        ("CreateSession", pb.CreateSessionRequest(game="kreta", seats=[OPEN] * 9), None, 400),
        ("ListSessions", pb.ListSessionsRequest(page_token="x"), None, 400),
        ("JoinSession", pb.JoinSessionRequest(name=lobby.name, display_name=" "), None, 400),
        ("JoinSession", pb.JoinSessionRequest(name=sitting.name, display_name="Eve"), None, 400),
        ("StartSession", pb.StartSessionRequest(name=lobby.name), lobby.host, 400),
        ("Act", act(sitting, move, now - 1), token, 409),
        ("Act", act(sitting, move, now + 99), token, 400),
        ("Act", act(sitting, move, now), other, 400),
        ("Act", pb.ActRequest(name=sitting.name, expected_sequence=now), token, 400),
        ("Observe", pb.ObserveRequest(name=sitting.name, after_sequence=now + 99), None, 400),
    ]
    for rpc, request, caller, status in cases:
        answer = await web.rpc(rpc, request, caller)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await web.api.send(rpc, request.SerializeToString(), bearer(caller))
        expected = refusal_of(refused.value)
        assert answer.status == status
        assert answer.headers["content-type"] == "application/json"
        error = answer.json["error"]
        assert (error["status"], error["message"]) == (expected.code, to_json_names(expected.message))
        received = {key: to_json_names(value) for key, value in expected.metadata.items()}
        assert (answer.reason, answer.metadata) == (expected.reason, received)


async def test_refusals_name_fields_as_json_spells_them_and_speak_of_headers(web: Web) -> None:
    sitting = await sit_down(web.api)
    token, position = await turn(web.api, sitting)
    move = MessageToDict(position.legal_moves[0])
    cases: list[tuple[str, str, Any, str | None, str]] = [
        ("POST", ":act", {"move": move}, token, "expectedSequence: "),
        ("POST", ":act", {"move": move, "expected_sequence": "x"}, token, "expectedSequence: "),
        ("POST", ":act", {"move": move, "expectedSequence": 1, "requestId": "1"}, token, "requestId: "),
        ("POST", ":join", {"displayName": ""}, None, "displayName: "),
        ("GET", ":observe?afterSequence=-1", None, None, "afterSequence: "),
    ]
    for verb, path, body, caller, beginning in cases:
        answer = await web.call(verb, f"/v1/{sitting.name}{path}", body, caller)
        assert (answer.status, answer.metadata["field"]) == (400, beginning.removesuffix(": "))
        assert answer.json["error"]["message"].startswith(beginning)
    setup = {"game": "kreta", "seats": [{}, {}], "options": {"kreta": {"startSeat": 9}}}
    refused = await web.call("POST", "/v1/sessions", setup)
    assert (refused.reason, refused.metadata) == ("BAD_OPTIONS", {"field": "startSeat"})
    assert refused.json["error"]["message"].startswith("startSeat: ")
    needed = await web.call("POST", f"/v1/{sitting.name}:act", {"move": move, "expectedSequence": 1})
    assert needed.reason == "TOKEN_MISSING"
    assert "header `Authorization: Bearer <token>`" in needed.json["error"]["message"]
    assert "metadata" not in needed.json["error"]["message"]


async def test_a_player_who_is_called_like_a_field_keeps_the_name(web: Web) -> None:
    lobby = await create(web.api, OPEN, OPEN, OPEN)
    await web.call("POST", f"/v1/{lobby.name}:join", {"displayName": "page_size"})
    answer = await web.call("POST", f"/v1/{lobby.name}:join", {"displayName": "page_size"})
    assert answer.reason == "NAME_TAKEN"
    assert "page_size" in answer.json["error"]["message"]


async def test_a_request_that_is_repeated_over_the_other_front_is_done_once(web: Web) -> None:
    sitting = await sit_down(web.api)
    token, position = await turn(web.api, sitting)
    request = act(sitting, position.legal_moves[0], position.sequence)
    request.request_id = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
    first = await web.rpc("Act", request, token)
    assert first.message("Act") == await over_grpc(web, "Act", request, token)
    assert (await web.rpc("Act", request, token)).json == first.json


async def test_fields_go_by_either_spelling_and_a_body_may_repeat_the_path(web: Web) -> None:
    sitting = await create(web.api, OPEN, OPEN)
    for number, body in enumerate(({"display_name": "Ada", "name": sitting.name}, {"displayName": "Bob", "seat": 1})):
        joined = await web.call("POST", f"/v1/{sitting.name}:join", body)
        assert joined.json["seat"] == number
    refused = await web.call("POST", f"/v1/{sitting.name}:join", {"displayName": "Eve", "name": "sessions/other"})
    assert (refused.status, refused.metadata) == (400, {"field": "name"})


@pytest.mark.parametrize(
    ("query", "reason", "metadata"),
    [
        ("pageSize=x", "INVALID_FIELD", {"field": "pageSize"}),
        ("pageSize=1&page_size=2", "INVALID_FIELD", {"field": "pageSize"}),
        ("pageSize=1&pageSize=2", "INVALID_FIELD", {"field": "pageSize"}),
        ("pageSize=", "INVALID_FIELD", {"field": "pageSize"}),
        ("pageSize=99999999999", "INVALID_FIELD", {"field": "pageSize"}),
        ("state=SESSION_STATE_PAUSED", "INVALID_FIELD", {"field": "state"}),
        ("state=77", "INVALID_FIELD", {"field": "state"}),
        ("pagesize=1", "UNKNOWN_FIELD", {"field": "ListSessionsRequest", "name": "pagesize"}),
        ("game.id=1", "UNKNOWN_FIELD", {"field": "ListSessionsRequest", "name": "game.id"}),
        ("=1", "UNKNOWN_FIELD", {"field": "ListSessionsRequest", "name": ""}),
        ("game=%ff", "INVALID_FIELD", {"field": "query"}),
    ],
)
async def test_a_query_is_read_strictly(web: Web, query: str, reason: str, metadata: dict[str, str]) -> None:
    refused = await web.call("GET", f"/v1/sessions?{query}")
    assert (refused.status, refused.reason, refused.metadata) == (400, reason, metadata)


@pytest.mark.parametrize(("game", "field"), ENUM_OPTIONS)
async def test_an_enum_of_the_options_is_refused_by_unknown_number_and_name(web: Web, game: str, field: str) -> None:
    seats: list[dict[str, str]] = [{}] * all_games()[game].seats[0]
    for value, reason in ((77, "BAD_OPTIONS"), (-1, "BAD_OPTIONS"), ("NO_SUCH_NAME", "INVALID_FIELD")):
        body = {"game": game, "seats": seats, "options": {game: {field: value}}}
        answer = await web.call("POST", "/v1/sessions", body)
        assert (answer.status, answer.reason) == (400, reason)
        assert snake(answer.metadata["field"]).endswith(field)


def snake(name: str) -> str:
    """Return the name of a field as protos spell it."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


async def test_enums_in_a_query_go_by_name(web: Web) -> None:
    await create(web.api, OPEN, OPEN)
    assert (await web.call("GET", "/v1/sessions?state=1")).status == 400
    for query in ("state=SESSION_STATE_LOBBY", "pageSize=3&state=SESSION_STATE_LOBBY&game=kreta"):
        listed = (await web.call("GET", f"/v1/sessions?{query}")).json
        assert {one["state"] for one in listed["sessions"]} == {"SESSION_STATE_LOBBY"}


async def test_a_name_that_is_percent_encoded_is_the_same_name(web: Web) -> None:
    sitting = await create(web.api, OPEN, OPEN)
    encoded = "sessions/" + "".join(f"%{ord(letter):02X}" for letter in sitting.name.removeprefix("sessions/"))
    assert (await web.call("GET", f"/v1/{encoded}")).json["session"]["name"] == sitting.name
    assert (await web.call("GET", "/v1/sessions/%FF")).reason == "HTTP_PATH_NOT_FOUND"
    assert (await web.call("GET", "/v1/sessions/a%2Fb")).reason == "SESSION_NOT_FOUND"


async def test_labels_are_set_changed_and_searched_for_over_http(web: Web) -> None:
    body = {"game": "kreta", "seats": [{}, {}], "labels": {"http.event": "spring cup"}}
    created = (await web.call("POST", "/v1/sessions", body)).json
    name, host = created["session"]["name"], created["hostToken"]
    assert created["session"]["labels"] == {"http.event": "spring cup"}
    found = (await web.call("GET", "/v1/sessions?label=http.event%3Dspring%20cup")).json["sessions"]
    assert [one["name"] for one in found] == [name]
    labelled = await web.call("POST", f"/v1/{name}:label", {"labels": {"http.round": "2"}}, host)
    assert labelled.json["session"]["labels"] == {"http.round": "2"}
    assert not (await web.call("GET", "/v1/sessions?label=http.event")).json.get("sessions")
    refusal = await web.call("POST", f"/v1/{name}:label", {"labels": {"Round": "2"}}, host)
    assert (refusal.status, refusal.reason, refusal.metadata) == (400, "INVALID_FIELD", {"field": "labels"})


async def test_a_position_in_words_is_plain_text_if_the_client_accepts_no_json(web: Web) -> None:
    sitting = await sit_down(web.api)
    request = pb.GetPositionTextRequest(name=sitting.name)
    over_grpc = await web.api.stub.GetPositionText(request, metadata=bearer(sitting.seats[0]))
    path = f"/v1/{sitting.name}/text"
    plain = await web.call("GET", path, token=sitting.seats[0], headers={"accept": "text/plain"})
    assert (plain.status, plain.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    assert plain.body.decode() == over_grpc.text
    for accepted in ("*/*", "application/json", "text/plain, application/json"):
        assert (await web.call("GET", path, token=sitting.seats[0], headers={"accept": accepted})).json == {
            "sequence": str(over_grpc.sequence),
            "text": over_grpc.text,
        }
    refusal = await web.call("GET", path, headers={"accept": "text/html"})
    assert (refusal.status, refusal.reason) == (406, "HTTP_NOT_ACCEPTABLE")
    unread = await web.call("GET", f"/v1/{sitting.name}", headers={"accept": "text/plain"})
    assert unread.status == 406
