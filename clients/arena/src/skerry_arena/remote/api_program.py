"""A program that plays a seat of a service by itself: it is told where, and the seat's token, and uses any client."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio import ReadTransport
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from skerry_arena.programs.process import PASSED_ON, ending
from skerry_arena.settings import Limits, Service
from skerry_client.transport.tls import TLS_VARIABLE, VARIABLES

_KEPT: Final = 2000
"""So many bytes of what it wrote last are kept: there stands why it crashed."""
_PATIENCE: Final = 5.0
"""Seconds in which it may end once its game is over."""


def environment_of(service: Service, session: str, token: str) -> dict[str, str]:
    """Return what a program is told."""
    told = {"SKERRY_SERVER": service.server, "SKERRY_SESSION": session, "SKERRY_SEAT_TOKEN": token}
    if key := os.environ.get("SKERRY_API_KEY"):
        told["SKERRY_API_KEY"] = key
    if not service.tls:
        return told
    files = {name: os.environ[name] for name in VARIABLES if os.environ.get(name)}
    return told | files | {TLS_VARIABLE: "1"}


class ApiProgram:
    """A program that runs, with the limits of programs. It is not stopped between decisions: it may have streams."""

    def __init__(self, process: asyncio.subprocess.Process, output: asyncio.StreamReader, pipe: ReadTransport) -> None:
        self._process = process
        self._output = output
        self._pipe = pipe
        self._said = b""
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, command: Sequence[str], limits: Limits, told: Mapping[str, str]) -> ApiProgram:
        """Start it. Raises OSError."""
        confined = (sys.executable, "-P", "-m", "skerry_arena.programs.resource_limits")
        numbers = (os.getpid(), limits.memory_mib, limits.file_mib, limits.open_files)
        # With a pipe of its own asyncio waits for the end of all that has it, and not of the program alone.
        reading, writing = os.pipe()
        output = asyncio.StreamReader()
        pipe, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(output), os.fdopen(reading, "rb", 0)
        )
        try:
            process = await asyncio.create_subprocess_exec(
                *confined,
                *map(str, numbers),
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=writing,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
                env={**{name: os.environ[name] for name in PASSED_ON if name in os.environ}, **told},
            )
        except BaseException:
            pipe.close()
            raise
        finally:
            os.close(writing)
        return cls(process, output, pipe)

    async def _read(self) -> None:
        while read := await self._output.read(1 << 16):
            self._said = (self._said + read)[-_KEPT:]

    async def ended(self) -> str:
        """Wait until it has ended; return how, with the last line that it wrote."""
        code = await self._process.wait()
        with suppress(TimeoutError):  # what it has started may hold its output open
            await asyncio.wait_for(asyncio.shield(self._reading), _PATIENCE)
        lines = [line.strip() for line in self._said.decode(errors="replace").split("\n") if line.strip()]
        return f"It ended with {ending(code)}: {lines[-1] if lines else 'it wrote nothing'}"

    async def close(self) -> bool:
        """End it, and what it has started, after the time that it may take to end by itself; return whether it did."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _PATIENCE)
        ended = self._process.returncode is not None
        await self.kill()
        return ended

    async def kill(self) -> None:
        """End it, and what it has started, at once."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()
        self._reading.cancel()
        self._pipe.close()
