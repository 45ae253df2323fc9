"""``skerry backup`` and ``skerry restore``: all of a store comes back, into an empty one, and clients learn of it."""

from __future__ import annotations

import asyncio
import gzip
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from skerry_games.catalogue import all_games
from skerry_service.cli.app import run
from skerry_service.cli.operators import backup_commands
from skerry_service.domain.record import AbandonmentPolicy, Visibility
from skerry_service.domain.table import BOT, OPEN
from skerry_service.sessions.service import Sessions
from skerry_service.store import redis_keys
from skerry_service.store.backups.backup_file import BackedUpSession, Heading, reading, writing
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.upgrades.store_format import FORMAT, begin_format
from tests.sessions.tables import Clock, begin, move_once, sit_down
from tests.store.servers import ask, open_store, running_server

AGE = 3_600_000


@pytest.fixture(scope="module")
def served() -> Iterator[EmbeddedServer]:
    """A store that somebody serves: it holds every sort of session."""
    with running_server() as server:
        asyncio.run(fill(server))
        yield server


@pytest.fixture
def empty() -> Iterator[Path]:
    """A data directory that is still to be made, by a path that a socket can have."""
    with TemporaryDirectory(prefix="skerry-test-") as folder:
        yield Path(folder) / "data"


async def fill(server: EmbeddedServer) -> None:
    """Store a listed lobby, a game that watches its players, one that is over, and a damaged one."""
    await ask(server, "HSET", redis_keys.STORE, "a", AGE, redis_keys.ARCHIVE_ID, "where finished games go")
    async with open_store(server) as store:
        await begin_format(store, "0.0")
        sessions = Sessions(store, clock_ms=Clock())
        await begin(sessions, all_games()["tenerife"], OPEN, OPEN, visibility=Visibility.PUBLIC)
        watching = AbandonmentPolicy(absence_ms=60_000)
        playing = await sit_down(sessions, all_games()["kreta"], 2, abandonment=watching)
        await move_once(sessions, playing)
        await begin(sessions, all_games()["canarias"], BOT, BOT)
        damaged = await begin(sessions, all_games()["kreta"], OPEN, OPEN)
        await ask(server, "HDEL", redis_keys.head(damaged.id), "r")


async def queued(server: EmbeddedServer, queue: str) -> list[bytes]:
    """Return the sessions in a queue of the schedule."""
    return sorted([one for key in redis_keys.shards(queue) for one in await ask(server, "ZRANGE", key, 0, -1)])


async def contents(server: EmbeddedServer) -> dict[str, Any]:
    """Return all that a store holds, but for what runs on and what comes back by itself."""
    sessions = await queued(server, "expiry")  # their due times may be earlier than need be
    heads = {one: await ask(server, "HGETALL", b"skerry:{%s}" % one) for one in sessions}
    return {
        "listed": await ask(server, "ZRANGE", redis_keys.LISTED, 0, -1, "WITHSCORES"),
        "heads": {one: dict(zip(head[::2], head[1::2], strict=True)) for one, head in heads.items()},
        "logs": {one: await ask(server, "XRANGE", b"skerry:{%s}:log" % one, "-", "+") for one in sessions},
        "timers": await queued(server, "timers"),
        "archive": await ask(server, "HGET", redis_keys.STORE, redis_keys.ARCHIVE_ID),
        "found by": _whole(await ask(server, "ZRANGE", redis_keys.INDEX_KEYS, 0, -1), heads),
        "watched": await ask(server, "ZRANGE", redis_keys.PRESENCE, 0, -1),
    }


def _whole(members: list[bytes], heads: dict[bytes, list[bytes]]) -> list[bytes]:
    """Return what sessions are found under, but for damaged ones: theirs follows from what is not there."""
    damaged = tuple(session for session, head in heads.items() if redis_keys.RECORD not in head[::2])
    return [member for member in members if not member.endswith(damaged)]


