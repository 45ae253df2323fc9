"""Traffic moved between two sets of replicas while games are played, as canary and blue/green roll-outs do it.

Half of the clients call over gRPC, half over Connect.

``python -m tests.faults.shifting [--replicas N] [--tables N] [--rounds N] [--seed N]`` prints what came of it, and ends
with an error if a client saw a failure or anything was lost. ``shift`` is the same for a program.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from skerry_client.transport.connect_transport import ConnectTransport
from skerry_client.transport.grpc_transport import GrpcTransport
from skerry_service.store.embedded.embedded_server import EmbeddedServer

from .processes import Service
from .rolling import Rolled, Tables, played_on
from .suite.proxies import TcpProxy

_CANARY = 0.5
"""Share of the new connections that a canary gets: enough that players of one game are at both sets."""


class Balancer(TcpProxy):
    """Sends new connections to two sets of replicas, by shares."""

    def __init__(self, blue: Sequence[Service], green: Sequence[Service]) -> None:
        super().__init__("", 0)
        self._sets = (blue, green)
        self.share = 0.0
        """Share of the new connections that the second set gets."""
        self.connections = [0, 0]
        """Connections that each set got."""
        self._owed = 0.0

    def choose_server(self) -> tuple[str, int]:
        self._owed += self.share
        chosen = int(self._owed >= 1)
        self._owed -= chosen
        replicas = self._sets[chosen]
        host, _, port = replicas[self.connections[chosen] % len(replicas)].address.rpartition(":")
        self.connections[chosen] += 1
        return host, int(port)


async def shift(
    folder: Path, *, replicas: int = 2, tables: int = 2, rounds: int = 1, seed: int = 1
) -> tuple[Rolled, Balancer]:
    """Move the traffic of play to a second set of so many replicas and back; return what came of it.

    ``tables``: tables that begin at the first set, and again as many that begin during the canary. Raises as
    ``rolling.roll`` does.
    """
    rolled, began = Rolled(), time.monotonic()
    async with AsyncExitStack() as stack:
        redis = EmbeddedServer(folder / "redis")
        stack.push_async_callback(redis.stop)
        await redis.start()
        blue, green = (
            [Service(folder / f"{name}-{number}", redis_url=redis.url) for number in range(replicas)]
            for name in ("blue", "green")
        )
        for service in (*blue, *green):
            stack.push_async_callback(service.close)
            await service.start()
        balancer = await stack.enter_async_context(Balancer(blue, green).listening())
        address = f"127.0.0.1:{balancer.port}"
        played = Tables(lambda number: (GrpcTransport, ConnectTransport)[number % 2](address), rolled)
        async with asyncio.TaskGroup() as group:
            for table in range(2 * tables):
                if table == tables:
                    await played_on(rolled)
                    balancer.share = _CANARY
                group.create_task(played.play(table, Random(f"{seed} {table}")))
            for _ in range(rounds):
                for left, share in ((blue, 1.0), (green, 0.0)):
                    await _leave(left, balancer, share, rolled)
            played.close()
    rolled.seconds = time.monotonic() - began
    return rolled, balancer


async def _leave(left: Sequence[Service], balancer: Balancer, share: float, rolled: Rolled) -> None:
    """Send all new connections to the other set, and drain this one. Start it again for the way back."""
    await played_on(rolled)
    balancer.share = share
    for service in left:
        assert await service.terminate() == 0, service.errors.read_text()
    await played_on(rolled)
    for service in left:
        await service.start()
        assert not service.errors.read_text().count("Traceback"), service.errors.read_text()
        rolled.restarts += 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Do it, and say what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.shifting", description="Moves traffic under play.")
    parser.add_argument("--replicas", type=int, default=2, help="in each of the two sets")
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=4, help="how often the traffic goes there and back")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    with TemporaryDirectory(prefix="skerry-shift-") as folder:
        rolled, balancer = asyncio.run(shift(Path(folder), **vars(asked)))
    print(f"{rolled}; connections by set: {balancer.connections}")


if __name__ == "__main__":
    main()
