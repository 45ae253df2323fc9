"""The archive: reads and writes archived sessions in worker threads, within a time limit."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from functools import partial
from secrets import token_hex
from time import monotonic
from typing import TypeVar

from msgspec import Struct

from skerry_service.archive.archived_session import (
    ArchivedSession,
    is_same,
    pack_session,
    requests_of,
    restored,
    unpack_session,
)
from skerry_service.archive.locations import MARKER, SESSIONS, Place, entry_of, path_of, place_at, sessions_in
from skerry_service.archive.worker_threads import WorkerThreads
from skerry_service.domain.errors import SessionDamaged, StoreUnavailable
from skerry_service.domain.packed import head_of
from skerry_service.sessions.loader import replay, report_damage
from skerry_service.sessions.store_port import ArchivedData
from skerry_service.sessions.task_runner import TaskRunner
from skerry_service.store.connections.redacted_address import without_secrets

_log = logging.getLogger(__name__)
Result = TypeVar("Result")

PATIENCE_SECONDS = 10.0
_RETRY_SECONDS = 5.0
_MOST_AT_ONCE = 16
_MOST_KNOWN = 128
"""Sessions in the cache. Each takes about 30 KiB."""
_KNOWN_SECONDS = 60.0
"""How long a session stays in the cache. Afterwards it is read again, because names may have been erased."""
_QUIET_SECONDS = 60.0
_AWAY = "The archive of finished games is unavailable. Repeat the call later."
PROBE = "probe"


class ArchiveMissing(Exception):
    """The location holds no archive, for example because its disk is not mounted."""


class ObjectExists(Exception):
    """The archive has another session with the same id. Both stay where they are."""


class _Known(Struct, frozen=True):
    archived: ArchivedData
    until: float


class Archive:
    """A ``sessions.store_port.ArchivePort``. It belongs to the event loop of its first use."""

    def __init__(
        self,
        place: Place,
        *,
        patience_seconds: float = PATIENCE_SECONDS,
        on_read: Callable[[str], None] = lambda result: None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """``patience_seconds``: the time limit of each operation. ``clock``: a monotonic clock in seconds.

        ``on_read`` receives the result of each read: ``found``, ``missing``, ``damaged`` or ``unavailable``.
        """
        self.is_up = True
        """Whether the last operation succeeded."""
        self._place = place
        self._patience = patience_seconds
        self._on_read = on_read
        self._clock = clock
        self._threads = WorkerThreads(_MOST_AT_ONCE)
        self._tasks = TaskRunner()
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._reading: dict[str, asyncio.Task[ArchivedData | None]] = {}
        self._quiet_until = 0.0

    async def begin(self) -> bytes:
        """Create the archive unless it exists, and return its id. Raises StoreUnavailable."""
        await self.run(lambda: self._place.create(MARKER, token_hex(16).encode()))
        return await self.id() or b""

    async def id(self) -> bytes | None:
        """Return the id of the archive; ``None`` if there is none at this location. Raises StoreUnavailable."""
        return await self.run(lambda: self._place.read(MARKER))

    async def find(self, session: str, seconds: float | None = None) -> ArchivedData | None:
        known = self._known.get(session)
        if known is not None and known.until > self._clock():
            self._known.move_to_end(session)
            return known.archived
        reading = self._reading.get(session)
        if reading is None:
            reading = self._reading[session] = asyncio.get_running_loop().create_task(self._read(session))
            reading.add_done_callback(lambda task: self._report_read(session, task))
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(reading)
        except TimeoutError as error:
            raise StoreUnavailable(_AWAY, _RETRY_SECONDS) from error

    def _report_read(self, session: str, task: asyncio.Task[ArchivedData | None]) -> None:
        del self._reading[session]
        if task.cancelled():
            return
        error, result = task.exception(), "unavailable"  # retrieved here, because every caller may be cancelled
        if error is None:
            result = "found" if task.result() else "missing"
        elif not isinstance(error, StoreUnavailable):
            result = "damaged"
        self._on_read(result)

    async def _read(self, session: str) -> ArchivedData | None:
        kept = await self.get(session)
        if kept is None:
            return None
        archived = await self.restore(kept)
        self._known[session] = _Known(archived, self._clock() + _KNOWN_SECONDS)
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)
        return archived

    async def restore(self, kept: ArchivedSession) -> ArchivedData:
        """Return a session in the form that a store has. Raises SessionDamaged, GameNotFound, RulesetUnsupported."""
        try:
            batches = await asyncio.to_thread(restored, kept)
        except ValueError as error:
            raise report_damage(kept.session, f"in the archive {error}") from error
        changes = await self._tasks.run(replay(kept.session, batches))
        if not changes:
            raise report_damage(kept.session, "in the archive its log is empty")
        return ArchivedData(head_of(changes[-1].table), batches, requests_of(kept))

    async def get(self, session: str) -> ArchivedSession | None:
        """Return a session of the archive, if it exists. Raises StoreUnavailable, SessionDamaged."""
        path = path_of(session)
        if path is None:
            return None
        data = await self.run(lambda: self._get(path))
        return None if data is None else await self._unpacked(session, data)

    def _get(self, path: str) -> bytes | None:
        data = self._place.read(path)
        if data is None and self._place.read(MARKER) is None:
            raise ArchiveMissing(f"there is no {MARKER} in it")
        return data

    async def put(self, kept: ArchivedSession) -> ArchivedSession:
        """Write a session unless the archive has it already. Return the archived session, as it was read back.

        Raises StoreUnavailable, ObjectExists.
        """
        data, path = await asyncio.to_thread(pack_session, kept), path_of(kept.session)
        if path is None:
            raise report_damage(kept.session, "its id is malformed")
        back = await self.run(lambda: self._put(entry_of(kept), path, data))
        if back == data:
            return kept
        try:
            other = await self._unpacked(kept.session, back or b"")
        except SessionDamaged:  # the object is damaged, and the store still has the session
            back = await self.run(lambda: self._put_in_place(path, data))
            if back == data:
                return kept
            raise StoreUnavailable(_AWAY, _RETRY_SECONDS) from None
        if not is_same(kept, other):
            raise ObjectExists(kept.session)
        return other

    def _put(self, entry: str, path: str, data: bytes) -> bytes | None:
        if self._place.read(MARKER) is None:
            raise ArchiveMissing(f"there is no {MARKER} in it")
        self._place.create(entry, b"")  # first, so that a crash leaves no session without its entry by day
        self._place.create(path, data)
        return self._place.read(path)

    async def rewrite(self, kept: ArchivedSession) -> None:
        """Replace the archived session by this one. Raises StoreUnavailable."""
        data, path = await asyncio.to_thread(pack_session, kept), path_of(kept.session)
        if path is None or await self.run(lambda: self._put_in_place(path, data)) != data:
            raise StoreUnavailable(_AWAY, _RETRY_SECONDS)
        self._known.pop(kept.session, None)

    def _put_in_place(self, path: str, data: bytes) -> bytes | None:
        self._place.replace(path, data)
        return self._place.read(path)

    async def sessions(self) -> AsyncIterator[str]:
        """Yield the ids of all sessions. Raises StoreUnavailable."""
        for folder in await self.run(lambda: self._place.names(SESSIONS)):
            for session in await self.run(partial(sessions_in, self._place, folder)):
                yield session

    async def probe(self) -> None:
        """Write, read and delete an object, and check that it is gone. Raises StoreUnavailable."""
        path, data = f"{PROBE}/{token_hex(8)}", token_hex(8).encode()

        def work() -> None:
            try:
                self._place.replace(path, data)
                if self._place.read(path) != data:
                    raise ArchiveMissing("an object that was written cannot be read back")
            finally:
                self._place.delete(path)
            if self._place.read(path) is not None:
                raise ArchiveMissing("an object that was deleted still exists")

        await self.run(work)

    async def _unpacked(self, session: str, data: bytes) -> ArchivedSession:
        try:
            kept = await asyncio.to_thread(unpack_session, data)
        except ValueError as error:
            raise report_damage(session, f"in the archive {error}") from error
        if kept.session != session:
            raise report_damage(session, f"its object in the archive holds session {kept.session}")
        return kept

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run work in a thread and return its result. Raises StoreUnavailable if it fails or takes too long."""
        try:
            async with asyncio.timeout(self._patience):
                done = await self._threads.run(work)
        except (OSError, ArchiveMissing) as error:  # a timeout is one too
            self._warn(error)
            raise StoreUnavailable(_AWAY, _RETRY_SECONDS) from error

        self.is_up = True
        return done

    def _warn(self, error: Exception) -> None:
        """Log a failure, at most once a minute."""
        self.is_up = False
        if self._clock() >= self._quiet_until:
            self._quiet_until = self._clock() + _QUIET_SECONDS
            why = f"no reply within {self._patience:g} s" if isinstance(error, TimeoutError) else error
            _log.warning("the archive at %s is unavailable: %s", self._place, why)


def archive_at(where: str, on_read: Callable[[str], None] = lambda result: None) -> Archive:
    """Return the archive at a path or URL. Raises OSError if the kind of URL is not supported."""
    try:
        return Archive(place_at(where), on_read=on_read)
    except ValueError as error:
        raise OSError(f"the archive {without_secrets(where)} cannot be used: {error}") from error
