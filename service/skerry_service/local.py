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
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from math import inf
from typing import TypeVar, cast
from weakref import WeakValueDictionary

from google.protobuf.message import Message

from skerry.v1 import service_pb2 as api
from skerry_client import aio, status, sync
from skerry_client.errors import SkerryError
from skerry_client.transport import A, Method, Q
from skerry_client.turn_loop import TurnLoop
from skerry_service.api.endpoint import sessions_endpoint
from skerry_service.api.error_table import is_refusal, status_of
from skerry_service.domain.errors import SessionNotFound
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions

M = TypeVar("M", bound=Message)


class LocalTransport:
    """A transport that calls the service's code directly, with a store in memory."""

    def __init__(self) -> None:
        self._store = MemoryStore()
        self._sessions = Sessions(self._store, clock_ms=_clock_ms)
        self._endpoint = sessions_endpoint(self._sessions)
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
        try:
            return cast("A", (await self._endpoint.answer(method.name, lambda: (request, token))).message)
        except Exception as error:
            raise _client_error(error) from _cause(error)

    async def _forget(self, name: str) -> None:
        """Delete a session that is over, unless a new handle holds it."""
        session = name.removeprefix("sessions/")
        with suppress(SessionNotFound):
            table, _ = await self._sessions.get(session, None)
            if table.record.over and name not in self._holds:
                self._store.delete(session)
                self._sessions.forget(session)

    async def observe(
        self, request: api.ObserveRequest, token: str | None
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        """Make one Observe call."""
        async with aclosing(self._stream("Observe", request, token)) as messages:
            async for message in messages:
                yield cast("api.ObserveResponse", message)

    async def find_match(self, request: api.FindMatchRequest) -> AsyncGenerator[api.FindMatchResponse, None]:
        """Make one FindMatch call."""
        async with aclosing(self._stream("FindMatch", request, None)) as messages:
            async for message in messages:
                yield cast("api.FindMatchResponse", message)

    async def _stream(self, rpc: str, request: Message, token: str | None) -> AsyncGenerator[Message, None]:
        try:
            copied = _copy(request)
            async with aclosing(self._endpoint.messages(rpc, lambda: (copied, token))) as messages:
                async for message in messages:
                    # Observers of one session may share a message, so each gets its own copy.
                    yield _copy(message.message)
        except Exception as error:
            raise _client_error(error) from _cause(error)

    async def close(self) -> None:
        """Nothing to release."""


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


def _client_error(error: Exception) -> SkerryError:
    return status.from_status(status_of(error))


def _cause(error: Exception) -> Exception | None:
    """Return the cause to show: ``None`` for an expected error, the error with its traceback for an internal one."""
    return None if is_refusal(error) else error


def _copy(message: M) -> M:
    copy = type(message)()
    copy.CopyFrom(message)
    return copy


def _clock_ms() -> int:
    return time.time_ns() // 1_000_000
