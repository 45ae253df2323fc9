"""The header ``Idempotency-Key``: the same promises as those of a request id, over the real store."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.domain.limits import SessionLimits
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import OPEN, create
from tests.clients.servers import ServerProcess
from tests.rest.web import Response, Web, request, served
from tests.store.servers import until

pytestmark = pytest.mark.asyncio(loop_scope="module")

KEY, BY_TIME = "8e03978e-40d5-43dd-bc93-6894a57f9324", "59120f38-eb6e-11f1-90e5-02fc00000001"
NO_API: Any = None
"""In place of the gRPC of a server that is called over HTTP alone."""
NEW = {"game": "kreta", "seats": [{}, {}]}


async def create_session(web: Web, key: str | None, **fields: str) -> Response:
    headers = {} if key is None else {"idempotency-key": key}
    return await web.call("POST", "/v1/sessions", NEW | fields, headers=headers)


def quoted(key: UUID | str) -> str:
    return f'"{key}"'


async def test_a_call_that_is_repeated_under_its_key_takes_effect_once(web: Web) -> None:
    key = uuid4()
    first, again = await create_session(web, quoted(key)), await create_session(web, quoted(key))
    assert (first.status, first.body) == (200, again.body)
    assert (await create_session(web, quoted(uuid4()))).json["session"]["name"] != first.json["session"]["name"]


async def test_callers_at_once_with_one_key_receive_one_session(web: Web) -> None:
    key = quoted(uuid4())
    answers = await asyncio.gather(*(create_session(web, key) for _ in range(8)))
    assert len({answer.json["session"]["name"] for answer in answers}) == 1


async def test_the_header_is_the_request_id_of_the_body(web: Web) -> None:
    key = str(uuid4())
    by_body = await create_session(web, None, requestId=key)
    for sent in (quoted(key), key, quoted(key.upper())):
        by_header = await create_session(web, sent)
        assert by_header.json["session"]["name"] == by_body.json["session"]["name"]
    both = await create_session(web, quoted(key), requestId=key.upper())
    assert both.json["session"]["name"] == by_body.json["session"]["name"]


async def test_a_repeated_join_returns_the_seat_of_the_first(web: Web) -> None:
    sitting, other = await create(web.api, OPEN, OPEN), await create(web.api, OPEN, OPEN)
    join, headers = {"displayName": "Ada"}, {"idempotency-key": quoted(uuid4())}
    first, again, elsewhere = [
        await web.call("POST", f"/v1/{name}:join", join, headers=headers)
        for name in (sitting.name, sitting.name, other.name)
    ]
    assert first.json["seatToken"] == again.json["seatToken"]
    assert elsewhere.json["seatToken"] != first.json["seatToken"], "a key counts in its session"


async def test_two_different_ids_are_a_conflict_and_nothing_happens(web: Web) -> None:
    sitting, path = await create(web.api, OPEN, OPEN), "/v1/{}:join"
    body = {"displayName": "Ada", "requestId": str(uuid4())}
    answer = await web.call("POST", path.format(sitting.name), body, headers={"idempotency-key": quoted(uuid4())})
    assert (answer.status, answer.json["error"]["status"]) == (400, "INVALID_ARGUMENT")
    assert (answer.reason, answer.metadata) == ("INVALID_FIELD", {"field": "Idempotency-Key"})
    seats = (await web.call("GET", f"/v1/{sitting.name}")).json["session"]["seats"]
    assert ["displayName" in seat for seat in seats] == [False, False]


@pytest.mark.parametrize(
    ("key", "field"),
    [
        ('""', "Idempotency-Key"),
        ("", "Idempotency-Key"),
        ("1", "requestId"),
        (f'"{BY_TIME}"', "requestId"),
        (f'"{KEY}', "requestId"),
        (f'"{KEY}";a=1', "requestId"),
        (f'"{KEY}", "{KEY}"', "requestId"),
        ("\xe9" * 2000, "requestId"),
    ],
)
async def test_a_key_that_is_no_random_uuid_is_rejected(web: Web, key: str, field: str) -> None:
    answer = await create_session(web, key)
    assert (answer.status, answer.reason, answer.metadata) == (400, "INVALID_FIELD", {"field": field})


async def test_two_headers_are_rejected_even_if_they_are_equal(web: Web) -> None:
    line = f"idempotency-key: {quoted(uuid4())}\r\n".encode()
    body = b'{"game": "kreta", "seats": [{}, {}]}'
    head = request("POST", "/v1/sessions", {"content-type": "application/json", "content-length": str(len(body))})
    answer = await web.send(head[:-2] + line + line + b"\r\n" + body)
    assert (answer.status, answer.metadata) == (400, {"field": "Idempotency-Key"})


async def test_a_call_without_a_request_id_ignores_the_header(web: Web) -> None:
    assert (await web.call("GET", "/v1/games", headers={"idempotency-key": "anything"})).status == 200


async def test_another_call_under_a_key_is_rejected_and_not_made(web: Web) -> None:
    """With 400, as the gRPC code says, and not with the draft's 422: see docs/reference/rest.md."""
    sitting, headers = await create(web.api, OPEN, OPEN), {"idempotency-key": quoted(uuid4())}
    joined = await web.call("POST", f"/v1/{sitting.name}:join", {"displayName": "Ada"}, headers=headers)
    answer = await web.call("POST", f"/v1/{sitting.name}:join", {"displayName": "Bob"}, headers=headers)
    assert (joined.status, answer.status, answer.reason) == (200, 400, "REQUEST_ID_REUSED")
    assert answer.json["error"]["status"] == "INVALID_ARGUMENT"
    seats = (await web.call("GET", f"/v1/{sitting.name}")).json["session"]["seats"]
    assert [seat.get("displayName") for seat in seats] == ["Ada", None]


