"""The registration of bots."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from skerry_service.domain.errors import ApiKeyMissing, BotNotFound, LimitReached, NotAllowed, StoreUnavailable
from skerry_service.domain.languages.phrases import grouped, phrase
from skerry_service.ladders.ladder_records import RegisteredEntry, RegisteredVersion
from skerry_service.ladders.ladder_store import LadderData

BOTS_OF_A_KEY = 20
"""Bots that one API key can register."""
MOST_BOTS = 2_000
"""Bots of a server."""
KEPT_VERSIONS = 20
"""Versions of a bot that are remembered. Ratings and games of earlier ones remain."""
_ATTEMPTS = 8


class BotRegistry:
    """The registered bots of a store."""

    def __init__(self, data: LadderData) -> None:
        self._data = data

    async def register(self, bot: str, key: str, version: RegisteredVersion, contact: str) -> RegisteredEntry:
        """Register a bot, or a new version. Raises ApiKeyMissing, NotAllowed, LimitReached."""
        if not key:
            raise ApiKeyMissing
        for _ in range(_ATTEMPTS):
            before = (await self._data.bots([bot])).get(bot)
            if before is None:
                await self._require_room(key)
                after = RegisteredEntry(key, (version,), contact)
            else:
                _require_own(before, key)
                after = _with_version(before, version, contact)
            if await self._data.set_bot(bot, before, after):
                return after
        raise StoreUnavailable  # others have changed it all the time

    async def wake(self, bot: str, key: str) -> RegisteredEntry:
        """End the rest of a bot. Raises ApiKeyMissing, BotNotFound, NotAllowed."""
        for _ in range(_ATTEMPTS):
            before = await self.own(bot, key)
            after = replace(before, woken=before.woken + 1)
            if await self._data.set_bot(bot, before, after):
                return after
        raise StoreUnavailable

    async def get(self, bot: str) -> RegisteredEntry:
        """Return a bot. Raises BotNotFound."""
        found = await self._data.bots([bot])
        if bot not in found:
            raise BotNotFound(bot)
        return found[bot]

    async def all(self) -> Mapping[str, RegisteredEntry]:
        """Return all bots by id."""
        return await self._data.bots()

    async def own(self, bot: str, key: str) -> RegisteredEntry:
        """Return a bot of an API key. Raises ApiKeyMissing, BotNotFound, NotAllowed."""
        if not key:
            raise ApiKeyMissing
        found = await self.get(bot)
        _require_own(found, key)
        return found

    async def _require_room(self, key: str) -> None:
        bots = await self._data.bots()
        if sum(one.key == key for one in bots.values()) >= BOTS_OF_A_KEY:
            raise LimitReached("bots_key", phrase("limit-own-bots", most=BOTS_OF_A_KEY), None)
        if len(bots) >= MOST_BOTS:
            raise LimitReached("bots_server", phrase("limit-bots", most=grouped(MOST_BOTS)), None)


def _require_own(bot: RegisteredEntry, key: str) -> None:
    if bot.key != key:
        raise NotAllowed("This bot belongs to another API key. Register a bot with another name.")


def _with_version(before: RegisteredEntry, version: RegisteredVersion, contact: str) -> RegisteredEntry:
    same = before.hash == version.hash
    versions = before.versions
    if same:
        version = replace(version, registered_ms=versions[0].registered_ms)
    kept = tuple([one for one in versions if one.hash != version.hash])[: KEPT_VERSIONS - 1]
    return replace(before, versions=(version, *kept), contact=contact, woken=before.woken + 1)
