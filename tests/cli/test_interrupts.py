"""Ctrl-C ends ``skerry play`` in silence with exit code 130, at whatever moment it comes, and leaves nothing behind.

A moment is so many calls of functions in the main thread, imports and clearing up included: progress, not time.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from skerry_service.api.endpoint import sessions_endpoint
from skerry_service.edge.grpc.grpc_server import GrpcServer
from skerry_service.edge.grpc.grpc_services import GrpcServices
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions

INTERRUPTED = 130
AT_ONCE = 2
FIRST = 100
"""Calls after which ``skerry`` has seen to it: setting a handler is the first thing that it does."""
OWN_SERVER = ("play", "kreta", "--seed", "5c" * 32)
IN_PERSON = ("play", "kreta", "--seat", "0", "--seed", "5c" * 32)

DEEP = (pytest.mark.deep, pytest.mark.timeout(300))  # fifty starts of a server, on a busy machine

PROGRAM = """
import os, signal, sys

last, counted = int(sys.argv[1]), 0
sys.argv = ["skerry", *sys.argv[2:]]
signal.signal(signal.SIGINT, signal.default_int_handler)

def count(frame, event, argument):
    global counted
    if event == "call":
        counted += 1
        if counted == last:
            os.kill(os.getpid(), signal.SIGINT)

from skerry_service.cli import interrupts, main

def leave(code, leave=interrupts.exit_now):
    if not last:
        print(counted, file=sys.stderr)
    leave(code)

interrupts.exit_now = leave
sys.setprofile(count)
main()
"""


def run(calls: int, arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run ``skerry`` in a session of its own and interrupt it after so many calls; never, and count them, if 0."""
    folder.mkdir()
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, str(calls), *arguments],
        input="1\n" * 400,
        env={**os.environ, "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name: paths of sockets stop at 108 bytes."""
    with TemporaryDirectory(prefix="skerry-test-") as name:
        yield Path(name)


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        pytest.param(IN_PERSON, 2, id="in person"),
        pytest.param(OWN_SERVER, 50, id="with a server of its own, often", marks=DEEP),
        pytest.param(IN_PERSON, 15, id="in person, often", marks=DEEP),
    ],
)
def test_an_interrupt_ends_play_in_silence_at_every_moment(
    folder: Path, arguments: tuple[str, ...], count: int
) -> None:
    whole = run(0, arguments, folder / "whole")
    calls = int(whole.stderr)
    moments = [FIRST, *(calls * number // count for number in range(1, count))]
    folders = [folder / str(moment) for moment in moments]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        runs = list(pool.map(run, moments, [arguments] * count, folders))
    ended = {moment: (one.returncode, one.stderr) for moment, one in zip(moments, runs, strict=True)}
    # How often a loop looks whether something is there differs between runs: the last moments may come too late.
    loud = {moment: end for moment, end in ended.items() if end not in ((INTERRUPTED, ""), (0, ""))}
    assert loud == {}
    assert sum(code == INTERRUPTED for code, _ in ended.values()) >= count * 9 // 10
    assert [path for one in folders for path in one.iterdir()] == []
    assert servers_in(folder) == []


@pytest.mark.parametrize("turns", range(4))
async def test_a_server_whose_start_is_cancelled_ends_in_silence(turns: int, caplog: pytest.LogCaptureFixture) -> None:
    sessions = Sessions(MemoryStore(), clock_ms=lambda: 0)
    server = GrpcServer(GrpcServices([sessions_endpoint(sessions)]), "127.0.0.1", 0, connections=10)
    starting = asyncio.create_task(server.start())
    for _ in range(turns):
        await asyncio.sleep(0)
    starting.cancel()
    await asyncio.wait((starting,))
    await server.stop(0)
    del server, starting
    gc.collect()
    assert caplog.messages == []
    await sessions.close()


def servers_in(folder: Path) -> list[int]:
    """Return the processes whose command names the folder."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                command = (process / "cmdline").read_bytes()
            except OSError:
                continue
            if os.fsencode(folder) in command and int(process.name) != os.getpid():
                found.append(int(process.name))
    return found


def test_who_is_waited_for_can_interrupt(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, "-1", *IN_PERSON]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=tmp_path) as play:
        assert play.stdout
        while not play.stdout.readline().startswith("Your move"):
            assert play.poll() is None
        play.send_signal(signal.SIGINT)
        _, errors = play.communicate(timeout=60)
    assert (play.returncode, errors) == (INTERRUPTED, "")
