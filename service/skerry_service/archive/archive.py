"""The archive as the service uses it: never in the event loop's time, and never waited for without end."""

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
    pack_kept,
    requests_of,
    restored,
    unpack_kept,
)
from skerry_service.archive.locations import MARKER, SESSIONS, Place, entry_of, path_of, place_at, sessions_in
from skerry_service.archive.worker_threads import Threads
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
"""Sessions kept in case they are asked for again; each takes about 30 KiB."""
_KNOWN_SECONDS = 60.0
"""After which a session is read anew: names may have been forgotten in it."""
_SILENCE_SECONDS = 60.0
_AWAY = "The archive of finished games cannot be reached at the moment. Repeat the call in a while."
PROBE = "probe"


class NoArchive(Exception):
    """What should be an archive says nothing of it: a disk that is not mounted looks like that."""


class ObjectExists(Exception):
    """Another session is kept under the same id. Both stay where they are."""


class _Known(Struct, frozen=True):
    archived: ArchivedData
    until: float


class Archive:
    """A ``sessions.port.Archive`` over a place. It belongs to the event loop in which it is used first."""

    def __init__(
        self,
        place: Place,
        *,
        patience_seconds: float = PATIENCE_SECONDS,
        on_read: Callable[[str], None] = lambda result: None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """``on_read`` is told of each session that is read: ``found``, ``missing``, ``damaged`` or ``unavailable``.

        ``clock``: seconds, by a clock that nobody sets.
        """
        self.is_up = True
        """Whether it did what it was asked to last."""
        self._place = place
        self._patience = patience_seconds
        self._on_read = on_read
        self._clock = clock
        self._threads = Threads(_MOST_AT_ONCE)
        self._tasks = TaskRunner()
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._reading: dict[str, asyncio.Task[ArchivedData | None]] = {}
        self._silent_until = 0.0

    async def begin(self) -> bytes:
        """Make it an archive, if it is none yet. Return its id. Raises StoreUnavailable."""
        await self.ask(lambda: self._place.create(MARKER, token_hex(16).encode()))
        return await self.id() or b""

    async def id(self) -> bytes | None:
        """Return the id of the archive, ``None`` if it has not begun to be one. Raises StoreUnavailable."""
        return await self.ask(lambda: self._place.read(MARKER))

    async def find(self, session: str, seconds: float | None = None) -> ArchivedData | None:
        known = self._known.get(session)
        if known is not None and known.until > self._clock():
            self._known.move_to_end(session)
            return known.archived
        reading = self._reading.get(session)
        if reading is None:
            reading = self._reading[session] = asyncio.get_running_loop().create_task(self._read(session))
            reading.add_done_callback(lambda task: self._has_read(session, task))
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(reading)
        except TimeoutError as error:
            raise StoreUnavailable(_AWAY, _RETRY_SECONDS) from error

    def _has_read(self, session: str, task: asyncio.Task[ArchivedData | None]) -> None:
        del self._reading[session]
        if task.cancelled():
            return
        error, result = task.exception(), "unavailable"  # asked for here, as nobody may be waiting any more
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
        """Return a session as a store has it. Raises SessionDamaged, GameNotFound, RulesetUnsupported."""
        try:
            batches = await asyncio.to_thread(restored, kept)
        except ValueError as error:
            raise report_damage(kept.session, f"in the archive {error}") from error
        changes = await self._tasks.run(replay(kept.session, batches))
        if not changes:
            raise report_damage(kept.session, "in the archive its log is empty")
        return ArchivedData(head_of(changes[-1].table), batches, requests_of(kept))

    async def get(self, session: str) -> ArchivedSession | None:
        """Return what is kept of a session. Raises StoreUnavailable, SessionDamaged."""
        path = path_of(session)
        if path is None:
            return None
        data = await self.ask(lambda: self._get(path))
        return None if data is None else await self._unpacked(session, data)

    def _get(self, path: str) -> bytes | None:
        data = self._place.read(path)
        if data is None and self._place.read(MARKER) is None:
            raise NoArchive(f"there is no {MARKER} in it")
        return data

    async def put(self, kept: ArchivedSession) -> ArchivedSession:
        """Keep a session, unless it is kept already. Return what is kept, as it was read back.

        Raises StoreUnavailable, ObjectExists.
        """
        data, path = await asyncio.to_thread(pack_kept, kept), path_of(kept.session)
        if path is None:
            raise report_damage(kept.session, "it has no id as sessions have")
        back = await self.ask(lambda: self._put(entry_of(kept), path, data))
        if back == data:
            return kept
        try:
            other = await self._unpacked(kept.session, back or b"")
        except SessionDamaged:  # the store has it whole: this is no loss
            back = await self.ask(lambda: self._put_in_place(path, data))
            if back == data:
                return kept
            raise StoreUnavailable(_AWAY, _RETRY_SECONDS) from None
        if not is_same(kept, other):
            raise ObjectExists(kept.session)
        return other

    def _put(self, entry: str, path: str, data: bytes) -> bytes | None:
        if self._place.read(MARKER) is None:
            raise NoArchive(f"there is no {MARKER} in it")
        self._place.create(entry, b"")  # first: so no crash leaves a session that no day knows of
        self._place.create(path, data)
        return self._place.read(path)

    async def rewrite(self, kept: ArchivedSession) -> None:
        """Keep this in place of what is kept of the session. Raises StoreUnavailable."""
        data, path = await asyncio.to_thread(pack_kept, kept), path_of(kept.session)
        if path is None or await self.ask(lambda: self._put_in_place(path, data)) != data:
            raise StoreUnavailable(_AWAY, _RETRY_SECONDS)
        self._known.pop(kept.session, None)

    def _put_in_place(self, path: str, data: bytes) -> bytes | None:
        self._place.replace(path, data)
        return self._place.read(path)

    async def sessions(self) -> AsyncIterator[str]:
        """Yield the ids of all sessions. Raises StoreUnavailable."""
        for folder in await self.ask(lambda: self._place.names(SESSIONS)):
            for session in await self.ask(partial(sessions_in, self._place, folder)):
                yield session

    async def probe(self) -> None:
        """Write, read and delete an object, and see that it is not there then. Raises StoreUnavailable."""
        path, data = f"{PROBE}/{token_hex(8)}", token_hex(8).encode()

        def work() -> None:
            try:
                self._place.replace(path, data)
                if self._place.read(path) != data:
                    raise NoArchive("what was written could not be read back")
            finally:
                self._place.delete(path)
            if self._place.read(path) is not None:
                raise NoArchive("what was deleted is still there")

        await self.ask(work)

    async def _unpacked(self, session: str, data: bytes) -> ArchivedSession:
        try:
            kept = await asyncio.to_thread(unpack_kept, data)
        except ValueError as error:
            raise report_damage(session, f"in the archive {error}") from error
        if kept.session != session:
            raise report_damage(session, f"in its place in the archive lies session {kept.session}")
        return kept

    async def ask(self, work: Callable[[], Result]) -> Result:
        """Return what a thread has from the place. Whatever goes wrong there becomes StoreUnavailable."""
        try:
            async with asyncio.timeout(self._patience):
                done = await self._threads.run(work)
        except (OSError, NoArchive) as error:  # a timeout is one too
            self._tell(error)
            raise StoreUnavailable(_AWAY, _RETRY_SECONDS) from error

        self.is_up = True
        return done

    def _tell(self, error: Exception) -> None:
        """Say what is wrong, once a minute."""
        self.is_up = False
        if self._clock() >= self._silent_until:
            self._silent_until = self._clock() + _SILENCE_SECONDS
            why = f"no answer within {self._patience:g} s" if isinstance(error, TimeoutError) else error
            _log.warning("the archive at %s is away: %s", self._place, why)


def archive_at(where: str, on_read: Callable[[str], None] = lambda result: None) -> Archive:
    """Return the archive of that path or URL. Raises OSError if that is of no kind that is known here."""
    try:
        return Archive(place_at(where), on_read=on_read)
    except ValueError as error:
        raise OSError(f"the archive {without_secrets(where)} cannot be used: {error}") from error
