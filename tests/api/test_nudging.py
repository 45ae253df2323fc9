"""Nudges over the wire, through two servers over one store, in real time that is moved on in the store."""

from __future__ import annotations

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.domain.seating.nudges import MIN_WAIT_MS
from skerry_service.replays.verification import first_difference
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.watching import Watcher
from tests.api.wire import Api, Sitting, bearer, get, refused, served, sit_down, turn
from tests.store.servers import ask

pytestmark = pytest.mark.asyncio(loop_scope="module")


def nudge(sitting: Sitting, seat: int) -> pb.NudgeSeatRequest:
    return pb.NudgeSeatRequest(name=sitting.name, seat=seat)


async def test_a_nudge_by_any_server_is_sent_to_the_table_once_and_the_replay_verifies(
    unserved: EmbeddedServer,
) -> None:
    async with served(unserved) as one, served(unserved) as two:
        sitting = await sit_down(one, clock=session_pb2.Clock(per_move=session_pb2.PerMove(time_ms=3_600_000)))
        owing = sitting.seats.index((await turn(one, sitting))[0])
        waits = bearer(sitting.seats[1 - owing])
        watcher = Watcher(two, sitting, sitting.seats[owing])
        await watcher.has(1)
        with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="nudges") as early:
            await two.stub.NudgeSeat(nudge(sitting, owing), metadata=waits)
        assert early.retry_after is not None
        assert 0 < early.retry_after <= MIN_WAIT_MS / 1000
        age = int(await ask(unserved, "HGET", redis_keys.STORE.decode(), "a"))
        await ask(unserved, "HSET", redis_keys.STORE.decode(), "a", age + 2 * MIN_WAIT_MS)
        async with served(unserved) as three:  # the server reads the store clock when it starts
            nudged = await three.stub.NudgeSeat(nudge(sitting, owing), metadata=waits)
            received = (await watcher.reaches(nudged.session.sequence)).entries[-1]
            assert (received.seat, received.nudged.by) == (owing, 1 - owing)
            assert received.nudged.owed_ms >= MIN_WAIT_MS
            with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="nudges"):
                await three.stub.NudgeSeat(nudge(sitting, owing), metadata=waits)
        await two.stub.ResignSession(pb.ResignSessionRequest(name=sitting.name), metadata=waits)
        await watcher.ends()
        replay = (await one.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay
        assert first_difference(replay) is None
        next(entry for entry in replay.entries if entry.HasField("nudged")).nudged.by = owing
        assert first_difference(replay) is not None


async def test_whom_to_nudge_has_to_be_said(api: Api) -> None:
    sitting = await sit_down(api)
    before = (await get(api, sitting)).session.sequence
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="seat"):
        await api.stub.NudgeSeat(pb.NudgeSeatRequest(name=sitting.name), metadata=bearer(sitting.seats[0]))
    assert (await get(api, sitting)).session.sequence == before
