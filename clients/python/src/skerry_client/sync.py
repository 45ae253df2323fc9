"""The client for programs without an event loop. Each method drives the method of that name in ``AsyncClient``.

Several threads can use an instance. A call blocks only its own thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from threading import RLock
from typing import Any, Generic, Self, TypeVar

from google.protobuf.message import Message

from skerry.v1 import catalogue_pb2, ladder_pb2, payload_pb2, session_pb2, tournament_pb2
from skerry.v1 import service_pb2 as api
from skerry_client.aio import AsyncClient, Spectating, Visibility
from skerry_client.arguments import EmoteName, InstructionTheme, PictureFormat, Theme, View
from skerry_client.handles import AsyncSeat, AsyncTable
from skerry_client.loop import Loop, LoopThread
from skerry_client.resources.blocking_webhook_calls import WebhookCalls
from skerry_client.resources.session_lists import State
from skerry_client.session_handle import SessionHandle
from skerry_client.transport import Transport
from skerry_client.transport.choice import Credentials, TransportName

H = TypeVar("H", bound=SessionHandle)


class Client(WebhookCalls):
    """A client of one Skerry server, with the arguments of ``AsyncClient``. Use it in a ``with`` statement."""

    def __init__(  # noqa: PLR0913 - what a program may choose about its connection
        self,
        server: str | Transport | None = None,
        *,
        transport: TransportName = "auto",
        credentials: Credentials | None = None,
        api_key: str | None = None,
        language: str | None = None,
        sentences: bool = False,
        identity: str | Callable[[], str] | None = None,
        act_for: str | None = None,
        cell: str | None = None,
        timeout: float = 10.0,
        retry_for: float = 30.0,
        silence: float = 60.0,
    ) -> None:
        self._loop: Loop = LoopThread()
        self._closing = RLock()
        self._client: AsyncClient = AsyncClient(
            server,
            transport=transport,
            credentials=credentials,
            api_key=api_key,
            language=language,
            sentences=sentences,
            # In a thread, so that a function that waits delays no calls of other threads.
            identity=partial(asyncio.to_thread, identity) if callable(identity) else identity,
            act_for=act_for,
            cell=cell,
            timeout=timeout,
            retry_for=retry_for,
            silence=silence,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection. Calls in progress in other threads raise RuntimeError."""
        if self._loop.lost_in_fork:
            return
        with self._closing:
            if not self._loop.stopped:
                self._loop.run(self._client.close())
                self._loop.stop()

    def games(self) -> Sequence[catalogue_pb2.Game]:
        """Read the games that the server supports, without board and rules."""
        return self._loop.run(self._client.games())

    def game(self, game: str, *, edition: str = "") -> catalogue_pb2.Game:
        """Read one game, by id or name, with the board and drawings of an edition (see ``AsyncClient.game``)."""
        return self._loop.run(self._client.game(game, edition=edition))

    def how_to_play(
        self, game: str, *, theme: InstructionTheme = "light", edition: str = ""
    ) -> catalogue_pb2.HowToPlay:
        """Read the instructions of a game for people (see ``AsyncClient.how_to_play``)."""
        return self._loop.run(self._client.how_to_play(game, theme=theme, edition=edition))

    def create(  # noqa: PLR0913 - as ``AsyncClient.create``
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
    ) -> Table:
        """Create a session and return its table (``AsyncClient.create`` explains the arguments)."""
        creating = self._client.create(
            game,
            seats=seats,
            bots=bots,
            level=level,
            options=options,
            seed=seed,
            visibility=visibility,
            spectating=spectating,
            labels=labels,
            public_player_ids=public_player_ids,
            join_code=join_code,
            abandonment=abandonment,
            clock=clock,
            delay=delay,
            undo=undo,
            reserved=reserved,
            hints=hints,
            rated=rated,
        )
        return Table(self._loop, self._loop.run(creating))

    def lesson(self, game: str) -> Table:
        """Start the lesson of a game (see ``AsyncClient.lesson``)."""
        return Table(self._loop, self._loop.run(self._client.lesson(game)))

    def fork(  # noqa: PLR0913 - as ``AsyncClient.fork``
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
    ) -> Table:
        """Fork a finished game at an entry, and return the table of the new session (see ``AsyncClient.fork``)."""
        forking = self._client.fork(
            name,
            sequence,
            seats=seats,
            bots=bots,
            level=level,
            visibility=visibility,
            spectating=spectating,
            labels=labels,
            join_code=join_code,
            abandonment=abandonment,
            clock=clock,
            delay=delay,
            token=token,
        )
        return Table(self._loop, self._loop.run(forking))

    def find_match(  # noqa: PLR0913 - as ``AsyncClient.find_match``
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
    ) -> Seat:
        """Wait until the matchmaker finds a seat with other players (see ``AsyncClient.find_match``)."""
        search = self._client.find_match(
            game,
            display_name,
            seats=seats,
            options=options,
            clocks=clocks,
            skill=skill,
            party=party,
            player_id=player_id,
            rated=rated,
            wait_for=wait_for,
        )
        return Seat(self._loop, self._loop.run_task(search))

    def register_bot(
        self, bot: str, program_hash: str, *, engine_commit: str = "", contact: str = ""
    ) -> ladder_pb2.Bot:
        """Register a bot, or a new version (see ``AsyncClient.register_bot``)."""
        registering = self._client.register_bot(bot, program_hash, engine_commit=engine_commit, contact=contact)
        return self._loop.run(registering)

    def bot(self, bot: str) -> ladder_pb2.Bot:
        """Read a bot with its versions. Raises BotNotFound."""
        return self._loop.run(self._client.bot(bot))

    def wake_bot(self, bot: str) -> ladder_pb2.Bot:
        """End the rest of a bot (see ``AsyncClient.wake_bot``)."""
        return self._loop.run(self._client.wake_bot(bot))

    def ladders(self, *, game: str = "") -> Sequence[ladder_pb2.Ladder]:
        """Read all ladders, or those of a game."""
        return self._loop.run(self._client.ladders(game=game))

    def ladder(self, ladder: str, *, season: int = 0) -> ladder_pb2.Ladder:
        """Read a ladder without its standings. Raises LadderNotFound."""
        return self._loop.run(self._client.ladder(ladder, season=season))

    def standings(self, ladder: str, *, season: int = 0) -> Iterator[ladder_pb2.Standing]:
        """Yield the standings of a season, in order. Raises LadderNotFound."""
        return self._loop.iterate(self._client.standings(ladder, season=season))

    def ladder_games(self, ladder: str, *, season: int = 0, bot: str = "") -> Iterator[ladder_pb2.LadderGame]:
        """Yield the games of a season, the latest first (see ``AsyncClient.ladder_games``)."""
        return self._loop.iterate(self._client.ladder_games(ladder, season=season, bot=bot))

    def head_to_head(
        self, ladder: str, bot: str, opponent: str = "", *, season: int = 0
    ) -> Sequence[ladder_pb2.HeadToHead]:
        """Read the results of a bot against each opponent, or against one. Raises LadderNotFound."""
        return self._loop.run(self._client.head_to_head(ladder, bot, opponent, season=season))

    def find_ladder_game(self, ladder: str, bot: str, program_hash: str, *, wait_for: float | None = None) -> Seat:
        """Wait until the ladder has a game for a bot (see ``AsyncClient.find_ladder_game``)."""
        search = self._client.find_ladder_game(ladder, bot, program_hash, wait_for=wait_for)
        return Seat(self._loop, self._loop.run_task(search))

    def create_tournament(
        self, request: tournament_pb2.CreateTournamentRequest
    ) -> tuple[tournament_pb2.Tournament, str]:
        """Create a tournament. Return it with the organizer token (see ``AsyncClient.create_tournament``)."""
        return self._loop.run(self._client.create_tournament(request))

    def tournament(self, name: str, organizer_token: str | None = None) -> tournament_pb2.GetTournamentResponse:
        """Read a tournament with standings and rounds (see ``AsyncClient.tournament``). Raises TournamentNotFound."""
        return self._loop.run(self._client.tournament(name, organizer_token))

    def tournaments(self) -> Iterator[tournament_pb2.Tournament]:
        """Yield the tournaments of the server, those in progress first."""
        return self._loop.iterate(self._client.tournaments())

    def enter_tournament(
        self,
        name: str,
        display_name: str = "",
        *,
        player_id: str = "",
        bot: str = "",
        request_id: str = "",
        join_code: str = "",
    ) -> tuple[int, str]:
        """Enter a person or a bot. Return its number and token (see ``AsyncClient.enter_tournament``)."""
        return self._loop.run(
            self._client.enter_tournament(
                name, display_name, player_id=player_id, bot=bot, request_id=request_id, join_code=join_code
            )
        )

    def leave_tournament(self, name: str, token: str, *, entrant: int = 0) -> tournament_pb2.Tournament:
        """Leave a tournament before its start, or remove an entrant (see ``AsyncClient.leave_tournament``)."""
        return self._loop.run(self._client.leave_tournament(name, token, entrant=entrant))

    def start_tournament(self, name: str, organizer_token: str) -> tournament_pb2.Tournament:
        """Start a tournament."""
        return self._loop.run(self._client.start_tournament(name, organizer_token))

    def cancel_tournament(self, name: str, organizer_token: str) -> tournament_pb2.Tournament:
        """Cancel a tournament."""
        return self._loop.run(self._client.cancel_tournament(name, organizer_token))

    def tournament_games(
        self, name: str, entrant_token: str | None = None, *, entrant: int = 0, playing: bool = False
    ) -> Iterator[tournament_pb2.TournamentGame]:
        """Yield the games, those in play first (see ``AsyncClient.tournament_games``)."""
        return self._loop.iterate(self._client.tournament_games(name, entrant_token, entrant=entrant, playing=playing))

    def tournament_seats(
        self, name: str, entrant: int, entrant_token: str, *, wait_for: float | None = None
    ) -> list[Seat]:
        """Wait for the seats of an entrant (see ``AsyncClient.tournament_seats``)."""
        search = self._client.tournament_seats(name, entrant, entrant_token, wait_for=wait_for)
        return [Seat(self._loop, one) for one in self._loop.run_task(search)]

    def table(
        self,
        name: str,
        *,
        host_token: str | None = None,
        spectator_token: str | None = None,
        join_code: str | None = None,
    ) -> Table:
        """Return the table of an existing session, by name or id (``AsyncClient.table`` explains the arguments)."""
        reading = self._client.table(name, host_token=host_token, spectator_token=spectator_token, join_code=join_code)
        return Table(self._loop, self._loop.run(reading))

    def seat(self, name: str, token: str | None = None) -> Seat:
        """Return the seat of a token, for example after a restart of this program (see ``AsyncClient.seat``)."""
        return Seat(self._loop, self._loop.run(self._client.seat(name, token)))

    def recover_seat(self, name: str, *, seat: int | None = None) -> Seat:
        """Return the seat of this client's user with a new token (see ``AsyncClient.recover_seat``)."""
        return Seat(self._loop, self._loop.run(self._client.recover_seat(name, seat=seat)))

    def rematch(self, name: str, *, entropy: bytes | None = None) -> Seat:
        """Take the seat of this client's user in the rematch of a finished game (see ``AsyncClient.rematch``)."""
        return Seat(self._loop, self._loop.run(self._client.rematch(name, entropy=entropy)))

    def sessions(
        self,
        *,
        game: str | None = None,
        state: State | None = None,
        label: str | Collection[str] | None = None,
        reserved_for: str | None = None,
    ) -> Iterator[session_pb2.Session]:
        """Yield the public sessions, the newest first (``AsyncClient.sessions`` explains the arguments)."""
        found = self._client.sessions(game=game, state=state, label=label, reserved_for=reserved_for)
        return self._loop.iterate(found)

    def my_sessions(
        self, *, game: str | None = None, state: State | None = None, label: str | Collection[str] | None = None
    ) -> Iterator[tuple[session_pb2.Session, api.SessionTurn]]:
        """Yield the sessions of the vouched player, the most urgent first (see ``AsyncClient.my_sessions``)."""
        return self._loop.iterate(self._client.my_sessions(game=game, state=state, label=label))

    def open_tables(self, *, game: str | None = None, per_cell: int = 10) -> Sequence[api.CellTables]:
        """Return open tables of each cell of the service (see ``AsyncClient.open_tables``)."""
        return self._loop.run(self._client.open_tables(game=game, per_cell=per_cell))


