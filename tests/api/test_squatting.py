"""Protection of seats from uninvited clients: join codes, and removal of players by the host."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.access.quotas import LimitSettings
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.watching import Watcher
from tests.api.wire import BOT, OPEN, Api, Sitting, bearer, create, get, refused, sit_down
from tests.rest.web import Web
from tests.rest.web import served as web_served

pytestmark = pytest.mark.asyncio(loop_scope="module")

CODE = re.compile(r"[2-9A-HJ-NP-Z]{6}")
WRONG = "222222"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def web(valkey: EmbeddedServer) -> AsyncIterator[Web]:
    """The HTTP server."""
    async with web_served(valkey) as web:
        yield web


async def with_code(api: Api, **fields: Any) -> tuple[Sitting, str]:
    """Create a session that requires a join code; return the session and the code."""
    request = pb.CreateSessionRequest(game="kreta", seats=[OPEN] * 3, join_code_required=True, **fields)
    made = await api.stub.CreateSession(request)
    assert CODE.fullmatch(made.join_code)
    assert made.session.join_code_required
    return Sitting(made.session.name, made.host_token, made.spectator_token), made.join_code


def join(sitting: Sitting, name: str, code: str = "", **fields: Any) -> pb.JoinSessionRequest:
    return pb.JoinSessionRequest(name=sitting.name, display_name=name, join_code=code, **fields)


# ---------------------------------------------------------------- join codes


async def test_a_client_without_the_code_takes_no_seat_over_grpc_or_http(api: Api, web: Web) -> None:
    sitting, code = await with_code(api)
    wrong = WRONG if code != WRONG else "333333"
    for given in ("", wrong, code[:-1], f"{code}2", "\u00df" * 6, "x" * 60_000):
        with refused("PERMISSION_DENIED", "JOIN_CODE_WRONG") as refusal:
            await api.stub.JoinSession(join(sitting, "Mallory", given))
        assert code not in refusal.message
        over_http = await web.rpc("JoinSession", join(sitting, "Mallory", given))
        assert (over_http.status, over_http.reason) == (403, "JOIN_CODE_WRONG")
    assert all(seat.occupant == session_pb2.OCCUPANT_OPEN for seat in (await get(api, sitting)).session.seats)
    assert (await api.stub.JoinSession(join(sitting, "Ada", code))).seat == 0
    assert (await api.stub.JoinSession(join(sitting, "Bob", f" {code[:3].lower()}-{code[3:].lower()} "))).seat == 1
    assert (await web.rpc("JoinSession", join(sitting, "Cyd", code))).status == 200
    assert (await get(api, sitting)).session.state == session_pb2.SESSION_STATE_PLAYING


async def test_every_client_sees_that_a_code_is_required_and_only_the_host_sees_the_code(api: Api, web: Web) -> None:
    sitting, code = await with_code(api)
    joined = await api.stub.JoinSession(join(sitting, "Ada", code))
    watcher = Watcher(api, sitting, joined.seat_token, 0)
    observed = await watcher.has(1)
    everywhere = [
        await get(api, sitting),
        await get(api, sitting, sitting.spectator),
        await get(api, sitting, joined.seat_token),
        joined,
        observed,
        await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name)),
        await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name), metadata=bearer(sitting.host)),
        await api.stub.ListSessions(pb.ListSessionsRequest(page_size=100)),
    ]
    for answer in everywhere:
        assert code.encode() not in answer.SerializeToString()
        assert b"join_code_required: true" in str(answer).encode()
    assert not everywhere[0].HasField("join_code")
    assert (await get(api, sitting, sitting.host)).join_code == code
    over_http = await web.rpc("GetSession", pb.GetSessionRequest(name=sitting.name), sitting.host)
    assert over_http.json["joinCode"] == code
    assert "joinCode" not in (await web.rpc("GetSession", pb.GetSessionRequest(name=sitting.name))).json
    await watcher.hang_up()


async def test_a_session_without_a_join_code_ignores_a_given_code(api: Api) -> None:
    made = await api.stub.CreateSession(pb.CreateSessionRequest(game="kreta", seats=[OPEN, OPEN]))
    assert not made.HasField("join_code")
    assert not made.session.join_code_required
    sitting = Sitting(made.session.name, made.host_token, made.spectator_token)
    assert not (await get(api, sitting, sitting.host)).HasField("join_code")
    assert (await api.stub.JoinSession(join(sitting, "Ada", "WHATEVER"))).seat == 0


async def test_each_session_has_its_own_code_and_a_repeated_request_returns_it(api: Api) -> None:
    codes = [(await with_code(api))[1] for _ in range(5)]
    assert len(set(codes)) == 5
    asked = pb.CreateSessionRequest(game="kreta", seats=[OPEN] * 3, join_code_required=True, request_id=str(uuid4()))
    assert await api.stub.CreateSession(asked) == await api.stub.CreateSession(asked)
    asked.join_code_required = False
    with refused("INVALID_ARGUMENT", "REQUEST_ID_REUSED"):
        await api.stub.CreateSession(asked)


async def test_the_join_limit_also_limits_guesses_of_a_code(valkey: EmbeddedServer) -> None:
    settings = LimitSettings(local=True, proxies=()).with_limit("join", "5/10h")
    async with web_served(valkey, quotas=settings) as web:
        sitting, code = await with_code(web.api)
        for _ in range(5):
            with refused("PERMISSION_DENIED", "JOIN_CODE_WRONG"):
                await web.api.stub.JoinSession(join(sitting, "Mallory", WRONG if code != WRONG else "333333"))
        with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="join"):
            await web.api.stub.JoinSession(join(sitting, "Mallory", code))


# ---------------------------------------------------------------- removing


def remove(sitting: Sitting, seat: int | None, **fields: Any) -> pb.RemovePlayerRequest:
    return pb.RemovePlayerRequest(name=sitting.name, seat=seat, **fields)


async def test_the_host_removes_a_squatter_and_another_player_takes_the_seat(api: Api, replica: Api) -> None:
    sitting = await create(api, OPEN, OPEN)
    squatter = (await api.stub.JoinSession(join(sitting, "Mallory"))).seat_token
    watching, onlooker = Watcher(replica, sitting, squatter, 0), Watcher(replica, sitting, None, 0)
    await asyncio.gather(watching.has(1), onlooker.has(1))
    session = (await api.stub.RemovePlayer(remove(sitting, 0), metadata=bearer(sitting.host))).session
    assert session.seats[0] == session_pb2.Seat(seat=0, occupant=session_pb2.OCCUPANT_OPEN)
    await onlooker.reaches(session.sequence)
    entry = onlooker.messages[-1].entries[-1]
    assert (entry.WhichOneof("kind"), entry.seat, entry.automatic) == ("removed", 0, False)
    with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
        await watching.ends()
    for server in (api, replica):
        with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
            await get(server, sitting, squatter)
        with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
            leave = pb.LeaveSessionRequest(name=sitting.name)
            await server.stub.LeaveSession(leave, metadata=bearer(squatter))
    assert (await replica.stub.JoinSession(join(sitting, "Ada"))).seat == 0
    assert (await api.stub.JoinSession(join(sitting, "Mallory"))).seat == 1, "its name is free again"
    await onlooker.hang_up()


async def test_the_host_removes_a_player_over_http(web: Web) -> None:
    sitting = await create(web.api, OPEN, OPEN)
    await web.api.stub.JoinSession(join(sitting, "Mallory"))
    answer = await web.call("POST", f"/v1/{sitting.name}:remove", {"seat": 0}, sitting.host)
    assert answer.json["session"]["seats"][0]["occupant"] == "OCCUPANT_OPEN"
    again = await web.call("POST", f"/v1/{sitting.name}:remove", {"seat": 0}, sitting.host)
    assert (again.status, again.reason, again.metadata) == (400, "NO_PLAYER", {"seat": "0"})


async def test_only_the_host_removes_players_and_only_players_in_the_lobby(api: Api) -> None:
    sitting = await create(api, OPEN, OPEN, BOT)
    seat = (await api.stub.JoinSession(join(sitting, "Ada"))).seat_token
    call = api.stub.RemovePlayer
    with refused("UNAUTHENTICATED", "TOKEN_MISSING"):
        await call(remove(sitting, 0))
    for token in (seat, sitting.spectator):
        with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
            await call(remove(sitting, 0), metadata=bearer(token))
    host = bearer(sitting.host)
    for number in (None, -1, 3, 2**31 - 1):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="seat"):
            await call(remove(sitting, number), metadata=host)
    for number in (1, 2):
        with refused("FAILED_PRECONDITION", "NO_PLAYER", seat=number):
            await call(remove(sitting, number), metadata=host)
    playing = await sit_down(api, 2)
    with refused("FAILED_PRECONDITION", "ALREADY_STARTED"):
        await call(remove(playing, 0), metadata=bearer(playing.host))


async def test_a_repeated_removal_happens_once(api: Api, replica: Api) -> None:
    sitting = await create(api, OPEN, OPEN)
    await api.stub.JoinSession(join(sitting, "Mallory"))
    request, host = remove(sitting, 0, request_id=str(uuid4())), bearer(sitting.host)
    first = await api.stub.RemovePlayer(request, metadata=host)
    await api.stub.JoinSession(join(sitting, "Ada"))
    assert await replica.stub.RemovePlayer(request, metadata=host) == first
    assert (await get(api, sitting)).session.seats[0].display_name == "Ada"


async def test_seats_that_the_host_removes_last_stay_open(api: Api) -> None:
    """The host's last removals win, however many clients join at once."""
    sitting = await create(api, *[OPEN] * 4)
    await asyncio.gather(*(api.stub.JoinSession(join(sitting, f"Mallory {number}")) for number in range(3)))
    removals = [api.stub.RemovePlayer(remove(sitting, seat), metadata=bearer(sitting.host)) for seat in range(3)]
    await asyncio.gather(*removals)
    assert all(seat.occupant == session_pb2.OCCUPANT_OPEN for seat in (await get(api, sitting)).session.seats)
