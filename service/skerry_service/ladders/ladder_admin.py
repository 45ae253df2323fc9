"""What operators do with ladders."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from skerry_service.domain.errors import InvalidField, LimitReached, StoreUnavailable
from skerry_service.domain.languages.phrases import phrase, verbatim
from skerry_service.ladders.ladder_records import StoredLadder, StoredSeason
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.sessions.actions.new_games import NewGames

MOST_LADDERS = 50
"""Ladders of a server."""
MOST_SEASONS = 100
"""Seasons of a ladder."""
_ATTEMPTS = 8


class LadderAdmin:
    """Creates and closes ladders, and starts seasons."""

    def __init__(
        self, data: LadderData, new_games: NewGames, clock_ms: Callable[[], int], wake: Callable[[], None]
    ) -> None:
        """``wake``: called for a new ladder, since idle replicas seldom look for the first one."""
        self._data = data
        self._wake = wake
        self._new_games = new_games
        self._clock_ms = clock_ms

    async def create(self, name: str, wanted: StoredLadder) -> StoredLadder:
        """Create a ladder. ``wanted``: without seasons. Raises InvalidField, GameNotFound, BadOptions, LimitReached."""
        ladders = await self._data.ladders()
        existing = ladders.get(name)
        if existing is None:
            if len(ladders) >= MOST_LADDERS:
                raise LimitReached("ladders_server", phrase("limit-ladders", most=MOST_LADDERS), None)
            after = replace(wanted, seasons=(self._season(wanted),))
            if await self._data.set_ladder(name, None, after):
                self._wake()
                return after
            existing = await self._data.ladder(name)
        if replace(existing, seasons=(), closed=False) != wanted:
            raise InvalidField("name", phrase("field-ladder-exists", name=verbatim(name)))
        return existing

    async def close(self, name: str) -> StoredLadder:
        """Close a ladder. Raises LadderNotFound."""
        return await self._change(name, lambda before: replace(before, closed=True))

    async def start_season(self, name: str, season: int) -> StoredLadder:
        """Start a season and open the ladder. Raises LadderNotFound, InvalidField, BadOptions, LimitReached."""

        def started(before: StoredLadder) -> StoredLadder:
            if season == before.season:
                return before  # a repeated call
            if season != before.season + 1:
                raise InvalidField("season", phrase("field-season", next=before.season + 1, season=season))
            if before.season >= MOST_SEASONS:
                raise LimitReached("seasons_ladder", phrase("limit-seasons", most=MOST_SEASONS), None)
            return replace(before, seasons=(*before.seasons, self._season(before)), closed=False)

        return await self._change(name, started)

    def _season(self, ladder: StoredLadder) -> StoredSeason:
        game = self._new_games.with_options(ladder.game, ladder.options)
        return StoredSeason(game.ruleset, self._clock_ms())

    async def _change(self, name: str, change: Callable[[StoredLadder], StoredLadder]) -> StoredLadder:
        for _ in range(_ATTEMPTS):
            before = await self._data.ladder(name)
            after = change(before)
            if after == before or await self._data.set_ladder(name, before, after):
                return after
        raise StoreUnavailable
