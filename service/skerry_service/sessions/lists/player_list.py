"""Pages of a player's sessions. The index is only a place to look: each session is read before it is listed.

A list has three sections: the sessions that wait for the player, the others that are not over, and those that are over.
The first section has an order that changes while games go on. So the second one also lists a session of the first
if it has changed since the list began. Each session is listed at least once, and twice only if it changed meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import IntEnum

from msgspec import MsgspecError, Struct

from skerry_service.domain.delay import is_shown_whole
from skerry_service.domain.errors import GameNotFound, RulesetUnsupported, SessionDamaged, SessionNotFound
from skerry_service.domain.log import Created, Joined, Left, Removed, Started, unpack_batch
from skerry_service.domain.record import Occupant, Phase, Record
from skerry_service.domain.table import Table
from skerry_service.sessions.lists.player_index_port import Indexed
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.table_cache import TableCache

MOST_OPEN = 1_000
"""Sessions of a player that are searched for those that wait, the newest ones that are not over."""
_AT_ONCE = 50
_SCANNED = 200
"""Entries of the index that a section reads for one page."""
_SCANNED_OVER = 50
"""The same for sessions that are over. An archived one is folded from its log, which takes up to 30 ms. The archive
remembers more than these, so that a caller who repeats a page causes no more work."""
_SKEW_MS = 5_000
"""The wall clocks of replicas differ by less."""
_STORED_AFTER_MS = 60_000
_WAITING_KEY = 2
"""The numbers in the key of a session that waits."""


class Section(IntEnum):
    """A part of a player's list."""

    WAITING = 0
    OPEN = 1
    OVER = 2


class PlayerCursor(Struct, frozen=True, array_like=True):
    """A position in a player's list."""

    section: Section
    began_ms: int
    """When the first page was read."""
    floor: Indexed | None
    """The oldest session that was searched for those that wait; ``None`` if there were none."""
    after: tuple[int, ...] = ()
    """The key of the last session before the position, without its id."""
    session: str = ""
    """The id of that session; empty at the beginning of a section."""

    @property
    def is_sound(self) -> bool:
        """Whether ``after`` is a key of the section. Clients send cursors back, and can change them."""
        if self.section is Section.WAITING:
            return len(self.after) == _WAITING_KEY
        return len(self.after) <= 1


class PlayerEntry(Struct, frozen=True):
    """A session in a player's list."""

    record: Record
    sequence: int
    table: Table | None
    """``None`` if the player no longer has a seat and may not see the turn."""
    seat: int | None
    """The player's seat; ``None`` if it has none now."""
    waits: bool = False


class PlayerPage(Struct, frozen=True):
    """A page of a player's list."""

    entries: list[PlayerEntry]
    next: PlayerCursor | None
    waiting: int
    """The number of sessions that wait for the player, on the first page."""


