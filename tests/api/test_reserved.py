"""Seats that are reserved for named bots: only a client with that bot's token takes one."""

from __future__ import annotations

from hashlib import sha256
from typing import Any
from uuid import uuid4

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from tests.api.ticket_clients import TicketClient
from tests.api.wire import BOT, OPEN, Api, Sitting, bearer, create, get, move_once, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOKEN, OTHER = "skerry_bot_" + 26 * "a", "skerry_bot_" + 26 * "b"


def handle(token: str = TOKEN, name: str = "oracle") -> str:
    """Return the bot's handle, computed as the comment in the proto says."""
    return f"{name}~{sha256(token.encode()).hexdigest()[:32]}"


RESERVED = pb.SeatSetup(reserved_for=handle())


async def join(api: Api, sitting: Sitting, name: str, **fields: Any) -> pb.JoinSessionResponse:
    joined = await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name=name, **fields))
    sitting.seats.append(joined.seat_token)
    return joined


def is_refused(**metadata: object) -> Any:
    return refused("PERMISSION_DENIED", "SEAT_RESERVED", **metadata)


async def test_only_its_bot_takes_a_reserved_seat(api: Api, replica: Api) -> None:
    sitting = await create(api, RESERVED, OPEN, OPEN)
    assert [seat.reserved_for for seat in (await get(api, sitting)).session.seats] == [handle(), "", ""]
    assert (await join(api, sitting, "Ada")).seat == 1, "the first that is open to anybody"
    with is_refused(reserved_for=handle()):
        await join(replica, sitting, "Bob", seat=0)
    with is_refused():
        await join(api, sitting, "Impostor", bot_token=OTHER)
    with is_refused():
        await join(api, sitting, "Impostor", bot_token=OTHER, seat=0)
    with is_refused():
        await join(api, sitting, "Oracle", bot_token=TOKEN, seat=2)
    assert (await join(api, sitting, "Bob")).seat == 2
    with is_refused(reserved_for=handle()):
        await join(api, sitting, "Cyd")
    joined = await join(replica, sitting, "Oracle", bot_token=TOKEN)
    assert (joined.seat, joined.session.state) == (0, session_pb2.SESSION_STATE_PLAYING)
    assert joined.session.seats[0].reserved_for == handle(), "the seat shows that the bot plays it"
    sitting.seats = [sitting.seats[2], *sitting.seats[:2]]
    await move_once(api, sitting)


async def test_the_name_of_a_bot_proves_nothing_and_its_token_does(api: Api) -> None:
    sitting = await create(api, pb.SeatSetup(reserved_for=handle(name="another")), BOT)
    assert (await join(api, sitting, "Oracle", bot_token=TOKEN)).seat == 0


async def test_a_bot_needs_no_join_code_unless_its_token_matches_no_seat(api: Api) -> None:
    sitting = await create(api, RESERVED, OPEN, OPEN, join_code_required=True)
    with is_refused():
        await join(api, sitting, "Impostor", bot_token=OTHER)
    assert (await join(api, sitting, "Oracle", bot_token=TOKEN)).seat == 0
    with refused("PERMISSION_DENIED", "JOIN_CODE_WRONG"):
        await join(api, sitting, "Ada")


async def test_a_repeated_join_of_a_bot_takes_one_seat(api: Api) -> None:
    sitting, request_id = await create(api, RESERVED, RESERVED, OPEN), str(uuid4())
    first, again = [await join(api, sitting, "Oracle", bot_token=TOKEN, request_id=request_id) for _ in range(2)]
    assert (first.seat, first.seat_token) == (again.seat, again.seat_token)
    assert (await join(api, sitting, "Oracle 2", bot_token=TOKEN)).seat == 1


