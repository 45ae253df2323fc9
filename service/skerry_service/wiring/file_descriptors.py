"""The limit on open file descriptors. Each connection takes one, and the service itself needs some."""

from __future__ import annotations

import asyncio
import logging
import os
import resource

_log = logging.getLogger(__name__)

_WANTED = 65_536
"""File descriptors that the service asks for. The operating system may allow fewer."""
RESERVED = 128
"""File descriptors that clients never get. The store's connections and restart, logs and threads need them."""
_CHECK_SECONDS = 5.0
_QUIET_SECONDS = 60.0


def raise_limit() -> int:
    """Raise this process's limit of open file descriptors as far as allowed and useful, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED if hard == resource.RLIM_INFINITY else min(hard, _WANTED)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return _WANTED if soft == resource.RLIM_INFINITY else soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


def connections_within(limit: int, wanted: int) -> int:
    """Return how many connections each of two ports may accept, at most ``wanted``, with ``limit`` descriptors."""
    return max(1, min(wanted, (limit - RESERVED) // 2))


async def watch(limit: int, connections: int) -> None:
    """Log a warning, once a minute, while one port alone could have used up its connections."""
    while True:
        used = _in_use(limit)
        if used >= connections:
            _log.warning(
                "%d of %d file descriptors are in use; each port accepts at most %d connections and rejects the rest",
                *(used, limit, connections),
            )
        await asyncio.sleep(_QUIET_SECONDS if used >= connections else _CHECK_SECONDS)


def _in_use(limit: int) -> int:
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:  # listing the folder itself takes a file descriptor
        return limit
