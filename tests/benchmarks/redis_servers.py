"""The two kinds of Redis that a move is measured on."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from redis import Redis
from redis.exceptions import ConnectionError as NotYetListening

from skerry_service.store import embedded_child
from skerry_service.store.server_binary import find_binary
from tests.store.servers import running_server

_PATIENCE = 10.0


@contextmanager
def durable() -> Iterator[tuple[str, int]]:
    """Run what the service starts for itself: a unix socket, every write synced before it is answered.

    Yield its URL and its process's id.
    """
    with running_server("always") as server:
        yield server.url, server.pid


@contextmanager
def plain() -> Iterator[tuple[str, int]]:
    """Run a server that is reached over TCP and keeps everything in memory. Yield its URL and its process's id."""
    port = _free_port()
    command = [sys.executable, embedded_child.__file__, str(os.getpid()), str(find_binary())]
    settings = dict(bind="127.0.0.1", port=str(port), save="", appendonly="no", dir="/")
    process = subprocess.Popen(
        command + [word for name, value in settings.items() for word in (f"--{name}", value)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        url = f"redis://127.0.0.1:{port}"
        _await_answer(url)
        yield url, process.pid
    finally:
        process.terminate()
        process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _await_answer(url: str) -> None:
    give_up = time.monotonic() + _PATIENCE
    with Redis.from_url(url, retry=None) as client:
        while True:
            try:
                client.ping()
                return
            except NotYetListening:
                if time.monotonic() > give_up:
                    raise
                time.sleep(0.02)
