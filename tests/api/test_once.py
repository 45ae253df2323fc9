"""A request with an id is carried out once, and every repeat has the first answer."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.sessions.store_port import REQUEST_WINDOW
from tests.api.wire import (
    OPEN,
    Api,
    act,
    bearer,
    create,
    everything,
    get,
    lose_seat,
    move_once,
    play_out,
    refused,
    sit_down,
    turn,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


def new_id() -> str:
    return str(uuid4())


async def test_a_move_sent_twenty_times_at_once_is_made_once(api: Api, replica: Api) -> None:
    sitting = await sit_down(api)
    token, position = await turn(api, sitting)
    request = act(sitting, position.legal_moves[0], position.sequence, request_id=new_id(), view=pb.POSITION_VIEW_FULL)
    data = request.SerializeToString()
    sent = [(api, replica)[n % 2].send("Act", data, bearer(token)) for n in range(20)]
    answers = await asyncio.gather(*sent)
    assert len({answer for (answer,) in answers}) == 1
    answer = pb.ActResponse.FromString(answers[0][0])
    assert (await get(api, sitting, token)).position == answer.position
    assert answer.entries[0].sequence == position.sequence + 1
    mine = [entry for entry in answer.entries if entry.HasField("seat")]
    assert len(mine) == 1


async def test_a_repeat_is_answered_as_at_first_for_as_long_as_is_promised(api: Api, replica: Api) -> None:
    sitting = await sit_down(api)
    token, position = await turn(api, sitting)
    request = act(sitting, position.legal_moves[0], position.sequence, request_id=new_id(), view=pb.POSITION_VIEW_FULL)
    (first,) = await api.send("Act", request.SerializeToString(), bearer(token))
    for number in range(REQUEST_WINDOW - 1):
        await move_once(api, sitting, number, request_id=new_id())
        assert await replica.send("Act", request.SerializeToString(), bearer(token)) == [first]
    await move_once(api, sitting, request_id=new_id())
    before = await everything(api, sitting)
    with refused("ABORTED", "STALE_SEQUENCE"):
        await api.stub.Act(request, metadata=bearer(token))
    assert await everything(api, sitting) == before


async def test_the_last_move_can_be_repeated_after_the_end(api: Api, replica: Api) -> None:
    sitting = await sit_down(api)
    while True:
        token, position = await turn(api, sitting)
        request = act(sitting, position.legal_moves[0], position.sequence, request_id=new_id())
        (answer,) = await api.send("Act", request.SerializeToString(), bearer(token))
        if not (await get(api, sitting)).position.to_act:
            break
    for server in (api, replica):
        assert await server.send("Act", request.SerializeToString(), bearer(token)) == [answer]
    request.request_id = new_id()
    with refused("FAILED_PRECONDITION", "GAME_OVER"):
        await api.stub.Act(request, metadata=bearer(token))


async def test_another_move_under_the_same_id_is_refused_and_not_made(api: Api, replica: Api) -> None:
    sitting = await sit_down(api)
    token, position = await turn(api, sitting)
    request_id = new_id()
    await api.stub.Act(
        act(sitting, position.legal_moves[0], position.sequence, request_id=request_id), metadata=bearer(token)
    )
    before = await everything(api, sitting)
    for server in (api, replica):
        for move, sequence in ((1, position.sequence), (0, position.sequence - 1), (0, position.sequence + 1)):
            request = act(sitting, position.legal_moves[move], sequence, request_id=request_id)
            with refused("INVALID_ARGUMENT", "REQUEST_ID_REUSED"):
                await server.stub.Act(request, metadata=bearer(token))
        with refused("INVALID_ARGUMENT", "REQUEST_ID_REUSED"):
            leave = pb.LeaveSessionRequest(name=sitting.name, request_id=request_id)
            await server.stub.LeaveSession(leave, metadata=bearer(token))
    assert await everything(api, sitting) == before


async def test_the_same_id_of_another_caller_is_another_request(api: Api) -> None:
    sitting, request_id = await sit_down(api), new_id()
    made = []
    for _ in range(4):
        token, _ = await turn(api, sitting)
        if token in made:
            continue
        made.append(token)
        answer = await move_once(api, sitting, request_id=request_id)
        while answer.entries and (await turn(api, sitting))[0] == token:
            answer = await move_once(api, sitting)
    assert len(made) == 2


async def test_a_session_created_many_times_at_once_is_one_session(api: Api, replica: Api) -> None:
    request = pb.CreateSessionRequest(game="kreta", seats=[OPEN, OPEN], request_id=new_id())
    answers = await asyncio.gather(*((api, replica)[n % 2].stub.CreateSession(request) for n in range(20)))
    first = answers[0]
    assert all(answer == first for answer in answers)
    await api.stub.JoinSession(pb.JoinSessionRequest(name=first.session.name, display_name="Ada"))
    again = await replica.stub.CreateSession(request)
    assert (again.host_token, again.spectator_token) == (first.host_token, first.spectator_token)
    for change in ({"seats": [OPEN] * 3}, {"seed": bytes(32)}, {"visibility": 2}, {"spectating": 3}):
        other = pb.CreateSessionRequest(game="kreta", seats=[OPEN, OPEN], request_id=request.request_id)
        other.ClearField(next(iter(change)))  # type: ignore[arg-type]
        other.MergeFrom(pb.CreateSessionRequest(**change))
        with refused("INVALID_ARGUMENT", "REQUEST_ID_REUSED"):
            await api.stub.CreateSession(other)
    assert (await api.stub.GetSession(pb.GetSessionRequest(name=first.session.name))).session == again.session


async def test_a_join_sent_many_times_takes_one_seat(api: Api, replica: Api) -> None:
    sitting = await create(api, OPEN, OPEN, OPEN)
    request = pb.JoinSessionRequest(name=sitting.name, display_name="Ada", request_id=new_id())
    answers = await asyncio.gather(*((api, replica)[n % 2].stub.JoinSession(request) for n in range(20)))
    assert all(answer == answers[0] for answer in answers)
    await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name="Bob"))
    again = await replica.stub.JoinSession(request)
    assert (again.seat, again.seat_token) == (answers[0].seat, answers[0].seat_token)
    for other in (
        pb.JoinSessionRequest(name=sitting.name, display_name="Eve", request_id=request.request_id),
        pb.JoinSessionRequest(name=sitting.name, display_name="Ada", seat=2, request_id=request.request_id),
    ):
        with refused("INVALID_ARGUMENT", "REQUEST_ID_REUSED"):
            await replica.stub.JoinSession(other)
    assert [seat.display_name for seat in (await get(api, sitting)).session.seats] == ["Ada", "Bob", ""]


async def test_starting_and_leaving_many_times_is_done_once(api: Api, replica: Api) -> None:
    sitting = await create(api, OPEN, OPEN, OPEN)
    join = pb.JoinSessionRequest(name=sitting.name, display_name="Ada")
    token = (await api.stub.JoinSession(join)).seat_token
    start = pb.StartSessionRequest(name=sitting.name, fill_with_bots=True, request_id=new_id())
    calls = ((api, replica)[n % 2].stub.StartSession(start, metadata=bearer(sitting.host)) for n in range(20))
    started = await asyncio.gather(*calls)
    assert all(answer == started[0] for answer in started)
    leave = pb.LeaveSessionRequest(name=sitting.name, request_id=new_id())
    calls_to_leave = ((api, replica)[n % 2].stub.LeaveSession(leave, metadata=bearer(token)) for n in range(20))
    left = await asyncio.gather(*calls_to_leave)
    assert all(answer == left[0] for answer in left)
    with refused("INVALID_ARGUMENT", "REQUEST_ID_REUSED"):
        other = pb.StartSessionRequest(name=sitting.name, request_id=start.request_id)
        await api.stub.StartSession(other, metadata=bearer(sitting.host))
    entries = (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay.entries
    assert [sum(entry.HasField(kind) for entry in entries) for kind in ("started", "left")] == [1, 1]


async def test_a_repeated_move_has_its_response_after_the_player_lost_the_seat(api: Api, replica: Api) -> None:
    sitting = await sit_down(api, 3)
    token, position = await turn(api, sitting)
    request = act(sitting, position.legal_moves[0], position.sequence, request_id=new_id())
    answer = await api.stub.Act(request, metadata=bearer(token))
    await lose_seat(api, sitting, sitting.seats.index(token))
    assert await replica.stub.Act(request, metadata=bearer(token)) == answer
    request.request_id = new_id()
    with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
        await replica.stub.Act(request, metadata=bearer(token))


async def test_a_request_without_an_id_is_a_request_each_time(api: Api) -> None:
    one, two = await create(api, OPEN, OPEN), await create(api, OPEN, OPEN)
    assert one.name != two.name
    sitting = await sit_down(api)
    await play_out(api, sitting)
    with refused("FAILED_PRECONDITION", "GAME_OVER"):
        leave = pb.LeaveSessionRequest(name=sitting.name)
        await api.stub.LeaveSession(leave, metadata=bearer(sitting.seats[0]))
