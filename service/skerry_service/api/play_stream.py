"""Play: many seats and sessions over one bidirectional stream. Knows no transport.

One task reads requests. One task per session with pending acts makes these acts in order. When the client has taken the
last message, the stream collects updates of all sessions that have changed since, and sends them together. While an act
of a session is pending, its updates wait for the response. So no queue grows if a client does not read.

Each attachment has a task that opens its session and renders long updates. Otherwise it sleeps. The reading task stops
while there is no room.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from functools import partial
from time import perf_counter_ns
from typing import Any

from skerry.v1 import service_pb2 as pb
from skerry_service.api.error_table import is_refusal, status_of
from skerry_service.api.play_attachments import ActQueue, Attachment
from skerry_service.api.rendering import VIEWS, Renderer, is_long
from skerry_service.api.requests.request_checks import choice_of
from skerry_service.domain.errors import InvalidField, LimitReached, ShuttingDown, TokenMissing
from skerry_service.domain.languages.phrases import phrase
from skerry_service.telemetry.event_loop import EVENT_LOOP
from skerry_service.watching.streams import StreamReader, Update
from skerry_service.wire.serialized import Serialized
from skerry_service.wire.splice import message_field

Receive = Callable[[], Awaitable[pb.PlayRequest | None]]
"""Returns the next request, ``None`` after the last. Raises the refusal of a malformed one."""
Follow = Callable[[pb.PlayAttach], AbstractAsyncContextManager[StreamReader]]
"""Opens a stream reader for an attachment. Raises the refusals of Observe."""
OnClose = Callable[[Callable[[], None]], Callable[[], None]]
"""Registers a callback for the shutdown of the server. Returns a function that removes it."""
Act = Callable[[pb.PlayAct, pb.PlayAttach], Awaitable[int]]
"""Makes a move of an attachment. Returns the sequence after it. Raises the refusals of Act."""
OnRefused = Callable[[Exception], None]
"""Called with the refusal of an act or an attachment."""
OnActed = Callable[[float], None]
"""Called with the seconds from the arrival of an act to its response, stored or refused."""

MAX_ATTACHMENTS = 1024
MAX_ACTS = 64
"""The most pending acts of a stream. An act is pending until the client has taken its response."""
_MAX_READY = 256
"""The most updates that wait for the client. Then the stream reads no further requests."""
_MESSAGE_BYTES = 64 * 1024
"""The bytes of a message, unless one update is larger. Clients accept 4 MiB by default."""
_in_response = message_field(pb.PlayResponse, "updates")
_in_observed, _in_acted = message_field(pb.PlayUpdate, "observed"), message_field(pb.PlayUpdate, "acted")
_HINTS: Mapping[type[Exception], str] = {TokenMissing: "Attach the session with it."}
_log = logging.getLogger(__name__)


class _Batch:
    """Updates that are sent together."""

    __slots__ = ("responses", "size", "updates")

    def __init__(self) -> None:
        self.updates: list[bytes] = []
        """Serialized, as fields of a PlayResponse."""
        self.size = 0
        """The size of the updates in bytes."""
        self.responses = 0
        """The number of updates that are responses."""

    def messages(self) -> Iterator[bytes]:
        """Yield all updates in messages of a bounded size. A larger update has a message of its own."""
        if 0 < self.size <= _MESSAGE_BYTES:
            yield b"".join(self.updates)
            return
        begin = size = 0
        for end, update in enumerate(self.updates):
            if size and size + len(update) > _MESSAGE_BYTES:
                yield b"".join(self.updates[begin:end])
                begin, size = end, 0
            size += len(update)
        if size:
            yield b"".join(self.updates[begin:])


class Play:
    """One stream of Play."""

    def __init__(
        self,
        follow: Follow,
        renderer: Renderer,
        act: Act,
        on_close: OnClose,
        on_refused: OnRefused,
        on_acted: OnActed,
    ) -> None:
        self._on_refused = on_refused
        self._on_acted = on_acted
        self._follow = follow
        self._renderer = renderer
        self._act = act
        self._on_close = on_close
        self._attachments: dict[int, Attachment] = {}
        self._act_queues: dict[str, ActQueue] = {}
        """The pending acts by session."""
        self._idle: list[asyncio.Future[str]] = []
        """Idle tasks, each waiting for a session whose acts it makes."""
        self._batch = _Batch()
        self._notified: dict[Attachment, None] = {}
        """Attachments whose sessions have changed, in the order of the changes."""
        self._pending = self._open_attachments = 0
        """The number of requests without a taken response, and of attachments that can have further updates."""
        self._news, self._room = asyncio.Event(), asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._read_all = False
        self._refusal: Exception | None = None
        """The error with which the stream ends, after the responses to everything that was read."""

    async def messages(self, receive: Receive) -> AsyncGenerator[bytes, None]:
        """Yield serialized PlayResponses. Raises ShuttingDown, and the refusals of malformed requests."""
        reading = self._start(self._read(receive))
        unsubscribe = self._on_close(partial(self._stop, reading))
        try:
            while not self._is_over():
                await self._news.wait()
                self._news.clear()
                await self._collect_updates()
                batch, self._batch = self._batch, _Batch()
                for message in batch.messages():
                    yield message
                self._pending -= batch.responses
                self._room.set()
            if self._refusal is not None:
                raise self._refusal
        finally:
            unsubscribe()
            tasks = tuple(self._tasks)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _is_over(self) -> bool:
        if not self._read_all or self._pending or self._batch.updates:
            return False
        return self._refusal is not None or not self._open_attachments

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # ------------------------------------------------------------ reader

    async def _read(self, receive: Receive) -> None:
        """Read requests. A malformed one ends the stream, after the responses to the requests before it."""
        try:
            while (request := await receive()) is not None:
                for attach in request.attach:
                    await self._wait_for_room()
                    self._attach(attach)
                for act in request.acts:
                    if self._is_full:
                        await self._wait_for_room()
                    self._enqueue_act(act)
                for handle in request.detach:
                    self._detach(handle)
        except Exception as error:
            self._refusal = error
        finally:
            self._read_all = True
            self._news.set()

    def _stop(self, reading: asyncio.Task[None]) -> None:
        self._refusal = ShuttingDown()
        reading.cancel()
        self._read_all = True  # the task cannot set it if it has not begun
        self._news.set()

    @property
    def _is_full(self) -> bool:
        return self._pending >= MAX_ACTS or len(self._batch.updates) >= _MAX_READY

    async def _wait_for_room(self) -> None:
        while self._is_full:
            self._room.clear()
            await self._room.wait()

    def _attach(self, attach: pb.PlayAttach) -> None:
        if not attach.handle:
            raise InvalidField("handle", "Send a number that is not 0.")
        if attach.handle in self._attachments:
            raise InvalidField("handle", phrase("field-handle-used", handle=attach.handle))
        if len(self._attachments) >= MAX_ATTACHMENTS:
            error = LimitReached("attachments", phrase("limit-attachments", most=MAX_ATTACHMENTS))
            self._send_response(self._refused(attach.handle, error))
            return
        attachment = self._attachments[attach.handle] = Attachment(attach)
        self._open_attachments += 1
        attachment.task = self._start(self._run_attachment(attachment))
        attachment.task.add_done_callback(lambda _: self._end_attachment(attachment))

    def _enqueue_act(self, act: pb.PlayAct) -> None:
        """Enqueue an act after the pending acts of its session."""
        attachment = self._attachments.get(act.handle)
        if attachment is None:
            error = InvalidField("handle", phrase("field-handle-unknown", handle=act.handle))
            self._send_response(self._refused(act.handle, error, act))
            return
        self._pending += 1
        attachment.acts += 1
        queue = self._act_queues.get(attachment.session)
        if queue is None:
            queue = self._act_queues[attachment.session] = ActQueue()
            if self._idle:
                self._idle.pop().set_result(attachment.session)
            else:
                self._start(self._make_acts(attachment.session))
        queue.acts.append((attachment, act, EVENT_LOOP.readable_since_ns()))

    def _detach(self, handle: int) -> None:
        attachment = self._attachments.pop(handle, None)
        if attachment is not None and attachment.task is not None:
            attachment.task.cancel()

    # ------------------------------------------------------------ acting and following

    async def _make_acts(self, session: str) -> None:
        """Make the acts of a session, then those of another one: starting a task costs as much as checking a move."""
        while True:
            queue = self._act_queues[session]
            while queue.acts:
                attachment, act, arrived_ns = queue.acts.popleft()
                sequence = 0
                try:
                    sequence = await self._act(act, attachment.attach)
                    acted = pb.PlayActed(request_id=act.request_id, sequence=sequence)
                    update = attachment.prefix + _in_acted(acted.SerializeToString())
                except Exception as error:
                    update = self._refused(act.handle, error, act, attachment.attach).SerializeToString()
                self._on_acted((perf_counter_ns() - arrived_ns) / 1e9)
                attachment.add_response(sequence, update)
                self._release_responses(attachment)
                self._notified |= queue.notified
                queue.notified.clear()
                self._news.set()
            del self._act_queues[session]
            idle: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            self._idle.append(idle)
            session = await idle

    async def _run_attachment(self, attachment: Attachment) -> None:
        """Open the session, send its state and its long updates, and at last the end."""
        try:
            attachment.view = choice_of(attachment.attach, "view", VIEWS)
            async with self._follow(attachment.attach) as reader:
                attachment.reader = reader
                notify = partial(self._notify, attachment)
                reader.feed.add_listener(notify)
                try:
                    update: Update | None = reader.read()
                    while update is not None:
                        rendered = await self._renderer.render_update(update, reader.caller, attachment.view)
                        self._send_observed(attachment, update, rendered)
                        self._news.set()
                        if reader.over:
                            break
                        if reader.has_news:
                            self._notify(attachment)
                        update = await attachment.wait_for_update()
                finally:
                    reader.feed.remove_listener(notify)
            await attachment.wait_for_acts()  # the move that ended the game first
            self._send(pb.PlayUpdate(handle=attachment.attach.handle, ended=pb.PlayEnded()).SerializeToString())
        except ShuttingDown:
            pass  # the whole stream ends with it
        except Exception as error:
            self._send(self._refused(attachment.attach.handle, error, attach=attachment.attach).SerializeToString())

    def _notify(self, attachment: Attachment) -> None:
        """Note a change. If an act of the session is pending, send its update with the response, in one message."""
        queue = self._act_queues.get(attachment.session)
        if queue is not None:
            queue.notified[attachment] = None
        else:
            self._notified[attachment] = None
            self._news.set()

    async def _collect_updates(self) -> None:
        """Add the updates of changed sessions to the batch, as many as fit into one message."""
        for attachment in tuple(self._notified):
            if self._batch.size >= _MESSAGE_BYTES:
                break
            del self._notified[attachment]
            reader = attachment.reader
            if reader is not None and not attachment.is_busy:
                try:
                    update = reader.read()
                    rendered = self._renderer.render_now(update, reader.caller, attachment.view)
                    if rendered is None and not is_long(update):
                        rendered = await self._renderer.render_update(update, reader.caller, attachment.view)
                    if rendered is None:
                        attachment.hand_over(update)
                        continue
                    self._send_observed(attachment, update, rendered)
                    if reader.over:
                        attachment.hand_over(None)
                except Exception as error:
                    attachment.fail(error)
        if self._notified:
            self._news.set()

    def _send_observed(self, attachment: Attachment, update: Update, rendered: Serialized[Any]) -> None:
        self._send(attachment.prefix + rendered.encoded_with(_encode_observed))
        attachment.sent_sequence = update.table.sequence
        if attachment.responses:
            self._release_responses(attachment)

    def _end_attachment(self, attachment: Attachment) -> None:
        attachment.is_open, attachment.task = False, None
        self._open_attachments -= 1
        self._release_responses(attachment)
        self._news.set()

    # ------------------------------------------------------------ sending

    def _release_responses(self, attachment: Attachment) -> None:
        """Send the responses whose updates were sent, or will not come."""
        while attachment.responses and (
            attachment.responses[0][0] <= attachment.sent_sequence or not attachment.is_open
        ):
            self._send(attachment.responses.pop(0)[1])
            self._batch.responses += 1

    def _send_response(self, update: pb.PlayUpdate) -> None:
        self._send(update.SerializeToString())
        self._pending += 1
        self._batch.responses += 1
        self._news.set()

    def _refused(
        self, handle: int, error: Exception, act: pb.PlayAct | None = None, attach: pb.PlayAttach | None = None
    ) -> pb.PlayUpdate:
        """Return the refusal of an act, or without one, of the attachment."""
        if not is_refusal(error):
            _log.error("internal error", exc_info=error, extra={"messages": (act, attach)})
        self._on_refused(error)
        request_id = "" if act is None else act.request_id
        refused = pb.PlayRefused(act=act is not None, request_id=request_id, status=status_of(error, _HINTS))
        return pb.PlayUpdate(handle=handle, refused=refused)

    def _send(self, update: bytes) -> None:
        """Add a serialized update to the next batch."""
        field, batch = _in_response(update), self._batch
        batch.updates.append(field)
        batch.size += len(field)


def _encode_observed(rendered: Serialized[Any]) -> bytes:
    """Return a rendered update as a serialized ``PlayUpdate`` without its handle."""
    return _in_observed(rendered.serialized())
