"""An Observe stream as a task beside the test."""

from __future__ import annotations

import asyncio
from typing import Any

from skerry.v1 import service_pb2 as pb
from tests.api.wire import Api, Sitting, bearer
from tests.store.servers import PATIENCE


class Watcher:
    """Reads a session's stream to its end, and keeps every message."""

    def __init__(
        self, api: Api, sitting: Sitting, token: str | None = None, after: int | None = 0, **fields: Any
    ) -> None:
        self.messages: list[pb.ObserveResponse] = []
        self._arrived = asyncio.Condition()
        request = pb.ObserveRequest(name=sitting.name, after_sequence=after, **fields)
        self._call = api.stub.Observe(request, metadata=bearer(token))
        self._task = asyncio.create_task(self._read())

    @property
    def sequences(self) -> list[int]:
        """The sequences of all received entries, in order of arrival."""
        return [entry.sequence for message in self.messages for entry in message.entries]

    async def _read(self) -> None:
        async for message in self._call:
            async with self._arrived:
                self.messages.append(message)
                self._arrived.notify_all()

    async def has(self, count: int) -> pb.ObserveResponse:
        """Wait for that many messages; return the last of them."""
        async with asyncio.timeout(PATIENCE), self._arrived:
            await self._arrived.wait_for(lambda: len(self.messages) >= count)
        return self.messages[count - 1]

    async def reaches(self, sequence: int) -> pb.ObserveResponse:
        """Wait until the stream has reached that sequence; return its last message."""
        async with asyncio.timeout(PATIENCE), self._arrived:
            await self._arrived.wait_for(lambda: bool(self.messages) and self.messages[-1].sequence >= sequence)
        return self.messages[-1]

    async def ends(self) -> None:
        """Wait for the end; raise what it ended with, unless that is OK."""
        async with asyncio.timeout(PATIENCE):
            await self._task

    async def hang_up(self) -> None:
        """Cancel the stream."""
        self._call.cancel()
        await asyncio.wait([self._task])
