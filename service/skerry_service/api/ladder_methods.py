"""The RPCs about ladders and their bots."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from time import time_ns
from typing import Any

from skerry.v1 import ladder_pb2 as pb
from skerry_service.access.calling_key import current_key
from skerry_service.access.client_addresses import UNKNOWN_ORIGIN, StreamOrigin
from skerry_service.api.ladder_rendering import write_bot, write_ladder, write_open_game, write_row, write_standing
from skerry_service.api.rendering import Renderer
from skerry_service.api.requests.ladder_requests import (
    bot_name_of,
    hash_of,
    ladder_of,
    number_of_token,
    page_size_of,
    registration_of,
    season_of,
)
from skerry_service.api.requests.request_checks import game_of
from skerry_service.domain.tokens import Caller, Role
from skerry_service.sessions.service import Sessions
from skerry_service.wire.serialized import Serialized, serialize

_STANDINGS, _GAMES = 50, 20
"""The usual sizes of pages."""


class LadderMethods:
    """A method for each RPC about ladders."""

    _sessions: Sessions
    _renderer: Renderer

    async def register_bot(self, request: pb.RegisterBotRequest, token: str | None) -> pb.RegisterBotResponse:
        """Register a bot or a new version."""
        bot, version, contact = registration_of(request, time_ns() // 1_000_000)
        entry = await self._sessions.ladders.bots.register(bot, current_key(), version, contact)
        return pb.RegisterBotResponse(bot=write_bot(bot, entry))

    async def get_bot(self, request: pb.GetBotRequest, token: str | None) -> pb.GetBotResponse:
        """Return a bot."""
        bot = bot_name_of(request.name)
        return pb.GetBotResponse(bot=write_bot(bot, await self._sessions.ladders.bots.get(bot)))

    async def wake_bot(self, request: pb.WakeBotRequest, token: str | None) -> pb.WakeBotResponse:
        """End the rest of a bot."""
        bot = bot_name_of(request.name)
        entry = await self._sessions.ladders.bots.wake(bot, current_key())
        return pb.WakeBotResponse(bot=write_bot(bot, entry))

    async def list_ladders(self, request: pb.ListLaddersRequest, token: str | None) -> pb.ListLaddersResponse:
        """Return all ladders, or those of a game."""
        game = game_of(request.game).id if request.game else None
        found = await self._sessions.ladders.readings.all()
        ladders = [write_ladder(name, *one) for name, one in found.items() if game in (None, one[0].game)]
        return pb.ListLaddersResponse(ladders=ladders)

    async def get_ladder(self, request: pb.GetLadderRequest, token: str | None) -> pb.GetLadderResponse:
        """Return a page of a ladder's standings."""
        name, season = ladder_of(request.name), season_of(request.season)
        size, first = page_size_of(request.page_size, _STANDINGS), number_of_token(request.page_token) or 0
        table = await self._sessions.ladders.readings.standings(name, season)
        page, after = table.rows[first : first + size], first + size
        return pb.GetLadderResponse(
            ladder=write_ladder(name, table.ladder, table.playing, table.waiting),
            season=table.season,
            standings=[write_standing(row, people=table.ladder.people) for row in page],
            games=table.games,
            next_page_token=str(after) if after < len(table.rows) else "",
        )

    async def list_ladder_games(
        self, request: pb.ListLadderGamesRequest, token: str | None
    ) -> pb.ListLadderGamesResponse:
        """Return a page of a ladder's games."""
        name, season = ladder_of(request.parent, "parent"), season_of(request.season)
        bot = bot_name_of(request.bot, "bot") if request.bot else ""
        size, before = page_size_of(request.page_size, _GAMES), number_of_token(request.page_token)
        readings = self._sessions.ladders.readings
        ladder, season = await readings.season_of(name, season)
        playing, rows, next_before = await readings.games(name, season, bot, before, size)
        games = [write_open_game(game, people=ladder.people) for game in playing]
        games += [write_row(row, season, people=ladder.people) for row in rows]
        return pb.ListLadderGamesResponse(games=games, next_page_token=str(next_before) if next_before else "")

    async def get_head_to_head(self, request: pb.GetHeadToHeadRequest, token: str | None) -> pb.GetHeadToHeadResponse:
        """Return the results of a bot against each opponent."""
        name, season = ladder_of(request.name), season_of(request.season)
        bot, opponent = bot_name_of(request.bot, "bot"), ""
        if request.opponent:
            opponent = bot_name_of(request.opponent, "opponent")
        found = await self._sessions.ladders.readings.head_to_head(name, season, bot, opponent)
        return pb.GetHeadToHeadResponse(
            rows=[
                pb.HeadToHead(opponent=f"bots/{other}", wins=one.wins, ties=one.ties, losses=one.losses)
                for other, one in found.items()
            ]
        )

    async def find_ladder_game(
        self, request: pb.FindLadderGameRequest, token: str | None, origin: StreamOrigin = UNKNOWN_ORIGIN
    ) -> AsyncGenerator[Serialized[Any], None]:
        """Wait for a game of a ladder."""
        name, bot, version = ladder_of(request.name), bot_name_of(request.bot, "bot"), hash_of(request.hash)
        async with aclosing(self._sessions.ladders.find(name, bot, version, origin.key)) as updates:
            async for update in updates:
                message = pb.FindLadderGameResponse(heartbeat=update.heartbeat, other_bots=update.others)
                if update.table is not None:
                    caller = Caller(Role.SEAT, update.seat)
                    message.session.MergeFromString(self._renderer.session(update.table, caller))
                    message.seat, message.seat_token = update.seat, update.token
                yield serialize(message)