async def contents_of(directory: Path) -> tuple[dict[str, Any], int, str]:
    """Return what lies in a data directory, the age of it, and the epoch that clients see."""
    server = EmbeddedServer(directory)
    await server.start()
    try:
        age = int(await ask(server, "HGET", redis_keys.STORE, "a"))
        async with open_store(server) as store:
            return await contents(server), age, store.epoch
    finally:
        await server.stop()


def test_all_of_a_store_that_is_served_comes_back_under_another_epoch(
    served: EmbeddedServer, empty: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games"
    assert run(["backup", str(file), "--data-dir", str(served.directory)]) == 0
    assert capsys.readouterr().out.startswith(f"4 sessions of {served.directory} are in {file} (")
    assert file.stat().st_mode & 0o077 == 0
    assert run(["restore", str(file), "--check"]) == 0
    assert capsys.readouterr().out.endswith(f"are in {file}, which is complete.\n")
    assert not empty.exists()

    assert run(["restore", str(file), "--data-dir", str(empty)]) == 0
    said = capsys.readouterr().out
    kept, age, epoch = asyncio.run(contents_of(empty))
    assert kept == asyncio.run(contents(served))
    assert all(kept[what] for what in kept), "each sort of thing was there to be kept"
    assert age >= AGE
    assert epoch.startswith("durable-")
    assert said.startswith("4 sessions of ") and said.endswith(f" are in {empty}, under the epoch {epoch}.\n")

    # Nobody serves that directory now, and a backup of it is made all the same.
    assert run(["backup", str(file), "--data-dir", str(empty)]) == 0
    assert capsys.readouterr().out.startswith("4 sessions of ")
    assert run(["restore", str(file), "--data-dir", str(empty)]) == 1
    assert "This store has sessions. Restore into an empty store." in capsys.readouterr().err


def test_what_stands_in_the_place_of_a_session_is_named_and_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_server() as server:
        asyncio.run(fill(server))
        other = asyncio.run(queued(server, "expiry"))[0].decode()
        asyncio.run(ask(server, "DEL", redis_keys.head(other)))
        asyncio.run(ask(server, "SET", redis_keys.head(other), "no hash"))
        assert run(["backup", str(tmp_path / "games"), "--data-dir", str(server.directory)]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("3 sessions of ")
    assert f"session {other} is damaged: WRONGTYPE" in said.err


def test_a_file_that_is_not_whole_brings_nothing_back(
    served: EmbeddedServer, empty: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, other = tmp_path / "games", tmp_path / "other"
    assert run(["backup", str(file), "--redis-url", served.url]) == 0
    whole, plain = file.read_bytes(), gzip.decompress(file.read_bytes())
    changed = bytearray(plain)
    changed[len(plain) // 2] ^= 1
    nested = b"\x81\xa5later" + b"\x91" * 100_000  # in a field that nobody knows
    broken = [
        b"",
        b"no backup",
        whole[:-1],
        whole[: len(whole) // 2],
        gzip.compress(plain[:-1]),
        gzip.compress(plain + b"x"),
        gzip.compress(bytes(changed)),
        gzip.compress(b"skerry-backup-2\n" + plain[16:]),
        gzip.compress(plain[:16] + b"\xff" * 8),
        gzip.compress(plain[:16] + len(nested).to_bytes(4, "big") + nested),
    ]
    for data in broken:
        other.write_bytes(data)
        assert run(["restore", str(other), "--data-dir", str(empty)]) == 1
        said = capsys.readouterr().err
        assert f"{other} is damaged" in said or f"{other} is not a backup" in said
        assert not empty.exists()


def test_of_two_backups_into_one_file_at_once_each_is_whole(tmp_path: Path) -> None:
    file, heading = tmp_path / "games", Heading(taken_ms=1, uptime_ms=2, epoch="e")
    with writing(file) as one:
        one.begin(heading)
        one.add(BackedUpSession("one", (), (), None))
        with writing(file) as other:
            other.begin(heading)
            other.add(BackedUpSession("other", (), (), None))
        assert sessions_in(file) == ["other"]
    assert sessions_in(file) == ["one"]


def test_a_backup_is_on_disk_before_its_name_is_and_then_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[tuple[bool, bool]] = []
    file = tmp_path / "games"

    def fsync(descriptor: int) -> None:
        synced.append((stat.S_ISDIR(os.fstat(descriptor).st_mode), file.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    with writing(file) as writer:
        writer.begin(Heading(taken_ms=1, uptime_ms=2, epoch="e"))
    assert synced == [(False, False), (True, True)]


def sessions_in(file: Path) -> list[str]:
    with reading(file) as reader:
        return [kept.session for kept in reader.sessions()]


def test_a_backup_that_is_interrupted_leaves_nothing_behind(tmp_path: Path) -> None:
    with socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}"
        command = [sys.executable, "-m", "skerry_service.cli", "backup", str(tmp_path / "games"), "--redis-url", url]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        while not list(tmp_path.iterdir()):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
    assert (process.returncode, said) == (130, "")
    assert list(tmp_path.iterdir()) == []


def test_a_backup_has_the_sessions_that_the_indexes_lack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running_server() as server:
        asyncio.run(fill(server))
        for shard in redis_keys.shards("expiry"):
            asyncio.run(ask(server, "DEL", shard))
        assert run(["backup", str(tmp_path / "games"), "--redis-url", server.url]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("4 sessions of ")
    assert err == "skerry: The indexes have 0 of 4 sessions. Run `skerry repair`.\n"
    with reading(tmp_path / "games") as reader:
        assert (reader.heading.format, sum(1 for _ in reader.sessions())) == (FORMAT, 4)


def test_what_cannot_be_read_twice_is_not_restored(
    served: EmbeddedServer, empty: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, pipe = tmp_path / "games", tmp_path / "pipe"
    os.mkfifo(pipe)
    assert run(["restore", str(pipe), "--data-dir", str(empty)]) == 2
    assert capsys.readouterr().err.startswith(f"skerry: {pipe}: This is not a file. A restore reads it twice")
    assert not empty.exists()
    assert run(["backup", str(file), "--redis-url", served.url]) == 0
    with file.open("rb") as whole, subprocess.Popen(["cat"], stdin=whole, stdout=subprocess.PIPE) as cat:
        assert cat.stdout
        assert run(["restore", f"/dev/fd/{cat.stdout.fileno()}", "--check"]) == 0


def test_a_file_that_changes_while_it_is_restored_is_refused(
    served: EmbeddedServer,
    empty: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "games"
    assert run(["backup", str(file), "--redis-url", served.url]) == 0

    def checked_before(file: Path) -> tuple[str, int]:
        os.truncate(file, file.stat().st_size - 1)
        return "then", 4

    monkeypatch.setattr(backup_commands, "_checked", checked_before)
    assert run(["restore", str(file), "--data-dir", str(empty)]) == 1
    assert f"{file} is damaged" in capsys.readouterr().err


def test_what_is_no_file_stays_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert run(["backup", str(pipe), "--redis-url", "redis://127.0.0.1:1"]) == 2
    assert capsys.readouterr().err == f"skerry: {pipe}: This is not a file.\n"
    assert pipe.is_fifo()


def test_what_cannot_be_read_or_written_is_named(
    served: EmbeddedServer, empty: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["backup", str(tmp_path / "nowhere" / "games")]) == 2
    assert "does not exist." in capsys.readouterr().err
    assert run(["backup", str(tmp_path / "games"), "--data-dir", str(empty)]) == 1
    assert f"{empty} is not a data directory" in capsys.readouterr().err
    assert run(["backup", str(tmp_path / "games"), "--data-dir", str(tmp_path)]) == 1
    assert f"{tmp_path} is not a data directory" in capsys.readouterr().err
    assert run(["backup", str(tmp_path / "games"), "--redis-url", "redis://me:secret@127.0.0.1:1"]) == 1
    said = capsys.readouterr().err
    assert "The store at redis://127.0.0.1:1 cannot be used: Error " in said
    assert "secret" not in said
    assert list(tmp_path.iterdir()) == [], "nothing is left of a backup that failed"
    assert run(["restore", str(tmp_path / "games"), "--data-dir", str(empty)]) == 2
