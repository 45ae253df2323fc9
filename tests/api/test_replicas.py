"""Two servers over one store are one service."""

from __future__ import annotations

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.domain.limits import SessionLimits
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.watching import Watcher
from tests.api.wire import (
    OPEN,
    Api,
    act,
    bearer,
    create,
    everything,
    get,
    look,
    lose_seat,
    move_once,
    play_out,
    refused,
    served,
    sit_down,
    turn,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_moves_through_either_server_reach_the_observers_of_both(api: Api, replica: Api) -> None:
    sitting = await sit_down(api, 3)
    watchers = [Watcher(server, sitting, token) for server in (api, replica) for token in (*sitting.seats, None)]
    last = await play_out(api, sitting, [replica])
    for watcher in watchers:
        await watcher.ends()
        assert watcher.sequences == list(range(1, last + 1))
    by_viewer = zip(watchers[:4], watchers[4:], strict=True)
    for here, there in by_viewer:
        assert entries_before(here, last) == entries_before(there, last)
        assert here.messages[-1].session == there.messages[-1].session
        assert here.messages[-1].position == there.messages[-1].position


def entries_before(watcher: Watcher, last: int) -> list[session_pb2.Entry]:
    """Return the messages before the end. Which message reports the end depends on the reader's speed."""
    return [entry for message in watcher.messages for entry in message.entries if message.sequence < last]


async def test_a_lobby_can_be_joined_through_either_server(api: Api, replica: Api) -> None:
    sitting = await create(api, *[OPEN] * 4)
    for number, server in enumerate((replica, api, replica, api)):
        join = pb.JoinSessionRequest(name=sitting.name, display_name=f"player {number}")
        joined = await server.stub.JoinSession(join)
        assert joined.seat == number
        for other in (api, replica):
            assert (await get(other, sitting)).session == joined.session
    assert (await get(api, sitting)).session.state == session_pb2.SESSION_STATE_PLAYING


async def test_a_server_that_saw_an_older_position_never_shows_it_again(api: Api, replica: Api) -> None:
    sitting = await sit_down(api)
    for pick in range(20):
        mover, other = (api, replica) if pick % 3 else (replica, api)
        answer = await move_once(mover, sitting, pick, view=pb.POSITION_VIEW_FULL)
        token = sitting.seats[answer.position.seat]
        assert (await get(other, sitting, token)).position == answer.position
        assert await everything(api, sitting) == await everything(replica, sitting)


async def test_a_server_with_an_older_position_decides_on_the_current_one(api: Api, replica: Api) -> None:
    sitting = await sit_down(api)
    token, position = await turn(api, sitting)
    assert (await look(replica, sitting)).sequence == position.sequence, "both know this position"
    await move_once(api, sitting)
    now = await look(api, sitting)
    while (await turn(api, sitting))[0] == token:
        await move_once(api, sitting)
        now = await look(api, sitting)
    request = act(sitting, position.legal_moves[-1], position.sequence)
    with refused("ABORTED", "STALE_SEQUENCE", sequence=now.sequence):
        await replica.stub.Act(request, metadata=bearer(token))
    request.expected_sequence = now.sequence
    with refused("FAILED_PRECONDITION", "NOT_YOUR_TURN", to_act=now.to_act[0]):
        await replica.stub.Act(request, metadata=bearer(token))


async def test_a_sequence_that_only_the_other_server_has_sent_is_not_ahead(api: Api, replica: Api) -> None:
    sitting = await sit_down(api)
    early = Watcher(replica, sitting)
    await early.has(1)
    for pick in range(10):
        answer = await move_once(api, sitting, pick)
        late = Watcher(replica, sitting, None, answer.sequence)
        assert (await late.has(1)).sequence >= answer.sequence
        await late.hang_up()
    await early.hang_up()


async def test_a_token_is_void_on_both_servers_at_once(api: Api, replica: Api) -> None:
    sitting = await sit_down(api, 3)
    assert (await get(replica, sitting, sitting.seats[0])).seat == 0
    await lose_seat(api, sitting, 0)
    with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
        await get(replica, sitting, sitting.seats[0])


async def test_a_new_server_responds_like_any_other(valkey: EmbeddedServer, api: Api) -> None:
    async with served(valkey, SessionLimits(cached_tables=1)) as forgetful:
        sittings = [await sit_down(api) for _ in range(3)]
        for pick in range(5):
            for sitting in sittings:
                await move_once(forgetful, sitting, pick)
                assert await everything(forgetful, sitting) == await everything(api, sitting)


async def test_games_outlive_the_server(valkey: EmbeddedServer, api: Api) -> None:
    async with served(valkey) as first:
        sitting = await sit_down(first)
        answer = await move_once(first, sitting)
        before = await everything(first, sitting)
    async with served(valkey) as second:
        assert await everything(second, sitting) == before == await everything(api, sitting)
        assert (await move_once(second, sitting)).sequence > answer.sequence
