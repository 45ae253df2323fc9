"""The access log: one line of JSON for each call. It contains no tokens, moves, names of players or join codes."""

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
_WARN_EVERY_SECONDS = 60.0
_log = logging.getLogger(__name__)


class AccessLine(msgspec.Struct, omit_defaults=True):
    """One line. Empty fields are omitted."""

    time: str
    """When the call ended: RFC 3339, UTC, to the millisecond."""
    caller: str
    """The address that limits count, the /64 of an IPv6 caller; ``local``: a caller on this machine without one."""
    code: str
    """``OK``, ``CANCELLED``, or the code of the error (``google.rpc.Code``)."""
    reason: str = ""
    """The reason of the error: of ``ErrorReason``, or of HTTP (docs/reference/rest.md)."""
    rpc: str = ""
    """Empty if the request was rejected before its RPC was known."""
    resource: str = ""
    """``sessions/…`` or ``games/…``, if the call names or creates one."""
    sequence: int = 0
    """The session's sequence: that of the answer, or the one that a rejected call expected."""
    request: str = ""
    """A hash of its request id (``call_facts.request_of``)."""
    trace: str = ""
    """The id of the trace, if the caller or the service traces the call."""
    key: str = ""
    """The name of the API key, never the key."""
    ms: float = 0.0
    """The duration in milliseconds since the first bytes could be read. For a stream, how long it was open."""


class AccessLog:
    """Writes the lines. No call waits: a line that cannot be written is lost, with a warning once a minute."""

    def __init__(self, path: str, now_ms: Callable[[], int]) -> None:
        """Open the log. Raises OSError.

        ``path``: of a file to append to, or ``STDOUT``. After the file is moved away, a new one is created.
        ``now_ms``: the wall clock, in milliseconds.
        """
        self._out = _Stdout() if path == STDOUT else _File(path)
        self._now_ms = now_ms
        self._warned_at = -_WARN_EVERY_SECONDS
        self._encode = msgspec.json.Encoder().encode

    def started(self, call: Call) -> None:
        """Do nothing: the line is written at the end."""

    def ended(self, call: Call, code: str, reason: str) -> None:
        """Write the line of a call."""
        line = AccessLine(self._now(), call.read_address(), code, reason, call.rpc)
        line.resource = resource_of(call.request, call.answer)
        line.sequence = sequence_of(call.request, call.answer)
        line.request, line.trace, line.key = request_of(call.request), call.trace, call.key
        line.ms = round(call.seconds() * 1000, 3)
        self._write(line)

    def refused(self, caller: ReadAddress, code: str, reason: str) -> None:
        """Write the line of a request that never became a call."""
        self._write(AccessLine(self._now(), caller(), code, reason))

    def refused_in_stream(self, reason: str) -> None:
        """Do nothing: a stream is one line."""

    def acted_in_stream(self, seconds: float) -> None:
        """Do nothing: a stream is one line."""

    def close(self) -> None:
        """Close the file."""
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
        if now - self._warned_at >= _WARN_EVERY_SECONDS:
            self._warned_at = now
            _log.warning("cannot write the access log, lines are lost: %s", error)


class _Stdout:
    """Standard output. It may be a pipe whose reader is slow, so a line is written only if there is room for it."""

    def __init__(self) -> None:
        self._stream = sys.stdout
        self._poll = select.poll()
        """Reports room for at least 4 KiB in a pipe, more than a line. A file always has room."""
        self._has_descriptor = False
        with suppress(OSError, ValueError):
            self._poll.register(self._stream.fileno(), select.POLLOUT)
            self._has_descriptor = True

    def write(self, line: bytes) -> None:
        """Write a line. Raises OSError, and ValueError if the stream was closed."""
        if self._has_descriptor and not self._poll.poll(0):
            raise BlockingIOError(errno.EAGAIN, "the reader of standard output is not keeping up")
        self._stream.write(line.decode())
        self._stream.flush()

    def close(self) -> None:
        """Leave standard output open."""


class _File:
    """A file. Each line is one write, so that the lines of several processes do not mix, and nothing is buffered."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._open()
        self._is_torn = False
        """Whether the disk had room for only the beginning of the last line."""

    def write(self, line: bytes) -> None:
        """Write a line. Raises OSError."""
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
