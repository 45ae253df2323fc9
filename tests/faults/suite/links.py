"""Redis beyond links that can be cut: over virtual cables between network namespaces, or through proxies."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Protocol

from redis.exceptions import RedisError

from skerry_service.store.embedded import embedded_child
from skerry_service.store.embedded.server_binary import find_binary
from tests.faults.processes import ask, until
from tests.faults.suite.proxies import TcpProxy, Way

LINKS = 2
UNSHARED = ("unshare", "--map-root-user", "--net")
"""Runs a command in a network of its own, with the rights to set it up."""
_PORT = 6379
_NO_ROOM = ("pfifo", "limit", "0")
"""A queue that drops whatever is put into it."""


class Link(Protocol):
    """A way from one replica to Redis."""

    url: str

    async def cut(self, *ways: Way) -> None:
        """Let nothing pass that way."""

    async def mend(self) -> None:
        """Let everything pass."""


async def namespaces_allowed() -> bool:
    """Whether networks can be made here."""
    if any(shutil.which(command) is None for command in ("unshare", "nsenter", "ip", "tc")):
        return False
    quiet = asyncio.subprocess.DEVNULL
    tried = await asyncio.create_subprocess_exec(
        *UNSHARED, *("ip", "link", "add", "near", "type", "veth", "peer", "name", "far"), stdout=quiet, stderr=quiet
    )
    return await tried.wait() == 0


@asynccontextmanager
async def redis_over_tcp(folder: Path, port: int, *, apart: bool) -> AsyncIterator[int]:
    """Run a Redis that syncs every write; yield its process id. ``apart``: in a network of its own."""
    folder.mkdir()  # noqa: ASYNC240
    settings = {
        "port": str(port),
        "bind": "0.0.0.0" if apart else "127.0.0.1",
        "protected-mode": "no" if apart else "yes",
        "dir": str(folder),
        "logfile": str(folder / "server.log"),
        "save": "",
        "appendonly": "yes",
        "appendfsync": "always",
    }
    process = subprocess.Popen(  # noqa: ASYNC220 - asyncio's end with a loop, and this one is ended below
        [
            *(("unshare", "--net") if apart else ()),
            *(sys.executable, embedded_child.__file__, str(os.getpid()), str(find_binary())),
            *(word for name, value in settings.items() for word in (f"--{name}", value)),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        yield process.pid
    finally:
        process.terminate()
        await asyncio.to_thread(process.wait)


async def answers(url: str) -> bool:
    """Whether a Redis does."""
    try:
        return bool(await ask(url, "PING"))
    except (RedisError, OSError):
        return False


# ---------------------------------------------------------------- cables


class Cable:
    """A link between this network and that of another process. An end drops what is sent from it while it is cut."""

    def __init__(self, number: int, pid: int) -> None:
        self._number = number
        self._far = ("nsenter", "--target", str(pid), "--net")
        self._pid = pid
        self._cut: list[Way] = []
        self.url = f"redis://10.77.{number}.2:{_PORT}"

    async def lay(self) -> None:
        """Lay it."""
        near, far = f"near{self._number}", f"far{self._number}"
        await _do("ip", "link", "add", near, "type", "veth", "peer", "name", far, "netns", str(self._pid))
        for where, end, address in (((), near, 1), (self._far, far, 2)):
            await _do(*where, "ip", "address", "add", f"10.77.{self._number}.{address}/24", "dev", end)
            await _do(*where, "ip", "link", "set", end, "up")

    async def cut(self, *ways: Way) -> None:
        for way in ways:
            await _do(*self._end(way, "replace"), *_NO_ROOM)
            self._cut.append(way)

    async def mend(self) -> None:
        while self._cut:
            await _do(*self._end(self._cut.pop(), "delete"))

    def _end(self, way: Way, does: str) -> Sequence[str]:
        where, end = ((), "near") if way == "there" else (self._far, "far")
        return *where, "tc", "qdisc", does, "dev", f"{end}{self._number}", "root"


async def _do(*command: str) -> None:
    process = await asyncio.create_subprocess_exec(*command)
    if await process.wait():
        raise OSError(f"failed: {' '.join(command)}")


@asynccontextmanager
async def cables(folder: Path) -> AsyncIterator[Sequence[Link]]:
    """Run a Redis in another network. This process has to be in one of its own, with the rights to set it up."""
    async with redis_over_tcp(folder, _PORT, apart=True) as pid:
        own = os.readlink("/proc/self/ns/net")
        await until(lambda: os.readlink(f"/proc/{pid}/ns/net") != own)
        await _do("ip", "link", "set", "lo", "up")
        laid = [Cable(number, pid) for number in range(1, LINKS + 1)]
        for cable in laid:
            await cable.lay()
        await until(lambda: answers(laid[0].url))
        yield laid


# ---------------------------------------------------------------- proxies


class Detour:
    """A link through a proxy. What is on its way while it is cut comes later, in place of being lost."""

    def __init__(self, proxy: TcpProxy) -> None:
        self._proxy = proxy
        self.url = f"redis://127.0.0.1:{proxy.port}"

    async def cut(self, *ways: Way) -> None:
        self._proxy.hold(*ways)

    async def mend(self) -> None:
        self._proxy.mend()


@asynccontextmanager
async def detours(folder: Path) -> AsyncIterator[Sequence[Link]]:
    """Run a Redis behind proxies."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    async with redis_over_tcp(folder, port, apart=False), AsyncExitStack() as stack:
        await until(lambda: answers(f"redis://127.0.0.1:{port}"))
        proxies = [await stack.enter_async_context(TcpProxy("127.0.0.1", port).listening()) for _ in range(LINKS)]
        yield [Detour(proxy) for proxy in proxies]
