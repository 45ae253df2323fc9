"""The calls of the asyncio client about ladders. ``skerry_client.sync`` drives them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence

from skerry.v1 import ladder_pb2
from skerry_client import arguments
from skerry_client.calls import Calls
from skerry_client.handles import AsyncSeat
from skerry_client.transport import rpcs


class AsyncLadderCalls:
    """Calls about ladders and bots. Bots and ladders are given by id or name: ``mybot`` or ``bots/mybot``."""

    _calls: Calls

    async def register_bot(
        self, bot: str, program_hash: str, *, engine_commit: str = "", contact: str = ""
    ) -> ladder_pb2.Bot:
        """Register a bot of this client's API key, or a new version of it. The bot no longer rests.

        ``program_hash``: the SHA-256 of the program or its weights, in hexadecimal. Ratings belong to it.
        ``contact``: for the operator alone. Raises ApiKeyMissing, NotAllowed, LimitReached.
        """
        request = ladder_pb2.RegisterBotRequest(
            name=_named("bots", bot), hash=program_hash, engine_commit=engine_commit, contact=contact
        )
        return (await self._calls.call(rpcs.REGISTER_BOT, request)).bot

    async def bot(self, bot: str) -> ladder_pb2.Bot:
        """Read a bot with its versions. Raises BotNotFound."""
        return (await self._calls.call(rpcs.GET_BOT, ladder_pb2.GetBotRequest(name=_named("bots", bot)))).bot

    async def wake_bot(self, bot: str) -> ladder_pb2.Bot:
        """End the rest of a bot. Raises ApiKeyMissing, BotNotFound, NotAllowed."""
        return (await self._calls.call(rpcs.WAKE_BOT, ladder_pb2.WakeBotRequest(name=_named("bots", bot)))).bot

    async def ladders(self, *, game: str = "") -> Sequence[ladder_pb2.Ladder]:
        """Read all ladders, or those of a game."""
        return (await self._calls.call(rpcs.LIST_LADDERS, ladder_pb2.ListLaddersRequest(game=game))).ladders

    async def ladder(self, ladder: str, *, season: int = 0) -> ladder_pb2.Ladder:
        """Read a ladder without its standings. Raises LadderNotFound."""
        request = ladder_pb2.GetLadderRequest(name=_named("ladders", ladder), season=season, page_size=1)
        return (await self._calls.call(rpcs.GET_LADDER, request)).ladder

    async def standings(self, ladder: str, *, season: int = 0) -> AsyncGenerator[ladder_pb2.Standing, None]:
        """Yield the standings of a season, by default of the present one, in order. Raises LadderNotFound."""
        request = ladder_pb2.GetLadderRequest(name=_named("ladders", ladder), season=season, page_size=100)
        while True:
            page = await self._calls.call(rpcs.GET_LADDER, request)
            for standing in page.standings:
                yield standing
            request.page_token = page.next_page_token
            if not request.page_token:
                return

    async def ladder_games(
        self, ladder: str, *, season: int = 0, bot: str = ""
    ) -> AsyncGenerator[ladder_pb2.LadderGame, None]:
        """Yield the games of a season, the latest first. ``bot``: only its games. Raises LadderNotFound."""
        request = ladder_pb2.ListLadderGamesRequest(
            parent=_named("ladders", ladder), season=season, bot=_named("bots", bot) if bot else "", page_size=100
        )
        while True:
            page = await self._calls.call(rpcs.LIST_LADDER_GAMES, request)
            for game in page.games:
                yield game
            request.page_token = page.next_page_token
            if not request.page_token:
                return

    async def head_to_head(
        self, ladder: str, bot: str, opponent: str = "", *, season: int = 0
    ) -> Sequence[ladder_pb2.HeadToHead]:
        """Read the results of a bot against each opponent, or against one. Raises LadderNotFound."""
        request = ladder_pb2.GetHeadToHeadRequest(
            name=_named("ladders", ladder),
            bot=_named("bots", bot),
            opponent=_named("bots", opponent) if opponent else "",
            season=season,
        )
        return (await self._calls.call(rpcs.GET_HEAD_TO_HEAD, request)).rows

    async def find_ladder_game(
        self, ladder: str, bot: str, program_hash: str, *, wait_for: float | None = None
    ) -> AsyncSeat:
        """Wait for a game of a ladder, and return the bot's seat: the same one until the game is over.

        ``wait_for``: seconds after which the call raises TimeoutError. Default: it waits for ever.
        Raises ApiKeyMissing, LadderNotFound, BotNotFound, NotAllowed, LadderClosed, VersionOutdated, BotRests.
        """
        if wait_for is not None:
            arguments.seconds("wait_for", wait_for)
        request = ladder_pb2.FindLadderGameRequest(
            name=_named("ladders", ladder), bot=_named("bots", bot), hash=program_hash
        )
        async with asyncio.timeout(wait_for):
            found = await self._calls.find_ladder_game(request)
        return AsyncSeat(self._calls, found.session.name, found.seat_token, found.seat)


def _named(kind: str, given: str) -> str:
    """Return the name of a bot or ladder that is given by id or name."""
    arguments.text(kind.removesuffix("s"), given, f"the id of a {kind.removesuffix('s')}")
    return given if given.startswith(f"{kind}/") else f"{kind}/{given}"
