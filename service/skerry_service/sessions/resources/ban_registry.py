"""The bans in the store. They are a resource: a ban is one field, so two bans of one subject are one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from skerry_service.domain.bans.ban import MOST_BANS, Ban, BanSubject
from skerry_service.domain.bans.ban_errors import BanNotFound
from skerry_service.domain.errors import LimitReached, StoreUnavailable
from skerry_service.domain.languages.phrases import phrase
from skerry_service.domain.log import pack
from skerry_service.sessions.resources.field_values import reader_of
from skerry_service.sessions.resources.resource_port import ANY, FieldChange, ResourceStore

_RESOURCE = "bans"
_ENTRIES = "entries"
_ATTEMPTS = 10
_SURELY_FEW = MOST_BANS * 9 // 10
"""With fewer bans, a new one is stored without counting: other replicas do not create the rest in two seconds."""
_SLICE = 500
"""Bans that are decoded without a pause."""
_read = reader_of(Ban)


class BanRegistry:
    """Creates, lists and lifts bans. Raises StoreUnavailable, StoreFull."""

    def __init__(
        self,
        resources: ResourceStore,
        uptime_ms: Callable[[], Awaitable[int]],
        clock_ms: Callable[[], int],
        announce: Callable[[], Awaitable[None]],
    ) -> None:
        """``clock_ms``: the wall clock. ``announce``: lets every replica read the bans again."""
        self._resources = resources
        self._uptime_ms = uptime_ms
        self._clock_ms = clock_ms
        self._announce = announce
        self._known = set[str]()
        """The ids of the bans at the last reading, and of those created since."""

    async def create(self, subject: BanSubject, reason: str, seconds: int, operator: str) -> Ban:
        """Ban a subject, in place of an earlier ban. Raises LimitReached."""
        await self._make_room(subject.ban_id)
        ends_ms = await self._uptime_ms() + 1000 * seconds
        ban = Ban(subject, reason, seconds, ends_ms, self._clock_ms(), operator)
        await self._resources.change(_RESOURCE, [FieldChange(_ENTRIES, subject.ban_id.encode(), pack(ban), ANY)])
        self._known.add(subject.ban_id)
        await self._announce()
        return ban

    async def _make_room(self, ban_id: str) -> None:
        """Remove the bans that have ended if there are too many. Raises LimitReached if that is not enough."""
        if ban_id in self._known or len(self._known) < _SURELY_FEW:
            return
        now = await self._uptime_ms()
        for ban in await self.all():
            if ban.ends_ms <= now:  # it may have been replaced meanwhile
                change = FieldChange(_ENTRIES, ban.subject.ban_id.encode(), None, pack(ban))
                if await self._resources.change(_RESOURCE, [change]):
                    self._known.discard(ban.subject.ban_id)
        if len(self._known - {ban_id}) >= MOST_BANS:
            raise LimitReached("bans", phrase("limit-bans", most=MOST_BANS), retry_after=None)

    async def in_force(self) -> tuple[Sequence[Ban], int]:
        """Return the bans that have not ended, those that end last first, and the store uptime."""
        now = await self._uptime_ms()
        bans = [ban for ban in await self.all() if ban.ends_ms > now]
        return sorted(bans, key=lambda ban: (-ban.ends_ms, ban.subject.ban_id)), now

    async def all(self) -> Sequence[Ban]:
        """Return all bans, also those that have ended. A damaged ban counts as none, which is logged."""
        bans = []
        for at, packed in enumerate((await self._resources.read_all(_RESOURCE, _ENTRIES)).values()):
            if at % _SLICE == _SLICE - 1:
                await asyncio.sleep(0)
            if (ban := _read(packed)) is not None:
                bans.append(ban)
        self._known = {ban.subject.ban_id for ban in bans}
        return bans

    async def lift(self, ban_id: str) -> tuple[Ban, int]:
        """End a ban; return it, and how many ms were left. Raises BanNotFound if it does not exist, or has ended."""
        for _ in range(_ATTEMPTS):
            (packed,) = await self._resources.read(_RESOURCE, _ENTRIES, [ban_id.encode()])
            ban, now = None if packed is None else _read(packed), await self._uptime_ms()
            if ban is None or ban.ends_ms <= now:
                raise BanNotFound(ban_id)
            if await self._resources.change(_RESOURCE, [FieldChange(_ENTRIES, ban_id.encode(), None, packed)]):
                self._known.discard(ban_id)
                await self._announce()
                return ban, ban.ends_ms - now
        raise StoreUnavailable  # others have changed it all the time
