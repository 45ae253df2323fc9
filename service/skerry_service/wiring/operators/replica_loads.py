"""What this replica announces of its load, and how operators let replicas shut down."""

from __future__ import annotations

import asyncio
import os
import resource
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from skerry_service.domain.errors import StoreFull, StoreUnavailable
from skerry_service.sessions.service import Sessions
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.replica_registry import ReplicaFigures
from skerry_service.telemetry.call_rate import CallRate

_STATM = Path("/proc/self/statm")
_LONGEST_HOST = 100
_ANNOUNCE_SECONDS = 1.0


@dataclass
class OwnLoad:
    """Reads the load of this replica, and is what it announces with each heartbeat."""

    sessions: Sessions
    rate: CallRate | None
    ports: Sequence[object] = field(default_factory=tuple)
    """The public ports, once they are bound. Those of grpcio do not count connections."""
    last_rate: float | None = None
    """Calls per second at the last heartbeat; ``None``: not counted."""

    def announce(self) -> ReplicaFigures:
        """Return the load for a heartbeat."""
        self.last_rate = None if self.rate is None else self.rate.take()
        return self.now()

    def now(self) -> ReplicaFigures:
        """Return the load now, with the rate of calls of the last heartbeat."""
        streams, cached = self.sessions.operator.load()
        return ReplicaFigures(
            socket.gethostname()[:_LONGEST_HOST],
            os.getpid(),
            sum(getattr(port, "connections", 0) for port in self.ports),
            streams,
            cached,
            _memory_bytes(),
            self.last_rate,
        )


@dataclass(frozen=True)
class ReplicaDrain:
    """Lets this replica shut down, or marks another one in the store."""

    store: RedisStore
    stop: Callable[[], None]
    """Lets this process shut down."""

    @property
    def own(self) -> str:
        """See ``DrainReplicas.own``."""
        return self.store.replicas.id

    async def __call__(self, replica: str) -> bool:
        """See ``DrainReplicas``. This replica needs no store."""
        if replica == self.own:
            self.stop()
            return True
        return await self.store.replica_states.drain(replica)

    async def announce(self) -> None:
        """Let the other replicas show that this one drains, unless the store does not answer soon."""
        with suppress(StoreUnavailable, StoreFull, TimeoutError):
            async with asyncio.timeout(_ANNOUNCE_SECONDS):
                await self.store.replica_states.mark(self.own)


def announce_load(
    store: RedisStore, sessions: Sessions, rate: CallRate | None, stop: Callable[[], None]
) -> tuple[OwnLoad, ReplicaDrain]:
    """Add the load of this replica to its heartbeats, and let it drain when an operator has marked it."""
    load = OwnLoad(sessions, rate)
    store.replicas.figures, store.replicas.on_drain = load.announce, stop
    return load, ReplicaDrain(store, stop)


def _memory_bytes() -> int:
    """Return the resident memory of this process; 0 where the system has no ``/proc``."""
    try:
        return int(_STATM.read_text(encoding="ascii").split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 0
