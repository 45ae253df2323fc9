"""Kills at each step of a commit: of the service, of its store, of both at once, as when the machine dies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.faults.driver import Table, connect
from tests.faults.processes import Service
from tests.faults.streamed import Streamed
from tests.faults.suite.kinds import Asked, Kind, Outcome, Struck, complaints
from tests.faults.suite.players import Players, meanwhile
from tests.faults.suite.steps import FILE, PLANTED, SEED, STEPS, spared

DOOMED = "tests.faults.suite.doomed"
_LOOK_SECONDS = 0.01


@asynccontextmanager
async def doomed_service(folder: Path, asked: Asked) -> AsyncIterator[tuple[Service, Path]]:
    """Run a service that kills as planned; yield it, and the file in which it writes the kills down."""
    file = folder / "kills"
    environment = {FILE: str(file), SEED: str(asked.seed), PLANTED: asked.planted}
    service = Service(folder, module=DOOMED, environment=environment)
    try:
        await service.start()
        yield service, file
    finally:
        await service.close()


async def run(asked: Asked) -> Outcome:
    """Let games be played while the service is killed and started again."""
    struck = Struck(map(_sort, STEPS))
    with TemporaryDirectory(prefix="skerry-faults-") as name:
        async with doomed_service(Path(name), asked) as (service, file), connect(service.address) as client:
            players = Players(client, asked.seed, over=(Table, Streamed))
            async with meanwhile(_keep(service, file, players, struck)):
                await players.play_for(asked.seconds, lambda: spared(file).touch())
        said = complaints(service.errors)
    return players.outcome(struck, said)


async def _keep(service: Service, file: Path, players: Players, struck: Struck) -> None:
    """Start the service whenever it has ended; note the kills. For good."""
    noted = 0
    while True:
        kills = _kills(file)
        for step in kills[noted:]:
            struck.note(_sort(step), players.moves)
        noted = len(kills)
        if service.process.returncode is not None:
            await service.start()
        await asyncio.sleep(_LOOK_SECONDS)


def _kills(file: Path) -> list[int]:
    """Return at which steps there were kills so far."""
    return [int(line.split()[0]) for line in file.read_text().splitlines()] if file.exists() else []


def _sort(step: int) -> str:
    return f"{step} {STEPS[step]}"


KILLS = Kind("kills", "service, store, or both, killed at a step of a commit", run)