async def test_a_reserved_seat_stays_reserved_in_the_lobby(api: Api) -> None:
    sitting = await create(api, RESERVED, OPEN)
    token = (await join(api, sitting, "Oracle", bot_token=TOKEN)).seat_token
    await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(token))
    await join(api, sitting, "Oracle", bot_token=TOKEN)
    await api.stub.RemovePlayer(pb.RemovePlayerRequest(name=sitting.name, seat=0), metadata=bearer(sitting.host))
    assert (await get(api, sitting)).session.seats[0].reserved_for == handle()
    with is_refused():
        await join(api, sitting, "Ada", seat=0)


async def test_any_player_takes_a_seat_that_the_host_opens_in_play(api: Api) -> None:
    sitting = await create(api, RESERVED, OPEN)
    await join(api, sitting, "Ada")
    bot = (await join(api, sitting, "Oracle", bot_token=TOKEN)).seat_token
    left = await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(bot))
    assert left.session.seats[0].reserved_for == handle()
    await api.stub.OpenSeat(pb.OpenSeatRequest(name=sitting.name, seat=0), metadata=bearer(sitting.host))
    joined = await join(api, sitting, "Eve")
    assert (joined.seat, joined.session.seats[0].HasField("reserved_for")) == (0, False)


async def test_a_start_also_fills_reserved_seats(api: Api) -> None:
    sitting = await create(api, RESERVED, OPEN)
    await join(api, sitting, "Ada")
    start = pb.StartSessionRequest(name=sitting.name, fill_with_bots=True)
    started = (await api.stub.StartSession(start, metadata=bearer(sitting.host))).session
    assert [seat.HasField("reserved_for") for seat in started.seats] == [False, False]


async def test_a_bot_finds_the_seats_that_are_reserved_for_it(api: Api, replica: Api) -> None:
    mine = handle(OTHER, "seeker")
    sitting = await create(api, pb.SeatSetup(reserved_for=mine), OPEN)
    await create(api, pb.SeatSetup(reserved_for=mine), OPEN, visibility=session_pb2.VISIBILITY_UNLISTED)
    await create(api, OPEN, OPEN)

    async def found() -> list[str]:
        page = await replica.stub.ListSessions(pb.ListSessionsRequest(reserved_for=mine))
        return [one.name for one in page.sessions]

    assert await found() == [sitting.name]
    await join(api, sitting, "Other bot", bot_token=OTHER)
    assert await found() == []


async def test_the_matchmaker_gives_no_reserved_seat_to_a_player(api: Api) -> None:
    sitting = await create(api, RESERVED, RESERVED, OPEN, OPEN)
    await join(api, sitting, "Ada")
    await join(api, sitting, "Bob")
    eve = await TicketClient(api, "Eve", seats=(4,)).waits()
    assert not eve.task.done()
    await eve.hangs_up()
    await api.stub.CancelSession(pb.CancelSessionRequest(name=sitting.name), metadata=bearer(sitting.host))


DIGITS = 32 * "a"


@pytest.mark.parametrize(
    "wrong",
    [
        "oracle",
        "oracle~",
        f"Oracle~{DIGITS}",
        f"oracle~{DIGITS}a",
        f"oracle~{DIGITS.upper()}",
        f"~{DIGITS}",
        60_000 * "x",
    ],
    ids=len,
)
async def test_a_malformed_handle_is_refused(api: Api, wrong: str) -> None:
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="seats[1].reserved_for"):
        await create(api, OPEN, pb.SeatSetup(reserved_for=wrong))
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="reserved_for"):
        await api.stub.ListSessions(pb.ListSessionsRequest(reserved_for=wrong))


async def test_a_bot_of_the_server_has_no_handle(api: Api) -> None:
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="seats[0].reserved_for"):
        await create(api, pb.SeatSetup(occupant=BOT.occupant, reserved_for=handle()), OPEN)


@pytest.mark.parametrize("wrong", ["secret", "skerry_bot_1", "skerry_bot_" + 26 * "A", TOKEN + "a"])
async def test_a_malformed_bot_token_is_refused(api: Api, wrong: str) -> None:
    sitting = await create(api, RESERVED, OPEN)
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="bot_token") as refusal:
        await join(api, sitting, "Oracle", bot_token=wrong)
    assert wrong not in refusal.message
