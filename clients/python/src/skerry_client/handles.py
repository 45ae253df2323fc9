"""The asyncio handles of one session: the table as its host and onlookers have it, and a seat with its token."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Collection, Mapping
from contextlib import aclosing

from google.protobuf.message import Message

from skerry.v1 import payload_pb2, session_pb2
from skerry.v1 import service_pb2 as api
from skerry_client import arguments, transport
from skerry_client.calls import Calls
from skerry_client.errors import GameOver, NotAllowed, NotStarted
from skerry_client.payload import MOST_SAMPLES, MOST_SEATS, wrapped


class Onlooker:
    """What whoever follows a session can do, with or without a seat."""

    def __init__(self, calls: Calls, name: str, token: str | None) -> None:
        self._calls = calls
        self._held = calls.hold(name)
        self._token = token
        self._epoch: str | None = None
        self._last: session_pb2.Position | None = None
        self._clocks: tuple[session_pb2.Clocks, float] | None = None
        """The newest that were received, and when, by the clock of this machine that nobody sets."""
        self.name = name
        """``sessions/{id}``."""

    def __repr__(self) -> str:
        # Tokens stay out: whatever is printed ends in somebody's log.
        return f"<{type(self).__name__} {self.name}>"

    @property
    def last_position(self) -> session_pb2.Position | None:
        """The newest position that this handle has received, by whatever call."""
        return self._last

    @property
    def clocks(self) -> session_pb2.Clocks | None:
        """The clocks as they stand now: those last received, with ``server_time_ms`` counted on since.

        ``None`` where time is not measured, or nothing was received yet. A seat has
        ``deadline_ms - server_time_ms`` milliseconds left, if it has a deadline.
        """
        if self._clocks is None:
            return None
        clocks, received = self._clocks
        now = session_pb2.Clocks(seats=clocks.seats, server_time_ms=clocks.server_time_ms)
        now.server_time_ms += int((time.monotonic() - received) * 1000)
        return now

    async def session(self) -> session_pb2.Session:
        """Read what everybody may know: seats, state, sequence, commitment, in the end outcome and seed."""
        return (await self.read()).session

    async def position(self, *, sequence: int | None = None) -> session_pb2.Position:
        """Read the game as this handle's holder may see it: view, legal moves, who is to act, sequence.

        ``sequence``: as its holder saw it right after that entry, any since the game began; moves are still decided on
        the newest position. Raises NotStarted in the lobby, or for an entry from then, SequenceAhead, and NotAllowed
        where the session does not show its game.
        """
        if sequence is not None:
            return await self._past(arguments.whole("sequence", sequence, 1))
        answer = await self.read()
        if answer.HasField("position"):
            return answer.position
        if answer.session.state == session_pb2.SessionState.SESSION_STATE_LOBBY:
            raise NotStarted("the game has not begun")
        if answer.session.state == session_pb2.SessionState.SESSION_STATE_CANCELLED:
            raise GameOver("the session was called off before its game began")
        raise NotAllowed("this session shows its game to its seats and to those whom it invited")

    async def _past(self, sequence: int) -> session_pb2.Position:
        request = api.GetSessionRequest(name=self.name, sequence=sequence)
        return (await self._calls.call(transport.GET_SESSION, request, self._token)).position

    def observe(self, *, after_sequence: int | None = None) -> AsyncGenerator[api.ObserveResponse, None]:
        """Follow the session: every entry once, in order, as soon as it is stored, until the game is over.

        ``after_sequence``: 0 for everything from the first entry, or the last sequence that is known. Absent: from
        now on. The first update comes at once and has the position, even if there is no new entry. Lost
        connections and restarted servers are bridged; what happened meanwhile comes late, nothing is left out.
        Raises EntriesLost when the store itself lost entries: read the position again and observe from there.
        """
        if after_sequence is not None:
            arguments.whole("after_sequence", after_sequence, 0)
        return self._updates(after_sequence)

    async def _updates(
        self, after_sequence: int | None, *, play: bool = False
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        epoch = None if after_sequence is None else self._epoch
        calls = self._calls
        async with aclosing(calls.observe(self.name, self._token, after_sequence, epoch, play=play)) as updates:
            async for update in updates:
                self._note(update, update.epoch)
                yield update

    async def replay(self) -> session_pb2.Replay:
        """Read the whole log as this handle's holder may see it: once the game is over all of it, with the seed."""
        request = api.GetReplayRequest(name=self.name)
        return (await self._calls.call(transport.GET_REPLAY, request, self._token)).replay

    async def set_webhook(self, url: str, *, events: Collection[str] = ()) -> str:
        """Have the service tell an address, which its operator has allowed, what happens. Return what it signs with.

        ``events``: some of ``"turn"``, ``"nudge"``, ``"deadline"`` and ``"end"``; all if none is named. A seat's
        webhook is told of that seat, that of a table with the host token of all seats. Another one replaces it; an
        empty ``url`` ends it, and the text that is returned is empty. Raises NotAllowed, InvalidField, GameOver.
        """
        named = [session_pb2.WebhookEvent.Value(f"WEBHOOK_EVENT_{one.upper()}") for one in arguments.events(events)]
        request = api.SetWebhookRequest(name=self.name, url=url, events=named, request_id=self._calls.new_id())
        return (await self._calls.call(transport.SET_WEBHOOK, request, self._token)).secret

    async def read(self) -> api.GetSessionResponse:
        """Read the session and, where it may be seen, the position, in one call.

        Of a finished game it also tells the session in which it is played again (``rematch``), if there is one.
        """
        request = api.GetSessionRequest(name=self.name)
        answer = await self._calls.call(transport.GET_SESSION, request, self._token)
        self._note(answer, answer.session.epoch)
        return answer

    def _note(self, answer: api.GetSessionResponse | api.ObserveResponse | api.ActResponse, epoch: str) -> None:
        """Remember the answer's position unless a newer one is known. After a change of epoch nothing is newer."""
        stale = self._epoch == epoch and self._last is not None and self._last.sequence > answer.position.sequence
        if answer.HasField("position") and not stale:
            self._last = answer.position
        if answer.HasField("clocks"):
            self._clocks = answer.clocks, time.monotonic()
        self._epoch = epoch


