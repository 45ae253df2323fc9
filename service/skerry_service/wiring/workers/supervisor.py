"""Keeps workers running: starts them, starts again what dies or hangs, and lets all of them drain at the end.

It owns what there is once: the ports, held for the workers, and the embedded server, which outlives them.
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

from msgspec import MsgspecError, json
from msgspec.structs import replace

from skerry_service.edge.http.http_server import address_of
from skerry_service.wiring.config import SETTINGS, Config
from skerry_service.wiring.serving import Running, run_beside, start_embedded, where_kept
from skerry_service.wiring.setting_kinds import LAST_PORT, split_address
from skerry_service.wiring.workers.heartbeat import BEAT_SECONDS, BEATS_MISSED, Pulse
from skerry_service.wiring.workers.readiness import NotReady, Ready
from skerry_service.wiring.workers.shared_ports import held

_START_SECONDS = 120.0
"""How long a worker may take to start, which grows with nothing that is stored."""
_DRAIN_SECONDS = 20.0
"""After which a worker that was told to end is killed: its own grace is shorter."""
_BACKOFF = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds before a worker is started again. It is begun anew with when one has lived for a minute."""
_LONG_SECONDS = 60.0
_log = logging.getLogger(__name__)


class WorkerFailed(OSError):
    """A worker cannot be started."""


class WorkerProcess:
    """The place of one worker."""

    def __init__(self, config: Config, *, attached: bool) -> None:
        """``attached``: whether the embedded server is run here, for it."""
        self._environment = _environment_of(config)
        self._attached = attached
        self._process: Process | None = None
        self._pulse: Pulse | None = None
        self._serves = self._ending = False

    async def start(self) -> Ready:
        """Start a process, and return what it says once it serves. Raises WorkerFailed."""
        self._serves = False
        try:
            self._process, pulse = await self._begin()
        except OSError as error:  # there is no process or descriptor for it now
            raise WorkerFailed(f"a worker cannot be started: {error.strerror}") from error
        self._listen_to(pulse)
        try:
            async with asyncio.timeout(_START_SECONDS):
                told = json.decode(await pulse.line(), type=Ready | NotReady)
        except (TimeoutError, MsgspecError):
            await _kill(self._process)
            raise WorkerFailed("a worker ended, or was killed after two minutes, before it served") from None
        if isinstance(told, NotReady):
            await self._process.wait()
            raise WorkerFailed(told.why)
        self._serves = True
        return told

    async def _begin(self) -> tuple[Process, Pulse]:
        """Start a process; return it, and where it says whether it serves. Raises OSError."""
        reading, writing = os.pipe()
        try:
            arguments = (str(os.getpid()), str(writing), str(int(self._attached)))
            command = (sys.executable, "-m", f"{__package__}.worker_main", *arguments)
            # A session of its own: an interrupt at the terminal is for us, who let it drain.
            process = await asyncio.create_subprocess_exec(
                *command, pass_fds=(writing,), start_new_session=True, env=self._environment
            )
        except OSError:
            os.close(reading)
            raise
        finally:
            os.close(writing)
        return process, Pulse(reading)

    def _listen_to(self, pulse: Pulse | None) -> None:
        if self._pulse is not None:
            self._pulse.close()
        self._pulse = pulse

    def signal(self, number: signal.Signals) -> None:
        """Send the process a signal, if it serves: before that it might not know what to do with it."""
        if self._process is not None and self._serves:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def keep(self) -> None:
        """Start another process whenever this one has ended, until it is to end."""
        attempt, began, ended = 0, time.monotonic(), None
        while self._process is not None:
            status = await self._ended(self._process)
            if self._ending:
                return
            attempt = 0 if time.monotonic() - began > _LONG_SECONDS else attempt
            if self._process is not ended:
                _log.error("worker %d ended with status %d; starting another", self._process.pid, status)
            ended = self._process
            await asyncio.sleep(_BACKOFF[min(attempt, len(_BACKOFF) - 1)])
            attempt, began = attempt + 1, time.monotonic()
            try:
                await self.start()
            except WorkerFailed as error:  # it has ended, or the one before it had: the next turn sees it
                _log.error("%s", error)

    async def _ended(self, process: Process) -> int:
        """Return the status with which a process ends. One that stands still is killed."""
        watch = asyncio.create_task(self._kill_once_still(process))
        try:
            return await process.wait()
        finally:
            watch.cancel()

    async def _kill_once_still(self, process: Process) -> None:
        if self._pulse is not None and await self._pulse.stands_still():
            seconds = BEATS_MISSED * BEAT_SECONDS
            _log.error("worker %d has not answered for %d s; it is killed", process.pid, seconds)
            await _kill(process)

    async def end(self) -> None:
        """Let the process drain, and kill it if that takes too long. It is not started again."""
        self._ending = True
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(_DRAIN_SECONDS):
                await self._process.wait()
        except TimeoutError:
            _log.error("worker %d has not drained for %d s; it is killed", self._process.pid, _DRAIN_SECONDS)
            await _kill(self._process)
        self._listen_to(None)


