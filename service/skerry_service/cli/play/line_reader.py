"""Reading of typed lines without blocking the event loop."""

from __future__ import annotations

import asyncio
import os

_CHUNK = 4096


class LineReader:
    """Reads lines from the file descriptor of a terminal, pipe or file."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._read = b""
        self._ended = False

    async def next(self) -> str | None:
        """Return the next line without its line end; ``None`` after the last one."""
        while b"\n" not in self._read and not self._ended:
            await self._readable()
            try:
                chunk = os.read(self._descriptor, _CHUNK)
            except OSError:  # the terminal was closed
                chunk = b""
            self._ended = not chunk
            self._read += chunk
        if not self._read:
            return None
        line, _, self._read = self._read.partition(b"\n")
        return line.decode(errors="replace").rstrip("\r")

    async def _readable(self) -> None:
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        try:
            loop.add_reader(self._descriptor, _set, ready)
        except PermissionError:  # a regular file is always readable
            return
        try:
            await ready
        finally:
            loop.remove_reader(self._descriptor)


def _set(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)
