"""Clocks over the wire and a real store: sent in every update, and expired once by either of two servers."""

from __future__ import annotations

import asyncio

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.replays.verification import first_difference
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.watching import Watcher
from tests.api.wire import OPEN, Api, Sitting, act, bearer, create, get, look, refused, served, sit_down, turn
from tests.store.servers import ask, until

pytestmark = pytest.mark.asyncio(loop_scope="module")

MINUTE = 60_000
Clock = session_pb2.Clock
BANK = Clock(bank=session_pb2.Bank(time_ms=3 * MINUTE, increment_ms=2_000))
ACTIONS = (session_pb2.TIMEOUT_ACTION_SUBSTITUTE, session_pb2.TIMEOUT_ACTION_MOVE, session_pb2.TIMEOUT_ACTION_END)


def per_move(action: session_pb2.TimeoutAction.ValueType = session_pb2.TIMEOUT_ACTION_SUBSTITUTE) -> Clock:
    return Clock(per_move=session_pb2.PerMove(time_ms=MINUTE), on_expiry=action)


async def grow_older(valkey: EmbeddedServer, by_ms: int) -> None:
    """Let the store have been served for longer. Servers learn of it within a second."""
    age = int(await ask(valkey, "HGET", redis_keys.STORE.decode(), "a"))
    await ask(valkey, "HSET", redis_keys.STORE.decode(), "a", age + by_ms)


async def happens(watcher: Watcher, kind: str) -> session_pb2.Entry:
    """Wait for such an entry."""

    def found() -> list[session_pb2.Entry]:
        received = [entry for message in watcher.messages for entry in message.entries]
        return [entry for entry in received if entry.WhichOneof("kind") == kind]

    await until(lambda: bool(found()))
    return found()[0]


async def test_every_answer_and_update_tells_the_clocks(api: Api, replica: Api) -> None:
    sitting = await sit_down(api, clock=BANK)
    watcher = Watcher(replica, sitting)
    token, position = await turn(api, sitting)
    seat = position.seat
    known = (await get(api, sitting, token)).clocks
    left = known.seats[seat].deadline_ms - known.server_time_ms
    assert 3 * MINUTE - 20_000 < left <= 3 * MINUTE
    assert not known.seats[1 - seat].HasField("deadline_ms")
    request = act(sitting, position.legal_moves[0], position.sequence, sent_ms=known.server_time_ms)
    answer = await api.stub.Act(request, metadata=bearer(token))
    cost = answer.entries[0].moved.time
    spent = 3 * MINUTE - answer.clocks.seats[seat].left_ms
    assert spent in (cost.charged_ms, cost.charged_ms - 2_000)
    await watcher.reaches(answer.sequence)
    assert all(len(message.clocks.seats) == 2 for message in watcher.messages)
    times = [message.clocks.server_time_ms for message in watcher.messages]
    assert times == sorted(times)
    received = watcher.messages[-1]
    assert received.clocks.seats == answer.clocks.seats
    assert received.entries[-1].moved.time == cost or len(answer.entries) > 1
    await watcher.hang_up()
    plain = await sit_down(api)
    assert not (await get(api, plain, plain.seats[0])).HasField("clocks")


@pytest.mark.parametrize("action", ACTIONS)
async def test_two_servers_fire_a_deadline_once_with_its_reason_and_the_replay_holds(
    valkey: EmbeddedServer, api: Api, replica: Api, action: session_pb2.TimeoutAction.ValueType
) -> None:
    sitting = await sit_down(api, 3, clock=per_move(action), abandonment=session_pb2.AbandonmentPolicy(level="random"))
    watchers = [Watcher(server, sitting) for server in (api, replica)]
    (seat,) = (await look(api, sitting)).to_act
    await grow_older(valkey, MINUTE)
    for watcher in watchers:
        timed_out = await happens(watcher, "timed_out")
        assert (timed_out.seat, timed_out.timed_out.action) == (seat, action)
        assert timed_out.timed_out.cause == session_pb2.SUBSTITUTE_CAUSE_OUT_OF_TIME
    if action != session_pb2.TIMEOUT_ACTION_END:
        assert (await look(replica, sitting)).to_act != [seat]
        if action == session_pb2.TIMEOUT_ACTION_SUBSTITUTE:
            back = pb.ReturnToSessionRequest(name=sitting.name)
            await replica.stub.ReturnToSession(back, metadata=bearer(sitting.seats[seat]))
        for token in sitting.seats[:2]:
            await api.stub.ResignSession(pb.ResignSessionRequest(name=sitting.name), metadata=bearer(token))
    for watcher in watchers:
        await watcher.ends()
        received = [entry for message in watcher.messages for entry in message.entries]
        assert sum(entry.HasField("timed_out") for entry in received) == 1
    replay = (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay
    assert first_difference(replay) is None
    for entry in replay.entries:
        if entry.HasField("timed_out"):
            entry.timed_out.cause = session_pb2.SUBSTITUTE_CAUSE_ABSENT
    assert first_difference(replay) is not None


async def test_a_deadline_passes_while_every_server_is_down_and_nobody_is_charged(unserved: EmbeddedServer) -> None:
    async with served(unserved) as first:
        sitting = await sit_down(first, clock=Clock(per_move=session_pb2.PerMove(time_ms=3_000)))
        before = (await get(first, sitting)).clocks
    await asyncio.sleep(0)
    async with served(unserved) as second:
        after = (await get(second, sitting)).clocks
        assert after.seats == before.seats
        watcher = Watcher(second, sitting)
        assert (await happens(watcher, "timed_out")).timed_out.action == session_pb2.TIMEOUT_ACTION_SUBSTITUTE
        received = watcher.messages[-1].clocks
        assert received.server_time_ms >= max(seat.deadline_ms for seat in before.seats)
        await watcher.hang_up()


async def test_what_a_clock_can_be_is_checked(api: Api) -> None:
    for field, clock in (
        ("clock.per_move.time_ms", Clock(per_move=session_pb2.PerMove(time_ms=999))),
        ("clock.per_move.time_ms", Clock(per_move=session_pb2.PerMove())),
        ("clock.bank.time_ms", Clock(bank=session_pb2.Bank(time_ms=86_400_001))),
        ("clock.bank.increment_ms", Clock(bank=session_pb2.Bank(time_ms=MINUTE, increment_ms=-1))),
        ("clock.bank_with_grace.grace_ms", Clock(bank_with_grace=session_pb2.BankWithGrace(time_ms=MINUTE))),
        ("clock.correspondence.days", Clock(correspondence=session_pb2.Correspondence(days=31))),
        ("clock.on_expiry", Clock(bank=BANK.bank, on_expiry=7)),  # type: ignore[arg-type]
        ("clock", Clock(on_expiry=session_pb2.TIMEOUT_ACTION_END)),
    ):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field=field):
            await create(api, OPEN, OPEN, clock=clock)
    for clock in (
        BANK,
        per_move(),
        Clock(bank_with_grace=session_pb2.BankWithGrace(time_ms=MINUTE, grace_ms=1)),
        Clock(correspondence=session_pb2.Correspondence(days=30), on_expiry=session_pb2.TIMEOUT_ACTION_END),
    ):
        received = (await get(api, await create(api, OPEN, OPEN, clock=clock))).session.clock
        clock.on_expiry = clock.on_expiry or session_pb2.TIMEOUT_ACTION_SUBSTITUTE
        assert received == clock
    sitting: Sitting = await create(api, OPEN, OPEN, clock=Clock())
    assert not (await get(api, sitting)).session.HasField("clock")
