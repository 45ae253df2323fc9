"""The header ``Idempotency-Key``: the same promises as those of a request id, over the real store."""

from __future__ import annotations

import asyncio
from uuid import UUID, uuid4

import pytest

from tests.api.wire import OPEN, create
from tests.rest.web import Response, Web, request

pytestmark = pytest.mark.asyncio(loop_scope="module")

KEY, BY_TIME = "8e03978e-40d5-43dd-bc93-6894a57f9324", "59120f38-eb6e-11f1-90e5-02fc00000001"
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
