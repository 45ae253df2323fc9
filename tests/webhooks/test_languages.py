"""The language of an endpoint's requests: of every attempt, by any replica, and of events that are sent again."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import msgpack

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.errors import RequestIdReused
from skerry_service.domain.log import pack
from skerry_service.domain.record import WebhookEvent
from skerry_service.domain.table import OPEN
from skerry_service.sessions.resources.resource_port import FieldChange
from skerry_service.webhooks.webhook_dispatcher import DELAYS_MS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, Sitting, begin, play_out, sit_down, uuid

from .receivers import BAD, GOOD, ReceivedRequest, Receiver
from .replicas import ALL, EVERY, Replica, register

END = (WebhookEvent.END,)
RESIGNED = {"": "Ada: Bo resigned.", "de": "Ada: Bo hat aufgegeben."}


def said(request: ReceivedRequest) -> tuple[str, str]:
    """Return the reason for which the game ended, and the query of the picture."""
    return request.data["outcome"]["reason"], request.data["picture"].partition("?")[2]


async def ended(replica: Replica, applications: Sequence[str] = ("app",)) -> Sitting:
    """Begin a game of an application, whose first player resigns."""
    sitting = await begin(replica.sessions, KRETA, OPEN, OPEN, applications=tuple(applications))
    for name in ("Ada: Bo", "Bob"):
        sitting.seats.append((await replica.sessions.players.join(sitting.id, name, None, None))[2])
    await replica.sessions.players.resign(sitting.id, sitting.seats[0], None)
    return sitting


@pytest.mark.parametrize(
    ("language", "query", "reason"),
    [
        ("", "", RESIGNED[""]),
        ("de", "language=de", RESIGNED["de"]),
        ("de-AT", "language=de-AT", RESIGNED["de"]),
        ("fr", "language=fr", RESIGNED[""]),
    ],
)
async def test_an_endpoint_names_the_language_of_its_requests(
    replica: Replica, receiver: Receiver, language: str, query: str, reason: str
) -> None:
    await register(replica, receiver.url, language=language)
    await ended(replica)
    await replica.deliver()
    assert said(receiver.requests[-1]) == (reason, query)
    pictures = [one.data["picture"] for one in receiver.requests if "picture" in one.data]
    assert len(pictures) > 1 and {one.partition("?")[2] for one in pictures} == {query}


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
async def test_the_end_by_the_rules_of_each_game_is_in_german(
    replica: Replica, receiver: Receiver, game: AnyGame
) -> None:
    await register(replica, receiver.url, "german", END, language="de")
    await register(replica, f"{receiver.url}&english", "english", END)
    sitting = await sit_down(replica.sessions, game, min(game.seats), applications=("app",))
    await play_out(replica.sessions, sitting)
    await replica.deliver()
    by_target = {one.target.endswith("english"): said(one)[0] for one in receiver.requests}
    (english_rule, _, english), (german_rule, _, german) = (by_target[one].partition(": ") for one in (True, False))
    assert (english_rule, bool(german)) == (german_rule, True)
    assert english != german


async def test_webhooks_of_seats_and_pings_have_no_language(replica: Replica, receiver: Receiver) -> None:
    await register(replica, receiver.url, language="de")
    assert (await replica.sessions.endpoints.ping("app", "main")).status == 204
    assert receiver.requests[0].data.get("picture") is None
    await replica.sessions.endpoints.delete("app", "main")
    sitting = await sit_down(replica.sessions, KRETA, 2, applications=("app",))
    await replica.sessions.webhooks.set(sitting.id, sitting.host, receiver.url, ALL, None)
    await replica.sessions.players.resign(sitting.id, sitting.seats[0], None)
    await replica.deliver()
    assert said(receiver.requests[-1])[1] == ""


async def test_events_that_are_sent_again_keep_their_id_and_have_the_present_language(
    replica: Replica, another: Replica, receiver: Receiver, clock: Clock
) -> None:
    """Another replica sends them, which did not set the endpoint."""
    await register(replica, receiver.url, events=END)
    await ended(replica)
    await replica.deliver()
    await register(replica, receiver.url, events=END, language="de")
    await replica.sessions.endpoints.resend("app", "main", clock.now - 60_000, uuid(1))
    await another.deliver()
    first, again = receiver.requests
    assert first.id == again.id
    assert [said(one)[0] for one in (first, again)] == [RESIGNED[""], RESIGNED["de"]]


async def test_a_repeated_attempt_has_the_language_of_the_endpoint(
    replica: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    receiver.answer = lambda: BAD
    await register(replica, receiver.url, events=END, language="de")
    await ended(replica)
    await replica.deliver()
    receiver.answer = lambda: GOOD
    store.now_ms += DELAYS_MS[0]
    await replica.deliver()
    assert [said(one) for one in receiver.requests] == [(RESIGNED["de"], "language=de")] * 2


async def test_rotation_and_failures_keep_the_language(replica: Replica, receiver: Receiver) -> None:
    endpoints = replica.sessions.endpoints
    await register(replica, receiver.url, language="de")
    await endpoints.set("app", "main", receiver.url, EVERY, uuid(1), rotate=True, language="de")
    await endpoints.report("app", "main", receiver.url, "status 410", gone=True)
    assert (await endpoints.get("app", "main")).language == "de"
    await register(replica, receiver.url)
    assert (await endpoints.get("app", "main")).language == ""


async def test_a_repeat_with_another_language_is_another_request(replica: Replica, receiver: Receiver) -> None:
    endpoints = replica.sessions.endpoints
    made = await endpoints.set("app", "main", receiver.url, EVERY, uuid(1), language="de")
    assert await endpoints.set("app", "main", receiver.url, EVERY, uuid(1), language="de") == made
    for language in ("", "en"):
        with pytest.raises(RequestIdReused):
            await endpoints.set("app", "main", receiver.url, EVERY, uuid(1), language=language)


async def test_an_endpoint_that_was_stored_without_a_language_speaks_english(
    replica: Replica, another: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    await register(replica, receiver.url, events=END, language="de")
    (stored,) = await store.resources.read("webhooks", "endpoints", [b"app/main"])
    assert stored is not None
    before: list[object] = msgpack.decode(stored)
    assert before[-1] == "de"
    assert await store.resources.change("webhooks", [FieldChange("endpoints", b"app/main", pack(before[:-1]), stored)])
    await ended(another)
    await another.deliver()
    assert said(receiver.requests[-1]) == (RESIGNED[""], "")
