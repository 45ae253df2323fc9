"""A child process that answers questions of the service."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence

from skerry_service.processes.framing import LENGTH_BYTES, frame


class ChildProcess:
    """One process, started at the first question and again after it has ended. Takes one question at a time."""

    def __init__(self, command: Sequence[str], largest_answer: int, greeting: bytes) -> None:
        """``command``: program and arguments; ``largest_answer``: the maximum size of an answer, in bytes.

        ``greeting``: what each process reads before the first question.
        """
        self._command = command
        self._largest = largest_answer
        self._greeting = frame(greeting)
        self._process: Process | None = None
        self._killed: list[Process] = []
        """Killed processes that may not have ended yet."""

    async def ask(self, question: bytes) -> bytes:
        """Return the answer to a framed question. Raises OSError, EOFError or ValueError if the process fails.

        After an error, the caller must ``kill`` the process.
        """
        try:
            process = self._process
            if process is None or process.returncode is not None:
                # In a session of its own, the child does not get Ctrl-C from the terminal: the service stops it.
                process = self._process = await asyncio.create_subprocess_exec(
                    *self._command, stdin=PIPE, stdout=PIPE, start_new_session=True
                )
                question = self._greeting + question
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(question)
            await process.stdin.drain()
            length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES), "big")
            if length > self._largest:
                raise ValueError(f"an answer of {length:,} bytes is too large")
            return await process.stdout.readexactly(length)
        except asyncio.CancelledError:
            self.kill()  # otherwise the next question would receive the answer to this one
            raise

    def kill(self) -> None:
        """Kill the process. The next question starts a new one."""
        process, self._process = self._process, None
        self._killed = [killed for killed in self._killed if killed.returncode is None]
        if process is not None and process.returncode is None:
            process.kill()
            self._killed.append(process)

    async def close(self) -> None:
        """Kill the process and wait for its end."""
        self.kill()
        await asyncio.gather(*(process.wait() for process in self._killed))
