"""The lock that gives a data directory a single owner."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
from pathlib import Path

from skerry_service.store.embedded.server_binary import EmbeddedServerError

_NAME = "owner.lock"


async def lock_directory(directory: Path, patience: float) -> int:
    """Lock a directory, and return the file descriptor that holds the lock, also after a child process inherits it.

    The server of the previous owner may still be ending, so this waits up to ``patience`` seconds. Raises
    EmbeddedServerError.
    """
    descriptor = os.open(directory / _NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    give_up = asyncio.get_running_loop().time() + patience
    try:
        while not _try_lock(descriptor):
            if asyncio.get_running_loop().time() > give_up:
                owner = os.pread(descriptor, 100, 0).decode() or "unknown"
                raise EmbeddedServerError(
                    f"the data directory {directory} is in use by process {owner}: "
                    "end that process, or use another directory"
                )
            await asyncio.sleep(0.05)
        sign(descriptor, str(os.getpid()))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def sign(descriptor: int, owner: str) -> None:
    """Record the holder of the lock for other processes, if the disk has space."""
    with contextlib.suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, owner.encode(), 0)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
