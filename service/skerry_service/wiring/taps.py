"""Taps: they report the trips to the store and the steps of a change to counters and traces.

A tap replaces methods of the one instance that is observed. So an instance without a tap does nothing for it.
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
"""Receives the name of a trip, its result, and its duration in seconds. Returns at once and raises nothing."""
TRIPS: Mapping[str, Callable[[Any], str]] = {
    "commit": lambda result: type(result).__name__.lower(),
    "create": lambda existing: "conflict" if existing else "stored",
    **dict.fromkeys(("load", "tip", "find_request", "batches", "list_sessions", "take", "listen"), lambda _: "ok"),
}
"""The trips that a call may wait for, and the result of each that did not fail."""


class Steps(Protocol):
    """Receives the steps of changes. Returns at once and raises nothing."""

    def step(self, name: str) -> None:
        """A step begins, which ends the one before: ``decide`` or ``commit``."""

    def change(self, session: str) -> AbstractContextManager[None]:
        """Return a context that is entered while a session is changed."""


def tap_trip(store: RedisStore, trip: str, on_trip: OnTrip) -> None:
    """Report each trip of that name, one of ``TRIPS``: also where it fails or is cancelled."""
    make: Callable[..., Awaitable[Any]] = getattr(store, trip)

    async def timed(*arguments: Any, **named: Any) -> Any:
        began, result = perf_counter(), "cancelled"
        try:
            answer = await make(*arguments, **named)
            result = TRIPS[trip](answer)
            return answer
        except SkerryError as refusal:
            result = type(refusal).__name__.lower()
            raise
        finally:
            on_trip(trip, result, perf_counter() - began)

    setattr(store, trip, timed)


def tap_changes(changes: Committer, steps: Steps) -> None:
    """Report each change of a session, and its steps."""
    change_from, commit_of = changes.change_from, changes.commit_of

    async def observed(table: Table, request: Request | None, decide: Decide, *, fresh: bool) -> Change:
        def decided(table: Table, now: Moment) -> Change:
            steps.step("decide")
            return decide(table, now)

        with steps.change(table.record.id):
            return await change_from(table, request, decided, fresh=fresh)

    def committing(before: Table | None, change: Change, request: Request | None) -> Commit:
        steps.step("commit")
        return commit_of(before, change, request)

    setattr(changes, "change_from", observed)  # noqa: B010 - an instance of ours, and mypy wants no assignment
    setattr(changes, "commit_of", committing)  # noqa: B010
