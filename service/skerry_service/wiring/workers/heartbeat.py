"""The pipe from a worker to its supervisor. It carries one line once the worker serves, then a heartbeat each second.

The worker's event loop sends the heartbeats. If they stop, the worker hangs, although its process has not ended.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress

HEARTBEAT_SECONDS = 1.0
MAX_MISSED = 30
"""Missed heartbeats after which a worker counts as hanging. No single step of a worker takes a second."""
_HEARTBEAT = b"."
_READ_BYTES = 1024


def send_heartbeats(descriptor: int) -> None:
    """Send a heartbeat now and each second, as long as the running event loop turns."""
    with suppress(OSError):  # the supervisor has stopped or ended, which the worker learns in other ways
        os.write(descriptor, _HEARTBEAT)
    asyncio.get_running_loop().call_later(HEARTBEAT_SECONDS, send_heartbeats, descriptor)


class HeartbeatMonitor:
    """The supervisor's end of the pipe."""

    def __init__(self, descriptor: int) -> None:
        """The monitor owns the descriptor and closes it."""
        self._pipe = os.fdopen(descriptor, "rb", buffering=0)
        self._reader = asyncio.StreamReader()
        self._transport: asyncio.ReadTransport | None = None

    async def first_line(self) -> bytes:
        """Return the first line, or a part of it if the process has ended."""
        loop = asyncio.get_running_loop()
        protocol = asyncio.StreamReaderProtocol(self._reader)
        self._transport, _ = await loop.connect_read_pipe(lambda: protocol, self._pipe)
        return await self._reader.readline()

    async def hangs(self) -> bool:
        """Wait until the process hangs or has ended, and return whether it hangs.

        The supervisor counts timeouts of its own instead of elapsed time. So no heartbeat counts as missed while both
        processes are suspended, for example with the machine.
        """
        missed = 0
        while missed < MAX_MISSED:
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    if not await self._reader.read(_READ_BYTES):
                        return False
                missed = 0
            except TimeoutError:
                missed += 1
        return True

    def close(self) -> None:
        """Close the pipe."""
        if self._transport is None:
            self._pipe.close()
        else:
            self._transport.close()
