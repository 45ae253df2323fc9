"""A line for each call, as JSON, for whoever has to find out what happened. No token, no move and no code is in it."""

from __future__ import annotations

import errno
import logging
import os
import select
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

import msgspec

from skerry_service.telemetry.call_facts import request_of, resource_of, sequence_of
from skerry_service.telemetry.call_observers import Call, ReadAddress

STDOUT = "-"
_TOLD_EVERY_SECONDS = 60.0
_log = logging.getLogger(__name__)


class AccessLine(msgspec.Struct, omit_defaults=True):
    """One line. What is empty is left out."""

    time: str
    """When the call ended: RFC 3339, UTC, to the millisecond."""
    caller: str
    """The address that limits count it for, an IPv6 caller's /64; ``local``: this machine, without an address."""
    code: str
    """``OK``, ``CANCELLED``, or the code of the refusal (``google.rpc.Code``)."""
    reason: str = ""
    """Of the refusal: a value of ``ErrorReason`` or one of HTTP's reasons (docs/reference/rest.md)."""
    rpc: str = ""
    """Empty where it never became a call."""
    resource: str = ""
    """``sessions/…`` or ``games/…``, where the call names or makes one."""
    sequence: int = 0
    """Of the session: that of the answer; of what was refused the one that it expected."""
    request: str = ""
    """A hash of its request id (``about.request_of``)."""
    trace: str = ""
    """The trace that it is part of, where the caller, or the service, traces."""
    key: str = ""
    """The name of the API key, never the key."""
    ms: float = 0.0
    """How long it took, to the microsecond; of a stream how long it was open."""


class AccessLog:
    """Writes lines. Where it cannot, it says so once a minute and drops them: no call waits for a log."""

    def __init__(self, path: str, now_ms: Callable[[], int]) -> None:
        """``path``: of a file that lines are added to, also after it was moved away; ``STDOUT``: standard output.

        Raises OSError.
        """
        self._out = _Stdout() if path == STDOUT else _File(path)
        self._now_ms = now_ms
        self._told_at = -_TOLD_EVERY_SECONDS
        self._encode = msgspec.json.Encoder().encode

    def started(self, call: Call) -> None:
        """Write nothing yet."""

    def ended(self, call: Call, code: str, reason: str) -> None:
        """Write a call's line."""
        line = AccessLine(self._now(), call.origin.caller, code, reason, call.rpc)
        line.resource = resource_of(call.request, call.answer)
        line.sequence = sequence_of(call.request, call.answer)
        line.request, line.trace, line.key = request_of(call.request), call.trace, call.key
        line.ms = round(call.seconds() * 1000, 3)
        self._write(line)

    def refused(self, caller: ReadAddress, code: str, reason: str) -> None:
        """Write a line of what never became a call."""
        self._write(AccessLine(self._now(), caller(), code, reason))

    def refused_in_stream(self, reason: str) -> None:
        """Write nothing: a stream is one line."""

    def close(self) -> None:
        """Write no more."""
        self._out.close()

    def _now(self) -> str:
        return datetime.fromtimestamp(self._now_ms() / 1000, UTC).isoformat(timespec="milliseconds")

    def _write(self, line: AccessLine) -> None:
        try:
            self._out.write(self._encode(line) + b"\n")
        except (OSError, ValueError) as error:  # ValueError: standard output was closed
            self._drop(error)

    def _drop(self, error: Exception) -> None:
        now = time.monotonic()
        if now - self._told_at >= _TOLD_EVERY_SECONDS:
            self._told_at = now
            _log.warning("the access log cannot be written, and lines of it are lost: %s", error)


class _Stdout:
    """Often a pipe. Whoever reads it may not, and to write more than it holds would be to wait for them."""

    def __init__(self) -> None:
        self._stream = sys.stdout
        self._room = select.poll()
        """A pipe that has room has it for 4 KiB, which no line comes to; a file always has."""
        self._has_descriptor = False
        with suppress(OSError, ValueError):
            self._room.register(self._stream.fileno(), select.POLLOUT)
            self._has_descriptor = True

    def write(self, line: bytes) -> None:
        """Add a line. Raises OSError, and ValueError if it was closed."""
        if self._has_descriptor and not self._room.poll(0):
            raise BlockingIOError(errno.EAGAIN, "whoever reads standard output does not")
        self._stream.write(line.decode())
        self._stream.flush()

    def close(self) -> None:
        """Leave it to others."""


class _File:
    """Each line is one write, so that those of several processes do not mix, and none is kept until there is room."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._open()
        self._is_torn = False
        """Whether the disk had room for the beginning of a line alone."""

    def write(self, line: bytes) -> None:
        """Add a line. Raises OSError."""
        if self._has_moved():
            before = self._descriptor
            self._open()
            os.close(before)
            self._is_torn = False
        if self._is_torn:
            line = b"\n" + line
        written = os.write(self._descriptor, line)
        self._is_torn = written < len(line)
        if self._is_torn:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def close(self) -> None:
        os.close(self._descriptor)

    def _open(self) -> None:
        self._descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        status = os.fstat(self._descriptor)
        self._identity = status.st_dev, status.st_ino

    def _has_moved(self) -> bool:
        try:
            status = os.stat(self._path)
        except FileNotFoundError:
            return True
        return (status.st_dev, status.st_ino) != self._identity
