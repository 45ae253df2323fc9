"""A stream reader as a task beside the test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from skerry_service.sessions.service import Sessions
from skerry_service.watching.streams import Update

PATIENCE = 20.0
"""Seconds after which a test stops waiting for what has to come. Only bounds a hang."""


async def observe(
    sessions: Sessions, session: str, token: str | None, after: int | None, reader: str | None = None
) -> AsyncGenerator[Update, None]:
    """Yield an update at once, then whenever there may be something new, until the game is over."""
    async with sessions.reading(session, token, after, reader) as reading:
        while True:
            yield reading.read()
            if reading.over:
                return
            await reading.feed.wait(reading.generation)


class Reader:
    """Reads a stream until it ends, and keeps the updates."""

    def __init__(self, updates: AsyncGenerator[Update, None]) -> None:
        self.updates: list[Update] = []
        self.over = False
        self._arrived = asyncio.Condition()
        self.task = asyncio.create_task(self._read(updates))

    @property
    def sequences(self) -> list[int]:
        """The sequences of all received entries, in order."""
        return [applied.sequence for update in self.updates for applied in update.applied]

    async def _read(self, updates: AsyncGenerator[Update, None]) -> None:
        try:
            async with aclosing(updates):
                async for update in updates:
                    self.updates.append(update)
                    await self._notify()
        finally:
            self.over = True
            await self._notify()

    async def _notify(self) -> None:
        async with self._arrived:
            self._arrived.notify_all()

    async def has(self, count: int) -> Update:
        """Wait for that many updates; return the last of them."""
        async with asyncio.timeout(PATIENCE), self._arrived:
            await self._arrived.wait_for(lambda: len(self.updates) >= count)
        return self.updates[count - 1]

    async def reaches(self, sequence: int) -> Update:
        """Wait until the stream has reached a sequence; return its last update."""
        async with asyncio.timeout(PATIENCE), self._arrived:
            await self._arrived.wait_for(lambda: bool(self.updates) and self.updates[-1].table.sequence >= sequence)
        return self.updates[-1]

    async def settles(self, condition: Callable[[Reader], bool]) -> None:
        """Wait until the condition holds or the stream has ended."""
        async with asyncio.timeout(PATIENCE), self._arrived:
            await self._arrived.wait_for(lambda: self.over or condition(self))

    async def ends(self) -> None:
        """Wait for the end of the stream; raise its error."""
        async with asyncio.timeout(PATIENCE):
            await self.task

    async def stop(self) -> None:
        """Close the stream as a client does."""
        self.task.cancel()
        await asyncio.wait([self.task])
