"""The RPCs that read games and sessions, and change nothing."""

from __future__ import annotations

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.api import AnyGame
from skerry_games.editions import edition_of
from skerry_games.sentences import fill
from skerry_service.api.advice_methods import AdviceMethods
from skerry_service.api.explanations import explanation, touched_of
from skerry_service.api.instructions import instruction_theme_of, instructions
from skerry_service.api.lists.directory_methods import DirectoryMethods
from skerry_service.api.pictures.picture_methods import PictureMethods
from skerry_service.api.rendering import (
    VIEWS,
    Renderer,
    View,
    includes_position,
    past_position,
    position_text,
)
from skerry_service.api.requests.field_rules import whole
from skerry_service.api.requests.request_checks import (
    choice_of,
    game_of,
    past_sequence_of,
    session_of,
)
from skerry_service.domain.delay import sees_delayed
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.languages.phrases import phrase
from skerry_service.domain.table import Table
from skerry_service.domain.tokens import (
    ANONYMOUS,
    Caller,
    join_code_of,
    may_see_join_code,
    may_view_game,
    require_view_access,
)
from skerry_service.sessions.service import Sessions
from skerry_service.wire.caller_language import Wording, caller_wording, localized
from skerry_service.wire.sentence_messages import asked_sentence
from skerry_service.wire.serialized import Serialized, serialize
from skerry_service.wire.session_messages import (
    entries_to_wire,
    write_clocks,
    write_game,
)
from skerry_service.wire.splice import message_field

PAGE_SIZE = 20
LARGEST_PAGE = 100
MOST_SAMPLES = whole("SampleStatesRequest.count").most
ENTRIES_PAGE, MOST_ENTRIES = 100, 500
"""The default and the largest page of a log."""
_POSITION, _REPLAY_ENTRIES, _LISTED_ENTRIES = (
    message_field(pb.GetSessionResponse, "position"),
    message_field(session_pb2.Replay, "entries"),
    message_field(pb.ListEntriesResponse, "entries"),
)


