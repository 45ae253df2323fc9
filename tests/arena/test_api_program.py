"""Programs that use the API, as processes: what they start does not outlive its welcome."""

from __future__ import annotations

import asyncio

import pytest

from skerry_arena.remote.api_program import ApiProgram
from skerry_arena.settings import Limits

SECONDS = 20.0


async def started(line: str) -> ApiProgram:
    return await ApiProgram.start(("sh", "-c", line), Limits(), {})


@pytest.mark.parametrize("keeps", ["sleep 30 &", "setsid sleep 30 &"])
async def test_a_program_has_ended_though_others_have_its_output_still(keeps: str) -> None:
    program = await started(f"{keeps} echo out of ideas; exit 3")
    assert await asyncio.wait_for(program.ended(), SECONDS) == "It ended with exit code 3: out of ideas"
    await asyncio.wait_for(program.kill(), SECONDS)


async def test_a_program_is_ended_though_somebody_outside_its_session_has_its_output() -> None:
    program = await started("setsid sleep 30 & sleep 1000")
    assert not await asyncio.wait_for(program.close(), SECONDS)
