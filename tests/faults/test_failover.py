"""A store master is killed in mid-game and a replica takes over: what is lost, and which clients learn of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from uuid import uuid4

import grpc
import pytest

from skerry.v1 import service_pb2 as pb
from tests.api.wire import Api as Calls
from tests.store.replicated import MASTER, MovingAddress, Node, installed_redis, knows_replicas, watching

from .driver import STORE_AWAY, Api, Table, Watcher, check_whole, connect, new_table, refusal_of, watched
from .processes import PATIENCE, Service, held, until
from .test_lost_tail import LOST, ahead_of, all_seen, sequence_of
from .test_lost_tail import watching as following

pytestmark = pytest.mark.deep


@asynccontextmanager
async def pair(folder: Path, binary: Path | None = None) -> AsyncIterator[tuple[Node, Node]]:
    """Run a master and a replica of it."""
    async with Node(folder / "master", binary=binary) as master, Node(folder / "replica", binary=binary) as replica:
        await replica.follow(master)
        yield master, replica


@asynccontextmanager
async def served(folder: Path, url: str, *arguments: str) -> AsyncIterator[Api]:
    """Run the service on that store; yield a client."""
    service = Service(folder / "service", *arguments, redis_url=url)
    try:
        await service.start()
        async with connect(service.address) as client:
            yield client
    finally:
        await service.close()


async def test_sentinels_promote_a_replica_and_the_game_goes_on(folder: Path) -> None:
    """The replica had everything, so nothing is lost; the epoch says that it could have been otherwise."""
    async with pair(folder) as (master, replica), watching(folder / "sentinel", master) as sentinel:
        await until(lambda: knows_replicas(sentinel, 1))
        async with served(folder, f"redis+sentinel://127.0.0.1:{sentinel.port}/{MASTER}") as client:
            table = await new_table(client, seed=71)
            async with watched(table) as watchers, asyncio.TaskGroup() as group:
                await table.play_acts(10)
                await until(lambda: replica.has_all_of(master))
                master.kill()
                group.create_task(table.play())
            await check_whole(table, watchers)
    assert set(client.refusals) == {STORE_AWAY}
    assert [watcher.breaks for watcher in watchers] == [[]] * len(watchers)
    first, second = client.epochs
    assert {tuple(watcher.epochs) for watcher in watchers} == {(first, second)}


async def lose(table: Table, master: Node, replica: Node, address: MovingAddress) -> int:
    """Let the replica miss a few moves and take over then; return the sequence that it has."""
    await until(lambda: replica.has_all_of(master))
    await replica.ask("REPLICAOF", "NO", "ONE")
    kept = await sequence_of(table)
    await table.play_acts(LOST)
    address.move(replica)
    return kept


async def test_a_viewer_of_moves_that_the_replica_lacked_learns_it_and_sees_their_successors(
    folder: Path,
) -> None:
    watchers = [Watcher(None), Watcher(0), Watcher(1)]
    async with (
        pair(folder) as (master, replica),
        MovingAddress(master) as address,
        served(folder, address.url) as client,
    ):
        table = await new_table(client, seed=72)
        async with following(table, watchers) as streams:
            await table.play_acts(10)
            acknowledged = list(table.acknowledged)
            kept = await lose(table, master, replica, address)
            (seat, *_) = await table.to_act()
            stale = await table.decide(seat)
            await all_seen(watchers, await sequence_of(table))
            master.kill()
            async with asyncio.timeout(20):
                ends = await asyncio.gather(*streams, return_exceptions=True)
        assert [refusal_of(end) for end in ends if isinstance(end, grpc.aio.AioRpcError)] == [ahead_of(kept)] * 3
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await client.call("Act", stale, table.tokens[seat])
        assert refusal_of(refused.value) == ahead_of(kept)
        assert await sequence_of(table) == kept
        first, second = client.epochs
        table.acknowledged = acknowledged
        async with watched(table) as again:
            await table.play()
        await check_whole(table, again)
    assert all(watcher.epochs == [first] for watcher in watchers)
    assert all(watcher.epochs == [second] for watcher in again)


async def test_a_master_that_lives_on_cut_off_from_its_clients_mixes_nothing_in(folder: Path) -> None:
    """It is demoted when it is found again; a service that still talked to it goes over to the new one."""
    async with (
        pair(folder) as (master, replica),
        MovingAddress(master) as address,
        served(folder, address.url) as client,
    ):
        table = await new_table(client, seed=73)
        await table.play_acts(10)
        acknowledged = list(table.acknowledged)
        kept = await lose(table, master, replica, address)
        assert await sequence_of(table) > kept, "connections that stand still lead to the old master"
        await master.follow(replica)
        await until(lambda: tells_another_epoch(table))
        assert await sequence_of(table) == kept
        table.acknowledged = acknowledged
        async with watched(table) as watchers:
            await table.play()
        await check_whole(table, watchers)


async def tells_another_epoch(table: Table) -> bool:
    await table.look(None)
    return len(table.client.epochs) == 2


async def test_where_replicas_are_waited_for_no_acknowledged_move_is_lost(folder: Path) -> None:
    """A move that the replica does not confirm is refused, and its repeat is the same move."""
    waiting = ("--redis-wait", "1", "--redis-wait-ms", "100")
    async with (
        pair(folder) as (master, replica),
        MovingAddress(master) as address,
        served(folder, address.url, *waiting) as client,
    ):
        table = await new_table(client, seed=74)
        await table.play_acts(5)
        (seat, *_) = await table.to_act()
        request = await table.decide(seat)
        with held(replica.pid):
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await client.once("Act", request, table.tokens[seat])
            assert refusal_of(refused.value) == STORE_AWAY
            assert await sequence_of(table) > request.expected_sequence
        table.note(seat, request, await client.call("Act", request, table.tokens[seat]))
        await table.play_acts(5)
        master.kill()
        await replica.ask("REPLICAOF", "NO", "ONE")
        address.move(replica)
        async with Node(folder / "second") as second:
            await second.follow(replica)
            await table.play()
            await check_whole(table, [])


class WaitingPlayer:
    """A player who looks for a seat until it has one. It confirms its first proposal when the test says so."""

    def __init__(self, client: Api, name: str) -> None:
        self._client = client
        self._request = pb.FindMatchRequest(game="kreta", display_name=name, seats=[2], request_id=str(uuid4()))
        self.proposed, self.goes_on = asyncio.Event(), asyncio.Event()
        self.seat = asyncio.create_task(self._look())

    async def _look(self) -> pb.FindMatchResponse:
        calls = Calls(self._client.channel)
        while True:
            with suppress(grpc.aio.AioRpcError):
                async for message in calls.stub.FindMatch(self._request):
                    if message.HasField("seat"):
                        return message
                    if message.HasField("proposal") and not message.heartbeat:
                        self.proposed.set()
                        await self.goes_on.wait()
                        await self._confirm(calls, message)
            await asyncio.sleep(0.1)

    async def _confirm(self, calls: Calls, message: pb.FindMatchResponse) -> None:
        """Confirm until there is a response. The stream reports what follows."""
        request = pb.ConfirmMatchRequest(ticket=message.ticket, proposal=message.proposal.id)
        while True:
            try:
                await calls.stub.ConfirmMatch(request)
            except grpc.aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.UNAVAILABLE:
                    await asyncio.sleep(0.1)
                    continue
            return


async def find_seats(players: Sequence[WaitingPlayer]) -> None:
    """Let the players confirm, and require that they sit at one table."""
    for player in players:
        player.goes_on.set()
    async with asyncio.timeout(2 * PATIENCE):
        found = [await player.seat for player in players]
    assert len({one.session.name for one in found}) == 1
    assert {one.seat for one in found} == {0, 1}


@pytest.fixture(params=["embedded", "installed"])
def binary(request: pytest.FixtureRequest) -> Path | None:
    """The server: the embedded one, or the Redis on the PATH."""
    return installed_redis() if request.param == "installed" else None


async def test_players_with_a_proposal_get_their_seats_after_a_failover(folder: Path, binary: Path | None) -> None:
    async with (
        pair(folder, binary) as (master, replica),
        watching(folder / "sentinel", master, binary) as sentinel,
    ):
        await until(lambda: knows_replicas(sentinel, 1))
        async with served(folder, f"redis+sentinel://127.0.0.1:{sentinel.port}/{MASTER}") as client:
            players = [WaitingPlayer(client, name) for name in ("Ada", "Bob")]
            for player in players:
                await player.proposed.wait()
            await until(lambda: replica.has_all_of(master))
            master.kill()
            await find_seats(players)


async def test_players_of_whom_the_replica_knows_nothing_get_their_seats(folder: Path, binary: Path | None) -> None:
    """Their tickets and the proposal are lost; the service sends the tickets again."""
    async with (
        pair(folder, binary) as (master, replica),
        MovingAddress(master) as address,
        served(folder, address.url) as client,
    ):
        await replica.ask("REPLICAOF", "NO", "ONE")
        players = [WaitingPlayer(client, name) for name in ("Ada", "Bob")]
        for player in players:
            await player.proposed.wait()
        address.move(replica)
        master.kill()
        await find_seats(players)
