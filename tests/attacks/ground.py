"""Where attacks take place: a real service, somebody who plays there, and what is measured of both."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.faults.processes import PATIENCE, Service

MIB = 2**20
LONGEST_SECONDS = 60.0
"""No attack takes longer."""
BEHIND_A_PROXY = {"SKERRY_TRUSTED_PROXIES": "127.0.0.1"}
"""Who names a caller is believed: an attack can so come from elsewhere, and be limited as anybody from there."""
_SAMPLE_SECONDS = 0.02


@dataclass
class Ground:
    """One running service, for one attack."""

    service: Service

    @property
    def grpc(self) -> str:
        """``HOST:PORT`` of gRPC."""
        return self.service.address

    @property
    def http(self) -> tuple[str, int]:
        """Host and port of HTTP."""
        host, _, port = self.service.http.removeprefix("http://").rpartition(":")
        return host, int(port)

    async def growth(self, attack: Awaitable[object]) -> float:
        """Return by how many MiB the service grew at the most while it was attacked, or a second after."""
        before = most = self.service.resident()
        hurting = asyncio.ensure_future(_and_a_second(attack))
        while not hurting.done():
            most = max(most, self.service.resident())
            await asyncio.sleep(_SAMPLE_SECONDS)
        await hurting
        return (most - before) / MIB


async def _and_a_second(attack: Awaitable[object]) -> None:
    await attack
    await asyncio.sleep(1)


@dataclass(frozen=True)
class Attack:
    """One attack. ``run`` returns what is measured, in ``unit``; it must not be more than ``most``."""

    name: str
    most: float
    unit: str
    descriptors: tuple[int, int] | None
    settings: tuple[str, ...]
    run: Callable[[Ground], Awaitable[float]]


@dataclass(frozen=True)
class Outcome:
    """What came of an attack."""

    measured: float
    moves: int
    """Moves that the victim made meanwhile."""
    worst_seconds: float
    """Its longest wait for one of them, and for the position after it."""
    tracebacks: int
    """Those on the service's stderr."""


def attack(
    name: str,
    *,
    most: float,
    unit: str,
    descriptors: tuple[int, int] | None = None,
    settings: tuple[str, ...] = (),
) -> Callable[[Callable[[Ground], Awaitable[float]]], Attack]:
    """Make an attack of a function.

    ``descriptors``: the service's soft and hard limit, if it matters; ``settings``: options of ``skerry serve``.
    """
    return lambda run: Attack(name, most, unit, descriptors, settings, run)


async def carry_out(one: Attack) -> Outcome:
    """Start a service, let somebody play there, attack it."""
    with TemporaryDirectory(prefix="skerry-attack-") as folder:
        service = Service(
            Path(folder),
            "--http",
            "127.0.0.1:0",
            *one.settings,
            descriptors=one.descriptors,
            environment=BEHIND_A_PROXY,
        )
        try:
            await service.start()
            async with asyncio.timeout(LONGEST_SECONDS), playing(service.address) as victim:
                measured = await one.run(Ground(service))
                moves, worst = await victim()
        finally:
            await service.close()
        return Outcome(measured, moves, worst, service.errors.read_text().count("Traceback"))


@asynccontextmanager
async def playing(address: str) -> AsyncIterator[Callable[[], Awaitable[tuple[int, float]]]]:
    """Let somebody play in another process; what is yielded ends that and returns the moves and the longest wait."""
    pipe = asyncio.subprocess.PIPE
    victim = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.attacks.victim", address), stdin=pipe, stdout=pipe
    )
    assert victim.stdin and victim.stdout
    told = victim.stdin

    async def enough() -> tuple[int, float]:
        told.close()
        said, _ = await victim.communicate()
        found = json.loads(said)
        return found["moves"], found["worst_seconds"]

    try:
        async with asyncio.timeout(PATIENCE):
            assert await victim.stdout.readline() == b"playing\n"
        yield enough
    finally:
        if victim.returncode is None:
            victim.kill()
            await victim.wait()
