"""The client finds matches, over gRPC against a real server and in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import pytest
from google.rpc import code_pb2

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_client import AsyncClient, Client, errors
from skerry_service import local
from tests.clients.servers import ServerProcess, refusal, scripted

FOUND = api.FindMatchResponse(
    ticket="t", session=session_pb2.Session(name="sessions/a"), seat=1, seat_token="skerry_seat_x"
)
OFFER = api.FindMatchResponse(ticket="t", proposal=api.MatchProposal(id="kreta/1", within_ms=10_000))
WAITING = api.FindMatchResponse(ticket="t")
BEAT = api.FindMatchResponse(ticket="t", heartbeat=True, proposal=OFFER.proposal)
LEAVING = refusal(code_pb2.UNAVAILABLE, "SHUTTING_DOWN", retry_after=0.01)
GONE = refusal(code_pb2.FAILED_PRECONDITION, "PROPOSAL_EXPIRED")
MINUTE = 60_000
"""Each test has its own clocks, so that the matchmaker does not offer it the open tables of another test."""


@asynccontextmanager
async def two(kind: str, request: pytest.FixtureRequest) -> AsyncIterator[tuple[AsyncClient, AsyncClient]]:
    if kind == "local":
        async with local.AsyncClient() as client:
            yield client, client
    else:
        server: ServerProcess = request.getfixturevalue("server")
        async with AsyncClient(server.address) as one, AsyncClient(server.address) as another:
            yield one, another


def bank(minutes: int) -> session_pb2.Clock:
    return session_pb2.Clock(bank=session_pb2.Bank(time_ms=minutes * MINUTE))


@pytest.mark.parametrize("kind", ["grpc", "local"])
async def test_two_players_find_each_other(kind: str, request: pytest.FixtureRequest) -> None:
    async with two(kind, request) as (here, there), asyncio.timeout(30):
        between = api.ClockRange(least=bank(1), most=bank(5))
        ada, bob = await asyncio.gather(
            here.find_match("kreta", "Ada", seats=[2, 3], options=[{}], clocks=[between], player_id="account-1"),
            there.find_match("games/kreta", "Bob", seats=2, clocks=[bank(3)]),
        )
        session = await ada.session()
        assert (ada.name, {ada.number, bob.number}) == (bob.name, {0, 1})
        assert session.clock.bank.time_ms == 3 * MINUTE
        assert sorted(seat.player_id for seat in session.seats) == ["", "account-1"]
        moves = [(seat, (await seat.position()).legal_moves) for seat in (ada, bob)]
        assert [await seat.act(legal[0]) for seat, legal in moves if legal]


def test_the_blocking_client_finds_an_open_table(skerry: Client) -> None:
    table = skerry.create("kreta", seats=4, clock=bank(11))
    seat = skerry.find_match("kreta", "Ada", seats=4, clocks=[bank(11)])
    assert (seat.name, seat.number) == (table.name, 0)
    table.cancel()


def test_two_blocking_clients_find_each_other(skerry: Client) -> None:
    with ThreadPoolExecutor() as threads:
        finding = [
            threads.submit(skerry.find_match, "kreta", name, seats=2, clocks=[bank(12)]) for name in ("Ada", "Bob")
        ]
        ada, bob = (one.result(30) for one in finding)
    assert (ada.name, {ada.number, bob.number}) == (bob.name, {0, 1})
    assert ada.session().state == session_pb2.SESSION_STATE_PLAYING


def test_a_party_gets_its_seats_at_one_table(skerry: Client) -> None:
    party: list[str | api.PartyMember] = ["Bob", api.PartyMember(display_name="Cem", player_id="account-3")]
    skill = api.SkillRange(value=1500, range=100)
    ada = skerry.find_match("kreta", "Ada", seats=3, clocks=[bank(15)], skill=skill, party=party)
    seats = [ada, *ada.party]
    names = [seat.display_name for seat in ada.session().seats]
    assert [names[seat.number] for seat in seats] == ["Ada", "Bob", "Cem"]
    assert {seat.position().seat for seat in seats} == {0, 1, 2}
    assert ada.party[0].party == []


def test_the_blocking_client_stops_waiting_after_wait_for(skerry: Client) -> None:
    with pytest.raises(TimeoutError):
        skerry.find_match("kreta", "Ada", seats=3, clocks=[bank(14)], wait_for=0.2)
    with ThreadPoolExecutor() as threads:
        finding = [
            threads.submit(skerry.find_match, "kreta", name, seats=2, clocks=[bank(14)], wait_for=20)
            for name in ("Bob", "Cem")
        ]
        assert len({one.result(30).name for one in finding}) == 1


async def test_a_client_that_stops_waiting_withdraws_its_ticket(request: pytest.FixtureRequest) -> None:
    async with two("grpc", request) as (here, there):
        with pytest.raises(TimeoutError):
            await here.find_match("kreta", "Ada", seats=3, clocks=[bank(13)], wait_for=0.3)
        waiting = [
            asyncio.create_task(there.find_match("kreta", f"No {n}", seats=3, clocks=[bank(13)])) for n in range(3)
        ]
        seats = await asyncio.gather(*waiting)
        assert len({seat.name for seat in seats}) == 1


async def found(streams: list[Any], *confirmations: Any) -> tuple[Any, Any]:
    confirmations = confirmations or (api.ConfirmMatchResponse(),)
    scripts = scripted(FindMatch=streams, ConfirmMatch=confirmations)
    async with scripts as server, AsyncClient(server.address) as skerry:
        seat = await skerry.find_match("kreta", "Ada", skill=api.SkillRange(value=1500, range=100))
    assert (seat.name, seat.number, seat.token) == ("sessions/a", 1, "skerry_seat_x")
    assert len({one.request_id for one in server.requests["FindMatch"]}) == 1, "repeats are repeats"
    assert server.requests["FindMatch"][-1].skill == api.SkillRange(value=1500, range=100)
    return server.requests["FindMatch"], server.requests["ConfirmMatch"]


async def test_a_proposal_is_confirmed_once_per_stream() -> None:
    _, confirmed = await found([[WAITING, OFFER, BEAT, FOUND]])
    assert confirmed == [api.ConfirmMatchRequest(ticket="t", proposal="kreta/1")]


async def test_a_broken_stream_is_reopened() -> None:
    asked, confirmed = await found([[WAITING, LEAVING], [OFFER, LEAVING], [OFFER, FOUND]])
    assert len(asked) == 3
    assert len(confirmed) == 2


async def test_the_wait_continues_after_an_expired_proposal() -> None:
    await found([[OFFER, WAITING, FOUND]], GONE)


async def test_a_client_whose_ticket_expired_gets_the_error() -> None:
    async with scripted(FindMatch=[[WAITING, GONE]]) as server, AsyncClient(server.address) as skerry:
        with pytest.raises(errors.ProposalExpired):
            await skerry.find_match("kreta", "Ada")


async def test_a_stream_that_ends_without_a_seat_is_an_unexpected_response() -> None:
    async with scripted(FindMatch=[[WAITING]]) as server, AsyncClient(server.address) as skerry:
        with pytest.raises(errors.UnexpectedResponse):
            await skerry.find_match("kreta", "Ada")
