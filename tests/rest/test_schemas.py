"""The schemas of the description: requests are closed, answers open; and whole games are answered as they say."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from jsonschema import Draft202012Validator
from jsonschema.protocols import Validator

from skerry.v1 import payload_pb2
from skerry.v1 import service_pb2 as pb
from skerry_games.catalogue import all_games
from skerry_service.api.session_methods import Methods
from skerry_service.edge.rest.openapi.document import describe_services
from skerry_service.edge.rest.openapi.operations import path_of
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from skerry_service.wire.json_names import reachable_messages
from skerry_service.wire.json_writer import to_json
from skerry_service.wire.payloads import write_options
from tests.api.wire import SERVICE
from tests.games.conformance.play import middle
from tests.games.variants import Variant, all_variants
from tests.rest.web import ROUTES

DESCRIPTION = describe_services(SERVICE)
SCHEMAS = DESCRIPTION["components"]["schemas"]
WRITTEN = [rpc for rpc in SERVICE.methods if rpc.name in ROUTES and not ROUTES[rpc.name].extension]
"""The RPCs whose answers are JSON; those of the others are files."""
ANSWERED = [
    kind
    for kind in reachable_messages(rpc.output_type for rpc in WRITTEN)
    if kind.file.package.startswith("skerry") and not kind.GetOptions().map_entry
]
MAPS = {
    field.json_name
    for kind in ANSWERED
    for field in kind.fields
    if field.message_type is not None and field.message_type.GetOptions().map_entry
}
GAMES = [payload_pb2.View.DESCRIPTOR.fields_by_name[game].json_name for game in all_games()]
BOTH_WAYS = [name for name in SCHEMAS if f"{name}Input" in SCHEMAS]
_STEPS = 60
"""Moves of a game that are made one by one; bots play it to its end."""


def validator(schema: Any) -> Validator:
    """Return what checks values against a schema of the description."""
    return Draft202012Validator(schema | {"components": DESCRIPTION["components"]})


def answer_of(rpc: str) -> Validator:
    return validator(operation(rpc)["responses"]["200"]["content"]["application/json"]["schema"])


def request_of(rpc: str) -> Validator:
    return validator(operation(rpc)["requestBody"]["content"]["application/json"]["schema"])


def operation(rpc: str) -> Any:
    return DESCRIPTION["paths"][path_of(ROUTES[rpc])][ROUTES[rpc].verb.lower()]


def named(name: str) -> Validator:
    return validator({"$ref": f"#/components/schemas/{name}"})


def value(message: Message) -> Any:
    return json.loads(to_json(message))


@pytest.mark.parametrize("variant", list(all_variants()), ids=lambda variant: variant.id)
def test_whole_games_are_answered_as_described(variant: Variant) -> None:
    asyncio.run(played(variant))


async def played(variant: Variant) -> None:
    """Play a while, leave the rest to bots; hold every answer against the description."""
    methods = Methods(Sessions(MemoryStore(), clock_ms=lambda: 1_767_225_600_000))
    game = variant.game
    request = pb.CreateSessionRequest(game=game.id, seats=[pb.SeatSetup()] * game.seats[-1], seed=bytes(32))
    request.options.CopyFrom(write_options(game, game.options_type()))
    made = (await methods.create_session(request, None)).message
    answer_of("CreateSession").validate(value(made))
    name, tokens = made.session.name, []
    for seat in range(game.seats[-1]):
        joining = pb.JoinSessionRequest(name=name, display_name=f"P{seat}")
        joined = (await methods.join_session(joining, None)).message
        answer_of("JoinSession").validate(value(joined))
        tokens.append(joined.seat_token)
    for step in range(middle(game, game.seats[-1], _STEPS)):
        read = pb.GetSessionRequest(name=name)
        seat = (await methods.get_session(read, None)).message.position.to_act[0]
        looked = (await methods.get_session(read, tokens[seat])).message
        position = looked.position
        act = pb.ActRequest(name=name, expected_sequence=position.sequence, view=pb.POSITION_VIEW_FULL)
        act.move.CopyFrom(position.legal_moves[7 * step % len(position.legal_moves)])
        done = (await methods.act(act, tokens[seat])).message
        if step % 6 == 0:
            answer_of("GetSession").validate(value(looked))
            answer_of("Act").validate(value(done))
            sent = {"move": value(act.move), "expectedSequence": str(act.expected_sequence)}
            request_of("Act").validate(sent)
    for token in tokens:
        await methods.leave_session(pb.LeaveSessionRequest(name=name), token)
    replayed = (await methods.get_replay(pb.GetReplayRequest(name=name), None)).message
    assert replayed.replay.session.HasField("outcome")
    answer_of("GetReplay").validate(value(replayed))


def test_whatever_is_written_of_an_empty_message_is_required() -> None:
    for kind in ANSWERED:
        written = set(value(GetMessageClass(kind)()))
        for schema in SCHEMAS[kind.full_name].get("oneOf", [SCHEMAS[kind.full_name]]):
            required = set(schema.get("required", ()))
            assert written <= required
            for name in required - written:  # beside them: cases, and messages whose comment does not say "absent"
                field = next(one for one in kind.fields if one.json_name == name)
                assert not field.is_repeated
                if field.containing_oneof is None:
                    assert field.message_type is not None
                    assert "absent" not in schema["properties"][name]["description"]


def test_fields_that_can_be_absent_are_not_required() -> None:
    for name, field in (
        ("GetSessionResponse", "position"), ("GetSessionResponse", "seat"), ("Session", "outcome"), ("Session", "seed"),
        ("Seat", "displayName"), ("Game", "board"), ("ActResponse", "position"), ("ObserveResponse", "session"),
        ("Moved", "move"),
    ):  # fmt: skip
        assert field in SCHEMAS[f"skerry.v1.{name}"]["properties"]
        assert field not in SCHEMAS[f"skerry.v1.{name}"]["required"]


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield every schema of an object with fields inside a schema, its own parts only."""
    if isinstance(schema, dict):
        if "properties" in schema or schema.get("maxProperties") == 0:
            yield schema
        for name, part in schema.items():
            if name != "example":
                yield from objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects(part)


