"""Broken streams resume without gaps and repeats. If that is impossible, the client raises an error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import grpc
import pytest
from google.rpc import code_pb2

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_client import AsyncClient, AsyncTable, Client, errors
from tests.clients.play import SEED, play_to_the_end
from tests.clients.servers import Hang, Pause, ServerProcess, refusal, scripted

GONE = grpc.StatusCode.UNAVAILABLE
LEAVING = refusal(code_pb2.UNAVAILABLE, "SHUTTING_DOWN", retry_after=0.01)


def update(*sequences: int, at: int | None = None, epoch: str = "e", heartbeat: bool = False) -> api.ObserveResponse:
    reached = sequences[-1] if at is None else at
    entries = [session_pb2.Entry(sequence=sequence) for sequence in sequences]
    return api.ObserveResponse(
        entries=entries,
        position=None if heartbeat else session_pb2.Position(sequence=reached),
        sequence=reached,
        epoch=epoch,
        heartbeat=heartbeat,
    )


def looked(at: int, epoch: str = "e") -> api.GetSessionResponse:
    return api.GetSessionResponse(session=session_pb2.Session(epoch=epoch), position=session_pb2.Position(sequence=at))


async def observed(table: AsyncTable, after: int | None) -> list[list[int]]:
    return [[entry.sequence for entry in one.entries] async for one in table.observe(after_sequence=after)]


async def follow(*streams: list[Any], after: int | None = 0, **settings: float) -> tuple[list[list[int]], list[Any]]:
    """Return the entries of each update, and the sequences after which streams were opened."""
    async with scripted(Observe=streams, GetSession=[looked(3)]) as server:
        async with AsyncClient(server.address, **settings) as skerry:  # type: ignore[arg-type]
            received = await observed(await skerry.table("a"), after)
        requests = server.requests["Observe"]
    return received, [one.after_sequence if one.HasField("after_sequence") else None for one in requests]


async def test_a_broken_stream_goes_on_after_the_last_update() -> None:
    received, opened = await follow([update(1, 2), update(3), GONE], [LEAVING], [update(at=3), update(4)])
    assert received == [[1, 2], [3], [4]]
    assert opened == [0, 3, 3]


async def test_a_stream_of_new_entries_resumes_where_it_broke() -> None:
    received, opened = await follow([GONE], [update(at=7), GONE], [update(8)], after=None)
    assert received == [[], [8]]
    assert opened == [None, None, 7]


async def test_heartbeats_are_not_yielded() -> None:
    received, _ = await follow([update(1), update(at=1, heartbeat=True), update(at=1, heartbeat=True), update(2)])
    assert received == [[1], [2]]


async def test_a_silent_stream_is_resumed() -> None:
    received, opened = await follow([update(1), Hang()], [update(at=1), update(2)], silence=1.0)
    assert received == [[1], [2]]
    assert opened == [0, 1]


async def test_heartbeats_keep_a_quiet_stream_alive() -> None:
    quiet = [Pause(0.3, update(at=1, heartbeat=True)) for _ in range(6)]
    received, opened = await follow([update(1), *quiet, update(2)], silence=1.5)
    assert received == [[1], [2]]
    assert opened == [0]


async def test_a_stream_is_given_up_when_the_budget_is_spent() -> None:
    with pytest.raises(errors.ConnectionLost):
        await follow([update(1), GONE], [GONE], retry_for=0.2)


async def test_every_update_renews_the_budget() -> None:
    wait = refusal(code_pb2.UNAVAILABLE, "SHUTTING_DOWN", retry_after=0.3)
    streams = [[update(sequence), wait] for sequence in range(1, 7)]
    received, _ = await follow(*streams, [update(7)], retry_for=1.5)
    assert received == [[sequence] for sequence in range(1, 8)]


@pytest.mark.parametrize(
    "streams",
    [
        ([update(1, 2), GONE], [update(3, epoch="another")]),
        ([update(1, 2), update(3, epoch="another")],),
        ([update(1, 2), GONE], [refusal(code_pb2.OUT_OF_RANGE, "SEQUENCE_AHEAD", sequence="1", epoch="another")]),
        ([update(1, 2), GONE], [refusal(code_pb2.OUT_OF_RANGE, "SEQUENCE_AHEAD", sequence="1", epoch="e")]),
    ],
    ids=["epoch after a break", "epoch on the way", "shorter log of another epoch", "shorter log"],
)
async def test_lost_entries_raise(streams: tuple[list[Any], ...]) -> None:
    with pytest.raises(errors.EntriesLost) as caught:
        await follow(*streams)
    assert caught.value.metadata["sequence"] == "2"


async def test_a_handle_remembers_its_epoch() -> None:
    answers: dict[str, list[Any]] = {
        "GetSession": [looked(3), looked(2, "another")],
        "Observe": [[update(4, epoch="another")]],
    }
    async with scripted(**answers) as server, AsyncClient(server.address) as skerry:
        table = await skerry.table("a")
        with pytest.raises(errors.EntriesLost):
            await observed(table, 3)
        assert (await table.position()).sequence == 2
        assert table.last_position == session_pb2.Position(sequence=2)
        assert await observed(table, 2) == [[4]]


async def test_an_observer_can_leave_early() -> None:
    answers: dict[str, list[Any]] = {"Observe": [[update(1), Hang()]], "GetSession": [looked(1)]}
    async with scripted(**answers) as server, AsyncClient(server.address) as skerry:
        table = await skerry.table("a")
        async for one in table.observe(after_sequence=0):
            assert one.sequence == 1
            break
        assert (await table.position()).sequence == 1


# ---------------------------------------------------------------- against the real server


@pytest.fixture
def mortal() -> Iterator[ServerProcess]:
    """A server of this test's own, to be killed."""
    with TemporaryDirectory(prefix="skerry-test-") as folder:
        process = ServerProcess(Path(folder))
        process.start()
        yield process
        process.stop()


@pytest.mark.deep
def test_a_game_goes_on_over_a_killed_and_a_stopped_server(mortal: ServerProcess) -> None:
    received: list[int] = []
    with Client(mortal.address) as skerry:
        table = skerry.create("kreta", seats=2, seed=SEED)
        seats = [table.join("Ada"), table.join("Bob")]

        def follow() -> None:
            for one in table.observe(after_sequence=0):
                received.extend(entry.sequence for entry in one.entries)

        watcher = Thread(target=follow)
        watcher.start()
        play_to_the_end(table, seats, stop_after=10)
        player = Thread(target=play_to_the_end, args=(table, seats))
        player.start()
        mortal.kill()
        mortal.start()
        play_on = table.session().sequence
        mortal.stop()
        mortal.start()
        player.join(30)
        watcher.join(30)
        session = table.session()
    assert session.state == session_pb2.SESSION_STATE_FINISHED
    assert session.sequence >= play_on > 10
    assert received == list(range(1, session.sequence + 1))
