"""SIGTERM in mid-game: streams end with a status, acts are answered, the data is free for the next server."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from skerry.v1 import service_pb2 as api

from .driver import AWAY, LEAVING, Api, check_whole, new_table, refusal_of, watched
from .processes import Service, held, until


async def test_a_stopping_server_ends_its_streams_and_the_next_server_goes_on(service: Service, client: Api) -> None:
    table = await new_table(client, seed=21)

    async def replace_the_server() -> None:
        await until(lambda: len(table.acknowledged) >= 20 and all(watcher.entries for watcher in watchers))
        assert await service.terminate() == 0
        assert not service.errors.read_text().count("Traceback")
        await service.start()

    async def play_slowly() -> None:
        while to_act := await table.to_act():
            await table.act(to_act[0])
            await asyncio.sleep(0.01)

    async with watched(table) as watchers, asyncio.TaskGroup() as group:
        group.create_task(play_slowly())
        group.create_task(replace_the_server())
    await check_whole(table, watchers)
    assert [watcher.breaks[0] for watcher in watchers] == [LEAVING] * len(watchers)
    assert {refusal for watcher in watchers for refusal in watcher.breaks} <= {LEAVING, AWAY}
    assert client.refusals[0] == LEAVING
    assert set(client.refusals) <= {LEAVING, AWAY}
    assert client.epochs == ["durable"]


@pytest.mark.deep
async def test_an_act_under_way_is_answered_before_the_server_stops(service: Service, client: Api) -> None:
    """The store is held up, so that the Act and SIGTERM meet; then it goes on."""
    table = await new_table(client, seed=22)
    (seat, *_) = await table.to_act()
    request = await table.decide(seat)
    pid = await service.store_pid()
    with held(pid):
        act = asyncio.create_task(client.once("Act", request, table.tokens[seat]))
        await asyncio.sleep(0.3)
        stopping = asyncio.create_task(service.terminate())
        await asyncio.sleep(0.3)
        assert not act.done()
    table.note(seat, request, await act)
    assert await stopping == 0
    await service.start()
    await table.play()
    await check_whole(table, [])


async def test_an_act_under_way_on_a_stream_is_answered_before_the_stream_ends(service: Service, client: Api) -> None:
    table = await new_table(client, seed=23)
    (seat, *_) = await table.to_act()
    request = await table.decide(seat)
    stream = client.stub.Play()
    attach = api.PlayAttach(handle=1, name=table.name, token=table.tokens[seat])
    await stream.write(api.PlayRequest(attach=[attach]))
    assert isinstance(await stream.read(), api.PlayResponse)
    act = api.PlayAct(handle=1, move=request.move, expected_sequence=request.expected_sequence)
    pid = await service.store_pid()
    with held(pid):
        await stream.write(api.PlayRequest(acts=[act]))
        await asyncio.sleep(0.3)
        stopping = asyncio.create_task(service.terminate())
        await asyncio.sleep(0.3)
    received: list[api.PlayUpdate] = []

    async def listen() -> None:
        while isinstance(response := await stream.read(), api.PlayResponse):
            received.extend(response.updates)

    with pytest.raises(grpc.aio.AioRpcError) as end:
        await listen()
    assert refusal_of(end.value) == LEAVING
    assert [update.acted.sequence > request.expected_sequence for update in received if update.HasField("acted")] == [
        True
    ]
    assert await stopping == 0
    await service.start()
    assert (await table.look(None)).session.sequence == received[-1].acted.sequence
