"""The process of a program: it reads lines and answers each within a time limit.

The process is stopped (SIGSTOP) between questions, so that it does not think in the time of others. The arena reads its
output only while it waits for an answer, so a process that writes too much blocks.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Final

from skerry_arena.play.contestant import FailureKind, PlayerFailed
from skerry_arena.programs import control_group
from skerry_arena.programs.kept_command import (
    LONGEST_END,
    KeeperStatus,
    kept_command,
    passed_environment,
    read_status,
)
from skerry_arena.programs.protocol import LONGEST_ANSWER
from skerry_arena.settings import Limits

_CHUNK: Final = 1 << 16
_KEPT: Final = 2000
"""The number of bytes kept from the end of standard error, which explains a crash."""
_PATIENCE: Final = 1.0
"""Seconds that a program has to end after ``quit``."""


class Process:
    """A running program."""

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self._said = b""
        self._complained = b""
        reading, writing = os.pipe()
        self._status_pipe = os.fdopen(reading, "rb")
        try:
            self._process = subprocess.Popen(
                kept_command(command, limits, writing),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                pass_fds=(writing,),
                env=passed_environment({"PYTHONHASHSEED": "0"}),
            )
        except BaseException:
            self._status_pipe.close()
            raise
        finally:
            os.close(writing)
        self._status: KeeperStatus | None = None
        for pipe in self._pipes():
            os.set_blocking(pipe.fileno(), False)

    def _kept(self) -> KeeperStatus | None:
        """Return the report of the keeper, which comes as soon as the program starts."""
        if self._status is None and not self._status_pipe.closed:
            with self._status_pipe:
                self._status = read_status(self._status_pipe)
        return self._status

    def _pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        process = self._process
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        return process.stdin, process.stdout, process.stderr

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Write a line and return the answer within so many seconds. Raises PlayerFailed."""
        end = time.monotonic() + seconds
        self._stop(False)
        self._require_silence()
        self._exchange(line + b"\n", end)
        answer, _, self._said = self._said.partition(b"\n")
        self._stop(True)
        return answer

    def send(self, line: bytes) -> None:
        """Write a line without an answer. If the pipe is full, the line is lost and the next question fails."""
        with suppress(OSError):
            os.write(self._pipes()[0].fileno(), line + b"\n")

    def _require_silence(self) -> None:
        with suppress(BlockingIOError):
            self._said += os.read(self._pipes()[1].fileno(), _CHUNK)
        if self._said:
            raise PlayerFailed(FailureKind.GARBLED, f"It wrote without being asked: {_shown(self._said)}")

    def _exchange(self, line: bytes, end: float) -> None:
        """Write the line and read until the answer is complete."""
        inward, outward, errors = self._pipes()
        with selectors.DefaultSelector() as selector:
            selector.register(inward, selectors.EVENT_WRITE)
            selector.register(outward, selectors.EVENT_READ)
            selector.register(errors, selectors.EVENT_READ)
            while b"\n" not in self._said:
                if (left := end - time.monotonic()) <= 0:
                    raise PlayerFailed(FailureKind.TIMEOUT, "It did not answer in time.")
                for key, _ in selector.select(left):
                    if key.fileobj is inward:
                        line = self._write(line)
                        if not line:
                            selector.unregister(inward)
                    elif key.fileobj is outward:
                        self._read_answer(outward)
                    elif not self._read_complaint():
                        selector.unregister(errors)

    def _write(self, line: bytes) -> bytes:
        """Write a part of the line and return the rest. Reading detects whether the program has ended."""
        try:
            return line[os.write(self._pipes()[0].fileno(), line[:_CHUNK]) :]
        except BlockingIOError:
            return line
        except OSError:
            return b""

    def _read_answer(self, outward: IO[bytes]) -> None:
        read = os.read(outward.fileno(), _CHUNK)
        if not read:
            raise PlayerFailed(FailureKind.CRASH, self._last_words())
        self._said += read
        if len(self._said) > LONGEST_ANSWER:
            raise PlayerFailed(FailureKind.GARBLED, f"Its answer was longer than {LONGEST_ANSWER} bytes.")

    def _read_complaint(self) -> bool:
        """Read standard error and keep its end. Return whether it is still open."""
        try:
            read = os.read(self._pipes()[2].fileno(), _CHUNK)
        except BlockingIOError:
            return True
        self._complained = (self._complained + read)[-_KEPT:]
        return bool(read)

    def _last_words(self) -> str:
        """Return how the program ended, with the last line of its standard error."""
        try:
            code: int | None = self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            code = None
        self._read_complaint()
        lines = self._complained.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "it wrote nothing to standard error")
        how = "It closed its output" if code is None else f"It ended with {ending(code)}"
        return f"{how}: {last}"

    def _stop(self, stopped: bool) -> None:
        """Stop the program between questions, or let it continue."""
        kept = self._kept()
        if kept is None:
            return
        if kept.group is not None:  # child processes that have left the process group stop too
            control_group.freeze(kept.group, stopped)
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(kept.pid, signal.SIGSTOP if stopped else signal.SIGCONT)

    def quit(self, line: bytes) -> bool:
        """Ask the program to end, and kill it if it does not. Return whether it ended by itself."""
        self._stop(False)
        self.send(line)
        with suppress(OSError):
            self._pipes()[0].close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        ended = self._process.returncode is not None
        self.kill()
        return ended

    def kill(self) -> None:
        """Kill the program and all processes that it has started. The keeper does so before it exits."""
        self._process.terminate()
        try:
            self._process.wait(LONGEST_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._status is not None and self._status.group is not None and self._status.group.exists():
            # Somebody has killed the keeper.
            control_group.kill(self._status.group)
            control_group.remove(self._status.group)
        for pipe in (*self._pipes(), self._status_pipe):
            with suppress(OSError):
                pipe.close()


def ending(code: int) -> str:
    """Describe the exit code of a process."""
    return f"exit code {code}" if code >= 0 else f"signal {-code}"


def _shown(data: bytes) -> str:
    """Return the beginning of a program's output, in printable form for a log."""
    return ascii(data[:100].decode(errors="replace"))
