"""What tests of faults share: insisting, killing, and waiting for the recovery."""

from __future__ import annotations

import asyncio
import os
import signal

from skerry_service.domain.errors import StoreUnavailable
from skerry_service.sessions.store_port import CommitResult
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore

from .commits import request, step
from .servers import PATIENCE, until

Heard = list[bytes | None]


def ignore(_: bytes | None) -> None:
    """Listen without hearing."""


async def insist(store: RedisStore, session: str, base: int) -> tuple[CommitResult, int]:
    """Repeat one commit until the store takes it, as a client does; return the result and how often it could not."""
    for refusals in range(100_000):
        try:
            return await store.commit(session, step(base, by=request(base))), refusals
        except StoreUnavailable:
            await asyncio.sleep(0.01)
    raise AssertionError("the store never came back")


async def kill_and_recover(server: EmbeddedServer, store: RedisStore) -> None:
    """Kill a watched server and wait until the store has its successor."""
    dead = server.pid
    os.kill(dead, signal.SIGKILL)
    await until(lambda: server.pid != dead)
    async with asyncio.timeout(PATIENCE):
        await recovered(store)


async def recovered(store: RedisStore) -> None:
    """Return when the store can be reached."""
    while True:
        try:
            await store.open()
        except StoreUnavailable:
            await asyncio.sleep(0.01)
        else:
            return
