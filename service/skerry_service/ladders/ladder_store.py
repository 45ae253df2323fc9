"""Ladders and bots in the store, as values."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from skerry_service.domain.errors import LadderNotFound
from skerry_service.domain.log import pack
from skerry_service.ladders import ladder_records as stored
from skerry_service.ladders.ladder_records import (
    EntrantRecord,
    GameRow,
    OpenGame,
    PairRecord,
    RegisteredEntry,
    StandingsRecord,
    StoredLadder,
)
from skerry_service.sessions.resources.resource_port import ANY, FieldChange, ResourceStore

T = TypeVar("T")
_PAIRS_OF_A_SLICE = 500


class LadderData:
    """What the store has of ladders and bots. Damaged values count as absent. Raises StoreUnavailable, StoreFull."""

    def __init__(self, resources: ResourceStore) -> None:
        self._resources = resources

    # ------------------------------------------------------------ ladders and bots

    async def ladders(self) -> Mapping[str, StoredLadder]:
        """Return all ladders by id."""
        return await self._all(stored.LADDERS_RESOURCE, stored.ENTRIES, stored.read_ladder)

    async def ladder(self, ladder: str) -> StoredLadder:
        """Return a ladder. Raises LadderNotFound."""
        found = await self._some(stored.LADDERS_RESOURCE, stored.ENTRIES, [ladder], stored.read_ladder)
        if ladder not in found:
            raise LadderNotFound(ladder)
        return found[ladder]

    async def set_ladder(self, ladder: str, before: StoredLadder | None, after: StoredLadder) -> bool:
        """Store a ladder if it is as before. Return whether it was."""
        return await self._set(stored.LADDERS_RESOURCE, ladder, before, after)

    async def bots(self, bots: Iterable[str] | None = None) -> Mapping[str, RegisteredEntry]:
        """Return registered bots by id; by default all."""
        if bots is None:
            return await self._all(stored.BOTS_RESOURCE, stored.ENTRIES, stored.read_bot)
        return await self._some(stored.BOTS_RESOURCE, stored.ENTRIES, sorted(set(bots)), stored.read_bot)

    async def set_bot(self, bot: str, before: RegisteredEntry | None, after: RegisteredEntry) -> bool:
        """Store a bot if it is as before. Return whether it was."""
        return await self._set(stored.BOTS_RESOURCE, bot, before, after)

    async def _set(self, resource: str, field: str, before: Struct | None, after: Struct) -> bool:
        expected = None if before is None else pack(before)
        change = FieldChange(stored.ENTRIES, field.encode(), pack(after), expected)
        return await self._resources.change(resource, [change])

    # ------------------------------------------------------------ one ladder

    async def games(self, ladder: str) -> Mapping[str, OpenGame]:
        """Return the games in play, by session."""
        return await self._all(stored.ladder_resource(ladder), stored.GAMES, stored.read_game)

    async def waiting(self, ladder: str, some: Iterable[str] | None = None) -> Mapping[str, stored.WaitingBot]:
        """Return the bots that wait, by id; by default all."""
        if some is not None:
            names = sorted(set(some))
            return await self._some(stored.ladder_resource(ladder), stored.WAITING, names, stored.read_waiting)
        return await self._all(stored.ladder_resource(ladder), stored.WAITING, stored.read_waiting)

    async def blocks(self, ladder: str) -> Mapping[str, stored.OpenBlock]:
        """Return the blocks with a next game."""
        return await self._all(stored.ladder_resource(ladder), stored.BLOCKS, stored.read_block)

    async def entrants(
        self, ladder: str, season: int, some: Iterable[str] | None = None
    ) -> Mapping[str, EntrantRecord]:
        """Return the entrants of a season; by default all."""
        resource, part = stored.ladder_resource(ladder), stored.entrants_part(season)
        if some is None:
            return await self._all(resource, part, stored.read_entrant)
        return await self._some(resource, part, sorted(set(some)), stored.read_entrant)

    async def pairs(self, ladder: str, season: int) -> Mapping[tuple[str, str], PairRecord]:
        """Return the results between all entrants of a season. Decodes in slices, because there may be 100,000."""
        found = await self._resources.read_all(stored.ladder_resource(ladder), stored.pairs_part(season))
        pairs = {}
        for at, (field, packed) in enumerate(found.items()):
            if at % _PAIRS_OF_A_SLICE == 0:
                await asyncio.sleep(0)
            if (pair := stored.read_pair(packed)) is not None:
                first, _, second = field.decode().partition("|")
                pairs[first, second] = pair
        return pairs

    async def packed(self, ladder: str, part: str, fields: Sequence[str]) -> Sequence[bytes | None]:
        """Return the values of fields as they are stored, for a change that also replaces damaged ones."""
        return await self._resources.read(stored.ladder_resource(ladder), part, [field.encode() for field in fields])

    async def count(self, ladder: str, season: int) -> int:
        """Return the number of results of a season. Raises ValueError if it is damaged: absent would mean none."""
        (value,) = await self._resources.read(stored.ladder_resource(ladder), stored.COUNTS, [b"%d" % season])
        return int(value or 0)

    async def is_recorded(self, ladder: str, game: OpenGame) -> bool:
        """Return whether a session of people was recorded."""
        part, field = stored.recorded_part(game.season), game.session.encode()
        (value,) = await self._resources.read(stored.ladder_resource(ladder), part, [field])
        return value is not None

    async def rows(self, ladder: str, season: int, chunk: int) -> Mapping[int, GameRow]:
        """Return the results of a chunk, by number from 0."""
        found = await self._all(stored.ladder_resource(ladder), stored.rows_part(season, chunk), stored.read_row)
        return {int(number): row for number, row in found.items()}

    async def standings(self, ladder: str, season: int) -> StandingsRecord:
        """Return the computed ratings of a season; without any, none from 0 games."""
        found = await self._some(stored.ladder_resource(ladder), stored.STANDINGS, [str(season)], stored.read_standings)
        return found.get(str(season), StandingsRecord(0, {}))

    async def set_standings(self, ladder: str, season: int, standings: StandingsRecord) -> None:
        """Store the computed ratings of a season."""
        await self.change(ladder, [FieldChange(stored.STANDINGS, b"%d" % season, pack(standings), ANY)])

    async def replicas(self, ladder: str) -> Mapping[str, int]:
        """Return when each replica with streams was heard, in ms of the store uptime."""
        found = await self._resources.read_all(stored.ladder_resource(ladder), stored.REPLICAS)
        return {name.decode(): int(heard) for name, heard in found.items() if heard.isdigit()}

    async def change(self, ladder: str, changes: Sequence[FieldChange]) -> bool:
        """Change a ladder's data. See ``ResourceStore.change``."""
        return await self._resources.change(stored.ladder_resource(ladder), changes)

    # ------------------------------------------------------------ reading

    async def _all(self, resource: str, part: str, read: Callable[[bytes], T | None]) -> dict[str, T]:
        found = await self._resources.read_all(resource, part)
        values = {field.decode(): read(packed) for field, packed in sorted(found.items())}
        return {field: value for field, value in values.items() if value is not None}

    async def _some(
        self, resource: str, part: str, fields: Sequence[str], read: Callable[[bytes], T | None]
    ) -> dict[str, T]:
        found = await self._resources.read(resource, part, [field.encode() for field in fields])
        values = {field: read(packed) for field, packed in zip(fields, found, strict=True) if packed is not None}
        return {field: value for field, value in values.items() if value is not None}
