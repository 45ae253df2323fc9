"""The service inside the caller's process, without a server, Redis or storage. For bots, tests and experiments.

    from skerry_service import local

    with local.Client() as skerry:
        ...

Rules, checks and errors are the same as over the network. A session lives as long as the client. Once its game is over,
it lives as long as one of its handles: a Table, a Seat, or an iteration over either.
"""

from __future__ import annotations

import time
from collections import deque
from contextlib import suppress
from math import inf
from weakref import WeakValueDictionary

from skerry_client import aio, sync
from skerry_client.transport import A, Method, Q
from skerry_client.turn_loop import TurnLoop
from skerry_service.api.endpoint import sessions_endpoint
from skerry_service.domain.errors import SessionNotFound
from skerry_service.in_process import InProcessTransport
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions


class LocalTransport(InProcessTransport):
    """A transport that calls the service's code directly, with a store in memory."""

    def __init__(self) -> None:
        self._store = MemoryStore()
        self._sessions = Sessions(self._store, clock_ms=_clock_ms)
        super().__init__(sessions_endpoint(self._sessions))
        self._holds: WeakValueDictionary[str, _SessionHold] = WeakValueDictionary()
        self._released: deque[str] = deque()

    def hold(self, name: str) -> object:
        """Return an object that keeps a finished session as long as the object lives."""
        hold = self._holds.get(name)
        if hold is None:
            hold = self._holds[name] = _SessionHold(name, self._released)
        return hold

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        """Make one unary call. The call never waits, so ``timeout`` has no effect."""
        while self._released:
            await self._forget(self._released.popleft())
        return await super().call(method, request, token, timeout)

    async def _forget(self, name: str) -> None:
        """Delete a session that is over, unless a new handle holds it."""
        session = name.removeprefix("sessions/")
        with suppress(SessionNotFound):
            table, _ = await self._sessions.get(session, None)
            if table.record.over and name not in self._holds:
                self._store.delete(session)
                self._sessions.forget(session)


class _SessionHold:
    """Lives as long as a handle of its session. After that, the next call deletes the session."""

    def __init__(self, name: str, released: deque[str]) -> None:
        self._name = name
        self._released = released

    def __del__(self) -> None:
        self._released.append(self._name)


class AsyncClient(aio.AsyncClient):
    """``skerry_client.AsyncClient`` without a server."""

    def __init__(self) -> None:
        super().__init__(LocalTransport(), retry_for=0, silence=inf)


class Client(sync.Client):
    """``skerry_client.Client`` without a server."""

    def __init__(self) -> None:
        super().__init__(LocalTransport(), retry_for=0, silence=inf)
        self._loop = TurnLoop()


def _clock_ms() -> int:
    return time.time_ns() // 1_000_000
