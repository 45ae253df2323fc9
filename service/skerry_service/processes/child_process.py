"""A process that is asked questions by this one: started when it is first needed, and again after it has ended."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence

from skerry_service.processes.framing import LENGTH_BYTES


class ChildProcess:
    """One process, or the place of one. Asked by one at a time."""

    def __init__(self, command: Sequence[str], largest_answer: int) -> None:
        """``largest_answer``: in bytes. A process that announces a larger one is not up to it."""
        self._command = command
        self._largest = largest_answer
        self._process: Process | None = None
        self._killed: list[Process] = []
        """Those that were killed and may not have ended yet."""

    async def ask(self, question: bytes) -> bytes:
        """Return the answer to a framed question. Raises OSError, EOFError and ValueError if it is not up to it."""
        try:
            process = self._process
            if process is None or process.returncode is not None:
                # A session of its own: an interrupt at the terminal is for the service, which ends what it started.
                process = self._process = await asyncio.create_subprocess_exec(
                    *self._command, stdin=PIPE, stdout=PIPE, start_new_session=True
                )
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(question)
            await process.stdin.drain()
            length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES), "big")
            if length > self._largest:
                raise ValueError(f"an answer of {length} bytes")
            return await process.stdout.readexactly(length)
        except asyncio.CancelledError:
            self.kill()  # its answer to this question would be taken for that to the next one
            raise

    def kill(self) -> None:
        """End the process at once; the next question starts another."""
        process, self._process = self._process, None
        self._killed = [one for one in self._killed if one.returncode is None]
        if process is not None and process.returncode is None:
            process.kill()
            self._killed.append(process)

    async def close(self) -> None:
        """End the process and wait for its end."""
        self.kill()
        await asyncio.gather(*(process.wait() for process in self._killed))
