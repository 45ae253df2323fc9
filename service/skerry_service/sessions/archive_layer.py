"""A store with an archive behind it: reads find a session in either of the two."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Sequence
from contextlib import suppress
from typing import Any

from skerry_service.domain.errors import StoreUnavailable
from skerry_service.domain.log import unpack_batch
from skerry_service.domain.packed import Head, Request
from skerry_service.sessions.lists.player_index_port import PlayerIndex
from skerry_service.sessions.match_port import MatchStore
from skerry_service.sessions.resources.resource_port import ResourceStore
from skerry_service.sessions.schedule_port import Schedule
from skerry_service.sessions.store_port import (
    ArchivePort,
    Commit,
    CommitResult,
    Conflict,
    DeliveryStates,
    Duplicate,
    Gone,
    Store,
    Tip,
)

_SECONDS_TO_CREATE = 1.0
"""How long ``create`` waits for the archive to confirm that it has no session with the id, which is almost certain."""


class ArchiveLayer:
    """A ``store_port.Store`` that asks the archive only for sessions that the live store does not have."""

    def __init__(self, live: Store, archive: ArchivePort) -> None:
        self._live = live
        self._archive = archive
        # Methods without a relation to archived sessions are the live store's own, so they cost nothing.
        self.list_sessions, self.summaries = live.list_sessions, live.summaries
        self.relist, self.unlist = live.relist, live.unlist
        self.uptime_ms, self.record_seen, self.last_seen = live.uptime_ms, live.record_seen, live.last_seen
        self.forget_seen, self.listen, self.unlisten = live.forget_seen, live.listen, live.unlisten

    @property
    def schedule(self) -> Schedule:
        return self._live.schedule

    @property
    def deliveries(self) -> DeliveryStates:
        return self._live.deliveries

    @property
    def matching(self) -> MatchStore:
        return self._live.matching

    @property
    def players(self) -> PlayerIndex:
        return self._live.players

    @property
    def resources(self) -> ResourceStore:
        return self._live.resources

    @property
    def epoch(self) -> str:
        return self._live.epoch

    async def create(
        self, session: str, commit: Commit, public_since_ms: int | None, index_keys: Iterable[bytes] = ()
    ) -> Head | None:
        with suppress(StoreUnavailable):  # a new game does not depend on the archive
            if archived := await self._archive.find(session, _SECONDS_TO_CREATE):
                return archived.head
        return await self._live.create(session, commit, public_since_ms, index_keys)

    async def load(self, session: str) -> Head | None:
        if (head := await self._live.load(session)) is not None:
            return head
        archived = await self._archive.find(session)
        return archived.head if archived else None

    async def tip(self, session: str) -> Tip | None:
        if (tip := await self._live.tip(session)) is not None:
            return tip
        archived = await self._archive.find(session)
        return Tip(archived.head.sequence, archived.head.chained_hash) if archived else None

    async def commit(self, session: str, commit: Commit) -> CommitResult:
        result = await self._live.commit(session, commit)
        if isinstance(result, Gone) and (archived := await self._archive.find(session)):
            return Conflict(archived.head.sequence)  # the caller loads the session again and finds it finished
        return result

    def walk(self, place: str, count: int) -> Coroutine[Any, Any, tuple[Sequence[str], str]]:
        return self._live.walk(place, count)

    async def find_request(self, session: str, request: Request) -> Duplicate | None:
        if await self._live.tip(session) is not None:
            return await self._live.find_request(session, request)
        archived = await self._archive.find(session)
        return dict(archived.requests).get(request.id) if archived else None

    async def batches(self, session: str, after: int) -> Sequence[bytes]:
        if batches := await self._live.batches(session, after):
            return batches
        archived = await self._archive.find(session)
        if archived is None or await self._live.tip(session) is not None:
            return []
        return [packed for packed in archived.batches if unpack_batch(packed).last > after]
