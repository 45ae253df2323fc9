"""The client repeats calls that fail temporarily: unchanged, within a budget, and only where a repeat can help."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import grpc
import pytest
from google.rpc import code_pb2

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_client import AsyncClient, SkerryError, errors
from skerry_client.version import __version__
from tests.clients.servers import Hang, Pause, refusal, scripted

AWAY = refusal(code_pb2.UNAVAILABLE, "STORE_UNAVAILABLE", retry_after=0.02)
LEAVING = refusal(code_pb2.UNAVAILABLE, "SHUTTING_DOWN", retry_after=0.02)
CREATED = api.CreateSessionResponse(session=session_pb2.Session(name="sessions/a"), host_token="h")
JOINED = api.JoinSessionResponse(seat=1, seat_token="t")
LOOKED = api.GetSessionResponse(seat=1, position=session_pb2.Position(sequence=5, seat=1))
ACTED = api.ActResponse(sequence=6, position=session_pb2.Position(sequence=6, seat=1))
NO_GAMES = api.ListGamesResponse()


async def test_a_mutating_call_is_repeated_with_the_same_request_id() -> None:
    answers: dict[str, list[Any]] = {
        "CreateSession": [AWAY, LEAVING, grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, CREATED],
        "JoinSession": [AWAY, JOINED],
        "RemovePlayer": [AWAY, api.RemovePlayerResponse()],
        "StartSession": [AWAY, api.StartSessionResponse()],
        "LabelSession": [AWAY, api.LabelSessionResponse()],
        "LeaveSession": [AWAY, api.LeaveSessionResponse()],
        "GetSession": [LOOKED],
        "Act": [AWAY, grpc.StatusCode.DEADLINE_EXCEEDED, ACTED],
    }
    async with scripted(**answers) as server, AsyncClient(server.address) as skerry:
        table = await skerry.create("kreta", seats=2)
        seat = await table.join("Ada")
        await table.remove(0)
        await table.start()
        await table.label({"event": "spring-cup"})
        await seat.position()
        await seat.act(api.ActRequest().move)
        await seat.leave()
    for method, script in answers.items():
        requests = server.requests[method]
        assert len(requests) == len(script)
        assert all(request == requests[0] for request in requests)
    ids = [server.requests[method][0].request_id for method in answers if method != "GetSession"]
    assert len(set(ids)) == len(ids)
    assert all(UUID(one).version == 4 and str(UUID(one)) == one for one in ids)


async def test_reads_are_repeated_too() -> None:
    async with scripted(ListGames=[AWAY, AWAY, NO_GAMES]) as server, AsyncClient(server.address) as skerry:
        await skerry.games()
    assert len(server.requests["ListGames"]) == 3


async def test_a_call_without_a_response_is_repeated() -> None:
    async with scripted(ListGames=[Hang(), NO_GAMES]) as server, AsyncClient(server.address, timeout=0.3) as skerry:
        await skerry.games()
    assert len(server.requests["ListGames"]) >= 2


async def test_an_animated_picture_has_more_time_than_other_calls() -> None:
    drawn = Pause(0.6, api.GetReplayPictureResponse(data=b"frames"))
    async with (
        scripted(GetSession=[LOOKED], GetReplayPicture=[drawn]) as server,
        AsyncClient(server.address, timeout=0.3, retry_for=0) as skerry,
    ):
        table = await skerry.table("sessions/a")
        assert await table.animation() == b"frames"


async def test_each_attempt_at_an_animated_picture_has_that_time() -> None:
    drawn = Pause(0.6, api.GetReplayPictureResponse(data=b"frames"))
    async with (
        scripted(GetSession=[LOOKED], GetReplayPicture=[AWAY, drawn]) as server,
        AsyncClient(server.address, timeout=0.3, retry_for=0.5) as skerry,
    ):
        table = await skerry.table("sessions/a")
        assert await table.animation() == b"frames"


async def test_when_the_budget_is_spent_the_last_error_is_raised() -> None:
    async with scripted(ListGames=[AWAY]) as server, AsyncClient(server.address, retry_for=1.5) as skerry:
        with pytest.raises(errors.StoreUnavailable) as caught:
            await skerry.games()
    assert caught.value.retry_after == 0.02
    assert 2 <= len(server.requests["ListGames"]) <= 1.5 / 0.02


async def test_a_timeout_cut_short_by_the_budget_does_not_hide_the_error_before() -> None:
    async with scripted(ListGames=[AWAY, Hang()]) as server, AsyncClient(server.address, retry_for=1.0) as skerry:
        with pytest.raises(errors.StoreUnavailable):
            await skerry.games()


async def test_a_full_timeout_is_the_last_error() -> None:
    answers: list[Any] = [AWAY, Hang()]
    async with (
        scripted(ListGames=answers) as server,
        AsyncClient(server.address, timeout=0.2, retry_for=2.0) as skerry,
    ):
        with pytest.raises(errors.DeadlineExceeded):
            await skerry.games()


async def test_a_retry_delay_beyond_the_budget_ends_the_retries() -> None:
    busy = refusal(code_pb2.UNAVAILABLE, "SHUTTING_DOWN", retry_after=3600)
    async with scripted(ListGames=[busy, NO_GAMES]) as server, AsyncClient(server.address) as skerry:
        with pytest.raises(errors.ShuttingDown):
            await skerry.games()
    assert len(server.requests["ListGames"]) == 1


async def test_without_a_budget_nothing_is_repeated() -> None:
    async with scripted(ListGames=[AWAY, NO_GAMES]) as server, AsyncClient(server.address, retry_for=0) as skerry:
        with pytest.raises(errors.StoreUnavailable):
            await skerry.games()
        await skerry.games()
    assert len(server.requests["ListGames"]) == 2


@pytest.mark.parametrize(
    "answer",
    [
        refusal(code_pb2.RESOURCE_EXHAUSTED, "LIMIT_REACHED", retry_after=0.01),
        refusal(code_pb2.ABORTED, "STALE_SEQUENCE"),
        refusal(code_pb2.INTERNAL, "INTERNAL"),
        refusal(code_pb2.FAILED_PRECONDITION, "RULE_BROKEN"),
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.UNKNOWN,
    ],
    ids=lambda answer: answer.name if isinstance(answer, grpc.StatusCode) else answer.message,
)
async def test_other_errors_are_never_repeated(answer: object) -> None:
    async with scripted(ListGames=[answer, NO_GAMES]) as server, AsyncClient(server.address) as skerry:
        with pytest.raises(SkerryError):
            await skerry.games()
    assert len(server.requests["ListGames"]) == 1


async def test_the_client_sends_its_user_agent_and_the_seat_token() -> None:
    async with scripted(JoinSession=[JOINED], GetSession=[LOOKED]) as server, AsyncClient(server.address) as skerry:
        table = await skerry.table("a")
        assert "authorization" not in server.metadata
        seat = await table.join("Ada")
        await seat.position()
    assert server.metadata["authorization"] == "Bearer t"
    assert str(server.metadata["user-agent"]).startswith(f"skerry-client/{__version__} ")


async def test_a_seat_without_a_position_reads_it_before_it_acts() -> None:
    answers: dict[str, list[Any]] = {"JoinSession": [JOINED], "GetSession": [LOOKED], "Act": [ACTED]}
    async with scripted(**answers) as server, AsyncClient(server.address) as skerry:
        seat = await (await skerry.table("a")).join("Ada")
        await seat.act(api.ActRequest().move)
        await seat.act(api.ActRequest().move)
    assert [request.expected_sequence for request in server.requests["Act"]] == [5, 6]
    assert all(request.view == api.POSITION_VIEW_FULL for request in server.requests["Act"])
