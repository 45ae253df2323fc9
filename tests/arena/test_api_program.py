"""Programs that use the API: their child processes end, and limits do not end their games."""

from __future__ import annotations

import asyncio
import sys

import pytest

from skerry_arena.remote.api_program import ApiProgram, environment_of
from skerry_arena.remote.api_seat import play_by_api
from skerry_arena.settings import Limits, Service
from skerry_client import AsyncClient
from tests.arena.conftest import Limited
from tests.arena.samples import PATIENT

SECONDS = 20.0


async def started(line: str) -> ApiProgram:
    return await ApiProgram.start(("sh", "-c", line), Limits(), {})


@pytest.mark.parametrize("keeps", ["sleep 30 &", "setsid sleep 30 &"])
async def test_a_program_has_ended_even_if_its_children_keep_its_output(keeps: str) -> None:
    program = await started(f"{keeps} echo out of ideas; exit 3")
    assert await asyncio.wait_for(program.ended(), SECONDS) == "It ended with exit code 3: out of ideas"
    await asyncio.wait_for(program.kill(), SECONDS)


async def test_a_program_is_killed_even_if_a_detached_child_keeps_its_output() -> None:
    program = await started("setsid sleep 30 & sleep 1000")
    assert not await asyncio.wait_for(program.close(), SECONDS)


LOOKING = """
import os
from time import sleep
from skerry_client import Client

with Client() as skerry:
    seat = skerry.seat(os.environ["SKERRY_SESSION"], os.environ["SKERRY_SEAT_TOKEN"])
    while not (position := seat.position()).HasField("outcome"):
        seat.act(position.legal_moves[0]) if position.legal_moves else sleep(0.01)
"""
"""A player that opens no stream."""


async def test_an_api_seat_waits_for_the_limit_on_streams(limited: Limited) -> None:
    server = limited(STREAM="1/1s")
    async with AsyncClient(server.address) as skerry:
        seat = await (await skerry.create("kreta", seats=2, bots=1)).join("Ada")
        await anext(seat.observe())  # the limit is reached now
        received = environment_of(Service(server.address), seat.name, seat.token)
        assert await play_by_api(seat, (sys.executable, "-c", LOOKING), PATIENT, received)
