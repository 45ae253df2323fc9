"""Commits that are acknowledged once Redis replicas have them: one ``WAIT`` follows each group of commits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from skerry_service.store.connections.connection import PackingConnection, pack
from skerry_service.store.connections.multiplexer import Multiplexer

LONGEST_MS = 2_000
"""A call behind another group waits twice. Both waits must end before the store's deadline."""


class ReplicationWait(Struct, frozen=True):
    """The number of replicas that must confirm a write, and the ms to wait for them."""

    replicas: int
    ms: int


class NotReplicatedError(Exception):
    """The write is stored, but too few replicas have confirmed it in time."""


class WaitingMultiplexer(Multiplexer):
    """Completes a call once enough replicas have all writes of this connection up to it.

    Calls that come while one group waits form the next group, with one ``WAIT`` for all of them. The connection carries
    only writes, because the server runs no command of a connection that waits.
    """

    def __init__(self, new_connection: Callable[[], PackingConnection], deadline: float, wait: ReplicationWait) -> None:
        super().__init__(new_connection, deadline)
        self._wait = wait
        self._command = pack("WAIT", wait.replicas, wait.ms)
        self._next: asyncio.Future[int] | None = None
        """The number of replicas that will have the commands that are not sent yet."""
        self._waiting: asyncio.Future[int] | None = None

    async def call(self, command: bytes) -> Any:
        """See ``Multiplexer``. Raises NotReplicatedError too: the command has run then."""
        if self._next is None:
            self._next = asyncio.get_running_loop().create_future()
            self._next.add_done_callback(_retrieve)
        group = self._next
        reply = await super().call(command)
        have = await asyncio.shield(group)
        if have < self._wait.replicas:
            raise NotReplicatedError(
                f"the write is stored, but only {have} of {self._wait.replicas} replicas confirmed it within "
                f"{self._wait.ms} ms"
            )
        return reply

    def _flush(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            return  # the next group is sent when it is done
        if self._line is None or self._line.is_closing() or not self._unsent or self._next is None:
            return
        group, self._next = self._next, None
        self._waiting = group
        self._unsent.append(self._command)
        self._unsent_calls.append((asyncio.get_running_loop().time(), group))
        super()._flush()
        group.add_done_callback(lambda _: self._flush())


def _retrieve(future: asyncio.Future[int]) -> None:
    """Mark the exception of a future as retrieved: all its callers may be cancelled."""
    if not future.cancelled():
        future.exception()
