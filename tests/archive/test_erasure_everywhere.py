"""Erasure of a player from everything that a service has stored, and a search of all its bytes afterwards."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path

import grpc
import pytest

from skerry.admin.v1 import admin_pb2 as admin
from skerry.v1 import ladder_pb2, session_pb2
from skerry_client import AsyncClient, AsyncSeat
from skerry_client.errors import EntriesLost
from skerry_games.catalogue import all_games
from skerry_service.archive.archive import archive_at
from skerry_service.archive.log_erasure import without_texts
from skerry_service.archive.mover import Mover
from skerry_service.cli.app import run
from skerry_service.domain.cooperative import run_to_completion
from skerry_service.domain.table import OPEN
from skerry_service.ladders.people.rated_tables import entrant_of_person
from skerry_service.matching.no_shows import caller_of_player
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.operators.player_erasure import PlayerErasure
from tests.games.other_editions import added_editions_restored, other_edition
from tests.ladders.bots import AS_OPERATOR, PATIENCE, LadderService, create_ladder, serving, until
from tests.sessions.tables import Clock, begin, move_once, uuid
from tests.store.servers import ask, open_store, running_server
from tests.tournaments.test_tournament_service import cup

ADA, ADAS_ID = "Adalind", "shop:4711"
ENDS = session_pb2.TIMEOUT_ACTION_END
TRACES = (ADA.encode(), ADAS_ID.encode(), entrant_of_person(ADAS_ID).encode())


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedServer]:
    with running_server() as server:
        yield server


async def seated(client: AsyncClient, *others: str, rated: bool = False) -> list[AsyncSeat]:
    """Return the seats of Ada and others in a new game for two. It begins once both seats are taken."""
    policy = session_pb2.AbandonmentPolicy(on_resignation=ENDS)
    table = await client.create(
        "tenerife", seats=2, rated=rated, abandonment=policy, visibility="public" if rated else "unlisted"
    )
    seats = [await table.join(ADA, player_id=ADAS_ID)]
    return seats + [await table.join(name, player_id=f"shop:{name}") for name in others]


async def everything(server: EmbeddedServer, archive: Path) -> bytes:
    """Return all keys and values of the store, and all names and contents of the archive."""
    found: list[bytes] = []
    for key in await ask(server, "KEYS", "*"):
        kind = (await ask(server, "TYPE", key)).decode()
        commands: dict[str, tuple[str | int | bytes, ...]] = {
            "hash": ("HGETALL", key),
            "zset": ("ZRANGE", key, 0, -1),
            "stream": ("XRANGE", key, "-", "+"),
            "string": ("GET", key),
        }
        found += [key, repr(await ask(server, *commands[kind])).encode()]
    return b"\n".join((*found, *files_of(archive)))


def files_of(archive: Path) -> Iterator[bytes]:
    for path in archive.rglob("*"):
        yield str(path).encode()
        if path.suffix == ".gz":
            yield gzip.decompress(path.read_bytes())


def traces(found: bytes) -> set[bytes]:
    return {one for one in TRACES if one in found}


async def to_the_end(updates: AsyncIterator[object]) -> None:
    async for _ in updates:
        pass


async def fill(service: LadderService, client: AsyncClient, valkey: EmbeddedServer, archive: Path) -> list[AsyncSeat]:
    """Leave traces of Ada everywhere. Return the seats of the game in play."""
    await create_ladder(service, "people", kind=ladder_pb2.LADDER_KIND_PEOPLE)
    await seated(client)  # in a lobby
    playing = await seated(client, "Bob")
    archived, finished, rated = await seated(client, "Bob"), await seated(client, "Bob"), await seated(client, "Cyd")
    for seats in (archived, finished, rated):
        await seats[0].resign()
    await finished[1].rematch()  # whose seats are kept under the names
    (rated_game,) = [await seated(client, "Bob", rated=True)]
    await rated_game[0].resign()

    async def counts() -> bool:
        return [one async for one in client.standings("people")] != []

    await until(counts)
    made, organizer = await client.create_tournament(cup())
    await client.enter_tournament(made.name, ADA, player_id=ADAS_ID)
    await client.enter_tournament(made.name, "Bob", player_id="shop:Bob")
    await client.start_tournament(made.name, organizer)

    async def plays() -> bool:
        return [one async for one in client.tournament_games(made.name)] != []

    await until(plays)
    async with open_store(valkey) as store:
        await Mover(store, archive_at(str(archive)), 0).move(archived[0].name.removeprefix("sessions/"))
    key = f"skerry:{{match:{all_games()['tenerife'].ruleset}}}:no_shows"
    await ask(valkey, "ZADD", key, 64_001, caller_of_player("ada", ADAS_ID))
    return playing


async def test_nothing_of_a_player_is_left_after_one_call(valkey: EmbeddedServer, tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    async with serving(valkey, tmp_path, archive=str(archive)) as service, service.client("ada") as client:
        ada, bob = await fill(service, client, valkey, archive)
        assert traces(await everything(valkey, archive)) == set(TRACES)
        watching = bob.observe()
        await anext(watching)
        request = admin.ForgetPlayerRequest(player_id=ADAS_ID)
        done = await service.operators.ForgetPlayer(request, metadata=AS_OPERATOR, timeout=60)
        assert (done.tournaments, done.seasons, done.missed_proposals, list(done.problems)) == (1, 1, 1, [])
        assert done.sessions == 8  # lobby, in play, archived, finished, its rematch, twice rated or not, tournament
        assert traces(await everything(valkey, archive)) == set()
        again = await service.operators.ForgetPlayer(request, metadata=AS_OPERATOR, timeout=60)
        assert again == admin.ForgetPlayerResponse()
        seats = (await bob.session()).seats
        assert [(one.display_name, one.player_id) for one in seats] == [("Forgotten", ""), ("Bob", "shop:Bob")]
        for seat in (ada, bob):  # the tokens still play
            position = await seat.position()
            if position.legal_moves:
                await seat.act(position.legal_moves[0])
        with pytest.raises(EntriesLost):  # so that clients drop what they have, and read it again
            await asyncio.wait_for(to_the_end(watching), PATIENCE)
        async with aclosing(bob.observe()) as again_watching:
            assert (await anext(again_watching)).session.seats[0].display_name == "Forgotten"
        assert ADA not in str(await bob.entries())


async def test_nothing_of_a_player_is_left_after_one_command(
    valkey: EmbeddedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = tmp_path / "archive"
    async with serving(valkey, tmp_path, archive=str(archive)) as service, service.client("ada") as client:
        await fill(service, client, valkey, archive)
        settings = ["--archive", str(archive), "--redis-url", valkey.url]
        assert await asyncio.to_thread(run, ["forget", ADAS_ID, *settings]) == 0
        said = capsys.readouterr().out
        assert said.count("The name and the id are erased.") == 8
        assert "Tournaments: " in said and "Ladders: " in said
        assert traces(await everything(valkey, archive)) == set()
        assert await asyncio.to_thread(run, ["forget", ADAS_ID, *settings]) == 0
        assert capsys.readouterr().out == "Nothing is stored about this player.\n"


async def test_without_an_archive_finished_games_lose_the_name_where_they_are(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    async with serving(valkey, tmp_path) as service, service.client("ada") as client:
        ada, bob = await seated(client, "Bob")
        await ada.resign()
        done = await service.operators.ForgetPlayer(
            admin.ForgetPlayerRequest(player_id=ADAS_ID), metadata=AS_OPERATOR, timeout=60
        )
        assert (done.sessions, list(done.problems)) == (1, [])
        assert traces(await everything(valkey, tmp_path)) == set()
        assert (await bob.session()).outcome.reason == "Forgotten resigned."
        assert (await bob.replay()).session.seats[0].display_name == "Forgotten"


async def test_missed_proposals_of_an_edition_are_erased_too(valkey: EmbeddedServer) -> None:
    with added_editions_restored():
        key = f"skerry:{{match:{other_edition('kreta').ruleset}}}:no_shows"
        await ask(valkey, "ZADD", key, 64_001, caller_of_player("ada", ADAS_ID))
        async with open_store(valkey) as store:
            steps = [one async for one in PlayerErasure(store, None, lambda: ["ada"]).everywhere(ADAS_ID)]
        assert [(one.place, one.count) for one in steps] == [("matchmaking", 1)]
        assert await ask(valkey, "ZCARD", key) == 0


async def test_an_erasure_without_a_player_is_refused(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with serving(valkey, tmp_path) as service:
        for text in ("", "two words", "x" * 1000):
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await service.operators.ForgetPlayer(
                    admin.ForgetPlayerRequest(player_id=text), metadata=AS_OPERATOR, timeout=60
                )
            assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_log_without_the_player_leads_to_the_same_head() -> None:
    """What the head has and the log does not lead to would be lost by an erasure."""
    store = MemoryStore()
    sessions = Sessions(store, clock_ms=Clock())
    sitting = await begin(sessions, all_games()["kreta"], OPEN, OPEN, labels=(("club", "north"),))
    for request, name in enumerate(("Ada", "Bob"), 1):
        joined = await sessions.players.join(sitting.id, name, None, uuid(request), player_id=f"shop:{name}")
        sitting.seats.append(joined[2])
    await move_once(sessions, sitting)
    found = await store.finished.read(sitting.id)
    assert found is not None
    assert run_to_completion(without_texts(sitting.id, found, ())) == found
    erased = run_to_completion(without_texts(sitting.id, found, {"Ada", "shop:Ada"}))
    assert len(erased.requests) == len(found.requests) - 1
    assert erased.head.chained_hash != found.head.chained_hash
    await sessions.close()
