"""The supervisor: starts workers, replaces those that die or hang, and lets them drain at the end.

The supervisor owns what the workers share: the reserved ports, and the embedded server, which outlives them.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Awaitable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from math import ceil
from secrets import token_urlsafe

from msgspec import MsgspecError, json
from msgspec.structs import replace

from skerry_service.edge.listening.listening_sockets import address_of
from skerry_service.wiring.config import SETTINGS, Config
from skerry_service.wiring.server import RunningServer, run_in_background
from skerry_service.wiring.setting_kinds import LAST_PORT, split_address
from skerry_service.wiring.store.opened_store import start_embedded, store_name
from skerry_service.wiring.workers.heartbeat import HEARTBEAT_SECONDS, MAX_MISSED, HeartbeatMonitor
from skerry_service.wiring.workers.readiness import NotReady, Ready
from skerry_service.wiring.workers.shared_ports import reserved_port

_START_SECONDS = 120.0
"""How long a worker may take to start. The time does not grow with the stored data."""
_DRAIN_SECONDS = 20.0
"""Time after SIGTERM after which a worker is killed. The worker's own grace period is shorter."""
_BACKOFF = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds before each further start of a worker. The sequence starts over once a worker has lived long enough."""
_STABLE_SECONDS = 60.0
_log = logging.getLogger(__name__)


class WorkerFailed(OSError):
    """A worker could not be started."""


class WorkerProcess:
    """One worker: a process that is replaced whenever it ends."""

    def __init__(self, config: Config, *, attached: bool) -> None:
        """``attached``: whether the supervisor runs the embedded server."""
        self._environment = _environment_of(config)
        self._attached = attached
        self._process: Process | None = None
        self._heartbeats: HeartbeatMonitor | None = None
        self._serves = self._stopping = False

    async def start(self) -> Ready:
        """Start a process, wait until it serves, and return its addresses. Raises WorkerFailed."""
        self._serves = False
        try:
            self._process, heartbeats = await self._spawn()
        except OSError as error:  # for example no process or file descriptor is left
            raise WorkerFailed(f"cannot start a worker: {error.strerror}") from error
        self._replace_monitor(heartbeats)
        try:
            async with asyncio.timeout(_START_SECONDS):
                message = json.decode(await heartbeats.first_line(), type=Ready | NotReady)
        except (TimeoutError, MsgspecError):
            await _kill(self._process)
            raise WorkerFailed("a worker ended before it served, or did not serve within two minutes") from None
        if isinstance(message, NotReady):
            await self._process.wait()
            raise WorkerFailed(message.reason)
        self._serves = True
        return message

    async def _spawn(self) -> tuple[Process, HeartbeatMonitor]:
        """Start a process, and return it with the monitor of its messages. Raises OSError."""
        reading, writing = os.pipe()
        try:
            arguments = (str(os.getpid()), str(writing), str(int(self._attached)))
            command = (sys.executable, "-m", f"{__package__}.worker_main", *arguments)
            # In a session of its own, the worker does not get Ctrl-C from the terminal: the supervisor lets it drain.
            process = await asyncio.create_subprocess_exec(
                *command, pass_fds=(writing,), start_new_session=True, env=self._environment
            )
        except OSError:
            os.close(reading)
            raise
        finally:
            os.close(writing)
        return process, HeartbeatMonitor(reading)

    def _replace_monitor(self, heartbeats: HeartbeatMonitor | None) -> None:
        if self._heartbeats is not None:
            self._heartbeats.close()
        self._heartbeats = heartbeats

    def signal(self, number: signal.Signals) -> None:
        """Send the process a signal if it serves. Before that, it may not have installed its signal handlers."""
        if self._process is not None and self._serves:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def keep(self) -> None:
        """Replace the process whenever it ends, until ``end``."""
        attempt, began, reported = 0, time.monotonic(), None
        while self._process is not None:
            status = await self._wait(self._process)
            if self._stopping:
                return
            attempt = 0 if time.monotonic() - began > _STABLE_SECONDS else attempt
            if self._process is not reported:
                _log.error("worker %d ended with status %d; starting a new one", self._process.pid, status)
            reported = self._process
            await asyncio.sleep(_BACKOFF[min(attempt, len(_BACKOFF) - 1)])
            attempt, began = attempt + 1, time.monotonic()
            try:
                await self.start()
            except WorkerFailed as error:  # the process has ended, so the next iteration tries again
                _log.error("%s", error)

    async def _wait(self, process: Process) -> int:
        """Return the exit status of a process. A process that hangs is killed."""
        watch = asyncio.create_task(self._kill_if_it_hangs(process))
        try:
            return await process.wait()
        finally:
            watch.cancel()

    async def _kill_if_it_hangs(self, process: Process) -> None:
        if self._heartbeats is not None and await self._heartbeats.hangs():
            seconds = MAX_MISSED * HEARTBEAT_SECONDS
            _log.error("worker %d has not responded for %d s; killing it", process.pid, seconds)
            await _kill(process)

    async def end(self) -> None:
        """Let the process drain, and kill it if that takes too long. It is not replaced."""
        self._stopping = True
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(_DRAIN_SECONDS):
                await self._process.wait()
        except TimeoutError:
            _log.error("worker %d has not drained within %d s; killing it", self._process.pid, _DRAIN_SECONDS)
            await _kill(self._process)
        self._replace_monitor(None)


@asynccontextmanager
async def running_workers(config: Config) -> AsyncGenerator[RunningServer, None]:
    """Serve with ``config.workers`` processes until the context exits, then let them drain.

    Raises the errors of ``running_server``.
    """
    async with AsyncExitStack() as stack:
        embedded = None if config.redis_url else await start_embedded(config, stack)
        shared = _with_shared(config, stack)
        workers = [
            WorkerProcess(_worker_config(shared, number), attached=embedded is not None)
            for number in range(config.workers)
        ]
        stack.push_async_callback(_end_all, workers)
        first = await workers[0].start()  # alone, so that an error that concerns all is reported once
        await asyncio.gather(*(worker.start() for worker in workers[1:]))
        tasks = [worker.keep() for worker in workers]
        failed = run_in_background(stack, _all(*tasks, embedded.watch()) if embedded else _all(*tasks))

        def forward_signal(number: signal.Signals) -> None:
            for worker in workers:
                worker.signal(number)

        yield RunningServer(
            address=first.address,
            http=first.http,
            metrics=first.metrics,
            store=store_name(config),
            warnings=first.warnings,
            failed=failed,
            secure=config.tls_certificate is not None,
            health=first.health,
            admin=first.admin,
            forward_signal=forward_signal,
        )


def _environment_of(config: Config) -> Mapping[str, str]:
    """Return the environment of a worker: ours, with all effective settings as variables, whatever their origin."""
    known = {name for setting in SETTINGS for name in (setting.variable, setting.file_variable)}
    inherited = {name: text for name, text in os.environ.items() if name not in known}
    texts = {setting.variable: setting.kind.write(setting.get(config)) for setting in SETTINGS}
    return inherited | {name: text for name, text in texts.items() if text}


def _with_shared(config: Config, stack: AsyncExitStack) -> Config:
    """Reserve what the workers share, and return the settings with it. Raises OSError."""
    if config.socket is not None:
        raise OSError("cannot use SKERRY_SOCKET with several workers, which cannot share a unix socket; use one worker")
    config = replace(config, mcp_key=config.mcp_key or token_urlsafe())  # any worker must open the handles of all
    config = replace(config, port=stack.enter_context(reserved_port(config.host, config.port)))
    return replace(config, http=_reserve(config.http, stack), health=_reserve(config.health, stack))


def _reserve(address: str | None, stack: AsyncExitStack) -> str | None:
    if address is None:
        return None
    host, port = split_address(address)
    return address_of(host, stack.enter_context(reserved_port(host, port)))


def _worker_config(config: Config, number: int) -> Config:
    """Return the settings of one worker, with its share of the child processes and its own metrics and admin port."""
    return replace(
        config,
        workers=1,
        metrics=_own_address(config.metrics, number),
        admin=_own_address(config.admin, number),
        bot_workers=ceil(config.bot_workers / config.workers),
        engine_workers=ceil(config.engine_workers / config.workers),
    )


def _own_address(address: str | None, number: int) -> str | None:
    """Return a worker's address of a port that workers do not share: consecutive ports, from that of the first worker.

    Raises OSError if the port number is too large.
    """
    if address is None:
        return None
    host, port = split_address(address)
    if port and port + number > LAST_PORT:
        raise OSError(
            f"worker {number + 1} would need port {port + number}: the workers use consecutive ports from {address}, "
            f"and {LAST_PORT} is the last port"
        )
    return address_of(host, port + number if port else 0)


async def _all(*tasks: Awaitable[None]) -> None:
    await asyncio.gather(*tasks)


async def _end_all(workers: Sequence[WorkerProcess]) -> None:
    await asyncio.gather(*(worker.end() for worker in workers))


async def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()
