"""A ladder on a real server with a real store, played with the real client."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest

from skerry.admin.v1 import admin_pb2 as admin
from skerry.v1 import ladder_pb2, session_pb2
from skerry_client import AsyncClient, errors
from skerry_service.ladders.ladder_records import EntrantRecord
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.ladders.ladders import VERSIONS_OF_A_KEY
from skerry_service.ladders.people import rated_tables
from skerry_service.ladders.people.ladder_erasure import LadderEraser
from skerry_service.ladders.people.rated_tables import entrant_of_person
from skerry_service.sessions.lists import session_list
from skerry_service.sessions.resources.field_values import replacing
from skerry_service.sessions.resources.resource_port import FieldChange
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.ladders.bots import AS_OPERATOR, KEYS, PATIENCE, create_ladder, next_seat, serving, until, version
from tests.store.servers import open_store

ENDS = session_pb2.TIMEOUT_ACTION_END
PARTS_WITH_PEOPLE = ("games", "entrants.1", "pairs.1", "rows.1.0", "standings")


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


async def test_three_failures_rest_a_bot_until_its_author_wakes_it(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service, AsyncExitStack() as stack:
        await create_ladder(service)
        ada, bob = [await stack.enter_async_context(service.client(key)) for key in ("ada", "bob")]
        await ada.register_bot("alpha", version("alpha"))
        await bob.register_bot("beta", version("beta"))
        failed = []
        for _ in range(3):
            seats = await asyncio.gather(next_seat(ada, "alpha"), next_seat(bob, "beta"))
            await seats[0].leave()
            await seats[1].resign()
            failed.append(seats[0].name)
        with pytest.raises(errors.BotRests) as rests:
            await next_seat(ada, "alpha")
        assert rests.value.metadata["session"] == failed[-1]
        standings = {one.bot: one async for one in ada.standings("tenerife-2")}
        alpha = standings["bots/alpha"]
        assert (alpha.failures, alpha.rest.session, alpha.rest.reason) == (3, failed[-1], "alpha left the game.")
        assert standings["bots/beta"].points == 3, "a seat that failed ranks behind one that resigned"
        assert not standings["bots/beta"].HasField("rest")
        with pytest.raises(errors.NotAllowed):
            await bob.wake_bot("alpha")
        await ada.wake_bot("alpha")
        seats = await asyncio.gather(next_seat(ada, "alpha"), next_seat(bob, "beta"))
        assert seats[0].name == seats[1].name


async def test_a_seat_that_a_substitute_played_for_a_while_has_failed(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service, AsyncExitStack() as stack:
        await create_ladder(service)
        ada, bob = [await stack.enter_async_context(service.client(key)) for key in ("ada", "bob")]
        await ada.register_bot("alpha", version("alpha"))
        await bob.register_bot("beta", version("beta"))
        seats = await asyncio.gather(next_seat(ada, "alpha"), next_seat(bob, "beta"))
        await seats[0].leave()
        await seats[0].return_to_seat()
        await seats[1].resign()
        await until(lambda: has_results(ada, 1))
        (game,) = [one async for one in ada.ladder_games("tenerife-2")]
        assert {seat.bot: (seat.rank, seat.failure) for seat in game.seats} == {
            "bots/alpha": (2, "had a substitute"),
            "bots/beta": (1, ""),
        }


async def test_a_new_hash_is_a_new_version_and_the_earlier_one_plays_no_more(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    async with serving(valkey, tmp_path) as service, AsyncExitStack() as stack:
        await create_ladder(service)
        ada, bob = [await stack.enter_async_context(service.client(key)) for key in ("ada", "bob")]
        await ada.register_bot("alpha", version("alpha"), engine_commit="one")
        await bob.register_bot("beta", version("beta"))
        waiting = asyncio.create_task(next_seat(ada, "alpha"))
        await until(lambda: waits(ada))
        registered = await ada.register_bot("alpha", version("mended"), engine_commit="two")
        assert [one.engine_commit for one in (registered.version, *registered.earlier_versions)] == ["two", "one"]
        with pytest.raises(errors.VersionOutdated) as outdated:
            await waiting
        assert outdated.value.metadata["hash"] == version("mended")
        mended = ada.find_ladder_game("tenerife-2", "alpha", version("mended"), wait_for=PATIENCE)
        seats = await asyncio.gather(mended, next_seat(bob, "beta"))
        await ada.register_bot("alpha", version("again"))
        await seats[0].resign()
        await until(lambda: has_results(ada, 1))
        rows = {(one.bot, one.version): one async for one in ada.standings("tenerife-2")}
        row = rows["bots/alpha", version("mended")]
        assert (row.games, row.newest) == (1, False), "the game counts for the version that was seated"


async def test_calls_about_other_bots_and_unknown_things_are_refused(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service, AsyncExitStack() as stack:
        ada, bob = [await stack.enter_async_context(service.client(key)) for key in ("ada", "bob")]
        with pytest.raises(errors.LadderNotFound):
            await ada.ladder("tenerife-2")
        await ada.register_bot("alpha", version("alpha"))
        with pytest.raises(errors.LadderNotFound):
            await next_seat(ada, "alpha")
        ladder = await create_ladder(service)
        assert await create_ladder(service) == ladder
        with pytest.raises(grpc.aio.AioRpcError, match="other settings"):
            await create_ladder(service, seats=3)
        with pytest.raises(errors.LadderNotFound):
            await ada.ladder("tenerife-2", season=2)
        with pytest.raises(errors.NotAllowed):
            await bob.register_bot("alpha", version("beta"))
        with pytest.raises(errors.NotAllowed):
            await next_seat(bob, "alpha")
        with pytest.raises(errors.BotNotFound):
            await next_seat(bob, "beta")
        for bad in ("", "A", "a" * 33, "a b", "seat-1"):
            with pytest.raises((errors.InvalidField, TypeError, ValueError)):
                await ada.register_bot(bad or "bots/", version("alpha"))
        with pytest.raises(errors.InvalidField):
            await ada.register_bot("gamma", "abc")
        for number in range(19):
            await ada.register_bot(f"more-{number}", version("alpha"))
        with pytest.raises(errors.LimitReached):
            await ada.register_bot("one-too-many", version("alpha"))


async def test_one_key_cannot_fill_a_season_with_versions(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service, AsyncExitStack() as stack:
        await create_ladder(service)
        ada, bob = [await stack.enter_async_context(service.client(key)) for key in ("ada", "bob")]
        await ada.register_bot("alpha", version("alpha"))
        await bob.register_bot("beta", version("beta"))
        async with open_store(valkey) as store:
            played = [
                replacing("entrants.1", f"alpha/{number}", None, EntrantRecord("alpha", games=1))
                for number in range(VERSIONS_OF_A_KEY)
            ]
            assert await LadderData(store.resources).change("tenerife-2", played)
        with pytest.raises(errors.LadderClosed, match="API key has 50 versions"):
            await next_seat(ada, "alpha")
        waiting = asyncio.create_task(next_seat(bob, "beta"))
        await until(lambda: waits(bob))
        waiting.cancel()


async def test_seasons_stay_readable_and_a_closed_ladder_begins_no_games(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    async with serving(valkey, tmp_path) as service, AsyncExitStack() as stack:
        await create_ladder(service)
        ada, bob = [await stack.enter_async_context(service.client(key)) for key in ("ada", "bob")]
        await ada.register_bot("alpha", version("alpha"))
        await bob.register_bot("beta", version("beta"))
        seats = await asyncio.gather(next_seat(ada, "alpha"), next_seat(bob, "beta"))
        operators, name = service.operators, "ladders/tenerife-2"
        request = admin.StartLadderSeasonRequest(name=name, season=2)
        started = await operators.StartLadderSeason(request, metadata=AS_OPERATOR)
        assert await operators.StartLadderSeason(request, metadata=AS_OPERATOR) == started, "a repeat changes nothing"
        assert [one.season for one in started.ladder.seasons] == [2, 1]
        await operators.CloseLadder(admin.CloseLadderRequest(name=name), metadata=AS_OPERATOR)
        await seats[0].resign()
        await until(lambda: has_results(ada, 1, season=1))
        assert not [one async for one in ada.standings("tenerife-2")]
        assert len([one async for one in ada.standings("tenerife-2", season=1)]) == 2
        with pytest.raises(errors.LadderClosed):
            await next_seat(ada, "alpha")
        bots = (await operators.ListBots(admin.ListBotsRequest(page_size=1), metadata=AS_OPERATOR)).bots
        assert [(one.bot.name, one.key) for one in bots] == [("bots/alpha", "ada")]


async def waits(client: AsyncClient) -> bool:
    return (await client.ladder("tenerife-2")).waiting > 0


async def has_results(client: AsyncClient, count: int, season: int = 0) -> bool:
    games = [game async for game in client.ladder_games("tenerife-2", season=season)]
    rows = [row async for row in client.standings("tenerife-2", season=season)]  # may be half a second old
    ended = sum(game.HasField("end_time") for game in games)
    return ended == count and sum(row.games for row in rows) == 2 * count


async def test_many_tables_of_others_keep_no_table_of_people_from_counting(
    valkey: EmbeddedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_list, "_SCANNED_PER_PAGE", 2)
    monkeypatch.setattr(rated_tables, "MOST_SHOWN", 2)
    async with serving(valkey, tmp_path) as service, service.client("ada") as ada:
        await create_ladder(service, kind=ladder_pb2.LADDER_KIND_PEOPLE)
        ends = session_pb2.AbandonmentPolicy(on_resignation=ENDS)
        honest = await ada.create("tenerife", seats=2, rated=True, abandonment=ends)
        await honest.join("Ada", player_id="a1")
        for number in range(4):
            for ids in ((None, None), (f"x{number}", f"y{number}")):
                table = await ada.create("tenerife", seats=2, rated=True)
                for name, one in zip(("Eve", "Fay"), ids, strict=True):
                    await table.join(name, player_id=one)
        await until(lambda: playing(ada, 2))
        seat = await honest.join("Bob", player_id="b2")
        await seat.resign()
        await until(lambda: has_results(ada, 1))
        assert await playing(ada, 2)
        assert {one.display_name async for one in ada.standings("tenerife-2")} == {"Ada", "Bob"}


async def playing(client: AsyncClient, count: int) -> bool:
    return (await client.ladder("tenerife-2")).playing == count


@pytest.mark.deep
async def test_a_player_of_the_arena_plays_a_ladder_with_one_command(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service, AsyncExitStack() as stack:
        await create_ladder(service)
        commands = []
        for key in ("ada", "bob"):
            arguments = ("bots", "--server", service.address, "--ladder", "tenerife-2", "--name", f"{key}-bot")
            commands.append(
                await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "skerry_service.cli", *arguments, "--player", "random", "--games", "2"),
                    stdout=asyncio.subprocess.PIPE,
                    env={**os.environ, "SKERRY_API_KEY": KEYS[key]},
                )
            )
        outputs = await asyncio.gather(*(command.communicate() for command in commands))
        assert [command.returncode for command in commands] == [0, 0], outputs
        assert all(output.count(b"Game over. Rank") == 2 for output, _ in outputs), outputs
        ada = await stack.enter_async_context(service.client("ada"))
        await until(lambda: has_results(ada, 2))


async def play_rated(client: AsyncClient, *tables: tuple[bool, str, str | None]) -> None:
    """Let Bob resign against Ada at each table: whether it is rated, and the ids of the two."""
    for rated, *ids in tables:
        table = await client.create(
            "tenerife", seats=2, rated=rated, abandonment=session_pb2.AbandonmentPolicy(on_resignation=ENDS)
        )
        seats = [await table.join(name, player_id=one) for name, one in zip(("Ada", "Bob"), ids, strict=True)]
        await seats[1].resign()


async def test_people_are_ranked_by_their_rated_tables(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service, service.client("ada") as ada:
        await create_ladder(service, kind=ladder_pb2.LADDER_KIND_PEOPLE)
        await play_rated(ada, (True, "a1", "b2"), (True, "a1", "b2"), (False, "a1", "b2"), (True, "a1", None))
        strangers = [("Cyd", "c3", True), ("Dee", "d4", True), ("Eve", "e5", False)]
        finding = [
            asyncio.create_task(ada.find_match("tenerife", name, seats=2, player_id=one, rated=rated))
            for name, one, rated in strangers
        ]
        found = await asyncio.gather(*finding[:2])
        finding[2].cancel()
        assert (await found[0].session()).rated
        assert found[0].name == found[1].name
        with pytest.raises(errors.InvalidField):
            await ada.find_match("tenerife", "Fay", seats=2, rated=True)
        await until(lambda: has_results(ada, 2))
        rows = [(one.display_name, one.games, one.points, one.bot) async for one in ada.standings("tenerife-2")]
        assert rows in ([("Ada", 2, 2, ""), ("Bob", 2, 0, "")], [("Bob", 2, 0, ""), ("Ada", 2, 2, "")])
        delay = session_pb2.SpectatorDelay(seconds=600)
        obstacles: list[dict[str, Any]] = [
            {"hints": True},
            {"undo": True},
            {"seed": bytes(32)},
            {"bots": 1},
            {"visibility": "unlisted"},
            {"abandonment": session_pb2.AbandonmentPolicy(open_after_ms=86_399_999)},
        ]
        for obstacle in (*obstacles, {"delay": delay}):
            with pytest.raises(errors.InvalidField):
                await ada.create("tenerife", seats=2, rated=True, **obstacle)
        await ada.register_bot("alpha", version("alpha"))
        with pytest.raises(errors.LadderClosed):
            await next_seat(ada, "alpha")


class _Overtaken(LadderData):
    """The first change of an entrant and its results comes too late: a new result was recorded meanwhile."""

    _late = True

    async def change(self, ladder: str, changes: Sequence[FieldChange]) -> bool:
        if self._late and len(changes) > 1:
            self._late = False
            return False
        return await super().change(ladder, changes)


async def test_people_are_erased_from_their_ladders(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service, service.client("ada") as ada:
        await create_ladder(service, kind=ladder_pb2.LADDER_KIND_PEOPLE)
        await play_rated(ada, (True, "a1", "b2"), (True, "a1", "b2"))
        await until(lambda: has_results(ada, 2))
        games = [one async for one in ada.ladder_games("tenerife-2") if one.HasField("end_time")]
        async with open_store(valkey) as store:
            data = _Overtaken(store.resources)
            eraser = LadderEraser(data)
            session = games[0].session.removeprefix("sessions/")
            assert await eraser.in_session(session, "", "Ada", None) == 1
            assert [await eraser.everywhere("b2") for _ in range(2)] == [1, 0]
            seats = [seat for row in (await data.rows("tenerife-2", 1, 0)).values() for seat in row.seats]
            assert {one.entrant for one in seats} == set(await data.entrants("tenerife-2", 1))
            left = [await store.resources.read_all("ladder:tenerife-2", part) for part in PARTS_WITH_PEOPLE]
        assert entrant_of_person("b2") not in str(left)
        assert "Bob" not in str(left)

        async def erased() -> bool:
            """Return whether no reading from before the erasure is left: each serves for a moment."""
            present = {one.display_name async for one in ada.standings("tenerife-2")}
            return present == {"Forgotten"} and "Bob" not in str([one async for one in ada.ladder_games("tenerife-2")])

        await until(erased)
        games = [one async for one in ada.ladder_games("tenerife-2") if one.HasField("end_time")]
        names = [{seat.display_name for seat in one.seats} for one in games]
        assert names == [{"Forgotten"}, {"Ada", "Forgotten"}]
        assert [one.reason for one in games] == ["Forgotten resigned."] * 2
        points = [(one.games, one.points, one.blocks) async for one in ada.standings("tenerife-2")]
        assert sorted(points) == [(2, 0, 2), (2, 2, 2)]
