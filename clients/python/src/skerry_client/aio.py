"""The asyncio client: the one implementation. ``skerry_client.sync`` drives it for callers without an event loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from typing import Any, Literal, Self, get_args

import grpc
from google.protobuf.message import Message

from skerry.v1 import catalogue_pb2, session_pb2
from skerry.v1 import service_pb2 as api
from skerry_client import arguments, payload, transport
from skerry_client.calls import Calls
from skerry_client.handles import AsyncSeat, AsyncTable
from skerry_client.tls import credentials_from_environment
from skerry_client.tracing import transport_to
from skerry_client.transport import Transport

Visibility = Literal["public", "unlisted"]
Spectating = Literal["anyone", "invited", "nobody"]
State = Literal["lobby", "playing", "finished"]

SERVER_VARIABLE = "SKERRY_SERVER"
KEY_VARIABLE = "SKERRY_API_KEY"
DEFAULT_SERVER = "127.0.0.1:50051"


class AsyncClient:
    """A client of one Skerry server. It connects with its first call and belongs to that call's event loop.

    ``server``: ``host:port``; absent, the environment's SKERRY_SERVER, else ``127.0.0.1:50051``. Or a Transport.
    ``credentials``: gRPC channel credentials, as ``tls_credentials`` makes them; absent, the environment's SKERRY_TLS,
    SKERRY_CA, SKERRY_CLIENT_CERTIFICATE and SKERRY_CLIENT_KEY, and without them the connection is in the clear.
    ``api_key``: where the operator asks for one; absent, the environment's SKERRY_API_KEY.
    ``timeout``: seconds that one attempt at a call may take.
    ``retry_for``: seconds for which a call is repeated while the server is Unavailable, and for which a stream is
    resumed without hearing anything; 0 to fail at once. Repeats are safe: each mutating call has a request id.
    ``silence``: seconds without a message, heartbeats included, after which a stream is taken for dead and resumed.
    """

    def __init__(
        self,
        server: str | Transport | None = None,
        *,
        credentials: grpc.ChannelCredentials | None = None,
        api_key: str | None = None,
        timeout: float = 10.0,
        retry_for: float = 30.0,
        silence: float = 60.0,
    ) -> None:
        if api_key is not None:
            arguments.secret("api_key", api_key, "an API key")
        timeout = arguments.seconds("timeout", timeout)
        retry_for = arguments.seconds("retry_for", retry_for, zero=True)
        silence = arguments.seconds("silence", silence)
        if server is None or isinstance(server, str):
            given = server or os.environ.get(SERVER_VARIABLE) or DEFAULT_SERVER
            address = arguments.address("server" if server else SERVER_VARIABLE, given)
            key = api_key or os.environ.get(KEY_VARIABLE) or None
            if key is not None:
                arguments.secret(KEY_VARIABLE, key, "an API key")
            server = transport_to(address, credentials or credentials_from_environment(), key)
        elif not callable(getattr(server, "observe", None)):
            raise TypeError(f"server: Pass HOST:PORT as a text, not {server!r}.")
        self._calls = Calls(server, timeout=timeout, retry_for=retry_for, silence=silence)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection. Calls under way end."""
        await self._calls.close()

    async def games(self) -> Sequence[catalogue_pb2.Game]:
        """Read the games that the server plays, without board and rules."""
        return (await self._calls.call(transport.LIST_GAMES, api.ListGamesRequest())).games

    async def game(self, game: str) -> catalogue_pb2.Game:
        """Read one game, by id or name, with its board and its numbered rules. Raises GameNotFound."""
        request = api.GetGameRequest(name=payload.game_name(game))
        return (await self._calls.call(transport.GET_GAME, request)).game

    async def create(  # noqa: PLR0913 - one for each field of the request
        self,
        game: str,
        *,
        seats: int,
        bots: int | Collection[int] | Mapping[int, str] = 0,
        level: str = "random",
        options: Message | Mapping[str, Any] | None = None,
        seed: bytes | str | None = None,
        visibility: Visibility = "public",
        spectating: Spectating = "anyone",
        labels: Mapping[str, str] | None = None,
        public_player_ids: bool = False,
        join_code: bool = False,
        abandonment: session_pb2.AbandonmentPolicy | None = None,
        clock: session_pb2.Clock | None = None,
        delay: session_pb2.SpectatorDelay | None = None,
        reserved: Mapping[int, str] | None = None,
    ) -> AsyncTable:
        """Create a session and return its table, with the host's and the spectators' tokens.

        ``bots``: how many seats bots take (the last ones), or which, or the level of each. ``level``: how bots decide,
        one of the game's ``levels``. ``options``: the game's Options message, or a
        mapping with its fields; absent, the game's defaults. ``seed``: 32 bytes, or 64 hexadecimal digits, that fix
        all chance; absent, the server draws a secret one. ``labels``: marks of your own, told to everybody.
        ``public_player_ids``: whether everybody is told the ids that players join with. ``join_code``: whether whoever
        takes a seat must know a code, which is then the table's ``join_code``. ``abandonment``: what happens when a
        player leaves. ``clock``: how their time is measured; absent, it is not. ``delay``: how late spectators are
        shown the game; absent, at once. ``reserved``: the handles of bots (``name~…``) by the open seats that nobody
        else may take.
        Raises GameNotFound, BadOptions.
        """
        game = payload.game_id(game)
        request = api.CreateSessionRequest(
            game=game,
            seats=payload.seat_setups(seats, bots, level, reserved),
            options=payload.game_options(game, options),
            seed=payload.seed_bytes(seed),
            visibility=session_pb2.Visibility.Value(_value("visibility", visibility, Visibility)),
            spectating=session_pb2.Spectating.Value(_value("spectating", spectating, Spectating)),
            labels=arguments.labels("labels", labels),
            public_player_ids=arguments.truth("public_player_ids", public_player_ids),
            join_code_required=arguments.truth("join_code", join_code),
            abandonment=arguments.message("abandonment", abandonment, session_pb2.AbandonmentPolicy),
            clock=arguments.message("clock", clock, session_pb2.Clock),
            delay=arguments.message("delay", delay, session_pb2.SpectatorDelay),
            request_id=self._calls.new_id(),
        )
        answer = await self._calls.call(transport.CREATE_SESSION, request)
        return self._made(answer)

    async def fork(  # noqa: PLR0913 - one for each field of the request
        self,
        name: str,
        sequence: int,
        *,
        seats: int,
        bots: int | Collection[int] | Mapping[int, str] = 0,
        level: str = "random",
        visibility: Visibility = "unlisted",
        spectating: Spectating = "anyone",
        labels: Mapping[str, str] | None = None,
        join_code: bool = False,
        abandonment: session_pb2.AbandonmentPolicy | None = None,
        clock: session_pb2.Clock | None = None,
        delay: session_pb2.SpectatorDelay | None = None,
        token: str | None = None,
    ) -> AsyncTable:
        """Go on in a new session from an entry of a game that is over; return its table, as ``create`` does.

        ``seats``: as many as played there; the others are those of ``create``. What comes is drawn from a new seed;
        what lay hidden at that entry is what it was. ``token``: where one is needed to look on. Raises NotFinished,
        NotStarted, GameOver where the rules have ended the game by then, SequenceAhead.
        """
        request = api.ForkSessionRequest(
            name=payload.session_name(name),
            sequence=arguments.whole("sequence", sequence, 1),
            seats=payload.seat_setups(seats, bots, level),
            visibility=session_pb2.Visibility.Value(_value("visibility", visibility, Visibility)),
            spectating=session_pb2.Spectating.Value(_value("spectating", spectating, Spectating)),
            labels=arguments.labels("labels", labels),
            join_code_required=arguments.truth("join_code", join_code),
            abandonment=arguments.message("abandonment", abandonment, session_pb2.AbandonmentPolicy),
            clock=arguments.message("clock", clock, session_pb2.Clock),
            delay=arguments.message("delay", delay, session_pb2.SpectatorDelay),
            request_id=self._calls.new_id(),
        )
        answer = await self._calls.call(transport.FORK_SESSION, request, token)
        return self._made(answer)

    def _made(self, answer: api.CreateSessionResponse | api.ForkSessionResponse) -> AsyncTable:
        """Return the table of a new session, with its tokens."""
        return AsyncTable(
            self._calls,
            answer.session.name,
            host_token=answer.host_token,
            spectator_token=answer.spectator_token,
            join_code=answer.join_code or None,
        )

    async def find_match(
        self,
        game: str,
        display_name: str,
        *,
        seats: int | Collection[int] | None = None,
        options: Collection[Message | Mapping[str, Any]] = (),
        clocks: Collection[session_pb2.Clock | api.ClockRange | None] = (),
        player_id: str | None = None,
        wait_for: float | None = None,
    ) -> AsyncSeat:
        """Find a seat among strangers, and wait for it: whoever stops waiting withdraws. The best comes first in each.

        ``seats``: the numbers of seats that will do; absent, all by which the game is played. ``options``: those that
        will do, as ``create`` takes them; absent, the game's defaults. ``clocks``: those that will do, one by one or in
        ranges, ``None`` for no clock; absent, no clock. ``player_id``: as in ``AsyncTable.join``. ``wait_for``: seconds
        after which it is TimeoutError; absent, never. Raises GameNotFound, BadOptions, LimitReached, ProposalExpired.
        """
        game = payload.game_id(game)
        arguments.text("display_name", display_name, "the name of a player")
        if player_id is not None:
            arguments.text("player_id", player_id, "what your program knows the player by")
        if wait_for is not None:
            arguments.seconds("wait_for", wait_for)
        request = api.FindMatchRequest(
            game=game,
            display_name=display_name,
            seats=payload.seat_counts(seats),
            options=[one for given in options if (one := payload.game_options(game, given)) is not None],
            clocks=[payload.clock_range(one) for one in clocks],
            player_id=player_id or "",
            request_id=self._calls.new_id(),
        )
        async with asyncio.timeout(wait_for):
            found = await self._calls.find_match(request)
        return AsyncSeat(self._calls, found.session.name, found.seat_token, found.seat)

    async def table(
        self,
        name: str,
        *,
        host_token: str | None = None,
        spectator_token: str | None = None,
        join_code: str | None = None,
    ) -> AsyncTable:
        """Come (back) to the table of a session, by name or id. Raises SessionNotFound, TokenInvalid.

        ``join_code``: what the host has told you, where the session asks for it; whoever has the host's token need not
        name it.
        """
        for argument, token in (("host_token", host_token), ("spectator_token", spectator_token)):
            if token is not None:
                arguments.secret(argument, token, f"the {argument.removesuffix('_token')}'s token")
        if join_code is not None:
            arguments.text("join_code", join_code, "the session's join code")
        table = AsyncTable(
            self._calls,
            payload.session_name(name),
            host_token=host_token,
            spectator_token=spectator_token,
            join_code=join_code,
        )
        await table.read()
        return table

    async def seat(self, name: str, token: str) -> AsyncSeat:
        """Come back to a seat, for example after a restart of this program. Raises SessionNotFound, TokenInvalid."""
        arguments.secret("token", token, "the token of a seat")
        return await AsyncSeat.regain(self._calls, payload.session_name(name), token)

    def sessions(
        self,
        *,
        game: str | None = None,
        state: State | None = None,
        label: str | None = None,
        reserved_for: str | None = None,
    ) -> AsyncGenerator[session_pb2.Session, None]:
        """Yield the public sessions, the newest first, page by page.

        ``label``: those with ``key`` or ``key=value``. ``reserved_for``: those in whose lobby a seat waits for the bot
        with this handle.
        """
        request = api.ListSessionsRequest(page_size=100)
        if game is not None:
            request.game = payload.game_id(game)
        if state is not None:
            request.state = session_pb2.SessionState.Value(_value("session_state", state, State))
        if label is not None:
            request.label = arguments.text("label", label, "a label, as key or key=value,")
        if reserved_for is not None:
            request.reserved_for = arguments.text("reserved_for", reserved_for, "the handle of a bot")
        return self._pages(request)

    async def _pages(self, request: api.ListSessionsRequest) -> AsyncGenerator[session_pb2.Session, None]:
        while True:
            page = await self._calls.call(transport.LIST_SESSIONS, request)
            for session in page.sessions:
                yield session
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token


def _value(enum: str, given: str, allowed: object) -> str:
    """Return the name of an enum's value, which callers write without the enum's name and in lower case."""
    name = enum.removeprefix("session_")
    return f"{enum}_{arguments.choice(name, given, get_args(allowed))}".upper()
