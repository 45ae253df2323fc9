"""Tournaments of bots and people together, at tables of two and three, and many callers that enter at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from skerry.v1 import tournament_pb2 as pb
from skerry_client import AsyncClient
from skerry_client.errors import NameTaken
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.ladders.bots import serving, version
from tests.tournaments.test_tournament_service import cup, resign_all


async def play_mixed(
    folder: Path, valkey: EmbeddedServer, request: pb.CreateTournamentRequest
) -> list[pb.TournamentGame]:
    """Play a tournament of two people and two bots of two owners, of which the entrants 2 to 4 resign their games.

    Return its games. The first entrant, a person, wins the tournament.
    """
    async with serving(valkey, folder) as service, AsyncExitStack() as stack:
        ada, bob = [await stack.enter_async_context(service.client(key)) for key in ("ada", "bob")]
        made, organizer = await ada.create_tournament(request)
        entries = [(ada, await ada.enter_tournament(made.name, "Ada Byron", player_id="p1"))]
        for client, bot in ((ada, "gull"), (bob, "tern")):
            await client.register_bot(bot, version(bot))
            entries.append((client, await client.enter_tournament(made.name, bot=f"bots/{bot}")))
        with pytest.raises(NameTaken):
            await bob.enter_tournament(made.name, "Gull")
        entries.append((bob, await bob.enter_tournament(made.name, "Bob", player_id="p2")))
        started = await ada.start_tournament(made.name, organizer)
        assert [(one.number, one.display_name, one.bot) for one in started.entrants] == [
            (1, "Ada Byron", ""),
            (2, "gull", "bots/gull"),
            (3, "tern", "bots/tern"),
            (4, "Bob", ""),
        ]
        await asyncio.gather(*[resign_all(client, made.name, *entry, loses=entry[0] > 1) for client, entry in entries])
        found = await ada.tournament(made.name)
        assert found.tournament.state == pb.TOURNAMENT_STATE_FINISHED
        assert (found.standings[0].entrant, found.standings[0].place) == (1, 1)
        games = [game async for game in bob.tournament_games(made.name)]
        assert len(games) == found.games_finished
        assert not any(game.void for game in games)
        return games


@pytest.mark.deep
async def test_bots_and_people_meet_in_a_swiss_tournament(valkey: EmbeddedServer, tmp_path: Path) -> None:
    request = cup(format=pb.TOURNAMENT_FORMAT_SWISS, rounds=2)
    games = await play_mixed(tmp_path, valkey, request)
    tables = Counter(frozenset(seat.entrant for seat in game.seats) for game in games)
    assert set(tables.values()) == {2}  # a block of two games, and no rematch
    assert len(tables) == 4
    losers = {game.reason.removesuffix(" resigned.") for game in games}
    assert losers <= {"gull", "tern", "Bob"}


async def test_three_at_each_table_play_in_every_seat(valkey: EmbeddedServer, tmp_path: Path) -> None:
    games = await play_mixed(tmp_path, valkey, cup(seats=3, games_at_once=9))
    tables = Counter(frozenset(seat.entrant for seat in game.seats) for game in games)
    assert len(tables) == 4
    assert set(tables.values()) == {3}
    for table in tables:
        lineups = [
            [seat.entrant for seat in game.seats] for game in games if {*table} == {one.entrant for one in game.seats}
        ]
        assert all(set(column) == table for column in zip(*lineups, strict=True))
    assert {tuple(sorted(seat.rank for seat in game.seats)) for game in games} == {(1, 1, 2)}


async def test_400_callers_of_two_replicas_that_enter_at_once_take_all_places(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    async with (
        serving(valkey, tmp_path) as one,
        serving(valkey, tmp_path, flush=False) as other,
        AsyncExitStack() as stack,
    ):
        clients = [await stack.enter_async_context(service.client("ada")) for service in (one, other)]
        made, organizer = await clients[0].create_tournament(cup(most_entrants=32))

        async def enter(number: int) -> str:
            client: AsyncClient = clients[number % 2]
            try:
                await client.enter_tournament(made.name, f"player {number:03}", player_id=f"p{number}")
            except Exception as error:
                return type(error).__name__
            return "entered"

        assert Counter(await asyncio.gather(*[enter(number) for number in range(400)])) == {
            "entered": 32,
            "TournamentClosed": 368,
        }
        found = await clients[1].cancel_tournament(made.name, organizer)
        assert sorted(entrant.number for entrant in found.entrants) == list(range(1, 33))