def test_requests_are_closed_and_answers_open() -> None:
    asked = [operation(rpc)["requestBody"]["content"] for rpc, route in ROUTES.items() if route.body]
    asked += [SCHEMAS[f"{name}Input"] for name in BOTH_WAYS] + [SCHEMAS["skerry.v1.SeatSetup"]]
    for schema in objects(asked):
        assert schema.get("additionalProperties") is False or schema["maxProperties"] == 0
    for kind in ANSWERED:
        for schema in objects(SCHEMAS[kind.full_name]):
            assert "additionalProperties" not in schema
            assert "maxProperties" not in schema


def test_a_message_has_two_schemas_only_where_it_goes_both_ways() -> None:
    inputs = reachable_messages(rpc.input_type for rpc in SERVICE.methods if rpc.name in ROUTES)
    asked = {kind.full_name for kind in inputs if not kind.GetOptions().map_entry}
    answered = {kind.full_name for kind in ANSWERED}
    assert set(BOTH_WAYS) == asked & answered
    assert {"skerry.v1.Move", "skerry.v1.GameOptions"} <= set(BOTH_WAYS)
    assert {name for name in SCHEMAS if name.endswith("Input")} == {f"{name}Input" for name in BOTH_WAYS}


@pytest.mark.parametrize("payload", ["Move", "View", "Event", "Board", "GameOptions", "MoveInput"])
def test_a_key_tells_the_games_apart(payload: str) -> None:
    *cases, newer = SCHEMAS[f"skerry.v1.{payload}"]["oneOf"]
    assert sorted(name for case in cases for name in case["required"] if name in GAMES) == sorted(GAMES)
    for case in cases:
        assert len([name for name in case["properties"] if name in GAMES]) == 1
    assert [name for name in newer["properties"] if name in GAMES] == []


def test_no_field_has_the_name_that_stands_for_none() -> None:
    names = {field.json_name for kind in ANSWERED for field in kind.fields}
    assert "unknownKind" not in names
    assert "unknownKind" in json.dumps(SCHEMAS)