class BlockingHandle(Generic[H]):
    """The methods that tables and seats share. The blocking form of ``SessionHandle``, whose methods explain more."""

    def __init__(self, loop: Loop, handle: H) -> None:
        self._loop = loop
        self._handle = handle

    @property
    def name(self) -> str:
        """``sessions/{id}``."""
        return self._handle.name

    @property
    def last_position(self) -> session_pb2.Position | None:
        """The newest position that any call of this handle has received."""
        return self._handle.last_position

    @property
    def clocks(self) -> session_pb2.Clocks | None:
        """The newest clocks received, advanced to now (see ``AsyncTable.clocks``)."""
        return self._handle.clocks

    def session(self) -> session_pb2.Session:
        """Read the public part of the session: seats, state, sequence, commitment; at the end outcome and seed."""
        return self._loop.run(self._handle.session())

    def position(self, *, sequence: int | None = None, view: View = "full") -> session_pb2.Position:
        """Read the position as this handle may see it, now or after an entry. Raises NotStarted, NotAllowed."""
        return self._loop.run(self._handle.position(sequence=sequence, view=view))

    def observe(self, *, after_sequence: int | None = None, view: View = "full") -> Iterator[api.ObserveResponse]:
        """Follow the session until the game is over (see ``AsyncTable.observe``)."""
        return self._loop.iterate(self._handle.observe(after_sequence=after_sequence, view=view))

    def replay(self) -> session_pb2.Replay:
        """Read the log as this handle may see it. After the end of the game it is complete and has the seed."""
        return self._loop.run(self._handle.replay())

    def analysis(self) -> api.GetAnalysisResponse:
        """Read how the chances to win changed in this finished game (see ``AsyncTable.analysis``)."""
        return self._loop.run(self._handle.analysis())

    def entries(self, *, after: int = 0) -> Sequence[session_pb2.Entry]:
        """Read the entries of the log after an entry (see ``AsyncTable.entries``)."""
        return self._loop.run(self._handle.entries(after=after))

    def picture(
        self,
        *,
        sequence: int | None = None,
        format: PictureFormat = "svg",
        theme: Theme = "light",
        width: int | None = None,
        annotated: bool = False,
        language: str | None = None,
    ) -> bytes:
        """Read a picture of the position, as this handle may see it: a file (see ``AsyncTable.picture``)."""
        wanted = self._handle.picture(
            sequence=sequence, format=format, theme=theme, width=width, annotated=annotated, language=language
        )
        return self._loop.run(wanted)

    def animation(self, *, theme: Theme = "light", width: int | None = None, language: str | None = None) -> bytes:
        """Read an animated picture of the finished game (see ``AsyncTable.animation``)."""
        return self._loop.run(self._handle.animation(theme=theme, width=width, language=language))

    def text(self) -> str:
        """Read the position in words, as this handle may see it. Raises NotStarted, NotAllowed."""
        return self._loop.run(self._handle.text())

    def explain(self, target: str, *, chosen: Sequence[str] = ()) -> api.ExplainTargetResponse:
        """Read why this handle cannot play a place or piece now (see ``AsyncTable.explain``)."""
        return self._loop.run(self._handle.explain(target, chosen=chosen))

    def set_webhook(self, url: str, *, events: Collection[str] = ()) -> str:
        """Set the handle's webhook and return the secret of its deliveries (see ``AsyncTable.set_webhook``)."""
        return self._loop.run(self._handle.set_webhook(url, events=events))


