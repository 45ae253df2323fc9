"""The store in memory, for the local client and for tests.

Its methods keep the promises of the port because none of them waits between a check and the write. Sessions do not
expire: they last as long as the store.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Iterable, Sequence

from skerry_service.domain.packed import Head, Request
from skerry_service.sessions.lists.player_index_port import MemoryPlayerIndex
from skerry_service.sessions.memory_match_store import MemoryMatchStore
from skerry_service.sessions.memory_schedule import MemorySchedule
from skerry_service.sessions.resources.memory_resources import MemoryResources
from skerry_service.sessions.store_port import (
    REQUEST_WINDOW,
    ArchivedData,
    Commit,
    CommitResult,
    Conflict,
    Duplicate,
    Gone,
    Listener,
    Stored,
    Summary,
    Tip,
)


class _Session:
    """One session: its head, its batches with the sequence at which each ends, and its last requests by id."""

    def __init__(self, commit: Commit) -> None:
        self.head = commit.head
        self.lasts: list[int] = []
        self.batches: list[bytes] = []
        self.requests: dict[bytes, Duplicate] = {}
        if commit.batch:
            self._log(commit)
        self._remember(commit)

    def append(self, commit: Commit) -> None:
        record = commit.head.record if commit.record_changed else self.head.record
        self.head = Head(
            sequence=commit.head.sequence,
            record=record,
            snapshot=commit.head.snapshot,
            chained_hash=commit.head.chained_hash,
        )
        self._log(commit)
        self._remember(commit)

    def _log(self, commit: Commit) -> None:
        self.lasts.append(commit.head.sequence)
        self.batches.append(commit.batch)

    def _remember(self, commit: Commit) -> None:
        if commit.request is None:
            return
        self.requests[commit.request.id] = Duplicate(last=commit.head.sequence, payload=commit.request.payload)
        if len(self.requests) > REQUEST_WINDOW:
            del self.requests[next(iter(self.requests))]


class MemoryDeliveryStates:
    """A ``store_port.DeliveryStates`` over a dictionary."""

    def __init__(self, exists: Callable[[str], bool]) -> None:
        self._exists = exists
        self._states: dict[tuple[str, str], bytes] = {}

    async def read(self, session: str, slots: Sequence[str]) -> Sequence[bytes]:
        return [self._states.get((session, slot), b"") for slot in slots]

    async def change(self, session: str, slot: str, expected: bytes, value: bytes) -> bool:
        stored = self._states.get((session, slot), b"")
        if not self._exists(session) or stored not in (expected, value):
            return False
        self._states[session, slot] = value
        return True


class MemoryFinishedSessions:
    """A ``store_port.FinishedSessions`` over a dictionary."""

    def __init__(
        self, sessions: dict[str, _Session], notify: Callable[[str, bytes], None] = lambda session, batch: None
    ) -> None:
        """``notify``: calls the listeners of a session."""
        self._sessions = sessions
        self._notify = notify
        self._archive_id: bytes | None = None

    async def read(self, session: str) -> ArchivedData | None:
        found = self._sessions.get(session)
        return None if found is None else ArchivedData(found.head, tuple(found.batches), tuple(found.requests.items()))

    async def delete(self, session: str, tip: Tip) -> bool:
        found = self._sessions.get(session)
        if found is not None and Tip(found.head.sequence, found.head.chained_hash) == tip:
            del self._sessions[session]
        return session not in self._sessions

    async def replace(self, session: str, tip: Tip, data: ArchivedData) -> bool:
        found = self._sessions.get(session)
        if found is None or Tip(found.head.sequence, found.head.chained_hash) != tip:
            return False
        found.head, found.batches, found.requests = data.head, list(data.batches), dict(data.requests)
        self._notify(session, data.batches[-1])
        return True

    async def archive_id(self) -> bytes | None:
        return self._archive_id

    async def set_archive_id(self, archive: bytes) -> None:
        self._archive_id = self._archive_id or archive


class MemoryStore:
    """A ``store_port.Store`` over dictionaries. It never raises ``StoreUnavailable``."""

    epoch = "memory"

    def __init__(self, clock_ms: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000) -> None:
        """``clock_ms``: the store's uptime in ms."""
        self._clock_ms = clock_ms
        self._last_seen: dict[tuple[str, int], int] = {}
        self._sessions: dict[str, _Session] = {}
        self._listed: dict[str, int] = {}
        self._index_keys: dict[str, tuple[int, frozenset[bytes]]] = {}
        """The index keys of each listed session, and the sequence as of which they hold."""
        self._listeners: dict[str, list[Listener]] = {}
        self.schedule = MemorySchedule(clock_ms)
        self.deliveries = MemoryDeliveryStates(lambda session: session in self._sessions)
        self.finished = MemoryFinishedSessions(self._sessions, self._notify)
        self.resources = MemoryResources()
        self.players = MemoryPlayerIndex()
        self.matching = MemoryMatchStore(clock_ms, self._notify)

    async def create(
        self, session: str, commit: Commit, public_since_ms: int | None, index_keys: Iterable[bytes] = ()
    ) -> Head | None:
        if session in self._sessions:
            return self._sessions[session].head
        await self._seat(session, commit)
        self._sessions[session] = _Session(commit)
        if public_since_ms is not None:
            self._listed[session] = public_since_ms
            self._index_keys[session] = commit.head.sequence, frozenset(index_keys)
        return None

    async def load(self, session: str) -> Head | None:
        found = self._sessions.get(session)
        return None if found is None else found.head

    async def tip(self, session: str) -> Tip | None:
        found = self._sessions.get(session)
        return None if found is None else Tip(found.head.sequence, found.head.chained_hash)

    async def commit(self, session: str, commit: Commit) -> CommitResult:
        if commit.head.sequence <= commit.base:
            raise ValueError("a commit adds at least one entry to the log")
        found = self._sessions.get(session)
        if found is None:
            return Gone()
        await self._seat(session, commit)
        if commit.added_keys:
            await self.relist(session, commit.head.sequence, commit.added_keys, ())
        if commit.request is not None and commit.request.id in found.requests:
            return found.requests[commit.request.id]
        if (found.head.sequence, found.head.chained_hash) != (commit.base, commit.base_hash):
            return Conflict(sequence=found.head.sequence)
        found.append(commit)
        if commit.removed_keys:
            await self.relist(session, commit.head.sequence, (), commit.removed_keys)
        for player_id in commit.ended:
            await self.players.end(player_id, session, commit.created_ms)
        self._notify(session, commit.batch)
        return Stored()

    async def _seat(self, session: str, commit: Commit) -> None:
        for player_id in commit.seated:
            await self.players.add(player_id, session, commit.created_ms)

    async def find_request(self, session: str, request: Request) -> Duplicate | None:
        found = self._sessions.get(session)
        return None if found is None else found.requests.get(request.id)

    async def batches(self, session: str, after: int) -> Sequence[bytes]:
        found = self._sessions.get(session)
        return found.batches[bisect_right(found.lasts, after) :] if found else []

    async def list_sessions(
        self, before: tuple[int, str] | None, count: int, index_keys: Sequence[bytes] | None = None
    ) -> Sequence[tuple[int, str]]:
        wanted = None if index_keys is None else frozenset(index_keys)
        listed = sorted(
            (
                (since_ms, session)
                for session, since_ms in self._listed.items()
                if wanted is None or not wanted.isdisjoint(self._index_keys[session][1])
            ),
            reverse=True,
        )
        return [pair for pair in listed if before is None or pair < before][:count]

    async def summaries(self, sessions: Sequence[str]) -> Sequence[Summary | None]:
        heads = [await self.load(session) for session in sessions]
        return [None if head is None else Summary(head.sequence, head.record) for head in heads]

    async def relist(self, session: str, sequence: int, added: Iterable[bytes], removed: Iterable[bytes]) -> None:
        if session in self._listed:
            latest, index_keys = self._index_keys[session]
            kept = index_keys if sequence < latest else index_keys.difference(removed)
            self._index_keys[session] = max(latest, sequence), kept.union(added)

    async def unlist(self, sessions: Sequence[str]) -> None:
        for session in sessions:
            self._listed.pop(session, None)
            self._index_keys.pop(session, None)

    async def uptime_ms(self) -> int:
        return self._clock_ms()

    async def record_seen(self, seats: Sequence[tuple[str, int]]) -> None:
        self._last_seen.update(dict.fromkeys(seats, self._clock_ms()))

    async def last_seen(self, session: str, seats: int) -> Sequence[int]:
        return [self._last_seen.get((session, seat), 0) for seat in range(seats)]

    async def forget_seen(self, session: str) -> None:
        self._last_seen = {seat: at for seat, at in self._last_seen.items() if seat[0] != session}

    def delete(self, session: str) -> None:
        """Delete a session."""
        self._sessions.pop(session, None)
        self._listed.pop(session, None)
        self._index_keys.pop(session, None)

    async def heads(self, count: int) -> AsyncIterator[Sequence[str]]:
        """Yield all sessions, in pages of ``count``."""
        sessions = list(self._sessions)
        for at in range(0, len(sessions), count):
            yield sessions[at : at + count]

    async def walk(self, place: str, count: int) -> tuple[Sequence[str], str]:
        found = sorted(session for session in self._sessions if session > place)
        return found[:count], found[count - 1] if len(found) > count else ""

    async def listen(self, session: str, listener: Listener) -> None:
        self._listeners.setdefault(session, []).append(listener)

    def _notify(self, session: str, batch: bytes) -> None:
        for listener in tuple(self._listeners.get(session, ())):
            listener(batch)

    async def unlisten(self, session: str, listener: Listener) -> None:
        listeners = self._listeners.get(session, [])
        if listener in listeners:
            listeners.remove(listener)
        if not listeners:
            self._listeners.pop(session, None)
