"""The Redis servers of the benchmarks."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as NotYetListening
from redis.retry import Retry

from skerry_service.store.embedded import embedded_child
from skerry_service.store.embedded.server_binary import find_binary
from tests.store.servers import running_server

_PATIENCE = 10.0


@contextmanager
def durable() -> Iterator[tuple[str, int]]:
    """Run the embedded server: a unix socket, every write synced before the response. Yield its URL and process id."""
    with running_server("always") as server:
        yield server.url, server.pid


@contextmanager
def plain() -> Iterator[tuple[str, int]]:
    """Run a server over TCP that keeps everything in memory. Yield its URL and process id."""
    with _over_tcp() as (port, pid):
        yield f"redis://127.0.0.1:{port}", pid


@contextmanager
def replicated() -> Iterator[tuple[str, int]]:
    """Run a plain server with one replica that has caught up. Yield its URL and process id."""
    with _over_tcp() as (port, pid), _over_tcp(replicaof=f"127.0.0.1 {port}") as (following, _):
        with Redis(port=following) as client:
            _wait_until(lambda: client.info("replication")["master_link_status"] == "up")
        yield f"redis://127.0.0.1:{port}", pid


@contextmanager
def roomy() -> Iterator[tuple[str, int]]:
    """Run an in-memory server on a unix socket, without a memory limit. Yield its URL and process id."""
    with TemporaryDirectory(prefix="skerry-bench-") as directory:
        url = f"unix://{directory}/redis"
        with _in_memory(url, unixsocket=f"{directory}/redis", port="0") as pid:
            yield url, pid


@contextmanager
def _over_tcp(**settings: str) -> Iterator[tuple[int, int]]:
    """Yield the server's port and process id."""
    port = _free_port()
    with _in_memory(f"redis://127.0.0.1:{port}", bind="127.0.0.1", port=str(port), **settings) as pid:
        yield port, pid


@contextmanager
def _in_memory(url: str, **settings: str) -> Iterator[int]:
    """Run a server that writes nothing to disk. Yield its process id."""
    command = [sys.executable, embedded_child.__file__, str(os.getpid()), str(find_binary())]
    settings |= dict(save="", appendonly="no", dir="/")
    process = subprocess.Popen(
        command + [word for name, value in settings.items() for word in (f"--{name}", *value.split(" "))],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        with Redis.from_url(url, retry=Retry(NoBackoff(), 0)) as client:
            _wait_until(lambda: _answers(client))
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(client: Redis) -> bool:
    try:
        return bool(client.ping())
    except NotYetListening:
        return False


def _wait_until(condition: Callable[[], bool]) -> None:
    give_up = time.monotonic() + _PATIENCE
    while not condition():
        if time.monotonic() > give_up:
            raise TimeoutError("the server did not start")
        time.sleep(0.02)
