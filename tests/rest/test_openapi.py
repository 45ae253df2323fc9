"""The description of the API is valid, complete, and what the service does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core import NotSet
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from skerry_games.catalogue import all_games
from skerry_service.edge.rest.openapi.document import describe_services
from skerry_service.edge.rest.openapi.operations import path_of
from skerry_service.edge.rest.routes import WHOLE
from tests.api.wire import SERVICE
from tests.rest.contract import SHELF
from tests.rest.openapi.explained import explains_rejection, unexplained
from tests.rest.processes import running
from tests.rest.web import ROUTES

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
DESCRIPTION = describe_services(SERVICE)
CASES = [(rpc, GenerationMode.POSITIVE) for rpc in ROUTES]
CASES += [(rpc, GenerationMode.NEGATIVE) for rpc, route in ROUTES.items() if route.body or rpc == "ListSessions"]
schema = schemathesis.openapi.from_dict(DESCRIPTION)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server in a process of its own."""
    with running() as (url, _):
        yield url


@pytest.fixture(scope="module")
def sessions(url: str) -> list[str]:
    """Ids of a session in the lobby, one in play, one that is over, and none."""
    made = [create(url, [{}, {}]), create(url, [{}, {}]), create(url, [{"occupant": "OCCUPANT_BOT"}] * 2)]
    for name in ("Ada", "Bob"):
        send(url, f"/v1/sessions/{made[1]}:join", {"displayName": name})
    return [*made, "aaaaaaaaaaaaaaaa"]


def create(url: str, seats: list[dict[str, str]]) -> str:
    game = next(iter(all_games()))
    name: str = send(url, "/v1/sessions", {"game": game, "seats": seats})["session"]["name"]
    return name.removeprefix("sessions/")


def send(url: str, path: str, body: Any) -> Any:
    request = Request(url + path, json.dumps(body).encode(), {"content-type": "application/json"})
    with urlopen(request) as answer:
        return json.load(answer)


@pytest.mark.parametrize(("rpc", "mode"), CASES)
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_is_sent_the_answer_is_one_that_is_described(
    url: str, sessions: list[str], rpc: str, mode: GenerationMode, data: st.DataObject
) -> None:
    """Requests by the description, and requests that break it somewhere."""
    operation = schema[path_of(ROUTES[rpc])][ROUTES[rpc].verb]
    case = data.draw(operation.as_strategy(generation_mode=mode))
    if "session" in case.path_parameters:
        candidates = sessions[2:] if rpc == "Observe" else sessions  # those streams end
        case.path_parameters["session"] = candidates[len(repr(case.body) + repr(case.query)) % len(candidates)]
    response = case.call(base_url=url)
    case.validate_response(response, checks=CHECKS)
    if response.status_code >= 400:
        detail = response.json()["error"]["details"][0]
        reason = detail["reason"]
        assert reason in operation.definition.raw["responses"][str(response.status_code)]["x-reasons"]
        if mode is GenerationMode.POSITIVE and reason in ("INVALID_FIELD", "UNKNOWN_FIELD", "HTTP_MALFORMED"):
            assert explains_rejection(detail["metadata"].get("field", "")), response.text
    elif mode is GenerationMode.NEGATIVE:
        assert unexplained(violations(operation.definition.raw, case)) == []


def violations(operation: dict[str, Any], case: schemathesis.Case[Any]) -> list[ValidationError]:
    """Return where a request breaks the description of its operation."""
    found = []
    if not isinstance(case.body, NotSet):
        found += errors_in(operation["requestBody"]["content"]["application/json"]["schema"], case.body)
    return found


def errors_in(schema: dict[str, Any], value: Any) -> list[ValidationError]:
    validator = Draft202012Validator(schema | {"components": DESCRIPTION["components"]})
    return list(validator.iter_errors(value))


def test_path_parameters_are_described_as_ids() -> None:
    """A client that puts the whole name there, as other transports take it, asks for a session that does not exist."""
    received = {
        one["name"]: one["description"]
        for methods in DESCRIPTION["paths"].values()
        for operation in methods.values()
        for one in operation.get("parameters", [])
        if one["in"] == "path"
    }
    assert received == {
        "game": "The id alone: the part for `*` in the name `games/*`.",
        "session": "The id alone: the part for `*` in the name `sessions/*`.",
        "ladder": "The id alone: the part for `*` in the name `ladders/*`.",
        "bot": "The id alone: the part for `*` in the name `bots/*`.",
        "tournament": "The id alone: the part for `*` in the name `tournaments/*`.",
        "webhookEndpoint": "The id alone: the part for `*` in the name `webhookEndpoints/*`.",
    }


