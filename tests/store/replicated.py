"""Servers with replicas, over TCP, each a process that a test can kill; Sentinels; an address that moves."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from typing import Any, Self

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError

from skerry_service.store.embedded import embedded_child
from skerry_service.store.embedded.server_binary import find_binary

from .servers import until

_RANDOM = SystemRandom()
MASTER = "skerry"
"""What the Sentinels call it."""


def installed_redis() -> Path:
    """Return the Redis on the PATH, an older one than the embedded server. Skip the test if there is none."""
    found = shutil.which("redis-server")
    if found is None:
        pytest.skip("no redis-server on the PATH")
    return Path(found)


def free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on, from below those that the system gives to connections meanwhile."""
    found: list[int] = []
    while len(found) < count:
        port = _RANDOM.randrange(10_000, 32_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            found.append(port)
    return found


class Node:
    """A server on loopback that syncs every write, or with ``sentinel`` one that watches others."""

    def __init__(
        self, folder: Path, *, sentinel: str | None = None, binary: Path | None = None, **settings: str | int
    ) -> None:
        """``settings``: those of the server, with ``_`` for ``-``. ``sentinel``: its whole configuration.

        ``binary``: the server, by default the one that the service would embed.
        """
        folder.mkdir(exist_ok=True)
        self.folder = folder
        (self.port,) = free_ports(1)
        common = {"port": self.port, "bind": "127.0.0.1", "dir": folder, "logfile": folder / "log"}
        served: Mapping[str, Any] = {"save": "", "appendonly": "yes", "appendfsync": "always"}
        names: dict[str, Any] = {name.replace("_", "-"): value for name, value in settings.items()}
        if sentinel is not None:
            (folder / "conf").write_text(sentinel)
        self._first = [folder / "conf", "--sentinel"] if sentinel is not None else []
        self._settings = common | ({} if sentinel is not None else {**served, "repl-diskless-sync-delay": 0}) | names
        self._binary = binary or find_binary()
        self._process: subprocess.Popen[bytes] | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.kill()

    @property
    def url(self) -> str:
        """What to give to a store."""
        return f"redis://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    async def start(self) -> None:
        """Start it, and return when it answers."""
        words = [str(word) for name, value in self._settings.items() for word in (f"--{name}", value)]
        child = [sys.executable, "-ISE", str(embedded_child.__file__), str(os.getpid()), str(self._binary)]
        self._process = subprocess.Popen(  # noqa: ASYNC220
            [*child, *map(str, self._first), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        await until(self._is_up)

    async def _is_up(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self.folder / "log").read_text()
        return await self.answers()

    def kill(self) -> None:
        """End it as a crash would."""
        if self._process is not None and self._process.poll() is None:
            os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait()

    async def ask(self, *command: str | int) -> Any:
        """Send it one command."""
        async with Redis(host="127.0.0.1", port=self.port, protocol=2) as client:
            return await client.execute_command(*command)

    async def answers(self) -> bool:
        """Whether it does."""
        try:
            return bool(await self.ask("PING"))
        except (RedisError, OSError):
            return False

    async def follow(self, master: Node) -> None:
        """Become a replica, and return when all of it is here."""
        await self.ask("REPLICAOF", "127.0.0.1", master.port)
        await until(lambda: self.has_all_of(master))

    async def has_all_of(self, master: Node) -> bool:
        """Whether the replica has received everything."""
        own, all_of_it = await self.ask("INFO", "replication"), await master.ask("INFO", "replication")
        up = own.get("master_link_status") == "up" and all_of_it["connected_slaves"] > 0
        return bool(up and own["slave_repl_offset"] == all_of_it["master_repl_offset"])


def watching(folder: Path, master: Node, binary: Path | None = None) -> Node:
    """Return a Sentinel that promotes a replica of this master by itself, as soon as that seems dead to it."""
    return Node(
        folder,
        binary=binary,
        sentinel=f"""
sentinel monitor {MASTER} 127.0.0.1 {master.port} 1
sentinel down-after-milliseconds {MASTER} 300
sentinel failover-timeout {MASTER} 5000
""",
    )


async def knows_replicas(sentinel: Node, count: int) -> bool:
    """Whether it has heard of that many."""
    return len(await sentinel.ask("SENTINEL", "REPLICAS", MASTER)) == count


class MovingAddress:
    """An address that stays while what answers there is exchanged, as a virtual one is moved."""

    def __init__(self, target: Node) -> None:
        self._target = target
        self._pumps: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.url = f"redis://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for pump in self._pumps:
            pump.cancel()
        await asyncio.gather(*self._pumps, return_exceptions=True)

    def move(self, target: Node) -> None:
        """Let connections that are made from now on lead there. Those that stand stay."""
        self._target = target

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there = await asyncio.open_connection("127.0.0.1", self._target.port)
        except OSError:
            writer.close()
            return
        for one in (_pump(reader, there[1]), _pump(there[0], writer)):
            task = asyncio.create_task(one)
            self._pumps.add(task)
            task.add_done_callback(self._pumps.discard)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
    finally:
        writer.close()
