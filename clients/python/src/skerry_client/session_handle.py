"""What the asyncio handles of tables and seats share: they read and follow a session."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing
from typing import get_args

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_client import arguments
from skerry_client.arguments import PictureFormat, Theme, View
from skerry_client.calls import Calls
from skerry_client.errors import GameOver, NotAllowed, NotStarted
from skerry_client.transport import rpcs

ANALYSIS_S = 30
"""How long an analysis may take: the server answers with what is ready after 10 seconds."""
ANIMATION_S = 60
"""The least time that a call waits for an animated picture, in seconds."""

_WithPosition = api.GetSessionResponse | api.ObserveResponse | api.ActResponse | api.UndoMoveResponse


class SessionHandle:
    """The methods that tables and seats share: read and follow a session."""

    def __init__(self, calls: Calls, name: str, token: str | None) -> None:
        self._calls = calls
        self._held = calls.hold(name)
        self._token = token
        self._epoch: str | None = None
        self._last: session_pb2.Position | None = None
        self._clocks: tuple[session_pb2.Clocks, float] | None = None
        """The newest clocks received, and the monotonic time of receipt."""
        self.name = name
        """``sessions/{id}``."""

    def __repr__(self) -> str:
        # Without tokens, because printed handles end up in logs.
        return f"<{type(self).__name__} {self.name}>"

    @property
    def last_position(self) -> session_pb2.Position | None:
        """The newest position that any call of this handle has received."""
        return self._last

    @property
    def clocks(self) -> session_pb2.Clocks | None:
        """The newest clocks received, with ``server_time_ms`` advanced to now.

        ``None`` if time is not measured, or before the first response. A seat with a deadline has
        ``deadline_ms - server_time_ms`` milliseconds left.
        """
        if self._clocks is None:
            return None
        clocks, received = self._clocks
        now = session_pb2.Clocks(seats=clocks.seats, server_time_ms=clocks.server_time_ms)
        now.server_time_ms += int((time.monotonic() - received) * 1000)
        return now

    async def session(self) -> session_pb2.Session:
        """Read the public part of the session: seats, state, sequence, commitment; at the end outcome and seed."""
        return (await self.read()).session

    async def position(self, *, sequence: int | None = None, view: View = "full") -> session_pb2.Position:
        """Read the position as this handle may see it: view, legal moves, seats to act, sequence.

        ``view``: ``"scene"`` for what a frontend draws (``Position.scene``) in place of the view, ``"full_with_scene"``
        for both. ``sequence``: the position right after this entry, which must be an entry of the game. ``act`` still
        decides on the newest position. Raises NotStarted in the lobby or for an entry before the start, SequenceAhead,
        and NotAllowed if the session does not show its game to this handle.
        """
        request = api.GetSessionRequest(name=self.name, view=arguments.view(view))
        if sequence is not None:
            request.sequence = arguments.whole("sequence", sequence, 1)
            return (await self._calls.call(rpcs.GET_SESSION, request, self._token)).position
        response = await self._read(request)
        if response.HasField("position"):
            return response.position
        if response.session.state == session_pb2.SessionState.SESSION_STATE_LOBBY:
            raise NotStarted("the game has not started")
        if response.session.state == session_pb2.SessionState.SESSION_STATE_CANCELLED:
            raise GameOver("the session was cancelled before its game started")
        raise NotAllowed("this session shows its game only to its seats and to invited spectators")

    def observe(
        self, *, after_sequence: int | None = None, view: View = "full"
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        """Follow the session until the game is over. Yields every entry once, in order, as soon as it is stored.

        ``after_sequence``: 0 for all entries, or the last known sequence. Default: only entries from now on.
        ``view``: as in ``position``. With scenes, moves have frames, which ``apply_frame`` applies.
        The first update comes at once and has the position, even without a new entry. The client resumes after lost
        connections and server restarts without skipping entries.
        Raises EntriesLost if the store lost entries. Then read the position again and observe from there.
        """
        if after_sequence is not None:
            arguments.whole("after_sequence", after_sequence, 0)
        return self._updates(after_sequence, arguments.view(view))

    async def _updates(
        self,
        after_sequence: int | None,
        view: api.PositionView.ValueType = api.POSITION_VIEW_FULL,
        *,
        play: bool = False,
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        epoch = None if after_sequence is None else self._epoch
        request = api.ObserveRequest(name=self.name, after_sequence=after_sequence, view=view)
        async with aclosing(self._calls.observe(request, self._token, epoch, play=play)) as updates:
            async for update in updates:
                self._record(update, update.epoch)
                yield update

    async def replay(self) -> session_pb2.Replay:
        """Read the log as this handle may see it. After the end of the game it is complete and has the seed."""
        request = api.GetReplayRequest(name=self.name)
        return (await self._calls.call(rpcs.GET_REPLAY, request, self._token)).replay

    async def analysis(self) -> api.GetAnalysisResponse:
        """Read how the chances to win changed in this finished game, and which moves changed them most.

        The server waits up to ten seconds and returns what is ready: repeat the call until ``complete``.
        Raises NotFinished, NotAllowed if the server has no thinking bots, LimitReached.
        """
        request = api.GetAnalysisRequest(name=self.name)
        return await self._calls.call(rpcs.GET_ANALYSIS, request, self._token, slow=ANALYSIS_S)

    async def entries(self, *, after: int = 0) -> Sequence[session_pb2.Entry]:
        """Read the entries of the log after the entry ``after``, as this handle may see them. 0: all entries.

        To follow the session without polling, use ``observe``. Raises SequenceAhead, NotAllowed.
        """
        request = api.ListEntriesRequest(name=self.name, after_sequence=arguments.whole("after", after, 0))
        entries: list[session_pb2.Entry] = []
        while True:
            page = await self._calls.call(rpcs.LIST_ENTRIES, request, self._token)
            entries += page.entries
            if not page.entries or page.entries[-1].sequence >= page.sequence:
                return entries
            request.after_sequence = page.entries[-1].sequence

    async def picture(
        self,
        *,
        sequence: int | None = None,
        format: PictureFormat = "svg",
        theme: Theme = "light",
        width: int | None = None,
        annotated: bool = False,
        language: str | None = None,
    ) -> bytes:
        """Read a picture of the position, as this handle may see it: a file.

        ``sequence``: as in ``position``. ``width``: 100 to 2,000 pixels, by default that of the drawing. ``annotated``:
        whether to show what follows from what this handle knows, such as the influence in each province. ``language``:
        the language of its words, such as ``de``; by default that of the client.
        Raises NotStarted in the lobby, NotAllowed, FormatUnsupported if the server draws no PNG.
        """
        request = api.GetPictureRequest(
            name=self.name,
            format=arguments.choice("format", format, get_args(PictureFormat)),
            theme=arguments.choice("theme", theme, get_args(Theme)),
            width=0 if width is None else arguments.whole("width", width, 100, 2_000),
            annotated=arguments.boolean("annotated", annotated),
            language=arguments.language(language),
        )
        if sequence is not None:
            request.sequence = arguments.whole("sequence", sequence, 1)
        return (await self._calls.call(rpcs.GET_PICTURE, request, self._token)).data

    async def animation(
        self, *, theme: Theme = "light", width: int | None = None, language: str | None = None
    ) -> bytes:
        """Read an animated picture of the finished game: an APNG file, which takes the server seconds to draw.

        Waits for it for a minute, or for the client's timeout if that is longer.

        ``width``: 100 to 800 pixels, by default 480. ``language``: as in ``picture``.
        Raises NotFinished, NotAllowed, FormatUnsupported.
        """
        request = api.GetReplayPictureRequest(
            name=self.name,
            theme=arguments.choice("theme", theme, get_args(Theme)),
            width=0 if width is None else arguments.whole("width", width, 100, 800),
            language=arguments.language(language),
        )
        return (await self._calls.call(rpcs.GET_REPLAY_PICTURE, request, self._token, slow=ANIMATION_S)).data

    async def text(self) -> str:
        """Read the position in words, as this handle may see it: a line for each subject, with the ids of moves.

        Raises NotStarted in the lobby, NotAllowed if this handle may not see the game.
        """
        request = api.GetPositionTextRequest(name=self.name)
        return (await self._calls.call(rpcs.GET_POSITION_TEXT, request, self._token)).text

    async def explain(self, target: str, *, chosen: Sequence[str] = ()) -> api.ExplainTargetResponse:
        """Read why this handle cannot play a place or piece of the scene now: ``text``, and the id of the ``rule``.

        ``chosen``: the ids that were touched before it, as in ``MovePath.ids``. Raises InvalidField for an unknown id,
        NotStarted, NotAllowed.
        """
        target = arguments.text("target", target, "the id of a place or piece")
        chosen = [arguments.text("chosen", one, "the id of a place or piece") for one in chosen]
        request = api.ExplainTargetRequest(name=self.name, target=target, chosen=chosen)
        return await self._calls.call(rpcs.EXPLAIN_TARGET, request, self._token)

    async def set_webhook(self, url: str, *, events: Collection[str] = ()) -> str:
        """Set the webhook of this handle and return the secret that signs its deliveries.

        ``url``: an address that the operator allows. An empty one removes the webhook, and the secret is empty.
        ``events``: some of ``"turn"``, ``"nudge"``, ``"deadline"``, ``"end"`` and ``"rematch"``. Default: all.
        A seat's webhook gets the events of that seat; with the host token, a table's webhook gets those of all seats.
        A new webhook replaces the previous one. Raises NotAllowed, InvalidField, GameOver.
        """
        wanted = arguments.events(events, arguments.EVENTS)
        names = [session_pb2.WebhookEvent.Value(f"WEBHOOK_EVENT_{name.upper()}") for name in wanted]
        request = api.SetWebhookRequest(name=self.name, url=url, events=names, request_id=self._calls.new_id())
        return (await self._calls.call(rpcs.SET_WEBHOOK, request, self._token)).secret

    async def read(self) -> api.GetSessionResponse:
        """Read the session in one call, with the position if this handle may see it.

        For a finished game, the response names the session of the rematch (``rematch``), if there is one.
        """
        return await self._read(api.GetSessionRequest(name=self.name))

    async def _read(self, request: api.GetSessionRequest) -> api.GetSessionResponse:
        response = await self._calls.call(rpcs.GET_SESSION, request, self._token)
        self._record(response, response.session.epoch)
        return response

    def _record(self, response: _WithPosition, epoch: str) -> None:
        """Keep the response's position unless a newer one of the same epoch is known."""
        stale = self._epoch == epoch and self._last is not None and self._last.sequence > response.position.sequence
        if response.HasField("position") and not stale:
            self._last = response.position
        if response.HasField("clocks"):
            self._clocks = response.clocks, time.monotonic()
        self._epoch = epoch