@asynccontextmanager
async def supervising(config: Config) -> AsyncGenerator[Running, None]:
    """Serve with the workers that are wanted until the block is left, then let them drain. Raises as ``serving``."""
    async with AsyncExitStack() as stack:
        embedded = None if config.redis_url else await start_embedded(config, stack)
        shared = _with_ports(config, stack)
        workers = [
            WorkerProcess(_part(shared, place), attached=embedded is not None) for place in range(config.workers)
        ]
        stack.push_async_callback(_end_all, workers)
        first = await workers[0].start()  # alone: what hinders all is said once
        await asyncio.gather(*(worker.start() for worker in workers[1:]))
        beside = [worker.keep() for worker in workers]
        failed = run_beside(stack, _all(*beside, embedded.watch()) if embedded else _all(*beside))
        addresses = (first.address, first.http, first.metrics)
        secure = config.tls_certificate is not None

        def pass_on(number: signal.Signals) -> None:
            for worker in workers:
                worker.signal(number)

        yield Running(
            *addresses, where_kept(config), first.warnings, failed, secure, first.health, first.admin, pass_on
        )


def _environment_of(config: Config) -> Mapping[str, str]:
    """Return the environment of a worker: in place of all settings in ours those in force, wherever they come from."""
    ours = {name for setting in SETTINGS for name in (setting.variable, setting.file_variable)}
    inherited = {name: text for name, text in os.environ.items() if name not in ours}
    texts = {setting.variable: setting.kind.write(setting.get(config)) for setting in SETTINGS}
    return inherited | {name: text for name, text in texts.items() if text}


def _with_ports(config: Config, stack: AsyncExitStack) -> Config:
    """Return the settings with the ports that are held for the workers. Raises OSError."""
    config = replace(config, port=stack.enter_context(held(config.host, config.port)))
    return replace(config, http=_held(config.http, stack), health=_held(config.health, stack))


def _held(address: str | None, stack: AsyncExitStack) -> str | None:
    if address is None:
        return None
    host, port = split_address(address)
    return address_of(host, stack.enter_context(held(host, port)))


def _part(config: Config, place: int) -> Config:
    """Return the settings of one worker: its share of the processes that think, ports of its own for each."""
    return replace(
        config,
        workers=1,
        metrics=_own(config.metrics, place),
        admin=_own(config.admin, place),
        bot_workers=ceil(config.bot_workers / config.workers),
        engine_workers=ceil(config.engine_workers / config.workers),
    )


def _own(address: str | None, place: int) -> str | None:
    """Return the address of a port that workers do not share: the first has it, the second the next one.

    Raises OSError if there is no such port.
    """
    if address is None:
        return None
    host, port = split_address(address)
    if port and port + place > LAST_PORT:
        raise OSError(f"worker {place + 1} cannot have a port of its own from {address} on: {LAST_PORT} is the last")
    return address_of(host, port + place if port else 0)


async def _all(*work: Awaitable[None]) -> None:
    await asyncio.gather(*work)


async def _end_all(workers: Sequence[WorkerProcess]) -> None:
    await asyncio.gather(*(worker.end() for worker in workers))


async def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()
