"""The described bounds of requests are those that the server checks: at each bound, and one beyond it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import pytest
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from skerry_games.api import MalformedMove
from skerry_games.catalogue import all_games
from skerry_service.edge.rest.openapi.document import describe_services
from skerry_service.edge.rest.openapi.operations import path_of
from skerry_service.wire.payloads import codec_of, messages_of
from tests.api.test_tokens import request_of, set_up
from tests.api.wire import SERVICE
from tests.rest.web import ROUTES, Response, Web, as_http

pytestmark = pytest.mark.asyncio(loop_scope="module")

DESCRIPTION = describe_services(SERVICE)
INT32 = 2**31
NOT_HERE = {"RegisterBot", "WakeBot", "FindLadderGame", "LeaveTournament", "ResendWebhooks"}
"""Their callers need an API key or a tournament, which this server does not have."""
DEPENDS = ("seat", "seats", "sequence", "afterSequence", "expectedSequence", "entrant", "season")
"""Numbers whose upper bound depends on the session, ladder or tournament: the described one is the largest of all."""
FOLLOWS = ("seats", "mostEntrants", "meetings", "gamesAtOnce", "rounds", "clocks", "party")
"""Fields that are rejected within their bounds if they do not fit the rest of the request."""
CALLER = dict.fromkeys(("RemovePlayer", "OpenSeat", "LabelSession", "StartSession"), "host") | {
    "NudgeSeat": "other_seat"
}
NOT_ANY_TEXT = ("url", "pageToken", "target")
"""Texts that have to mean something, and not only a length."""


class Bound(NamedTuple):
    """A field of a request, a value, and whether the description allows it."""

    rpc: str
    path: tuple[str, ...]
    value: Any
    allowed: bool

    @property
    def dotted(self) -> str:
        return ".".join(self.path)


def resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema without its reference, and without ``null``."""
    if "anyOf" in schema:
        return resolved(schema["anyOf"][0])
    if "$ref" in schema:
        return resolved(DESCRIPTION["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    return schema


def fields_of(schema: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return all fields of an object, or of all objects of a union."""
    variants = schema.get("oneOf", [schema])
    return {name: one for variant in variants for name, one in variant.get("properties", {}).items()}


def described(path: tuple[str, ...], schema: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any, bool]]:
    """Yield values at and beyond the bounds of a field, and of those inside it, without games."""
    schema = resolved(schema)
    kinds = schema.get("type")
    kind = kinds[0] if isinstance(kinds, list) else kinds
    if kind == "integer":
        low, high = schema["minimum"], schema["maximum"]
        depends = path[-1] in DEPENDS
        yield from [(path, low - 1, False), (path, high + 1, False)]
        yield from [] if path[-1] in FOLLOWS else [(path, low, True)]
        yield from [] if depends or path[-1] in FOLLOWS else [(path, high, True)]
        if gap := schema.get("not"):
            yield from [(path, gap["minimum"], False), (path, gap["maximum"], False)]
            yield from [] if path[-1] in FOLLOWS else [(path, gap["maximum"] + 1, True)]
    elif kind == "string" and "maxLength" in schema:
        yield path, "q" * (schema["maxLength"] + 1), False
        yield from [] if path[-1] in NOT_ANY_TEXT else [(path, "q" * schema["maxLength"], True)]
        if schema.get("minLength"):
            yield path, "", False
    elif kind == "string" and schema.get("format") == "uuid":
        yield path, "8e03978e-40d5-43dd-bc93-6894a57f932", False
    elif kind == "array" and "maxItems" in schema:
        item = resolved(schema["items"])
        one = "q" if item.get("type") == "string" else {}
        yield path, [one] * (schema["maxItems"] + 1), False
    elif schema.get("maxProperties"):
        entries = {f"k{number}": "v" for number in range(schema["maxProperties"] + 1)}
        yield from [(path, dict(list(entries.items())[1:]), True), (path, entries, False)]
        value = resolved(schema["additionalProperties"])
        yield from [(path, {"k": "v" * value["maxLength"]}, True), (path, {"k": "v" * (value["maxLength"] + 1)}, False)]
        yield from [(path, {"k": ""}, False), (path, {"K": "v"}, False)]
    else:
        for name, inner in fields_of(schema).items():
            if name not in (*all_games(), "smallIslands", "unknownKind"):
                yield from described((*path, name), inner)


def bounds() -> Iterator[Bound]:
    for rpc, route in ROUTES.items():
        operation = DESCRIPTION["paths"][path_of(route)][route.verb.lower()]
        if rpc in NOT_HERE:
            continue
        if route.body:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            yield from (Bound(rpc, *found) for found in described((), schema))
        for one in operation["parameters"]:
            if one["in"] == "query":
                yield from (Bound(rpc, *found) for found in described((one["name"],), one["schema"]))


BOUNDS: dict[str, list[Bound]] = {}
for _bound in bounds():
    BOUNDS.setdefault(_bound.rpc, []).append(_bound)


async def test_each_number_of_a_request_has_bounds() -> None:
    numbers = {(rpc, one.path) for rpc, found in BOUNDS.items() for one in found if type(one.value) is int}
    assert len(numbers) > 40
    assert ("CreateSession", ("clock", "bankWithGrace", "graceMs")) in numbers
    assert ("GetPicture", ("width",)) in numbers


@pytest.mark.parametrize("rpc", BOUNDS)
async def test_the_server_checks_the_described_bounds(web: Web, rpc: str) -> None:
    scene = await set_up(web.api, rpc)
    verb, target, body = as_http(rpc, request_of(scene, rpc))
    for bound in BOUNDS[rpc]:
        headers = {name: str(value) for name, value in scene.metadata[CALLER.get(rpc, "seat")]}
        if ROUTES[rpc].body:
            answer = await web.call(verb, target, with_value(bound, body), headers=headers)
        else:
            path, _, query = target.partition("?")
            query = urlencode(dict(parse_qsl(query)) | {bound.dotted: bound.value})
            answer = await web.call(verb, f"{path}?{query}", headers=headers)
        assert is_rejected(answer, bound) is not bound.allowed, (bound, answer)


def is_rejected(answer: Response, bound: Bound) -> bool:
    """Return whether the answer says that the value of this field is invalid."""
    if answer.status != 400 or answer.reason != "INVALID_FIELD":
        return False
    field = answer.metadata["field"]
    return field == bound.dotted or field.startswith(f"{bound.dotted}[")


def with_value(bound: Bound, body: Any) -> Any:
    """Return a body with this value, in which all other fields are valid."""
    *outer, last = bound.path
    changed = dict(body or {})
    inner = changed
    for name in outer:
        inner[name] = dict(inner.get(name, {}))
        inner = inner[name]
    if outer and outer[-1] in ("bank", "bankWithGrace"):
        inner |= {"timeMs": 1000} | ({"graceMs": 1} if outer[-1] == "bankWithGrace" else {})
    inner[last] = bound.value
    return changed


def limited_moves() -> Iterator[Any]:
    for game in all_games():
        for case in moves_of(game):
            fields = case.message_type.fields
            limited = [field for field in fields if field.full_name in codec_of(game).numbers_of_moves]
            if len(limited) == len(fields):
                yield from (pytest.param(game, case.name, field, id=field.full_name) for field in limited)


def moves_of(game: str) -> Any:
    kind: Descriptor = messages_of(game).message_types_by_name["Move"]
    return kind.fields


@pytest.mark.parametrize(("game", "case", "field"), list(limited_moves()))
async def test_a_game_checks_the_described_numbers_of_its_moves(game: str, case: str, field: Any) -> None:
    schemas = DESCRIPTION["components"]["schemas"]
    schema = schemas.get(f"{field.containing_type.full_name}Input", schemas.get(field.containing_type.full_name))
    described = schema["properties"][field.json_name]
    low, high = described["minimum"], described["maximum"]
    for number, allowed in ((low - 1, False), (low, True), (high, True), (high + 1, False)):
        move: Message = GetMessageClass(messages_of(game).message_types_by_name["Move"])()
        for other in field.containing_type.fields:
            setattr(getattr(move, case), other.name, codec_of(game).numbers_of_moves[other.full_name][0])
        setattr(getattr(move, case), field.name, number)
        assert (" are numbered " not in refusal_of(game, move)) is allowed


def refusal_of(game: str, move: Message) -> str:
    try:
        codec_of(game).move_from_proto(move)
    except MalformedMove as refusal:
        return str(refusal)
    return ""


@pytest.mark.parametrize("query", ["state=0", "state=1", "state=-1", "state=", "state=LOBBY"])
async def test_an_enum_in_a_query_is_a_name(web: Web, query: str) -> None:
    answer = await web.call("GET", f"/v1/sessions?{query}")
    assert (answer.status, answer.metadata) == (400, {"field": "state"})
    assert "SESSION_STATE_LOBBY" in answer.json["error"]["message"]
    assert (await web.call("GET", "/v1/sessions?state=SESSION_STATE_LOBBY")).status == 200


async def test_a_field_with_a_default_can_be_null_as_described(web: Web) -> None:
    operation = DESCRIPTION["paths"]["/v1/sessions"]["post"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    optional = [name for name in schema["properties"] if name not in schema["required"]]
    assert {"delay", "clock", "seed", "labels"} <= set(optional)
    for name in optional:
        field = schema["properties"][name]
        assert {"type": "null"} in field.get("anyOf", []) or "null" in field["type"]
        body = {"game": "kreta", "seats": [{}, {}]} | {name: None}
        assert (await web.call("POST", "/v1/sessions", body)).status == (400 if name == "seats" else 200)
