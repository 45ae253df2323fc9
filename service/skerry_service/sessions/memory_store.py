"""Sessions in this process: the store for the local client, for tests of what is above it, and for play without Redis.

The port's promises hold because nothing here waits between checking and writing. Lifetimes are not enforced: a session
lasts as long as the store, and nobody else can see it.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import count

from skerry_service.domain.packed import Head, Request
from skerry_service.sessions.store_port import (
    REQUEST_WINDOW,
    ArchivedData,
    Commit,
    CommitResult,
    Conflict,
    Duplicate,
    Gone,
    Listener,
    Register,
    Stored,
    Summary,
    Tip,
)


class _Session:
    """One session: its head, its batches beside the sequences they end with, its last requests by their id."""

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


class MemoryDeliveryIndex:
    """A ``port.DeliveryIndex`` over dictionaries."""

    def __init__(self, clock_ms: Callable[[], int], is_there: Callable[[str], bool]) -> None:
        self._clock_ms = clock_ms
        self._is_there = is_there
        self._looks: dict[str, int] = {}
        self._marks: dict[tuple[str, str], bytes] = {}

    async def schedule(self, session: str, after_ms: int) -> None:
        at = self._clock_ms() + after_ms
        self._looks[session] = min(at, self._looks.get(session, at))

    async def due(self, most: int, again_ms: int) -> Sequence[tuple[str, int]]:
        now = self._clock_ms()
        found = [session for session, at in self._looks.items() if at <= now][:most]
        self._looks.update(dict.fromkeys(found, now + again_ms))
        return [(session, now + again_ms) for session in found]

    async def release(self, session: str, lease: int, after_ms: int | None) -> None:
        if self._looks.get(session) != lease:
            return
        if after_ms is None:
            del self._looks[session]
        else:
            self._looks[session] = self._clock_ms() + after_ms

    async def states(self, session: str, places: Sequence[str]) -> Sequence[bytes]:
        return [self._marks.get((session, place), b"") for place in places]

    async def set_state(self, session: str, place: str, before: bytes, after: bytes) -> bool:
        stands = self._marks.get((session, place), b"")
        if not self._is_there(session) or stands not in (before, after):
            return False
        self._marks[session, place] = after
        return True


class MemoryFinished:
    """A ``port.Finished`` over dictionaries."""

    def __init__(self, clock_ms: Callable[[], int], sessions: dict[str, _Session]) -> None:
        self._clock_ms = clock_ms
        self._sessions = sessions
        self._looks: dict[str, int] = {}
        self._archive: bytes | None = None

    async def schedule(self, session: str, after_ms: int) -> None:
        self._looks.setdefault(session, self._clock_ms() + after_ms)

    async def due(self, most: int, again_ms: int) -> Sequence[str]:
        now = self._clock_ms()
        found = [session for session, at in self._looks.items() if at <= now][:most]
        self._looks.update(dict.fromkeys(found, now + again_ms))
        return found

    async def reschedule(self, session: str, after_ms: int) -> None:
        if session in self._looks:
            self._looks[session] = self._clock_ms() + after_ms

    async def unschedule(self, session: str) -> None:
        self._looks.pop(session, None)

    async def read(self, session: str) -> ArchivedData | None:
        found = self._sessions.get(session)
        return None if found is None else ArchivedData(found.head, tuple(found.batches), tuple(found.requests.items()))

    async def delete(self, session: str, tip: Tip) -> bool:
        found = self._sessions.get(session)
        if found is not None and Tip(found.head.sequence, found.head.chained_hash) == tip:
            del self._sessions[session]
        return session not in self._sessions

    async def archive_id(self) -> bytes | None:
        return self._archive

    async def set_archive_id(self, archive: bytes) -> None:
        self._archive = self._archive or archive


class MemoryStore:
    """A ``port.Store`` over dictionaries. It never raises ``StoreUnavailable``."""

    epoch = "memory"

    def __init__(self, clock_ms: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000) -> None:
        """``clock_ms``: the age of the store."""
        self._clock_ms = clock_ms
        self._seen: dict[tuple[str, int], int] = {}
        self._sessions: dict[str, _Session] = {}
        self._listed: dict[str, int] = {}
        self._facets: dict[str, tuple[int, frozenset[bytes]]] = {}
        """What each of those is found under, and the sequence as of which that is so."""
        self._listeners: dict[str, list[Listener]] = {}
        self._reminders: dict[str, int] = {}
        """At which ages to look at sessions."""
        self._notes: dict[str, tuple[Register, int]] = {}
        """Each with the age until which it is kept."""
        self._versions = count(1)
        self.deliveries = MemoryDeliveryIndex(clock_ms, lambda session: session in self._sessions)
        self.finished = MemoryFinished(clock_ms, self._sessions)

    async def create(
        self, session: str, commit: Commit, public_since_ms: int | None, index_keys: Iterable[bytes] = ()
    ) -> Head | None:
        if session in self._sessions:
            return self._sessions[session].head
        self._sessions[session] = _Session(commit)
        if public_since_ms is not None:
            self._listed[session] = public_since_ms
            self._facets[session] = commit.head.sequence, frozenset(index_keys)
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
        if commit.enters:
            await self.relist(session, commit.head.sequence, commit.enters, ())
        if commit.request is not None and commit.request.id in found.requests:
            return found.requests[commit.request.id]
        if (found.head.sequence, found.head.chained_hash) != (commit.base, commit.base_hash):
            return Conflict(sequence=found.head.sequence)
        found.append(commit)
        if commit.leaves:
            await self.relist(session, commit.head.sequence, (), commit.leaves)
        for listener in tuple(self._listeners.get(session, ())):
            listener(commit.batch)
        return Stored()

    async def find_request(self, session: str, request: Request) -> Duplicate | None:
        found = self._sessions.get(session)
        return None if found is None else found.requests.get(request.id)

    async def batches(self, session: str, after: int) -> Sequence[bytes]:
        found = self._sessions.get(session)
        return found.batches[bisect_right(found.lasts, after) :] if found else []

    async def public(
        self, before: tuple[int, str] | None, count: int, index_keys: Sequence[bytes] | None = None
    ) -> Sequence[tuple[int, str]]:
        asked = None if index_keys is None else frozenset(index_keys)
        found = (one for one in self._listed if asked is None or not asked.isdisjoint(self._facets[one][1]))
        listed = sorted(((self._listed[session], session) for session in found), reverse=True)
        return [pair for pair in listed if before is None or pair < before][:count]

    async def summaries(self, sessions: Sequence[str]) -> Sequence[Summary | None]:
        heads = [await self.load(session) for session in sessions]
        return [None if head is None else Summary(head.sequence, head.record) for head in heads]

    async def relist(self, session: str, sequence: int, enters: Iterable[bytes], leaves: Iterable[bytes]) -> None:
        if session in self._listed:
            known, index_keys = self._facets[session]
            kept = index_keys if sequence < known else index_keys.difference(leaves)
            self._facets[session] = max(known, sequence), kept.union(enters)

    async def unlist(self, sessions: Sequence[str]) -> None:
        for session in sessions:
            self._listed.pop(session, None)
            self._facets.pop(session, None)

    async def schedule(self, session: str, after_ms: int = 0) -> None:
        at = self._clock_ms() + after_ms
        self._reminders[session] = min(at, self._reminders.get(session, at))

    async def due_sessions(self, most: int, again_ms: int) -> Sequence[str]:
        now = self._clock_ms()
        due = [session for session, at in self._reminders.items() if at <= now][:most]
        self._reminders.update(dict.fromkeys(due, now + again_ms))
        return due

    async def reschedule(self, session: str, after_ms: int) -> None:
        if session in self._reminders:
            self._reminders[session] = self._clock_ms() + after_ms

    async def unschedule(self, session: str) -> None:
        self._reminders.pop(session, None)
        self._seen = {seat: age for seat, age in self._seen.items() if seat[0] != session}

    async def read_register(self, name: str) -> Register | None:
        note, until = self._notes.get(name, (None, 0))
        return note if until > self._clock_ms() else None

    async def write_register(self, name: str, value: bytes, keep_ms: int, version: bytes | None = None) -> bool:
        known, now = await self.read_register(name), self._clock_ms()
        if version is not None and version != (known.version if known else b""):
            return False
        self._notes = {name: kept for name, kept in self._notes.items() if kept[1] > now}
        self._notes.pop(name, None)
        if value:
            self._notes[name] = Register(next(self._versions).to_bytes(8, "big"), value), now + keep_ms
        return True

    async def uptime_ms(self) -> int:
        return self._clock_ms()

    async def record_seen(self, seats: Sequence[tuple[str, int]]) -> None:
        self._seen.update(dict.fromkeys(seats, self._clock_ms()))

    async def last_seen(self, session: str, seats: int) -> Sequence[int]:
        return [self._seen.get((session, seat), 0) for seat in range(seats)]

    def forget(self, session: str) -> None:
        """Let go of a session."""
        self._sessions.pop(session, None)
        self._listed.pop(session, None)
        self._facets.pop(session, None)

    async def some(self, place: int, count: int) -> tuple[int, Sequence[str]]:
        """Return so many of all sessions, and the place at which to go on; 0 is where to begin, and the end."""
        after = place + count
        return after if after < len(self._sessions) else 0, list(self._sessions)[place:after]

    async def listen(self, session: str, listener: Listener) -> None:
        self._listeners.setdefault(session, []).append(listener)

    async def unlisten(self, session: str, listener: Listener) -> None:
        listeners = self._listeners.get(session, [])
        if listener in listeners:
            listeners.remove(listener)
        if not listeners:
            self._listeners.pop(session, None)
