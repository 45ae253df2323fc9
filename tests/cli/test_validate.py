"""``skerry validate`` on a real store: what passes, what differs, what is of other rules, and what it exits with."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from skerry_games.catalogue import all_games
from skerry_service.domain.log import pack
from skerry_service.domain.record import unpack_record
from skerry_service.domain.table import BOT, OPEN
from skerry_service.sessions.service import Sessions
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.upgrades.store_format import begin_format
from tests.cli.conftest import Run
from tests.sessions.tables import Clock, begin, move_once, sit_down
from tests.store.servers import ask, open_store, running_server


@pytest.fixture
def valkey() -> Iterator[EmbeddedServer]:
    with running_server() as server:
        yield server


async def fill(server: EmbeddedServer) -> list[str]:
    """Store a lobby, a game in play, and one that is over; return their ids in that order."""
    async with open_store(server) as store:
        await begin_format(store, "0.0")
        sessions = Sessions(store, clock_ms=Clock())
        lobby = await begin(sessions, all_games()["tenerife"], OPEN, OPEN)
        playing = await sit_down(sessions, all_games()["kreta"], 2)
        await move_once(sessions, playing)
        over = await begin(sessions, all_games()["canarias"], BOT, BOT)
        return [lobby.id, playing.id, over.id]


async def change_ruleset(server: EmbeddedServer, session: str) -> None:
    async with open_store(server) as store:
        head = await store.load(session)
        assert head
        record = replace(unpack_record(head.record), ruleset="of-another-build")
        await ask(server, "HSET", redis_keys.head(session).decode(), redis_keys.RECORD.decode(), pack(record))


def test_sessions_are_followed_anew_and_the_first_difference_is_named(valkey: EmbeddedServer, skerry: Run) -> None:
    lobby, playing, over = asyncio.run(fill(valkey))
    good = skerry("validate", "--redis-url", valkey.url)
    assert (good.returncode, good.stderr) == (0, "")
    rest = "0 differ, 0 have rulesets that this build does not support."
    assert good.stdout == f"2 sessions: 2 pass, {rest}\n"
    with_finished = skerry("validate", "--data-dir", valkey.directory, "--finished")
    assert with_finished.stdout == f"3 sessions: 3 pass, {rest}\n"

    asyncio.run(change_ruleset(valkey, lobby))
    unknown = skerry("validate", REDIS_URL=valkey.url)
    assert unknown.returncode == 3
    assert f"sessions/{lobby}: " in unknown.stdout
    assert "of-another-build" in unknown.stdout

    asyncio.run(ask(valkey, "XTRIM", redis_keys.log(playing).decode(), "MAXLEN", "2"))
    differs = skerry("validate", REDIS_URL=valkey.url)
    assert differs.returncode == 1
    assert f"sessions/{playing}: at entry 1 " in differs.stdout
    assert "2 sessions: 0 pass, 1 differ, 1 have" in differs.stdout
    assert over not in differs.stdout


def test_sessions_that_the_indexes_lack_are_validated_and_counted(valkey: EmbeddedServer, skerry: Run) -> None:
    asyncio.run(fill(valkey))
    for shard in redis_keys.shards("expiry"):
        asyncio.run(ask(valkey, "DEL", shard))
    found = skerry("validate", "--redis-url", valkey.url, "--finished")
    assert found.returncode == 1
    assert "3 sessions: 3 pass" in found.stdout
    assert found.stdout.endswith("The indexes have 0 of 3 sessions. Run `skerry repair`.\n")


def test_a_store_that_is_not_there_is_named(skerry: Run) -> None:
    refused = skerry("validate", "--redis-url", "redis://me:secret@127.0.0.1:1")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "The store at redis://127.0.0.1:1 cannot be read" in refused.stderr
    assert "secret" not in refused.stderr and "request id" not in refused.stderr
