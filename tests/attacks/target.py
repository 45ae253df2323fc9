"""The target of attacks: a real service with a player on it, and measurements of both."""

from __future__ import annotations

import asyncio
import json
import ssl
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.faults.processes import PATIENCE, Service
from tests.tls.authority import Authority

MIB = 2**20
LONGEST_SECONDS = 60.0
"""Time limit of an attack."""
BEHIND_A_PROXY = {"SKERRY_TRUSTED_PROXIES": "127.0.0.1"}
"""Trust ``x-forwarded-for`` from loopback, so that an attack can come from a remote address and meet its limits."""
_SAMPLE_SECONDS = 0.02
_ROUNDS = 5


@dataclass
class Target:
    """One running service, for one attack."""

    service: Service
    tls: ssl.SSLContext | None = None
    """Trusts the service's certificate; ``None``: it speaks plain text."""

    @property
    def grpc(self) -> str:
        """``HOST:PORT`` of gRPC."""
        return self.service.address

    @property
    def http(self) -> tuple[str, int]:
        """Host and port of HTTP."""
        return _split(self.service.http.partition("://")[2])

    @property
    def ports(self) -> Sequence[tuple[str, int]]:
        """Host and port of each public port."""
        return _split(self.grpc), self.http

    async def growth(self, attack: Awaitable[object]) -> float:
        """Return the largest growth of the service's memory, in MiB, during the attack and the second after it."""
        before = most = self.service.resident()
        running = asyncio.ensure_future(_attack_and_settle(attack))
        while not running.done():
            most = max(most, self.service.resident())
            await asyncio.sleep(_SAMPLE_SECONDS)
        await running
        return (most - before) / MIB

    async def growth_by_rounds(self, attack: Callable[[], Awaitable[object]]) -> float:
        """Attack again and again; return the growth of the service's memory after the first attack, in MiB.

        The first one may grow the heap for good, since an allocator keeps pages that are used in part.
        """
        after = []
        for _ in range(_ROUNDS):
            await _attack_and_settle(attack())
            after.append(self.service.resident())
        return (min(after[-2:]) - after[0]) / MIB


def _split(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    return host, int(port)


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
    tls: bool
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
    tls: bool = False,
) -> Callable[[Callable[[Target], Awaitable[float]]], Attack]:
    """Decorate a function as an attack.

    ``descriptors``: the soft and hard limit of the service's file descriptors, or ``None`` for the default.
    ``settings``: options of ``skerry serve``; ``tls``: whether the service uses TLS.
    """
    return lambda run: Attack(name, most, unit, descriptors, settings, tls, run)


async def carry_out(attack: Attack) -> Outcome:
    """Start a service with a player on it, and attack it."""
    with TemporaryDirectory(prefix="skerry-attack-") as folder:
        authority = Authority(Path(folder))
        service = Service(
            Path(folder),
            "--http",
            "127.0.0.1:0",
            *attack.settings,
            *(_tls_options(authority) if attack.tls else ()),
            descriptors=attack.descriptors,
            environment=BEHIND_A_PROXY,
        )
        try:
            await service.start()
            trusting = ssl.create_default_context(cafile=authority.file) if attack.tls else None
            ca = str(authority.file) if attack.tls else ""
            async with asyncio.timeout(LONGEST_SECONDS), playing(service.address, ca) as stop_victim:
                measured = await attack.run(Target(service, trusting))
                moves, worst = await stop_victim()
        finally:
            await service.close()
        return Outcome(measured, moves, worst, service.errors.read_text().count("Traceback"))


def _tls_options(authority: Authority) -> Sequence[str]:
    """Return the options of a service with a certificate of this authority."""
    pem = authority.issue("server")
    return "--tls-certificate", str(pem.certificate), "--tls-key", str(pem.key)


@asynccontextmanager
async def playing(address: str, ca: str = "") -> AsyncIterator[Callable[[], Awaitable[tuple[int, float]]]]:
    """Run a victim in another process. Yield a function that stops it and returns its moves and its longest wait.

    ``ca``: the file of the authority of the service's certificate; empty: plain text.
    """
    pipe = asyncio.subprocess.PIPE
    victim = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.attacks.victim", address, ca), stdin=pipe, stdout=pipe
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
