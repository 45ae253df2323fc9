"""Plays three sessions of each game at once over one connection, with a task for each seat."""

import asyncio
from random import choice

from skerry_client import AsyncClient, AsyncSeat


async def play(seat: AsyncSeat) -> None:
    """Play a seat to the end of its game."""
    async for position in seat.turns():
        await seat.act(choice(position.legal_moves))


async def match(skerry: AsyncClient, game: str) -> str:
    """Play a game for two and return its result."""
    table = await skerry.create(game, seats=2, visibility="unlisted")
    seats = [await table.join(name) for name in ("Ada", "Bob")]
    await asyncio.gather(*map(play, seats))
    outcome = (await table.session()).outcome
    return f"{game}: {' to '.join(map(str, outcome.scores))}"


async def main() -> None:
    """Start all games at once and print each result."""
    async with AsyncClient() as skerry:  # the server at SKERRY_SERVER, else at 127.0.0.1:50051
        games = [game.id for game in await skerry.games()]
        for ended in asyncio.as_completed([match(skerry, game) for game in 3 * games]):
            print(await ended, flush=True)


asyncio.run(main())
