"""Replicas restarted one after the other, as a roll-out does it, while games are played and watched.

``python -m tests.faults.rolling [--replicas N] [--tables N] [--rounds N] [--seed N]`` does so for as long as you like,
prints what came of it, and ends with an error if a client saw a failure or anything was lost. ``roll`` is the same for
a program.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_client import AsyncClient
from skerry_client.errors import Unavailable
from skerry_client.handles import AsyncSeat, AsyncTable
from skerry_client.transport import A, Method, Q, Transport
from skerry_client.transport.grpc_transport import GrpcTransport
from skerry_service.replays.verification import first_difference
from skerry_service.store.embedded.embedded_server import EmbeddedServer

from .driver import GAME, Acknowledged, identity
from .processes import Service, until

_SEATS = 2
_BETWEEN = 10
"""Moves that are made while all replicas serve, between two restarts."""


@dataclass
class Rolled:
    """What came of it."""

    restarts: int = 0
    games: int = 0
    """Played to their end, and found whole."""
    moves: int = 0
    """Acknowledged to players."""
    refused: int = 0
    """Attempts at calls that were refused or had no answer; the clients repeated them and hid that."""
    broken: int = 0
    """Streams that broke, which the clients resumed."""
    seconds: float = 0.0
    epochs: set[str] = field(default_factory=set)

    def __str__(self) -> str:
        """Say it in a line."""
        return (
            f"{self.restarts} restarts under {self.moves:,} moves of {self.games} games in {self.seconds:.0f} s: "
            f"{self.refused} attempts repeated and {self.broken} streams resumed by the clients; "
            f"0 calls failed, 0 moves lost, 0 gaps"
        )


class _Counting:
    """Counts what the client above it hides."""

    def __init__(self, transport: Transport, rolled: Rolled) -> None:
        self._transport = transport
        self._rolled = rolled
        self.hold, self.close = transport.hold, transport.close

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        try:
            return await self._transport.call(method, request, token, timeout)
        except Unavailable:
            self._rolled.refused += 1
            raise

    async def observe(
        self, request: api.ObserveRequest, token: str | None
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        try:
            async with aclosing(self._transport.observe(request, token)) as messages:
                async for message in messages:
                    yield message
        except Unavailable:
            self._rolled.broken += 1
            raise


class Tables:
    """Tables at which one game after the other is played until it is said to be enough."""

    def __init__(self, connect: Callable[[int], Transport], rolled: Rolled) -> None:
        """``connect``: returns the transport of a client, by its number."""
        self._connect = connect
        self._rolled = rolled
        self._enough = False

    def close(self) -> None:
        """Begin no other game."""
        self._enough = True

    async def play(self, number: int, random: Random) -> None:
        """Play games at one table, and hold each against what was acknowledged and seen."""
        async with AsyncExitStack() as stack:
            host, watcher, *players = [
                await stack.enter_async_context(AsyncClient(_Counting(self._connect(number + each), self._rolled)))
                for each in range(_SEATS + 2)
            ]
            while not self._enough:
                await self._game(host, watcher, players, random)

    async def _game(
        self, host: AsyncClient, watcher: AsyncClient, players: Sequence[AsyncClient], random: Random
    ) -> None:
        created = await host.create(GAME, seats=_SEATS, seed=random.randbytes(32))
        tables = [await player.table(created.name) for player in players]
        seats = [await table.join(f"Player {seat}", seat=seat) for seat, table in enumerate(tables)]
        seen: list[session_pb2.Entry] = []
        made: list[Acknowledged] = []
        async with asyncio.TaskGroup() as group:
            group.create_task(self._watch(await watcher.table(created.name), seen))
            for seat in seats:
                group.create_task(self._take_turns(seat, Random(random.random()), made))
        _check_whole(await created.replay(), made, seen)
        self._rolled.games += 1

    async def _take_turns(self, seat: AsyncSeat, random: Random, made: list[Acknowledged]) -> None:
        async for position in seat.turns():
            move = random.choice(position.legal_moves)
            answer = await seat.act(move)
            sequence = answer.entries[0].sequence
            made.append(Acknowledged(sequence, seat.number, move.SerializeToString(deterministic=True)))
            self._rolled.moves += 1

    async def _watch(self, table: AsyncTable, seen: list[session_pb2.Entry]) -> None:
        async for update in table.observe(after_sequence=0):
            for entry in update.entries:
                assert entry.sequence == len(seen) + 1, "a gap or a repeat"
                seen.append(entry)
            self._rolled.epochs.add(update.epoch)


def _check_whole(replay: session_pb2.Replay, made: Sequence[Acknowledged], seen: Sequence[session_pb2.Entry]) -> None:
    """Hold the log of a finished game against what was acknowledged, what was seen, the seed and the rules."""
    in_log = [
        Acknowledged(entry.sequence, entry.seat, entry.moved.move.SerializeToString(deterministic=True))
        for entry in replay.entries
        if entry.HasField("moved") and entry.HasField("seat") and not entry.automatic
    ]
    assert in_log == sorted(made), "a move is lost, moved or made twice"
    assert list(map(identity, seen)) == list(map(identity, replay.entries)), "a watcher saw another game"
    assert first_difference(replay) is None


async def roll(folder: Path, *, replicas: int = 2, tables: int = 2, rounds: int = 1, seed: int = 1) -> Rolled:
    """Restart each of the replicas that many times under play at so many tables; return what came of it.

    ``folder``: for their files and those of their Redis. Raises AssertionError or SkerryError, in an ExceptionGroup,
    for a call that failed, a move that is lost or was made twice, or a gap in a stream.
    """
    rolled, began = Rolled(), time.monotonic()
    async with AsyncExitStack() as stack:
        redis = EmbeddedServer(folder / "redis")
        stack.push_async_callback(redis.stop)
        await redis.start()
        services = [Service(folder / f"replica-{number}", redis_url=redis.url) for number in range(replicas)]
        for service in services:
            stack.push_async_callback(service.close)
            await service.start()

        def connect(first: int) -> GrpcTransport:
            """Give all replicas to gRPC as one target: it takes the first that answers."""
            turn = first % replicas
            return GrpcTransport("ipv4:" + ",".join(one.address for one in (*services[turn:], *services[:turn])))

        played = Tables(connect, rolled)
        async with asyncio.TaskGroup() as group:
            for table in range(tables):
                group.create_task(played.play(table, Random(f"{seed} {table}")))
            for _ in range(rounds):
                for service in services:
                    await _restart(service, rolled)
            played.close()
    rolled.seconds = time.monotonic() - began
    return rolled


async def played_on(rolled: Rolled) -> None:
    """Wait until some more moves have been made."""
    enough = rolled.moves + _BETWEEN
    await until(lambda: rolled.moves >= enough)


async def _restart(service: Service, rolled: Rolled) -> None:
    """Drain a replica and start it again, as soon as enough has been played with all of them."""
    await played_on(rolled)
    assert await service.terminate() == 0, service.errors.read_text()
    await service.start()
    assert not service.errors.read_text().count("Traceback"), service.errors.read_text()
    rolled.restarts += 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Do it, and say what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.rolling", description="Restarts replicas under play.")
    parser.add_argument("--replicas", type=int, default=3)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=4, help="how often each replica is restarted")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    with TemporaryDirectory(prefix="skerry-roll-") as folder:
        print(asyncio.run(roll(Path(folder), **vars(asked))))


if __name__ == "__main__":
    main()
