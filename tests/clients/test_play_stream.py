"""The turns of all seats share one stream, with the responses and errors of unary calls."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TypeVar

import pytest
from google.protobuf.message import Message

from skerry.games.kreta.v1 import kreta_pb2 as kreta
from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_client import AsyncClient, AsyncSeat, Client, Seat, errors
from skerry_client.transport import Exchange, Method
from skerry_client.transport.choice import TransportName
from skerry_client.transport.connect_transport import ConnectTransport
from skerry_client.transport.grpc_transport import GrpcTransport
from tests.clients.play import SEED
from tests.clients.servers import ServerProcess, scripted
from tests.clients.test_observe import update

Q = TypeVar("Q", bound=Message)
A = TypeVar("A", bound=Message)


class Counting:
    """A transport that counts the calls of another one."""

    def __init__(self, counted: ConnectTransport | GrpcTransport) -> None:
        self._counted = counted
        self.calls: Counter[str] = Counter()

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        self.calls[method.name] += 1
        return await self._counted.call(method, request, token, timeout)

    def observe(self, request: api.ObserveRequest, token: str | None) -> AsyncGenerator[api.ObserveResponse, None]:
        self.calls["Observe"] += 1
        return self._counted.observe(request, token)

    def play(self) -> Exchange:
        self.calls["Play"] += 1
        return self._counted.play()

    def hold(self, name: str) -> None:
        return self._counted.hold(name)

    async def close(self) -> None:
        await self._counted.close()


@pytest.fixture(params=[GrpcTransport, ConnectTransport])
def counting(request: pytest.FixtureRequest, server: ServerProcess) -> Counting:
    """A transport to the real server."""
    return Counting(request.param(server.address))


async def sit_down(skerry: AsyncClient, *names: str) -> list[AsyncSeat]:
    table = await skerry.create("kreta", seats=len(names), seed=SEED)
    return [await table.join(name) for name in names]


async def play(seat: AsyncSeat) -> list[api.ActResponse]:
    random, answers = Random(seat.number), []
    async for position in seat.turns():
        answer = await seat.act(random.choice(position.legal_moves))
        answers.append(answer)
    return answers


async def test_all_turns_of_a_client_are_played_over_one_stream(counting: Counting) -> None:
    async with AsyncClient(counting) as skerry:
        seats = [seat for players in ("AB", "CDE") for seat in await sit_down(skerry, *players)]
        counting.calls.clear()
        answers = await asyncio.gather(*map(play, seats))
        assert counting.calls == {"GetSession": len(seats), "Play": 1}
        for seat, mine in zip(seats, answers, strict=True):
            replay = {entry.sequence: entry for entry in (await seat.replay()).entries}
            moved = [one for one in replay.values() if one.HasField("moved") and one.HasField("seat")]
            own = [one.sequence for one in moved if one.seat == seat.number]
            assert [answer.entries[0].sequence for answer in mine] == own
            for answer in mine:
                received = [entry.sequence for entry in answer.entries]
                assert received == list(range(received[0], answer.sequence + 1))
                assert not any(replay[sequence].HasField("seat") for sequence in received[1:])
                assert answer.position.sequence >= answer.sequence
                assert answer.epoch == "durable"


async def test_an_act_on_the_stream_has_the_responses_and_errors_of_act(counting: Counting) -> None:
    async with AsyncClient(counting) as skerry:
        seats = await sit_down(skerry, "Ada", "Bob")
        seat, answer = seats[(await seats[0].position()).to_act[0]], api.ActResponse()
        async for position in seat.turns():
            before = await seat.act(position.legal_moves[0], validate_only=True)
            assert before == api.ActResponse(sequence=position.sequence, epoch="durable")
            assert seat.last_position == position
            with pytest.raises(errors.RuleBroken) as broken:
                await seat.act(kreta.Move(play_card=kreta.PlayCard(card=kreta.CARD_KING)))
            assert broken.value.rule
            with pytest.raises(errors.MalformedMove):
                await seat.act(kreta.Move())
            answer = await seat.act(position.legal_moves[0])
            assert answer.entries[0].moved.move == position.legal_moves[0]
            assert answer.position == seat.last_position == await seat.position()
            break
        assert counting.calls["Act"] == 0
        moved = await seats[1 - seat.number].position()
        assert moved.sequence == answer.sequence
        if moved.legal_moves:
            await seats[1 - seat.number].act(moved.legal_moves[0])
            assert counting.calls["Act"] == 1, "a seat outside of turns() acts by unary calls"


async def test_a_client_without_retries_uses_no_shared_stream(counting: Counting) -> None:
    async with AsyncClient(counting, retry_for=0) as skerry:
        await asyncio.gather(*map(play, await sit_down(skerry, "Ada", "Bob")))
    assert counting.calls["Play"] == 0
    assert counting.calls["Act"] > 20


async def test_a_client_falls_back_to_unary_calls_on_a_server_without_play() -> None:
    def at(sequence: int, *, over: bool = False) -> session_pb2.Position:
        outcome = session_pb2.Outcome() if over else None
        moves = [] if over else [api.ActRequest().move]
        return session_pb2.Position(sequence=sequence, seat=1, legal_moves=moves, outcome=outcome)

    joined = api.JoinSessionResponse(seat=1, seat_token="t")
    looked = api.GetSessionResponse(seat=1, session=session_pb2.Session(epoch="e"), position=at(5))
    acted = [
        api.ActResponse(sequence=sequence, epoch="e", position=at(sequence, over=sequence == 7)) for sequence in (6, 7)
    ]
    observed = [[update(at=5)]]
    async with scripted(JoinSession=[joined], GetSession=[looked], Act=acted, Observe=observed) as server:
        counting = Counting(GrpcTransport(server.address))
        async with AsyncClient(counting) as skerry:
            for _ in range(2):
                seat = await (await skerry.table("a")).join("Ada")
                async for position in seat.turns():
                    await seat.act(position.legal_moves[0])
    assert counting.calls["Play"] == 1
    assert counting.calls["Act"] >= 2


async def test_a_client_closed_in_the_middle_of_a_turn_raises(counting: Counting) -> None:
    skerry = AsyncClient(counting)
    seats = await sit_down(skerry, "Ada", "Bob")
    waiting = seats[1 - (await seats[0].position()).to_act[0]]
    turn = asyncio.create_task(anext(waiting.turns()))
    while not waiting.last_position:  # noqa: ASYNC110 - what it waits for happens in the client
        await asyncio.sleep(0.01)
    await skerry.close()
    with pytest.raises(RuntimeError, match=r"closed during the call|client is closed"):
        await turn


@pytest.fixture
def mortal() -> Iterator[ServerProcess]:
    """A server that the test may kill."""
    with TemporaryDirectory(prefix="skerry-test-") as folder:
        process = ServerProcess(Path(folder))
        process.start()
        yield process
        process.stop()


@pytest.mark.deep
@pytest.mark.parametrize("transport", ["grpc", "connect"])
def test_turns_continue_after_a_killed_and_a_stopped_server(mortal: ServerProcess, transport: TransportName) -> None:
    made: list[int] = []

    def play_blocking(seat: Seat) -> None:
        random = Random(seat.number)
        for position in seat.turns():
            answer = seat.act(random.choice(position.legal_moves))
            made.append(answer.entries[0].sequence)

    with Client(mortal.address, transport=transport) as skerry:
        table = skerry.create("kreta", seats=2, seed=SEED)
        players = [Thread(target=play_blocking, args=(table.join(name),)) for name in ("Ada", "Bob")]
        for player in players:
            player.start()
        for number, end in enumerate((mortal.kill, mortal.stop, mortal.kill), 1):
            while len(made) < 10 * number:
                table.session()
            end()
            mortal.start()
        for player in players:
            player.join(60)
        log = table.replay().entries
    own = [entry.sequence for entry in log if entry.HasField("moved") and entry.HasField("seat")]
    assert sorted(made) == own, "each answered move was made once"
