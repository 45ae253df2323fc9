"""File descriptors. Each connection takes one, and what the service needs to live takes some as well."""

from __future__ import annotations

import asyncio
import logging
import os
import resource

_log = logging.getLogger(__name__)

_WANTED = 65_536
"""Descriptors that are asked for; the operating system may allow fewer."""
HELD_BACK = 128
"""Descriptors that no client gets: for the store's connections and its restart, logs, threads and what comes up."""
_LOOK_SECONDS = 5.0
_QUIET_SECONDS = 60.0


def raise_limit() -> int:
    """Let this process have as many descriptors as it may and wants; return how many it has."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED if hard == resource.RLIM_INFINITY else min(hard, _WANTED)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return _WANTED if soft == resource.RLIM_INFINITY else soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


def connections_within(descriptors: int, wanted: int) -> int:
    """Return how many connections each of two ports may have, which is as many as wanted or as there is room for."""
    return max(1, min(wanted, (descriptors - HELD_BACK) // 2))


async def watch(descriptors: int, connections: int) -> None:
    """Say so, once a minute, while there may be no connection left on one of the ports."""
    while True:
        used = _in_use(descriptors)
        if used >= connections:
            _log.warning(
                "%d of %d descriptors are in use; each port takes at most %d connections, and refuses more",
                *(used, descriptors, connections),
            )
        await asyncio.sleep(_QUIET_SECONDS if used >= connections else _LOOK_SECONDS)


def _in_use(descriptors: int) -> int:
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:  # it takes a descriptor to look
        return descriptors
