"""The service's own log: what goes wrong, when it starts and when it stops. On stderr, as text or as lines of JSON.

It is Python's own ``logging`` that is set up here, so a level can be changed while the service runs.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
import time
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal, get_args

import msgspec

from skerry_service.telemetry.call_facts import request_of, resource_of, sequence_of
from skerry_service.telemetry.call_observers import Call, ReadAddress

Level = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["text", "json"]
LEVELS: tuple[Level, ...] = get_args(Level)
LOG_FORMATS: tuple[LogFormat, ...] = get_args(LogFormat)
TEXT: LogFormat = "text"
JSON: LogFormat = "json"
_OURS = logging.getLogger("skerry_service")
_OTHERS_FROM = logging.WARNING
"""Of libraries nothing lower is told, whatever the level."""
_TOKEN = re.compile(r"skerry_(seat|host|view|key)_[\w-]+")
_WINDOW_SECONDS = 60.0
_MOST_ALIKE = 10
_MOST_KINDS = 1000
_UNDER_WAY: ContextVar[tuple[Call, Any] | None] = ContextVar("_UNDER_WAY", default=None)
"""The call, and the task that makes it. What outlives the call may have been begun by it, and inherits this."""


class LogLine(msgspec.Struct, omit_defaults=True):
    """One line. What is empty is left out."""

    time: str
    """RFC 3339, UTC, to the millisecond."""
    level: str
    logger: str
    """The module that says it."""
    message: str
    pid: int
    """Several processes may write to one place."""
    rpc: str = ""
    """The call during which it was said; the next four are of that call."""
    resource: str = ""
    request: str = ""
    """A hash of its request id (``about.request_of``)."""
    sequence: int = 0
    trace: str = ""
    suppressed: int = 0
    """How many lines like it were left out before."""
    error: str = ""
    """A traceback."""


class LogContext:
    """A ``Watcher``: lets lines be told with the call during which they are written."""

    def started(self, call: Call) -> None:
        """Note the call for as long as this task lasts."""
        _UNDER_WAY.set((call, asyncio.current_task()))

    def ended(self, call: Call, code: str, reason: str) -> None:
        """Forget nothing: the transport may have to tell of a defect yet."""

    def refused(self, caller: ReadAddress, code: str, reason: str) -> None:
        """It was no call."""

    def refused_in_stream(self, reason: str) -> None:
        """It goes on."""


class ThrottleFilter(logging.Filter):
    """Lets ten lines of a kind pass in a minute, of libraries one, so that no trouble fills a disk.

    The next one tells of the rest.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: in seconds, and never set."""
        super().__init__()
        self._clock = clock
        self._kinds: dict[tuple[object, ...], list[float]] = {}
        """Since when, and how many."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is told. What is asked for in detail (``debug``) is told whole."""
        if record.levelno <= logging.DEBUG:
            return True
        kind = (record.name, record.levelno, record.msg, record.exc_info[0] if record.exc_info else None)
        most = _MOST_ALIKE if record.name.startswith(_OURS.name) else 1
        now = self._clock()
        since, count = self._kinds.get(kind) or (now, 0)
        if now - since >= _WINDOW_SECONDS:
            record.suppressed = int(max(0, count - most))
            since, count = now, 0
        if kind not in self._kinds and len(self._kinds) >= _MOST_KINDS:
            self._kinds.clear()
        self._kinds[kind] = [since, count + 1]
        return count < most


class TextFormatter(logging.Formatter):
    """For people: a line, and below it the traceback if there is one. No token of ours is in it."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        suppressed = getattr(record, "suppressed", 0)
        return redact_tokens(super().format(record)) + (f" (and {suppressed} more like it)" if suppressed else "")


class JsonFormatter(logging.Formatter):
    """For programs: always one line. No token of ours is in it."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        line = LogLine(
            time=datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            level=record.levelname.lower(),
            logger=record.name,
            message=printable(redact_tokens(record.getMessage())),
            pid=os.getpid(),
            suppressed=getattr(record, "suppressed", 0),
            error=printable(redact_tokens(self.formatException(record.exc_info))) if record.exc_info else "",
        )
        _tell_of_call(line, record)
        return msgspec.json.encode(line).decode()


def redact_tokens(text: str) -> str:
    """Return a text with every token in it cut short: the words of an error may repeat what somebody sent."""
    return _TOKEN.sub(r"skerry_\1_...", text)


def printable(text: str) -> str:
    """Return a text with what is not UTF-8 in it escaped: the path of a file can hold any bytes."""
    return text.encode(errors="backslashreplace").decode()


def configure(form: LogFormat, level: Level) -> None:
    """Write the log to stderr from now on, in that form, from that level on. May be called again."""
    root = logging.getLogger()
    for handler in [one for one in root.handlers if isinstance(one, _ToStderr)]:
        root.removeHandler(handler)
    handler = _ToStderr()
    handler.addFilter(ThrottleFilter())
    handler.setFormatter(JsonFormatter() if form == JSON else TextFormatter())
    root.addHandler(handler)
    set_level(level)


def set_level(level: Level) -> None:
    """Tell from now on what is of that level or above. Libraries are told of from warnings on, at most."""
    number = logging.getLevelNamesMapping()[level.upper()]
    _OURS.setLevel(number)
    logging.getLogger().setLevel(max(number, _OTHERS_FROM))


def change_level(level: Level) -> None:
    """Set the level, and say so in the log: for who asks the running service for it."""
    set_level("info")
    _OURS.getChild("telemetry").info("the log tells of %s and above from now on", level)
    set_level(level)


def current_level() -> Level:
    """Return the level from which on the service's log tells."""
    number = _OURS.getEffectiveLevel()
    return next(level for level in reversed(LEVELS) if logging.getLevelNamesMapping()[level.upper()] <= number)


class _ToStderr(logging.StreamHandler[Any]):
    """Writes to whatever is stderr at the time. A class of its own, to be told from the handlers of others."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> Any:
        return sys.stderr


def _tell_of_call(line: LogLine, record: logging.LogRecord) -> None:
    """Fill in the call; of an act within a stream, which the record names (``of``), that act."""
    parts = getattr(record, "of", ())
    call = _call(any_task=bool(parts))
    if call is None:
        return
    line.rpc, line.trace = call.rpc, call.trace
    parts = parts or (call.request,)
    line.resource, line.request = resource_of(*parts, call.answer), request_of(*parts)
    line.sequence = sequence_of(parts[0], call.answer)


def _call(*, any_task: bool) -> Call | None:
    """Return the call that this task makes; ``any_task``: or on whose behalf it runs."""
    under_way = _UNDER_WAY.get()
    if under_way is None:
        return None
    call, task = under_way
    return call if any_task or task is _this_task() else None


def _this_task() -> object:
    try:
        return asyncio.current_task()
    except RuntimeError:  # no event loop runs in this thread
        return None
