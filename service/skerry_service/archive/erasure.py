"""Erasure of players' display names and ids from sessions. The games stay.

A session of the archive keeps the hashes of its log. The log of a session in the store is written anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import islice
from typing import Literal

from msgspec import MsgspecError, Struct

from skerry_service.archive.archive import Archive, ObjectExists
from skerry_service.archive.archived_session import ArchivedSession, forget, restored
from skerry_service.archive.log_erasure import people_of, without_texts
from skerry_service.archive.mover import Mover, Source, WrongArchive
from skerry_service.domain.cooperative import run_to_completion
from skerry_service.domain.errors import SessionDamaged, SkerryError, StoreFull, StoreUnavailable
from skerry_service.domain.index_keys import index_key_changes
from skerry_service.domain.log import pack, unpack_batch
from skerry_service.domain.record import Phase
from skerry_service.sessions.loader import read_record, replay, report_damage
from skerry_service.sessions.store_port import Tip
from skerry_service.sessions.task_runner import TaskRunner

_PAGE = 100
_AT_ONCE = 20
_ATTEMPTS = 20
Outcome = Literal["forgotten", "nobody", "missing", "unreadable"]


class ErasureSubject(Struct, frozen=True):
    """The player to erase, by one of these."""

    player_id: str = ""
    name: str = ""
    seat: int | None = None
    """Every player of that seat since the start of the game."""

    def matches(self, name: str, player_id: str) -> bool:
        """Whether a player with that name and id is meant."""
        return player_id == self.player_id if self.player_id else name == self.name


class ErasureResult(Struct, frozen=True):
    """The result for one session."""

    session: str
    outcome: Outcome
    sentence: str = ""


class SessionEraser:
    """Erases players from the sessions of a store and an archive."""

    def __init__(self, store: Source | None, archive: Archive | None) -> None:
        """``store``: ``None`` to search the archive alone. ``archive``: ``None`` without one."""
        self._store = store
        self._archive = archive
        self._tasks = TaskRunner()
        self._mover = Mover(store, archive, 0) if store and archive else None

    async def in_session(self, session: str, subject: ErasureSubject) -> ErasureResult:
        """Erase a player from one session. If there is an archive, a finished session moves to it first.

        Raises StoreUnavailable, and what ``Mover.move`` raises.
        """
        if self._mover is not None:
            await self._mover.move(session)
        # A session can be in both places: an earlier move did not come to its end.
        outcomes = {await self._in_store(session, subject), await self._in_archive(session, subject)}
        order: tuple[Outcome, ...] = ("forgotten", "nobody", "missing")
        return ErasureResult(session, next(one for one in order if one in outcomes))

    async def _in_store(self, session: str, subject: ErasureSubject) -> Outcome:
        for _ in range(_ATTEMPTS if self._store is not None else 0):
            found = None if self._store is None else await self._store.finished.read(session)
            if self._store is None or found is None:
                return "missing"
            texts = _texts(session, found.batches, subject)
            if not texts:
                return "nobody"
            erased = await self._tasks.run(without_texts(session, found, texts))
            if await self._store.finished.replace(session, Tip(found.head.sequence, found.head.chained_hash), erased):
                before, after = read_record(session, found.head), read_record(session, erased.head)
                added, removed = index_key_changes(before, after)
                if added or removed:
                    await self._store.relist(session, erased.head.sequence, added, removed)
                return "forgotten"
        if self._store is None:
            return "missing"
        raise StoreUnavailable  # the session changed all the time

    async def _in_archive(self, session: str, subject: ErasureSubject) -> Outcome:
        if self._archive is None or not await self._has_begun(self._archive):
            return "missing"
        kept = await self._archive.get(session)
        if kept is None:
            return "missing"
        left = forget(kept, texts_of(kept, subject))
        if left is kept:
            return "nobody"
        await self._archive.rewrite(left)
        return "forgotten"

    async def everywhere(self, player_id: str) -> AsyncIterator[ErasureResult]:
        """Erase a player from all sessions. Yield the result for each session that has the player.

        Raises StoreUnavailable, StoreFull, WrongArchive.
        """
        subject = ErasureSubject(player_id=player_id)
        seen = set[str]()
        async for session in self._with(player_id):
            if session not in seen:
                seen.add(session)
                if (found := await self._tried(session, subject)).outcome not in ("nobody", "missing"):
                    yield found
        if self._archive is None or not await self._has_begun(self._archive):
            return
        async for session in self._archive.sessions():
            if session in seen or not await self._may_have(session, player_id):
                continue
            if (found := await self._tried(session, subject)).outcome != "nobody":
                yield found

    async def _has_begun(self, archive: Archive) -> bool:
        """Return whether there is an archive at its place, or should be."""
        if self._store is None or await self._store.finished.archive_id() is not None:
            return True
        return await archive.id() is not None

    async def _tried(self, session: str, subject: ErasureSubject) -> ErasureResult:
        """Return ``unreadable`` for a session that cannot be read, so that the others are still processed."""
        try:
            return await self.in_session(session, subject)
        except (StoreUnavailable, StoreFull, WrongArchive):
            raise
        except ObjectExists:
            return ErasureResult(session, "unreadable", "The archive has another session under that id.")
        except SkerryError as error:
            return ErasureResult(session, "unreadable", str(error))

    async def _with(self, player_id: str) -> AsyncIterator[str]:
        """Yield the sessions of the store whose logs may have a player. Those that cannot be read are among them."""
        if self._store is None:
            return
        text = pack(player_id)  # as it stands in a log
        async for sessions in self._store.heads(_PAGE):
            left = iter(sessions)
            while page := tuple(islice(left, _AT_ONCE)):
                having = await asyncio.gather(*(self._has(one, text) for one in page))
                for session in (one for one, has in zip(page, having, strict=True) if has):
                    yield session

    async def _has(self, session: str, text: bytes) -> bool:
        """Return whether a session of the store has a text, or cannot be read."""
        try:
            found = None if self._store is None else await self._store.finished.read(session)
        except SessionDamaged:
            return True
        return found is not None and any(text in packed for packed in (found.head.record, *found.batches))

    async def _may_have(self, session: str, player_id: str) -> bool:
        """Return whether a session of the archive has an id, or cannot be read."""
        try:
            kept = None if self._archive is None else await self._archive.get(session)
        except SessionDamaged:
            return True
        return kept is not None and any(one.text == player_id for one in kept.texts)


def texts_of(kept: ArchivedSession, subject: ErasureSubject) -> set[str]:
    """Return the names and ids of a player in a session. Raises SessionDamaged, RulesetUnsupported."""
    try:
        batches = restored(kept)
    except ValueError as error:
        raise report_damage(kept.session, f"in the archive {error}") from error
    return _texts(kept.session, batches, subject)


def _texts(session: str, batches: Iterable[bytes], subject: ErasureSubject) -> set[str]:
    players = _people(session, batches) if subject.seat is None else _on_seat(session, batches, subject.seat)
    people = [one for one in players if subject.seat is not None or subject.matches(*one)]
    return {text for one in people for text in one if text}


def _people(session: str, batches: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    try:
        yield from people_of([unpack_batch(packed) for packed in batches])
    except MsgspecError as error:
        raise report_damage(session, f"its log cannot be read: {error}") from error


def _on_seat(session: str, batches: Iterable[bytes], seat: int) -> Iterator[tuple[str, str]]:
    for change in run_to_completion(replay(session, batches)):
        record = change.table.record
        if record.phase is not Phase.LOBBY and seat < len(record.seats) and record.seats[seat].token:
            yield record.seats[seat].name, record.seats[seat].player_id
