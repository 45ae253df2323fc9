"""A program's process: lines in, lines out, each with a time at which it has to be there.

It stands still while it is not asked, so that it does not think in the time of others. It can write as much as it
likes: what is not an answer is not read, and then it waits.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Final

from skerry_arena.play.contestant import FailureKind, PlayerFailed
from skerry_arena.programs.protocol import LONGEST_ANSWER
from skerry_arena.settings import Limits

_CHUNK: Final = 1 << 16
_KEPT: Final = 2000
"""So many bytes of what it wrote last to standard error are kept: there stands why it crashed."""
_PATIENCE: Final = 1.0
"""Seconds in which a program may end that was told to."""
PASSED_ON: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV")
"""Of the environment: nothing else of it."""


class Process:
    """A program that runs. Every method that asks something of it raises PlayerFailed."""

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self._said = b""
        self._complained = b""
        confined = (sys.executable, "-P", "-m", "skerry_arena.programs.resource_limits")
        numbers = (os.getpid(), limits.memory_mib, limits.file_mib, limits.open_files)
        environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        self._process = subprocess.Popen(
            [*confined, *map(str, numbers), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            env={**environment, "PYTHONHASHSEED": "0"},
        )
        for pipe in self._pipes():
            os.set_blocking(pipe.fileno(), False)

    def _pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        process = self._process
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        return process.stdin, process.stdout, process.stderr

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Return the line with which it answers within so many seconds."""
        end = time.monotonic() + seconds
        self._signal(signal.SIGCONT)
        self._require_silence()
        self._exchange(line + b"\n", end)
        answer, _, self._said = self._said.partition(b"\n")
        self._signal(signal.SIGSTOP)
        return answer

    def tell(self, line: bytes) -> None:
        """Write a line that is not answered. What does not fit is lost, and the next question fails."""
        with suppress(OSError):
            os.write(self._pipes()[0].fileno(), line + b"\n")

    def _require_silence(self) -> None:
        with suppress(BlockingIOError):
            self._said += os.read(self._pipes()[1].fileno(), _CHUNK)
        if self._said:
            raise PlayerFailed(FailureKind.GARBLED, f"It wrote without being asked: {_shown(self._said)}")

    def _exchange(self, line: bytes, end: float) -> None:
        """Write the line and read until there is an answer."""
        inward, outward, errors = self._pipes()
        with selectors.DefaultSelector() as selector:
            selector.register(inward, selectors.EVENT_WRITE)
            selector.register(outward, selectors.EVENT_READ)
            selector.register(errors, selectors.EVENT_READ)
            while b"\n" not in self._said:
                if (left := end - time.monotonic()) <= 0:
                    if self._process.poll() is not None:  # and what it has started has its output still
                        raise PlayerFailed(FailureKind.CRASH, self._last_words())
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
        """Return what is still to be written. Whether the program has ended shows when it is read from."""
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
            raise PlayerFailed(FailureKind.GARBLED, f"It wrote more than {LONGEST_ANSWER} bytes for an answer.")

    def _read_complaint(self) -> bool:
        """Keep the end of what stands on standard error. Return whether more can follow."""
        try:
            read = os.read(self._pipes()[2].fileno(), _CHUNK)
        except BlockingIOError:
            return True
        self._complained = (self._complained + read)[-_KEPT:]
        return bool(read)

    def _last_words(self) -> str:
        """Return how it ended, with the last line that it wrote to standard error."""
        try:
            code: int | None = self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            code = None
        self._read_complaint()
        lines = self._complained.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "it wrote nothing to standard error")
        how = "It closed its output" if code is None else f"It ended with {ending(code)}"
        return f"{how}: {last}"

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def quit(self, line: bytes) -> bool:
        """Tell it to end, and end it if it does not. Return whether it did."""
        self._signal(signal.SIGCONT)
        self.tell(line)
        with suppress(OSError):
            self._pipes()[0].close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        ended = self._process.returncode is not None
        self.kill()
        return ended

    def kill(self) -> None:
        """End it, and what it has started, at once."""
        self._signal(signal.SIGKILL)
        self._process.wait()
        for pipe in self._pipes():
            with suppress(OSError):
                pipe.close()


def ending(code: int) -> str:
    """Return how a process has ended."""
    return f"exit code {code}" if code >= 0 else f"signal {-code}"


def _shown(data: bytes) -> str:
    """Return the beginning of what somebody wrote, so that a log can hold it."""
    return ascii(data[:100].decode(errors="replace"))
