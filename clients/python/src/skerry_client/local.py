"""The service in the caller's own process: no server, no Redis, nothing kept. For bots, tests and experiments.

    from skerry_client import local

    with local.Client() as skerry:
        ...

Needs the distribution ``skerry-service``. The same rules, checks and refusals as over the wire; sessions live as long
as the client.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TypeVar, cast

from google.protobuf.message import Message

from skerry.v1 import service_pb2 as api
from skerry_client import aio, status, sync
from skerry_client.errors import SkerryError
from skerry_client.transport import A, Method, Q
from skerry_service.rpc.errors import describe, known
from skerry_service.rpc.methods import Methods, method_name
from skerry_service.sessions.memory import MemoryStore
from skerry_service.sessions.service import Sessions

M = TypeVar("M", bound=Message)


class LocalTransport:
    """A transport into the service's own code, over a store in memory."""

    def __init__(self) -> None:
        self._methods = Methods(Sessions(MemoryStore(), clock_ms=_clock_ms))

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        """Make one unary call. Nothing here waits, so ``timeout`` never passes."""
        perform = getattr(self._methods, method_name(method.name))
        try:
            return cast("A", await perform(_copy(request), token))
        except Exception as error:
            raise _refusal(error) from _defect(error)

    async def observe(
        self, request: api.ObserveRequest, token: str | None
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        """Make one Observe call."""
        try:
            async with aclosing(self._methods.observe(_copy(request), token)) as updates:
                async for update in updates:
                    # Observers of one session may be told with one message; each gets its own to keep.
                    yield _copy(update.message)
        except Exception as error:
            raise _refusal(error) from _defect(error)

    async def close(self) -> None:
        """Nothing to release."""


class AsyncClient(aio.AsyncClient):
    """``skerry_client.AsyncClient`` without a server."""

    def __init__(self) -> None:
        super().__init__(LocalTransport())


class Client(sync.Client):
    """``skerry_client.Client`` without a server."""

    def __init__(self) -> None:
        super().__init__(LocalTransport())


def _refusal(error: Exception) -> SkerryError:
    return status.from_status(describe(error))


def _defect(error: Exception) -> Exception | None:
    """Return what to show as the cause: a refusal says all, a defect has a traceback that somebody needs."""
    return None if known(error) else error


def _copy(message: M) -> M:
    copy = type(message)()
    copy.CopyFrom(message)
    return copy


def _clock_ms() -> int:
    return time.time_ns() // 1_000_000
