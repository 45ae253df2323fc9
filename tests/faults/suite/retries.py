"""Between players and service: calls repeated, lost, delayed and overtaken; connections that break and stall."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import grpc

from tests.faults.driver import connect
from tests.faults.processes import Service
from tests.faults.suite.kills import doomed_service
from tests.faults.suite.kinds import Asked, Kind, Outcome, Struck, complaints
from tests.faults.suite.players import Players, meanwhile
from tests.faults.suite.proxies import SORTS, CallProxy, TcpProxy, Way

_CUT, _STALLED = "all connections reset", "all connections stalled"
_WAYS: tuple[tuple[Way, ...], ...] = (("there",), ("back",), ("there", "back"))
_LONGEST_PEACE, _LONGEST_STALL = 0.4, 0.6
"""Seconds."""


@asynccontextmanager
async def _calls_through(service: Service, proxy: CallProxy) -> AsyncIterator[str]:
    """Yield an address at which that proxy takes calls."""
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((proxy,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await proxy.settle()
        await server.stop(grace=None)


async def of_calls(asked: Asked) -> Outcome:
    """Let games be played through a proxy that knows calls."""
    struck, noted = Struck(SORTS), list[Players]()
    with TemporaryDirectory(prefix="skerry-faults-") as name:
        async with (
            _service(Path(name), asked) as service,
            grpc.aio.insecure_channel(service.address) as channel,
        ):
            proxy = CallProxy(
                channel, Random(asked.seed), lambda fate: struck.note(fate, noted[0].moves if noted else 0)
            )
            async with _calls_through(service, proxy) as address, connect(address) as client:
                players = Players(client, asked.seed)
                noted.append(players)
                await players.play_for(asked.seconds, lambda: setattr(proxy, "quiet", True))
        said = [*proxy.differences, *complaints(service.errors)]
    outcome = players.outcome(struck, said)
    outcome.lost += len(proxy.differences)
    return outcome


@asynccontextmanager
async def _service(folder: Path, asked: Asked) -> AsyncIterator[Service]:
    """Run a service that makes the mistake that is asked for, if one is."""
    if asked.planted:
        async with doomed_service(folder, asked) as (service, _):
            yield service
        return
    service = Service(folder)
    try:
        await service.start()
        yield service
    finally:
        await service.close()


async def of_connections(asked: Asked) -> Outcome:
    """Let games be played through a proxy that knows bytes alone."""
    struck, random = Struck((_CUT, _STALLED)), Random(asked.seed)
    with TemporaryDirectory(prefix="skerry-faults-") as name:
        async with _service(Path(name), asked) as service:
            host, _, port = service.address.rpartition(":")
            async with TcpProxy(host, int(port)).listening() as proxy, connect(f"127.0.0.1:{proxy.port}") as client:
                players = Players(client, asked.seed)
                async with meanwhile(_hurt(proxy, random, players, struck)) as peace:
                    await players.play_for(asked.seconds, peace)
        said = complaints(service.errors)
    return players.outcome(struck, said)


async def _hurt(proxy: TcpProxy, random: Random, players: Players, struck: Struck) -> None:
    """Cut and stall by turns, for good."""
    while True:
        await asyncio.sleep(random.uniform(0, _LONGEST_PEACE))
        if random.random() < 0.5:
            struck.note(_CUT, players.moves)
            proxy.cut()
        else:
            struck.note(_STALLED, players.moves)
            proxy.hold(*random.choice(_WAYS))
            try:
                await asyncio.sleep(random.uniform(0, _LONGEST_STALL))
            finally:
                proxy.mend()


RETRIES = Kind("retries", "calls repeated, lost, delayed, overtaken on their way", of_calls)
CUTS = Kind("cuts", "connections of players reset and stalled", of_connections)
