"""The asyncio handles of one session: the table of its host and spectators, and a seat with its token."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence

from google.protobuf.message import Message

from skerry.v1 import payload_pb2, session_pb2
from skerry.v1 import service_pb2 as api
from skerry_client import arguments
from skerry_client.arguments import EmoteName
from skerry_client.calls import Calls
from skerry_client.errors import NotAllowed
from skerry_client.payload import MOST_SAMPLES, MOST_SEATS, seed_bytes, wrapped
from skerry_client.session_handle import SessionHandle
from skerry_client.transport import rpcs

HINT_S = 30
"""How long a hint may take: the server waits 20 seconds for a bot that no game needs."""


class AsyncTable(SessionHandle):
    """A session without a seat: join, start, spectate, and the actions of the host."""

    def __init__(
        self,
        calls: Calls,
        name: str,
        *,
        host_token: str | None = None,
        spectator_token: str | None = None,
        join_code: str | None = None,
    ) -> None:
        super().__init__(calls, name, host_token or spectator_token)
        self.host_token = host_token
        """Proves the host. Only the creator of the session has it."""
        self.spectator_token = spectator_token
        """Admits spectators where the session requires an invitation. Pass it to them."""
        self.join_code = join_code
        """Admits players where the session requires a join code. Pass it to them. ``None`` if unknown."""

    async def read(self) -> api.GetSessionResponse:
        """Read the session in one call, with the position if this handle may see it."""
        response = await super().read()
        self.join_code = response.join_code or self.join_code
        return response

    async def join(
        self,
        display_name: str,
        *,
        seat: int | None = None,
        player_id: str | None = None,
        bot_token: str | None = None,
        entropy: bytes | None = None,
    ) -> AsyncSeat:
        """Take a seat. The game starts when the last open seat is taken.

        ``seat``: the number of the seat. Default: the first open one.
        ``player_id``: your program's id of the player. Only the seats and the host see it, unless the session makes it
        public. ``bot_token``: the token of a bot, for a seat that is reserved for it. ``entropy``: 32 random bytes that
        the player adds to the seed (``os.urandom(32)``); keep them to check the finished game.
        Sends the join code of this handle. Raises SeatTaken, NameTaken, AlreadyStarted, JoinCodeWrong, SeatReserved.
        """
        arguments.text("display_name", display_name, "the name of a player")
        if seat is not None:
            arguments.whole("seat", seat, 0, MOST_SEATS - 1)
        if player_id is not None:
            arguments.text("player_id", player_id, "your program's id of the player")
        if bot_token is not None:
            arguments.text("bot_token", bot_token, "the token of a bot")
        request = api.JoinSessionRequest(
            name=self.name,
            display_name=display_name,
            seat=seat,
            player_id=player_id or "",
            join_code=self.join_code or "",
            bot_token=bot_token or "",
            entropy=seed_bytes(entropy, "entropy"),
            request_id=self._calls.new_id(),
        )
        response = await self._calls.call(rpcs.JOIN_SESSION, request)
        return AsyncSeat(self._calls, self.name, response.seat_token, response.seat)

    async def start(self, *, fill_with_bots: bool = False, level: str | None = None) -> session_pb2.Session:
        """Start the game with open seats. Needs the host token.

        ``fill_with_bots``: bots take the open seats. Otherwise the service removes them, and the other seats are
        renumbered. ``level``: the strength of the bots, one of the game's ``levels``.
        """
        arguments.boolean("fill_with_bots", fill_with_bots)
        if level is not None:
            arguments.text("level", level, "one of the game's levels")
        request = api.StartSessionRequest(
            name=self.name, fill_with_bots=fill_with_bots, level=level or "", request_id=self._calls.new_id()
        )
        return (await self._calls.call(rpcs.START_SESSION, request, self.host_token)).session

    async def remove(self, seat: int) -> session_pb2.Session:
        """Remove the player of a seat before the game starts. The seat is open again, and its token is void.

        Needs the host token. Raises NoPlayer, AlreadyStarted.
        """
        request = api.RemovePlayerRequest(
            name=self.name, seat=arguments.whole("seat", seat, 0, MOST_SEATS - 1), request_id=self._calls.new_id()
        )
        return (await self._calls.call(rpcs.REMOVE_PLAYER, request, self.host_token)).session

    async def open_seat(self, seat: int) -> session_pb2.Session:
        """Open a seat to another player: an abandoned one, or that of a player who does not respond.

        A substitute plays until then. Needs the host token. Raises SeatTaken if the seat cannot be opened now (see
        ``retry_after``; ``None`` if waiting does not help), NotStarted, GameOver.
        """
        request = api.OpenSeatRequest(
            name=self.name, seat=arguments.whole("seat", seat, 0, MOST_SEATS - 1), request_id=self._calls.new_id()
        )
        return (await self._calls.call(rpcs.OPEN_SEAT, request, self.host_token)).session

    async def cancel(self) -> session_pb2.Session:
        """Cancel the session, before its game starts or when no player is left. Needs the host token.

        Raises InPlay, GameOver.
        """
        request = api.CancelSessionRequest(name=self.name, request_id=self._calls.new_id())
        return (await self._calls.call(rpcs.CANCEL_SESSION, request, self.host_token)).session

    async def label(self, labels: Mapping[str, str]) -> session_pb2.Session:
        """Replace all labels of the session. Needs the host token. Raises GameOver."""
        request = api.LabelSessionRequest(
            name=self.name, labels=arguments.labels("labels", labels), request_id=self._calls.new_id()
        )
        return (await self._calls.call(rpcs.LABEL_SESSION, request, self.host_token)).session


class AsyncSeat(SessionHandle):
    """A seat of a session, opened by its token."""

    def __init__(
        self,
        calls: Calls,
        name: str,
        token: str,
        number: int,
        *,
        host_token: str | None = None,
        party: Sequence[AsyncSeat] = (),
    ) -> None:
        super().__init__(calls, name, token)
        self.token = token
        """Plays the seat. Keep it to open the seat again with ``Client.seat``. Empty if ``act_for`` plays it."""
        self.host_token = host_token
        """The host token of the session, if this seat created it by ``rematch``. ``Client.table`` takes it."""
        self.party = party
        """The seats of the party with which ``find_match`` was called, in the same order."""
        self._number = number

    @classmethod
    async def from_token(cls, calls: Calls, name: str, token: str) -> AsyncSeat:
        """Return the seat of a token, or with an empty one that of the user for whom the client acts.

        Raises NotAllowed for a token of another kind, and for a user without a seat.
        """
        seat = cls(calls, name, token, 0)
        response = await seat.read()
        if not response.HasField("seat"):
            other = "this token is valid, but it is not a seat token"
            raise NotAllowed(other if token else "the user has no seat of this session, or several")
        seat._number = response.seat
        return seat

    @property
    def number(self) -> int:
        """The seat's number. It can decrease when the game starts with open seats."""
        last = self._last
        return last.seat if last is not None and last.HasField("seat") else self._number

    async def act(self, move: payload_pb2.Move | Message, *, validate_only: bool = False) -> api.ActResponse:
        """Make a move. Return the entries that followed from it and the new position.

        ``move``: one of ``legal_moves``, or a move message of the game. The seat decides on the newest position that
        this handle knows, and reads the position first if it knows none. ``validate_only``: check, but do nothing.
        Raises RuleBroken, NotYourTurn, StaleSequence, GameOver, NotStarted, MalformedMove.
        """
        chosen = wrapped(payload_pb2.Move, move)
        arguments.boolean("validate_only", validate_only)
        newest = self._last or await self.position()
        request = api.ActRequest(
            name=self.name,
            move=chosen,
            expected_sequence=newest.sequence,
            request_id=self._calls.new_id(),
            validate_only=validate_only,
            view=api.PositionView.POSITION_VIEW_FULL,
            sent_ms=clocks.server_time_ms if (clocks := self.clocks) else None,
        )
        response = await self._calls.act(request, self.token)
        if not validate_only:
            self._record(response, response.epoch)
        return response

    async def undo(self) -> api.UndoMoveResponse:
        """Take back this seat's latest move. Return the entry and the position before that move.

        ``Position.undoable`` is how often this works. Raises NothingToUndo if another seat or chance has moved since,
        if the move revealed something, or if the session does not allow it. Also raises TimeUp, StaleSequence,
        GameOver, NotStarted.
        """
        newest = self._last or await self.position()
        request = api.UndoMoveRequest(
            name=self.name,
            expected_sequence=newest.sequence,
            request_id=self._calls.new_id(),
            view=api.PositionView.POSITION_VIEW_FULL,
        )
        response = await self._calls.call(rpcs.UNDO_MOVE, request, self.token)
        self._record(response, response.epoch)
        return response

    async def turns(self) -> AsyncGenerator[session_pb2.Position, None]:
        """Yield each position in which this seat owes a decision, until the game is over. This is the loop of a bot.

        All seats of a client in this loop share one stream and act over it. Without an act on a position, the next one
        comes only after another seat's move. Raises EntriesLost, as ``observe``; then start again.
        """
        await self.read()
        sequence, updates = 0, None
        try:
            if self._calls.shares_stream and self._last is not None:
                # Acts use the stream that follows the seat, so the stream must exist before the first act.
                updates = self._updates(self._last.sequence, play=True)
                await anext(updates, None)
            while True:
                newest = self._last
                if newest is not None and newest.sequence > sequence:
                    sequence = newest.sequence
                    if newest.HasField("outcome"):
                        return
                    if newest.legal_moves:
                        yield newest
                        continue
                # The response to an act has the next position, unless another seat is to move.
                updates = updates or self._updates(sequence or None, play=True)
                try:
                    await anext(updates)
                except StopAsyncIteration:
                    return
        finally:
            if updates is not None:
                await updates.aclose()

    async def sample_states(self, count: int = 1) -> api.SampleStatesResponse:
        """Sample up to 64 states that this seat cannot tell from the true one, for search with ``skerry-games``.

        Raises NotStarted, GameOver.
        """
        arguments.whole("count", count, 1, MOST_SAMPLES)
        request = api.SampleStatesRequest(name=self.name, count=count)
        return await self._calls.call(rpcs.SAMPLE_STATES, request, self.token)

    async def hint(self) -> api.GetHintResponse:
        """Read what a strong player would do in this seat: its move, and a sentence that says what it expects.

        Raises NotAllowed if the session has no hints, NotYourTurn, NotStarted, GameOver, SubstitutePlays, LimitReached.
        """
        request = api.GetHintRequest(name=self.name)
        return await self._calls.call(rpcs.GET_HINT, request, self.token, slow=HINT_S)

    async def leave(self) -> session_pb2.Session:
        """Leave the seat. In the lobby, the seat is open again and its token void. In play, a substitute takes it.

        ``return_to_seat`` takes the seat back. Raises SubstitutePlays if a substitute plays already, GameOver.
        """
        request = api.LeaveSessionRequest(name=self.name, request_id=self._calls.new_id())
        return (await self._calls.call(rpcs.LEAVE_SESSION, request, self.token)).session

    async def nudge(self, seat: int) -> session_pb2.Session:
        """Remind the player of another seat to act. The nudge is an entry that the whole table sees.

        Raises LimitReached if it is too soon (see ``retry_after``), NotToAct if the seat owes no decision, NoPlayer if
        a bot plays it, NotStarted, GameOver, SubstitutePlays.
        """
        arguments.whole("seat", seat, 0, MOST_SEATS - 1)
        request = api.NudgeSeatRequest(name=self.name, seat=seat, request_id=self._calls.new_id())
        return (await self._calls.call(rpcs.NUDGE_SEAT, request, self.token)).session

    async def emote(self, emote: EmoteName) -> session_pb2.Session:
        """Say something polite to the table: an entry that everybody who follows the session sees.

        ``"good_game"`` only in play, the others also in the lobby. Raises LimitReached if the seat sent one just before
        (see ``retry_after``) or too many, NotStarted, GameOver, SubstitutePlays.
        """
        request = api.SendEmoteRequest(name=self.name, emote=arguments.emote(emote), request_id=self._calls.new_id())
        return (await self._calls.call(rpcs.SEND_EMOTE, request, self.token)).session

    async def return_to_seat(self) -> session_pb2.Session:
        """Return to the seat: take it back from a substitute, if one plays it.

        Raises NotStarted, GameOver, NotAllowed.
        """
        request = api.ReturnToSessionRequest(name=self.name, request_id=self._calls.new_id())
        return (await self._calls.call(rpcs.RETURN_TO_SESSION, request, self.token)).session

    async def rematch(self, *, entropy: bytes | None = None) -> AsyncSeat:
        """Take this player's seat in the rematch of this finished game. Seat numbers move on by one.

        The first call creates the rematch and makes the caller its host (``host_token``). There is one rematch, with
        one seat for each player, however often the method is called. ``entropy``: see ``AsyncTable.join``. Raises
        NotFinished, NotAllowed if the seat is no longer kept, AlreadyStarted, GameOver.
        """
        request = api.RematchSessionRequest(
            name=self.name, request_id=self._calls.new_id(), entropy=seed_bytes(entropy, "entropy")
        )
        made = await self._calls.call(rpcs.REMATCH_SESSION, request, self.token)
        return AsyncSeat(self._calls, made.session.name, made.seat_token, made.seat, host_token=made.host_token or None)

    async def resign(self) -> session_pb2.Session:
        """Resign the game. The seat loses. Raises NotStarted, GameOver, SubstitutePlays."""
        request = api.ResignSessionRequest(name=self.name, request_id=self._calls.new_id())
        return (await self._calls.call(rpcs.RESIGN_SESSION, request, self.token)).session
