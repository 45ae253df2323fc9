"""Moves finished sessions from the store to the archive. After a crash, each session is in at least one of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import Protocol

from msgspec import MsgspecError
from msgspec.structs import replace

from skerry_service.archive.archive import Archive, ObjectExists
from skerry_service.archive.archived_session import archived_from
from skerry_service.archive.locations import MARKER
from skerry_service.archive.redaction import as_archived
from skerry_service.domain.errors import GameNotFound, RulesetUnsupported, SessionDamaged, SkerryError, StoreFull
from skerry_service.domain.packed import Head
from skerry_service.domain.record import Phase, Record
from skerry_service.domain.table import Table
from skerry_service.domain.webhook_events import DELIVERY_WINDOW_MS
from skerry_service.sessions.loader import read_record, read_table, report_damage
from skerry_service.sessions.store_port import ArchivedData, FinishedSessions, Store, Tip

_log = logging.getLogger(__name__)

FOR_GOOD_MS = 100 * 365 * 86_400_000
"""Lifetime of a finished session if there is an archive: only a ``Mover`` removes it from the store."""
MOST_AT_ONCE = 8
LEASE_MS = 60_000
_AGAIN_SECONDS = 60.0
"""When to retry a scan that failed."""
_RETRY_MS = 3_600_000
"""When to retry a session that cannot be moved although the archive is available."""
_PAGE = 100
_PAUSE_SECONDS = 0.2
_ROUND_SECONDS = 86_400.0


class WrongArchive(Exception):
    """The location does not hold the archive of this store, for example because its disk is not mounted."""

    def __init__(self, found: bytes | None) -> None:
        problem = "this is another archive" if found else f"{MARKER} is missing here"
        super().__init__(f"the finished games of this store are in another archive: {problem}")


class Source(Store, Protocol):
    """A store from which sessions can move."""

    @property
    def finished(self) -> FinishedSessions:
        """How the store gives finished sessions away."""

    def heads(self, count: int) -> AsyncIterator[Sequence[str]]:
        """Yield all sessions in pages, without an index. A session can come twice. Raises StoreUnavailable."""


def belongs_in_archive(record: Record) -> bool:
    """Whether a session is to be archived: a finished game that had a player at its end."""
    return record.phase is Phase.FINISHED and len(record.players()) > 0


class Mover:
    """Moves sessions for one replica. Several replicas together move each session once."""

    def __init__(
        self,
        store: Source,
        archive: Archive,
        after_ms: int,
        on_moved: Callable[[str], None] = lambda game: None,
    ) -> None:
        """``after_ms``: how long after its end a game moves. ``on_moved`` receives the game of each moved session."""
        self._store = store
        self._finished = store.finished
        self._archive = archive
        self._after_ms = after_ms
        self._on_moved = on_moved
        self._new: dict[str, int] = {}
        """Sessions that finished on this replica and are not scheduled yet, each with the ms until it moves."""
        self._is_own = False
        """Whether the archive is known to be that of this store."""
        self._problem = ""
        """Why nothing can be archived, as the log says."""

    def saw(self, table: Table) -> None:
        """Remember a table that was stored, if it finished. ``scan_store`` finds those that a crash forgets."""
        if belongs_in_archive(table.record):
            self._new[table.record.id] = self._wait_ms(table.record)

    def _wait_ms(self, record: Record) -> int:
        delay_ms = record.delay.ms if record.delay else 0
        return max(self._after_ms, DELIVERY_WINDOW_MS if record.may_notify else 0) + delay_ms

    async def is_ready(self) -> bool:
        """Schedule the sessions that finished here. Return whether the archive can take sessions of this store."""
        with suppress(StoreFull):  # moving sessions frees space
            for session, wait_ms in list(self._new.items()):
                await self._store.schedule.at("archive", session, wait_ms)
                del self._new[session]
        problem = ""
        try:
            await self._require_own_archive()
        except (SkerryError, WrongArchive) as error:
            problem = str(error)
        if problem and problem != self._problem:
            _log.error("no game is archived: %s", problem)
        self._problem = problem
        return not problem

    async def check(self, session: str) -> int | None:
        """Move a session. If it cannot be moved, log why and return the ms until the next attempt."""
        try:
            if await self.move(session) or await self._store.tip(session) is None:
                return None
        except (SessionDamaged, GameNotFound, RulesetUnsupported, ObjectExists) as error:
            reason = "the archive has another session with this id" if isinstance(error, ObjectExists) else error
            _log.warning("session %s stays in the store and is not archived: %s", session, reason)
        return _RETRY_MS

    async def scan_store(self) -> None:
        """Schedule every finished session of the store, including those from before the archive existed."""
        async for sessions in self._store.heads(_PAGE):
            for session in sessions:
                record = await self._record_of(session)
                if record is not None and belongs_in_archive(record):
                    await self._store.schedule.at("archive", session, self._wait_ms(record))
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _record_of(self, session: str) -> Record | None:
        """Return the record of a session; ``None`` if it is gone or damaged."""
        try:
            head = await self._store.load(session)
            return read_record(session, head) if head else None
        except SessionDamaged:
            return None

    async def scan_daily(self) -> None:
        """Schedule every finished session once a day, until cancelled."""
        while True:
            try:
                await self.scan_store()
            except SkerryError as error:
                _log.info("the scan of the store for finished games failed: %s", error)
                await asyncio.sleep(_AGAIN_SECONDS)
            except Exception:
                _log.exception("the scan of the store for finished games failed; trying again")
                await asyncio.sleep(_AGAIN_SECONDS)
            else:
                await asyncio.sleep(_ROUND_SECONDS)

    async def _require_own_archive(self) -> None:
        """Raise WrongArchive unless the location holds the archive to which this store's sessions move."""
        if self._is_own and self._archive.is_up:  # after an outage it is checked again
            return
        expected, found = await self._finished.archive_id(), await self._archive.id()
        if expected is None:
            found = found or await self._archive.begin()
            await self._finished.set_archive_id(found)
            expected = await self._finished.archive_id()  # another replica may have set another archive first
        if expected != found:
            raise WrongArchive(found)
        self._is_own = True

    async def move(self, session: str) -> bool:
        """Move a session. Return whether it has moved; if not, it does not exist or is not over.

        Raises StoreUnavailable, SessionDamaged, GameNotFound, RulesetUnsupported, ObjectExists, WrongArchive. The store
        still has the session then.
        """
        found = await self._finished.read(session)
        record = read_record(session, found.head) if found else None
        if found is None or record is None or not belongs_in_archive(record):
            return False
        await self._require_own_archive()
        try:
            kept = await self._archive.put(archived_from(record, found))
        except MsgspecError as error:
            raise report_damage(session, f"its log cannot be read: {error}") from error
        await self._require_whole(session, found, await self._archive.restore(kept), named=bool(kept.origin))
        await self._store.unlist([session])
        if not await self._finished.delete(session, Tip(found.head.sequence, found.head.chained_hash)):
            return False
        self._on_moved(record.game)
        return True

    async def _require_whole(self, session: str, found: ArchivedData, archived: ArchivedData, *, named: bool) -> None:
        """Raise SessionDamaged unless the archived log leads to the same position as the store's head.

        ``named``: whether the archived session still has all its names.
        """
        here, there = _compared(session, found.head), _compared(session, archived.head)
        if (here != there) if named else (here.sequence, here.state) != (there.sequence, there.state):
            raise report_damage(session, "its archived log leads to another position than its head in the store")


def _compared(session: str, head: Head) -> Table:
    """Return the table of a head without the values that the archive does not keep."""
    table = read_table(session, head)
    return replace(table, record=as_archived(table.record), chained_hash=b"", time_ms=0, uptime_ms=0)
