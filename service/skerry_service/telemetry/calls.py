"""What is told of each call, and to whom. A transport's own refusals, made before there is a call, are told as well."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

OK = "OK"
Caller = Callable[[], str]
"""Returns the address that a call is counted for. It costs more than to count it, so it is asked if need be."""
CANCELLED = "CANCELLED"
"""The code of a call that its caller gave up: the end of most streams."""


class Call:
    """One call that was let in at the front door, unary or streaming."""

    __slots__ = ("answer", "began_ns", "caller", "request", "rpc", "service", "streaming")

    def __init__(self, service: str, rpc: str, caller: Caller, *, streaming: bool) -> None:
        """``service``: the full name of the one that the RPC is of."""
        self.service = service
        self.rpc = rpc
        self.caller = caller
        self.streaming = streaming
        self.began_ns = time.perf_counter_ns()
        self.request: Any = None
        """The message, once it is read; none of a call that streams in both directions."""
        self.answer: Any = None
        """The message, once a unary call has one."""

    def seconds(self) -> float:
        """Return how long it has lasted."""
        return (time.perf_counter_ns() - self.began_ns) / 1e9


class Watcher(Protocol):
    """Is told of calls as they begin and end. It must return at once, and raise nothing."""

    def begun(self, call: Call) -> None:
        """A call has come in."""

    def ended(self, call: Call, code: str, reason: str) -> None:
        """A call has ended. ``code``: of ``google.rpc.Code``, by name; ``reason``: as in the API, or empty."""

    def refused(self, caller: Caller, code: str, reason: str) -> None:
        """A transport has refused what was sent before it was known to be a call."""


class Watchers:
    """Tells all of them."""

    def __init__(self, watchers: Sequence[Watcher] = ()) -> None:
        self._watchers = tuple(watchers)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._watchers)

    def begun(self, call: Call) -> None:
        """See ``Watcher.begun``."""
        for watcher in self._watchers:
            watcher.begun(call)

    def ended(self, call: Call, code: str, reason: str) -> None:
        """See ``Watcher.ended``."""
        for watcher in self._watchers:
            watcher.ended(call, code, reason)

    def refused(self, caller: Caller, code: str, reason: str) -> None:
        """See ``Watcher.refused``."""
        for watcher in self._watchers:
            watcher.refused(caller, code, reason)
