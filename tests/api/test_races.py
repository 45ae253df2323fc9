"""Many calls at once: one of them wins, the others learn what happened."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TypeVar

import grpc
import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.catalogue import all_games
from tests.api.wire import OPEN, Api, Refusal, act, bearer, create, get, look, move_once, refusal_of, sit_down, turn

pytestmark = pytest.mark.asyncio(loop_scope="module")

T = TypeVar("T")


async def all_at_once(calls: Sequence[Awaitable[T]]) -> tuple[list[T], list[Refusal]]:
    """Return the answers and the refusals."""
    done = await asyncio.gather(*calls, return_exceptions=True)
    refusals = []
    for one in done:
        if isinstance(one, BaseException):
            assert isinstance(one, grpc.aio.AioRpcError)
            refusals.append(refusal_of(one))
    return [one for one in done if not isinstance(one, BaseException)], refusals


@pytest.mark.parametrize("with_ids", [False, True])
async def test_of_fifty_moves_on_one_position_exactly_one_is_made(api: Api, replica: Api, with_ids: bool) -> None:
    sitting = await sit_down(api)
    token, position = await turn(api, sitting)
    moves = [position.legal_moves[n % len(position.legal_moves)] for n in range(50)]
    requests = [act(sitting, move, position.sequence, view=pb.POSITION_VIEW_FULL) for move in moves]
    if with_ids:
        for number, request in enumerate(requests):
            request.request_id = f"f47ac10b-58cc-4372-a567-0e02b2c3{number:04}"
    calls = [(api, replica)[n % 2].stub.Act(request, metadata=bearer(token)) for n, request in enumerate(requests)]
    answers, refusals = await all_at_once(calls)
    (answer,) = answers
    now = (await get(replica, sitting, token)).position
    assert now == answer.position
    expected = Refusal("ABORTED", "STALE_SEQUENCE", metadata={"sequence": str(now.sequence)})
    assert len(refusals) == 49
    for refusal in refusals:
        assert (refusal.code, refusal.reason, refusal.metadata) == (expected.code, expected.reason, expected.metadata)


async def test_of_many_who_join_under_one_name_exactly_one_gets_it(api: Api, replica: Api) -> None:
    sitting = await create(api, *[OPEN] * 4)
    requests = [pb.JoinSessionRequest(name=sitting.name, display_name=("Ada", "ADA")[n % 3 % 2]) for n in range(30)]
    calls = [(api, replica)[n % 2].stub.JoinSession(request) for n, request in enumerate(requests)]
    (answer,), refusals = await all_at_once(calls)
    name = answer.session.seats[answer.seat].display_name
    for refusal in refusals:
        assert (refusal.code, refusal.reason) == ("FAILED_PRECONDITION", "NAME_TAKEN")
        assert refusal.metadata == {"display_name": name}
    assert [seat.display_name for seat in (await get(replica, sitting)).session.seats] == [name, "", "", ""]


async def test_fifty_joins_fill_four_seats_and_no_more(api: Api, replica: Api) -> None:
    sitting = await create(api, *[OPEN] * 4)
    requests = [pb.JoinSessionRequest(name=sitting.name, display_name=f"player {n}") for n in range(50)]
    calls = [(api, replica)[n % 2].stub.JoinSession(request) for n, request in enumerate(requests)]
    answers, refusals = await all_at_once(calls)
    assert sorted(answer.seat for answer in answers) == [0, 1, 2, 3]
    assert len({answer.seat_token for answer in answers}) == 4
    assert {(refusal.code, refusal.reason) for refusal in refusals} == {("FAILED_PRECONDITION", "ALREADY_STARTED")}
    now = (await get(api, sitting)).session
    assert now.state == session_pb2.SESSION_STATE_PLAYING
    for answer in answers:
        got = await get(api, sitting, answer.seat_token)
        assert (got.seat, got.session) == (answer.seat, now)


async def test_of_many_joins_for_one_seat_one_gets_it(api: Api, replica: Api) -> None:
    sitting = await create(api, *[OPEN] * 4)
    requests = [pb.JoinSessionRequest(name=sitting.name, display_name=f"player {n}", seat=2) for n in range(20)]
    calls = [(api, replica)[n % 2].stub.JoinSession(request) for n, request in enumerate(requests)]
    answers, refusals = await all_at_once(calls)
    assert [answer.seat for answer in answers] == [2]
    assert {(refusal.reason, refusal.metadata["seat"]) for refusal in refusals} == {("SEAT_TAKEN", "2")}


async def test_a_session_starts_once_while_others_join_and_leave(api: Api, replica: Api) -> None:
    sitting = await create(api, *[OPEN] * 4)
    for name in ("Ada", "Bob"):
        joined = await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name=name))
        sitting.seats.append(joined.seat_token)
    start = pb.StartSessionRequest(name=sitting.name, fill_with_bots=True)
    leave = pb.LeaveSessionRequest(name=sitting.name)
    join = pb.JoinSessionRequest(name=sitting.name, display_name="Cyd")
    calls: list[Awaitable[object]] = [
        *((api, replica)[n % 2].stub.StartSession(start, metadata=bearer(sitting.host)) for n in range(10)),
        replica.stub.LeaveSession(leave, metadata=bearer(sitting.seats[1])),
        replica.stub.JoinSession(join),
    ]
    answers, refusals = await all_at_once(calls)
    assert sum(isinstance(answer, pb.StartSessionResponse) for answer in answers) == 1
    assert {refusal.reason for refusal in refusals} == {"ALREADY_STARTED"}
    replay = (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay
    assert sum(entry.HasField("started") for entry in replay.entries) == 1


async def test_a_seat_leaves_once_however_often_it_is_said(api: Api, replica: Api) -> None:
    sitting = await sit_down(api, 3)
    leave = pb.LeaveSessionRequest(name=sitting.name)
    calls = [(api, replica)[n % 2].stub.LeaveSession(leave, metadata=bearer(sitting.seats[0])) for n in range(10)]
    answers, refusals = await all_at_once(calls)
    assert len(answers) == 1
    assert {refusal.reason for refusal in refusals} == {"SUBSTITUTE_PLAYS"}


async def test_moves_and_leaving_at_once_leave_one_history(api: Api, replica: Api) -> None:
    sitting = await sit_down(api, 3)
    for pick in range(5):
        await move_once(api, sitting, pick)
    token, position = await turn(api, sitting)
    gone = next(seat for seat in sitting.seats if seat != token)
    request = act(sitting, position.legal_moves[0], position.sequence)
    calls: list[Awaitable[object]] = [
        api.stub.Act(request, metadata=bearer(token)),
        replica.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(gone)),
    ]
    answers, refusals = await all_at_once(calls)
    assert (len(answers), refusals) == (2, []), "somebody else's leaving makes no move stale"
    entries = (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay.entries
    assert [entry.sequence for entry in entries] == list(range(1, len(entries) + 1))
    assert sum(entry.HasField("left") for entry in entries) == 1


@pytest.mark.parametrize("game", all_games())
async def test_all_who_are_to_act_can_decide_on_the_same_position(api: Api, replica: Api, game: str) -> None:
    sitting = await sit_down(api, all_games()[game].seats[-1], game=game)
    for step in range(40):
        position = await look(api, sitting)
        if not position.to_act:
            break
        calls = []
        for seat in position.to_act:
            token = sitting.seats[seat]
            legal = (await look(api, sitting, token)).legal_moves
            request = act(sitting, legal[step % len(legal)], position.sequence)
            calls.append((api, replica)[seat % 2].stub.Act(request, metadata=bearer(token)))
        answers, refusals = await all_at_once(calls)
        assert refusals == []
        assert len({answer.entries[0].sequence for answer in answers}) == len(position.to_act)


async def test_a_move_whose_caller_hung_up_is_made_once_or_not_at_all(api: Api, replica: Api) -> None:
    sitting = await sit_down(api)
    for number in range(20):
        token, position = await turn(api, sitting)
        request_id = f"f47ac10b-58cc-4372-a567-0e02b2c3{number:04}"
        request = act(sitting, position.legal_moves[-1], position.sequence, request_id=request_id)
        call = api.stub.Act(request, metadata=bearer(token))
        await asyncio.sleep(number * 0.0003)
        call.cancel()
        answer = await replica.stub.Act(request, metadata=bearer(token))
        assert answer.entries[0].sequence == position.sequence + 1
        assert (await look(api, sitting)).sequence == answer.sequence
        if not (await look(api, sitting)).to_act:
            break
