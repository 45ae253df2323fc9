"""What is told of each call, and to whom. A transport's own refusals, made before there is a call, are told as well."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from skerry_service.telemetry.call_facts import trace_of

OK = "OK"
ReadAddress = Callable[[], str]
"""Returns the address that a call is counted for. It costs more than to count it, so it is asked if need be."""
CANCELLED = "CANCELLED"
"""The code of a call that its caller gave up: the end of most streams."""


class CallOrigin(NamedTuple):
    """Where a call comes from."""

    caller: str
    """The address that it is counted for."""
    traceparent: str
    """What it says of its trace (W3C Trace Context), as it was sent; empty: nothing."""


def _unknown() -> CallOrigin:
    return CallOrigin("", "")


class Call:
    """One call of an RPC, unary or streaming, from its first byte to its end."""

    __slots__ = (
        "_origin",
        "_trace",
        "answered",
        "api_key",
        "began_ns",
        "find_origin",
        "key",
        "peer",
        "reader",
        "request",
        "rpc",
        "service",
        "slot",
        "streaming",
        "traced",
    )  # fmt: skip

    def __init__(self, service: str, rpc: str, peer: Callable[[], Any], *, streaming: bool) -> None:
        """``service``: full name of the service of the RPC; ``peer``: returns where the call comes from."""
        self.service = service
        self.rpc = rpc
        self.peer = peer
        self.streaming = streaming
        self.began_ns = time.perf_counter_ns()
        self.api_key: Any = None
        """The API key with which it is made; ``None`` without one."""
        self.key = ""
        """The name of that key; empty without one."""
        self.request: Any = None
        """The message, once it is read; ``None`` for a call that streams in both directions."""
        self.reader: str | None = None
        """Whose stream it is, as far as readers are counted apart."""
        self.slot: Any = None
        """The concurrency slot of a stream, entered; ``None`` without one."""
        self.answered: Any = None
        """The serialized answer of a unary call, once it is known."""
        self.traced: Any = None
        """What a tracer keeps of it."""
        self.find_origin: Callable[[], CallOrigin] = _unknown
        """Returns the sender. Called once, if an observer needs it."""
        self._origin: CallOrigin | None = None
        self._trace: str | None = None

    @property
    def answer(self) -> Any:
        """The message of the answer. It costs more than to count the call."""
        return None if self.answered is None else self.answered.message

    @property
    def origin(self) -> CallOrigin:
        """Where it comes from. It costs more than to count the call."""
        if self._origin is None:
            self._origin = self.find_origin()
        return self._origin

    @property
    def trace(self) -> str:
        """The trace that it is part of, 32 hexadecimal digits; empty: none is known."""
        if self._trace is None:
            self._trace = trace_of(self.origin.traceparent)
        return self._trace

    @trace.setter
    def trace(self, trace: str) -> None:
        self._trace = trace

    def seconds(self) -> float:
        """Return how long it has lasted."""
        return (time.perf_counter_ns() - self.began_ns) / 1e9


class CallObserver(Protocol):
    """Is told of calls as they begin and end. It must return at once, and raise nothing."""

    def started(self, call: Call) -> None:
        """A call has come in."""

    def ended(self, call: Call, code: str, reason: str) -> None:
        """A call has ended. ``code``: of ``google.rpc.Code``, by name; ``reason``: as in the API, or empty."""

    def refused(self, caller: ReadAddress, code: str, reason: str) -> None:
        """A transport has refused what was sent before it was known to be a call."""

    def refused_in_stream(self, reason: str) -> None:
        """A part of a stream was refused, an act for example; the stream goes on."""


class CallObservers:
    """Tells all of them."""

    def __init__(self, watchers: Sequence[CallObserver] = ()) -> None:
        self._watchers = tuple(watchers)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._watchers)

    def started(self, call: Call) -> None:
        """See ``CallObserver.started``."""
        for watcher in self._watchers:
            watcher.started(call)

    def ended(self, call: Call, code: str, reason: str) -> None:
        """See ``CallObserver.ended``."""
        for watcher in self._watchers:
            watcher.ended(call, code, reason)

    def refused(self, caller: ReadAddress, code: str, reason: str) -> None:
        """See ``CallObserver.refused``."""
        for watcher in self._watchers:
            watcher.refused(caller, code, reason)

    def refused_in_stream(self, reason: str) -> None:
        """See ``CallObserver.refused_in_stream``."""
        for watcher in self._watchers:
            watcher.refused_in_stream(reason)
