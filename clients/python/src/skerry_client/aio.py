"""The asyncio client. ``skerry_client.sync`` drives it for callers without an event loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, Self, get_args

from google.protobuf.message import Message

from skerry.v1 import catalogue_pb2, session_pb2
from skerry.v1 import service_pb2 as api
from skerry_client import arguments, payload
from skerry_client.arguments import InstructionTheme
from skerry_client.calls import Calls
from skerry_client.handles import AsyncSeat, AsyncTable
from skerry_client.resources.ladder_calls import AsyncLadderCalls
from skerry_client.resources.session_lists import AsyncSessionLists
from skerry_client.resources.tournament_calls import AsyncTournamentCalls
from skerry_client.resources.webhook_calls import AsyncWebhookCalls
from skerry_client.transport import Transport, rpcs
from skerry_client.transport.call_headers import AskToken, CallHeaders, IdentitySource
from skerry_client.transport.choice import Credentials, TransportName, transport_to

Visibility = Literal["public", "unlisted"]
Spectating = Literal["anyone", "invited", "nobody"]

SERVER_VARIABLE = "SKERRY_SERVER"
KEY_VARIABLE = "SKERRY_API_KEY"
DEFAULT_SERVER = "127.0.0.1:50051"


class AsyncClient(AsyncSessionLists, AsyncLadderCalls, AsyncTournamentCalls, AsyncWebhookCalls):
    """A client of one Skerry server. It connects with its first call and belongs to that call's event loop.

    ``server``: ``HOST:PORT`` or ``unix:PATH`` of any of the server's ports, or a Transport. Default: SKERRY_SERVER in
    the environment, else ``127.0.0.1:50051``.
    ``transport``: ``connect``; ``grpc``; or ``auto``, which is Connect unless the port serves gRPC alone.
    ``credentials``: those of ``tls_credentials``; an ``ssl.SSLContext`` for Connect; or gRPC channel credentials.
    Default: SKERRY_TLS, SKERRY_CA, SKERRY_CLIENT_CERTIFICATE and SKERRY_CLIENT_KEY in the environment. Without them
    the connection is not encrypted.
    ``api_key``: the key, where the operator requires one. Default: SKERRY_API_KEY in the environment.
    ``language``: the language of sentences, such as ``de``; English if the server lacks it.
    ``sentences``: whether texts come with the id of their message and its parameters (``Sentence``), from which a
    frontend writes sentences of its own: those of moves, events and errors.
    ``identity``: the identity token of the user, or a function that returns one or an awaitable of one. The client
    calls the function before its first call, and again when the token has expired or its key was changed.
    ``act_for``: your name of the user for whom this client acts. The API key then needs the scope ``act-for``.
    ``cell``: the cell that gets calls without a name, such as ``create``. Default: the choice of the proxy. Other calls
    go to the cell of the name.
    ``timeout``: the most seconds for one attempt at a call.
    ``retry_for``: seconds for which the client repeats a call while the server is Unavailable, and resumes a stream
    without receiving a message; 0 fails at once. Repeats are safe: each mutating call has a request id.
    ``silence``: seconds without a message, heartbeats included, after which the client resumes a stream.
    """

    def __init__(  # noqa: PLR0913 - what a program may choose about its connection
        self,
        server: str | Transport | None = None,
        *,
        transport: TransportName = "auto",
        credentials: Credentials | None = None,
        api_key: str | None = None,
        language: str | None = None,
        sentences: bool = False,
        identity: str | AskToken | None = None,
        act_for: str | None = None,
        cell: str | None = None,
        timeout: float = 10.0,
        retry_for: float = 30.0,
        silence: float = 60.0,
    ) -> None:
        if api_key is not None:
            arguments.secret("api_key", api_key, "an API key")
        arguments.language(language)
        arguments.boolean("sentences", sentences)
        if act_for is not None:
            arguments.secret("act_for", act_for, "the name of a user")
        if cell is not None:
            arguments.cell("cell", cell)
        source = IdentitySource(identity)
        if identity is not None and act_for is not None:
            raise ValueError("act_for: Pass identity or act_for, not both.")
        timeout = arguments.seconds("timeout", timeout)
        retry_for = arguments.seconds("retry_for", retry_for, zero=True)
        silence = arguments.seconds("silence", silence)
        if server is None or isinstance(server, str):
            given = server or os.environ.get(SERVER_VARIABLE) or DEFAULT_SERVER
            address = arguments.address("server" if server else SERVER_VARIABLE, given)
            key = api_key or os.environ.get(KEY_VARIABLE) or None
            if key is not None:
                arguments.secret(KEY_VARIABLE, key, "an API key")
            arguments.choice("transport", transport, get_args(TransportName))
            headers = CallHeaders(key, language, act_for, source, cell, sentences=sentences)
            server = transport_to(address, transport, credentials, headers)
        elif not callable(getattr(server, "observe", None)):
            raise TypeError(f"server: Pass HOST:PORT as a string, not {server!r}.")
        elif identity is not None or act_for is not None or cell is not None:
            sentence = "server: Pass HOST:PORT with identity, act_for or cell. A Transport sends its own headers."
            raise TypeError(sentence)
        self._calls = Calls(server, timeout=timeout, retry_for=retry_for, silence=silence, identity=source)
        self._acts_for_user = act_for is not None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection. Calls in progress end."""
        await self._calls.close()

    async def games(self) -> Sequence[catalogue_pb2.Game]:
        """Read the games that the server supports, without board and rules."""
        return (await self._calls.call(rpcs.LIST_GAMES, api.ListGamesRequest())).games

    async def game(self, game: str, *, edition: str = "") -> catalogue_pb2.Game:
        """Read one game, by id or name, with its numbered rules and the board and drawings of an edition.

        ``edition``: one of ``Game.editions``, by default the first. Raises GameNotFound, BadOptions.
        """
        request = api.GetGameRequest(name=payload.game_name(game), edition=edition)
        return (await self._calls.call(rpcs.GET_GAME, request)).game

    async def how_to_play(
        self, game: str, *, theme: InstructionTheme = "light", edition: str = ""
    ) -> catalogue_pb2.HowToPlay:
        """Read the instructions of a game for people: texts, and pictures as SVG.

        ``edition``: as in ``game``. Raises GameNotFound, BadOptions.
        """
        wanted = arguments.choice("theme", theme, get_args(InstructionTheme))
        request = api.GetHowToPlayRequest(name=payload.game_name(game), theme=wanted, edition=edition)
        return (await self._calls.call(rpcs.GET_HOW_TO_PLAY, request)).how_to_play

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
        undo: bool = False,
        reserved: Mapping[int, str] | None = None,
        hints: bool = False,
        rated: bool = False,
    ) -> AsyncTable:
        """Create a session and return its table, with the host token and the spectator token.

        ``bots``: a number of bots (they take the last seats), a list of seats, or a mapping from seats to levels.
        ``level``: the strength of the bots, one of the game's ``levels``.
        ``options``: the game's Options message, or a mapping with its fields. Default: the game's defaults.
        ``seed``: 32 bytes or 64 hexadecimal digits that fix all chance. Default: the server draws a secret one.
        ``labels``: key-value pairs of your own. Every reader of the session sees them.
        ``public_player_ids``: whether every reader of the session sees the ids that players join with.
        ``join_code``: whether a player needs a join code to take a seat. The code is ``join_code`` of the table.
        ``abandonment``: what the service does when a player leaves.
        ``clock``: the time control. Default: time is not measured.
        ``delay``: how far the view of spectators lags behind the game. Default: not at all.
        ``undo``: whether players can take back their latest moves (``AsyncSeat.undo``).
        ``reserved``: a mapping from open seats to the handles of bots (``name~…``) that alone may take them.
        ``hints``: whether players can ask what a strong player would do (``AsyncSeat.hint``).
        ``rated``: whether the result counts for ladders of people. Each player then needs a ``player_id``.
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
            public_player_ids=arguments.boolean("public_player_ids", public_player_ids),
            join_code_required=arguments.boolean("join_code", join_code),
            abandonment=arguments.message("abandonment", abandonment, session_pb2.AbandonmentPolicy),
            clock=arguments.message("clock", clock, session_pb2.Clock),
            delay=arguments.message("delay", delay, session_pb2.SpectatorDelay),
            hints=arguments.boolean("hints", hints),
            rated=arguments.boolean("rated", rated),
            undo=session_pb2.UNDO_POLICY_OWN_MOVES if arguments.boolean("undo", undo) else session_pb2.UNDO_POLICY_NONE,
            request_id=self._calls.new_id(),
        )
        response = await self._calls.call(rpcs.CREATE_SESSION, request)
        return self._table_of(response)

    async def lesson(self, game: str) -> AsyncTable:
        """Start the lesson of a game (``Game.lesson``), and return its table. The first seat that joins plays it.

        Raises GameNotFound, InvalidField if the game has no lesson.
        """
        request = api.CreateSessionRequest(game=payload.game_id(game), lesson=True, request_id=self._calls.new_id())
        response = await self._calls.call(rpcs.CREATE_SESSION, request)
        return self._table_of(response)

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
        """Fork a finished game: start a new session at entry ``sequence``. Return its table, as ``create`` does.

        ``name``: the finished session. ``seats``: as many as it had. ``token``: a token of that session, where
        spectating requires one. The other arguments are those of ``create``. The fork keeps the hidden information
        of that entry and draws later chance from a new seed.
        Raises NotFinished, NotStarted, SequenceAhead, and GameOver if the game was over at that entry by its rules.
        """
        request = api.ForkSessionRequest(
            name=payload.session_name(name),
            sequence=arguments.whole("sequence", sequence, 1),
            seats=payload.seat_setups(seats, bots, level),
            visibility=session_pb2.Visibility.Value(_value("visibility", visibility, Visibility)),
            spectating=session_pb2.Spectating.Value(_value("spectating", spectating, Spectating)),
            labels=arguments.labels("labels", labels),
            join_code_required=arguments.boolean("join_code", join_code),
            abandonment=arguments.message("abandonment", abandonment, session_pb2.AbandonmentPolicy),
            clock=arguments.message("clock", clock, session_pb2.Clock),
            delay=arguments.message("delay", delay, session_pb2.SpectatorDelay),
            request_id=self._calls.new_id(),
        )
        response = await self._calls.call(rpcs.FORK_SESSION, request, token)
        return self._table_of(response)

    def _table_of(self, response: api.CreateSessionResponse | api.ForkSessionResponse) -> AsyncTable:
        """Return the table of a new session, with its tokens."""
        return AsyncTable(
            self._calls,
            response.session.name,
            host_token=response.host_token,
            spectator_token=response.spectator_token,
            join_code=response.join_code or None,
        )

    async def find_match(  # noqa: PLR0913 - one for each field of the request
        self,
        game: str,
        display_name: str,
        *,
        seats: int | Collection[int] | None = None,
        options: Collection[Message | Mapping[str, Any]] = (),
        clocks: Collection[session_pb2.Clock | api.ClockRange | None] = (),
        skill: api.SkillRange | None = None,
        party: Collection[str | api.PartyMember] = (),
        player_id: str | None = None,
        rated: bool = False,
        wait_for: float | None = None,
    ) -> AsyncSeat:
        """Wait until the matchmaker finds a seat with other players, and return it. Cancelling withdraws the ticket.

        List the preferred value first in ``seats``, ``options`` and ``clocks``.
        ``seats``: the acceptable numbers of seats. Default: all numbers that the game allows.
        ``options``: the acceptable options, in the form that ``create`` takes. Default: the game's defaults.
        ``clocks``: the acceptable clocks, single ones or ranges; ``None`` means no clock. Default: no clock.
        ``skill``: the player's skill, and the acceptable difference, which widens with time. Default: any skill.
        ``party``: further players to seat at the same table, by name or as messages. The seat's ``party`` has theirs.
        ``player_id``: as in ``AsyncTable.join``.
        ``rated``: whether the result is to count for ladders of people. Each player then needs an id.
        ``wait_for``: seconds after which the call raises TimeoutError. Default: it waits for ever.
        Raises GameNotFound, BadOptions, LimitReached, ProposalExpired.
        """
        game = payload.game_id(game)
        arguments.text("display_name", display_name, "the name of a player")
        if player_id is not None:
            arguments.text("player_id", player_id, "your program's id of the player")
        if wait_for is not None:
            arguments.seconds("wait_for", wait_for)
        request = api.FindMatchRequest(
            game=game,
            display_name=display_name,
            seats=payload.seat_counts(seats),
            options=[message for given in options if (message := payload.game_options(game, given)) is not None],
            clocks=[payload.clock_range(clock) for clock in clocks],
            skill=arguments.message("skill", skill, api.SkillRange),
            party=payload.party_members(party),
            player_id=player_id or "",
            rated=arguments.boolean("rated", rated),
            request_id=self._calls.new_id(),
        )
        async with asyncio.timeout(wait_for):
            found = await self._calls.find_match(request)
        name = found.session.name
        members = [AsyncSeat(self._calls, name, one.seat_token, one.seat) for one in found.party]
        return AsyncSeat(self._calls, name, found.seat_token, found.seat, party=members)

    async def table(
        self,
        name: str,
        *,
        host_token: str | None = None,
        spectator_token: str | None = None,
        join_code: str | None = None,
    ) -> AsyncTable:
        """Return the table of an existing session, by name or id. Raises SessionNotFound, TokenInvalid.

        ``join_code``: the code from the host, where the session requires one. The host token makes it unnecessary.
        """
        for argument, token in (("host_token", host_token), ("spectator_token", spectator_token)):
            if token is not None:
                arguments.secret(argument, token, f"the {argument.removesuffix('_token')} token")
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

    async def seat(self, name: str, token: str | None = None) -> AsyncSeat:
        """Return the seat of a token, for example after a restart of this program.

        ``token``: not needed with ``act_for``, for a user who has one seat of the session.
        Raises SessionNotFound, TokenInvalid, NotAllowed for a token of another kind or a user without a seat.
        """
        if token is not None or not self._acts_for_user:
            arguments.secret("token", token, "the token of a seat")
        return await AsyncSeat.from_token(self._calls, payload.session_name(name), token or "")

    async def recover_seat(self, name: str, *, seat: int | None = None) -> AsyncSeat:
        """Return the seat of this client's user with a new token, for example on another device.

        The old token is void at once. Needs ``identity`` or ``act_for``.
        ``seat``: the number of the seat. A user with several seats of the session needs it.
        Raises IdentityMissing, SessionNotFound, NotAllowed if the user has no such seat, GameOver, LimitReached.
        """
        if seat is not None:
            arguments.whole("seat", seat, 0, payload.MOST_SEATS - 1)
        request = api.RecoverSeatRequest(name=payload.session_name(name), seat=seat, request_id=self._calls.new_id())
        recovered = await self._calls.call(rpcs.RECOVER_SEAT, request)
        return AsyncSeat(self._calls, recovered.session.name, recovered.seat_token, recovered.seat)

    async def rematch(self, name: str, *, entropy: bytes | None = None) -> AsyncSeat:
        """Take the seat of this client's user in the rematch of a finished game (see ``AsyncSeat.rematch``).

        Needs ``identity`` or ``act_for``. A program that has the seat of the finished game can call its ``rematch``.
        Raises TokenMissing without one, SessionNotFound, and as ``AsyncSeat.rematch``.
        """
        return await AsyncSeat(self._calls, payload.session_name(name), "", 0).rematch(entropy=entropy)


def _value(enum: str, given: str, allowed: object) -> str:
    """Return the name of an enum's value. Callers write it in lower case, without the enum's name."""
    return f"{enum}_{arguments.choice(enum, given, get_args(allowed))}".upper()