class Table(BlockingHandle[AsyncTable]):
    """A session without a seat. The blocking form of ``AsyncTable``."""

    def __repr__(self) -> str:
        return f"<Table {self.name}>"

    @property
    def host_token(self) -> str | None:
        """Proves the host. Only the creator of the session has it."""
        return self._handle.host_token

    @property
    def join_code(self) -> str | None:
        """Admits players where the session requires a join code. Pass it to them. ``None`` if unknown."""
        return self._handle.join_code

    @property
    def spectator_token(self) -> str | None:
        """Admits spectators where the session requires an invitation. Pass it to them."""
        return self._handle.spectator_token

    def join(
        self,
        display_name: str,
        *,
        seat: int | None = None,
        player_id: str | None = None,
        bot_token: str | None = None,
        entropy: bytes | None = None,
    ) -> Seat:
        """Take a seat, the first open one if none is named (``AsyncTable.join`` explains the arguments)."""
        joining = self._handle.join(display_name, seat=seat, player_id=player_id, bot_token=bot_token, entropy=entropy)
        return Seat(self._loop, self._loop.run(joining))

    def start(self, *, fill_with_bots: bool = False, level: str | None = None) -> session_pb2.Session:
        """Start the game with open seats (``AsyncTable.start`` explains the arguments)."""
        return self._loop.run(self._handle.start(fill_with_bots=fill_with_bots, level=level))

    def remove(self, seat: int) -> session_pb2.Session:
        """Remove the player of a seat before the game starts. Needs the host token. Raises NoPlayer, AlreadyStarted."""
        return self._loop.run(self._handle.remove(seat))

    def open_seat(self, seat: int) -> session_pb2.Session:
        """Open a seat to another player (see ``AsyncTable.open_seat``). Raises SeatTaken, NotStarted, GameOver."""
        return self._loop.run(self._handle.open_seat(seat))

    def cancel(self) -> session_pb2.Session:
        """Cancel the session (see ``AsyncTable.cancel``). Needs the host token. Raises InPlay, GameOver."""
        return self._loop.run(self._handle.cancel())

    def label(self, labels: Mapping[str, str]) -> session_pb2.Session:
        """Replace all labels of the session. Needs the host token. Raises GameOver."""
        return self._loop.run(self._handle.label(labels))


