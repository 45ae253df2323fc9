"""The embedded server of another process, for a process that uses it without owning it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import quote

from skerry_service.store.connections.free_space import DiskSpace
from skerry_service.store.embedded.data_directory import DataDirectory
from skerry_service.store.embedded.embedded_server import socket_path

_POLL_SECONDS = 2.0


class AttachedServer:
    """A server that another process has started over a directory, and supervises."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory.absolute()
        self._data = DataDirectory(self.directory)
        self.room = DiskSpace(self.directory)
        """Returns the free space on the disk of the directory."""

    @property
    def url(self) -> str:
        """The address for ``RedisStore``."""
        return f"unix://{quote(str(socket_path(self.directory)))}"

    @property
    def warnings(self) -> tuple[str, ...]:
        """The problems of the directory, each as a sentence."""
        return self._data.warnings()

    def record_stored(self) -> None:
        """Record the current end of the stored data, as the owner does. The later of two records may be behind."""
        self._data.record_tail()

    async def watch(self) -> None:
        """Keep the file open that the server writes to, for as long as the task runs."""
        try:
            while True:
                self._data.open_tail()
                await asyncio.sleep(_POLL_SECONDS)
        finally:
            self._data.close_tail()
