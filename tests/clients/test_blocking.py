"""The blocking client: threads, closing, interrupts and forks."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from threading import enumerate as enumerate_threads
from typing import Any

import pytest

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_client import AsyncClient, Client, Seat
from skerry_client.loop import LoopThread
from skerry_games.catalogue import all_games
from skerry_service import local
from tests.clients.play import SEED, play_to_the_end
from tests.clients.servers import Hang, ServerProcess, scripted

LOOKED = api.GetSessionResponse(session=session_pb2.Session(name="sessions/a"))


def test_a_closed_client_raises_and_leaves_no_thread(server: ServerProcess) -> None:
    skerry = Client(server.address)
    skerry.games()
    assert threads() == ["skerry-client"]
    skerry.close()
    skerry.close()
    assert threads() == []
    with pytest.raises(RuntimeError, match="this client is closed"):
        skerry.games()


def test_a_client_is_closed_by_several_threads_at_once(server: ServerProcess) -> None:
    with ThreadPoolExecutor(8) as pool:
        for _ in range(40):
            skerry = Client(server.address)
            skerry.games()
            assert [one.result(10) for one in [pool.submit(skerry.close) for _ in range(8)]] == [None] * 8
    assert threads() == []


def threads() -> list[str]:
    return [thread.name for thread in enumerate_threads() if thread.name == "skerry-client"]


async def test_a_closed_asyncio_client_raises() -> None:
    async with scripted(ListGames=[api.ListGamesResponse()]) as server:
        used, unused = AsyncClient(server.address), AsyncClient(server.address)
        await used.games()
        for skerry in (used, unused):
            await skerry.close()
            with pytest.raises(RuntimeError, match="this client is closed"):
                await skerry.games()


async def test_closing_ends_calls_in_progress_without_cancelling_their_callers() -> None:
    unary, stream = Hang(), Hang()
    answers: dict[str, list[Any]] = {"GetSession": [LOOKED], "ListGames": [unary], "Observe": [[stream]]}
    async with scripted(**answers) as server:
        skerry = AsyncClient(server.address)
        table = await skerry.table("a")
        calls = [asyncio.create_task(skerry.games()), asyncio.create_task(anext(table.observe()))]
        await asyncio.gather(unary.reached.wait(), stream.reached.wait())
        await skerry.close()
        for ended in await asyncio.gather(*calls, return_exceptions=True):
            assert isinstance(ended, RuntimeError)
            assert str(ended) == "this client was closed during the call"


def test_closing_ends_the_waits_of_other_threads() -> None:
    ended: list[str] = []
    with local.Client() as skerry:
        table = skerry.create("kreta", seats=2)
        updates = iter(table.observe())
        next(updates)

        def wait() -> None:
            with pytest.raises(RuntimeError, match="closed") as caught:
                next(updates)
            ended.append(str(caught.value))

        waiting = Thread(target=wait)
        waiting.start()
    waiting.join(10)
    assert len(ended) == 1


def test_the_local_client_needs_no_thread_and_raises_when_closed() -> None:
    skerry = local.Client()
    table = skerry.create("kreta", seats=2, seed=SEED)
    seats = [table.join("Ada"), table.join("Bob")]
    assert play_to_the_end(table, seats, stop_after=5) == 5
    assert next(iter(seats[0].observe())).position == seats[0].position()
    assert threads() == []
    skerry.close()
    skerry.close()
    with pytest.raises(RuntimeError, match="this client is closed"):
        skerry.games()


def test_local_threads_wait_for_each_other() -> None:
    with local.Client() as skerry:
        table = skerry.create("kreta", seats=2, seed=SEED)
        seats = [table.join("Ada"), table.join("Bob")]

        def play(seat: Seat) -> int:
            return len([seat.act(position.legal_moves[0]) for position in seat.turns()])

        def watch() -> list[int]:
            return [entry.sequence for update in table.observe(after_sequence=0) for entry in update.entries]

        with ThreadPoolExecutor(3) as pool:
            watched = pool.submit(watch)
            moves = list(pool.map(play, seats))
        assert all(moves)
        assert watched.result() == list(range(1, table.session().sequence + 1))


def test_one_client_serves_several_threads(skerry: Client) -> None:
    def play(number: int) -> int:
        table = skerry.create("kreta", seats=2, seed=SEED)
        return play_to_the_end(table, [table.join("Ada"), table.join("Bob")], stop_after=10 + number)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(play, range(4))) == [10, 11, 12, 13]


def test_an_interrupted_wait_cancels_the_work() -> None:
    loop, cancelled = LoopThread(), []

    async def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    with pytest.raises(KeyboardInterrupt):
        loop.run(work())
    loop.stop()
    assert cancelled == [True]


async def count(closed: list[bool]) -> AsyncGenerator[int, None]:
    """Yield some numbers; record when the generator is closed."""
    try:
        for number in range(10):
            yield number
    finally:
        closed.append(True)


def test_leaving_an_iteration_early_closes_its_source() -> None:
    loop, closed = LoopThread(), list[bool]()

    for number in loop.iterate(count(closed)):
        if number == 3:
            break
    loop.stop()
    assert closed == [True]


def test_an_iteration_that_is_collected_in_the_clients_own_thread_closes_its_source() -> None:
    """The garbage collector can end an iteration that is part of a cycle in any thread."""
    loop, closed = LoopThread(), list[bool]()

    held = [loop.iterate(count(closed))]
    assert next(held[0]) == 0

    async def collect() -> None:
        held.clear()

    collecting = Thread(target=loop.run, args=(collect(),), daemon=True)
    collecting.start()
    collecting.join(10)
    assert not collecting.is_alive()
    loop.stop()
    assert closed == [True]


FORGETFUL = """
import sys
from skerry_client import Client

skerry = Client(sys.argv[1])
table = skerry.create("kreta", seats=2, bots=1)
updates, turns = table.observe(), table.join("Ada").turns()
print(next(updates).session.name == table.name, len(next(turns).legal_moves) > 0)
sys.exit(3)
"""


def test_a_program_ends_without_closing_its_client(server: ServerProcess) -> None:
    command = [sys.executable, "-c", FORGETFUL, server.address]
    run = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (3, "True True\n", "")


FORKED = """
import gc, os, sys
from skerry_client import Client

def ask(skerry):
    try:
        print(len(skerry.games()), "games", flush=True)
    except RuntimeError as error:
        print(error, flush=True)

def in_another_process(work):
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    print(os.waitpid(child, 0)[1], flush=True)

def ask_a_new_one():
    with Client(sys.argv[1], transport=sys.argv[2]) as skerry:
        ask(skerry)

with Client(sys.argv[1], transport=sys.argv[2]) as skerry:
    ask(skerry)
    in_another_process(lambda: ask(skerry))
    in_another_process(lambda: skerry.close())
    in_another_process(ask_a_new_one)
    ask(skerry)
gc.collect()
in_another_process(ask_a_new_one)
"""


@pytest.mark.parametrize(
    ("transport", "beside"),
    [
        ("grpc", "gRPC cannot be used in a process that was forked while a client was open: start"),
        ("connect", f"{len(all_games())} games"),
    ],
)
def test_a_client_that_was_open_during_a_fork_raises(server: ServerProcess, transport: str, beside: str) -> None:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKED, server.address, transport]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    games, old, *ended, again, fresh, last = run.stdout.splitlines()
    assert games == again == fresh == f"{len(all_games())} games"
    assert old.startswith("this client was open when this process was forked: start processes by 'spawn'")
    assert ended[2].startswith(beside)
    assert [*ended[:2], ended[3], last] == ["0"] * 4
