"""A ladder on a real server with a real store, played with the real client."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.ladders.bots import create_ladder, next_seat, serving, until, version


async def test_two_bots_play_a_block_and_stand_on_the_ladder(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service, AsyncExitStack() as stack:
        await create_ladder(service)
        ada, bob = [await stack.enter_async_context(service.client(key)) for key in ("ada", "bob")]
        await ada.register_bot("alpha", version("alpha"), engine_commit="1234abcd", contact="ada@example.org")
        await bob.register_bot("beta", version("beta"))
        for _ in range(2):
            seats = await asyncio.gather(next_seat(ada, "alpha"), next_seat(bob, "beta"))
            assert seats[0].name == seats[1].name
            again = await next_seat(ada, "alpha")
            assert (again.name, again.number, again.token) == (seats[0].name, seats[0].number, seats[0].token)
            await seats[1].resign()

        async def complete() -> bool:
            return len([game async for game in ada.ladder_games("tenerife-2") if game.HasField("end_time")]) == 2

        await until(complete)
        games = [game async for game in ada.ladder_games("tenerife-2")]
        assert [seat.bot for seat in games[0].seats] == [seat.bot for seat in reversed(games[1].seats)]
        standings = [one async for one in ada.standings("tenerife-2")]
        assert {one.bot: (one.games, one.blocks, one.points, one.failures) for one in standings} == {
            "bots/alpha": (2, 1, 2.0, 0),
            "bots/beta": (2, 1, 0.0, 0),
        }
        (row,) = await ada.head_to_head("tenerife-2", "alpha")
        assert (row.opponent, row.wins, row.ties, row.losses) == ("bots/beta", 2, 0, 0)
