"""How much room a store has, in memory and on disk, and for what that is enough."""

from __future__ import annotations

import os
import re
import time
from enum import IntEnum
from pathlib import Path

_MIB = 2**20
MEMORY_FOR_MOVES = 0.1
"""The share of the memory that is kept for the moves of sessions that are there already."""
DISK_FOR_MOVES = 64 * _MIB
"""The same on disk, in bytes."""
DISK_FOR_NOTHING = 4 * _MIB
"""With less than this free, a server is given nothing to write: one that syncs always ends when it cannot."""


_GOOD_SECONDS = 0.01
"""How long what was found of a disk is good for: asking costs a hundredth of a move."""


class FreeSpace(IntEnum):
    """What can be stored."""

    NONE = 0
    """Nothing."""
    LITTLE = 1
    """What sessions add to themselves, but no new ones."""
    PLENTY = 2


def in_memory(info: bytes) -> FreeSpace:
    """Return how much room is left of ``maxmemory``, from what INFO says. Of what is over it the server takes care."""
    used, limit = _memory(info)
    return FreeSpace.LITTLE if limit and used > limit * (1 - MEMORY_FOR_MOVES) else FreeSpace.PLENTY


def is_ample(info: bytes) -> bool:
    """Whether less than half of ``maxmemory`` is used, by the same: for a moment nobody need ask again."""
    used, limit = _memory(info)
    return not limit or used < limit / 2


def _memory(info: bytes) -> tuple[int, int]:
    used, limit = (int(found[1]) if (found := pattern.search(info)) else 0 for pattern in (_USED, _LIMIT))
    return used, limit


def on_disk(directory: Path) -> FreeSpace:
    """Return how much room the file system of a directory has; none, if the directory is gone."""
    try:
        status = os.statvfs(directory)
    except OSError:
        return FreeSpace.NONE
    free = status.f_bavail * status.f_frsize
    if free < DISK_FOR_NOTHING:
        return FreeSpace.NONE
    return FreeSpace.LITTLE if free < DISK_FOR_MOVES else FreeSpace.PLENTY


class DiskSpace:
    """How much room the file system of a directory has, as of a moment ago."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._room, self._until = FreeSpace.PLENTY, 0.0

    def __call__(self) -> FreeSpace:
        """Return it."""
        now = time.monotonic()
        if now > self._until:
            self._room, self._until = on_disk(self._directory), now + _GOOD_SECONDS
        return self._room


_USED = re.compile(rb"^used_memory:(\d+)", re.MULTILINE)
_LIMIT = re.compile(rb"^maxmemory:(\d+)", re.MULTILINE)
