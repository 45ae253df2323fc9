"""Routes and requests from annotations of every kind, on a contract that has what Skerry's has not yet."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from google.protobuf.message import Message

from skerry_service.api.endpoint import Endpoint
from skerry_service.edge.http.http_app import HttpApp
from skerry_service.edge.rest.path_templates import parse_template
from skerry_service.edge.rest.rest_app import RestApp
from skerry_service.edge.rest.routes import Routes
from skerry_service.wire.json_writer import to_json
from tests.rest.contract import SHELF, Book, MoveRequest


class Shelf:
    """Answers with the request, so that a test sees what it was understood as."""

    async def move(self, request: Message, token: str | None) -> Message:
        return request

    find = browse = move


def ask(verb: str, target: str, body: Any = None) -> tuple[int, Any]:
    """Send one request to an application for the contract; return status and JSON."""
    path, _, query = target.partition("?")
    data = b"" if body is None else json.dumps(body).encode()
    headers = [] if body is None else [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(data))]
    scope = {
        "type": "http", "method": verb, "raw_path": path.encode(), "query_string": query.encode(), "headers": headers,
    }  # fmt: skip
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": data, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    endpoint = Endpoint(SHELF, Shelf())
    asyncio.run(HttpApp({}, RestApp([endpoint], lambda _: None), endpoint.refused)(scope, receive, send))
    return sent[0]["status"], json.loads(sent[1]["body"])


def test_an_rpc_to_which_the_client_streams_has_no_route() -> None:
    assert {route.rpc.name for route in Routes(SHELF).all} == {"Move", "Find"}


def value(message: Message) -> Any:
    return json.loads(to_json(message))


def test_a_body_can_be_one_field_and_the_query_hold_the_others() -> None:
    status, answer = ask("POST", "/v1/halls/a/shelves/b:move?force=true&shelves=1&shelves=2", {"aInt32": 7})
    assert (status, answer) == (200, value(Book(a_int32=7))), "the answer is one field too"
    for query in ("book.a_int32=1", "book=1", "name=x", "force=1", "force=true&force=true", "shelves=x", "shelf=1"):
        assert ask("POST", f"/v1/halls/a/shelves/b:move?{query}", {})[0] == 400


def test_a_path_can_bind_many_segments_or_a_field_inside_another() -> None:
    assert ask("GET", "/v1/halls/a/b/c") == (200, value(MoveRequest(name="halls/a/b/c")))
    assert ask("GET", "/v1/halls/a%20%C3%A9/b%2Fc") == (200, value(MoveRequest(name="halls/a é/b%2Fc")))
    forced = MoveRequest(book=Book(a_string="x/y"), force=True)
    assert ask("GET", "/v1/shelves/x%2Fy?force=true") == (200, value(forced))
    assert ask("DELETE", "/x?name=n") == (200, value(MoveRequest(name="n")))


def test_nested_fields_of_every_kind_can_be_in_a_query() -> None:
    query = (
        "book.aInt64=-5&book.a_uint64=18446744073709551615&book.aBool=true&book.aBytes=_-8&book.aDouble=0.5"
        "&book.colour=COLOUR_RED&book.colours=COLOUR_RED&book.colours=COLOUR_BLUE&book.sequel.aString=%C3%A9+"
        "&book.printed=2026-01-02T03:04:05Z"
    )
    _, answer = ask("DELETE", f"/x?{query}")
    expected = {
        "aInt64": "-5", "aUint64": "18446744073709551615", "aBool": True, "aBytes": "/+8=", "aDouble": 0.5,
        "colour": "COLOUR_RED", "colours": ["COLOUR_RED", "COLOUR_BLUE"], "printed": "2026-01-02T03:04:05Z",
    }  # fmt: skip
    assert answer["book"] == value(Book()) | expected | {"sequel": value(Book(a_string="é "))}
    for bad in (
        "book.parts.aInt32=1",
        "book.colour=1",
        "book.aBool=yes",
        "book.aBytes=!",
        "book.printed=now",
        "book.stringMap.a=1",
    ):
        assert ask("DELETE", f"/x?{bad}")[0] == 400


@pytest.mark.parametrize(
    ("template", "path", "values"),
    [
        ("/v1/games", "/v1/games", {}),
        ("/v1/{name=games/*}", "/v1/games/kreta", {"name": "games/kreta"}),
        ("/v1/{name=games/*}", "/v1/games/", None),
        ("/v1/{name=games/*}", "/v1/games/kreta:act", None),
        ("/v1/{name=games/*}:act", "/v1/games/kreta:act", {"name": "games/kreta"}),
        ("/v1/{name=games/*}:act", "/v1/games/kreta:act:act", None),
        ("/v1/{name=games/*}/rules", "/v1/games/a/b/rules", None),
        ("/v1/{a}/{b}", "/v1/x/y", {"a": "x", "b": "y"}),
        ("/v1/{a=**}", "/v1/x/y/z", {"a": "x/y/z"}),
        ("/v1/a.b", "/v1/aXb", None),
    ],
)
def test_a_template_matches_what_it_says(template: str, path: str, values: dict[str, str] | None) -> None:
    assert parse_template(template).match(path) == values


@pytest.mark.parametrize("text", ["", "v1", "/v1/{", "/v1/{name", "/v1/{na me}", "/v1/{a={b}}", "/v1/}"])
def test_what_is_no_template_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="path"):
        parse_template(text)
