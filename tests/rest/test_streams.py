"""Following a session as server-sent events."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from uuid import uuid4

import grpc
import pytest
from google.protobuf.json_format import ParseDict

from skerry.v1 import service_pb2 as pb
from skerry_service.domain.limits import SessionLimits
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.test_observe import nothing_is_watched
from tests.api.watching import Watcher
from tests.api.wire import OPEN, Api, Sitting, bearer, create, look, lose_seat, move_once, play_out, sit_down
from tests.faults.processes import Service
from tests.rest.web import Event, Events, Web, connection, events, request, served, streamed
from tests.store.servers import PATIENCE

pytestmark = pytest.mark.asyncio(loop_scope="module")

CUTS = 200


async def all_of(stream: Events) -> list[Event]:
    """Return every event until the stream ends."""
    received = []
    while (event := await stream.next()) is not None:
        received.append(event)
    return received


def sequences(received: list[Event]) -> list[int]:
    messages = [event.data for event in received if event.name == "message"]
    return [int(entry["sequence"]) for message in messages for entry in message["entries"]]


async def test_a_stream_tells_over_http_what_it_tells_over_grpc(web: Web, valkey: EmbeddedServer) -> None:
    sitting = await sit_down(web.api, 3)
    for token in (*sitting.seats, sitting.host, None):
        watcher = Watcher(web.api, sitting, token)
        async with events(web, sitting.name, token, after=0) as stream:
            await watcher.has(1)
            first = await stream.next()
            assert first is not None
            for pick in range(4):
                await move_once(web.api, sitting, pick)
                received = await stream.next()
                assert received is not None and received.id == int(received.data["sequence"])
                assert ParseDict(received.data, pb.ObserveResponse()) == await watcher.reaches(received.id)
            assert ParseDict(first.data, pb.ObserveResponse()) == watcher.messages[0]
        await watcher.hang_up()
    await nothing_is_watched(valkey)


async def test_a_stream_ends_with_the_game_and_says_so(web: Web, valkey: EmbeddedServer) -> None:
    sitting = await sit_down(web.api)
    async with events(web, sitting.name, after=0) as stream, events(web, sitting.name) as from_now:
        assert stream.head.headers["content-type"] == "text/event-stream"
        assert stream.head.headers["cache-control"] == "no-store"
        last = await play_out(web.api, sitting)
        received = await all_of(stream)
        assert [event.name for event in received[:-1]] == ["message"] * (len(received) - 1)
        assert (received[-1].name, received[-1].data) == ("end", {})
        assert sequences(received) == list(range(1, last + 1))
        assert [event.id for event in received] == sorted(event.id for event in received)
        assert received[-2].data["session"]["state"] == "SESSION_STATE_FINISHED"
        assert stream.retry
        assert (await all_of(from_now))[-1].name == "end"
    async with events(web, sitting.name, last_id=last) as again:
        assert (again.head.status, again.head.body) == (204, b"")
    async with events(web, sitting.name, last_id=last - 1) as almost:
        assert sequences(await all_of(almost)) == [last]
    async with events(web, sitting.name, after=last) as asked_anew:
        assert [event.name for event in await all_of(asked_anew)] == ["message", "end"]
    await nothing_is_watched(valkey)


async def test_a_stream_resumed_on_a_cancelled_session_must_not_retry(web: Web) -> None:
    sitting = await create(web.api, OPEN, OPEN)
    cancel = pb.CancelSessionRequest(name=sitting.name)
    await web.api.stub.CancelSession(cancel, metadata=bearer(sitting.host))
    async with events(web, sitting.name, last_id=1) as stream:
        received = await all_of(stream)
        assert ([event.name for event in received], sequences(received)) == (["message", "end"], [2])
    async with events(web, sitting.name, last_id=2) as again:
        assert (again.head.status, again.head.body) == (204, b"")


async def test_a_stream_that_is_cut_at_random_moments_resumes_without_gap_or_repeat(
    web: Web, valkey: EmbeddedServer
) -> None:
    sitting, random = await sit_down(web.api, 4), Random(4)
    playing = asyncio.create_task(play_slowly(web, sitting))
    received: list[Event] = []
    async with asyncio.timeout(2 * PATIENCE):
        for _ in range(CUTS):
            last_id = received[-1].id if received else None
            async with events(web, sitting.name, random.choice(sitting.seats), 0, last_id) as stream:
                reading = asyncio.create_task(read_on(stream, received))
                await asyncio.wait([reading], timeout=random.random() / 200)
                reading.cancel()
                await asyncio.wait([reading])
        last = await playing
        async with events(web, sitting.name, None, 0, received[-1].id if received else None) as stream:
            await read_on(stream, received)
    assert sequences(received) == list(range(1, last + 1))
    await nothing_is_watched(valkey)


async def play_slowly(web: Web, sitting: Sitting) -> int:
    moves = 0
    while (position := await look(web.api, sitting)).to_act:
        await move_once(web.api, sitting, 7 * moves)
        moves += 1
        await asyncio.sleep(0.005)
    return position.sequence


async def read_on(stream: Events, received: list[Event]) -> None:
    """Add the messages that come to those received before; after the last of them there are none."""
    while stream.head.status == 200 and (event := await stream.next()) is not None:
        if event.name == "message":
            received.append(event)


async def test_where_to_begin_follows_from_the_last_event_before_the_query(web: Web) -> None:
    sitting = await sit_down(web.api)
    now = (await look(web.api, sitting)).sequence
    for after, last_id, begin in ((0, None, 0), (0, 2, 2), (now, 1, 1), (None, 3, 3), (None, None, now), (1, now, now)):
        async with events(web, sitting.name, None, after, last_id) as stream:
            first = await stream.next()
            assert first is not None
            assert sequences([first]) == list(range(begin + 1, now + 1))
            assert first.id == now


async def test_what_no_stream_begins_with_is_refused_as_any_call(web: Web) -> None:
    sitting = await sit_down(web.api)
    path = f"/v1/{sitting.name}:observe"
    for headers, status, reason in (
        ({"last-event-id": "x"}, 400, "INVALID_FIELD"),
        ({"last-event-id": "-1"}, 400, "INVALID_FIELD"),
        ({"last-event-id": "9" * 18}, 400, "SEQUENCE_AHEAD"),
        ({"authorization": "Bearer x"}, 401, "TOKEN_INVALID"),
    ):
        refused = await web.call("GET", path, headers=headers)
        assert (refused.status, refused.reason) == (status, reason)
        assert refused.headers["content-type"] == "application/json"
    assert (await web.call("GET", "/v1/sessions/aaaaaaaaaaaaaaaa:observe")).status == 404


async def test_an_idle_stream_shows_that_it_is_alive_and_a_cut_one_leaves_nothing(valkey: EmbeddedServer) -> None:
    async with served(valkey, SessionLimits(heartbeat_seconds=0.02, spectator_streams=5)) as web:
        sitting = await sit_down(web.api)
        for _ in range(8):  # more than may be open at a time: each leaves its place to the next
            async with asyncio.timeout(PATIENCE), connection(web.address) as (reader, writer):
                writer.write(request("GET", f"/v1/{sitting.name}:observe", {}))
                assert b"200 OK" in await reader.readuntil(b"\r\n\r\n")
                await reader.readuntil(b": heartbeat\n\n")
            await nothing_is_watched(valkey)
        async with events(web, sitting.name) as one, events(web, sitting.name):
            assert one.head.status == 200


async def test_one_stream_too_many_is_answered_with_a_wait(valkey: EmbeddedServer) -> None:
    async with served(valkey, SessionLimits(streams_per_token=1)) as web:
        sitting = await sit_down(web.api)
        async with events(web, sitting.name, sitting.seats[0]), events(web, sitting.name, sitting.seats[0]) as second:
            assert (second.head.status, second.head.reason) == (429, "LIMIT_REACHED")
            assert int(second.head.headers["retry-after"]) >= 1
            assert second.head.json["error"]["details"][1]["retryDelay"] == "5s"


async def test_a_stream_whose_token_is_void_ends_with_the_refusal(web: Web) -> None:
    sitting = await sit_down(web.api, 3)
    token = sitting.seats[1]
    async with events(web, sitting.name, token) as stream:
        assert await stream.next() is not None
        await lose_seat(web.api, sitting, 1)
        (*_, ended) = await all_of(stream)
    assert ended.name == "refusal"
    assert ended.data["error"]["details"][0]["reason"] == "TOKEN_INVALID"


async def test_a_server_that_drains_ends_its_streams_and_another_goes_on(valkey: EmbeddedServer) -> None:
    async with served(valkey) as second, AsyncExitStack() as open_streams:
        async with served(valkey) as first:
            sitting = await sit_down(first.api)
            stream = await open_streams.enter_async_context(events(first, sitting.name, after=0))
            begun = await stream.next()
            assert begun is not None
        (ended,) = await all_of(stream)
        assert (ended.name, ended.id) == ("refusal", begun.id)
        assert ended.data["error"]["details"][0]["reason"] == "SHUTTING_DOWN"
        await move_once(second.api, sitting)
        async with events(second, sitting.name, last_id=ended.id) as resumed:
            received = await resumed.next()
            assert received is not None
            assert sequences([received])[0] == begun.id + 1


async def test_a_killed_server_comes_back_and_streams_resume() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with TemporaryDirectory(prefix="skerry-test-") as name:
        service = Service(Path(name), "--http", address)
        try:
            await service.start()
            async with grpc.aio.insecure_channel(service.address) as channel:
                await kill_and_resume(service, Web(address, Api(channel)))
        finally:
            await service.close()


async def kill_and_resume(service: Service, web: Web) -> None:
    made = (await web.rpc("CreateSession", pb.CreateSessionRequest(game="kreta", seats=[OPEN, OPEN]))).json
    name, received = made["session"]["name"], list[Event]()
    for player in ("Ada", "Bob"):
        for kill in (True, False):
            async with events(web, name, after=0, last_id=received[-1].id if received else None) as stream:
                received += [event] if (event := await stream.next()) else []
                if kill:
                    await service.kill()
                    with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                        await stream.next()
                    await service.start()
        joining = {"displayName": player, "requestId": str(uuid4())}
        assert (await web.call("POST", f"/v1/{name}:join", joining)).status == 200
    async with events(web, name, after=0, last_id=received[-1].id) as stream:
        received += [event] if (event := await stream.next()) else []
    assert sequences(received) == list(range(1, received[-1].id + 1))
    assert received[-1].data["session"]["state"] == "SESSION_STATE_PLAYING"


async def test_strangers_find_each_other_over_http(web: Web, valkey: EmbeddedServer) -> None:
    async with finding(web, "Ada") as ada, finding(web, "Bob") as bob:
        assert ada.head.headers["content-type"] == "text/event-stream"
        waiting = await ada.next()
        assert waiting is not None and set(waiting.data) == {"ticket", "heartbeat", "party"}
        found = await asyncio.gather(confirmed(web, ada), confirmed(web, bob))
        assert found[0].data["session"]["name"] == found[1].data["session"]["name"]
        assert {one.data["seat"] for one in found} == {0, 1}
        assert all(one.id == 0 for one in found), "there is nothing to resume behind"
        assert [(await stream.next() or found[0]).name for stream in (ada, bob)] == ["end", "end"]


async def test_what_cannot_be_looked_for_is_refused_over_http(web: Web) -> None:
    answer = await web.rpc("FindMatch", pb.FindMatchRequest(game="kreta", display_name="Ada", seats=[7]))
    assert (answer.status, answer.reason) == (400, "INVALID_FIELD")
    answer = await web.rpc("ConfirmMatch", pb.ConfirmMatchRequest(ticket=str(uuid4()), proposal="kreta/1"))
    assert (answer.status, answer.reason) == (400, "PROPOSAL_EXPIRED")


@asynccontextmanager
async def finding(web: Web, name: str) -> AsyncIterator[Events]:
    sought = {"game": "kreta", "displayName": name, "seats": [2]}
    async with streamed(web, "POST", "/v1/sessions:find", {}, sought) as stream:
        yield stream


async def confirmed(web: Web, stream: Events) -> Event:
    """Confirm what is offered; return the message with the seat."""
    while (event := await stream.next()) is not None and "seatToken" not in event.data:
        if "proposal" in event.data:
            confirming = {"ticket": event.data["ticket"], "proposal": event.data["proposal"]["id"]}
            assert (await web.call("POST", "/v1/sessions:confirm", confirming)).status == 200
    assert event is not None
    return event