class ReadingMethods(PictureMethods, AdviceMethods, DirectoryMethods):
    """The RPCs that read."""

    def __init__(self, sessions: Sessions) -> None:
        super().__init__(sessions)
        self._renderer = Renderer(sessions)
        self._games: dict[tuple[str, Wording], Serialized[pb.GetGameResponse]] = {}
        """The responses of ``get_game`` by ruleset and wording: their drawings have up to 300 KB."""
        self._instructions: dict[tuple[str, str, Wording], Serialized[pb.GetHowToPlayResponse]] = {}
        """The responses of ``get_how_to_play`` by ruleset, theme and wording, up to 200 KB each."""

    # ------------------------------------------------------------ catalogue

    async def list_games(self, request: pb.ListGamesRequest, token: str | None) -> pb.ListGamesResponse:
        """List the games."""
        return pb.ListGamesResponse(
            games=[write_game(game, self._sessions.levels, full=False) for game in self._sessions.new_games.all()]
        )

    async def get_game(self, request: pb.GetGameRequest, token: str | None) -> Serialized[pb.GetGameResponse]:
        """Return one game with its board and rules."""
        game = self._game_named(request.name, request.edition)
        key = game.ruleset, caller_wording()
        known = self._games.get(key)
        if known is None:
            response = pb.GetGameResponse(game=write_game(game, self._sessions.levels, full=True))
            known = self._games[key] = serialize(response)
        return known

    async def get_how_to_play(
        self, request: pb.GetHowToPlayRequest, token: str | None
    ) -> Serialized[pb.GetHowToPlayResponse]:
        """Return the instructions of a game."""
        game, theme = self._game_named(request.name, request.edition), instruction_theme_of(request)
        key = game.ruleset, theme, caller_wording()
        known = self._instructions.get(key)
        if known is None:
            known = await self._sessions.tasks.run(instructions(game, theme))
            self._instructions[key] = known
        return known

    def _game_named(self, name: str, edition: str) -> AnyGame:
        """Return a game by its resource name and edition. Raises InvalidField, GameNotFound, BadOptions.

        Other replicas need not have the edition, as they must for a new session: tables of it may already be played.
        """
        if not name.startswith("games/"):
            raise InvalidField("name", "The name of a game has the form games/{id}.")
        return edition_of(game_of(name.removeprefix("games/"), self._sessions.new_games.game), edition)

    # ------------------------------------------------------------ reading

    async def get_session(self, request: pb.GetSessionRequest, token: str | None) -> Serialized[pb.GetSessionResponse]:
        """Return a session and what the caller may see of its game."""
        session, view = session_of(request.name), choice_of(request, "view", VIEWS)
        if request.HasField("sequence"):
            table, caller, past = await self._sessions.past(session, token, past_sequence_of(request.sequence))
            shown = includes_position(view, past, caller.seat)
            parts = [_POSITION(past_position(past, caller.seat, view))] if shown else []
        else:
            table, caller = await self._sessions.get(session, token)
            parts = await self._position_parts(table, caller, view)
        rematch = await self._sessions.rematches.find(table.record)
        return self._renderer.response(
            pb.GetSessionResponse,
            table,
            caller,
            *parts,
            seat=caller.seat,
            join_code=join_code_of(table.record) if may_see_join_code(caller) else None,
            rematch=f"sessions/{rematch}" if rematch else None,
        )

    async def get_position_text(
        self, request: pb.GetPositionTextRequest, token: str | None
    ) -> pb.GetPositionTextResponse:
        """Return the position in words, as the caller may see it."""
        session = session_of(request.name)
        if request.HasField("sequence"):
            _, caller, table = await self._sessions.past(session, token, past_sequence_of(request.sequence))
        else:
            table, caller = await self._sessions.get(session, token)
            require_view_access(table.record, caller)
        template = position_text(table, caller.seat)
        text = fill(localized(template), table.record.names)
        return pb.GetPositionTextResponse(sequence=table.sequence, text=text, sentence=asked_sentence(template))

    async def explain_target(
        self, request: pb.ExplainTargetRequest, token: str | None
    ) -> Serialized[pb.ExplainTargetResponse]:
        """Return why the caller cannot play a place or a piece now."""
        session, (target, chosen) = session_of(request.name), touched_of(request)
        table, caller = await self._sessions.get(session, token)
        require_view_access(table.record, caller)
        return explanation(table, caller, self._sessions.epoch, target, chosen)

    async def _position_parts(self, table: Table, caller: Caller, view: View) -> list[bytes]:
        """Return the current position and clocks for the caller, as parts of a serialized GetSessionResponse."""
        if not (may_view_game(table.record, caller) and includes_position(view, table, caller.seat)):
            return []
        position = self._renderer.position(table, caller, view, with_areas=True)
        parts = [_POSITION(position)] if position else []
        if table.clocks and not sees_delayed(table.record, caller):
            clocks = write_clocks(table, await self._sessions.uptime_ms())
            parts.append(pb.GetSessionResponse(clocks=clocks).SerializeToString())
        return parts

    async def sample_states(self, request: pb.SampleStatesRequest, token: str | None) -> pb.SampleStatesResponse:
        """Sample states that the caller's seat cannot distinguish from the true one."""
        session = session_of(request.name)
        if not whole("SampleStatesRequest.count").allows(request.count):
            raise InvalidField("count", phrase("field-samples", most=MOST_SAMPLES))
        table, seat, states = await self._sessions.sample(session, token, request.count or 1)
        game = table.game
        return pb.SampleStatesResponse(
            game=game.id, ruleset=game.ruleset, seat=seat, sequence=table.sequence, states=states
        )

    async def get_replay(self, request: pb.GetReplayRequest, token: str | None) -> Serialized[pb.GetReplayResponse]:
        """Return the whole log as the caller may see it."""
        table, caller, log = await self._sessions.replay(session_of(request.name), token)
        entries = await self._sessions.tasks.run(entries_to_wire(table, log, caller.seat))
        public = self._renderer.response(
            session_pb2.Replay, table, ANONYMOUS
        )  # without player ids: people pass replays on
        replay = b"".join((public.serialized(), *map(_REPLAY_ENTRIES, entries)))
        return Serialized(pb.GetReplayResponse, message_field(pb.GetReplayResponse, "replay")(replay))

    async def list_entries(
        self, request: pb.ListEntriesRequest, token: str | None
    ) -> Serialized[pb.ListEntriesResponse]:
        """Return a page of the log after an entry, as the caller may see it."""
        session, after = session_of(request.name), request.after_sequence
        if after < 0:
            raise InvalidField("after_sequence", "Send the number of an entry, or 0 for the whole log.")
        if request.page_size < 0:
            raise InvalidField("page_size", "The size of a page must not be negative.")
        most = min(request.page_size or ENTRIES_PAGE, MOST_ENTRIES)
        table, caller, log = await self._sessions.entries(session, token, after, most)
        entries = await self._sessions.tasks.run(entries_to_wire(table, log, caller.seat))
        reached = pb.ListEntriesResponse(sequence=table.sequence, epoch=self._sessions.epoch)
        return Serialized(
            pb.ListEntriesResponse, b"".join((reached.SerializeToString(), *map(_LISTED_ENTRIES, entries)))
        )
