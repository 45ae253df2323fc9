"""The bodies of webhook requests: as described in ``/openapi.json``, and small."""

from __future__ import annotations

import json

from jsonschema import Draft202012Validator

from skerry_games.kreta import GAME as KRETA
from skerry_service.api.requests.field_rules import LONGEST_PLAYER_ID
from skerry_service.domain.record import Occupant, SeatRecord, Spectating
from skerry_service.domain.seating.display_names import MAX_NAME_LENGTH
from skerry_service.edge.rest.openapi.document import describe_services
from tests.api.wire import SERVICE
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import begin, play_out, sit_down
from tests.timers.clocks import PER_MOVE

from .receivers import Receiver
from .replicas import ALL, Replica

DESCRIPTION = describe_services(SERVICE)
_MOST_BYTES = 20_000
"""The limit that Standard Webhooks recommends."""


async def test_requests_are_as_the_api_description_says(replica: Replica, receiver: Receiver) -> None:
    request = DESCRIPTION["webhooks"]["event"]["post"]
    content = request["requestBody"]["content"]["application/json"]
    described = Draft202012Validator(content["schema"] | {"components": DESCRIPTION["components"]})
    labels = (("event", "spring-cup"),)
    sitting = await replica.sit_down(receiver.url, 0, 1, clock=PER_MOVE, labels=labels)
    await replica.deliver()
    await replica.sessions.players.resign(sitting.id, sitting.seats[0], None)
    await replica.deliver()
    over = await sit_down(replica.sessions, KRETA, 2)
    await replica.hook(over, receiver.url, 0)
    await play_out(replica.sessions, over)
    await replica.deliver()
    bodies = [json.loads(one.body) for one in receiver.requests]
    assert {one["type"] for one in bodies} == {"seat.turn", "session.end"}
    for body in (*bodies, content["example"]):
        assert [error.message for error in described.iter_errors(body)] == []
        assert body.keys() == {"type", "timestamp", "data"}
    assert bodies[0]["data"]["labels"] == {"event": "spring-cup"}
    outcome = bodies[-1]["data"]["outcome"]
    assert (len(outcome["ranks"]), len(outcome["scores"])) == (2, 2)
    named = {parameter["name"] for parameter in request["parameters"]}
    assert named == {name for name in receiver.requests[0].headers if name.startswith("webhook-")}


async def test_the_largest_request_is_small(replica: Replica, receiver: Receiver) -> None:
    labels = tuple((f"{number}".rjust(32, "k"), "🦀" * 64) for number in range(8))
    seats = [
        SeatRecord(Occupant.PLAYER, f"{number}".rjust(MAX_NAME_LENGTH, "🦀"), bytes([number]), "🦀" * LONGEST_PLAYER_ID)
        for number in range(max(KRETA.seats))
    ]
    sitting = await begin(replica.sessions, KRETA, *seats, labels=labels)
    await replica.sessions.webhooks.set(sitting.id, sitting.host, receiver.url, ALL, None)
    await replica.deliver()
    (request,) = receiver.requests
    assert len(request.data["players"]) == len(seats)
    assert len(request.body) < _MOST_BYTES


async def test_a_picture_is_named_only_if_everyone_may_see_it(
    replica: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    for spectating in Spectating:
        receiver.requests.clear()
        sitting = await replica.sit_down(receiver.url, 0, 1, spectating=spectating)
        await replica.deliver()
        (request,) = receiver.requests
        path = f"/v1/sessions/{sitting.id}/picture.svg"
        assert request.data.get("picture") == (path if spectating is Spectating.ANYONE else None)
