"""The tools: what an agent on a language model can do at a table. ``agent_server.py`` describes them to clients."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError
from mcp.types import CallToolResult, ImageContent, TextContent
from pydantic import Field

from skerry.v1 import catalogue_pb2, session_pb2
from skerry.v1 import service_pb2 as api
from skerry_client import errors
from skerry_client.calls import Calls
from skerry_client.transport import rpcs
from skerry_service.agents import tables
from skerry_service.agents.chosen_moves import NoSuchMove, chosen_move
from skerry_service.agents.look_texts import look_text, moves_lines, seat_look, turn_line, unread_text
from skerry_service.agents.results import Explanation, GameList, GameSummary, OpenTable, SeatLook
from skerry_service.agents.rule_texts import explained, rule_book
from skerry_service.agents.sealed_handles import SealedHandles
from skerry_service.agents.tables import SeatKey, SeatReading
from skerry_service.agents.tool_errors import MoveRefused, sentence_of

LONGEST_WAIT = 50
"""Seconds. Clients give up on tools after a minute."""

GameId = Annotated[str, Field(description="Id of a game, from list_games.", max_length=64)]
Handle = Annotated[str, Field(description="Handle of your seat, from start_table or join_table.", max_length=200)]
PlayerName = Annotated[str, Field(description="Your display name at the table.", max_length=64)]
Since = Annotated[
    int | None, Field(description="Show events after this sequence. Default: the newest events.", ge=0, le=2**31)
]

GamesResult = Annotated[CallToolResult, GameList]
LookResult = Annotated[CallToolResult, SeatLook]
ExplainResult = Annotated[CallToolResult, Explanation]
CallsOf = Callable[[Any], Calls]
"""Returns the calls for one request: the HTTP request of the tool call, ``None`` over stdio."""


class Tools:
    """The tools over calls of the API. Each method is one tool. Their docstrings are what the model reads."""

    def __init__(self, calls_of: CallsOf, handles: SealedHandles) -> None:
        self._calls_of = calls_of
        self._handles = handles

    def _calls(self, context: Context[Any]) -> Calls:
        return self._calls_of(context.request_context.request)

    async def list_games(self, context: Context[Any]) -> GamesResult:
        """List the games with their numbers of seats and bot levels, and public tables with open seats."""
        calls = self._calls(context)
        games = (await calls.call(rpcs.LIST_GAMES, api.ListGamesRequest())).games
        open_tables = [_open_table(session) for session in await tables.open_tables(calls)]
        listed = GameList(
            [GameSummary(game.id, game.title, list(game.seats), list(game.levels)) for game in games], open_tables
        )
        lines = [
            f"{game.id}: {game.title}, seats {', '.join(map(str, game.seats))}, bot levels {', '.join(game.levels)}"
            for game in listed.games
        ]
        lines += [
            f"Open: {table.table}, {table.game}, players {', '.join(table.players) or 'none'}, "
            f"{table.open_seats} open seats{', needs a join code' if table.needs_join_code else ''}"
            for table in open_tables
        ]
        return _result("\n".join(lines), listed)

    async def start_table(
        self,
        game: GameId,
        name: PlayerName,
        context: Context[Any],
        seats: Annotated[int | None, Field(description="Number of seats. Default: the fewest.", ge=1, le=16)] = None,
        opponents: Annotated[
            Literal["bots", "players"],
            Field(description="bots: the game begins at once. players: it begins when the last seat is taken."),
        ] = "bots",
        level: Annotated[str, Field(description="Level of the bots, from list_games.", max_length=64)] = "random",
        private: Annotated[
            bool, Field(description="Unlisted; other players need the join code of the result.")
        ] = False,
    ) -> LookResult:
        """Start a table and take a seat. Returns your handle, the position, and your legal moves if it is your turn."""
        calls = self._calls(context)
        count = seats or (await self._game(calls, game)).seats[0]
        bot = api.SeatSetup(occupant=session_pb2.OCCUPANT_BOT, level=level)
        opened = api.SeatSetup(occupant=session_pb2.OCCUPANT_OPEN)
        others = [bot if opponents == "bots" else opened] * (count - 1)
        made = await tables.create(calls, game, [opened, *others], private=private)
        try:
            joined = await tables.join(calls, made.session.name, name, 0, made.join_code)
        except BaseException:  # also if the caller leaves: nobody would own the table
            await asyncio.shield(tables.cancel(calls, made))
            raise
        return await self._first_look(calls, joined, 0, made.join_code)

    async def join_table(
        self,
        table: Annotated[str, Field(description="Name of the table: sessions/...", max_length=200)],
        name: PlayerName,
        context: Context[Any],
        seat: Annotated[int | None, Field(description="Seat. Default: the first open one.", ge=0, le=15)] = None,
        join_code: Annotated[str, Field(description="Needed for a private table.", max_length=64)] = "",
    ) -> LookResult:
        """Take an open seat at a table. Returns your handle and the position."""
        calls = self._calls(context)
        return await self._first_look(calls, await tables.join(calls, table, name, seat, join_code), None)

    async def look(
        self,
        handle: Handle,
        context: Context[Any],
        since: Since = None,
        page: Annotated[int, Field(description="Page of the legal moves, from 1.", ge=1, le=1000)] = 1,
        picture: Annotated[bool, Field(description="Add a picture of the position (PNG).")] = False,
    ) -> LookResult:
        """Show the whole position in words, events, whose turn it is, and your numbered legal moves."""
        calls, key = self._calls(context), self._handles.open(handle)
        result = await self._look(calls, key, since, page=page, with_position=True)
        if picture:
            drawn = b64encode(await tables.picture(calls, key)).decode()
            result.content.append(ImageContent(type="image", data=drawn, mime_type="image/png"))
        return result

    async def play_move(
        self,
        handle: Handle,
        sequence: Annotated[int, Field(description="The sequence of the look that listed the move.", ge=1, le=2**31)],
        move: Annotated[
            str,
            Field(description="The number of a legal move, its words, or a move as JSON of the API.", max_length=4000),
        ],
        context: Context[Any],
    ) -> LookResult:
        """Play a move. Returns the events since, whose turn it is, and your next legal moves.

        Repeating the call with the same sequence and move never plays twice. A refused move is an error that names the
        rule and lists what is legal now.
        """
        calls, key = self._calls(context), self._handles.open(handle)
        try:
            before = await tables.position_at(calls, key, sequence)
            played = await tables.act(calls, key, chosen_move(move, before.position), sequence)
        except (NoSuchMove, errors.RuleBroken, errors.Conflict, errors.NotYourTurn, errors.MalformedMove) as error:
            raise MoveRefused(await self._refusal(calls, key, error)) from error
        # The response has all events, so that no limit can hide that the move is played. But it is an old one after a
        # repeat, and it leaves out the entries of seats that decided at once with this one.
        reading = tables.reading_after(before.session, played)
        if before.session.sequence != sequence or played.entries[0].sequence != sequence + 1:
            try:
                reading = await tables.read_seat(calls, key, sequence)
            except errors.SkerryError as error:
                look = seat_look(reading)
                return _result(unread_text(look, reading.session, "Your move is played.", sentence_of(error)), look)
        look = seat_look(reading)
        return _result(look_text(look, reading.session), look)

    async def wait_for_turn(
        self,
        handle: Handle,
        context: Context[Any],
        since: Since = None,
        seconds: Annotated[float, Field(description="Longest wait.", ge=1, le=LONGEST_WAIT)] = 30,
    ) -> LookResult:
        """Wait until it is your turn or the game is over. Returns events, whose turn it is, and your legal moves.

        If the time passes first, the result says whose turn it is. Then call it again.
        """
        calls, key = self._calls(context), self._handles.open(handle)
        after = await tables.newest_sequence(calls, key) if since is None else since
        await tables.wait_for_turn(calls, key, after, seconds)
        return await self._look(calls, key, after)

    async def explain(
        self,
        game: GameId,
        context: Context[Any],
        about: Annotated[
            str,
            Field(
                description="Id of a rule or the beginning of one, words, 'board', or empty for how to play.",
                max_length=200,
            ),
        ] = "",
    ) -> ExplainResult:
        """Explain how to play a game, its rules by id or by words, or what is printed on its board."""
        calls = self._calls(context)
        how = (await calls.call(rpcs.GET_HOW_TO_PLAY, api.GetHowToPlayRequest(name=_name_of(game)))).how_to_play.text
        found = explained(await self._game(calls, game), about, how)
        return _result("\n".join([*found.rules, *([found.text] if found.text else [])]), found)

    async def leave_table(self, handle: Handle, context: Context[Any]) -> LookResult:
        """Leave your seat. In play, a bot plays on for you. Before the game begins, your handle becomes void."""
        calls, key = self._calls(context), self._handles.open(handle)
        return _result("You have left the table.", seat_look(await tables.leave(calls, key)))

    async def rules(self, game: str, context: Context[Any]) -> str:
        """Return the rule book of a game: a resource. Raises ResourceError."""
        try:
            return rule_book(await self._game(self._calls(context), game))
        except errors.SkerryError as error:
            raise ResourceError(sentence_of(error)) from None

    # ------------------------------------------------------------ parts of several tools

    async def _game(self, calls: Calls, game: str) -> catalogue_pb2.Game:
        request = api.GetGameRequest(name=_name_of(game))
        return (await calls.call(rpcs.GET_GAME, request)).game

    async def _first_look(
        self, calls: Calls, joined: api.JoinSessionResponse, since: int | None, join_code: str = ""
    ) -> CallToolResult:
        """Return the look of a new seat. If it fails, return at least the handle, without which the seat is lost."""
        key = SeatKey(joined.session.name, joined.seat_token)
        given: dict[str, Any] = {"handle": self._handles.seal(key), "join_code": join_code}
        try:
            return await self._look(calls, key, since, with_position=True, **given)
        except errors.SkerryError as error:
            look = seat_look(SeatReading(joined.session, joined.seat, None, []), **given)
            return _result(unread_text(look, joined.session, "You have a seat.", sentence_of(error)), look)

    async def _look(
        self,
        calls: Calls,
        key: SeatKey,
        since: int | None,
        *,
        page: int = 1,
        with_position: bool = False,
        **extra: str,
    ) -> CallToolResult:
        reading = await tables.read_seat(calls, key, since)
        if with_position and reading.position is not None:
            extra["position"] = await tables.position_text(calls, key)
        look = seat_look(reading, page, **extra)
        return _result(look_text(look, reading.session), look)

    async def _refusal(self, calls: Calls, key: SeatKey, error: Exception) -> str:
        """Return why a move was refused: with the text of the rule, and with what is legal now."""
        lines = [sentence_of(error) if isinstance(error, errors.SkerryError) else str(error)]
        reading = await tables.read_position(calls, key)
        if isinstance(error, errors.SkerryError) and error.rule:
            lines += explained(await self._game(calls, reading.session.game), error.rule).rules
        look = seat_look(reading)
        lines.append(f"Nothing was played. {turn_line(look, reading.session)}")
        return "\n".join([*lines, *moves_lines(look)])


def _name_of(game: str) -> str:
    return f"games/{game.removeprefix('games/')}"


def _result(text: str, structured: Any) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=asdict(structured))


def _open_table(session: session_pb2.Session) -> OpenTable:
    players = [seat.display_name for seat in session.seats if seat.HasField("display_name")]
    return OpenTable(session.name, session.game, players, len(session.seats) - len(players), session.join_code_required)
