"""Erasure of players' display names and ids. The games stay, and so do the hashes of their logs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Literal

from msgspec import MsgspecError, Struct

from skerry_service.archive.archive import Archive
from skerry_service.archive.archived_session import ArchivedSession, forget, restored
from skerry_service.archive.mover import Mover, Source, belongs_in_archive
from skerry_service.domain.cooperative import run_to_completion
from skerry_service.domain.errors import SessionDamaged, SkerryError, StoreUnavailable
from skerry_service.domain.log import Created, Joined, unpack_batch
from skerry_service.domain.record import Phase
from skerry_service.sessions.loader import read_record, replay, report_damage

_PAGE = 100
Outcome = Literal["forgotten", "nobody", "missing", "in play", "ends soon", "unreadable"]


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


class Eraser:
    """Erases players from an archive, and from the store whose games move there."""

    def __init__(self, store: Source | None, archive: Archive) -> None:
        """``store``: ``None`` to search the archive alone."""
        self._store = store
        self._archive = archive
        self._mover = Mover(store, archive, 0) if store else None

    async def in_session(self, session: str, subject: ErasureSubject) -> ErasureResult:
        """Erase a player from one session. A finished session that is still in the store moves to the archive first.

        Raises StoreUnavailable, and what ``Mover.move`` raises.
        """
        if self._store is not None and self._mover is not None:
            head = await self._store.load(session)
            record = read_record(session, head) if head else None
            if record is not None and not record.over:
                return ErasureResult(session, "in play")
            if record is not None and not belongs_in_archive(record):
                return ErasureResult(session, "ends soon")
            await self._mover.move(session)
        kept = await self._archive.get(session)
        if kept is None:
            return ErasureResult(session, "missing")
        left = forget(kept, texts_of(kept, subject))
        if left is kept:
            return ErasureResult(session, "nobody")
        await self._archive.rewrite(left)
        return ErasureResult(session, "forgotten")

    async def everywhere(self, player_id: str) -> AsyncIterator[ErasureResult]:
        """Erase a player from all sessions. Yield the result for each session that has the player.

        Raises StoreUnavailable.
        """
        subject = ErasureSubject(player_id=player_id)
        seen = set[str]()
        async for session in self._with(player_id):
            seen.add(session)
            yield await self._tried(session, subject)
        async for session in self._archive.sessions():
            if session not in seen and (found := await self._tried(session, subject)).outcome != "nobody":
                yield found

    async def _tried(self, session: str, subject: ErasureSubject) -> ErasureResult:
        """Return ``unreadable`` for a session that cannot be read, so that the others are still processed."""
        try:
            return await self.in_session(session, subject)
        except StoreUnavailable:
            raise
        except SkerryError as error:
            return ErasureResult(session, "unreadable", str(error))

    async def _with(self, player_id: str) -> AsyncIterator[str]:
        """Yield the sessions of the store whose logs have a player, or may have."""
        if self._store is None:
            return
        async for sessions in self._store.heads(_PAGE):
            for session in sessions:
                try:
                    found = await self._store.finished.read(session)
                    if found is not None and any(one == player_id for _, one in _people(session, found.batches)):
                        yield session
                except SessionDamaged:
                    yield session  # its players are unknown, so it is reported as unreadable


def texts_of(kept: ArchivedSession, subject: ErasureSubject) -> set[str]:
    """Return the names and ids of a player in a session. Raises SessionDamaged, RulesetUnsupported."""
    try:
        batches = restored(kept)
    except ValueError as error:
        raise report_damage(kept.session, f"in the archive {error}") from error
    players = _people(kept.session, batches) if subject.seat is None else _on_seat(kept.session, batches, subject.seat)
    people = [one for one in players if subject.seat is not None or subject.matches(*one)]
    return {text for one in people for text in one if text}


def _people(session: str, batches: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """Yield display name and id of each player who joined, or for whom a seat was reserved."""
    try:
        entries = [entry for packed in batches for entry in unpack_batch(packed).entries]
    except MsgspecError as error:
        raise report_damage(session, f"its log cannot be read: {error}") from error
    for entry in entries:
        if isinstance(entry, Joined):
            yield entry.name, entry.player_id
        elif isinstance(entry, Created):
            yield from ((one.name, one.player_id) for one in entry.record.seats)


def _on_seat(session: str, batches: Iterable[bytes], seat: int) -> Iterator[tuple[str, str]]:
    for change in run_to_completion(replay(session, batches)):
        record = change.table.record
        if record.phase is not Phase.LOBBY and seat < len(record.seats) and record.seats[seat].token:
            yield record.seats[seat].name, record.seats[seat].player_id