class PlayerList:
    """Lists the sessions of players."""

    def __init__(self, store: Store, tables: TableCache, clock_ms: Callable[[], int]) -> None:
        self._store = store
        self._tables = tables
        self._clock_ms = clock_ms

    async def page(
        self, player_id: str, cursor: PlayerCursor | None, count: int, wanted: Callable[[Record], bool]
    ) -> PlayerPage:
        """Return up to ``count`` wanted sessions of a player. A page can have fewer. Raises StoreUnavailable."""
        entries, waiting, following = list[PlayerEntry](), 0, cursor
        if cursor is None or cursor.section is Section.WAITING:
            entries, following, waiting = await self._waiting(player_id, cursor, count, wanted)
        while following is not None and len(entries) < count and following.section is not Section.WAITING:
            more, following, ended = await self._section(player_id, following, count - len(entries), wanted, entries)
            entries += more
            if not ended:
                break
        return PlayerPage(entries, following, waiting)

    async def _waiting(
        self, player_id: str, cursor: PlayerCursor | None, count: int, wanted: Callable[[Record], bool]
    ) -> tuple[list[PlayerEntry], PlayerCursor, int]:
        """Return sessions that wait, the cursor behind them, and their number in total, on the first page."""
        searched = await self._store.players.page(player_id, None, MOST_OPEN, over=False)
        entries = await self._read(player_id, searched, over=False)
        found = [one for one in entries if one is not None and one.waits and wanted(one.record)]
        found.sort(key=_place)
        if cursor is None:
            began, floor, waiting = self._clock_ms(), searched[-1] if searched else None, len(found)
        else:
            began, floor, waiting = cursor.began_ms, cursor.floor, 0
            found = [one for one in found if _place(one) > (*cursor.after, cursor.session)]
        if len(found) <= count:
            return found, PlayerCursor(Section.OPEN, began, floor), waiting
        *key, session = _place(found[count - 1])
        return found[:count], PlayerCursor(Section.WAITING, began, floor, tuple(key), session), waiting

    async def _section(
        self,
        player_id: str,
        cursor: PlayerCursor,
        count: int,
        wanted: Callable[[Record], bool],
        listed: Sequence[PlayerEntry],
    ) -> tuple[list[PlayerEntry], PlayerCursor | None, bool]:
        """Return entries of a section, the cursor behind them, and whether the section has no others."""
        entries, over = list[PlayerEntry](), cursor.section is Section.OVER
        before = (cursor.after[0], cursor.session) if cursor.after else None
        present, left = {one.record.id for one in listed}, _SCANNED_OVER if over else _SCANNED
        while left > 0 and len(entries) < count:
            size = min(count - len(entries), left)
            part = await self._store.players.page(player_id, before, size + 1, over=over)
            for indexed, entry in zip(part[:size], await self._read(player_id, part[:size], over=over), strict=True):
                before = indexed
                if entry is None or not wanted(entry.record) or entry.record.id in present:
                    continue
                if over or not _was_waiting(entry, indexed, cursor):
                    entries.append(entry)
            if len(part) <= size:
                following = None if over else PlayerCursor(Section.OVER, cursor.began_ms, cursor.floor)
                return entries, following, True
            left -= size
        at = (before[0],) if before else ()
        return (
            entries,
            PlayerCursor(cursor.section, cursor.began_ms, cursor.floor, at, before[1] if before else ""),
            False,
        )

    async def _read(self, player_id: str, indexed: Sequence[Indexed], *, over: bool) -> list[PlayerEntry | None]:
        """Return the sessions; ``None`` for one that is gone, cannot be read or is not the player's."""
        found: list[PlayerEntry | None] = []
        for at in range(0, len(indexed), _AT_ONCE):
            part = indexed[at : at + _AT_ONCE]
            found += await asyncio.gather(*(self._entry(player_id, one, over=over) for one in part))
        return found

    async def _entry(self, player_id: str, indexed: Indexed, *, over: bool) -> PlayerEntry | None:
        created_ms, session = indexed
        try:
            table = await self._tables.newest(session)
        except SessionNotFound:
            if created_ms < self._clock_ms() - _STORED_AFTER_MS:  # it is indexed before it is stored
                await self._store.players.remove(player_id, [session])
            return None
        except (SessionDamaged, GameNotFound, RulesetUnsupported):
            return None
        record = table.record
        if record.over and not over:
            await self._store.players.end(player_id, session, created_ms)
        if record.over is not over or record.phase is Phase.CANCELLED:
            return None
        own = [seat for seat, one in enumerate(record.seats) if one.player_id == player_id]
        if own:
            waits = [one for one in own if one in table.to_act and record.seats[one].occupant is Occupant.PLAYER]
            return PlayerEntry(record, table.sequence, table, (waits or own)[0], bool(waits))
        if record.phase is Phase.LOBBY or await self._is_held_back(table):
            return None
        if not await self._had_seat(player_id, session):
            if record.over:
                await self._store.players.remove(player_id, [session])
            return None
        return PlayerEntry(record, table.sequence, None, None)

    async def _is_held_back(self, table: Table) -> bool:
        """Return whether spectators do not see yet that a game is over: its section would reveal the end."""
        delay = table.record.delay
        if delay is None:
            return False
        return not (table.record.over and is_shown_whole(table, delay, await self._store.uptime_ms()))

    async def _had_seat(self, player_id: str, session: str) -> bool:
        """Return whether a player had a seat at the start of the game, or later."""
        with suppress(MsgspecError, ValueError):
            return _has_played(player_id, await self._store.batches(session, 0))
        return False


def _has_played(player_id: str, batches: Sequence[bytes]) -> bool:
    seats: dict[int, str] = {}
    for packed in batches:
        for entry in unpack_batch(packed).entries:
            match entry:
                case Created(record):
                    seats = {seat: one.player_id for seat, one in enumerate(record.seats)}
                case Joined(seat, _, _, joined):
                    seats[seat] = joined
                case Left(seat) | Removed(seat):
                    seats.pop(seat, None)
                case Started():
                    return player_id in seats.values() or _joined_later(player_id, batches)
    return False


def _joined_later(player_id: str, batches: Sequence[bytes]) -> bool:
    """Return whether a player took a seat in play."""
    entries = [entry for packed in batches for entry in unpack_batch(packed).entries]
    start = next(at for at, entry in enumerate(entries) if isinstance(entry, Started))
    return any(isinstance(entry, Joined) and entry.player_id == player_id for entry in entries[start:])


def _place(entry: PlayerEntry) -> tuple[int, int, str]:
    """Return the key of a session that waits: by deadline, or else by the time of the last entry."""
    table, seat, session = entry.table, entry.seat, entry.record.id
    if table is None or seat is None:
        return 1, 0, session
    deadline = table.clocks[seat].deadline_ms if table.clocks else None
    return (1, table.time_ms, session) if deadline is None else (0, deadline, session)


def _was_waiting(entry: PlayerEntry, indexed: Indexed, cursor: PlayerCursor) -> bool:
    """Return whether the section of waiting sessions had the session as it is now."""
    if not entry.waits or entry.table is None or cursor.floor is None:
        return False
    return entry.table.time_ms < cursor.began_ms - _SKEW_MS and indexed >= cursor.floor
