"""Sessions of which a part is gone: refused as what they are, named in the log once, and nobody else's trouble."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import grpc
import pytest

from skerry.v1 import service_pb2 as api
from skerry_service.store import redis_keys

from .driver import Api, Refusal, Table, check_whole, connect, new_table, refusal_of
from .processes import Service

pytestmark = pytest.mark.deep


def damaged(table: Table) -> Refusal:
    session = table.name.partition("/")[2]
    return Refusal(grpc.StatusCode.DATA_LOSS, "SESSION_DAMAGED", retry=False, metadata=(("session", session),))


async def harm(service: Service, table: Table, *command: str) -> None:
    session = table.name.partition("/")[2]
    names = {"log": redis_keys.log(session).decode(), "head": redis_keys.head(session).decode()}
    await service.ask(*(word.format(**names) for word in command))


async def act(client: Api, table: Table) -> None:
    (seat, *_) = await table.to_act()
    await client.once("Act", await table.decide(seat), table.tokens[seat])


async def replay(client: Api, table: Table) -> None:
    await client.once("GetReplay", api.GetReplayRequest(name=table.name))


async def observe(client: Api, table: Table) -> None:
    async for _ in client.stub.Observe(api.ObserveRequest(name=table.name, after_sequence=0)):
        pass


async def look(client: Api, table: Table) -> None:
    await client.once("GetSession", api.GetSessionRequest(name=table.name))


Call = Callable[[Api, Table], Awaitable[None]]


async def refused(client: Api, table: Table, *calls: Call) -> None:
    for call in calls:
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await call(client, table)
        assert refusal_of(error.value) == damaged(table)


async def listed(client: Api) -> set[str]:
    return {session.name for session in (await client.call("ListSessions", api.ListSessionsRequest())).sessions}


async def test_a_session_whose_log_is_gone_acknowledges_nothing_more(service: Service, client: Api) -> None:
    table, other = await new_table(client, seed=71), await new_table(client, seed=72)
    await table.play_acts(5)
    await harm(service, table, "DEL", "{log}")
    await refused(client, table, act, replay, observe)
    assert await service.ask("EXISTS", f"{redis_keys.log(table.name.partition('/')[2]).decode()}") == 0
    await other.play()
    await check_whole(other, [])
    said = service.errors.read_text()
    assert said.count(f"session {table.name[9:]} is damaged") == 1
    assert "is damaged" in said


@pytest.mark.parametrize("lost", ["the end", "the middle", "the content"])
async def test_a_log_that_lacks_a_part_is_refused(service: Service, client: Api, lost: str) -> None:
    table = await new_table(client, seed=73)
    await table.play_acts(5)
    log = redis_keys.log(table.name.partition("/")[2]).decode()
    entries = [name.decode() for name, _ in await service.ask("XRANGE", log, "-", "+")]
    if lost == "the content":
        await harm(service, table, "DEL", "{log}")
        for name in entries:
            await harm(service, table, "XADD", "{log}", name, "b", "rubbish")
    else:
        await harm(service, table, "XDEL", "{log}", entries[-1 if lost == "the end" else 3])
    await refused(client, table, replay, observe)
    async with connect(client.address) as another:
        await refused(another, table, observe)


@pytest.mark.parametrize(
    "harming",
    [
        ("HDEL", "{head}", "r"),
        ("HSET", "{head}", "r", "rubbish"),
        ("SET", "{head}", "rubbish"),
    ],
)
async def test_a_head_that_cannot_be_read_does_not_break_the_list(
    service: Service, client: Api, harming: tuple[str, ...]
) -> None:
    tables = [await new_table(client, seed=seed) for seed in (74, 75)]
    assert await listed(client) == {table.name for table in tables}
    await harm(service, tables[0], *harming)
    assert await listed(client) == {tables[1].name}
    assert await listed(client) == {tables[1].name}
    if harming[0] == "SET":
        await refused(client, tables[0], look)
    else:
        await service.terminate()
        await service.start()
        async with connect(service.address) as again:
            await refused(again, tables[0], look)
    said = service.errors.read_text()
    assert 1 <= said.count(f"session {tables[0].name[9:]} is damaged") <= 2