def grown(answer: Any) -> Any:
    """Return an answer to which a newer server has added a field to every message."""
    if isinstance(answer, dict):
        received = {name: one if name in MAPS else grown(one) for name, one in answer.items()}
        return received | {"addedLater": {"deep": [1]}}
    return [grown(one) for one in answer] if isinstance(answer, list) else answer


@pytest.mark.parametrize(
    "rpc", [name for name, route in ROUTES.items() if not route.rpc.server_streaming and not route.extension]
)
def test_an_answer_can_grow(rpc: str) -> None:
    example = operation(rpc)["responses"]["200"]["content"]["application/json"]["example"]
    answer_of(rpc).validate(example)
    answer_of(rpc).validate(grown(example))


def test_an_answer_can_hold_a_kind_of_event_that_is_new_and_none_that_is_wrong() -> None:
    event = {"text": "The abbot sneezed.", "kreta": {"abbotSneezed": {"seat": 0}}}
    payloads: list[Any] = [event, {"text": "A knight fell.", "chess": {}}, {"text": ""}]
    for payload in payloads:
        named("skerry.v1.Event").validate(payload)
    named("skerry.v1.Entry").validate(
        {
            "sequence": "1",
            "time": "2026-01-01T00:00:00Z",
            "automatic": False,
            "moved": {"events": [event], "frames": []},
        }
    )
    named("skerry.v1.Move").validate({"text": "sneeze", "kreta": {"sneeze": {}}})
    named("skerry.v1.View").validate({"chess": {"board": []}})
    wrong = [
        {"text": "x", "kreta": {"abbotMoved": {"seat": "0"}}},
        {"text": "x", "kreta": {"abbotMoved": {}}},
        {"text": "x", "kreta": {"abbotMoved": {}, "abbotPlaced": {}}},
        {"kreta": {"cardsReturned": {}}},
        {"text": "x", "kreta": []},
    ]
    for payload in wrong:
        assert not named("skerry.v1.Event").is_valid(payload)


@pytest.mark.parametrize(
    "move",
    [
        {"kreta": {"playCard": {"card": "CARD_KING", "strength": 2}}},
        {"kreta": {"playCard": {"card": "CARD_KING"}, "speed": 1}},
        {"kreta": {"playCard": {"card": "CARD_KING"}}, "comment": "!"},
        {"kreta": {"sneeze": {}}},
        {"kreta": {"halt": {"now": True}}},
        {"kreta": {"halt": {}, "keepFort": {}}},
        {"kreta": {"playCard": {"card": "CARD_QUEEN"}}},
        {"kreta": {"halt": {}}, "canarias": {}},
        {"chess": {}},
        {"unknownKind": "x"},
    ],
)
def test_a_request_with_what_is_not_known_is_refused(move: Any) -> None:
    body = deepcopy(operation("Act")["requestBody"]["content"]["application/json"]["example"])
    request_of("Act").validate(body)
    assert not request_of("Act").is_valid(body | {"move": move})
    assert not request_of("Act").is_valid(body | {"moves": []})
    assert not request_of("CreateSession").is_valid({"game": "kreta", "seats": [{"colour": "red"}]})


def test_every_example_is_what_is_described() -> None:
    for rpc, route in ROUTES.items():
        described = operation(rpc)
        contents = [one["content"] for one in described["responses"].values() if "content" in one]
        contents += [described["requestBody"]["content"]] if route.body else []
        assert len(contents) > 5
        for content in contents:
            for name, media in content.items():
                if not name.startswith("image/"):
                    validator(media["schema"]).validate(media["example"])
    event = operation("Observe")["responses"]["200"]["content"]["text/event-stream"]["example"]
    named("skerry.v1.ObserveResponse").validate(json.loads(event["data"]))


def test_examples_are_real_and_small() -> None:
    for rpc in ROUTES:
        assert len(json.dumps(operation(rpc)["responses"]["200"]["content"])) < 8000
    done = operation("Act")["responses"]["200"]["content"]["application/json"]["example"]
    asked = operation("Act")["requestBody"]["content"]["application/json"]["example"]
    assert done["entries"][0]["moved"]["move"] == asked["move"]
    assert int(done["sequence"]) > int(asked["expectedSequence"])
    assert done["position"]["view"]
