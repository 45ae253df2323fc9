"""The creation of tournaments, within the limits of the server and of each caller."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from secrets import token_bytes

from msgspec.structs import replace

from skerry_service.domain.errors import LimitReached, RequestIdReused
from skerry_service.domain.languages.phrases import phrase
from skerry_service.domain.tokens import Role, digest, new_token
from skerry_service.sessions.actions.new_games import NewGames
from skerry_service.sessions.request_identity import identify, session_id
from skerry_service.tournaments import tournament_records as stored
from skerry_service.tournaments.tournament_records import StoredTournament
from skerry_service.tournaments.tournament_store import TournamentData

MOST_ACTIVE = 200
"""Tournaments of a server that are open or running."""
MOST_OF_CALLER = 20
"""Those of them that callers with the same share created."""


class TournamentCreation:
    """Creates tournaments."""

    def __init__(
        self, data: TournamentData, new_games: NewGames, clock_ms: Callable[[], int], wake: Callable[[], None]
    ) -> None:
        """``wake``: called for a new tournament that starts by itself, which can be soon."""
        self._data = data
        self._new_games = new_games
        self._clock_ms = clock_ms
        self._wake = wake
        self._creating = asyncio.Lock()

    async def create(
        self, wanted: StoredTournament, request_id: bytes, share: int, application: str = ""
    ) -> tuple[str, StoredTournament, str]:
        """Create a tournament. Return its id, the tournament and the organizer token.

        ``wanted``: without ruleset, cell, times, salt, organizer, request, share and application, which are those of
        the caller. A repeat with the same request id returns the same.

        Raises GameNotFound, BadOptions, LimitReached, RequestIdReused.
        """
        name = session_id(request_id, self._new_games.cell)
        request = identify(request_id, "create tournament", wanted).payload
        found = await self._data.find(name)
        if found is None:
            game = self._new_games.with_options(wanted.game, wanted.options)
            salt = token_bytes(16)
            organizer = digest(new_token(Role.HOST, salt, request_id))
            made = replace(wanted, ruleset=game.ruleset, cell=self._new_games.cell, salt=salt, organizer=organizer)
            made = replace(made, request=request, created_ms=self._clock_ms(), share=share, application=application)
            async with self._creating:  # calls at the same time must not pass the limits together
                if await self._data.find(name) is None:  # a repeat at the same time may have created it
                    await self._require_room(share)
                await self._data.list_as(name, made.created_ms, stored.ACTIVE)
                found = made if await self._data.set(name, None, made) else await self._data.get(name)
            if found.start_ms:
                self._wake()
        if found.request != request:
            raise RequestIdReused
        return name, found, new_token(Role.HOST, found.salt, request_id)

    async def _require_room(self, share: int) -> None:
        names = await self._data.ids(stored.ACTIVE)
        if len(names) >= MOST_ACTIVE:
            raise LimitReached("tournaments_server", phrase("limit-tournaments", most=MOST_ACTIVE), None)
        if len(names) < MOST_OF_CALLER:
            return
        active = [await self._data.find(one) for one in names]
        if sum(one is not None and one.share == share for one in active) >= MOST_OF_CALLER:
            sentence = phrase("limit-own-tournaments", most=MOST_OF_CALLER)
            raise LimitReached("tournaments_caller", sentence, None)
