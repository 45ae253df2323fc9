"""The callers that this process rejected lately because of a limit or a missing right, for operators."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

from msgspec import Struct

from skerry_service.telemetry.call_observers import Call, ReadAddress

_CODES = frozenset(("RESOURCE_EXHAUSTED", "UNAUTHENTICATED", "PERMISSION_DENIED"))
_MOST = 1_000
"""Callers that are remembered. A caller with many addresses forgets the others, which costs no more memory."""
_LONGEST = 100
"""Characters of an address or a name that are kept."""


class Rejection(Struct):
    """How often a caller was rejected for one reason."""

    key: str
    """The name of its API key; empty without one."""
    address: str
    reason: str
    count: int
    last_ms: int
    """When, by the wall clock."""


class RejectedCallers:
    """A ``CallObserver`` that counts rejections by caller and reason."""

    def __init__(self, clock_ms: Callable[[], int]) -> None:
        """``clock_ms``: the wall clock, in ms since 1970."""
        self._clock_ms = clock_ms
        self._found: OrderedDict[tuple[str, str, str], Rejection] = OrderedDict()

    def most(self, count: int) -> Sequence[Rejection]:
        """Return the callers that were rejected most often."""
        return sorted(self._found.values(), key=lambda one: (-one.count, -one.last_ms))[:count]

    def started(self, call: Call) -> None:
        """Do nothing."""

    def ended(self, call: Call, code: str, reason: str) -> None:
        """Count a rejected call."""
        if code in _CODES:
            self._count(call.key, call.read_address(), reason)

    def refused(self, caller: ReadAddress, code: str, reason: str) -> None:
        """Count a request that never became a call."""
        if code in _CODES:
            self._count("", caller(), reason)

    def refused_in_stream(self, reason: str) -> None:
        """Do nothing: who sent the message is not known."""

    def acted_in_stream(self, seconds: float) -> None:
        """Do nothing."""

    def _count(self, key: str, address: str, reason: str) -> None:
        caller = (key[:_LONGEST], address[:_LONGEST], reason)
        one = self._found.setdefault(caller, Rejection(*caller, 0, 0))
        one.count += 1
        one.last_ms = self._clock_ms()
        self._found.move_to_end(caller)
        if len(self._found) > _MOST:
            self._found.popitem(last=False)
