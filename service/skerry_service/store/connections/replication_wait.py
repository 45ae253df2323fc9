"""Commits that are acknowledged only once replicas of the store have them: ``WAIT`` behind each, for many at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from skerry_service.store.connections.connection import PackingConnection, pack
from skerry_service.store.connections.multiplexer import Multiplexer

LONGEST_MS = 2_000
"""Who waits behind another group waits twice; both must be over before the store's deadline."""


class ReplicationWait(Struct, frozen=True):
    """How many replicas must have what is acknowledged, and for how long they are waited for."""

    replicas: int
    ms: int


class NotReplicatedError(Exception):
    """It is stored, and too few replicas have said in time that they have it."""


class WaitingMultiplexer(Multiplexer):
    """Answers a call when enough replicas have all that was written on this connection until then.

    All that is to be sent while one group is waited for goes in the next group: one ``WAIT`` for as many calls as come
    meanwhile. Nothing else goes over this connection, as the server carries nothing out on it while it waits. Only what
    writes is waited for.
    """

    def __init__(self, new_connection: Callable[[], PackingConnection], deadline: float, wait: ReplicationWait) -> None:
        super().__init__(new_connection, deadline)
        self._wait = wait
        self._command = pack("WAIT", wait.replicas, wait.ms)
        self._next: asyncio.Future[int] | None = None
        """How many replicas will have what is not sent yet."""
        self._under_way: asyncio.Future[int] | None = None

    async def call(self, command: bytes) -> Any:
        """See ``Multiplexer``. Raises NotReplicatedError too: the command has been carried out then."""
        if self._next is None:
            self._next = asyncio.get_running_loop().create_future()
            self._next.add_done_callback(_retrieve)
        group = self._next
        reply = await super().call(command)
        have = await asyncio.shield(group)
        if have < self._wait.replicas:
            raise NotReplicatedError(
                f"it is stored, but of {self._wait.replicas} replicas only {have} said within {self._wait.ms} ms "
                "that they have it"
            )
        return reply

    def _flush(self) -> None:
        if self._under_way is not None and not self._under_way.done():
            return  # its answer has the next group sent
        if self._line is None or self._line.is_closing() or not self._unsent or self._next is None:
            return
        group, self._next = self._next, None
        self._under_way = group
        self._unsent.append(self._command)
        self._unsent_calls.append((asyncio.get_running_loop().time(), group))
        super()._flush()
        group.add_done_callback(lambda _: self._flush())


def _retrieve(future: asyncio.Future[int]) -> None:
    """Have it seen that it failed: all who waited for it may have gone."""
    if not future.cancelled():
        future.exception()
