"""The service log: errors and warnings, start and stop. To stderr, as text or as lines of JSON.

This module configures Python's ``logging``, so the level can change while the service runs.
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
from weakref import ReferenceType, ref

import msgspec

from skerry_service.telemetry.call_facts import request_of, resource_of, sequence_of
from skerry_service.telemetry.call_observers import Call

Level = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["text", "json"]
LEVELS: tuple[Level, ...] = get_args(Level)
LOG_FORMATS: tuple[LogFormat, ...] = get_args(LogFormat)
TEXT: LogFormat = "text"
JSON: LogFormat = "json"
_SERVICE = logging.getLogger("skerry_service")
_LIBRARY_LEVEL = logging.WARNING
"""The lowest level that libraries log, whatever the level of the service."""
_TOKEN = re.compile(r"skerry_(seat|host|view|key)_[\w-]+")
_WINDOW_SECONDS = 60.0
_MAX_REPEATS = 10
_MAX_KEYS = 1000
_CURRENT: ContextVar[tuple[Call, ReferenceType[Any]] | None] = ContextVar("_CURRENT", default=None)
"""The call and the task that serves it. Background tasks that the call starts inherit this value.

The reference is weak: the context of a task belongs to the task, and would keep it alive until a garbage collection.
"""


class LogLine(msgspec.Struct, omit_defaults=True):
    """One line. Empty fields are omitted."""

    time: str
    """RFC 3339, UTC, to the millisecond."""
    level: str
    logger: str
    """The module that wrote the line."""
    message: str
    pid: int
    """The process id, for processes that share a log."""
    rpc: str = ""
    """The call during which the line was written. The next four fields describe that call."""
    resource: str = ""
    request: str = ""
    """A hash of the request id (``call_facts.request_of``)."""
    sequence: int = 0
    trace: str = ""
    suppressed: int = 0
    """The number of similar lines that were suppressed before this one."""
    error: str = ""
    """A traceback."""


def enter_call(call: Call) -> None:
    """Let the lines of the current task name the call, also after its end: its errors are logged last.

    Without a task, as in the synchronous in-process client, lines name no call.
    """
    if (task := _this_task()) is not None:
        _CURRENT.set((call, ref(task)))


class ThrottleFilter(logging.Filter):
    """Limits similar lines to ten a minute, and to one a minute for libraries, so that no fault fills a disk.

    Lines are similar if logger, level and message are the same and, with an exception, its type and the line of code
    that raised it. The first line after the minute has the number of suppressed lines.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: monotonic, in seconds."""
        super().__init__()
        self._clock = clock
        self._windows: dict[tuple[object, ...], tuple[float, int]] = {}
        """The start of the current window and the number of lines in it, by kind of line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write the record. Records at ``debug`` are always written."""
        if record.levelno <= logging.DEBUG:
            return True
        key = (record.name, record.levelno, record.msg, *_raised_at(record))
        maximum = _MAX_REPEATS if record.name.startswith(_SERVICE.name) else 1
        now = self._clock()
        start, count = self._windows.get(key) or (now, 0)
        if now - start >= _WINDOW_SECONDS:
            record.suppressed = max(0, count - maximum)
            start, count = now, 0
        if key not in self._windows and len(self._windows) >= _MAX_KEYS:
            self._windows.clear()
        self._windows[key] = start, count + 1
        return count < maximum


def _raised_at(record: logging.LogRecord) -> tuple[object, ...]:
    """Return the type of the record's exception, and the file and line that raised it; empty without an exception."""
    if not record.exc_info:
        return ()
    kind, _, traceback = record.exc_info
    if traceback is None:
        return (kind,)
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return kind, traceback.tb_frame.f_code.co_filename, traceback.tb_lineno


class TextFormatter(logging.Formatter):
    """Writes a line for people, with the call in brackets, and a traceback below it. Tokens are redacted."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        return redact_tokens(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name of the standard library
        """Return the first line: the message, its call, and the number of similar lines that were suppressed."""
        line = super().formatMessage(record)
        if found := _call_of(record):
            call, messages = found
            line += f" [{' '.join(filter(None, (call.rpc, resource_of(*messages, call.answer))))}]"
        if suppressed := getattr(record, "suppressed", 0):
            line += f" ({suppressed} similar lines suppressed)"
        return line


class JsonFormatter(logging.Formatter):
    """Writes one line of JSON for programs. Tokens are redacted."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        line = LogLine(
            time=datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            level=record.levelname.lower(),
            logger=record.name,
            message=printable(redact_tokens(record.getMessage())),
            pid=os.getpid(),
            suppressed=getattr(record, "suppressed", 0),
            error=printable(redact_tokens(self.formatException(record.exc_info))) if record.exc_info else "",
        )
        if found := _call_of(record):
            call, messages = found
            line.rpc, line.trace = call.rpc, call.trace
            line.resource, line.request = resource_of(*messages, call.answer), request_of(*messages)
            line.sequence = sequence_of(messages[0], call.answer)
        return msgspec.json.encode(line).decode()


def redact_tokens(text: str) -> str:
    """Return a text with every token cut short: the message of an error may repeat what a client sent."""
    return _TOKEN.sub(r"skerry_\1_...", text)


def printable(text: str) -> str:
    """Return a text with everything escaped that is not UTF-8: the path of a file can contain any bytes."""
    return text.encode(errors="backslashreplace").decode()


def configure(log_format: LogFormat, level: Level) -> None:
    """Write the log to stderr from now on, in this format and from this level. Can be called again."""
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if isinstance(handler, _StderrHandler)]:
        root.removeHandler(handler)
    handler = _StderrHandler()
    handler.addFilter(ThrottleFilter())
    handler.setFormatter(JsonFormatter() if log_format == JSON else TextFormatter())
    root.addHandler(handler)
    set_level(level)


def set_level(level: Level) -> None:
    """Set the lowest level to log. Libraries log warnings and errors only."""
    number = logging.getLevelNamesMapping()[level.upper()]
    _SERVICE.setLevel(number)
    logging.getLogger().setLevel(max(number, _LIBRARY_LEVEL))


def change_level(level: Level) -> None:
    """Set the level at the request of an operator, and log the change."""
    set_level("info")
    _SERVICE.getChild("telemetry").info("log level is now %s", level)
    set_level(level)


def current_level() -> Level:
    """Return the lowest level that the service logs."""
    number = _SERVICE.getEffectiveLevel()
    return next(level for level in reversed(LEVELS) if logging.getLevelNamesMapping()[level.upper()] <= number)


class _StderrHandler(logging.StreamHandler[Any]):
    """Writes to the current ``sys.stderr``. A class of its own, to distinguish it from the handlers of others."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> Any:
        return sys.stderr


def _call_of(record: logging.LogRecord) -> tuple[Call, tuple[Any, ...]] | None:
    """Return the call that a record belongs to, and the messages that describe it; ``None`` without a call.

    The messages are the request, or those that the record names in ``messages``: a move within a stream.
    """
    current = _CURRENT.get()
    if current is None:
        return None
    call, task = current
    messages = getattr(record, "messages", ())
    if messages:
        return call, messages
    this = _this_task()
    return (call, (call.request,)) if this is not None and task() is this else None


def _this_task() -> object:
    try:
        return asyncio.current_task()
    except RuntimeError:  # no event loop runs in this thread
        return None
