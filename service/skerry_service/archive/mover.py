"""Moves finished sessions from the store to the archive. Wherever it is stopped, each is in one of them or in both."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from msgspec import MsgspecError
from msgspec.structs import replace

from skerry_service.archive.archive import Archive, ObjectExists
from skerry_service.archive.archived_session import kept_of
from skerry_service.archive.locations import MARKER
from skerry_service.archive.redaction import without_what_is_left_out
from skerry_service.domain.errors import GameNotFound, RulesetUnsupported, SessionDamaged, SkerryError, StoreFull
from skerry_service.domain.packed import Head
from skerry_service.domain.record import Phase, Record
from skerry_service.domain.table import Table
from skerry_service.domain.webhook_events import DELIVERY_WINDOW_MS
from skerry_service.sessions.loader import read_record, read_table, report_damage
from skerry_service.sessions.store_port import ArchivedData, FinishedIndex, Store, Tip

_log = logging.getLogger(__name__)

FOR_GOOD_MS = 100 * 365 * 86_400_000
"""The lifetime of a finished session where there is an archive: nothing but a ``Mover`` takes it out of the store."""
_LOOK_SECONDS = 2.0
_MOST_AT_ONCE = 8
_LEASE_MS = 60_000
_LATER_MS = 3_600_000
"""When to try again with a session that cannot be moved, though the archive is there."""
_PAGE = 100
_PAUSE_SECONDS = 0.2
_ROUND_SECONDS = 86_400.0


class NotOurs(Exception):
    """What lies there is not the archive that has the sessions of this store: a disk that is not mounted, perhaps."""

    def __init__(self, there: bytes | None) -> None:
        what = "another archive lies there" if there else f"there is no {MARKER} there"
        super().__init__(f"this store's games have moved to an archive before, and {what}")


class Source(Store, Protocol):
    """A store from which sessions can move."""

    @property
    def finished(self) -> FinishedIndex:
        """Those that are to move."""

    async def scan(self, cursor: int, count: int) -> tuple[int, Sequence[str]]:
        """Return about so many of all sessions, and the place at which to go on; 0 is where to begin, and the end."""


def belongs_in_archive(record: Record) -> bool:
    """Whether a session is one that is archived: a game that was finished, with a player left at its end."""
    return record.phase is Phase.FINISHED and len(record.players()) > 0


class Mover:
    """One replica's. However many there are, each session is moved once."""

    def __init__(
        self,
        store: Source,
        archive: Archive,
        after_ms: int,
        on_moved: Callable[[str], None] = lambda game: None,
    ) -> None:
        """``after_ms``: how long after its end a game moves; ``on_moved`` is told the game of each that has."""
        self._store = store
        self._finished = store.finished
        self._archive = archive
        self._after_ms = after_ms
        self._on_moved = on_moved
        self._new: dict[str, int] = {}
        """Sessions that were finished here and are not noted yet, each with the time until it moves."""
        self._is_ours = False
        """Whether the archive has been found to be the one that this store's sessions move to."""

    def saw(self, table: Table) -> None:
        """Take note of a table that was stored here. What is forgotten in a crash is found by ``look_through``."""
        if belongs_in_archive(table.record):
            self._new[table.record.id] = self._wait_ms(table.record)

    def _wait_ms(self, record: Record) -> int:
        late_ms = record.delay.ms if record.delay else 0
        return max(self._after_ms, DELIVERY_WINDOW_MS if record.has_webhooks else 0) + late_ms

    async def run(self) -> None:
        """Move sessions for good."""
        rounds = asyncio.get_running_loop().create_task(self._look_through_daily())
        try:
            while True:
                try:
                    await self.step()
                except SkerryError as refusal:
                    _log.info("nothing was archived: %s", refusal)
                except NotOurs as error:
                    _log.error("nothing is archived: %s", error)
                except Exception:
                    _log.exception("nothing was archived; trying again")
                await asyncio.sleep(_LOOK_SECONDS)
        finally:
            rounds.cancel()

    async def step(self) -> int:
        """Note what was finished here, and move what is due. Return how many sessions have moved."""
        with suppress(StoreFull):  # what moves makes room
            for session, wait_ms in list(self._new.items()):
                await self._finished.schedule(session, wait_ms)
                del self._new[session]
        await self._require_ours()
        moved = 0
        while due := await self._finished.due(_MOST_AT_ONCE, _LEASE_MS):
            moved += sum(await asyncio.gather(*(self._try(session) for session in due)))
        return moved

    async def look_through(self) -> None:
        """Note every finished session of the store: those, too, that were finished before there was an archive."""
        place = -1
        while place:
            place, sessions = await self._store.scan(max(place, 0), _PAGE)
            for session in sessions:
                record = await self._record_of(session)
                if record is not None and belongs_in_archive(record):
                    await self._finished.schedule(session, self._wait_ms(record))
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _record_of(self, session: str) -> Record | None:
        """Return the record of a session; ``None`` if it is gone, or damaged, which holds up no other."""
        try:
            head = await self._store.load(session)
            return read_record(session, head) if head else None
        except SessionDamaged:
            return None

    async def _look_through_daily(self) -> None:
        while True:
            try:
                await self.look_through()
            except SkerryError as refusal:
                _log.info("the store was not looked through: %s", refusal)
                await asyncio.sleep(_LEASE_MS / 1000)
            else:
                await asyncio.sleep(_ROUND_SECONDS)

    async def _require_ours(self) -> None:
        """Raise NotOurs where another archive lies than the one to which sessions have moved before, or none."""
        if self._is_ours and self._archive.is_up:  # one that was away may be another, and is up only once it answers
            return
        ours, there = await self._finished.archive_id(), await self._archive.id()
        if ours is None:
            there = there or await self._archive.begin()
            await self._finished.set_archive_id(there)
            ours = await self._finished.archive_id()  # another replica may have been first, with another archive
        if ours != there:
            raise NotOurs(there)
        self._is_ours = True

    async def _try(self, session: str) -> bool:
        """Move a session if it can be moved; say why not, and have it looked at again."""
        try:
            return await self.move(session)
        except (SessionDamaged, GameNotFound, RulesetUnsupported, ObjectExists) as error:
            words = "another session of that id is there" if isinstance(error, ObjectExists) else error
            _log.warning("session %s stays in the store, and is not archived: %s", session, words)
            await self._finished.reschedule(session, _LATER_MS)
            return False

    async def move(self, session: str) -> bool:
        """Move a session. Return whether it has moved: it is not there, or not over, otherwise.

        Raises StoreUnavailable, SessionDamaged, GameNotFound, RulesetUnsupported, ObjectExists, NotOurs: the store
        still has it then.
        """
        found = await self._finished.read(session)
        record = read_record(session, found.head) if found else None
        if found is None or record is None or not belongs_in_archive(record):
            await self._finished.unschedule(session) if found is None else await self._finished.reschedule(
                session, _LATER_MS
            )
            return False
        await self._require_ours()
        try:
            kept = await self._archive.put(kept_of(record, found))
        except MsgspecError as error:
            raise report_damage(session, f"its log cannot be read: {error}") from error
        await self._require_whole(session, found, await self._archive.restore(kept), named=bool(kept.origin))
        await self._store.unlist([session])
        if not await self._finished.delete(session, Tip(found.head.sequence, found.head.chained_hash)):
            return False
        await self._finished.unschedule(session)
        self._on_moved(record.game)
        return True

    async def _require_whole(self, session: str, found: ArchivedData, archived: ArchivedData, *, named: bool) -> None:
        """Raise SessionDamaged unless what was read back leads to where the store's head stands.

        ``named``: whether nobody's name has been forgotten in it since.
        """
        here, there = _compared(session, found.head), _compared(session, archived.head)
        if (here != there) if named else (here.sequence, here.state) != (there.sequence, there.state):
            raise report_damage(
                session, "its log, as the archive has it, leads to another position than the one stored"
            )


def _compared(session: str, head: Head) -> Table:
    """Return the table of a head without what an archive does not keep of it."""
    table = read_table(session, head)
    return replace(table, record=without_what_is_left_out(table.record), chained_hash=b"", time_ms=0, uptime_ms=0)
