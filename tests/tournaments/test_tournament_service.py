"""Tournaments on a real server with a real store, played with the real client."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from uuid import uuid4

import pytest

from skerry.v1 import session_pb2
from skerry.v1 import tournament_pb2 as pb
from skerry_client import AsyncClient
from skerry_client.errors import (
    FailedPrecondition,
    InvalidField,
    NameTaken,
    NotAllowed,
    TokenInvalid,
    TournamentClosed,
    TournamentNotFound,
)
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.ladders.bots import KEYS, PATIENCE, serving, until, version

FOUR = ("ada", "bob", "cyd", "dee")


def cup(**fields: object) -> pb.CreateTournamentRequest:
    wanted: dict[str, object] = {"title": "Harbour cup", "game": "tenerife", "seats": 2, **fields}
    return pb.CreateTournamentRequest(**wanted)  # type: ignore[arg-type]


async def resign_all(client: AsyncClient, name: str, entrant: int, token: str, *, loses: bool) -> None:
    """Play a tournament to its end. An entrant that loses resigns its games; the others wait for that."""
    while seats := await client.tournament_seats(name, entrant, token, wait_for=PATIENCE):
        for seat in seats if loses else ():
            with suppress(FailedPrecondition):  # the game has ended, and is not recorded yet
                await seat.resign()
        await asyncio.sleep(0.05)


async def test_four_bots_play_a_round_robin_by_themselves(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(service.client(key)) for key in FOUR]
        request = cup(request_id=str(uuid4()), games_at_once=3)
        made, organizer = await clients[0].create_tournament(request)
        assert (await clients[0].create_tournament(request))[1] == organizer
        entries = []
        for key, client in zip(FOUR, clients, strict=True):
            await client.register_bot(f"x{key}", version(key))
            entries.append(await client.enter_tournament(made.name, bot=f"bots/x{key}"))
        assert await clients[0].enter_tournament(made.name, bot="bots/xada") == entries[0]
        with pytest.raises(NotAllowed):
            await clients[1].enter_tournament(made.name, bot="bots/xada")
        with pytest.raises(NotAllowed):
            await clients[0].start_tournament(made.name, entries[0][1])
        await clients[0].start_tournament(made.name, organizer)
        assert not (await clients[0].start_tournament(made.name, organizer)).pairing_seed
        with pytest.raises(TournamentClosed):
            await clients[0].enter_tournament(made.name, "Late")
        # The later entrant of each pair loses.
        playing = [
            resign_all(client, made.name, *entry, loses=entry[0] > 1)
            for client, entry in zip(clients, entries, strict=True)
        ]
        await asyncio.gather(*playing)
        found = await clients[0].tournament(made.name)
        assert found.tournament.state == pb.TOURNAMENT_STATE_FINISHED
        assert (found.games_finished, found.games_playing) == (12, 0)
        assert len(found.tournament.pairing_seed) == 64
        first = found.standings[0]
        assert (first.entrant, first.place, first.games, first.points) == (1, 1, 6, 6)
        games = [game async for game in clients[0].tournament_games(made.name)]
        assert len({game.session for game in games}) == 12
        assert not any(seat.seat_token for game in games for seat in game.seats)


async def test_people_enter_with_their_names_and_get_the_seats_of_all_their_games(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    async with serving(valkey, tmp_path) as service, service.client("ada") as client:
        days = session_pb2.Clock(correspondence=session_pb2.Correspondence(days=3))
        made, organizer = await client.create_tournament(cup(clock=days, games_at_once=8))
        assert made.clock.on_expiry == session_pb2.TIMEOUT_ACTION_END
        entry = str(uuid4())
        number, token = await client.enter_tournament(made.name, "Ada", player_id="ada", request_id=entry)
        assert await client.enter_tournament(made.name, "Ada", player_id="ada", request_id=entry) == (number, token)
        with pytest.raises(NameTaken):
            await client.enter_tournament(made.name, "ADA")
        with pytest.raises(TournamentClosed, match="needs 2"):
            await client.start_tournament(made.name, organizer)
        others = [await client.enter_tournament(made.name, name) for name in ("Bob", "Cyd", "Dot")]
        await client.leave_tournament(made.name, others.pop()[1])
        await client.start_tournament(made.name, organizer)
        seats = await client.tournament_seats(made.name, number, token, wait_for=PATIENCE)
        assert len(seats) == 4  # two opponents, once in each seat
        assert [seat.number for seat in seats].count(0) == 2
        position = await seats[0].position()
        assert position is not None
        games = [game async for game in client.tournament_games(made.name, others[0][1], playing=True)]
        tokens = {(seat.entrant, bool(seat.seat_token)) for game in games for seat in game.seats}
        assert tokens == {(1, False), (2, True), (3, False)}
        with pytest.raises(TokenInvalid):
            [game async for game in client.tournament_games(made.name, organizer)]


async def test_a_knockout_goes_from_round_to_round_and_names_its_winner(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service, service.client("ada") as client:
        request = cup(format=pb.TOURNAMENT_FORMAT_KNOCKOUT, games_at_once=2)
        made, organizer = await client.create_tournament(request)
        entries = [await client.enter_tournament(made.name, name) for name in ("Ada", "Bob", "Cyd", "Dot")]
        assert not (await client.tournament(made.name)).HasField("current_round")
        await client.start_tournament(made.name, organizer)
        begun = (await client.tournament(made.name)).current_round
        assert sorted(one for table in begun.tables for one in table.entrants) == [1, 2, 3, 4]
        assert [list(table.shares) for table in begun.tables] == [[-1, -1]] * 2

        async def step() -> bool:
            """In each game in play, the entrant with the greater number resigns."""
            for number, token in reversed(entries):
                games = [game async for game in client.tournament_games(made.name, token, entrant=number, playing=True)]
                for game in games:
                    seat = max(range(2), key=lambda at: game.seats[at].entrant)
                    if game.seats[seat].seat_token:
                        with suppress(FailedPrecondition):
                            await (await client.seat(game.session, game.seats[seat].seat_token)).resign()
            return (await client.tournament(made.name)).tournament.state == pb.TOURNAMENT_STATE_FINISHED

        await until(step)
        found = await client.tournament(made.name)
        assert [len(one.tables) for one in found.rounds] == [2, 1]
        assert [one.place for one in found.standings] == [1, 2, 3, 3]
        assert found.standings[0].display_name == "Ada"
        assert sorted(found.rounds[1].tables[0].shares) == [0, 1]
        assert found.rounds[1].tables[0].advances == 1
        assert {one.advances for one in found.rounds[0].tables} == set(found.rounds[1].tables[0].entrants)
        assert not found.HasField("current_round")


async def test_a_tournament_starts_in_time_or_is_cancelled_then(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service, service.client("ada") as client:
        request = cup()
        request.start_time.FromJsonString("2001-01-01T00:00:00Z")
        made, _ = await client.create_tournament(request)

        async def cancelled() -> bool:
            return (await client.tournament(made.name)).tournament.state == pb.TOURNAMENT_STATE_CANCELLED

        await until(cancelled)
        assert "Too few" in (await client.tournament(made.name)).tournament.reason
        assert made.name in [one.name async for one in client.tournaments()]


async def test_bad_calls_are_rejected_by_name(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service, service.client("ada") as client:
        made, organizer = await client.create_tournament(cup())
        await client.cancel_tournament(made.name, organizer)
        await client.cancel_tournament(made.name, organizer)
        with pytest.raises(TournamentClosed, match="cancelled"):
            await client.start_tournament(made.name, organizer)
        with pytest.raises(TournamentNotFound):
            await client.tournament("tournaments/nothing")
        wrong = {
            "title": cup(title=" "),
            "rounds": cup(rounds=3),
            "most_entrants": cup(most_entrants=64),  # 64 of them play more than 2,000 games
            "seats": cup(seats=9),
            "meetings": cup(meetings=-1),
            "games_at_once": cup(games_at_once=33),
        }
        for field, request in wrong.items():
            with pytest.raises(InvalidField) as caught:
                await client.create_tournament(request)
            assert caught.value.metadata["field"] == field
        async with AsyncClient(service.address, api_key=KEYS["bob"]) as other:
            with pytest.raises(TokenInvalid):
                await other.cancel_tournament(made.name, "skerry_host_" + "a" * 26)
