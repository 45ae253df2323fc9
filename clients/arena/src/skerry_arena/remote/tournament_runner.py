"""A program that plays all games of one bot in a tournament of a server."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final

from skerry.v1 import tournament_pb2 as pb
from skerry_arena.remote.bot_runner import BotSettings, play_game
from skerry_arena.remote.ladder_runner import version_of
from skerry_arena.remote.seat_player import Tell, retry_when_limited
from skerry_client import AsyncClient, AsyncSeat
from skerry_client.errors import Denied, FailedPrecondition, NotFound

LOOK_EVERY: Final = 1.0
"""Seconds between two searches for games of the bot."""
_OVER: Final = (FailedPrecondition, NotFound, Denied)
"""Errors of a seat whose game has ended otherwise, for example because an operator removed the session."""


def tournament_name(tournament: str) -> str:
    """Return ``tournaments/{id}`` of an id or name."""
    return f"tournaments/{tournament.removeprefix('tournaments/')}"


class TournamentRunner:
    """Plays one bot in one tournament. A program that is started again returns to the unfinished games."""

    def __init__(self, client: AsyncClient, wanted: BotSettings, tournament: str, bot: str, tell: Tell) -> None:
        """``wanted``: its sessions, label and number of games are not used."""
        self._client = client
        self._wanted = wanted
        self._name = tournament_name(tournament)
        self._bot = bot
        self._tell = tell
        self._playing: dict[asyncio.Task[None], str] = {}
        self._played: set[str] = set()
        """Sessions that are played to their end. The server lists them as in play until it has recorded the result."""

    async def run(self) -> None:
        """Register and enter the bot, and play until the tournament is over.

        Raises SkerryError, for example TournamentClosed, and UnsupportedGame.
        """
        entry = await self.enter()
        try:
            await self.play(*entry)
        finally:
            for task in self._playing:
                task.cancel()
            await asyncio.gather(*self._playing, return_exceptions=True)
        await self._tell_place(entry[0])

    async def enter(self) -> tuple[int, str]:
        """Register and enter the bot. Return the entrant's number and token. A repeat returns the same."""
        found = await retry_when_limited(partial(self._client.tournament, self._name))
        version = version_of(self._wanted, found.tournament.game)
        await retry_when_limited(partial(self._client.register_bot, self._bot, version))
        code = self._wanted.join_code or ""
        enter = partial(self._client.enter_tournament, self._name, bot=f"bots/{self._bot}", join_code=code)
        number, token = await retry_when_limited(enter)
        self._tell(f"Entered {self._name} as bots/{self._bot}, version {version[:12]}.")
        return number, token

    async def play(self, number: int, token: str) -> None:
        """Play all games of an entrant until the tournament is over."""
        listed = partial(self._client.tournament_seats, self._name, number, token)
        while seats := await retry_when_limited(listed):
            known = self._played | set(self._playing.values())
            new = [seat for seat in seats if _key(seat) not in known]
            for seat in new[: self._wanted.most - len(self._playing)]:
                self._tell(f"{seat.name}: Took seat {seat.number}.")
                task = asyncio.create_task(play_game(seat, self._wanted, self._tell))
                self._playing[task] = _key(seat)
            await self._wait()

    async def _wait(self) -> None:
        """Wait until a game ends, or for a moment, after which others can have begun."""
        if not self._playing:
            await asyncio.sleep(LOOK_EVERY)
            return
        done, _ = await asyncio.wait(self._playing, timeout=LOOK_EVERY, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            self._played.add(key := self._playing.pop(task))
            try:
                task.result()
            except _OVER as error:
                self._tell(f"{key.partition(' ')[0]}: {error}")

    async def _tell_place(self, number: int) -> None:
        found = await retry_when_limited(partial(self._client.tournament, self._name))
        state = pb.TournamentState.Name(found.tournament.state).removeprefix("TOURNAMENT_STATE_").lower()
        mine = next((one for one in found.standings if one.entrant == number), None)
        place = f" Place {mine.place} of {len(found.standings)}." if mine is not None and mine.place else ""
        self._tell(f"{self._name} is {state}.{place}")


def _key(seat: AsyncSeat) -> str:
    """Return the session and the seat. An entrant can have several seats of a session."""
    return f"{seat.name} {seat.number}"
