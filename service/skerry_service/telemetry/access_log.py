"""A line for each call, as JSON, for whoever has to find out what happened. No token, no move and no code is in it."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from typing import Any

import msgspec

from skerry_service.telemetry.about import request_of, resource_of, sequence_of
from skerry_service.telemetry.calls import Call, Caller

STDOUT = "-"
_TOLD_EVERY_SECONDS = 60.0
_log = logging.getLogger(__name__)


class Line(msgspec.Struct, omit_defaults=True):
    """One line. What is empty is left out."""

    time: str
    """When the call ended: RFC 3339, UTC, to the millisecond."""
    caller: str
    """The address that limits count it for, an IPv6 caller's /64; ``local``: this machine, without an address."""
    code: str
    """``OK``, ``CANCELLED``, or the code of the refusal (``google.rpc.Code``)."""
    reason: str = ""
    """Of the refusal: a value of ``ErrorReason`` or one of HTTP's reasons (docs/rest.md)."""
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
        self._handler = _stream_to_stdout() if path == STDOUT else WatchedFileHandler(path, encoding="utf-8")
        self._handler.setFormatter(logging.Formatter("%(message)s"))
        self._handler.handleError = self._drop  # type: ignore[method-assign]  # it would print a traceback for each
        self._now_ms = now_ms
        self._told_at = -_TOLD_EVERY_SECONDS
        self._encode = msgspec.json.Encoder().encode

    def begun(self, call: Call) -> None:
        """Write nothing yet."""

    def ended(self, call: Call, code: str, reason: str) -> None:
        """Write a call's line."""
        line = Line(self._now(), call.sender.caller, code, reason, call.rpc)
        line.resource = resource_of(call.request, call.answer)
        line.sequence = sequence_of(call.request, call.answer)
        line.request, line.trace, line.key = request_of(call.request), call.trace, call.key
        line.ms = round(call.seconds() * 1000, 3)
        self._write(line)

    def refused(self, caller: Caller, code: str, reason: str) -> None:
        """Write a line of what never became a call."""
        self._write(Line(self._now(), caller(), code, reason))

    def close(self) -> None:
        """Write no more."""
        with suppress(OSError):  # the disk may still be full
            self._handler.close()

    def _now(self) -> str:
        return datetime.fromtimestamp(self._now_ms() / 1000, UTC).isoformat(timespec="milliseconds")

    def _write(self, line: Line) -> None:
        text = self._encode(line).decode()
        self._handler.emit(logging.LogRecord(__name__, logging.INFO, "", 0, text, None, None))

    def _drop(self, record: logging.LogRecord) -> None:
        now = time.monotonic()
        if now - self._told_at >= _TOLD_EVERY_SECONDS:
            self._told_at = now
            _log.warning("the access log cannot be written, and lines of it are lost: %s", sys.exc_info()[1])


def _stream_to_stdout() -> logging.StreamHandler[Any]:
    return logging.StreamHandler(sys.stdout)
