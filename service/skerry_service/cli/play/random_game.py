"""Plays a whole game over the API: one random player for each seat, each with nothing but its own seat's token."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from msgspec import Struct

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_client import AsyncClient, AsyncSeat, AsyncTable
from skerry_service.cli import interrupts
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server

Watch = Callable[[api.ObserveResponse], None]


class Plan(Struct, frozen=True):
    """A game to play."""

    game: str
    seats: int | None
    """``None``: as few as the game can be played with."""
    seed: bytes | None
    """32 bytes from which chance and the players draw; ``None``: secret ones."""
    server: str | None
    """``HOST:PORT``; ``None``: a server of our own, for this game only."""


async def play(plan: Plan, watch: Watch | None) -> session_pb2.Replay:
    """Play the game to its end and return its replay. ``watch`` is called with what a spectator is told."""
    async with AsyncExitStack() as stack:
        server = plan.server or await _own_server(stack)
        # Whoever names a server that is not there learns it at once. Later a server may take its time to come back.
        async with AsyncClient(server, retry_for=0) as first_look:
            game = await first_look.game(plan.game)
        skerry = await stack.enter_async_context(AsyncClient(server))
        seats = plan.seats or game.seats[0]
        table = await skerry.create(game.id, seats=seats, seed=plan.seed)
        stack.callback(interrupts.clean_up)
        players = [await table.join(f"Random {number}") for number in range(seats)]
        async with asyncio.TaskGroup() as group:
            if watch is not None:
                group.create_task(_watch(table, watch))
            for seat in players:
                group.create_task(_play_seat(seat, _random(plan.seed, seat.number)))
        return await table.replay()


async def _own_server(stack: AsyncExitStack) -> str:
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="skerry-")))
    # Nobody resumes this game, so nothing need survive the machine.
    config = Config(port=0, data_dir=folder, fsync="everysec")
    return (await stack.enter_async_context(running_server(config))).address


async def _watch(table: AsyncTable, watch: Watch) -> None:
    async for update in table.observe(after_sequence=0):
        watch(update)


async def _play_seat(seat: AsyncSeat, random: Random) -> None:
    async for position in seat.turns():
        # While several seats decide at once they do so in turn here, so that a seed always yields the same log.
        if position.to_act[0] == seat.number:
            await seat.act(random.choice(position.legal_moves))


def _random(seed: bytes | None, seat: int) -> Random:
    """Return a player's own choices: always the same for a given seed and seat."""
    return Random() if seed is None else Random(sha256(b"random player" + seed + bytes([seat])).digest())
