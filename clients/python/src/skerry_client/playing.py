"""The Play stream of a client, over which its seats are played and followed together while it stands.

It knows no patience: whoever follows attaches again when it breaks (``calls``), and an act that it does not answer is
repeated by itself, under the same request id.
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

_MOST_ATTACHED = 1000
"""On one stream; a server takes 1024. More seats have another one."""
_MOST_AT_ONCE = 64
"""Things said in one request: far below the size that a server takes."""

_Key = tuple[str, str | None]
"""A session's name and a token."""


class Playing:
    """Follows and acts over a stream that is opened when it is needed."""

    def __init__(self, open_stream: Callable[[], Exchange]) -> None:
        self._open = open_stream
        self._streams: list[_Stream] = []
        self._attached: dict[_Key, tuple[_Stream, _Attached]] = {}
        self.offered = True
        """Whether the server is not known to have no Play."""

    async def observe(
        self, request: api.ObserveRequest, token: str | None
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        """Follow a session as Observe does; a reader that comes late gets the newest message alone.

        Raises SkerryError; ``offered`` is false then if the server has no Play.
        """
        stream, key = self._with_room(), (request.name, token)
        attached = stream.attach(request, token)
        self._attached[key] = stream, attached
        try:
            while (message := await attached.next()) is not None:
                yield message
        except SkerryError as error:
            if error.code is grpc.StatusCode.UNIMPLEMENTED:
                self.offered = False
            raise
        finally:
            if self._attached.get(key) == (stream, attached):
                del self._attached[key]
            stream.detach(attached)

    async def act(self, request: api.ActRequest, token: str, timeout: float) -> api.ActResponse | None:
        """Make a move of a seat that is followed here. Raises what Act is refused with.

        ``None`` where this cannot be done, or where it is not known whether it was done.
        """
        stream, attached = self._attached.get((request.name, token), (None, None))
        if stream is None or attached is None or stream.broken:
            return None
        act = _Act(request.validate_only)
        attached.acts[request.request_id] = act
        stream.say(
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
                return await act.answer
        except TimeoutError:
            return None
        finally:
            attached.acts.pop(request.request_id, None)

    def close(self) -> None:
        """End what goes on."""
        for stream in self._streams:
            stream.end(RuntimeError("this client was closed during the call"))

    def _with_room(self) -> _Stream:
        self._streams = [stream for stream in self._streams if not stream.broken]
        for stream in self._streams:
            if stream.attached < _MOST_ATTACHED:
                return stream
        self._streams.append(_Stream(self._open()))
        return self._streams[-1]


class _Act:
    """An act that waits for its answer."""

    def __init__(self, validate_only: bool) -> None:
        self.validate_only = validate_only
        self.entries: list[session_pb2.Entry] = []
        """All that were told since it was sent."""
        self.answer: asyncio.Future[api.ActResponse | None] = asyncio.get_running_loop().create_future()

    def settle(self, answer: api.ActResponse | None) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)


class _Attached:
    """A seat or a session under its handle."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        self.acts: dict[str, _Act] = {}
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

    def hear(self, update: api.PlayUpdate) -> None:
        """Take in what it is told."""
        kind = update.WhichOneof("kind")
        if kind == "observed":
            self._observe(update.observed)
        elif kind == "acted":
            if act := self.acts.get(update.acted.request_id):
                act.settle(self._answer(act, update.acted.sequence))
        elif kind == "refused" and update.refused.act:
            if act := self.acts.get(update.refused.request_id):
                _refuse(act, status.from_status(update.refused.status))
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

    def _answer(self, act: _Act, sequence: int) -> api.ActResponse | None:
        """Return what Act would answer; ``None`` if not all of it was told here."""
        last = self._last
        if act.validate_only:
            return api.ActResponse(sequence=sequence, epoch=last.epoch)
        if last.position.sequence < sequence:
            return None
        entries = [entry for entry in act.entries if entry.sequence <= sequence]
        own = [at for at, entry in enumerate(entries) if _is_move_of(entry, last.position.seat)]
        if not own or entries[-1].sequence != sequence:
            return None
        return api.ActResponse(sequence=sequence, entries=entries[own[-1] :], position=last.position, epoch=last.epoch)

    def fail(self, error: Exception) -> None:
        """Be told nothing more. What has become of its acts is not known here."""
        self._error = error
        self._news.set()
        for act in self.acts.values():
            act.settle(None)


class _Stream:
    """A stream that stands, or has broken."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._handles = count(1)
        self._attached: dict[int, _Attached] = {}
        self._said: list[api.PlayAttach | api.PlayAct | int] = []
        """What to send. A number: a handle to be detached."""
        self._news = asyncio.Event()
        self.broken = False
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._read()), loop.create_task(self._write())]

    def attach(self, request: api.ObserveRequest, token: str | None) -> _Attached:
        """Follow a session from now on."""
        attached = _Attached(next(self._handles))
        self._attached[attached.handle] = attached
        after = request.after_sequence if request.HasField("after_sequence") else None
        self.say(api.PlayAttach(handle=attached.handle, name=request.name, token=token or "", after_sequence=after))
        return attached

    def detach(self, attached: _Attached) -> None:
        """Follow it no more. The last one ends the stream."""
        self._attached.pop(attached.handle, None)
        attached.fail(ConnectionLost("the session is followed no more"))
        if self._attached:
            self.say(attached.handle)
        else:
            self.end(ConnectionLost("the stream has ended"))

    @property
    def attached(self) -> int:
        """How many follow."""
        return len(self._attached)

    def say(self, one: api.PlayAttach | api.PlayAct | int) -> None:
        """Send it, with all that is said in the same moment."""
        self._said.append(one)
        self._news.set()

    def end(self, error: Exception) -> None:
        """Break the stream off."""
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
                        attached.hear(update)
            self.end(ConnectionLost("the server has ended the stream"))
        except Exception as error:
            self.end(error)

    async def _write(self) -> None:
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                while said := self._said[:_MOST_AT_ONCE]:
                    del self._said[:_MOST_AT_ONCE]
                    await self._exchange.write(_request(said))
        except SkerryError:
            pass  # reading tells why


def _request(said: list[api.PlayAttach | api.PlayAct | int]) -> api.PlayRequest:
    return api.PlayRequest(
        attach=[one for one in said if isinstance(one, api.PlayAttach)],
        acts=[one for one in said if isinstance(one, api.PlayAct)],
        detach=[one for one in said if isinstance(one, int)],
    )


def _refuse(act: _Act, error: SkerryError) -> None:
    """Raise it where the act is awaited; one that says that a repeat can help has it repeated."""
    if isinstance(error, Unavailable):
        act.settle(None)
    elif not act.answer.done():
        act.answer.set_exception(error)


def _is_move_of(entry: session_pb2.Entry, seat: int) -> bool:
    return entry.HasField("moved") and entry.HasField("seat") and entry.seat == seat and not entry.automatic
