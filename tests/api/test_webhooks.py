"""Webhooks over the wire: set through one server, sent by any, and never shown to other clients."""

from __future__ import annotations

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.domain.record import WebhookEvent
from skerry_service.replays.verification import first_difference
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.watching import Watcher
from tests.api.wire import Api, Sitting, bearer, move_once, play_out, refused, served, sit_down, turn
from tests.webhooks.receivers import receiving

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def hook(api: Api, sitting: Sitting, token: str | None, url: str, *events: int) -> pb.SetWebhookResponse:
    request = pb.SetWebhookRequest(name=sitting.name, url=url, events=events)  # type: ignore[arg-type]
    made: pb.SetWebhookResponse = await api.stub.SetWebhook(request, metadata=bearer(token))
    return made


async def test_two_servers_notify_two_players_of_their_turns_and_of_the_end(unserved: EmbeddedServer) -> None:
    async with receiving() as ada, receiving() as bob:
        allowed = tuple(f"127.0.0.1:{one.port}" for one in (ada, bob))
        async with served(unserved, webhooks_allow=allowed) as one, served(unserved, webhooks_allow=allowed) as two:
            sitting = await sit_down(one)
            answers = [
                await hook(server, sitting, token, receiver.url)
                for server, token, receiver in zip((one, two), sitting.seats, (ada, bob), strict=True)
            ]
            first = sitting.seats.index((await turn(one, sitting))[0])
            receivers = (ada, bob)
            got = await receivers[first].has(1)
            assert got.event == ("seat.turn", first)
            assert got.is_signed_with(answers[first].secret)
            while sitting.seats.index((await turn(two, sitting))[0]) == first:
                await move_once(two, sitting)
            got = await receivers[1 - first].has(1)
            assert (got.event, got.data["session"]) == (("seat.turn", 1 - first), sitting.name)
            watcher = Watcher(one, sitting, sitting.seats[0])
            await one.stub.ResignSession(pb.ResignSessionRequest(name=sitting.name), metadata=bearer(sitting.seats[0]))
            await watcher.ends()
            for receiver in receivers:
                assert (await receiver.has(2)).event == ("session.end", None)
            replay = (await one.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay
            assert first_difference(replay) is None
            logged = [entry for entry in replay.entries if entry.HasField("webhook_set")]
            assert [entry.seat for entry in logged] == [0, 1]
            known = [answer.session for answer in answers] + [message.session for message in watcher.messages]
            for message in (replay, *watcher.messages, *known):
                text = message.SerializeToString()
                assert not any(secret in text for secret in (b"whsec", b"127.0.0.1", b"/hooks"))


async def test_a_caller_chooses_the_events_of_a_webhook_and_can_remove_it(api: Api) -> None:
    sitting = await sit_down(api)
    url = "http://127.0.0.1:9/"
    made = await hook(api, sitting, sitting.host, url, session_pb2.WEBHOOK_EVENT_END, session_pb2.WEBHOOK_EVENT_END)
    assert made.secret.startswith("whsec_")
    ended = await hook(api, sitting, sitting.host, "")
    assert not ended.HasField("secret")
    logged = (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay.entries[-2:]
    assert [(entry.WhichOneof("kind"), entry.HasField("seat")) for entry in logged] == [("webhook_set", False)] * 2
    for events in ((0,), (6,), (1, 99), (-1,)):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="events"):
            await hook(api, sitting, sitting.host, url, *events)
    await play_out(api, sitting)
    with refused("FAILED_PRECONDITION", "GAME_OVER"):
        await hook(api, sitting, sitting.host, url)


async def test_a_refused_webhook_url_is_not_repeated_in_the_error(api: Api) -> None:
    sitting = await sit_down(api)
    for url in ("https://evil.example/?secret=abc", "http://127.0.0.1:22/secret", "gopher://secret/", "x" * 60_000):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="url") as refusal:
            await hook(api, sitting, sitting.host, url)
        assert "secret" not in refusal.message
        assert "xx" not in refusal.message


async def test_without_allowed_hosts_the_server_rejects_every_webhook(unserved: EmbeddedServer) -> None:
    async with served(unserved) as api:
        sitting = await sit_down(api)
        with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
            await hook(api, sitting, sitting.seats[0], "https://hooks.example/")


async def test_webhook_events_have_the_numbers_of_the_api() -> None:
    names = {name: number for name, number in session_pb2.WebhookEvent.items() if number}
    assert names == {f"WEBHOOK_EVENT_{one.name}": int(one) for one in WebhookEvent}
