"""Ids in an installation with a cell."""

from __future__ import annotations

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_client.errors import SessionNotFound, WrongCell
from skerry_client.transport import rpcs
from skerry_service.access.client_addresses import Peer
from skerry_service.api.endpoint import sessions_endpoint
from skerry_service.in_process import InProcessTransport
from skerry_service.sessions.actions.new_games import NewGames
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions

BOTS = [pb.SeatSetup(occupant=session_pb2.OCCUPANT_BOT)] * 2


def transport(store: MemoryStore, cell: str, asked: tuple[str, ...] = ()) -> InProcessTransport:
    sessions = Sessions(store, clock_ms=lambda: 1_000, new_games=NewGames(cell=cell))
    return InProcessTransport(sessions_endpoint(sessions), lambda: Peer(None, cells=asked))


async def create(made: InProcessTransport) -> str:
    request = pb.CreateSessionRequest(game="kreta", seats=BOTS)
    return (await made.call(rpcs.CREATE_SESSION, request, None, 1)).session.name


async def read(made: InProcessTransport, name: str) -> str:
    return (await made.call(rpcs.GET_SESSION, pb.GetSessionRequest(name=name), None, 1)).session.name


async def test_a_name_from_before_the_cell_stays_valid_and_new_names_have_the_cell() -> None:
    store = MemoryStore()
    before = await create(transport(store, ""))
    later = transport(store, "eu1")
    assert "." not in before
    assert await read(later, before) == before
    name = await create(later)
    assert name.endswith(".eu1")
    assert await read(later, name) == name


@pytest.mark.parametrize("cell", ["", "us1"])
async def test_a_name_of_another_cell_is_refused_with_its_cell_and_an_own_one_is_unknown(cell: str) -> None:
    made = transport(MemoryStore(), cell)
    with pytest.raises(WrongCell) as refused:
        await read(made, "sessions/aaaaaaaaaaaaaaaa.eu1")
    assert refused.value.cell == "eu1"
    with pytest.raises(SessionNotFound):
        await read(made, f"sessions/aaaaaaaaaaaaaaaa{'.us1' if cell else ''}")


async def test_a_ticket_of_another_cell_is_refused_with_its_cell() -> None:
    ticket = "f47ac10b-58cc-4372-a567-0e02b2c3d479.eu1"
    with pytest.raises(WrongCell):
        await transport(MemoryStore(), "us1").call(
            rpcs.CONFIRM_MATCH, pb.ConfirmMatchRequest(ticket=ticket, proposal="x"), None, 1
        )


@pytest.mark.parametrize("asked", [("nowhere",), ("us1", "nowhere"), ("U" * 10_000,), ("\0",)])
async def test_a_call_without_a_name_for_another_cell_is_refused(asked: tuple[str, ...]) -> None:
    with pytest.raises(WrongCell) as refused:
        await create(transport(MemoryStore(), "us1", asked))
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize(("cell", "asked"), [("us1", ("us1",)), ("us1", ("",)), ("", ("eu1",)), ("us1", ())])
async def test_a_call_for_this_cell_is_served_and_a_server_without_a_cell_ignores_the_header(
    cell: str, asked: tuple[str, ...]
) -> None:
    assert await create(transport(MemoryStore(), cell, asked))


async def test_the_cell_of_the_name_takes_precedence_over_the_header() -> None:
    store = MemoryStore()
    name = await create(transport(store, "us1"))
    assert await read(transport(store, "us1", ("nowhere",)), name) == name
