"""Play: many seats and sessions over one stream in both directions. Knows no transport, and no session from inside.

One task reads; for each session with acts under way, one makes them, in order. What there is to tell is looked for when
the client has taken what was told before, at all sessions in which something has happened since, and is told together;
at a session where an act of the stream is under way, once that is made.
So nothing queues for a client that takes nothing. Each attachment has a task that opens its session, and tells what
takes long to write; until then it sleeps. The reader reads on when there is room.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any

from skerry.v1 import service_pb2 as pb
from skerry_service.api.error_table import is_refusal, status_of
from skerry_service.api.play_attachments import ActQueue, Attachment
from skerry_service.api.rendering import Renderer, is_long
from skerry_service.api.request_checks import choice_of
from skerry_service.domain.errors import InvalidField, LimitReached, ShuttingDown, TokenMissing
from skerry_service.watching.streams import StreamReader, Update
from skerry_service.wire.serialized import Serialized
from skerry_service.wire.splice import message_field

Receive = Callable[[], Awaitable[pb.PlayRequest | None]]
"""Returns the next request, ``None`` after the last. Raises the refusal of a malformed one."""
Follow = Callable[[pb.PlayAttach], AbstractAsyncContextManager[StreamReader]]
"""Enters a reader of a session for whoever attached it. Raises what Observe is refused with."""
AtClosing = Callable[[Callable[[], None]], Callable[[], None]]
"""Has something called when the server is about to stop, at once if it is; returns what takes that back."""
Act = Callable[[pb.PlayAct, pb.PlayAttach], Awaitable[int]]
"""Makes a move for whoever attached the session; returns the sequence that it came to. Raises what Act does."""
Refused = Callable[[Exception], None]
"""Is told of each act and each attachment that is refused, and why."""

MOST_ATTACHED = 1024
MOST_ACTS = 64
"""Acts of one stream under way at a time: until the client has taken their answers."""
_MOST_READY = 256
"""Updates that may wait for the client before nothing more is read from it."""
_ENOUGH = 64 * 1024
"""Bytes after which no other update goes into the same message. Clients take 4 MiB unless they ask for more."""
_VIEWS = (pb.POSITION_VIEW_FULL, pb.POSITION_VIEW_NONE, pb.POSITION_VIEW_TO_ACT)
_in_response = message_field(pb.PlayResponse, "updates")
_in_observed, _in_acted = message_field(pb.PlayUpdate, "observed"), message_field(pb.PlayUpdate, "acted")
_HOW: Mapping[type[Exception], str] = {TokenMissing: "Attach the session with it."}
_log = logging.getLogger(__name__)


class _Round:
    """What is told together."""

    __slots__ = ("answers", "size", "updates")

    def __init__(self) -> None:
        self.updates: list[bytes] = []
        """In wire format, as fields of a PlayResponse."""
        self.size = 0
        """Their bytes."""
        self.answers = 0
        """How many of the updates answer something."""

    def messages(self) -> Iterator[bytes]:
        """Yield all updates in messages of a bounded size; one that is larger has a message for itself."""
        if 0 < self.size <= _ENOUGH:
            yield b"".join(self.updates)
            return
        begin = size = 0
        for end, update in enumerate(self.updates):
            if size and size + len(update) > _ENOUGH:
                yield b"".join(self.updates[begin:end])
                begin, size = end, 0
            size += len(update)
        if size:
            yield b"".join(self.updates[begin:])


class Play:
    """One stream."""

    def __init__(
        self, follow: Follow, renderer: Renderer, act: Act, at_closing: AtClosing, on_refused: Refused
    ) -> None:
        self._on_refused = on_refused
        self._follow = follow
        self._renderer = renderer
        self._act = act
        self._at_closing = at_closing
        self._attached: dict[int, Attachment] = {}
        self._lanes: dict[str, ActQueue] = {}
        """By session, while there are acts to be made."""
        self._idle: list[asyncio.Future[str]] = []
        """Tasks that could make some, each waiting for a session."""
        self._round = _Round()
        self._rung: dict[Attachment, None] = {}
        """Attachments in whose sessions something has happened, in that order."""
        self._under_way = self._following = 0
        """What has yet to be answered; attachments that may be told more."""
        self._news, self._room = asyncio.Event(), asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._all_read = False
        self._refusal: Exception | None = None
        """What the stream ends with, once all that was read is answered."""

    async def messages(self, receive: Receive) -> AsyncGenerator[bytes, None]:
        """Yield PlayResponses in wire format. Raises ShuttingDown, and the refusals of malformed requests."""
        reader = self._start(self._read(receive))
        hear_no_more = self._at_closing(partial(self._stop, reader))
        try:
            while not self._is_over():
                await self._news.wait()
                self._news.clear()
                await self._look_round()
                told, self._round = self._round, _Round()
                for message in told.messages():
                    yield message
                self._under_way -= told.answers
                self._room.set()
            if self._refusal is not None:
                raise self._refusal
        finally:
            hear_no_more()
            tasks = tuple(self._tasks)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _is_over(self) -> bool:
        if not self._all_read or self._under_way or self._round.updates:
            return False
        return self._refusal is not None or not self._following

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # ------------------------------------------------------------ reading

    async def _read(self, receive: Receive) -> None:
        """Take in what the client says. What is malformed ends the stream, after the answers to what came before."""
        try:
            while (request := await receive()) is not None:
                for attach in request.attach:
                    await self._has_room()
                    self._attach(attach)
                for act in request.acts:
                    if self._is_full:
                        await self._has_room()
                    self._begin(act)
                for handle in request.detach:
                    self._detach(handle)
        except Exception as error:
            self._refusal = error
        finally:
            self._all_read = True
            self._news.set()

    def _stop(self, reader: asyncio.Task[None]) -> None:
        self._refusal = ShuttingDown()
        reader.cancel()
        self._all_read = True  # it cannot say so itself if it has not begun
        self._news.set()

    @property
    def _is_full(self) -> bool:
        return self._under_way >= MOST_ACTS or len(self._round.updates) >= _MOST_READY

    async def _has_room(self) -> None:
        while self._is_full:
            self._room.clear()
            await self._room.wait()

    def _attach(self, attach: pb.PlayAttach) -> None:
        if not attach.handle:
            raise InvalidField("handle", "Choose a number that is not 0.")
        if attach.handle in self._attached:
            raise InvalidField("handle", f"Something is attached under {attach.handle} already.")
        if len(self._attached) >= MOST_ATTACHED:
            error = LimitReached("attachments", f"A stream has at most {MOST_ATTACHED} attachments.")
            self._answer_at_once(self._refused(attach.handle, error))
            return
        one = self._attached[attach.handle] = Attachment(attach)
        self._following += 1
        one.task = self._start(self._go_along(one))
        one.task.add_done_callback(lambda _: self._go_no_further(one))

    def _begin(self, act: pb.PlayAct) -> None:
        """Have the act made, after those of its session that came before."""
        one = self._attached.get(act.handle)
        if one is None:
            error = InvalidField("handle", f"Nothing is attached under {act.handle}.")
            self._answer_at_once(self._refused(act.handle, error, act))
            return
        self._under_way += 1
        one.acts += 1
        lane = self._lanes.get(one.session)
        if lane is None:
            lane = self._lanes[one.session] = ActQueue()
            if self._idle:
                self._idle.pop().set_result(one.session)
            else:
                self._start(self._work(one.session))
        lane.acts.append((one, act))

    def _detach(self, handle: int) -> None:
        one = self._attached.pop(handle, None)
        if one is not None and one.task is not None:
            one.task.cancel()

    # ------------------------------------------------------------ acting and following

    async def _work(self, session: str) -> None:
        """Make the acts of a session, then those of another: to begin a task costs as much as to decide on a move."""
        while True:
            lane = self._lanes[session]
            while lane.acts:
                one, act = lane.acts.popleft()
                sequence = 0
                try:
                    sequence = await self._act(act, one.attach)
                    acted = pb.PlayActed(request_id=act.request_id, sequence=sequence)
                    update = one.prefix + _in_acted(acted.SerializeToString())
                except Exception as error:
                    update = self._refused(act.handle, error, act, one.attach).SerializeToString()
                one.answer(sequence, update)
                self._release(one)
                self._rung |= lane.rung
                lane.rung.clear()
                self._news.set()
            del self._lanes[session]
            idle: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            self._idle.append(idle)
            session = await idle

    async def _go_along(self, one: Attachment) -> None:
        """Open the session, tell how it stands, and then what takes long to write; at last, that it is over."""
        try:
            one.view = choice_of(one.attach, "view", _VIEWS)
            async with self._follow(one.attach) as reading:
                one.reading = reading
                hearer = partial(self._ring, one)
                reading.feed.add_listener(hearer)
                try:
                    update: Update | None = reading.read()
                    while update is not None:
                        self._observed(
                            one, update, await self._renderer.render_update(update, reading.caller, one.view)
                        )
                        self._news.set()
                        if reading.over:
                            break
                        if reading.has_news:
                            self._ring(one)
                        update = await one.handed()
                finally:
                    reading.feed.remove_listener(hearer)
            await one.answered()  # the move that ended the game first
            self._tell(pb.PlayUpdate(handle=one.attach.handle, ended=pb.PlayEnded()).SerializeToString())
        except ShuttingDown:
            pass  # so it is for the whole stream
        except Exception as error:
            self._tell(self._refused(one.attach.handle, error, attach=one.attach).SerializeToString())

    def _ring(self, one: Attachment) -> None:
        """Have it looked at; once the act is made that is under way, if one is: a message costs more than an update."""
        lane = self._lanes.get(one.session)
        if lane is not None:
            lane.rung[one] = None
        else:
            self._rung[one] = None
            self._news.set()

    async def _look_round(self) -> None:
        """Tell what has happened, as much as goes into one message: then others have their turn."""
        for one in tuple(self._rung):
            if self._round.size >= _ENOUGH:
                break
            del self._rung[one]
            reading = one.reading
            if reading is not None and not one.is_busy:
                try:
                    update = reading.read()
                    told = self._renderer.render_now(update, reading.caller, one.view)
                    if told is None and not is_long(update):
                        told = await self._renderer.render_update(update, reading.caller, one.view)
                    if told is None:
                        one.hand(update)
                        continue
                    self._observed(one, update, told)
                    if reading.over:
                        one.hand(None)
                except Exception as error:
                    one.fail(error)
        if self._rung:
            self._news.set()

    def _observed(self, one: Attachment, update: Update, told: Serialized[Any]) -> None:
        self._tell(one.prefix + told.encoded_with(_as_observed))
        one.told = update.table.sequence
        if one.answers:
            self._release(one)

    def _go_no_further(self, one: Attachment) -> None:
        one.follows = False
        self._following -= 1
        self._release(one)
        self._news.set()

    # ------------------------------------------------------------ telling

    def _release(self, one: Attachment) -> None:
        """Tell the answers whose updates have been told, or will not come."""
        while one.answers and (one.answers[0][0] <= one.told or not one.follows):
            self._tell(one.answers.pop(0)[1])
            self._round.answers += 1

    def _answer_at_once(self, update: pb.PlayUpdate) -> None:
        self._tell(update.SerializeToString())
        self._under_way += 1
        self._round.answers += 1
        self._news.set()

    def _refused(
        self, handle: int, error: Exception, act: pb.PlayAct | None = None, attach: pb.PlayAttach | None = None
    ) -> pb.PlayUpdate:
        """Return the refusal of an act, without one of the attachment."""
        if not is_refusal(error):
            _log.error("internal error", exc_info=error, extra={"messages": (act, attach)})
        self._on_refused(error)
        request_id = "" if act is None else act.request_id
        refused = pb.PlayRefused(act=act is not None, request_id=request_id, status=status_of(error, _HOW))
        return pb.PlayUpdate(handle=handle, refused=refused)

    def _tell(self, update: bytes) -> None:
        """Put an update, in wire format, to what is told next, which is when there is news."""
        field, round_ = _in_response(update), self._round
        round_.updates.append(field)
        round_.size += len(field)


def _as_observed(told: Serialized[Any]) -> bytes:
    """Write what is told to all who see the same as the part of an update."""
    return _in_observed(told.serialized())
