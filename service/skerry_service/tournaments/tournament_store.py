"""Tournaments in the store, as values."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from skerry_service.domain.errors import TournamentNotFound
from skerry_service.domain.log import pack
from skerry_service.sessions.resources.field_values import replacing
from skerry_service.sessions.resources.resource_port import ANY, FieldChange, ResourceStore
from skerry_service.tournaments import tournament_records as stored
from skerry_service.tournaments.tournament_records import BegunGame, StoredTournament, TournamentResult

_RESULTS_OF_A_SLICE = 200


class TournamentData:
    """What the store has of tournaments. Damaged values count as absent, but damaged results as void.

    Raises StoreUnavailable, StoreFull.
    """

    def __init__(self, resources: ResourceStore) -> None:
        self._resources = resources

    async def ids(self, part: str) -> list[str]:
        """Return the ids of tournaments, the newest first. ``part``: ``ACTIVE`` or ``ENDED``."""
        found = await self._resources.read_all(stored.TOURNAMENTS_RESOURCE, part)
        return [name.decode() for name, _ in sorted(found.items(), key=lambda one: (-int(one[1]), one[0]))]

    async def listed_ms(self, tournament: str) -> int:
        """Return the time of creation under which a tournament is listed as active; 0 if it is not."""
        (value,) = await self._resources.read(stored.TOURNAMENTS_RESOURCE, stored.ACTIVE, [tournament.encode()])
        return int(value or 0)

    async def list_as(self, tournament: str, time_ms: int, part: str | None) -> None:
        """List a tournament as active or ended under a time, or no longer."""
        changes = [
            FieldChange(one, tournament.encode(), b"%d" % time_ms if one == part else None, ANY)
            for one in (stored.ACTIVE, stored.ENDED)
        ]
        await self._resources.change(stored.TOURNAMENTS_RESOURCE, changes)

    async def find(self, tournament: str) -> StoredTournament | None:
        """Return a tournament, or ``None``."""
        (packed,) = await self._resources.read(
            stored.tournament_resource(tournament), stored.ENTRY, [stored.VALUE.encode()]
        )
        return None if packed is None else stored.read_tournament(packed)

    async def get(self, tournament: str) -> StoredTournament:
        """Return a tournament. Raises TournamentNotFound."""
        if (found := await self.find(tournament)) is None:
            raise TournamentNotFound(tournament)
        return found

    async def set(self, tournament: str, before: StoredTournament | None, after: StoredTournament) -> bool:
        """Store a tournament if it is as before. Return whether it was."""
        return await self.change(tournament, [replacing(stored.ENTRY, stored.VALUE, before, after)])

    async def in_play(self, tournament: str) -> Mapping[int, BegunGame]:
        """Return the games in play, by number."""
        found = await self._resources.read_all(stored.tournament_resource(tournament), stored.GAMES)
        values = {int(number): stored.read_begun(packed) for number, packed in found.items()}
        return {number: value for number, value in sorted(values.items()) if value is not None}

    async def results(self, tournament: str) -> Mapping[int, TournamentResult]:
        """Return all results, by number. A damaged one is void. Decodes in slices, because there may be thousands."""
        found = await self._resources.read_all(stored.tournament_resource(tournament), stored.RESULTS)
        values = {}
        for at, (number, packed) in enumerate(found.items()):
            if at % _RESULTS_OF_A_SLICE == 0:
                await asyncio.sleep(0)
            values[int(number)] = stored.read_result(packed) or stored.DAMAGED_RESULT
        return dict(sorted(values.items()))

    async def step(self, tournament: str) -> bytes | None:
        """Return the number that increases with each change of the games in play; ``None`` before the first."""
        (value,) = await self._resources.read(
            stored.tournament_resource(tournament), stored.ENTRY, [stored.STEP.encode()]
        )
        return value

    async def begin(
        self, tournament: str, value: StoredTournament, step: bytes | None, games: Mapping[int, BegunGame]
    ) -> bool:
        """Begin games if nothing has changed since ``step`` was read. Return whether that was so.

        ``games``: none that were in play or had a result after ``step`` was read.
        """
        after = b"%d" % (int(step or 0) + 1)
        changes = [
            replacing(stored.ENTRY, stored.VALUE, value, value),
            FieldChange(stored.ENTRY, stored.STEP.encode(), after, step),
        ]
        for number, game in games.items():
            changes.append(FieldChange(stored.GAMES, b"%d" % number, pack(game), ANY))  # absent, or damaged
            changes.append(replacing(stored.RESULTS, str(number), None, None))
        return await self.change(tournament, changes)

    async def record(
        self, tournament: str, value: StoredTournament, number: int, begun: BegunGame, result: TournamentResult
    ) -> bool:
        """Move a game from those in play to the results, unless that has happened. Return whether it was done.

        ``value``: the tournament that the result names. If it has changed since, for example because a person was
        erased, nothing happens.
        """
        changes = [
            replacing(stored.ENTRY, stored.VALUE, value, value),
            replacing(stored.GAMES, str(number), begun, None),
            replacing(stored.RESULTS, str(number), None, result),
        ]
        return await self.change(tournament, changes)

    async def change(self, tournament: str, changes: Sequence[FieldChange]) -> bool:
        """Change a tournament's data. See ``ResourceStore.change``."""
        return await self._resources.change(stored.tournament_resource(tournament), changes)

    async def remove(self, tournament: str) -> None:
        """Remove all that is stored of a tournament."""
        resource = stored.tournament_resource(tournament)
        for part in (stored.GAMES, stored.RESULTS, stored.ENTRY):
            fields = await self._resources.read_all(resource, part)
            if fields:
                await self._resources.change(resource, [FieldChange(part, field, None, ANY) for field in fields])
        await self.list_as(tournament, 0, None)