async def test_the_same_key_of_another_token_is_another_call(web: Web) -> None:
    sitting, headers = await create(web.api, OPEN, OPEN, OPEN), {"idempotency-key": quoted(uuid4())}
    joined = [await web.call("POST", f"/v1/{sitting.name}:join", {"displayName": name}) for name in ("Ada", "Bob")]
    for answer in joined:
        left = await web.call("POST", f"/v1/{sitting.name}:leave", {}, answer.json["seatToken"], headers=headers)
        assert left.status == 200
    seats = (await web.call("GET", f"/v1/{sitting.name}")).json["session"]["seats"]
    assert ["displayName" in seat for seat in seats] == [False] * 3


async def test_a_key_is_forgotten_after_many_other_calls(web: Web) -> None:
    sitting = await create(web.api, OPEN, OPEN)

    async def label(value: str, key: UUID) -> str:
        body, headers = {"labels": {"round": value}}, {"idempotency-key": quoted(key)}
        answer = await web.call("POST", f"/v1/{sitting.name}:label", body, sitting.host, headers=headers)
        assert answer.status == 200
        labels = (await web.call("GET", f"/v1/{sitting.name}")).json["session"]["labels"]
        return str(labels["round"])

    key = uuid4()
    assert await label("first", key) == "first"
    for number in range(31):
        assert await label(str(number), uuid4()) == str(number)
    assert await label("first", key) == "30", "a repeat, which is among the last 32 calls"
    assert await label("last", uuid4()) == "last"
    assert await label("first", key) == "first", "the server no longer knows the key"


async def test_the_session_of_a_key_is_created_anew_after_it_has_expired(valkey: EmbeddedServer) -> None:
    async with served(valkey, SessionLimits(lobby_lifetime_ms=1)) as web:
        key = quoted(uuid4())
        first = (await create_session(web, key)).json

        async def expired() -> bool:
            return (await web.call("GET", f"/v1/{first['session']['name']}")).status == 404

        await until(expired)
        again = await create_session(web, key)
    assert again.status == 200
    assert again.json["hostToken"] != first["hostToken"]


async def test_other_protocols_ignore_the_header(web: Web) -> None:
    key, names = quoted(uuid4()), set()
    for _ in range(2):
        answer = await web.call("POST", "/skerry.v1.SkerryService/CreateSession", NEW, headers={"idempotency-key": key})
        names.add(answer.json["session"]["name"])
        request = pb.CreateSessionRequest(game="kreta", seats=[OPEN, OPEN])
        names.add((await web.api.stub.CreateSession(request, metadata=(("idempotency-key", key),))).session.name)
    names.add((await create_session(web, key)).json["session"]["name"])
    assert len(names) == 5


async def test_a_key_counts_after_the_server_was_killed(tmp_path: Path) -> None:
    key, answers = quoted(uuid4()), []
    server = ServerProcess(tmp_path, http="127.0.0.1:0")
    server.start()
    try:
        answers.append(await create_session(Web(str(server.http), NO_API), key))
        server.kill()
        server.start()
        answers.append(await create_session(Web(str(server.http), NO_API), key))
    finally:
        server.kill()
    assert answers[0].status == 200
    assert answers[0].body == answers[1].body
