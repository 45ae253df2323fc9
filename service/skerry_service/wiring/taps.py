"""Taps report trips to the store and steps of changes to metrics and traces.

A tap replaces methods of one observed instance, so an instance without a tap pays nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from time import perf_counter
from typing import Any, Protocol

from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import SkerryError
from skerry_service.domain.packed import Request
from skerry_service.domain.table import Change, Table
from skerry_service.sessions.commits import Committer, Decide
from skerry_service.sessions.store_port import Commit
from skerry_service.store.redis_store import RedisStore

OnTrip = Callable[[str, str, float], None]
"""Receives the name of a trip, its result, and its duration in seconds. Must not block or raise."""
TRIPS: Mapping[str, Callable[[Any], str]] = {
    "commit": lambda result: type(result).__name__.lower(),
    "create": lambda existing: "conflict" if existing else "stored",
    **dict.fromkeys(("load", "tip", "find_request", "batches", "list_sessions", "take", "listen"), lambda _: "ok"),
}
"""The trips that a call may wait for. Each maps a successful return value to the name of its result."""


class ChangeTracer(Protocol):
    """Receives the steps of changes. Must not block or raise."""

    def step(self, name: str) -> None:
        """Begin the step ``decide`` or ``commit``, and end the one before."""

    def change(self, session: str) -> AbstractContextManager[None]:
        """Return a context that spans the change of a session."""


def tap_trip(store: RedisStore, trip: str, on_trip: OnTrip) -> None:
    """Report each trip of that name, one of ``TRIPS``, even if it fails or is cancelled."""
    method: Callable[..., Awaitable[Any]] = getattr(store, trip)

    async def timed(*arguments: Any, **keywords: Any) -> Any:
        began, result = perf_counter(), "cancelled"
        try:
            returned = await method(*arguments, **keywords)
            result = TRIPS[trip](returned)
            return returned
        except SkerryError as error:
            result = type(error).__name__.lower()
            raise
        finally:
            on_trip(trip, result, perf_counter() - began)

    setattr(store, trip, timed)


def tap_changes(changes: Committer, tracer: ChangeTracer) -> None:
    """Report each change of a session, and its tracer."""
    change_from, commit_of = changes.change_from, changes.commit_of

    async def observed(table: Table, request: Request | None, decide: Decide, *, fresh: bool) -> Change:
        def decided(table: Table, now: Moment) -> Change:
            tracer.step("decide")
            return decide(table, now)

        with tracer.change(table.record.id):
            return await change_from(table, request, decided, fresh=fresh)

    def committing(before: Table | None, change: Change, request: Request | None) -> Commit:
        tracer.step("commit")
        return commit_of(before, change, request)

    setattr(changes, "change_from", observed)  # noqa: B010 - mypy rejects assigning to a method
    setattr(changes, "commit_of", committing)  # noqa: B010
