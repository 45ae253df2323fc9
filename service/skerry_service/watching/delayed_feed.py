"""A watched session as it is shown late: what a ``Feed`` is to those who see it live, to all who do not."""

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

_AWAY_MS = 1000
"""After which the age of a store is asked for again that was away."""


class Live(Protocol):
    """What a delayed feed needs of the live one (``feed.Feed``)."""

    losses: list[int]
    epoch: str
    rung: int

    @property
    def table(self) -> Table:
        """The session after the last entry."""

    def wait(self, rung: int) -> asyncio.Future[None]:
        """See ``Notifier.wait``."""

    def require_sound(self) -> None:
        """Raise why the feed cannot be read any more."""

    def between(self, sequence: int, last: int) -> Sequence[Applied]:
        """Return the entries with a greater sequence, up to the last one."""

    def shown_until(self, uptime_ms: int) -> tuple[int, int | None]:
        """Return the last entry that is shown by then, and in how many ms there is more, if time brings it."""


class DelayedFeed(Notifier):
    """A table that follows the live one at its distance, with the log as far as that. Its readers wake by it alone.

    So they are not woken by a move that they are not shown yet: when it was made is not told either.
    """

    def __init__(self, feed: Live, store: Store, tasks: TaskRunner) -> None:
        super().__init__()
        self.losses: list[int] = []
        """As in ``Feed``."""
        self.memo: dict[Any, Any] = {}
        """As in ``Feed``, and never the same one: what is told here may be less."""
        self.looked: tuple[Any, Any] = None, None
        """Likewise."""
        self._feed = feed
        self._store = store
        self._tasks = tasks
        self._table: Table | None = None
        self._known_losses = len(feed.losses)
        self._opening = asyncio.get_running_loop().create_task(self._advance())
        self._going: asyncio.Task[None] | None = None

    @property
    def table(self) -> Table:
        """The session after the last entry that is shown."""
        return require_table(self._table)

    @property
    def epoch(self) -> str:
        """As in ``Feed``."""
        return self._feed.epoch

    @property
    def over(self) -> bool:
        """Whether the log has come to its end, and is shown to there."""
        return self.table.record.over

    async def opened(self) -> None:
        """Return once there is something to show. Raises StoreUnavailable."""
        await asyncio.shield(self._opening)
        if self._going is None:
            self._going = asyncio.get_running_loop().create_task(self._go_along())

    def after(self, sequence: int, losses: int) -> Sequence[Applied]:
        """Return the entries with a greater sequence that are shown. Raises as ``Feed.after``."""
        self._feed.require_sound()
        kept = min([self.table.sequence, *self.losses[losses:]])
        if sequence > kept:
            raise SequenceAhead(sequence, kept)
        return self._feed.between(sequence, self.table.sequence)

    def close(self) -> Sequence[asyncio.Task[Any]]:
        """End. Return what has yet to end."""
        tasks = [task for task in (self._opening, self._going) if task is not None]
        for task in tasks:
            task.cancel()
        return tasks

    async def _go_along(self) -> None:
        while True:
            rung = self._feed.rung
            try:
                due_ms = await self._advance()
            except StoreUnavailable:
                due_ms = _AWAY_MS  # what is known is shown on
            try:
                async with asyncio.timeout(None if due_ms is None else due_ms / 1000):
                    await self._feed.wait(rung)
            except TimeoutError:
                pass

    async def _advance(self) -> int | None:
        """Show what may be shown by now. Return in how many ms there is more, if time alone brings it."""
        feed = self._feed
        uptime_ms = await self._store.uptime_ms()
        before, live, losses = self._table, feed.table, len(feed.losses)
        lost = feed.losses[self._known_losses :]
        last, due_ms = feed.shown_until(uptime_ms)
        if lost or before is None or before.sequence < last:
            begin = None if lost else before
            applied = feed.between(begin.sequence if begin else 0, last)
            table = live if last == live.sequence else await self._tasks.run(_followed(begin, applied))
            if lost and before is not None:
                self.losses.append(min(before.sequence, *lost))
            self._table, self._known_losses = table, losses
            self.memo.clear()
            self.ring()
        return due_ms


def _followed(table: Table | None, applied: Sequence[Applied]) -> CooperativeTask[Table]:
    for one in applied:
        table, _ = apply_entry(table, one.entry, one.move)
        yield
    return require_table(table)
