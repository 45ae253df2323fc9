"""The Play stream of a client. All its seats in one cell are followed and played over this stream.

There are no retries here. When the stream breaks, ``calls`` attaches again, and repeats an unanswered act as a unary
call under the same request id.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from itertools import count

import grpc

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_client import status
from skerry_client.errors import ConnectionLost, SkerryError, Unavailable
from skerry_client.transport import Exchange
from skerry_client.transport.call_headers import cell_of

_MOST_ATTACHED = 1000
"""The most handles on one stream; a server allows 1024. The client opens another stream for more."""
_MOST_PER_REQUEST = 64
"""The most commands in one request, far below the server's size limit."""

_Key = tuple[str, str | None]
"""A session's name and a token."""


class PlayStreams:
    """The Play streams of a client, opened on demand."""

    def __init__(self, open_stream: Callable[[str], Exchange]) -> None:
        """``open_stream``: opens a stream to a cell; an empty text for sessions whose names have none."""
        self._open = open_stream
        self._streams: list[_Stream] = []
        self._attached: dict[_Key, tuple[_Stream, _Attached]] = {}
        self.supported = True
        """Whether the server supports Play. True until the server rejects it."""
        self.works = False
        """Whether the server has ever responded on a stream."""

    async def observe(
        self, request: api.ObserveRequest, token: str | None
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        """Follow a session as Observe does. A slow reader gets only the newest message.

        Raises SkerryError, and sets ``supported`` to False if the server does not support Play.
        """
        stream, key = self._stream_with_room(cell_of(request.name)), (request.name, token)
        attached = stream.attach(request, token)
        self._attached[key] = stream, attached
        try:
            while (message := await attached.next()) is not None:
                self.works = True
                yield message
        except SkerryError as error:
            if error.code is grpc.StatusCode.UNIMPLEMENTED:
                self.supported = False
            raise
        finally:
            if self._attached.get(key) == (stream, attached):
                del self._attached[key]
            stream.detach(attached)

    async def act(self, request: api.ActRequest, token: str, timeout: float) -> api.ActResponse | None:
        """Make a move of a seat that a stream follows. Raises the errors of Act.

        Returns ``None`` if no stream follows the seat, or if the result of the move is unknown.
        """
        stream, attached = self._attached.get((request.name, token), (None, None))
        if stream is None or attached is None or stream.broken:
            return None
        act = _PendingAct(request.validate_only)
        attached.acts[request.request_id] = act
        stream.send(
            api.PlayAct(
                handle=attached.handle,
                move=request.move,
                expected_sequence=request.expected_sequence,
                request_id=request.request_id,
                validate_only=request.validate_only,
                sent_ms=request.sent_ms if request.HasField("sent_ms") else None,
            )
        )
        try:
            async with asyncio.timeout(timeout):
                return await act.response
        except TimeoutError:
            return None
        finally:
            attached.acts.pop(request.request_id, None)

    def close(self) -> None:
        """End all streams."""
        for stream in self._streams:
            stream.end(RuntimeError("this client was closed during the call"))

    def _stream_with_room(self, cell: str) -> _Stream:
        self._streams = [stream for stream in self._streams if not stream.broken]
        for stream in self._streams:
            if stream.cell == cell and stream.attached < _MOST_ATTACHED:
                return stream
        self._streams.append(_Stream(self._open(cell), cell))
        return self._streams[-1]


class _PendingAct:
    """An act that waits for its response."""

    def __init__(self, validate_only: bool) -> None:
        self.validate_only = validate_only
        self.entries: list[session_pb2.Entry] = []
        """All entries received since the act was sent."""
        self.response: asyncio.Future[api.ActResponse | None] = asyncio.get_running_loop().create_future()

    def settle(self, response: api.ActResponse | None) -> None:
        if not self.response.done():
            self.response.set_result(response)


class _Attached:
    """A session or seat that a stream follows under a handle."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        self.acts: dict[str, _PendingAct] = {}
        """By request id."""
        self._newest: api.ObserveResponse | None = None
        self._last = api.ObserveResponse()
        self._over = False
        self._error: Exception | None = None
        self._news = asyncio.Event()

    async def next(self) -> api.ObserveResponse | None:
        """Return the newest message, once; ``None`` after the last."""
        while self._newest is None:
            if self._error is not None:
                raise self._error
            if self._over:
                return None
            self._news.clear()
            await self._news.wait()
        message, self._newest = self._newest, None
        return message

    def receive(self, update: api.PlayUpdate) -> None:
        """Handle an update of the server."""
        kind = update.WhichOneof("kind")
        if kind == "observed":
            self._observe(update.observed)
        elif kind == "acted":
            if act := self.acts.get(update.acted.request_id):
                act.settle(self._response(act, update.acted.sequence))
        elif kind == "refused" and update.refused.act:
            if act := self.acts.get(update.refused.request_id):
                _reject(act, status.from_status(update.refused.status))
        elif kind == "refused":
            self.fail(status.from_status(update.refused.status))
        elif kind == "ended":
            self._over = True
            self._news.set()

    def _observe(self, message: api.ObserveResponse) -> None:
        for act in self.acts.values():
            act.entries.extend(message.entries)
        if not message.heartbeat:
            self._last = message
        if not (message.heartbeat and self._newest):
            self._newest = message
        self._news.set()

    def _response(self, act: _PendingAct, sequence: int) -> api.ActResponse | None:
        """Return the response that Act would have; ``None`` if the stream did not bring all of it."""
        last = self._last
        if act.validate_only:
            return api.ActResponse(sequence=sequence, epoch=last.epoch)
        if last.position.sequence < sequence:
            return None
        entries = [entry for entry in act.entries if entry.sequence <= sequence]
        own = [index for index, entry in enumerate(entries) if _is_move_of(entry, last.position.seat)]
        if not own or entries[-1].sequence != sequence:
            return None
        return api.ActResponse(sequence=sequence, entries=entries[own[-1] :], position=last.position, epoch=last.epoch)

    def fail(self, error: Exception) -> None:
        """End with an error. The results of pending acts are unknown."""
        self._error = error
        self._news.set()
        for act in self.acts.values():
            act.settle(None)


class _Stream:
    """One Play stream, open or broken."""

    def __init__(self, exchange: Exchange, cell: str) -> None:
        self._exchange = exchange
        self.cell = cell
        """The cell that serves it."""
        self._handles = count(1)
        self._attached: dict[int, _Attached] = {}
        self._outgoing: list[api.PlayAttach | api.PlayAct | int] = []
        """Commands to send. A number is a handle to detach."""
        self._news = asyncio.Event()
        self.broken = False
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._read()), loop.create_task(self._write())]

    def attach(self, request: api.ObserveRequest, token: str | None) -> _Attached:
        """Follow a session from now on."""
        attached = _Attached(next(self._handles))
        self._attached[attached.handle] = attached
        attach = api.PlayAttach(handle=attached.handle, name=request.name, token=token or "", view=request.view)
        if request.HasField("after_sequence"):
            attach.after_sequence = request.after_sequence
        self.send(attach)
        return attached

    def detach(self, attached: _Attached) -> None:
        """Stop following. The stream ends with its last handle."""
        self._attached.pop(attached.handle, None)
        attached.fail(ConnectionLost("the client no longer follows the session"))
        if self._attached:
            self.send(attached.handle)
        else:
            self.end(ConnectionLost("the stream has ended"))

    @property
    def attached(self) -> int:
        """The number of handles."""
        return len(self._attached)

    def send(self, command: api.PlayAttach | api.PlayAct | int) -> None:
        """Queue a command. The stream sends queued commands in one request."""
        self._outgoing.append(command)
        self._news.set()

    def end(self, error: Exception) -> None:
        """Cancel the stream."""
        self.broken = True
        for attached in self._attached.values():
            attached.fail(error)
        self._exchange.cancel()
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()

    async def _read(self) -> None:
        try:
            while (response := await self._exchange.read()) is not None:
                for update in response.updates:
                    if attached := self._attached.get(update.handle):
                        attached.receive(update)
            self.end(ConnectionLost("the server has ended the stream"))
        except Exception as error:
            self.end(error)

    async def _write(self) -> None:
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                while commands := self._outgoing[:_MOST_PER_REQUEST]:
                    del self._outgoing[:_MOST_PER_REQUEST]
                    await self._exchange.write(_request(commands))
        except SkerryError:
            pass  # the reading task reports the error


def _request(commands: list[api.PlayAttach | api.PlayAct | int]) -> api.PlayRequest:
    return api.PlayRequest(
        attach=[command for command in commands if isinstance(command, api.PlayAttach)],
        acts=[command for command in commands if isinstance(command, api.PlayAct)],
        detach=[command for command in commands if isinstance(command, int)],
    )


def _reject(act: _PendingAct, error: SkerryError) -> None:
    """Raise the error in the caller of the act. An Unavailable act counts as unanswered, so that it is repeated."""
    if isinstance(error, Unavailable):
        act.settle(None)
    elif not act.response.done():
        act.response.set_exception(error)


def _is_move_of(entry: session_pb2.Entry, seat: int) -> bool:
    return entry.HasField("moved") and entry.HasField("seat") and entry.seat == seat and not entry.automatic
