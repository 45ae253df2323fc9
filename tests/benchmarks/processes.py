"""Processes of a benchmark. Each load and each server has its own, so that its processor time can be measured."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


@contextmanager
def server(module: str, *arguments: str, environment: Mapping[str, str] | None = None) -> Iterator[tuple[str, int]]:
    """Run a module that prints its address and serves. Yield the address and the process's id."""
    process = _start(module, arguments, environment)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().decode().strip()
        if not address:
            raise RuntimeError(f"{module} did not start")
        yield address, process.pid
    finally:
        _end(process)


def answer(module: str, *arguments: str, limit: float) -> bytes:
    """Run a module to its end, within ``limit`` seconds, and return its output."""
    process = _start(module, arguments, None)
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
        raise RuntimeError(f"{module} ended with status {process.returncode}")
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


def _start(module: str, arguments: tuple[str, ...], environment: Mapping[str, str] | None) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", f"{__package__}.{module}", *arguments],
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
