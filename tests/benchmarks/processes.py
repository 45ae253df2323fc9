"""Processes of a benchmark. Each load and each server has its own, so that its processor time can be measured."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

NODE = Path(__file__).with_name("node")
"""The programs for Node, and their packages if they are installed."""
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


@contextmanager
def server(program: str, *arguments: str, environment: Mapping[str, str] | None = None) -> Iterator[tuple[str, int]]:
    """Run a program that prints its address and serves. Yield the address and the process's id.

    ``program``: a module of this package, or a file of ``NODE``, such as ``load.mjs``.
    """
    process = _start(program, arguments, environment)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().decode().strip()
        if not address:
            raise RuntimeError(f"{program} did not start")
        yield address, process.pid
    finally:
        _end(process)


def answer(program: str, *arguments: str, limit: float) -> bytes:
    """Run a program, as ``server`` does, to its end within ``limit`` seconds. Return its output."""
    process = _start(program, arguments, None)
    overdue = threading.Timer(limit, process.kill)
    overdue.start()
    try:
        assert process.stdout is not None
        printed = process.stdout.read()
        process.wait()
    finally:
        overdue.cancel()
        _end(process)
    if process.returncode:
        raise RuntimeError(f"{program} ended with status {process.returncode}")
    return printed


def end_with_parent() -> None:
    """In a child: raise SIGTERM when stdin closes, which happens however the parent ends."""

    def wait() -> None:
        os.read(sys.stdin.fileno(), 1)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process, all threads, user and system, in seconds. Its resolution is 10 ms."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def exact_cpu_seconds(pid: int) -> float:
    """Return the processor time of the current threads of a process, in seconds, to the nanosecond."""
    used = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with suppress(FileNotFoundError), open(f"/proc/{pid}/task/{thread}/schedstat") as file:
            used += int(file.read().split()[0])
    return used / 1e9


def descendants(pid: int) -> list[int]:
    """Return the child processes of a process, and all of theirs."""
    found = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/children") as file:
            children = [int(word) for word in file.read().split()]
        found += [one for child in children for one in (child, *descendants(child))]
    return found


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process."""
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * PAGE


def _start(program: str, arguments: tuple[str, ...], environment: Mapping[str, str] | None) -> subprocess.Popen[bytes]:
    of_node = program.endswith(".mjs")
    command = ["node", str(NODE / program)] if of_node else [sys.executable, "-m", f"{__package__}.{program}"]
    return subprocess.Popen(
        [*command, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
