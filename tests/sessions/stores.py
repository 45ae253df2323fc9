"""A store in memory that can fail in all the ways a store may."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from skerry_service.domain.errors import StoreUnavailable
from skerry_service.domain.packed import Head
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.store_port import Commit, CommitResult, Listener, Tip


class FaultyStore(MemoryStore):
    """``MemoryStore``, reliable until a test makes it fail."""

    def __init__(self) -> None:
        self._commits_take_ms = 0
        self._held: list[asyncio.Event] | None = None
        self.lifetime_ms: int | None = None
        """What the last commit asked for."""
        self.now_ms = 1_000_000
        """For how long it has been served. Nothing but a test moves it."""
        super().__init__(lambda: self.now_ms)
        self.epoch = "first"
        self.listening = 0
        self.deaf = False
        """Whether notifications are lost."""
        self.away = False
        """Whether it cannot be reached."""
        self.loses: set[int] = set()
        """Of the writes to come, from 0, those that are carried out but not confirmed."""
        self._writes = 0
        self.gate = asyncio.Event()
        """Listening waits until this is set."""
        self.gate.set()
        self.read_gates: list[asyncio.Event] = []
        """What the next reads of a log wait for, one after the other, once they have what they will return."""
        self._deaf_listeners: dict[Listener, Listener] = {}

    async def listen(self, session: str, listener: Listener) -> None:
        def heard(batch: bytes | None) -> None:
            if not self.deaf:
                listener(batch)

        await self.gate.wait()
        self._require_here()
        self.listening += 1
        self._deaf_listeners[listener] = heard
        await super().listen(session, heard)

    async def unlisten(self, session: str, listener: Listener) -> None:
        if heard := self._deaf_listeners.pop(listener, None):
            self.listening -= 1
            await super().unlisten(session, heard)

    async def tip(self, session: str) -> Tip | None:
        self._require_here()
        return await super().tip(session)

    async def batches(self, session: str, after: int) -> Sequence[bytes]:
        self._require_here()
        batches = await super().batches(session, after)
        if self.read_gates:
            await self.read_gates.pop(0).wait()
        return batches

    async def uptime_ms(self) -> int:
        self._require_here()
        return await super().uptime_ms()

    @contextmanager
    def delay(self, ms: int) -> Iterator[None]:
        """Let commits take so long."""
        self._commits_take_ms = ms
        yield
        self._commits_take_ms = 0

    @contextmanager
    def held(self, *, last_first: bool) -> Iterator[None]:
        """Hold all commits back, as many as come: they are carried out afterwards, in that order or the other."""
        self._held = []
        yield
        held, self._held = self._held, None
        for one in reversed(held) if last_first else held:
            one.set()

    async def commit(self, session: str, commit: Commit) -> CommitResult:
        self._require_here()
        if self._held is not None:
            self._held.append(asyncio.Event())
            await self._held[-1].wait()
        self.now_ms += self._commits_take_ms
        self.lifetime_ms = commit.lifetime_ms
        result = await super().commit(session, commit)
        self._confirm()
        return result

    async def create(
        self, session: str, commit: Commit, public_since_ms: int | None, index_keys: Iterable[bytes] = ()
    ) -> Head | None:
        existing = await super().create(session, commit, public_since_ms, index_keys)
        self._confirm()
        return existing

    def lose(self, *writes: int) -> None:
        """Carry out those of the writes to come, from 0, without confirming them."""
        self._writes, self.loses = 0, set(writes)

    def _confirm(self) -> None:
        self._writes += 1
        if self._writes - 1 in self.loses:
            raise StoreUnavailable

    def _require_here(self) -> None:
        if self.away:
            raise StoreUnavailable

    def tell(self, session: str, batch: bytes | None) -> None:
        """Tell the session's listeners, whatever is stored."""
        for listener in tuple(self._listeners.get(session, ())):
            listener(batch)

    def end(self, session: str) -> None:
        """Let the session's lifetime end."""
        del self._sessions[session]

    def copy_of(self, session: str) -> MemoryStore:
        """Return a store that holds what this one holds of the session now."""
        copy = MemoryStore()
        kept = self._sessions[session]
        copy._sessions[session] = twin = object.__new__(type(kept))
        twin.head, twin.lasts, twin.batches = kept.head, list(kept.lasts), list(kept.batches)
        twin.requests = dict(kept.requests)
        return copy

    def restart_from(self, backup: MemoryStore) -> None:
        """Go on from what another store holds, as a server that lost the end of its log; the epoch is another then."""
        self._sessions = backup._sessions
        self.epoch = f"after {self.epoch}"
