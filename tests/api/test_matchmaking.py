"""FindMatch and ConfirmMatch over gRPC, on replicas over one Redis."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import grpc
import pytest

from skerry.games.kreta.v1 import kreta_pb2
from skerry.v1 import payload_pb2, session_pb2
from skerry.v1 import service_pb2 as pb
from skerry_service.access.quotas import LimitSettings
from skerry_service.api.requests.match_requests import MOST_CLOCKS, MOST_OPTIONS
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.ticket_clients import TicketClient
from tests.api.wire import OPEN, Api, Sitting, bearer, create, get, look, refused, served

pytestmark = pytest.mark.asyncio(loop_scope="module")


def bank(minutes: int, **fields: int) -> session_pb2.Clock:
    return session_pb2.Clock(bank=session_pb2.Bank(time_ms=60_000 * minutes, **fields))


def start(*seats: int) -> list[payload_pb2.GameOptions]:
    return [payload_pb2.GameOptions(kreta=kreta_pb2.Options(start_seat=seat)) for seat in seats]


async def test_two_strangers_at_two_replicas_play_a_game(api: Api, replica: Api) -> None:
    clocks = [pb.ClockRange(least=bank(1), most=bank(5)), pb.ClockRange(least=bank(3), most=bank(9))]
    ada = await TicketClient(api, "Ada", player_id="account-1", clocks=clocks[:1]).waits()
    assert ada.messages[0] == pb.FindMatchResponse(ticket=ada.request.request_id)
    bob = TicketClient(replica, "Bob", player_id="account-2", clocks=clocks[1:])
    found = [await ada.finds(), await bob.finds()]
    assert found[0].session.name == found[1].session.name
    assert sorted(one.seat for one in found) == [0, 1]
    session = found[0].session
    assert session.state == session_pb2.SESSION_STATE_PLAYING
    assert session.clock.bank.time_ms == 180_000
    for one, server in zip(found, (replica, api), strict=True):
        position = await look(server, Sitting(session.name, "", ""), one.seat_token)
        assert position.seat == one.seat
    everybody = (await get(api, Sitting(session.name, "", ""))).session
    assert {seat.player_id for seat in everybody.seats} == {""}, "player ids are visible to the players only"
    assert {seat.player_id for seat in session.seats} == {"account-1", "account-2"}
    replay = await api.stub.GetReplay(pb.GetReplayRequest(name=session.name))
    assert [one.WhichOneof("kind") for one in replay.replay.entries][:4] == ["created", "joined", "joined", "started"]


async def test_a_proposal_reveals_nothing_about_the_other_players(api: Api, replica: Api) -> None:
    ada = TicketClient(api, "Ada", confirms=False, player_id="secret-of-ada")
    bob = TicketClient(replica, "Bob", confirms=False, player_id="secret-of-bob")
    offers = [await ada.offered(), await bob.offered()]
    for one in offers:
        assert one.proposal.within_ms == 10_000
        assert {field.name for field, _ in one.ListFields()} == {"ticket", "proposal"}
        assert (one.proposal.seats, one.proposal.HasField("clock")) == (2, False)
        assert one.proposal.options.HasField("kreta")
    assert offers[0].ticket != offers[1].ticket
    with refused("FAILED_PRECONDITION", "PROPOSAL_EXPIRED"):
        await api.stub.ConfirmMatch(pb.ConfirmMatchRequest(ticket=offers[0].ticket, proposal="kreta/another"))
    await ada.hangs_up()
    await bob.hangs_up()


async def test_waiting_callers_learn_how_many_others_wait(api: Api, replica: Api) -> None:
    ada = TicketClient(api, "Ada", seats=(4,))
    assert (await ada.learns()).other_players == 0
    bob = TicketClient(replica, "Bob", seats=(4,))
    assert (await bob.learns()).other_players == 1
    assert (await ada.learns(1)).other_players == 1
    await bob.hangs_up()
    await ada.hangs_up()


async def test_a_caller_that_leaves_a_proposal_learns_its_wait(
    valkey: EmbeddedServer, replica: Api, transport: str
) -> None:
    # An address for each transport: they share a store, in which the waits of an address grow.
    address = f"192.0.2.{10 + len(transport)}"
    ada_at, clocks = (("x-forwarded-for", address),), [pb.ClockRange(least=bank(7))]
    async with served(valkey, quotas=LimitSettings(proxies=("127.0.0.1",))) as api:
        ada = TicketClient(api, "Ada", confirms=False, metadata=ada_at, clocks=clocks)
        bob = TicketClient(replica, "Bob", confirms=False, clocks=clocks)
        assert (await ada.offered()).proposal.clock.bank.time_ms == 420_000
        await ada.hangs_up()
        again = TicketClient(api, "Ada", metadata=ada_at, clocks=clocks)
        assert 0 < (await again.learns()).held_ms <= 10_000
        await again.hangs_up()
        await bob.hangs_up()


async def test_an_open_public_table_is_preferred(api: Api, replica: Api) -> None:
    sitting = await create(api, OPEN, OPEN)
    found = await TicketClient(replica, "Ada").finds()
    assert (found.session.name, found.seat) == (sitting.name, 0)
    assert found.session.state == session_pb2.SESSION_STATE_LOBBY
    left = await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(found.seat_token))
    assert left.session.state == session_pb2.SESSION_STATE_LOBBY
    await api.stub.CancelSession(pb.CancelSessionRequest(name=sitting.name), metadata=bearer(sitting.host))


async def test_closing_the_stream_withdraws_the_ticket(api: Api, replica: Api) -> None:
    ada = await TicketClient(api, "Ada").waits()
    await ada.hangs_up()
    bob, cyd = TicketClient(replica, "Bob"), TicketClient(api, "Cyd")
    found = await asyncio.gather(bob.finds(), cyd.finds())
    assert {seat.display_name for seat in found[0].session.seats} == {"Bob", "Cyd"}
    assert [len([one for one in client.messages if one.HasField("proposal")]) for client in (bob, cyd)] == [1, 1]


async def test_a_retry_returns_the_same_seat_from_any_replica(api: Api, replica: Api) -> None:
    ada, bob = TicketClient(api, "Ada"), TicketClient(replica, "Bob")
    found = await ada.finds()
    again = await TicketClient(replica, "Ada", request_id=ada.request.request_id).finds()
    assert (again.session.name, again.seat, again.seat_token) == (found.session.name, found.seat, found.seat_token)
    with refused("INVALID_ARGUMENT", "REQUEST_ID_REUSED"):
        await TicketClient(api, "Eve", request_id=ada.request.request_id).finds()
    assert (await bob.finds()).seat_token != found.seat_token


async def test_the_server_draws_a_ticket_for_a_call_without_a_request_id(api: Api) -> None:
    call = api.stub.FindMatch(pb.FindMatchRequest(game="kreta", display_name="Ada", seats=[2]))
    first = await anext(aiter(call))
    call.cancel()
    assert len(first.ticket) == 36


async def test_a_closing_server_ends_the_stream_with_shutting_down(valkey: EmbeddedServer) -> None:
    async with AsyncExitStack() as stack:
        own = (("grpc.use_local_subchannel_pool", 1),)
        async with served(valkey) as closing:
            channel = await stack.enter_async_context(grpc.aio.insecure_channel(closing.address, options=own))
            ada = await TicketClient(Api(channel), "Ada").waits()
        with refused("UNAVAILABLE", "SHUTTING_DOWN"):
            await ada.finds()


async def test_a_party_gets_seats_at_one_table_with_one_confirmation(api: Api, replica: Api) -> None:
    party = [pb.PartyMember(display_name="Bob", player_id="account-2")]
    ada = TicketClient(api, "Ada", seats=(3,), party=party)
    cyd = TicketClient(replica, "Cyd", seats=(3,))
    found, other = await ada.finds(), await cyd.finds()
    assert found.session.name == other.session.name
    assert {found.seat, found.party[0].seat, other.seat} == {0, 1, 2}
    assert not other.party
    for one in (found, found.party[0], other):
        position = await look(replica, Sitting(found.session.name, "", ""), one.seat_token)
        assert position.seat == one.seat
    assert found.session.seats[found.party[0].seat].display_name == "Bob"
    again = await TicketClient(replica, "Ada", seats=(3,), party=party, request_id=ada.request.request_id).finds()
    assert (again.seat_token, list(again.party)) == (found.seat_token, list(found.party))


async def test_players_of_like_skill_are_matched(api: Api, replica: Api) -> None:
    skills = [pb.SkillRange(value=value, range=100) for value in (1500, 900, 1450)]
    ada, bob = TicketClient(api, "Ada", skill=skills[0]), await TicketClient(replica, "Bob", skill=skills[1]).waits()
    found = await asyncio.gather(ada.finds(), TicketClient(api, "Cyd", skill=skills[2]).finds())
    assert {seat.display_name for seat in found[0].session.seats} == {"Ada", "Cyd"}
    await bob.hangs_up()


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"skill": pb.SkillRange(range=-1)}, "skill.range"),
        ({"party": [pb.PartyMember(display_name="ADA")]}, "party"),
        ({"party": [pb.PartyMember(display_name="Bob"), pb.PartyMember()]}, "party[1].display_name"),
        ({"party": [pb.PartyMember(display_name=f"Player {n}") for n in range(4)]}, "party"),
        ({"party": [pb.PartyMember(display_name=f"Player {n}") for n in range(9)]}, "party"),
        ({"display_name": ""}, "display_name"),
        ({"display_name": "Seat 2"}, "display_name"),
        ({"player_id": "a b"}, "player_id"),
        ({"seats": [2, 5]}, "seats"),
        ({"seats": [0]}, "seats"),
        ({"seats": [-1]}, "seats"),
        ({"request_id": "1"}, "request_id"),
        ({"options": start(*[0] * (MOST_OPTIONS + 1))}, "options"),
        ({"clocks": [pb.ClockRange()] * (MOST_CLOCKS + 1)}, "clocks"),
        ({"options": start(*[0] * MOST_OPTIONS), "clocks": [pb.ClockRange()] * MOST_CLOCKS}, "options"),
        ({"clocks": [pb.ClockRange(least=bank(5), most=bank(3))]}, "clocks[0].most"),
        ({"clocks": [pb.ClockRange(least=bank(3), most=bank(5, increment_ms=1))]}, "clocks[0].most"),
        ({"clocks": [pb.ClockRange(), pb.ClockRange(most=bank(5))]}, "clocks[1].most"),
        ({"clocks": [pb.ClockRange(least=bank(0))]}, "clock.bank.time_ms"),
    ],
)
async def test_invalid_criteria_are_rejected(api: Api, fields: dict[str, Any], field: str) -> None:
    request = pb.FindMatchRequest(**{"game": "kreta", "display_name": "Ada", **fields})
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field=field):
        await anext(aiter(api.stub.FindMatch(request)))


async def test_options_that_fit_no_number_of_seats_are_rejected(api: Api) -> None:
    request = pb.FindMatchRequest(game="kreta", display_name="Ada", seats=[2], options=start(3))
    with refused("INVALID_ARGUMENT", "BAD_OPTIONS"):
        await anext(aiter(api.stub.FindMatch(request)))
    request.seats.append(4)
    call = api.stub.FindMatch(request)
    assert (await anext(aiter(call))).ticket
    call.cancel()


async def test_an_unknown_game_is_refused(api: Api) -> None:
    with refused("NOT_FOUND", "GAME_NOT_FOUND"):
        await anext(aiter(api.stub.FindMatch(pb.FindMatchRequest(game="chess", display_name="Ada"))))


@pytest.mark.parametrize("ticket", ["", "1", "x" * 60_000])
async def test_a_malformed_ticket_is_rejected(api: Api, ticket: str) -> None:
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="ticket"):
        await api.stub.ConfirmMatch(pb.ConfirmMatchRequest(ticket=ticket, proposal="kreta/1"))
