"""The open FindLadderGame streams of a replica, for one ladder."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from secrets import token_hex

from skerry_service.domain.errors import SkerryError
from skerry_service.domain.log import pack
from skerry_service.ladders import ladder_records as stored
from skerry_service.ladders.ladder_records import WaitingBot
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.sessions.resources.field_values import replacing
from skerry_service.sessions.resources.resource_port import ANY, FieldChange
from skerry_service.sessions.store_port import Store


class BotStream:
    """An open stream."""

    def __init__(self, bot: str, waiting: WaitingBot) -> None:
        self.bot = bot
        self.waiting = waiting
        """Its entry among those who wait."""
        self.changed = asyncio.Event()
        """Set when the stream should look again."""


class LadderStreams:
    """The bots that wait on this replica."""

    def __init__(self, name: str, store: Store) -> None:
        self._name = name
        self._store = store
        self._data = LadderData(store.resources)
        self._replica = token_hex(8)
        self._open: list[BotStream] = []
        self.others = 0
        """Bots that waited at the last look, without one."""

    @property
    def any(self) -> bool:
        """Whether a bot waits on this replica."""
        return bool(self._open)

    async def open(self, bot: str, version: str, key: str) -> BotStream:
        """Let a bot wait."""
        now = await self._store.uptime_ms()
        stream = BotStream(bot, WaitingBot(version, key, now, self._replica))
        heard = FieldChange(stored.REPLICAS, self._replica.encode(), b"%d" % now, ANY)
        await self._data.change(self._name, [heard])
        self._open.append(stream)
        try:
            await self._enter(stream)
        except BaseException:  # the write may have been made
            await self.close(stream)
            raise
        return stream

    async def _enter(self, stream: BotStream) -> None:
        """Store the entry of a bot that has none, or a damaged one, which would keep it from waiting for ever."""
        (packed,) = await self._data.packed(self._name, stored.WAITING, [stream.bot])
        damaged = packed if packed is not None and stored.read_waiting(packed) is None else None
        entry = FieldChange(stored.WAITING, stream.bot.encode(), pack(stream.waiting), damaged)
        await self._data.change(self._name, [entry])

    async def close(self, stream: BotStream) -> None:
        """Let a bot no longer wait, after its last stream. The entry may be gone, because it has a game."""
        self._open.remove(stream)
        if self._has(stream.bot):
            return
        with suppress(SkerryError):  # later, ``keep_waiting`` removes it
            entry = (await self._data.waiting(self._name, [stream.bot])).get(stream.bot)
            if entry is not None:
                await self._withdraw(stream.bot, entry)

    def _has(self, bot: str) -> bool:
        return any(one.bot == bot for one in self._open)

    async def _withdraw(self, bot: str, entry: WaitingBot) -> None:
        """Remove an entry of this replica, of whichever stream of the bot, if none of its streams is open."""
        if entry.replica == self._replica and not self._has(bot):
            await self._data.change(self._name, [replacing(stored.WAITING, bot, entry, None)])

    async def keep_waiting(self) -> None:
        """Announce this replica, enter its bots again that do not wait, and remove those without a stream."""
        if not self._open:
            return
        now = await self._store.uptime_ms()
        await self._data.change(self._name, [FieldChange(stored.REPLICAS, self._replica.encode(), b"%d" % now, ANY)])
        waiting, games = await self._data.waiting(self._name), await self._data.games(self._name)
        playing = {stored.bot_of_entrant(one.entrant) for game in games.values() for one in game.seats}
        for bot, entry in waiting.items():
            await self._withdraw(bot, entry)
        for stream in list(self._open):
            if stream in self._open and stream.bot not in waiting and stream.bot not in playing:
                await self._enter(stream)

    async def report(self) -> None:
        """Let the streams look again whose bots have a game, or no longer wait."""
        if not self._open:
            return
        waiting = await self._data.waiting(self._name)
        self.others = max(0, len(waiting) - 1)
        for stream in self._open:
            if stream.bot not in waiting:
                stream.changed.set()

    def wake_all(self) -> None:
        """Let all streams look again."""
        for stream in self._open:
            stream.changed.set()
