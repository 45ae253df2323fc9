"""Several workers on one port: whichever dies, the game goes on; however the parent ends, nothing of it stays."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from urllib.request import urlopen

import pytest

from skerry_client import Client, Seat
from skerry_service.edge.listening.listening_sockets import open_listener
from skerry_service.wiring.config import Config
from skerry_service.wiring.workers import heartbeat
from skerry_service.wiring.workers.shared_ports import reserved_port
from skerry_service.wiring.workers.supervisor import WorkerFailed, WorkerProcess, running_workers
from tests.store.servers import until

PATIENCE = 60.0


class Service:
    """``skerry serve --workers``, over a directory of its own."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "skerry_service.cli", "serve", "--workers", str(workers), "--port", "0"]
        self.process = subprocess.Popen(
            [*command, "--http", "127.0.0.1:0"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        lines = [self.process.stdout.readline() for _ in range(2)]
        self.address, self.http = lines[0].split()[2], lines[1].split()[2]

    def children(self) -> set[int]:
        """Return the processes that it has started: the workers, and the store."""
        return _children(self.process.pid)

    def workers(self) -> set[int]:
        """Return the workers."""
        return _workers(self.process.pid)

    def await_lines(self, words: str, count: int) -> None:
        """Read its log until so many lines have said this."""
        assert self.process.stderr is not None
        while count:
            line = self.process.stderr.readline()
            assert line, "it has ended"
            count -= words in line

    def close(self) -> None:
        """End it, however it is."""
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def service() -> Iterator[Service]:
    """The path is short: those of sockets stop at 108 bytes."""
    with TemporaryDirectory(prefix="skerry-test-") as name, closing(Service(Path(name))) as service:
        yield service


def _children(pid: int) -> set[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return {int(child) for child in listed}


def _workers(pid: int) -> set[int]:
    return {child for child in _children(pid) if b"skerry_service.wiring.workers.worker_main" in _command(child)}


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.05)


def _move(seats: list[Seat], random: Random) -> bool:
    """Make one move; return whether there was one to make."""
    position = seats[0].position()
    if position.to_act:
        seat = seats[position.to_act[0]]
        seat.act(random.choice(seat.position().legal_moves))
    return bool(position.to_act)


def test_a_game_goes_on_whichever_worker_dies_and_all_of_them_drain(service: Service) -> None:
    random = Random(1)
    began = service.workers()
    assert len(began) == 2
    for number, level in ((signal.SIGUSR1, "debug"), (signal.SIGUSR2, "warning")):
        service.process.send_signal(number)
        service.await_lines(f"log level is now {level}", 1 + len(began))
    with Client(service.address) as skerry:
        table = skerry.create("kreta", seats=2)
        seats = [table.join(name) for name in ("Ada", "Bob")]
        for victim in sorted(began):
            for _ in range(5):
                assert _move(seats, random)
            before = service.workers()
            os.kill(victim, signal.SIGKILL)
            _until(lambda known=before: len(service.workers() - known) == 1)  # type: ignore[misc]
        while _move(seats, random):
            pass
        assert [entry.sequence for entry in table.replay().entries] == [*range(1, table.session().sequence + 1)]
    with urlopen(f"{service.http}/readyz") as answer:
        assert answer.status == 200
    service.process.send_signal(signal.SIGTERM)
    _, errors = service.process.communicate(timeout=PATIENCE)
    assert service.process.returncode == 0
    assert errors.count("starting a new one") == errors.count("\n") == 2


def test_when_the_parent_is_killed_nothing_of_it_goes_on(service: Service) -> None:
    children = service.children()
    assert len(children) == 3
    service.process.kill()
    _until(lambda: not any(_command(pid) for pid in children))


def _refused(folder: Path, *arguments: str, **environment: str) -> str:
    """Return what is said by a service of two workers that cannot start."""
    ended = subprocess.run(
        [sys.executable, "-m", "skerry_service.cli", "serve", "--workers", "2", *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.returncode == 1
    return ended.stderr


def test_a_port_that_somebody_else_has_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        received = _refused(tmp_path, "--port", str(port), REDIS_URL="redis://127.0.0.1:1/0")
    assert received == f"skerry: Cannot listen on 127.0.0.1:{port}; is another server there?\n"


def test_a_host_that_there_is_not_is_refused_in_one_sentence(tmp_path: Path) -> None:
    received = _refused(tmp_path, "--port", "0", "--http", "nowhere.invalid:1", REDIS_URL="redis://127.0.0.1:1/0")
    assert received.startswith("skerry: Cannot listen on nowhere.invalid:1: ")
    assert received.count("\n") == 1


def test_workers_go_by_the_settings_in_force_wherever_they_come_from_and_say_in_one_line_why_they_cannot_serve(
    tmp_path: Path,
) -> None:
    (tmp_path / "url").write_text("redis://127.0.0.1:1/0\n")
    in_a_file = {"REDIS_URL_FILE": str(tmp_path / "url"), "SKERRY_ACCESS_LOG": str(tmp_path / "none" / "log")}
    received = _refused(tmp_path, "--port", "0", "--access-log", "", **in_a_file)
    assert received.startswith("skerry: Cannot use the Redis at redis://127.0.0.1:1/0: ")
    assert received.count("\n") == 1


def test_workers_for_whose_own_ports_there_is_no_room_are_refused_in_one_sentence(tmp_path: Path) -> None:
    received = _refused(tmp_path, "--port", "0", "--metrics", "127.0.0.1:65535", REDIS_URL="redis://127.0.0.1:1/0")
    needed = "Worker 2 would need port 65536: the workers use consecutive ports from 127.0.0.1:65535, and 65535 is the"
    assert received == f"skerry: {needed} last port.\n"


async def test_a_worker_for_which_there_is_no_process_now_is_started_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As where processes are limited, or an upgrade is putting another interpreter in its place."""
    monkeypatch.setattr("skerry_service.wiring.workers.supervisor._BACKOFF", (0.01,))
    started, program = tmp_path / "started", tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho >> {started}\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    worker = WorkerProcess(Config(), attached=False)
    with pytest.raises(WorkerFailed, match="ended"):
        await worker.start()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    keeping = asyncio.create_task(worker.keep())
    try:
        await until(lambda: caplog.text.count("cannot start a worker: No such file or directory") > 1)
        open_before = len(os.listdir("/proc/self/fd"))
        await until(lambda: caplog.text.count("cannot start a worker") > 20)
        assert len(os.listdir("/proc/self/fd")) <= open_before + 2, "one attempt is under way"
        assert started.read_text() == "\n"
        monkeypatch.setattr(sys, "executable", str(program))
        await until(lambda: len(started.read_text()) > 1)
        assert not keeping.done()
    finally:
        keeping.cancel()
        await asyncio.wait((keeping,))
        await worker.end()


async def test_only_a_worker_that_hangs_is_killed_and_replaced(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(heartbeat, "MAX_MISSED", 10)
    with TemporaryDirectory(prefix="skerry-test-") as folder:
        async with running_workers(Config(data_dir=Path(folder), port=0, workers=2)) as server:
            standing, other = began = sorted(_workers(os.getpid()))
            os.kill(standing, signal.SIGSTOP)
            await until(lambda: len(_workers(os.getpid()) - set(began)) == 1)
            assert other in _workers(os.getpid())
            with Client(server.address) as skerry:
                await asyncio.to_thread(skerry.create, "kreta", seats=2)
    killed, ended = [line for line in caplog.messages if line.startswith("worker")]
    assert killed.startswith(f"worker {standing} has not responded for ")
    assert ended == f"worker {standing} ended with status -9; starting a new one"


def test_a_port_is_held_for_those_who_share_it() -> None:
    with (
        reserved_port("127.0.0.1", 0) as port,
        open_listener("127.0.0.1", port, shared=True),
        open_listener("127.0.0.1", port, shared=True),
    ):
        with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1:{port}; is another server there"):
            reserved_port("127.0.0.1", port).__enter__()
        with pytest.raises(OSError, match="is another server there"):
            open_listener("127.0.0.1", port)