class Seat(BlockingHandle[AsyncSeat]):
    """A seat of a session, opened by its token. The blocking form of ``AsyncSeat``."""

    def __repr__(self) -> str:
        return f"<Seat {self.number} of {self.name}>"

    @property
    def number(self) -> int:
        """The seat's number. It can decrease when the game starts with open seats."""
        return self._handle.number

    @property
    def token(self) -> str:
        """Plays the seat. Keep it to open the seat again with ``Client.seat``."""
        return self._handle.token

    @property
    def host_token(self) -> str | None:
        """The host token of the session, if this seat created it by ``rematch``. ``Client.table`` takes it."""
        return self._handle.host_token

    @property
    def party(self) -> Sequence[Seat]:
        """The seats of the party with which ``find_match`` was called, in the same order."""
        return [Seat(self._loop, seat) for seat in self._handle.party]

    def act(self, move: payload_pb2.Move | Message, *, validate_only: bool = False) -> api.ActResponse:
        """Make a move, one of ``legal_moves`` or a move message of the game (see ``AsyncSeat.act``)."""
        return self._loop.run(self._handle.act(move, validate_only=validate_only))

    def undo(self) -> api.UndoMoveResponse:
        """Take back this seat's latest move (see ``AsyncSeat.undo``)."""
        return self._loop.run(self._handle.undo())

    def turns(self) -> Iterator[session_pb2.Position]:
        """Yield each position in which this seat owes a decision, until the game is over (see ``AsyncSeat.turns``)."""
        return self._loop.iterate(self._handle.turns())

    def sample_states(self, count: int = 1) -> api.SampleStatesResponse:
        """Sample up to 64 states that this seat cannot tell from the true one (see ``AsyncSeat.sample_states``)."""
        return self._loop.run(self._handle.sample_states(count))

    def hint(self) -> api.GetHintResponse:
        """Read what a strong player would do in this seat (see ``AsyncSeat.hint``)."""
        return self._loop.run(self._handle.hint())

    def leave(self) -> session_pb2.Session:
        """Leave the seat (see ``AsyncSeat.leave``)."""
        return self._loop.run(self._handle.leave())

    def emote(self, emote: EmoteName) -> session_pb2.Session:
        """Say something polite to the table (see ``AsyncSeat.emote``)."""
        return self._loop.run(self._handle.emote(emote))

    def return_to_seat(self) -> session_pb2.Session:
        """Return to the seat: take it back from a substitute. Raises NotStarted, GameOver, NotAllowed."""
        return self._loop.run(self._handle.return_to_seat())

    def nudge(self, seat: int) -> session_pb2.Session:
        """Remind the player of another seat to act. Raises LimitReached, NotToAct, NoPlayer."""
        return self._loop.run(self._handle.nudge(seat))

    def rematch(self, *, entropy: bytes | None = None) -> Seat:
        """Take this player's seat in the rematch, and create it if there is none (see ``AsyncSeat.rematch``)."""
        return Seat(self._loop, self._loop.run(self._handle.rematch(entropy=entropy)))

    def resign(self) -> session_pb2.Session:
        """Resign the game. The seat loses. Raises NotStarted, GameOver, SubstitutePlays."""
        return self._loop.run(self._handle.resign())
