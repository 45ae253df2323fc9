"""The embedded server of another process, as those see it that use it beside its owner."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import quote

from skerry_service.store.connections.free_space import DiskSpace
from skerry_service.store.embedded.data_directory import DataDirectory
from skerry_service.store.embedded.embedded_server import socket_path

_LOOK_SECONDS = 2.0


class AttachedServer:
    """A server that somebody else has started over a directory, and looks after."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory.absolute()
        self._data = DataDirectory(self.directory)
        self.room = DiskSpace(self.directory)
        """How much room there is on disk for the server to write."""

    @property
    def url(self) -> str:
        """What to give to ``RedisStore``."""
        return f"unix://{quote(str(socket_path(self.directory)))}"

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is wrong with the directory, in sentences."""
        return self._data.warnings()

    def note_stored(self) -> None:
        """Note that something was stored, as its owner does. Of two processes the later note may claim less."""
        self._data.note_tail()

    async def watch(self) -> None:
        """Follow the server to the file that it writes to, for good."""
        try:
            while True:
                self._data.open_tail()
                await asyncio.sleep(_LOOK_SECONDS)
        finally:
            self._data.close_tail()
