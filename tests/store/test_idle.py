"""The commands that a replica without load sends to its store, as the store counts them."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server

from .servers import ask

MOST_PER_SECOND = 4.0
"""As docs/explanation/capacity.md says. It includes the commands within scripts."""
SECONDS = 60.0
"""Each queue is read at least once meanwhile."""


async def commands(server: EmbeddedServer) -> tuple[int, float]:
    """Return how many commands the store has run, but for those of this test, and its clock in seconds."""
    info = (await ask(server, "INFO", "commandstats")).decode()
    calls = {name: int(count) for name, count in re.findall(r"cmdstat_(\S+?):calls=(\d+)", info)}
    seconds, micros = await ask(server, "TIME")
    return sum(calls.values()) - 2, int(seconds) + int(micros) / 1e6


@pytest.mark.deep
@pytest.mark.timeout(180)
async def test_an_idle_replica_sends_few_commands(valkey: EmbeddedServer, tmp_path: Path) -> None:
    await ask(valkey, "FLUSHALL")
    config = Config(
        port=0, redis_url=valkey.url, archive=str(tmp_path), webhooks_allow=("127.0.0.1:9",), metrics="127.0.0.1:0"
    )
    async with running_server(config):
        await asyncio.sleep(5.0)  # the start is not idle
        await ask(valkey, "CONFIG", "RESETSTAT")
        _, before = await commands(valkey)
        await asyncio.sleep(SECONDS)
        count, after = await commands(valkey)
    assert after - before >= SECONDS - 1
    assert 1.0 < count / (after - before) <= MOST_PER_SECOND
