"""A whole game over the API by random players. Each player has only the token of its own seat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec import Struct

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_client import AsyncClient, AsyncSeat, AsyncTable
from skerry_service.cli import interrupts
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server

OnUpdate = Callable[[api.ObserveResponse], None]


class Plan(Struct, frozen=True):
    """A game to play."""

    game: str
    seats: int | None
    """``None``: the fewest that the game allows."""
    seed: bytes | None
    """32 bytes from which chance and the players draw; ``None``: random bytes."""
    server: str | None
    """``HOST:PORT``; ``None``: a server for this game alone."""


class Played(NamedTuple):
    """A game that is over."""

    replay: session_pb2.Replay
    text: str
    """The last position in words, as a spectator may see it."""


async def play(plan: Plan, on_update: OnUpdate | None) -> Played:
    """Play the game to its end. ``on_update`` receives the updates of a spectator."""
    async with AsyncExitStack() as stack:
        server = plan.server or await own_server(stack)
        # An unreachable server is an error at once. Later, the client waits for the server to return.
        async with AsyncClient(server, retry_for=0) as impatient:
            game = await impatient.game(plan.game)
        skerry = await stack.enter_async_context(AsyncClient(server))
        seats = plan.seats or game.seats[0]
        table = await skerry.create(game.id, seats=seats, seed=plan.seed)
        stack.callback(interrupts.begin_cleanup)
        players = [await table.join(f"Random {number}") for number in range(seats)]
        async with asyncio.TaskGroup() as group:
            if on_update is not None:
                group.create_task(_observe(table, on_update))
            for seat in players:
                group.create_task(_play_seat(seat, _random(plan.seed, seat.number)))
        return Played(await table.replay(), await table.text())


async def own_server(stack: AsyncExitStack) -> str:
    """Start a server whose games end with the stack; return its address."""
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="skerry-")))
    # Its games are never resumed, so the data need not survive a crash of the machine.
    config = Config(port=0, data_dir=folder, fsync="everysec")
    return (await stack.enter_async_context(running_server(config))).address


async def _observe(table: AsyncTable, on_update: OnUpdate) -> None:
    async for update in table.observe(after_sequence=0):
        on_update(update)


async def _play_seat(seat: AsyncSeat, random: Random) -> None:
    async for position in seat.turns():
        # Seats that may act at once take turns, so that a seed always yields the same log.
        if position.to_act[0] == seat.number:
            await seat.act(random.choice(position.legal_moves))


def _random(seed: bytes | None, seat: int) -> Random:
    """Return the generator of a player's choices, determined by seed and seat."""
    return Random() if seed is None else Random(sha256(b"random player" + seed + bytes([seat])).digest())
