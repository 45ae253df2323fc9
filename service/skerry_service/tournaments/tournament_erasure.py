"""Erasure of people's display names and ids from tournaments. The results stay."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from itertools import count

from msgspec.structs import replace

from skerry_service.domain.errors import StoreUnavailable
from skerry_service.domain.seating.display_names import FORGOTTEN, look_alike
from skerry_service.sessions.resources.field_values import replacing
from skerry_service.sessions.resources.resource_port import FieldChange
from skerry_service.tournaments import tournament_records as stored
from skerry_service.tournaments.tournament_course import session_of_game
from skerry_service.tournaments.tournament_games import players, with_names
from skerry_service.tournaments.tournament_records import (
    BegunGame,
    StoredTournament,
    TournamentEntrant,
    TournamentResult,
    TournamentState,
)
from skerry_service.tournaments.tournament_store import TournamentData

_ATTEMPTS = 20
_ERASED = re.compile(rf"{FORGOTTEN}( \d+)?")


class TournamentEraser:
    """Erases people from tournaments. Raises StoreUnavailable, StoreFull."""

    def __init__(self, data: TournamentData) -> None:
        self._data = data

    async def everywhere(self, player_id: str) -> int:
        """Erase a player. Return the number of tournaments that had the player."""
        erased = 0
        async for name, tournament in self._tournaments():
            for one in tournament.entrants:
                if one.player_id == player_id:
                    erased += await self._erase(name, one.number)
        return erased

    async def in_session(self, session: str, player_id: str, name: str, seat: int | None) -> int:
        """Erase the player of a session by id, name or seat from its tournament. Return the number of tournaments.

        The player is erased from all games of the tournament. Bots stay.
        """
        async for tournament_id, tournament in self._tournaments():
            for number, lineup in (await self._lineups(tournament_id, tournament)).items():
                if session_of_game(tournament, number) != session:
                    continue
                seated = players(tournament, number, lineup)
                found = [
                    tournament.entrants[entrant].number
                    for at, entrant in enumerate(lineup)
                    if at == seat
                    or (name and seated[at].name == name)
                    or (player_id and tournament.entrants[entrant].player_id == player_id)
                ]
                return max([await self._erase(tournament_id, one) for one in dict.fromkeys(found)], default=0)
        return 0

    async def _tournaments(self) -> AsyncIterator[tuple[str, StoredTournament]]:
        for part in (stored.ACTIVE, stored.ENDED):
            for name in await self._data.ids(part):
                if (tournament := await self._data.find(name)) is not None:
                    yield name, tournament

    async def _lineups(self, name: str, tournament: StoredTournament) -> Mapping[int, tuple[int, ...]]:
        """Return the entrants of each game, by index, of games in play and of those that are over."""
        if not tournament.started_ms:
            return {}
        index = {one.name: at for at, one in enumerate(tournament.entrants)}
        playing = {number: game.lineup for number, game in (await self._data.in_play(name)).items()}
        results = await self._data.results(name)
        over = {number: _indices(result, index) for number, result in results.items() if result.lineup}
        return {**playing, **{number: lineup for number, lineup in over.items() if lineup}}

    async def _erase(self, name: str, number: int) -> int:
        """Erase an entrant by number. Return 1, or 0 if there was nothing to erase.

        The change expects that no game of the entrant has ended, and no other has begun, since the results were read.
        So it changes all results.
        """
        for _ in range(_ATTEMPTS):
            step, in_play = await self._data.step(name), await self._data.in_play(name)  # before the results
            before = await self._data.find(name)
            entrant = None if before is None else next((one for one in before.entrants if one.number == number), None)
            if before is None or entrant is None or entrant.bot:
                return 0
            after = _without(before, entrant)
            if after == before:
                return 0
            results = await self._data.results(name) if before.started_ms else {}
            changes = [
                replacing(stored.ENTRY, stored.VALUE, before, after),
                FieldChange(stored.ENTRY, stored.STEP.encode(), step, step),
                *_unchanged(in_play, before.entrants.index(entrant)),
                *_renamed(before, after, results),
            ]
            if await self._data.change(name, changes):
                return 1
        raise StoreUnavailable  # games began and ended all the time


def _without(before: StoredTournament, entrant: TournamentEntrant) -> StoredTournament:
    """Return a tournament without the name and the id of an entrant, and without the entrant before the start."""
    others = [one for one in before.entrants if one is not entrant]
    if before.state is TournamentState.OPEN:
        return replace(before, entrants=tuple(others))
    if _ERASED.fullmatch(entrant.name) and not entrant.player_id:
        return before
    names = (FORGOTTEN if number == 1 else f"{FORGOTTEN} {number}" for number in count(1))
    name = next(one for one in names if not any(look_alike(one, other.name) for other in others))
    erased = replace(entrant, name=name, player_id="")
    return replace(before, entrants=tuple([erased if one is entrant else one for one in before.entrants]))


def _unchanged(in_play: Mapping[int, BegunGame], entrant: int) -> list[FieldChange]:
    """Return changes that expect the games in play of an entrant as they are."""
    return [replacing(stored.GAMES, str(at), game, game) for at, game in in_play.items() if entrant in game.lineup]


def _renamed(
    before: StoredTournament, after: StoredTournament, results: Mapping[int, TournamentResult]
) -> list[FieldChange]:
    """Return the changes that give the results the names of another version of their tournament."""
    index = {one.name: at for at, one in enumerate(before.entrants)}
    changes = []
    for number, result in results.items():
        lineup = _indices(result, index)
        names = tuple([after.entrants[at].name for at in lineup])
        if names != result.lineup and lineup:
            seated = [[one.name for one in players(value, number, lineup)] for value in (before, after)]
            renamed = replace(result, lineup=names, reason=with_names(result.reason, *seated))
            changes.append(replacing(stored.RESULTS, str(number), result, renamed))
    return changes


def _indices(result: TournamentResult, index: Mapping[str, int]) -> tuple[int, ...]:
    """Return the entrants of a result by seat; none if it is damaged. ``index``: of each entrant, by name."""
    return tuple([index[name] for name in result.lineup]) if set(result.lineup) <= index.keys() else ()