class AsyncTable(Onlooker):
    """A session without a seat at it: join, start, look on."""

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
        """Starts the session and removes players before. Only its creator has it."""
        self.spectator_token = spectator_token
        """Lets others look on where spectators are invited. Pass it to them."""
        self.join_code = join_code
        """Lets others take a seat where the session asks for it. Pass it to them. ``None`` if it is not known here."""

    async def read(self) -> api.GetSessionResponse:
        """Read the session and, where it may be seen, the position, in one call."""
        answer = await super().read()
        self.join_code = answer.join_code or self.join_code
        return answer

    async def join(
        self,
        display_name: str,
        *,
        seat: int | None = None,
        player_id: str | None = None,
        bot_token: str | None = None,
    ) -> AsyncSeat:
        """Take a seat, the first open one if none is named. Whoever takes the last open seat starts the game.

        ``player_id``: what your program knows the player by; those alone are told who hold a seat's or the host's
        token, unless the session says otherwise. Where the session asks for a join code, this handle's is named.
        ``bot_token``: of a bot that takes a seat reserved for it. Raises SeatTaken, NameTaken, AlreadyStarted,
        JoinCodeWrong, SeatReserved.
        """
        arguments.text("display_name", display_name, "the name of a player")
        if seat is not None:
            arguments.whole("seat", seat, 0, MOST_SEATS - 1)
        if player_id is not None:
            arguments.text("player_id", player_id, "what your program knows the player by")
        if bot_token is not None:
            arguments.text("bot_token", bot_token, "the token of a bot")
        request = api.JoinSessionRequest(
            name=self.name,
            display_name=display_name,
            seat=seat,
            player_id=player_id or "",
            join_code=self.join_code or "",
            bot_token=bot_token or "",
            request_id=self._calls.new_id(),
        )
        answer = await self._calls.call(transport.JOIN_SESSION, request)
        return AsyncSeat(self._calls, self.name, answer.seat_token, answer.seat)

    async def start(self, *, fill_with_bots: bool = False, level: str | None = None) -> session_pb2.Session:
        """Start before every seat is taken. Open seats go to bots, or away: then seats close up and change number.

        ``level``: how those bots decide, one of the game's ``levels``. Needs the host token.
        """
        arguments.truth("fill_with_bots", fill_with_bots)
        if level is not None:
            arguments.text("level", level, "how bots decide, one of the levels of the game")
        request = api.StartSessionRequest(
            name=self.name, fill_with_bots=fill_with_bots, level=level or "", request_id=self._calls.new_id()
        )
        return (await self._calls.call(transport.START_SESSION, request, self.host_token)).session

    async def remove(self, seat: int) -> session_pb2.Session:
        """Remove the player of a seat before the game starts. The seat is open again, and its token void.

        Needs the host token. Raises NoPlayer, AlreadyStarted.
        """
        request = api.RemovePlayerRequest(
            name=self.name, seat=arguments.whole("seat", seat, 0, MOST_SEATS - 1), request_id=self._calls.new_id()
        )
        return (await self._calls.call(transport.REMOVE_PLAYER, request, self.host_token)).session

    async def open_seat(self, seat: int) -> session_pb2.Session:
        """Open the seat of a leaver to somebody else; the substitute plays on until then. Needs the host token.

        Raises SeatTaken for a seat that is no leaver's, NotStarted, GameOver.
        """
        request = api.OpenSeatRequest(
            name=self.name, seat=arguments.whole("seat", seat, 0, MOST_SEATS - 1), request_id=self._calls.new_id()
        )
        return (await self._calls.call(transport.OPEN_SEAT, request, self.host_token)).session

    async def cancel(self) -> session_pb2.Session:
        """Call the session off, before its game begins or when no player is left at it. Needs the host token.

        Raises InPlay, GameOver.
        """
        request = api.CancelSessionRequest(name=self.name, request_id=self._calls.new_id())
        return (await self._calls.call(transport.CALL_OFF_SESSION, request, self.host_token)).session

    async def label(self, labels: Mapping[str, str]) -> session_pb2.Session:
        """Replace the session's labels, all of them. Needs the host token. Raises GameOver."""
        request = api.LabelSessionRequest(
            name=self.name, labels=arguments.labels("labels", labels), request_id=self._calls.new_id()
        )
        return (await self._calls.call(transport.LABEL_SESSION, request, self.host_token)).session


