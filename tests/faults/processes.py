"""Real processes to hurt: the service as ``skerry serve`` runs it, and a Redis beside it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

PATIENCE = 30.0
"""Seconds after which a test stops waiting for what has to come. Far more than it takes: it only bounds a hang."""
COMMAND_LINE = "skerry_service.cli"
LIMITED = """
import os, resource, sys
soft, hard, *command = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_NOFILE, (int(soft), int(hard)))
os.execv(sys.executable, [sys.executable, *command])
"""
"""Becomes another Python with fewer descriptors."""


class Service:
    """One server process. Started again it comes back to its address, its settings and its games."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        redis_url: str | None = None,
        descriptors: tuple[int, int] | None = None,
        environment: Mapping[str, str] = MappingProxyType({}),
        module: str = COMMAND_LINE,
    ) -> None:
        """``descriptors``: the soft and the hard limit, if not those of this process; ``environment``: what it adds.

        ``module``: what is run with the arguments of ``skerry``, if not that itself.
        """
        folder.mkdir(exist_ok=True)
        self.data = folder / "data"
        self.address = "127.0.0.1:0"
        self.http = ""
        """The URL of its REST front, if it has one."""
        self.errors = folder / "stderr"
        where = ("--redis-url", redis_url) if redis_url else ("--data-dir", str(self.data))
        self._arguments = (*where, *arguments)
        self._descriptors = descriptors
        self._environment = environment
        self._module = module
        self._process: asyncio.subprocess.Process | None = None

    @property
    def process(self) -> asyncio.subprocess.Process:
        assert self._process, "start it first"
        return self._process

    async def start(self) -> None:
        """Start, and return when it answers."""
        port = self.address.rpartition(":")[2]
        arguments = ("--port", port, *self._arguments)
        self._process = await launch(
            *arguments,
            errors=self.errors,
            descriptors=self._descriptors,
            environment=self._environment,
            module=self._module,
        )
        assert self._process.stdout
        async with asyncio.timeout(PATIENCE):
            line = (await self._process.stdout.readline()).decode()
        assert line.startswith("Listening on "), self.errors.read_text()
        self.address = line.split()[2]
        if "--http" in self._arguments:
            async with asyncio.timeout(PATIENCE):
                self.http = (await self._process.stdout.readline()).decode().split()[2]

    async def kill(self) -> None:
        """End it as a crash would."""
        self.process.kill()
        await self.ended()

    async def kill_with_store(self) -> None:
        """Kill it and its embedded Valkey at once, as if the machine died."""
        store = await self.store_pid()
        self.process.kill()
        await kill_process(store)
        await self.ended()

    async def terminate(self) -> int:
        """End it as an operator would. Return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return await self.ended()

    async def ended(self) -> int:
        """Return the exit code once it has ended."""
        async with asyncio.timeout(PATIENCE):
            return await self.process.wait()

    async def close(self) -> None:
        """End it, if it has not ended, and its store with it."""
        if self._process is not None and self._process.returncode is None:
            try:
                await self.terminate()
            except TimeoutError:
                await self.kill()
                raise

    async def store_pid(self) -> int:
        """Return the process id of its embedded Valkey, as soon as there is one."""
        await until(self._store_answers)
        return int((await self.ask("INFO", "server"))["process_id"])

    async def _store_answers(self) -> bool:
        try:
            return bool(await self.ask("PING"))
        except RedisError:
            return False

    async def ask(self, *command: str | int) -> Any:
        """Send one command to its embedded Valkey, past the service."""
        return await ask(f"unix://{self.data}/redis.sock", *command)

    def descriptors(self) -> int:
        """Return how many file descriptors it has open."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def descriptor_limit(self) -> int:
        """Return how many it may have open."""
        lines = Path(f"/proc/{self.process.pid}/limits").read_text().splitlines()
        return next(int(line.split()[3]) for line in lines if line.startswith("Max open files"))

    def resident(self) -> int:
        """Return how many bytes of memory it holds."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise AssertionError("the process has no memory")


async def launch(
    *arguments: str,
    errors: Path,
    descriptors: tuple[int, int] | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
    module: str = COMMAND_LINE,
) -> asyncio.subprocess.Process:
    """Start ``skerry serve``; what it says on stderr goes to a file."""
    inherited = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    with errors.open("ab") as stderr:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, *([] if descriptors is None else ["-c", LIMITED, *map(str, descriptors)])),
            *("-m", module, "serve", *arguments),
            stdout=asyncio.subprocess.PIPE,
            stderr=stderr,
            env={**inherited, **environment},
        )


async def ask(url: str, *command: str | int) -> Any:
    """Send one command to a Redis."""
    async with Redis.from_url(url, protocol=2) as client:
        return await client.execute_command(*command)


def tail_of(directory: Path) -> Path:
    """Return the append-only file that a Redis over that directory writes at present."""
    (tail,) = directory.glob("appendonlydir/*.incr.aof")
    return tail


async def kill_process(pid: int) -> None:
    """Kill a process that is a grandchild of ours, and return when it is gone."""
    os.kill(pid, signal.SIGKILL)
    await until(lambda: not _runs(pid))


@contextmanager
def held(pid: int) -> Iterator[None]:
    """Hold a process up: it is there, and does nothing."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


async def until(condition: Callable[[], bool | Awaitable[bool]], patience: float = PATIENCE) -> None:
    """Ask until it holds; ``TimeoutError`` if it never does."""
    async with asyncio.timeout(patience):
        while not await _holds(condition):  # noqa: ASYNC110 - what it waits for happens in other processes
            await asyncio.sleep(0.002)


async def _holds(condition: Callable[[], bool | Awaitable[bool]]) -> bool:
    answer = condition()
    return answer if isinstance(answer, bool) else await answer


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
