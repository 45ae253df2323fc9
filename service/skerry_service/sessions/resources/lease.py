"""A lease by which one replica does the periodic work of resources. It saves work: every write is a compare-and-set."""

from __future__ import annotations

from secrets import token_bytes, token_hex

from skerry_service.sessions.match_port import Exchange
from skerry_service.sessions.store_port import Store


class ResourceLease:
    """A lease of the matcher's kind (``sessions.match_port``), under a name of its own."""

    def __init__(self, name: str, store: Store) -> None:
        self._name = name
        self._store = store
        self._replica = token_hex(8)
        self._term = token_bytes(16)
        self._held = False

    async def leads(self) -> bool:
        """Take or renew the lease. Return whether this replica leads."""
        now = await self._store.uptime_ms()
        received = await self._store.matching.exchange(self._name, Exchange(self._replica, now, self._term, b"", b""))
        renewed = received.leads and await self._store.matching.collect(self._name, self._term, now, b"") is not None
        self._held = renewed
        return renewed

    async def resign(self) -> None:
        """Give the lease up, if this replica held it at the last look."""
        if self._held:
            await self._store.matching.resign(self._name, self._term)
