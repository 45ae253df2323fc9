"""The target of attacks: a real service with a player on it, and measurements of both."""

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
"""Time limit of an attack."""
BEHIND_A_PROXY = {"SKERRY_TRUSTED_PROXIES": "127.0.0.1"}
"""Trust ``x-forwarded-for`` from loopback, so that an attack can come from a remote address and meet its limits."""
_SAMPLE_SECONDS = 0.02


@dataclass
class Target:
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
        """Return the largest growth of the service's memory, in MiB, during the attack and the second after it."""
        before = most = self.service.resident()
        running = asyncio.ensure_future(_attack_and_settle(attack))
        while not running.done():
            most = max(most, self.service.resident())
            await asyncio.sleep(_SAMPLE_SECONDS)
        await running
        return (most - before) / MIB


async def _attack_and_settle(attack: Awaitable[object]) -> None:
    await attack
    await asyncio.sleep(1)


@dataclass(frozen=True)
class Attack:
    """One attack. ``run`` returns the measurement in ``unit``; it must not exceed ``most``."""

    name: str
    most: float
    unit: str
    descriptors: tuple[int, int] | None
    settings: tuple[str, ...]
    run: Callable[[Target], Awaitable[float]]


@dataclass(frozen=True)
class Outcome:
    """The outcome of an attack."""

    measured: float
    moves: int
    """Moves that the victim made during the attack."""
    worst_seconds: float
    """The victim's longest wait for a move and the position after it."""
    tracebacks: int
    """Tracebacks on the service's stderr."""


def attack(
    name: str,
    *,
    most: float,
    unit: str,
    descriptors: tuple[int, int] | None = None,
    settings: tuple[str, ...] = (),
) -> Callable[[Callable[[Target], Awaitable[float]]], Attack]:
    """Decorate a function as an attack.

    ``descriptors``: the soft and hard limit of the service's file descriptors, or ``None`` for the default.
    ``settings``: options of ``skerry serve``.
    """
    return lambda run: Attack(name, most, unit, descriptors, settings, run)


async def carry_out(attack: Attack) -> Outcome:
    """Start a service with a player on it, and attack it."""
    with TemporaryDirectory(prefix="skerry-attack-") as folder:
        service = Service(
            Path(folder),
            "--http",
            "127.0.0.1:0",
            *attack.settings,
            descriptors=attack.descriptors,
            environment=BEHIND_A_PROXY,
        )
        try:
            await service.start()
            async with asyncio.timeout(LONGEST_SECONDS), playing(service.address) as stop_victim:
                measured = await attack.run(Target(service))
                moves, worst = await stop_victim()
        finally:
            await service.close()
        return Outcome(measured, moves, worst, service.errors.read_text().count("Traceback"))


@asynccontextmanager
async def playing(address: str) -> AsyncIterator[Callable[[], Awaitable[tuple[int, float]]]]:
    """Run a victim in another process. Yield a function that stops it and returns its moves and its longest wait."""
    pipe = asyncio.subprocess.PIPE
    victim = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.attacks.victim", address), stdin=pipe, stdout=pipe
    )
    assert victim.stdin and victim.stdout
    victim_input = victim.stdin

    async def stop() -> tuple[int, float]:
        victim_input.close()
        printed, _ = await victim.communicate()
        result = json.loads(printed)
        return result["moves"], result["worst_seconds"]

    try:
        async with asyncio.timeout(PATIENCE):
            assert await victim.stdout.readline() == b"playing\n"
        yield stop
    finally:
        if victim.returncode is None:
            victim.kill()
            await victim.wait()
