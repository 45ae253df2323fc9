"""A tournament goes on, and each of its games counts once, while replicas are killed."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest

from skerry.v1 import tournament_pb2 as pb
from skerry_client import AsyncClient, SkerryError
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.faults.processes import Service, until
from tests.ladders.bots import KEYS, version, write_keys

pytestmark = pytest.mark.deep

FOUR = ("ada", "bob", "cyd", "dee")
GAMES = 12
KILLS = 3
PATIENCE = 90.0


class Entrant:
    """A bot that resigns all games in its second seat, over whichever replica answers."""

    def __init__(self, clients: list[AsyncClient]) -> None:
        self._clients = clients
        self._at = 0
        self.resigned: set[str] = set()

    async def enter(self, name: str, key: str) -> tuple[int, str]:
        bot = f"bot{key}"
        await self._clients[0].register_bot(bot, version(bot))
        return await self._clients[0].enter_tournament(name, bot=f"bots/{bot}")

    async def play(self, name: str, number: int, token: str) -> None:
        """Play until the tournament is over."""
        while True:
            self._at += 1
            with suppress(SkerryError, TimeoutError):
                seats = await self._clients[self._at % 2].tournament_seats(name, number, token, wait_for=5)
                if not seats:
                    return
                for seat in seats:
                    if seat.number == 1:
                        await seat.resign()
                        self.resigned.add(seat.name)
            await asyncio.sleep(0.1)


@pytest.mark.timeout(180)
async def test_no_game_is_lost_or_doubled_while_replicas_are_killed(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        store = EmbeddedServer(tmp_path / "redis")
        await store.start()
        stack.push_async_callback(store.stop)
        keys = write_keys(tmp_path / "keys")
        replicas = [Service(tmp_path / str(at), "--keys", str(keys), redis_url=store.url) for at in range(2)]
        for replica in replicas:
            stack.push_async_callback(replica.close)
        await asyncio.gather(*(replica.start() for replica in replicas))
        made = [
            [AsyncClient(one.address, api_key=KEYS[key], retry_for=20, timeout=5) for one in replicas] for key in FOUR
        ]
        for client in [client for clients in made for client in clients]:
            await stack.enter_async_context(client)
        request = pb.CreateTournamentRequest(title="Cup", game="tenerife", seats=2)
        tournament, organizer = await made[0][0].create_tournament(request)
        entrants = [Entrant(clients) for clients in made]
        entries = [await one.enter(tournament.name, key) for one, key in zip(entrants, FOUR, strict=True)]
        await made[0][0].start_tournament(tournament.name, organizer)
        playing = [
            asyncio.create_task(one.play(tournament.name, *entry)) for one, entry in zip(entrants, entries, strict=True)
        ]

        def resigned() -> int:
            return sum(len(one.resigned) for one in entrants)

        for turn in range(KILLS):
            before = resigned()
            await until(lambda: resigned() > before or all(task.done() for task in playing), PATIENCE)  # noqa: B023
            await replicas[turn % 2].kill()
            await replicas[turn % 2].start()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*playing)
        reader = made[0][0]
        found = await reader.tournament(tournament.name)
        assert found.tournament.state == pb.TOURNAMENT_STATE_FINISHED
        games = [game async for game in reader.tournament_games(tournament.name)]
        assert sorted(game.number for game in games) == list(range(GAMES))
        assert len({game.session for game in games}) == GAMES
        label = f"tournament={tournament.name.partition('/')[2]}"
        sessions = {one.name async for one in reader.sessions(label=label)}
        assert sessions == {game.session for game in games}
        assert all([seat.rank for seat in game.seats] == [1, 2] and not game.void for game in games)
        assert [(one.games, one.points) for one in found.standings] == [(6, 3)] * 4