def test_the_description_is_valid() -> None:
    assert [error.message for error in OpenAPIV31SpecValidator(DESCRIPTION).iter_errors()] == []
    assert [error.message for error in OpenAPIV31SpecValidator(described_shelf()).iter_errors()] == []


def described_shelf() -> dict[str, Any]:
    description: dict[str, Any] = describe_services(SHELF)
    return description


def test_every_rpc_and_every_field_of_its_request_is_described() -> None:
    for route in ROUTES.values():
        operation = DESCRIPTION["paths"][path_of(route)][route.verb.lower()]
        assert operation["operationId"] == route.rpc.name
        assert operation["description"]
        named = {one["name"] for one in operation["parameters"] if one["in"] == "query"}
        if route.body == WHOLE:
            named |= set(operation["requestBody"]["content"]["application/json"]["schema"]["properties"])
        fields = {field.json_name for field in route.rpc.input_type.fields if not route.binds(field.name)}
        assert named == fields


def test_everything_that_is_described_has_a_description() -> None:
    for name, described in DESCRIPTION["components"]["schemas"].items():
        assert described["description"], name
        for one in described.get("oneOf", [described]):
            for field, of in one.get("properties", {}).items():
                assert name == "Error" or of["description"], (name, field)


def test_every_rpc_says_whether_it_needs_a_token() -> None:
    needs = {one["operationId"]: one["security"] for path in DESCRIPTION["paths"].values() for one in path.values()}
    assert {name for name, security in needs.items() if security == []} == {
        "ListGames", "GetGame", "GetHowToPlay", "CreateSession", "JoinSession", "ListSessions",
        "ListOpenTables", "FindMatch", "ConfirmMatch",
        "GetBot", "ListLadders", "GetLadder", "ListLadderGames", "GetHeadToHead",
        "CreateTournament", "GetTournament", "ListTournaments", "EnterTournament", "ListTournamentGames",
    }  # fmt: skip
    assert {name for name, security in needs.items() if {} not in security and security} == {
        "StartSession", "LeaveSession", "RemovePlayer", "LabelSession", "Act", "SampleStates",
        "ReturnToSession", "ResignSession", "OpenSeat", "CancelSession", "NudgeSeat", "RematchSession",
        "SetWebhook", "GetHint", "UndoMove", "SendEmote",
        "SetWebhookEndpoint", "GetWebhookEndpoint", "ListWebhookEndpoints", "DeleteWebhookEndpoint",
        "PingWebhookEndpoint", "ResendWebhooks",
        "RegisterBot", "WakeBot", "FindLadderGame",  # they need an API key
        "RecoverSeat",  # it needs an identity token
        "LeaveTournament", "StartTournament", "CancelTournament",
    }  # fmt: skip


def test_the_example_of_a_first_game_can_be_sent_as_it_is(url: str) -> None:
    example = DESCRIPTION["paths"]["/v1/sessions"]["post"]["requestBody"]["content"]["application/json"]["example"]
    name = send(url, "/v1/sessions", example)["session"]["name"]
    join = DESCRIPTION["paths"]["/v1/sessions/{session}:join"]["post"]["requestBody"]["content"]["application/json"]
    assert send(url, f"/v1/{name}:join", join["example"])["seatToken"]


def test_the_pages_name_no_other_host(url: str) -> None:
    with urlopen(f"{url}/docs") as answer:
        page, policy = answer.read().decode(), answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "//" not in policy
    assert "unsafe-eval" not in policy
    assert "script-src 'self';" in policy
    assert re.findall(r"https?:|//", page) == []
    parts = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert parts
    for part in parts:
        if not part.startswith("data:"):
            with urlopen(f"{url}/{part}") as answer:
                assert answer.status == 200
    with urlopen(f"{url}/docs/start.js") as answer:
        assert b"//" not in answer.read()
    with urlopen(f"{url}/docs/swagger-ui-bundle.js") as answer:  # what start.js puts its own resolution between
        bundle = answer.read()
    assert all(name in bundle for name in (b"requestResolvedSubtree", b"updateResolvedSubtree", b"wrapActions"))


def test_what_is_served_is_what_was_checked(url: str) -> None:
    with urlopen(f"{url}/openapi.json") as answer:
        assert json.load(answer) == DESCRIPTION
