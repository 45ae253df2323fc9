"""Going and coming back over the wire, through two servers over one store."""

from __future__ import annotations

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.replays.verify import first_difference
from tests.api.watching import Watcher
from tests.api.wire import OPEN, Api, bearer, create, get, move_once, play_out, refused, sit_down

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_leaver_returns_through_another_server_and_the_replay_holds(api: Api, replica: Api) -> None:
    sitting = await sit_down(api, 3)
    watcher = Watcher(replica, sitting)
    leaver = bearer(sitting.seats[1])
    left = (await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=leaver)).session
    assert left.seats[1].substitute.cause == session_pb2.SUBSTITUTE_CAUSE_LEFT
    for pick in range(6):
        await move_once(api, sitting, pick)
    back = await replica.stub.ReturnToSession(pb.ReturnToSessionRequest(name=sitting.name), metadata=leaver)
    assert not back.session.seats[1].HasField("substitute")
    last = await play_out(api, sitting, [replica])
    await watcher.ends()
    assert watcher.sequences == list(range(1, last + 1))
    replay = (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay
    (played,) = replay.session.outcome.substitutions
    since = left.seats[1].substitute.since
    assert (played.seat, played.first, played.last) == (1, since, back.session.sequence - 1)
    assert first_difference(replay) is None


async def test_resigning_ends_a_game_of_two_on_all_servers(api: Api, replica: Api) -> None:
    sitting = await sit_down(api)
    watchers = [Watcher(server, sitting, token) for server in (api, replica) for token in (*sitting.seats, None)]
    for watcher in watchers:
        await watcher.has(1)
    resign = pb.ResignSessionRequest(name=sitting.name)
    await replica.stub.ResignSession(resign, metadata=bearer(sitting.seats[0]))
    for watcher in watchers:
        await watcher.ends()
        assert list(watcher.messages[-1].position.outcome.ranks) == [2, 1]
    with refused("FAILED_PRECONDITION", "GAME_OVER"):
        await api.stub.ResignSession(resign, metadata=bearer(sitting.seats[1]))


async def test_a_session_that_is_called_off_is_told_and_listed_no_longer(api: Api, replica: Api) -> None:
    sitting = await create(api, OPEN, OPEN)
    watcher = Watcher(replica, sitting)
    await watcher.has(1)
    call_off = pb.CallOffSessionRequest(name=sitting.name)
    await api.stub.CallOffSession(call_off, metadata=bearer(sitting.host))
    await watcher.ends()
    assert watcher.messages[-1].session.state == session_pb2.SESSION_STATE_CALLED_OFF
    listed = (await replica.stub.ListSessions(pb.ListSessionsRequest(page_size=100))).sessions
    assert sitting.name not in [session.name for session in listed]
    assert (await get(replica, sitting)).session.state == session_pb2.SESSION_STATE_CALLED_OFF
