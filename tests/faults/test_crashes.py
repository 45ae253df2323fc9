"""kill -9 in the middle of a game: of the server, of its store, of both. Clients go on without help."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Any

import grpc
import pytest

from skerry.v1 import service_pb2 as api

from .driver import AWAY, STORE_AWAY, Api, Refusal, Table, check_whole, new_table, refusal_of, watched
from .processes import Service, kill_process, tail_of, until
from .streamed import Streamed
from .undecided import Undecided

CRASHES = 3
FEWEST_ACTS = 45
"""Every game below takes more Acts than this, so that all crashes fall into it."""

TORN = b"*1\r\n$5\r\nMULTI\r\n*3\r\n$4\r\nXADD\r\n$20\r\nskerry:"
"""What is left of a commit when the machine dies while it is written: it was not acknowledged."""

Crash = Callable[[Service], Awaitable[None]]


def deep(*cases: tuple[int, type[Table]]) -> list[Any]:
    """Leave these to `make test-deep`."""
    return [pytest.param(*case, marks=pytest.mark.deep) for case in cases]


def played(table: Table, count: int) -> bool:
    return len(table.acknowledged) >= count


async def crash_at_random(table: Table, service: Service, random: Random, crash: Crash) -> None:
    """Crash a few times, each a random moment after a random number of Acts."""
    for number in range(CRASHES):
        after = random.randrange(number * FEWEST_ACTS // CRASHES, (number + 1) * FEWEST_ACTS // CRASHES)
        await until(partial(played, table, after))
        await asyncio.sleep(random.random() / 50)
        await crash(service)


async def server_dies(service: Service) -> None:
    await service.kill()
    await service.start()


async def store_dies(service: Service) -> None:
    await kill_process(await service.store_pid())


async def both_die(service: Service) -> None:
    await service.kill_with_store()
    await service.start()


async def play_through(service: Service, client: Api, seed: int, crash: Crash, over: type[Table]) -> set[Refusal]:
    """Play a game with crashes, over that way, and check it. Return how its streams broke."""
    table = await new_table(client, seed, kind=over)
    async with watched(table) as watchers, asyncio.TaskGroup() as group:
        group.create_task(table.play())
        group.create_task(crash_at_random(table, service, Random(seed), crash))
    await check_whole(table, watchers)
    assert client.epochs == ["durable"]
    return {broken for watcher in watchers for broken in watcher.breaks}


@pytest.mark.parametrize(
    ("seed", "over"), [(2, Table), *deep((1, Table), (31, Streamed), (32, Streamed), (38, Undecided))]
)
async def test_a_killed_server_comes_back_to_every_acknowledged_move(
    service: Service, client: Api, seed: int, over: type[Table]
) -> None:
    assert await play_through(service, client, seed, server_dies, over) == {AWAY}
    assert set(client.refusals) == {AWAY}


@pytest.mark.parametrize(("seed", "over"), [(34, Streamed), *deep((4, Table), (5, Table))])
async def test_a_killed_store_is_started_again_under_the_living_server(
    service: Service, client: Api, seed: int, over: type[Table]
) -> None:
    assert await play_through(service, client, seed, store_dies, over) == set(), "streams outlive the store"
    assert set(client.refusals) == {STORE_AWAY}


@pytest.mark.parametrize(("seed", "over"), [(36, Streamed), *deep((6, Table), (7, Table))])
async def test_server_and_store_killed_at_once_come_back(
    service: Service, client: Api, seed: int, over: type[Table]
) -> None:
    assert await play_through(service, client, seed, both_die, over) <= {AWAY, STORE_AWAY}
    assert AWAY in client.refusals
    assert set(client.refusals) <= {AWAY, STORE_AWAY}


async def test_a_move_that_was_taken_back_stays_taken_back(service: Service, client: Api) -> None:
    """The crash falls between the answer to the undo and the next move, and the undo is sent again."""
    table = await new_table(client, seed=39, kind=Undecided)
    assert isinstance(table, Undecided)
    async with watched(table) as watchers:
        (seat,) = await table.to_act()
        before = (await table.look(seat)).position
        await Table.act(table, seat)
        request = table.undo_request((await table.look(seat)).position.sequence)
        answer = await table.take_back(seat, request)
        await both_die(service)
        assert (await table.look(seat)).position == answer.position
        assert (answer.position.sequence, answer.position.view) == (before.sequence + 2, before.view)
        repeated = await client.call("UndoMove", request, table.tokens[seat])
        assert (repeated.sequence, repeated.entries) == (answer.sequence, answer.entries)
        await table.play()
    await check_whole(table, watchers)


async def test_a_write_that_the_crash_tore_apart_is_dropped(service: Service, client: Api) -> None:
    table = await new_table(client, seed=9)
    await table.play_acts(10)
    await service.kill_with_store()
    with tail_of(service.data).open("ab") as file:
        file.write(TORN)
    await service.start()
    await table.play()
    await check_whole(table, [])
    assert client.epochs == ["durable"]


async def test_a_server_whose_store_cannot_come_back_says_so_and_ends(service: Service, client: Api) -> None:
    table = await new_table(client, seed=8)
    await table.play_acts(3)
    (manifest,) = service.data.glob("appendonlydir/*.manifest")
    await asyncio.to_thread(manifest.write_text, "no manifest\n")
    await kill_process(await service.store_pid())
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await client.once("GetSession", api.GetSessionRequest(name=table.name))
    assert refusal_of(refused.value) == STORE_AWAY
    assert await service.ended() != 0
    said = service.errors.read_text()
    assert said.splitlines()[-1].startswith(f"skerry: The server on {service.data} cannot be restarted")
    assert "Traceback" not in said
