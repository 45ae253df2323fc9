"""Stores whose commits are timed, of which sessions consist, or whatever a call has to wait for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from time import perf_counter
from typing import Any, TypeVar

from skerry_service.access.gcra import Reached
from skerry_service.access.quotas import Rate
from skerry_service.domain.errors import SkerryError
from skerry_service.domain.packed import Head, Request
from skerry_service.sessions.store_port import Commit, CommitResult, Duplicate, Listener, Tip
from skerry_service.store.redis_store import RedisStore

T = TypeVar("T")
OnTrip = Callable[[str, str, float], None]
"""Is told of a trip: which, what came of it, and how many seconds it took."""


class TimedStore(RedisStore):
    """Tells of each commit what came of it, and how many seconds it took."""

    def __init__(self, url: str, on_commit: Callable[[str, float], None], **settings: Any) -> None:
        """``settings``: of a ``RedisStore``."""
        super().__init__(url, **settings)
        self._on_commit = on_commit

    async def commit(self, session: str, commit: Commit) -> CommitResult:
        began, came = perf_counter(), "cancelled"
        try:
            result = await super().commit(session, commit)
            came = type(result).__name__
            return result
        except SkerryError as refusal:
            came = type(refusal).__name__
            raise
        finally:
            self._on_commit(came.lower(), perf_counter() - began)


class ToldStore(TimedStore):
    """Tells of each trip that a call may have to wait for, commits among them."""

    def __init__(self, url: str, on_trip: OnTrip, on_commit: Callable[[str, float], None], **settings: Any) -> None:
        """``settings``: of a ``RedisStore``."""

        def committed(result: str, seconds: float) -> None:
            on_commit(result, seconds)
            on_trip("commit", result, seconds)

        super().__init__(url, committed, **settings)
        self._on_trip = on_trip

    async def create(self, *asked: Any, **named: Any) -> Head | None:
        work = super().create(*asked, **named)
        return await self._told("create", work, lambda found: "conflict" if found else "stored")

    async def load(self, session: str) -> Head | None:
        return await self._told("load", super().load(session))

    async def tip(self, session: str) -> Tip | None:
        return await self._told("tip", super().tip(session))

    async def find_request(self, session: str, request: Request) -> Duplicate | None:
        return await self._told("find_request", super().find_request(session, request))

    async def batches(self, session: str, after: int) -> Sequence[bytes]:
        return await self._told("batches", super().batches(session, after))

    async def public(self, *asked: Any, **named: Any) -> Sequence[tuple[int, str]]:
        return await self._told("public", super().public(*asked, **named))

    async def take(self, kind: str, wanted: Sequence[tuple[str, Rate]]) -> Reached | None:
        return await self._told("take", super().take(kind, wanted))

    async def listen(self, session: str, listener: Listener) -> None:
        await self._told("listen", super().listen(session, listener))

    async def _told(self, trip: str, work: Awaitable[T], result: Callable[[T], str] = lambda _: "ok") -> T:
        began, came = perf_counter(), "cancelled"
        try:
            answer = await work
            came = result(answer)
            return answer
        except SkerryError as refusal:
            came = type(refusal).__name__.lower()
            raise
        finally:
            self._on_trip(trip, came, perf_counter() - began)
