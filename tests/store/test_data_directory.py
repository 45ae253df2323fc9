"""Data directories that were left open, or that somebody has been at: reported, refused, or shown by the epoch."""

from __future__ import annotations

import os
import signal
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from skerry_service.sessions.store_port import Stored
from skerry_service.store.connections.server_facts import DURABLE
from skerry_service.store.embedded import embedded_server
from skerry_service.store.embedded.attached_server import AttachedServer
from skerry_service.store.embedded.data_directory import Tail, missing
from skerry_service.store.embedded.embedded_server import EmbeddedServer, EmbeddedServerError
from skerry_service.store.redis_store import RedisStore

from .commits import first, step
from .faults import recovered
from .servers import ask, open_store, until, watched
from .test_embedded import BATCHES, alive, store_something, stored


async def one_run(directory: Path) -> None:
    """Serve it once and store three batches."""
    server = EmbeddedServer(directory)
    await server.start()
    await store_something(server)
    await server.stop()


async def epoch_of(server: EmbeddedServer) -> str:
    async with open_store(server) as store:
        return store.epoch


def tail_of(directory: Path) -> Path:
    (tail,) = directory.glob("appendonlydir/*.incr.aof")
    return tail


async def test_a_directory_that_is_open_to_others_is_said_so_and_its_games_are_closed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await one_run(tmp_path)
    assert caplog.messages == []
    games = tmp_path / "appendonlydir"
    for directory in (tmp_path, games):
        directory.chmod(0o755)
    server = EmbeddedServer(tmp_path)
    await server.start()
    try:
        (line,) = caplog.messages
        assert server.warnings == (line,)
        assert f"{tmp_path} is accessible to every user" in line
        for path in (games, *games.iterdir(), tmp_path / "server.log"):
            assert path.stat().st_mode & 0o077 == 0
    finally:
        await server.stop()


def test_a_directory_that_is_gone_is_a_warning(tmp_path: Path) -> None:
    (warning,) = EmbeddedServer(tmp_path / "gone").warnings
    assert warning == f"The data directory {tmp_path}/gone cannot be found: No such file or directory."


def games_in(directory: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in directory.glob("appendonlydir/*")}


async def refused(directory: Path, words: str) -> None:
    before = games_in(directory)
    with pytest.raises(EmbeddedServerError, match=words):
        await EmbeddedServer(directory).start()
    assert games_in(directory) == before


async def test_a_directory_without_its_manifest_is_refused_and_left_alone(tmp_path: Path) -> None:
    await one_run(tmp_path)
    manifest = tmp_path / "appendonlydir" / "appendonly.aof.manifest"
    kept = manifest.read_bytes()
    manifest.unlink()
    await refused(tmp_path, r"appendonly\.aof\.manifest is missing")
    (tmp_path / "server").unlink()
    await refused(tmp_path, r"appendonly\.aof\.manifest is missing")
    manifest.write_bytes(kept)
    server = EmbeddedServer(tmp_path)
    await server.start()
    assert await stored(server) == BATCHES
    await server.stop()


async def test_a_directory_without_its_games_is_refused_until_nothing_says_that_there_were_any(tmp_path: Path) -> None:
    await one_run(tmp_path)
    (tmp_path / "appendonlydir").rename(tmp_path / "moved")
    await refused(tmp_path, "cannot find the games")
    (tmp_path / "server").unlink()
    await one_run(tmp_path)


@pytest.mark.parametrize("name", ["*.incr.aof", "*.base.*"])
async def test_a_directory_that_lacks_a_file_of_its_manifest_is_refused(tmp_path: Path, name: str) -> None:
    await one_run(tmp_path)
    (lost,) = tmp_path.glob(f"appendonlydir/{name}")  # noqa: ASYNC240
    lost.unlink()
    await refused(tmp_path, "ended at its start")


async def test_a_manifest_that_names_nothing_is_refused(tmp_path: Path) -> None:
    await one_run(tmp_path)
    (tmp_path / "appendonlydir" / "appendonly.aof.manifest").write_bytes(b"")
    await refused(tmp_path, "ended at its start")


