"""Erasure of everything that the service stores about a player."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Literal

from msgspec import Struct

from skerry_games.catalogue import supported_games
from skerry_service.archive.archive import Archive
from skerry_service.archive.erasure import SessionEraser
from skerry_service.archive.mover import Source, WrongArchive
from skerry_service.domain.errors import StoreUnavailable
from skerry_service.domain.languages.phrases import phrase, verbatim
from skerry_service.domain.log import pack
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.ladders.people.ladder_erasure import LadderEraser
from skerry_service.matching.no_shows import caller_of_player
from skerry_service.tournaments.tournament_erasure import TournamentEraser
from skerry_service.tournaments.tournament_store import TournamentData

_ATTEMPTS = 12
_AGAIN_SECONDS = 0.5
_WAITS = "A ticket or an agreed match is being handled. Repeat the erasure."
Place = Literal["sessions", "tournaments", "ladders", "matchmaking"]


class Erased(Struct, frozen=True):
    """A step of an erasure."""

    place: Place
    count: int = 0
    """The number of sessions, tournaments, seasons of ladders or no-shows from which the player was erased."""
    session: str = ""
    """The session, if the step is about one."""
    problem: str = ""
    """Why something remains, as one or more sentences; empty if nothing does."""


class PlayerErasure:
    """Erases players from a store and its archive. A repeat continues where a crash ended the first run."""

    def __init__(self, store: Source, archive: Archive | None, keys: Callable[[], Iterable[str]]) -> None:
        """``archive``: ``None`` without one. ``keys`` returns the names of the API keys."""
        self._store = store
        self._sessions = SessionEraser(store, archive)
        self._keys = keys

    async def everywhere(self, player_id: str) -> AsyncIterator[Erased]:
        """Erase a player by id. Yield each step that has found something.

        Raises StoreUnavailable, also if the archive is that of another store; StoreFull.
        """
        # What creates sessions comes before them, and ladders, which read their results, behind them.
        if count := await TournamentEraser(TournamentData(self._store.resources)).everywhere(player_id):
            yield Erased("tournaments", count)
        async for step in self._from_matchmaking(player_id):
            yield step
        try:
            async for found in self._sessions.everywhere(player_id):
                done = found.outcome == "forgotten"
                yield Erased("sessions", int(done), found.session, "" if done else found.sentence)
        except WrongArchive as error:
            raise StoreUnavailable(phrase("archive-unusable", problem=verbatim(error)), retry_after=None) from None
        await self._store.players.forget(player_id)
        if count := await LadderEraser(LadderData(self._store.resources)).everywhere(player_id):
            yield Erased("ladders", count)

    async def _from_matchmaking(self, player_id: str) -> AsyncIterator[Erased]:
        text, callers = pack(player_id), [caller_of_player(key, player_id) for key in self._keys()]
        for ruleset in (game.ruleset for game in supported_games()):
            removed, waits = 0, 0
            for _ in range(_ATTEMPTS):
                count, waits = await self._store.matching.forget(ruleset, text, callers)
                removed += count
                if not waits:
                    break
                await asyncio.sleep(_AGAIN_SECONDS)
            if removed or waits:
                yield Erased("matchmaking", removed, problem=_WAITS if waits else "")
