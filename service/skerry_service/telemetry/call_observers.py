"""Observers of calls, and the record of a call that they read. Rejections by a transport are reported as well."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from skerry_service.telemetry.call_facts import trace_of
from skerry_service.telemetry.event_loop import take_arrival_ns

OK = "OK"
ReadAddress = Callable[[], str]
"""Returns the address that a call is counted for. It is expensive, so an observer calls it only if needed."""
CANCELLED = "CANCELLED"
"""The code of a call that its caller cancelled, the usual end of a stream."""


class Call:
    """One call of an RPC, unary or streaming, from its first byte to its end."""

    __slots__ = (
        "_trace", "address_of", "answered", "api_key", "began_ns", "credential", "followed", "interruption", "key",
        "peer", "reader", "request", "rpc", "service", "slot", "streaming", "traced", "waited_ns", "waiter",
    )  # fmt: skip

    def __init__(self, service: str, rpc: str, peer: Callable[[], Any], *, streaming: bool) -> None:
        """``service``: full name of the RPC's service; ``peer``: returns what the transport knows about the caller."""
        self.service = service
        self.rpc = rpc
        self.peer = peer
        self.streaming = streaming
        now_ns = time.perf_counter_ns()
        self.began_ns = take_arrival_ns(now_ns)
        """When its first bytes could be read."""
        self.waited_ns = now_ns - self.began_ns
        """How long it waited for the event loop."""
        self.api_key: Any = None
        """The API key of the call; ``None`` without one."""
        self.key = ""
        """The name of that key; empty without one."""
        self.credential: Any = None
        """The verified player in place of a token (``PlayerCredential``); ``None`` without one."""
        self.request: Any = None
        """The request, once it is read; ``None`` for a call that streams in both directions."""
        self.reader: str | None = None
        """The address for which the stream is counted; ``None`` if readers cannot be distinguished."""
        self.slot: Any = None
        """The concurrency slot of a stream, entered; ``None`` without one."""
        self.followed: Any = None
        """What the bans know of a stream's caller; ``None`` if they do not follow the call."""
        self.interruption: Exception | None = None
        """The error with which the stream ends before its next message; ``None``: it goes on."""
        self.waiter: asyncio.Task[Any] | None = None
        """The task that waits for the stream's next message; ``None``: no task does now."""
        self.answered: Any = None
        """The serialized answer of a unary call, once it is known."""
        self.traced: Any = None
        """The state that tracing keeps for the call."""
        self.address_of: Callable[[Call], str] = lambda call: ""
        """Returns the address that a call is counted for. Set for observers."""
        self._trace: str | None = None

    def read_address(self) -> str:
        """Return the address that the call is counted for. It is expensive."""
        return self.address_of(self)

    @property
    def answer(self) -> Any:
        """The answer's message, which is expensive to read."""
        return None if self.answered is None else self.answered.message

    @property
    def trace(self) -> str:
        """The id of the trace that the call belongs to, 32 hexadecimal digits; empty if unknown."""
        if self._trace is None:
            self._trace = trace_of(self.peer().traceparent)
        return self._trace

    @trace.setter
    def trace(self, trace: str) -> None:
        self._trace = trace

    def interrupt(self, error: Exception) -> None:
        """End the stream with an error: at once if it waits for a message, otherwise before the next one."""
        if self.interruption is None:
            self.interruption = error
            if self.waiter is not None:
                self.waiter.cancel()

    def seconds(self) -> float:
        """Return the time since the call began."""
        return (time.perf_counter_ns() - self.began_ns) / 1e9


class CallObserver(Protocol):
    """Receives the start and the end of each call. Its methods must return at once and raise nothing."""

    def started(self, call: Call) -> None:
        """Handle a call that has started."""

    def ended(self, call: Call, code: str, reason: str) -> None:
        """Handle a call that has ended. ``code``: name in ``google.rpc.Code``; ``reason``: of the API, or empty."""

    def refused(self, caller: ReadAddress, code: str, reason: str) -> None:
        """Handle a request that a transport rejected before its RPC was known."""

    def refused_in_stream(self, reason: str) -> None:
        """Handle a rejected message of a stream, such as a move. The stream continues."""

    def acted_in_stream(self, seconds: float) -> None:
        """Handle an act in a stream that is stored or rejected. ``seconds``: since its bytes could be read."""


class CallObservers:
    """A group of observers, called in order."""

    def __init__(self, observers: Sequence[CallObserver] = ()) -> None:
        self._observers = tuple(observers)

    def __bool__(self) -> bool:
        """Return whether the group has any observer."""
        return bool(self._observers)

    def started(self, call: Call) -> None:
        """See ``CallObserver.started``."""
        for observer in self._observers:
            observer.started(call)

    def ended(self, call: Call, code: str, reason: str) -> None:
        """See ``CallObserver.ended``."""
        for observer in self._observers:
            observer.ended(call, code, reason)

    def refused(self, caller: ReadAddress, code: str, reason: str) -> None:
        """See ``CallObserver.refused``."""
        for observer in self._observers:
            observer.refused(caller, code, reason)

    def refused_in_stream(self, reason: str) -> None:
        """See ``CallObserver.refused_in_stream``."""
        for observer in self._observers:
            observer.refused_in_stream(reason)

    def acted_in_stream(self, seconds: float) -> None:
        """See ``CallObserver.acted_in_stream``."""
        for observer in self._observers:
            observer.acted_in_stream(seconds)
