"""A Play stream that is full, slow, idle, cut or misused affects no other stream and leaves nothing behind."""

from __future__ import annotations

import asyncio
from functools import partial

import grpc
import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.api import play_stream
from skerry_service.domain.limits import SessionLimits
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from tests.api.playing import Player, answers, attach, move, new_id, reason_of
from tests.api.test_observe import nothing_is_watched
from tests.api.wire import (
    Api,
    get,
    play_out,
    refused,
    served,
    sit_down,
    turn,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_detached_handle_receives_nothing_more_and_frees_its_slot(valkey: EmbeddedServer) -> None:
    async with served(valkey, SessionLimits(streams_per_token=1)) as api:
        sitting = await sit_down(api)
        token, position = await turn(api, sitting)
        player = Player(api, attach(1, sitting, token), attach(2, sitting, token))
        refusal = await player.receives(lambda one: one.HasField("refused"))
        assert reason_of(refusal.refused.status) == "LIMIT_REACHED"
        staying = 3 - refusal.handle
        act = move(staying, position.legal_moves[0], position.sequence, request_id=new_id())
        await player.send(act, detach=[staying, refusal.handle, 77])
        answer = await player.receives(partial(answers, act))
        received = len(player.of(staying))
        await nothing_is_watched(valkey)
        await player.send(attach=[attach(3, sitting, token, None)])
        assert (await player.reaches(3, answer.acted.sequence)).HasField("session")
        assert len(player.of(staying)) == received
        await player.hang_up()


async def test_a_stream_has_so_many_attachments(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_stream, "MAX_ATTACHMENTS", 3)
    sitting = await sit_down(api)
    token, position = await turn(api, sitting)
    player = Player(api, *(attach(handle, sitting, token) for handle in range(1, 6)))
    await player.receives(lambda one: one.HasField("refused"), 2)
    assert {one.handle for one in player.updates if one.HasField("refused")} == {4, 5}
    (answer,) = await player.answers(move(4, position.legal_moves[0], position.sequence, request_id=new_id()))
    assert reason_of(answer.refused.status) == "INVALID_FIELD"
    await player.send(detach=[1], attach=[])
    await player.send(attach=[attach(6, sitting, token)])
    await player.reaches(6, position.sequence)
    await player.hang_up()


@pytest.mark.parametrize("handle", [0, 1])
async def test_a_handle_that_cannot_be_ends_the_stream_after_what_came_before(api: Api, handle: int) -> None:
    sitting = await sit_down(api)
    token, position = await turn(api, sitting)
    player = Player(api, attach(1, sitting, token))
    act = move(1, position.legal_moves[0], position.sequence, request_id=new_id())
    await player.send(act)
    await player.send(attach=[attach(handle, sitting)])
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="handle"):
        await player.ends()
    assert [one.acted.request_id for one in player.updates if one.HasField("acted")] == [act.request_id]


async def test_a_stream_without_anything_ends_when_the_client_has_said_all(api: Api) -> None:
    player = Player(api)
    await player.done()
    assert player.updates == []


async def test_a_slow_reader_misses_nothing_and_delays_no_other_reader(api: Api) -> None:
    sitting = await sit_down(api)
    slow = api.stub.Play()
    await slow.write(pb.PlayRequest(attach=[attach(1, sitting)]))
    first = await slow.read()
    assert isinstance(first, pb.PlayResponse)
    quick = Player(api, attach(1, sitting))
    last = await play_out(api, sitting)
    await quick.done()
    received = [entry.sequence for update in first.updates for entry in update.observed.entries]
    await slow.done_writing()
    while isinstance(message := await slow.read(), pb.PlayResponse):
        received += [entry.sequence for update in message.updates for entry in update.observed.entries]
    assert received == list(range(1, last + 1))


async def test_streams_that_hang_up_free_everything(api: Api, valkey: EmbeddedServer) -> None:
    sittings = [await sit_down(api) for _ in range(3)]
    seats = [(one, token) for one in sittings for token in (*one.seats, None)]
    for turns in range(10):
        player = Player(api, *(attach(handle, *seat) for handle, seat in enumerate(seats, 1)))
        for _ in range(turns):
            await asyncio.sleep(0)
        if turns % 3 == 0:
            await player.receives(lambda _: True, len(seats))
        await player.hang_up()
        await nothing_is_watched(valkey)


async def test_an_idle_stream_shows_that_it_is_alive(valkey: EmbeddedServer) -> None:
    async with served(valkey, SessionLimits(heartbeat_seconds=0.2)) as api:
        sitting = await sit_down(api)
        player = Player(api, attach(1, sitting, sitting.seats[0]))
        first = (await player.receives(lambda _: True)).observed
        beat = await player.receives(lambda one: one.observed.heartbeat)
        assert beat.observed == pb.ObserveResponse(sequence=first.sequence, epoch=first.epoch, heartbeat=True)
        await player.hang_up()


async def test_a_server_that_goes_ends_the_stream_with_a_reason_even_one_without_attachments(
    valkey: EmbeddedServer,
) -> None:
    async with running_server(Config(port=0, redis_url=valkey.url)) as running:
        channel = grpc.aio.insecure_channel(running.address)
        sitting = await sit_down(api := Api(channel))
        players = [Player(api, attach(1, sitting, sitting.seats[0])), Player(api)]
        await players[0].reaches(1, 1)
        await get(api, sitting)
    for player in players:
        with refused("UNAVAILABLE", "SHUTTING_DOWN") as refusal:
            await player.ends()
        assert refusal.retry_after
    await channel.close()
