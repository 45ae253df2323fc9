"""Something that is made of files, and made again when they change, while everything runs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")
Contents = Mapping[Path, bytes]
EVERY_SECONDS = 5.0
"""How long a change may go unnoticed."""
_QUIET_SECONDS = 0.25
"""How long files that have changed must stay as they are: half a file of keys would withdraw the others."""
LARGEST_FILE = 4 * 1024 * 1024
_log = logging.getLogger(__name__)


class Unusable(ValueError):
    """Nothing can be made of what stands in the files. Its words are a sentence, without a secret in it."""


class Watched(Generic[T]):
    """What was made last of the files. What nothing can be made of changes nothing, and is told in the log, once."""

    def __init__(self, files: Mapping[str, Path], make: Callable[[Contents], T], name: str) -> None:
        """``files``: each by the setting that names it; ``make`` raises Unusable; ``name``: of what is made, in logs.

        Raises Unusable if nothing can be made of them to begin with.
        """
        self._files = files
        self._make = make
        self._name = name
        self._seen = self._read()
        self.value = make(self._seen)
        self._unusable: Contents | str | None = None
        self._told: Contents | str | None = None

    async def watch(self) -> None:
        """Look at the files for ever."""
        while True:
            await asyncio.sleep(EVERY_SECONDS - _QUIET_SECONDS)
            await self.look()

    async def look(self) -> bool:
        """Make it anew if the files have changed; return whether that was done."""
        try:
            found = await self._settled()
        except Unusable as error:
            self._complain(str(error), str(error))
            return False
        if found == self._seen:
            self._unusable = self._told = None
            return False
        try:
            self.value = self._make(found)
        except Unusable as error:
            self._complain(found, str(error))
            return False
        self._seen, self._unusable, self._told = found, None, None
        _log.warning("%s changed, and what is new is in force", self._name)
        return True

    async def _settled(self) -> Contents:
        """Return what all of them hold, once nobody writes them any more. Raises Unusable."""
        before, found = self._seen, await asyncio.to_thread(self._read)
        while found not in (before, self._seen):
            await asyncio.sleep(_QUIET_SECONDS)
            before, found = found, await asyncio.to_thread(self._read)
        return found

    def _complain(self, what: Contents | str, why: str) -> None:
        """Say why it stays as it was; at the second look, as files of one change are often written one by one."""
        if what == self._unusable and what != self._told:
            self._told = what
            _log.error("%s changed, and stays as it was: %s", self._name, why)
        self._unusable = what

    def _read(self) -> Contents:
        return read_files(self._files)


def read_files(files: Mapping[str, Path]) -> Contents:
    """Return what all of them hold. Raises Unusable."""
    return {path: read_file(setting, path) for setting, path in files.items()}


def read_file(setting: str, path: Path) -> bytes:
    """Return what the file holds. Raises Unusable, which names the setting."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise Unusable(f"{setting} names {path}, which cannot be read: {error.strerror}") from None
    if len(data) > LARGEST_FILE:
        raise Unusable(f"{setting} names {path}, which is larger than {LARGEST_FILE >> 20} MiB")
    return data
