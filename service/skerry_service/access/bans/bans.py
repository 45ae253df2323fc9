"""The bans that one process enforces on calls, and the open streams that a new ban ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress

from skerry_service.access.bans.ban_table import BanTable
from skerry_service.domain.bans.ban import Ban
from skerry_service.domain.bans.ban_errors import Banned
from skerry_service.domain.errors import SkerryError

_SLICE = 500
"""Bans or streams that are handled without a pause."""
_PAUSE_SECONDS = 0.2
"""Between two readings. An operator may create many bans one after the other."""
_READ_EVERY_SECONDS = 60.0
"""A ban is stored before it is announced. This finds one whose replica has crashed in between."""
_log = logging.getLogger(__name__)


class FollowedStream:
    """Who reads an open stream, as far as the server knows, and how to end the stream."""

    def __init__(self, bans: Bans, address: str, key: str, interrupt: Callable[[Exception], None]) -> None:
        """``interrupt``: ends the stream with an error."""
        self.interrupt = interrupt
        self._bans = bans
        self._address = address
        self._key = key
        self._players: set[str] = set()

    def note_player(self, player_id: str) -> None:
        """Note a player whose seat the stream opens, or whose identity its caller has. Raises Banned."""
        self._players.add(player_id)
        self._bans.require_player(player_id)

    def require(self) -> None:
        """Raise Banned if the caller is banned now."""
        self._bans.require_caller(self._address, self._key)
        for player_id in self._players:
            self._bans.require_player(player_id)


class Bans:
    """The bans in force. No call waits for the store: each replica holds all bans, and reads them after a change."""

    def __init__(self, read: Callable[[], Awaitable[Iterable[Ban]]], uptime_ms: Callable[[], int]) -> None:
        """``read`` returns all bans. ``uptime_ms`` returns the store uptime, by which bans end."""
        self.table = BanTable()
        self._read = read
        self._uptime_ms = uptime_ms
        self._streams: dict[FollowedStream, None] = {}
        self._changed = asyncio.Event()
        self._changed.set()

    def wake(self) -> None:
        """Let ``run`` read the bans soon."""
        self._changed.set()

    async def run(self) -> None:
        """Read the bans after each change, and once in a while, for as long as the process runs."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_READ_EVERY_SECONDS):
                    await self._changed.wait()
            self._changed.clear()
            try:
                await self.renew()
            except SkerryError as error:
                _log.debug("cannot read the bans: %s", error)
                self._changed.set()
            except Exception:  # without the next reading, bans of other replicas have no effect here
                _log.exception("a reading of the bans has failed; trying again")
            await asyncio.sleep(_PAUSE_SECONDS)

    async def renew(self) -> None:
        """Take over all bans, and end the streams of those who are banned now. Raises StoreUnavailable."""
        table = BanTable()
        for at, ban in enumerate(await self._read()):
            try:
                table.add(ban)
            except ValueError:
                _log.error("the ban %s is damaged and bans nobody", ban.subject.ban_id)
            await _pause(at)
        self.table = table
        for at, stream in enumerate(list(self._streams)):
            try:
                stream.require()
            except Banned as error:
                if stream in self._streams:
                    stream.interrupt(error)
            await _pause(at)

    def require_caller(self, address: str, key: str) -> None:
        """Raise Banned if an address or the API key of that name is banned. Empty: unknown."""
        table = self.table
        if address and table.has_networks:
            self._refuse(table.of_address(address))
        if key and (ban := table.by_key.get(key)) is not None:
            self._refuse((ban,))

    def require_player(self, player_id: str) -> None:
        """Raise Banned if the player is banned."""
        if (ban := self.table.by_player.get(player_id)) is not None:
            self._refuse((ban,))

    def _refuse(self, bans: Sequence[Ban]) -> None:
        """Raise Banned by the ban that ends last, unless all have ended."""
        if bans:
            last = max(bans, key=lambda ban: ban.ends_ms)
            if (left := last.ends_ms - self._uptime_ms()) > 0:
                raise Banned(last.subject.kind, last.reason, left)

    def follow(self, stream: FollowedStream) -> None:
        """End a stream once its caller is banned."""
        self._streams[stream] = None

    def forget(self, stream: FollowedStream) -> None:
        """Stop following a stream that has ended."""
        self._streams.pop(stream, None)


async def _pause(at: int) -> None:
    """Let other tasks run after every slice of a long loop."""
    if at % _SLICE == _SLICE - 1:
        await asyncio.sleep(0)
