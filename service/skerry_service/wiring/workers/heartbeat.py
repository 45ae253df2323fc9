"""The pipe between a worker and whoever keeps it running: what it says once it serves, then a beat a second.

The beats come out of its event loop. Where none comes, nobody is served: a process can stand still without ending.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress

BEAT_SECONDS = 1.0
BEATS_MISSED = 30
"""After so many a worker is taken for one that hangs: nothing that it does at once takes a second."""
_BEAT = b"."
_READ_AT_ONCE = 1024


def beat(descriptor: int) -> None:
    """Beat from now on, for as long as the running event loop turns."""
    with suppress(OSError):  # whoever reads has stopped, or is gone: that is told in other ways
        os.write(descriptor, _BEAT)
    asyncio.get_running_loop().call_later(BEAT_SECONDS, beat, descriptor)


class Pulse:
    """The end of the pipe at which a worker is listened to."""

    def __init__(self, descriptor: int) -> None:
        """It is closed with this."""
        self._pipe = os.fdopen(descriptor, "rb", buffering=0)
        self._reader = asyncio.StreamReader()
        self._transport: asyncio.ReadTransport | None = None

    async def line(self) -> bytes:
        """Return what is said first: a line, or less if the process has ended."""
        loop = asyncio.get_running_loop()
        protocol = asyncio.StreamReaderProtocol(self._reader)
        self._transport, _ = await loop.connect_read_pipe(lambda: protocol, self._pipe)
        return await self._reader.readline()

    async def stands_still(self) -> bool:
        """Return whether the process stands still, once it does or has ended.

        What counts are beats missed by our own: where both were stopped for a while, as a machine is, none was.
        """
        missed = 0
        while missed < BEATS_MISSED:
            try:
                async with asyncio.timeout(BEAT_SECONDS):
                    if not await self._reader.read(_READ_AT_ONCE):
                        return False
                missed = 0
            except TimeoutError:
                missed += 1
        return True

    def close(self) -> None:
        """Listen no more."""
        if self._transport is None:
            self._pipe.close()
        else:
            self._transport.close()
