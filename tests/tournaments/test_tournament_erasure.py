"""Erasure of people from tournaments: with the command at a real server, and against a leader with an old copy."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from skerry.v1 import tournament_pb2 as pb
from skerry_games.pairing.form import Format
from skerry_service.cli.app import run
from skerry_service.domain.errors import StoreUnavailable
from skerry_service.sessions.resources.memory_resources import MemoryResources
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.tournaments.tournament_course import known_games, session_of_game
from skerry_service.tournaments.tournament_erasure import TournamentEraser
from skerry_service.tournaments.tournament_games import with_names
from skerry_service.tournaments.tournament_records import ENTRY, GAMES, RESULTS, StoredTournament, TournamentState
from skerry_service.tournaments.tournament_store import TournamentData
from skerry_service.tournaments.tournaments import TournamentProgress
from tests.ladders.bots import PATIENCE, serving, until
from tests.store.servers import open_store
from tests.tournaments.test_tournament_course import played, running
from tests.tournaments.test_tournament_load import started, tournaments
from tests.tournaments.test_tournament_service import cup


async def test_a_person_is_erased_while_games_are_in_play_and_no_later_result_has_the_name(
    valkey: EmbeddedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving(valkey, tmp_path) as service, service.client("ada") as client:
        made, organizer = await client.create_tournament(cup(games_at_once=2))
        ada = await client.enter_tournament(made.name, "Adalind", player_id="shop:1")
        await client.enter_tournament(made.name, "Bob", player_id="shop:2")
        await client.start_tournament(made.name, organizer)
        first, second = await client.tournament_seats(made.name, *ada, wait_for=PATIENCE)
        await first.resign()

        async def finished() -> int:
            return (await client.tournament(made.name)).games_finished

        await until(finished)
        forget = ["forget", "shop:1", "--archive", str(tmp_path / "archive"), "--redis-url", valkey.url]
        assert await asyncio.to_thread(run, forget) == 0
        assert "Tournaments: The name is erased." in capsys.readouterr().out
        await asyncio.to_thread(run, forget)
        assert "Tournaments" not in capsys.readouterr().out
        await second.resign()

        async def over() -> bool:
            return (await client.tournament(made.name)).tournament.state == pb.TOURNAMENT_STATE_FINISHED

        await until(over)
        found = await client.tournament(made.name)
        rows = [(one.display_name, one.games, one.points) for one in found.standings]
        assert rows == [("Bob", 2, 2), ("Forgotten", 2, 0)]
        games = [one async for one in client.tournament_games(made.name)]
        assert {one.reason for one in games} == {"Forgotten resigned."}
        assert {seat.entrant for one in games for seat in one.seats} == {1, 2}
        async with open_store(valkey) as store:
            resource = made.name.replace("tournaments/", "tournament:")
            left = str([await store.resources.read_all(resource, part) for part in (ENTRY, GAMES, RESULTS)])
        assert "Bob" in left
        assert "Adalind" not in left
        assert "shop:1" not in left


async def test_sessions_that_are_created_after_an_erasure_lack_the_name(
    valkey: EmbeddedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = TournamentData.begin

    async def begin_before_an_erasure(self: TournamentData, *arguments: Any) -> bool:
        done = await begin(self, *arguments)
        await TournamentEraser(self).everywhere("shop:1")
        return done

    monkeypatch.setattr(TournamentData, "begin", begin_before_an_erasure)
    async with serving(valkey, tmp_path) as service, service.client("ada") as client:
        made, organizer = await client.create_tournament(cup())
        await client.enter_tournament(made.name, "Adalind", player_id="shop:1")
        bob = await client.enter_tournament(made.name, "Bob", player_id="shop:2")
        await client.start_tournament(made.name, organizer)
        (seat,) = await client.tournament_seats(made.name, *bob, wait_for=PATIENCE)
        session = await seat.session()
        assert {(one.display_name, one.player_id) for one in session.seats} == {("Forgotten", ""), ("Bob", "shop:2")}


async def test_a_leader_with_an_old_copy_never_writes_a_name_back() -> None:
    data = TournamentData(MemoryResources())
    old = await started(data, 2)
    (number, begun), *_ = (await data.in_play("t")).items()
    entrant = begun.lineup[0]
    name = old.entrants[entrant].name
    await data.list_as("t", 1, "active")
    session = session_of_game(old, number)
    assert await TournamentEraser(data).in_session(session, "", "", seat=0) == 1
    assert not await data.record("t", old, number, begun, played(old, known_games(old, {})[number], 1))
    new = await data.get("t")
    assert await data.record("t", new, number, begun, played(new, known_games(new, {})[number], 1))
    assert [one.name for one in new.entrants].count("Forgotten") == 1
    assert not any(name in one.lineup for one in (await data.results("t")).values())
    assert await TournamentEraser(data).in_session(session, "", "", seat=0) == 0


async def test_a_result_that_arrives_during_the_erasure_loses_the_name_too() -> None:
    resources, racing = MemoryResources(), list[bool]()
    data = TournamentData(resources)

    class Racing(TournamentData):
        async def results(self, tournament: str) -> object:  # type: ignore[override]
            found = await super().results(tournament)
            if not racing:
                racing.append(await data.record("t", old, number, begun, played(old, game, 1)))
            return found

    old = await started(data, 0)
    old, before = replace(old, entrants=tuple([replace(one, player_id=one.name) for one in old.entrants])), old
    assert await data.set("t", before, old)
    await data.list_as("t", 1, "active")
    (number, begun), *_ = (await data.in_play("t")).items()
    game = known_games(old, {})[number]
    name = old.entrants[begun.lineup[0]].name
    assert await TournamentEraser(Racing(resources)).everywhere(name) == 1
    assert racing == [True]
    (result,) = (await data.results("t")).values()
    assert "Forgotten" in result.lineup
    assert name not in result.lineup


async def test_standings_never_mix_names_from_before_and_after_an_erasure() -> None:
    served, _, data = tournaments()
    old = await started(data, 2)
    await data.list_as("t", 1, "active")
    session = session_of_game(old, min(await data.results("t")))
    assert await TournamentEraser(data).in_session(session, "", "", seat=0) == 1
    with pytest.raises(StoreUnavailable):  # the caller repeats the call
        await served.with_results("t", TournamentProgress(old, {}, {}))
    table = await served.table("t", await served.course("t"))
    assert sum(row.games for row in table.rows) == 4


async def test_a_person_leaves_a_tournament_that_has_not_started_and_bots_stay() -> None:
    data = TournamentData(MemoryResources())
    base = running(Format.ROUND_ROBIN, 3)
    people = tuple([replace(one, player_id=f"p{one.number}") for one in base.entrants])
    people = (replace(people[0], bot="gull"), *people[1:])
    opened = replace(base, state=TournamentState.OPEN, entrants=people)
    await data.set("t", None, opened)
    await data.list_as("t", 1, "active")
    eraser = TournamentEraser(data)
    assert [await eraser.everywhere(one.player_id) for one in people] == [0, 1, 1]
    found: StoredTournament = await data.get("t")
    assert found.entrants == people[:1]


@pytest.mark.parametrize(
    ("reason", "renamed"),
    [
        ("Ada resigned.", "X resigned."),
        ("Ada 2 ran out of time.", "X 2 ran out of time."),
        ("Ada Byron was away for too long.", "Ada Byron was away for too long."),
        ("All cards are played.", "All cards are played."),
    ],
)
def test_a_reason_names_the_player_that_it_named(reason: str, renamed: str) -> None:
    assert with_names(reason, ["Ada", "Ada 2", "Ada Byron"], ["X", "X 2", "Ada Byron"]) == renamed