@pytest.mark.parametrize("whole_commands", [False, True])
async def test_a_cut_tail_is_said_and_begins_another_epoch_that_lasts(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, whole_commands: bool
) -> None:
    await one_run(tmp_path)
    kept = tail_of(tmp_path).stat().st_size
    epochs = [DURABLE]
    for number in range(2):
        server = EmbeddedServer(tmp_path)
        await server.start()
        async with open_store(server) as store:
            assert await store.commit("s", step(3)) == Stored()
            assert store.epoch == epochs[-1]
        await server.stop()
        os.truncate(tail_of(tmp_path), kept if whole_commands else tail_of(tmp_path).stat().st_size - 20)
        await server.start()
        epochs.append(await epoch_of(server))
        assert await stored(server) == BATCHES
        assert len(server.warnings) == 1
        assert AttachedServer(tmp_path).warnings == server.warnings
        assert len([line for line in caplog.messages if "lacks its last" in line]) == number + 1
        await server.stop()
        kept = tail_of(tmp_path).stat().st_size
    assert len(set(epochs)) == 3


async def cut(directory: Path) -> None:
    """Have an acknowledged batch lost."""
    await one_run(directory)
    os.truncate(tail_of(directory), tail_of(directory).stat().st_size - 20)


async def test_a_server_without_memory_tells_of_a_cut_tail_too(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path)
    await server.start()
    await ask(server, "SET", "much", b"x" * 2**20)
    await server.stop()
    await cut(tmp_path)
    server = EmbeddedServer(tmp_path, memory=1)
    await server.start()
    assert await epoch_of(server) != DURABLE
    await server.stop()


async def test_a_cut_tail_is_reported_until_the_report_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await cut(tmp_path)
    server = EmbeddedServer(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(embedded_server, "secrets", None)  # as if it died right there
        with pytest.raises(AttributeError):
            await server.start()
    await server.start()
    assert len(server.warnings) == 1
    assert await epoch_of(server) != DURABLE
    await server.stop()


async def test_a_server_that_cannot_store_the_report_of_a_cut_tail_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await cut(tmp_path)
    server = EmbeddedServer(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(embedded_server, "_SET_LINEAGE", "return redis.error_reply('MISCONF no disk')")
        with pytest.raises(EmbeddedServerError, match="MISCONF no disk"):
            await server.start()
    await server.start()
    assert await epoch_of(server) != DURABLE
    await server.stop()


async def test_who_is_connected_hears_of_a_cut_tail(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path)
    await server.start()
    try:
        async with AsyncExitStack() as stack:
            store = RedisStore(server.url, on_stored=server.record_stored)
            stack.push_async_callback(store.close)
            await store.create("s", first(batch=b"begin", last=1), None)
            assert store.epoch == DURABLE
            os.kill(server.pid, signal.SIGKILL)
            dead = server.pid
            await until(lambda: not alive(dead))
            os.truncate(tail_of(tmp_path), tail_of(tmp_path).stat().st_size - 5)
            async with watched(server):
                await until(lambda: server.warnings != ())
                await recovered(store)
                assert store.epoch not in {DURABLE, ""}
                assert await store.load("s") is None
    finally:
        await server.stop()


async def test_a_rewritten_file_is_no_cut_one(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path)
    await server.start()
    await store_something(server)
    await server.stop()
    await server.start()
    await ask(server, "BGREWRITEAOF")

    async def rewritten() -> bool:
        received = (await ask(server, "INFO", "persistence")).decode()
        return "aof_rewrite_in_progress:0" in received and "aof_rewrite_scheduled:0" in received

    await until(rewritten)
    os.kill(server.pid, signal.SIGKILL)
    await server.stop()
    await server.start()
    assert (await epoch_of(server), server.warnings) == (DURABLE, ())
    await server.stop()


async def test_a_write_that_was_torn_apart_is_no_cut_one(tmp_path: Path) -> None:
    await one_run(tmp_path)
    with tail_of(tmp_path).open("ab") as file:
        file.write(b"*3\r\n$4\r\nHSET\r\n$1")
    server = EmbeddedServer(tmp_path)
    await server.start()
    assert (await epoch_of(server), server.warnings) == (DURABLE, ())
    assert await stored(server) == BATCHES
    await server.stop()


def test_what_is_missing_is_counted_only_within_one_file() -> None:
    a, longer, b = Tail("a", 10), Tail("a", 15), Tail("b", 3)
    assert missing(None, a) == missing(a, None) == missing(a, a) == missing(a, longer) == missing(longer, b) == 0
    assert missing(longer, a) == 5
