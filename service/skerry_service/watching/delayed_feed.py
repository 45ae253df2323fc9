"""The delayed counterpart of ``Feed``, for readers who see a session with a delay."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Protocol

from skerry_service.domain.cooperative import CooperativeTask
from skerry_service.domain.errors import SequenceAhead, StoreUnavailable
from skerry_service.domain.table import Applied, Table, apply_entry, require_table
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.task_runner import TaskRunner
from skerry_service.watching.notifier import Notifier

_RETRY_MS = 1000
"""Pause before the next attempt after the store was unavailable."""


class LiveFeed(Protocol):
    """The part of ``feed.Feed`` that a delayed feed needs."""

    losses: list[int]
    epoch: str
    generation: int

    @property
    def table(self) -> Table:
        """The session after the last entry."""

    def wait(self, generation: int) -> asyncio.Future[None]:
        """See ``Notifier.wait``."""

    def require_sound(self) -> None:
        """Raise the error that keeps the feed from being read."""

    def between(self, sequence: int, last: int) -> Sequence[Applied]:
        """Return the entries after ``sequence``, up to and including ``last``."""

    def shown_until(self, now_ms: int) -> tuple[int, int | None]:
        """Return the last visible entry, and the ms until the next one becomes visible if time alone reveals it."""


class DelayedFeed(Notifier):
    """A table that follows the live one with the session's delay, and the log up to there.

    A delayed feed notifies its readers itself. A live move that they cannot see yet does not wake them, so they do not
    learn when the move was made.
    """

    def __init__(self, feed: LiveFeed, store: Store, tasks: TaskRunner) -> None:
        super().__init__()
        self.losses: list[int] = []
        """As in ``Feed``."""
        self.memo: dict[Any, Any] = {}
        """As in ``Feed``. Never shared with the live feed, whose readers may see more."""
        self.last_update: tuple[Any, Any] = None, None
        """As in ``Feed``, and not shared either."""
        self._feed = feed
        self._store = store
        self._tasks = tasks
        self._table: Table | None = None
        self._known_losses = len(feed.losses)
        self._opening = asyncio.get_running_loop().create_task(self._advance())
        self._following: asyncio.Task[None] | None = None

    @property
    def table(self) -> Table:
        """The session after the last visible entry."""
        return require_table(self._table)

    @property
    def epoch(self) -> str:
        """As in ``Feed``."""
        return self._feed.epoch

    @property
    def over(self) -> bool:
        """Whether the session has ended and its whole log is visible."""
        return self.table.record.over

    async def opened(self) -> None:
        """Wait until the first table is available. Raises StoreUnavailable."""
        await asyncio.shield(self._opening)
        if self._following is None:
            self._following = asyncio.get_running_loop().create_task(self._follow())

    def after(self, sequence: int, losses: int) -> Sequence[Applied]:
        """Return the visible entries after ``sequence``. Raises as ``Feed.after``."""
        self._feed.require_sound()
        kept = min([self.table.sequence, *self.losses[losses:]])
        if sequence > kept:
            raise SequenceAhead(sequence, kept)
        return self._feed.between(sequence, self.table.sequence)

    def close(self) -> Sequence[asyncio.Task[Any]]:
        """Stop following. Return the cancelled tasks, for the caller to await."""
        tasks = [task for task in (self._opening, self._following) if task is not None]
        for task in tasks:
            task.cancel()
        return tasks

    async def _follow(self) -> None:
        while True:
            generation = self._feed.generation
            try:
                due_ms = await self._advance()
            except StoreUnavailable:
                due_ms = _RETRY_MS  # readers keep what they have
            try:
                async with asyncio.timeout(None if due_ms is None else due_ms / 1000):
                    await self._feed.wait(generation)
            except TimeoutError:
                pass

    async def _advance(self) -> int | None:
        """Advance to the last visible entry. Return the ms until the next one if time alone reveals it."""
        feed = self._feed
        now_ms = await self._store.uptime_ms()
        before, live, losses = self._table, feed.table, len(feed.losses)
        lost = feed.losses[self._known_losses :]
        last, due_ms = feed.shown_until(now_ms)
        if lost or before is None or before.sequence < last:
            start = None if lost else before
            applied = feed.between(start.sequence if start else 0, last)
            table = live if last == live.sequence else await self._tasks.run(_replay(start, applied))
            if lost and before is not None:
                self.losses.append(min(before.sequence, *lost))
            self._table, self._known_losses = table, losses
            self.memo.clear()
            self.notify()
        return due_ms


def _replay(table: Table | None, entries: Sequence[Applied]) -> CooperativeTask[Table]:
    for applied in entries:
        table, _ = apply_entry(table, applied.entry, applied.move)
        yield
    return require_table(table)
