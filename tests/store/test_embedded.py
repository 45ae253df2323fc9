"""The embedded server: whose directory it is, that it ends with its owner, and that the games are found again."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from skerry_service.sessions.store_port import Stored
from skerry_service.store.embedded import embedded_child, embedded_server
from skerry_service.store.embedded.embedded_server import EmbeddedServer, EmbeddedServerError
from skerry_service.store.embedded.server_binary import find_binary

from .commits import first, step
from .servers import PATIENCE, ask, open_store, until, watched

OWNER = """
import asyncio, sys
from pathlib import Path
from skerry_service.store.embedded.embedded_server import EmbeddedServer

async def main():
    server = EmbeddedServer(Path(sys.argv[1]))
    await server.start()
    print(server.pid, flush=True)
    await asyncio.sleep(3600)

asyncio.run(main())
"""


async def store_something(server: EmbeddedServer) -> None:
    async with open_store(server) as store:
        await store.create("s", first(), None)
        for base in range(3):
            assert await store.commit("s", step(base)) == Stored()


async def stored(server: EmbeddedServer) -> list[bytes]:
    async with open_store(server) as store:
        return list(await store.batches("s", 0))


BATCHES = [b"batch 1", b"batch 2", b"batch 3"]


async def test_the_next_owner_finds_what_was_stored(tmp_path: Path) -> None:
    for number in range(2):
        server = EmbeddedServer(tmp_path)
        await server.start()
        if number == 0:
            await store_something(server)
        assert await stored(server) == BATCHES
        await server.stop()


@pytest.mark.parametrize("fsync", ["always", "everysec"])
async def test_the_server_is_set_up_to_keep_games(tmp_path: Path, fsync: str) -> None:
    server = EmbeddedServer(tmp_path, "always" if fsync == "always" else "everysec")
    await server.start()
    try:
        wanted = {"appendonly": "yes", "appendfsync": fsync, "save": "", "maxmemory-policy": "noeviction"}
        wanted |= {"maxmemory": str(512 * 2**20), "port": "0"}
        for name, value in wanted.items():
            assert await ask(server, "CONFIG", "GET", name) == [name.encode(), value.encode()]
        assert stat.S_IMODE(server.socket.stat().st_mode) == 0o700
        assert os.getsid(server.pid) != os.getsid(0), "a Ctrl-C must not reach it"
    finally:
        await server.stop()


async def test_a_second_owner_learns_which_process_owns_the_directory(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path)
    await server.start()
    try:
        with pytest.raises(EmbeddedServerError) as refusal:
            await EmbeddedServer(tmp_path, patience=0.1).start()
        assert str(tmp_path) in str(refusal.value)
        assert f"process {os.getpid()} (its server: {server.pid})" in str(refusal.value)
        assert await ask(server, "PING")
    finally:
        await server.stop()


async def test_a_second_owner_waits_for_the_first_to_leave(tmp_path: Path) -> None:
    leaving = EmbeddedServer(tmp_path)
    await leaving.start()
    await store_something(leaving)
    coming = EmbeddedServer(tmp_path, patience=PATIENCE)
    start = asyncio.create_task(coming.start())
    await asyncio.sleep(0)
    await leaving.stop()
    await start
    assert await stored(coming) == BATCHES
    await coming.stop()


async def test_the_server_ends_with_its_owner_however_that_ends(tmp_path: Path) -> None:
    owner = subprocess.Popen(  # noqa: ASYNC220
        [sys.executable, "-c", OWNER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert owner.stdout is not None
        orphan = int(await asyncio.to_thread(owner.stdout.readline))
        await store_something(EmbeddedServer(tmp_path))
    finally:
        owner.kill()
        owner.communicate()
    try:
        await until(lambda: not alive(orphan))
    finally:
        if alive(orphan):  # not to outlive the test that finds it alive
            os.kill(orphan, signal.SIGKILL)
    heir = EmbeddedServer(tmp_path)
    await heir.start()
    assert await stored(heir) == BATCHES
    await heir.stop()


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended but was not asked about yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_the_directory_stays_taken_while_a_server_outlives_its_owner(tmp_path: Path) -> None:
    owner = subprocess.Popen(  # noqa: ASYNC220
        [sys.executable, "-c", OWNER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert owner.stdout is not None
        orphan = int(await asyncio.to_thread(owner.stdout.readline))
        os.kill(orphan, signal.SIGSTOP)
    finally:
        owner.kill()
        owner.communicate()
    try:
        with pytest.raises(EmbeddedServerError, match=rf"{owner.pid} \(its server: {orphan}\)"):
            await EmbeddedServer(tmp_path, patience=0.1).start()
    finally:
        os.kill(orphan, signal.SIGCONT)
    heir = EmbeddedServer(tmp_path, patience=PATIENCE)
    await heir.start()
    await heir.stop()


async def test_a_child_whose_parent_is_gone_already_starts_nothing() -> None:
    command = [sys.executable, embedded_child.__file__, str(os.getppid()), "/bin/echo", "started"]
    child = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: ASYNC221
    assert (child.returncode, child.stdout) == (1, "")
    assert "parent" in child.stderr


async def test_a_server_that_dies_is_brought_back_with_its_data(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path)
    await server.start()
    try:
        await store_something(server)
        async with watched(server):
            for _ in range(2):
                dead, url = server.pid, server.url
                os.kill(dead, signal.SIGKILL)
                await until(lambda dead=dead: server.pid != dead)  # type: ignore[misc]
                await until(lambda: embedded_server._pong(server.socket))
                assert server.url == url
                assert await stored(server) == BATCHES
    finally:
        await server.stop()


async def test_the_directory_stays_taken_while_a_dead_server_is_away(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path)
    await server.start()
    try:
        os.kill(server.pid, signal.SIGKILL)
        await until(lambda: not alive(server.pid))
        with pytest.raises(EmbeddedServerError, match="in use"):
            await EmbeddedServer(tmp_path, patience=0.1).start()
    finally:
        await server.stop()


async def test_a_server_that_hangs_is_killed_and_brought_back(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path, hang_limit=1.0)
    await server.start()
    try:
        await store_something(server)
        async with watched(server):
            hung = server.pid
            os.kill(hung, signal.SIGSTOP)
            await until(lambda: server.pid != hung)
            await until(lambda: embedded_server._pong(server.socket))
            assert await stored(server) == BATCHES
    finally:
        await server.stop()


async def test_a_server_that_answers_with_errors_does_not_hang(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path, hang_limit=0.5)
    await server.start()
    try:
        await ask(server, "CONFIG", "SET", "requirepass", "secret")
        pid, beats = server.pid, 0

        async def a_second_has_passed() -> bool:
            nonlocal beats
            beats += await embedded_server._reply(server.socket) == b"-NOAUTH Authentication required.\r\n"
            return beats >= 200

        async with watched(server):
            await until(a_second_has_passed)
        assert server.pid == pid
    finally:
        await server.stop()


async def test_watching_fails_when_the_server_cannot_be_brought_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_server, "_BACKOFF", (0.0, 0.0))
    binary = script(tmp_path, f'exec {find_binary()} "$@"')
    server = EmbeddedServer(tmp_path / "data", binary=binary)
    await server.start()
    try:
        script(tmp_path, 'test "$1" = --version && echo "Valkey server v=9.1.2"')
        os.kill(server.pid, signal.SIGKILL)
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(EmbeddedServerError, match="cannot be restarted"):
                await server.watch()
    finally:
        await server.stop()


async def test_watching_ends_when_the_server_is_stopped(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path)
    await server.start()
    watch = asyncio.create_task(server.watch())
    await asyncio.sleep(0)
    await server.stop()
    async with asyncio.timeout(PATIENCE):
        await watch
    await server.stop()


async def test_a_server_that_does_not_end_is_killed(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path)
    await server.start()
    await store_something(server)
    os.kill(server.pid, signal.SIGSTOP)
    await server.stop(limit=0.1)
    await server.start()
    assert await stored(server) == BATCHES
    await server.stop()


async def test_a_log_that_was_cut_in_mid_write_is_loaded_up_to_there(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path)
    await server.start()
    await store_something(server)
    await server.stop()
    (tail,) = tmp_path.glob("appendonlydir/*.incr.aof")  # noqa: ASYNC240
    os.truncate(tail, tail.stat().st_size - 20)
    await server.start()
    try:
        assert await stored(server) == BATCHES[:2]
        async with open_store(server) as store:
            assert await store.commit("s", step(2)) == Stored()
    finally:
        await server.stop()


async def test_a_long_path_gets_its_socket_elsewhere(tmp_path: Path) -> None:
    directory = tmp_path / ("long" * 30)
    server = EmbeddedServer(directory)
    await server.start()
    try:
        assert directory not in server.socket.parents
        assert stat.S_IMODE(server.socket.parent.stat().st_mode) == 0o700
        await store_something(server)
        assert EmbeddedServer(directory).url == server.url
        assert EmbeddedServer(tmp_path / ("other" * 30)).url != server.url
    finally:
        await server.stop()
    assert not server.socket.parent.exists()


async def test_a_socket_directory_that_others_can_enter_is_refused(tmp_path: Path) -> None:
    directory = tmp_path / ("long" * 30)
    private = EmbeddedServer(directory).socket.parent
    private.mkdir(mode=0o755)
    try:
        with pytest.raises(EmbeddedServerError, match="private"):
            await EmbeddedServer(directory).start()
    finally:
        private.rmdir()


async def test_odd_names_of_directories_work(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path / "a b?c#d%20e'ü")
    await server.start()
    try:
        await store_something(server)
        assert await stored(server) == BATCHES
    finally:
        await server.stop()


async def test_data_of_a_newer_server_is_refused_and_left_alone(tmp_path: Path) -> None:
    tmp_path.joinpath("server").write_text("valkey 99.0\n")
    server = EmbeddedServer(tmp_path)
    with pytest.raises(EmbeddedServerError, match=r"which valkey 99\.0 wrote"):
        await server.start()
    assert not tmp_path.joinpath("appendonlydir").exists()
    tmp_path.joinpath("server").unlink()
    await server.start()
    await server.stop()


async def test_a_server_that_ends_at_once_is_reported_with_its_last_words(tmp_path: Path) -> None:
    log = tmp_path / "data" / "server.log"
    binary = script(tmp_path, f'test "$1" = --version && echo "Valkey server v=9.1.2" || echo "no room left" > "{log}"')
    with pytest.raises(EmbeddedServerError, match="no room left"):
        await EmbeddedServer(tmp_path / "data", binary=binary).start()


async def test_starting_from_another_thread_is_refused(tmp_path: Path) -> None:
    """The kernel would end the server with that thread."""
    refusals: list[str] = []

    def start() -> None:
        try:
            asyncio.run(EmbeddedServer(tmp_path).start())
        except EmbeddedServerError as error:
            refusals.append(str(error))

    thread = threading.Thread(target=start)
    thread.start()
    await asyncio.to_thread(thread.join)
    assert len(refusals) == 1
    assert "main thread" in refusals[0]


def script(directory: Path, line: str) -> Path:
    """Write a stand-in for a server's binary."""
    path = directory / "some-server"
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o700)
    return path
