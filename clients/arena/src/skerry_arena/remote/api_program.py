"""Programs that play a seat of a service through the API, with any client. Their environment names the seat."""

from __future__ import annotations

import asyncio
import os
from asyncio import ReadTransport
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from skerry_arena.programs.kept_command import LONGEST_END, kept_command, passed_environment
from skerry_arena.programs.process import ending
from skerry_arena.settings import Limits, Service
from skerry_client.transport.tls import TLS_VARIABLE, VARIABLES

_KEPT: Final = 2000
"""The number of bytes kept from the end of the output, which explains a crash."""
_PATIENCE: Final = 5.0
"""Seconds that a program has to end once its game is over."""


def environment_of(service: Service, session: str, token: str) -> dict[str, str]:
    """Return the environment variables for a program: server, session, seat token, API key and TLS."""
    variables = {"SKERRY_SERVER": service.server, "SKERRY_SESSION": session, "SKERRY_SEAT_TOKEN": token}
    if key := os.environ.get("SKERRY_API_KEY"):
        variables["SKERRY_API_KEY"] = key
    if not service.tls:
        return variables
    files = {name: os.environ[name] for name in VARIABLES if os.environ.get(name)}
    return variables | files | {TLS_VARIABLE: "1"}


class ApiProgram:
    """A running program with resource limits. It runs between decisions too, because it can have open streams."""

    def __init__(self, process: asyncio.subprocess.Process, output: asyncio.StreamReader, pipe: ReadTransport) -> None:
        self._process = process
        self._output = output
        self._pipe = pipe
        self._output_end = b""
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, command: Sequence[str], limits: Limits, variables: Mapping[str, str]) -> ApiProgram:
        """Start a program. Raises OSError."""
        # With asyncio's own pipe, waiting for the program would also wait for child processes that hold the pipe.
        reading, writing = os.pipe()
        output = asyncio.StreamReader()
        pipe, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(output), os.fdopen(reading, "rb", 0)
        )
        status = os.open(os.devnull, os.O_WRONLY)
        try:
            process = await asyncio.create_subprocess_exec(
                *kept_command(command, limits, status, network=True),
                pass_fds=(status,),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=writing,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
                env=passed_environment(variables),
            )
        except BaseException:
            pipe.close()
            raise
        finally:
            os.close(writing)
            os.close(status)
        return cls(process, output, pipe)

    async def _read(self) -> None:
        while read := await self._output.read(1 << 16):
            self._output_end = (self._output_end + read)[-_KEPT:]

    async def ended(self) -> str:
        """Wait until the program has ended. Return how it ended, with the last line of its output."""
        code = await self._process.wait()
        with suppress(TimeoutError):  # child processes can keep its output open
            await asyncio.wait_for(asyncio.shield(self._reading), _PATIENCE)
        lines = [line.strip() for line in self._output_end.decode(errors="replace").split("\n") if line.strip()]
        return f"It ended with {ending(code)}: {lines[-1] if lines else 'it wrote nothing'}"

    async def close(self) -> bool:
        """Give the program time to end, then kill it and its child processes. Return whether it ended by itself."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _PATIENCE)
        ended = self._process.returncode is not None
        await self.kill()
        return ended

    async def kill(self) -> None:
        """Kill the program and its child processes."""
        with suppress(ProcessLookupError):
            self._process.terminate()  # its keeper, which does so
        try:
            await asyncio.wait_for(self._process.wait(), LONGEST_END)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        self._reading.cancel()
        self._pipe.close()
