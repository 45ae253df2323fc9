"""Whether a store accepts writes, judged by the writes of this replica."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct
from redis.exceptions import AuthenticationError, BusyLoadingError, NoPermissionError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from skerry_service.domain.errors import SkerryError, StoreFull
from skerry_service.store.connections.connection import ReplicaError
from skerry_service.store.connections.multiplexer import ConnectionEnded
from skerry_service.store.connections.replication_wait import NotReplicatedError

PATIENCE_SECONDS = 4.0
"""How long writes may fail before the store counts as not writable: two ticks of the store clock."""

SENTENCES: Mapping[str, str] = {
    "NOREPLICAS": "The store has fewer replicas than its min-replicas-to-write and rejects writes.",
    "NOT_REPLICATED": "Too few replicas of the store confirm writes (SKERRY_REDIS_WAIT).",
    "MISCONF": "The store cannot write to its disk and rejects writes.",
    "DISK_FULL": "The disk of the embedded Valkey is full.",
    "OOM": "The store has reached its maxmemory and rejects writes.",
    "READONLY": "The store is a replica, which accepts no writes.",
    "LOADING": "The store is loading its data.",
    "CLUSTERDOWN": "The cluster has no server for some sessions.",
    "NOPERM": "The user of REDIS_URL may not run all commands that the service needs.",
    "UNAUTHENTICATED": "The store rejects the user or the password of REDIS_URL.",
    "NO_ANSWER": "The store does not answer.",
    "UNREACHABLE": "The store cannot be reached.",
    "REJECTED": "The store rejects writes.",
}
"""Each reason why a store accepts no writes. The sentences contain no address, since public ports show them."""
_OF_REDIS = {
    **{word: word for word in ("NOREPLICAS", "MISCONF", "OOM", "READONLY", "LOADING", "CLUSTERDOWN", "NOPERM")},
    "MASTERDOWN": "CLUSTERDOWN",
    **dict.fromkeys(("NOAUTH", "WRONGPASS"), "UNAUTHENTICATED"),
}
"""The reason for the first word of an error of Redis."""
_OF_CLASSES: Mapping[type[BaseException], str] = {
    ReplicaError: "READONLY",
    NoPermissionError: "NOPERM",
    BusyLoadingError: "LOADING",
    AuthenticationError: "UNAUTHENTICATED",
    NotReplicatedError: "NOT_REPLICATED",
    **dict.fromkeys((TimeoutError, RedisTimeoutError), "NO_ANSWER"),
    **dict.fromkeys((OSError, RedisConnectionError, ConnectionEnded), "UNREACHABLE"),
    StoreFull: "DISK_FULL",
}
"""The reason for other errors. The first class that fits decides."""


class WriteProblem(Struct, frozen=True):
    """Why a store accepts no writes."""

    reason: str
    """One of ``SENTENCES``."""
    detail: str
    """The error in the words of the store or of the operating system. It may contain addresses."""

    @property
    def sentence(self) -> str:
        """The reason as a sentence that public ports may show."""
        return SENTENCES[self.reason]

    def __str__(self) -> str:
        return self.detail if self.detail.startswith(self.reason) else f"{self.reason}: {self.detail}"


class WriteHealth:
    """Whether writes to one server succeed. Any write that succeeds ends a problem."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: monotonic, in seconds."""
        self._clock = clock
        self._failing_since: float | None = None
        """When the first write began that was not followed by a success; ``None``: the last write succeeded."""
        self._has_succeeded = False
        self._last = WriteProblem("NO_ANSWER", "no write has been acknowledged")

    def began(self) -> None:
        """Record that a write begins, so that one without any reply is noticed too."""
        if self._failing_since is None:
            self._failing_since = self._clock()
            self._last = WriteProblem("NO_ANSWER", f"a write has had no reply for {PATIENCE_SECONDS:g} s")

    def succeeded(self) -> None:
        """Record that a write was acknowledged."""
        self._failing_since, self._has_succeeded = None, True

    def failed(self, error: BaseException) -> None:
        """Record that a write that had begun failed."""
        self._last = problem_of(error)

    def problem(self) -> WriteProblem | None:
        """Return why no write was acknowledged for ``PATIENCE_SECONDS``, or ever; ``None`` if one was."""
        if self._failing_since is None:
            return None
        waited = self._clock() - self._failing_since
        return None if self._has_succeeded and waited < PATIENCE_SECONDS else self._last


def problem_of(error: BaseException) -> WriteProblem:
    """Return the reason of an error of the store, from the innermost of its causes that names one."""
    reason, detail = "REJECTED", ""
    for cause in _causes(error):
        reason = _reason_of(cause) or reason
        if not isinstance(cause, SkerryError):  # whose sentence is for callers
            detail = str(cause).partition(" script: ")[0] or detail
    return WriteProblem(reason, detail or SENTENCES[reason])


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _reason_of(error: BaseException) -> str:
    """Return the reason that an error names; empty if it names none. Its cause may name a better one."""
    found = next((reason for kind, reason in _OF_CLASSES.items() if isinstance(error, kind)), "")
    if not found and isinstance(error, ResponseError):
        return _OF_REDIS.get(str(error).partition(" ")[0], "REJECTED")
    return found
