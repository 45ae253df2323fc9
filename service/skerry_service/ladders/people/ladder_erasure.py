"""Erasure of people's display names and hashed ids from ladders. The results stay."""

from __future__ import annotations

from collections.abc import Collection
from secrets import token_hex

from msgspec.structs import replace

from skerry_service.domain.errors import StoreUnavailable
from skerry_service.domain.seating.display_names import FORGOTTEN
from skerry_service.ladders import ladder_records as stored
from skerry_service.ladders.ladder_records import EntrantRecord, GameRow, LadderSeatRecord, StandingsRecord
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.ladders.people.rated_tables import entrant_of_person
from skerry_service.sessions.resources.field_values import replacing
from skerry_service.sessions.resources.resource_port import FieldChange

_ATTEMPTS = 10


class LadderEraser:
    """Erases people from the ladders of people. Raises StoreUnavailable, StoreFull."""

    def __init__(self, data: LadderData) -> None:
        self._data = data

    async def everywhere(self, player_id: str) -> int:
        """Erase a player. Return the number of seasons that had the player.

        A random name takes the place of the hash of the id. So nobody can test a guess at the id.
        """
        erased, entrant = 0, entrant_of_person(player_id)
        for ladder, season in await self._seasons():
            alias = token_hex(12)  # the same in each attempt: earlier ones have renamed results
            for _ in range(_ATTEMPTS):
                before = (await self._data.entrants(ladder, season, [entrant])).get(entrant)
                if before is None:
                    break
                await self._rename(ladder, season, entrant, alias)
                if await self._data.change(ladder, await self._moved(ladder, season, entrant, alias, before)):
                    await self._move_rating(ladder, season, entrant, alias)
                    erased += 1
                    break
            else:
                raise StoreUnavailable  # new results came all the time
        return erased

    async def in_session(self, session: str, player_id: str, name: str, seat: int | None) -> int:
        """Erase the player of a session by id, name or seat from its result. Return the number of changed results."""
        erased, entrant = 0, entrant_of_person(player_id) if player_id else ""
        for ladder, season in await self._seasons():
            for chunk in await self._chunks(ladder, season):
                for number, row in (await self._data.rows(ladder, season, chunk)).items():
                    if row.session != session:
                        continue
                    found = [
                        at
                        for at, one in enumerate(row.seats)
                        if at == seat or (name and one.name == name) or (entrant and one.entrant == entrant)
                    ]
                    await self._clear_names(ladder, season, [row.seats[at] for at in found])
                    erased += await self._replace(ladder, season, number, row, found, "")
        return erased

    async def _seasons(self) -> list[tuple[str, int]]:
        ladders = await self._data.ladders()
        return [(name, season + 1) for name, one in ladders.items() if one.people for season in range(one.season)]

    async def _chunks(self, ladder: str, season: int) -> range:
        return range(-(-await self._data.count(ladder, season) // stored.ROWS_OF_A_CHUNK))

    async def _rename(self, ladder: str, season: int, entrant: str, alias: str) -> None:
        """Replace an entrant in the results of a season."""
        for chunk in await self._chunks(ladder, season):
            for number, row in (await self._data.rows(ladder, season, chunk)).items():
                found = [at for at, one in enumerate(row.seats) if one.entrant == entrant]
                await self._replace(ladder, season, number, row, found, alias)

    async def _replace(
        self, ladder: str, season: int, number: int, row: GameRow, seats: Collection[int], alias: str
    ) -> bool:
        """Replace the names of seats in a result, and their entrants unless ``alias`` is empty."""
        if not seats:
            return False
        part = stored.rows_part(season, number // stored.ROWS_OF_A_CHUNK)
        return await self._data.change(ladder, [replacing(part, str(number), row, _without(row, seats, alias))])

    async def _clear_names(self, ladder: str, season: int, seats: Collection[LadderSeatRecord]) -> None:
        """Replace the names of entrants that have them from those seats."""
        present = await self._data.entrants(ladder, season, [one.entrant for one in seats])
        for one in seats:
            before = present.get(one.entrant)
            if before is not None and before.name == one.name:
                after = replace(before, name=FORGOTTEN, rest=None)
                part = stored.entrants_part(season)
                await self._data.change(ladder, [replacing(part, one.entrant, before, after)])

    async def _moved(
        self, ladder: str, season: int, entrant: str, alias: str, before: EntrantRecord
    ) -> list[FieldChange]:
        """Return the changes that give an entrant, and its results against others, another name."""
        part = stored.entrants_part(season)
        after = replace(before, name=FORGOTTEN, rest=None)
        changes = [replacing(part, entrant, before, None), replacing(part, alias, None, after)]
        for name, other in (await self._data.entrants(ladder, season)).items():
            if entrant in other.opponents and name != entrant:
                opponents = tuple([alias if one == entrant else one for one in other.opponents])
                changes.append(replacing(part, name, other, replace(other, opponents=opponents)))
        for names, pair in (await self._data.pairs(ladder, season)).items():
            if entrant in names:
                first, second = [alias if one == entrant else one for one in names]
                turned = stored.PairRecord(pair.losses, pair.ties, pair.wins)
                ordered, result = ((first, second), pair) if first < second else ((second, first), turned)
                changes.append(replacing(stored.pairs_part(season), "|".join(names), pair, None))
                changes.append(replacing(stored.pairs_part(season), "|".join(ordered), None, result))
        return changes

    async def _move_rating(self, ladder: str, season: int, entrant: str, alias: str) -> None:
        found = await self._data.standings(ladder, season)
        ratings = {alias if one == entrant else one: rating for one, rating in found.ratings.items()}
        await self._data.set_standings(ladder, season, StandingsRecord(found.games, ratings))


def _without(row: GameRow, seats: Collection[int], alias: str) -> GameRow:
    """Return a result without the names of those seats."""
    players, reason = list(row.seats), row.reason
    for at in seats:
        name = players[at].name
        if reason.startswith(f"{name} "):
            reason = FORGOTTEN + reason[len(name) :]
        players[at] = LadderSeatRecord(alias or players[at].entrant, FORGOTTEN)
    return replace(row, seats=tuple(players), reason=reason)
