"""The open tables of other cells, each as last read from there.

A replica asks a cell only while a caller reads the directory, at most once in ``FRESH_SECONDS`` and once at a time.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import Context
from typing import Generic, TypeVar

from msgspec import Struct

Tables = TypeVar("Tables")

FRESH_SECONDS = 5.0
"""The shortest time between two reads of a cell, also after a failure."""
READ_SECONDS = 2.0
"""The longest time of a read."""
STALE_SECONDS = 300.0
"""The age at which the tables of a cell that does not answer are forgotten."""
_RETRY_WAIT_SECONDS = 0.1
"""How long a caller waits for a cell that did not answer the last time."""
_log = logging.getLogger(__name__)


class CellTables(Struct, Generic[Tables], frozen=True):
    """What is known of a cell."""

    cell: str
    reached: bool
    """Whether the newest read succeeded."""
    tables: tuple[float, Tables] | None
    """The tables with their age in seconds; ``None``: none are known, or they are too old."""


class _PeerTables(Generic[Tables]):
    """The tables of one cell."""

    def __init__(self, cell: str, read: Callable[[], Awaitable[Tables]], clock: Callable[[], float]) -> None:
        self._cell = cell
        self._read = read
        self._clock = clock
        self._tried_at = float("-inf")
        self._reached = True
        self._known: tuple[float, Tables] | None = None
        """The time of the last successful read, and its tables."""
        self._reading: asyncio.Task[None] | None = None

    async def get(self) -> CellTables[Tables]:
        """Return the tables; wait for a read that is due. Callers at the same time share a read."""
        if self._reading is None and self._clock() - self._tried_at >= FRESH_SECONDS:
            # The read belongs to no caller: neither its language nor its cancellation matters.
            self._reading = asyncio.get_running_loop().create_task(self._load(), context=Context())
        if (reading := self._reading) is not None:
            await asyncio.wait((reading,), timeout=None if self._reached else _RETRY_WAIT_SECONDS)
        if self._known is not None and self._clock() - self._known[0] > STALE_SECONDS:
            self._known = None
        known = None if self._known is None else (self._clock() - self._known[0], self._known[1])
        return CellTables(self._cell, self._reached and known is not None, known)

    async def _load(self) -> None:
        try:
            async with asyncio.timeout(READ_SECONDS):
                tables = await self._read()
        except (OSError, ValueError) as error:  # a timeout is an OSError
            if self._reached:
                _log.warning("cannot read the open tables of the cell %s: %s", self._cell, str(error) or "timeout")
            self._reached = False
        else:
            self._known, self._reached = (self._clock(), tables), True
        finally:
            self._tried_at, self._reading = self._clock(), None


class CellDirectory(Generic[Tables]):
    """The other cells."""

    def __init__(
        self, readers: Mapping[str, Callable[[], Awaitable[Tables]]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``readers``: read the tables of each cell; they raise OSError, ValueError. ``clock``: in seconds."""
        self._peers = [_PeerTables(cell, read, clock) for cell, read in sorted(readers.items())]

    async def get(self) -> Sequence[CellTables[Tables]]:
        """Return what is known of each cell, ordered by its id."""
        return await asyncio.gather(*[peer.get() for peer in self._peers]) if self._peers else ()
