"""The free space of a store, in memory and on disk, and which writes it allows."""

from __future__ import annotations

import os
import re
import time
from enum import IntEnum
from pathlib import Path

_MIB = 2**20
MEMORY_FOR_MOVES = 0.1
"""The share of memory that is reserved for moves of existing sessions."""
DISK_FOR_MOVES = 64 * _MIB
"""The bytes of the disk that are reserved for them."""
MIN_DISK = 4 * _MIB
"""With fewer free bytes, the server receives no writes: with ``appendfsync always`` it ends if a write fails."""


_VALID_SECONDS = 0.01
"""How long a reading of the disk is valid. A reading costs a hundredth of a move."""


class FreeSpace(IntEnum):
    """Which writes there is space for."""

    NONE = 0
    """No writes."""
    LITTLE = 1
    """Writes to existing sessions, but no new sessions."""
    PLENTY = 2


def in_memory(info: bytes) -> FreeSpace:
    """Return the free space below ``maxmemory``, from a reply to INFO. Above it, the server itself rejects writes."""
    used, limit = memory_of(info)
    return FreeSpace.LITTLE if limit and used > limit * (1 - MEMORY_FOR_MOVES) else FreeSpace.PLENTY


def is_ample(info: bytes) -> bool:
    """Whether less than half of ``maxmemory`` is used, from a reply to INFO."""
    used, limit = memory_of(info)
    return not limit or used < limit / 2


def used_share(info: bytes) -> float:
    """Return the used share of ``maxmemory``, from a reply to INFO; 0 without a limit."""
    used, limit = memory_of(info)
    return used / limit if limit else 0.0


def memory_of(info: bytes) -> tuple[int, int]:
    """Return the used bytes, and ``maxmemory`` or 0 without a limit, from a reply to INFO."""
    used, limit = (int(found[1]) if (found := pattern.search(info)) else 0 for pattern in (_USED, _LIMIT))
    return used, limit


def on_disk(directory: Path) -> FreeSpace:
    """Return the free space of a directory's file system; ``NONE`` if the directory is gone."""
    try:
        status = os.statvfs(directory)
    except OSError:
        return FreeSpace.NONE
    free = status.f_bavail * status.f_frsize
    if free < MIN_DISK:
        return FreeSpace.NONE
    return FreeSpace.LITTLE if free < DISK_FOR_MOVES else FreeSpace.PLENTY


class DiskSpace:
    """The free space of a directory's file system, as of a moment ago."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._space, self._until = FreeSpace.PLENTY, 0.0

    def __call__(self) -> FreeSpace:
        """Return the free space."""
        now = time.monotonic()
        if now > self._until:
            self._space, self._until = on_disk(self._directory), now + _VALID_SECONDS
        return self._space


_USED = re.compile(rb"^used_memory:(\d+)", re.MULTILINE)
_LIMIT = re.compile(rb"^maxmemory:(\d+)", re.MULTILINE)