class AsyncSeat(Onlooker):
    """A seat of a session, held by its token."""

    def __init__(self, calls: Calls, name: str, token: str, number: int, host_token: str | None = None) -> None:
        super().__init__(calls, name, token)
        self.token = token
        """Plays the seat. Whoever keeps it can come back to the seat with ``Client.seat``."""
        self.host_token = host_token
        """Opens the table to its host (``Client.table``), where this seat has made the session by ``rematch``."""
        self._number = number

    @classmethod
    async def regain(cls, calls: Calls, name: str, token: str) -> AsyncSeat:
        """Come back to the seat that the token opens."""
        seat = cls(calls, name, token, 0)
        answer = await seat.read()
        if not answer.HasField("seat"):
            raise NotAllowed("this token is good, but not for a seat")
        seat._number = answer.seat
        return seat

    @property
    def number(self) -> int:
        """The seat's number. It can become smaller when the game starts with seats left open."""
        last = self._last
        return last.seat if last is not None and last.HasField("seat") else self._number

    async def act(self, move: payload_pb2.Move | Message, *, validate_only: bool = False) -> api.ActResponse:
        """Make a move: one of ``legal_moves``, or a move message of the game. The answer has what followed from it.

        The move is decided on the newest position that this handle knows; a seat that has never looked looks first.
        The answer's position is then the newest one. ``validate_only`` checks everything and does nothing.
        Raises RuleBroken, NotYourTurn, StaleSequence, GameOver, NotStarted, MalformedMove.
        """
        chosen = wrapped(payload_pb2.Move, move)
        arguments.truth("validate_only", validate_only)
        known = self._last or await self.position()
        request = api.ActRequest(
            name=self.name,
            move=chosen,
            expected_sequence=known.sequence,
            request_id=self._calls.new_id(),
            validate_only=validate_only,
            view=api.PositionView.POSITION_VIEW_FULL,
            sent_ms=clocks.server_time_ms if (clocks := self.clocks) else None,
        )
        answer = await self._calls.act(request, self.token)
        if not validate_only:
            self._note(answer, answer.epoch)
        return answer

    async def turns(self) -> AsyncGenerator[session_pb2.Position, None]:
        """Yield each position in which this seat owes a decision, until the game is over: the loop of a bot.

        Over gRPC, the seats of a client that are in this loop share one stream, and act over it.
        Whoever does not act on a position gets the next one only when somebody else has moved.
        Raises EntriesLost, as ``observe``: begin it again.
        """
        await self.read()
        sequence, updates = 0, None
        try:
            if self._calls.plays and self._last is not None:  # acts go over the stream on which the seat is followed
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
                # The answer to an act has shown what comes next, unless it is for somebody else to move.
                updates = updates or self._updates(sequence or None, play=True)
                try:
                    await anext(updates)
                except StopAsyncIteration:
                    return
        finally:
            if updates is not None:
                await updates.aclose()

    async def sample_states(self, count: int = 1) -> api.SampleStatesResponse:
        """Deal up to 64 states that this seat cannot tell from the true one, for search with ``skerry-games``.

        Raises NotStarted, GameOver.
        """
        arguments.whole("count", count, 1, MOST_SAMPLES)
        request = api.SampleStatesRequest(name=self.name, count=count)
        return await self._calls.call(transport.SAMPLE_STATES, request, self.token)

    async def leave(self) -> session_pb2.Session:
        """Leave the seat: open again in the lobby, where the token is void then; a substitute's in play.

        ``come_back`` takes it from the substitute. Raises SubstitutePlays where one plays already, GameOver.
        """
        request = api.LeaveSessionRequest(name=self.name, request_id=self._calls.new_id())
        return (await self._calls.call(transport.LEAVE_SESSION, request, self.token)).session

    async def nudge(self, seat: int) -> session_pb2.Session:
        """Remind the player of another seat that it is to act: an entry that everybody at the table sees.

        Raises LimitReached while that would be too soon (``retry_after`` says when it is not), NotToAct for a seat that
        owes no decision, NoPlayer for one that a bot plays, NotStarted, GameOver, SubstitutePlays.
        """
        arguments.whole("seat", seat, 0, MOST_SEATS - 1)
        request = api.NudgeSeatRequest(name=self.name, seat=seat, request_id=self._calls.new_id())
        return (await self._calls.call(transport.NUDGE_SEAT, request, self.token)).session

    async def come_back(self) -> session_pb2.Session:
        """Take the seat back from its substitute, if one plays it. Raises NotStarted, GameOver, NotAllowed."""
        request = api.ReturnToSessionRequest(name=self.name, request_id=self._calls.new_id())
        return (await self._calls.call(transport.RETURN_TO_SESSION, request, self.token)).session

    async def rematch(self) -> AsyncSeat:
        """Take this player's seat in the rematch of this finished game, one further on; make it if nobody has.

        However often it is called, by whichever of the players: there is one, and everybody has one seat there. Whoever
        makes it is its host (``host_token``). Raises NotFinished, NotAllowed where the seat is kept no longer,
        AlreadyStarted, GameOver.
        """
        request = api.RematchSessionRequest(name=self.name, request_id=self._calls.new_id())
        answer = await self._calls.call(transport.REMATCH_SESSION, request, self.token)
        return AsyncSeat(self._calls, answer.session.name, answer.seat_token, answer.seat, answer.host_token or None)

    async def resign(self) -> session_pb2.Session:
        """Give the game up: the seat loses. Raises NotStarted, GameOver, SubstitutePlays."""
        request = api.ResignSessionRequest(name=self.name, request_id=self._calls.new_id())
        return (await self._calls.call(transport.RESIGN_SESSION, request, self.token)).session
