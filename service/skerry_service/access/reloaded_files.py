"""Values loaded from files, and reloaded when the files change while the service runs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")
Contents = Mapping[Path, bytes]
POLL_SECONDS = 5.0
"""The longest time until a change is noticed."""
_QUIET_SECONDS = 0.25
"""How long changed files must stay unchanged before they are loaded. Half a file of keys would withdraw other keys."""
LARGEST_FILE = 4 * 1024 * 1024
_log = logging.getLogger(__name__)


class UnusableFile(ValueError):
    """The contents of a file cannot be used. The message is a sentence without secrets."""


class ReloadedFiles(Generic[T]):
    """The value loaded from the latest usable version of some files. An unusable version is logged once."""

    def __init__(self, files: Mapping[str, Path], load: Callable[[Contents], T], name: str) -> None:
        """Load the files. Raises UnusableFile.

        ``files``: by the setting that names each; ``load``: raises UnusableFile; ``name``: of the value, for logs.
        """
        self._files = files
        self._load = load
        self._name = name
        self._loaded = self._read()
        self.value = load(self._loaded)
        self._unusable: Contents | str | None = None
        """The version, or the read error, that the last poll could not use."""
        self._reported: Contents | str | None = None

    async def watch(self) -> None:
        """Poll the files for ever."""
        while True:
            await asyncio.sleep(POLL_SECONDS - _QUIET_SECONDS)
            await self.poll()

    async def poll(self) -> bool:
        """Reload the value if the files have changed; return whether it was reloaded."""
        try:
            found = await self._read_stable()
        except UnusableFile as error:
            self._report(str(error), str(error))
            return False
        if found == self._loaded:
            self._unusable = self._reported = None
            return False
        try:
            self.value = self._load(found)
        except UnusableFile as error:
            self._report(found, str(error))
            return False
        self._loaded, self._unusable, self._reported = found, None, None
        _log.warning("reloaded the %s", self._name)
        return True

    async def _read_stable(self) -> Contents:
        """Return the contents of all files, once two reads in a row agree. Raises UnusableFile."""
        before, found = self._loaded, await asyncio.to_thread(self._read)
        while found not in (before, self._loaded):
            await asyncio.sleep(_QUIET_SECONDS)
            before, found = found, await asyncio.to_thread(self._read)
        return found

    def _report(self, version: Contents | str, reason: str) -> None:
        """Log an unusable version at the second poll: the files of one change are often written one by one."""
        if version == self._unusable and version != self._reported:
            self._reported = version
            _log.error("cannot reload the %s, the previous version stays in force: %s", self._name, reason)
        self._unusable = version

    def _read(self) -> Contents:
        return read_files(self._files)


def read_files(files: Mapping[str, Path]) -> Contents:
    """Return the contents of files by path. Raises UnusableFile."""
    return {path: read_file(setting, path) for setting, path in files.items()}


def read_file(setting: str, path: Path) -> bytes:
    """Return the contents of a file. Raises UnusableFile, which names the setting."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise UnusableFile(f"{setting} names {path}, which cannot be read: {error.strerror}") from None
    if len(data) > LARGEST_FILE:
        raise UnusableFile(f"{setting} names {path}, which is larger than {LARGEST_FILE >> 20} MiB")
    return data
