"""gRPC calls on streams of HTTP/2: each runs its RPC's endpoint, in one task."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, TypeVar

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from skerry_service.access.client_addresses import API_KEY, IDENTITY, PEER_HEADERS, Peer, peer_of
from skerry_service.access.identity.identity_errors import IdentityMissing
from skerry_service.api.endpoint import Endpoint
from skerry_service.api.requests.request_checks import LARGEST_REQUEST, token_of
from skerry_service.domain.errors import ApiKeyMissing, TokenMissing
from skerry_service.edge.framing.call_status import call_status, grpc_trailers
from skerry_service.edge.framing.compression import is_compressed
from skerry_service.edge.framing.deadlines import CallTimedOut, grpc_timeout
from skerry_service.edge.framing.envelopes import PREFIX_BYTES, envelope
from skerry_service.edge.framing.transport_refusals import MessageTooLarge, TransportRefusal
from skerry_service.edge.framing.wire_messages import parse_message
from skerry_service.edge.grpc.messages import MessageReader, RequestOverdue, compressed_envelope, only_message
from skerry_service.edge.http2.engine import Headers
from skerry_service.edge.http2.stream import Http2Stream, StreamClosed
from skerry_service.wire.caller_language import (
    ACCEPT_LANGUAGE,
    CONTENT_LANGUAGE,
    SENTENCES,
    caller_language,
    enter_wording,
    says_language,
)
from skerry_service.wire.serialized import Serialized

T = TypeVar("T")

HINTS: Mapping[type[Exception], str] = {
    TokenMissing: "Send it as the metadata 'authorization: Bearer <token>'.",
    ApiKeyMissing: f"Send it as the metadata '{API_KEY}: <key>'.",
    IdentityMissing: f"Send it as the metadata '{IDENTITY}: <token>'.",
}
"""What gRPC adds to the messages of errors."""
_AUTHORIZATION, _TIMEOUT, _ENCODING = b"authorization", b"grpc-timeout", b"grpc-encoding"
_LANGUAGE, _CONTENT_LANGUAGE, _SENTENCES = ACCEPT_LANGUAGE.encode(), CONTENT_LANGUAGE.encode(), SENTENCES.encode()
_KEPT = PEER_HEADERS | {_AUTHORIZATION}
HEAD = ((b":status", b"200"), (b"content-type", b"application/grpc"), (b"grpc-accept-encoding", b"identity,gzip"))
"""The headers of every response."""
_OK = ((b"grpc-status", b"0"),)
_GZIP_HEAD = (*HEAD, (b"grpc-encoding", b"gzip"))
_PATIENCE = 0.05
"""Seconds that a call in both directions waits for its first request. If a refusal overtakes the request, grpcio
reports an internal error of its own, because it can no longer send."""


@dataclass(frozen=True, slots=True)
class GrpcMethod:
    """An RPC that calls name by its path."""

    rpc: str
    endpoint: Endpoint
    request_type: type[Message]
    call: type[GrpcCall]


def methods_of(endpoint: Endpoint) -> Mapping[bytes, GrpcMethod]:
    """Return the RPCs of an endpoint by path."""
    service = endpoint.service
    return {f"/{service.full_name}/{rpc.name}".encode(): _method(rpc, endpoint) for rpc in service.methods}


def _method(rpc: MethodDescriptor, endpoint: Endpoint) -> GrpcMethod:
    kind = ExchangeCall if rpc.client_streaming else StreamCall if rpc.server_streaming else UnaryCall
    return GrpcMethod(rpc.name, endpoint, GetMessageClass(rpc.input_type), kind)


class GrpcCall:
    """One call. Answers compressed if its client compresses its requests."""

    __slots__ = ("_compresses", "_deadline", "_headers", "_language", "_method", "_sentences", "_stream", "_task")

    def __init__(self, stream: Http2Stream, method: GrpcMethod, headers: Headers) -> None:
        self._stream = stream
        self._method = method
        self._headers = headers
        self._task: asyncio.Task[None] | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._compresses = False
        self._language: bytes | None = None
        self._sentences: bytes | None = None
        timeout = None
        for name, value in headers:
            if name == _TIMEOUT:
                timeout = grpc_timeout(value)
            elif name == _ENCODING:
                self._compresses = is_compressed(value)
            elif name == _LANGUAGE:
                self._language = value
            elif name == _SENTENCES:
                self._sentences = value
        if timeout is not None:  # one timer, and none for a call that a header refuses, since only ``closed`` stops it
            self._deadline = asyncio.get_running_loop().call_later(timeout, self._exceed_deadline)

    def received(self, data: bytes, *, ended: bool) -> None:
        """Handle a part of the request's body."""
        raise NotImplementedError

    def request_overdue(self, seconds: float) -> None:
        """End a call whose request does not arrive."""
        self.fail(RequestOverdue(seconds))

    def closed(self) -> None:
        """Cancel the call if it still runs."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        task, self._task = self._task, None  # each refers to the other, so nothing would free them at once
        if task is not None and not self._stream.response_ended:
            task.cancel()

    def fail(self, error: Exception) -> None:
        """End the call with the status of an error, and cancel its work."""
        self._fail_with(error)
        if self._task is not None:
            self._task.cancel()

    def _exceed_deadline(self) -> None:
        self._deadline = None
        if not self._stream.response_ended:
            self.fail(CallTimedOut())

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        if self._language is None and self._sentences is None:
            self._task = self._stream.run(work)
            return
        context = copy_context()
        context.run(enter_wording, self._language, self._sentences)
        self._task = context.run(self._stream.run, work)

    def _fail_with(self, error: Exception) -> None:
        """End the call with the status of an error."""
        self._end(grpc_trailers(call_status(error, HINTS)))

    def _head(self, head: Headers) -> Headers:
        """Return the headers of the response, with its language for a caller that accepts or names one."""
        if not says_language(accepts=self._language is not None):
            return head
        return (*head, (_CONTENT_LANGUAGE, caller_language().encode()))

    def _end(self, trailers: Headers) -> None:
        if self._stream.response_ended:
            return
        if self._stream.response_begun:
            self._stream.end(trailers)
        else:
            self._stream.send_headers((*self._head(HEAD), *trailers), end=True)

    def _write(self, message: bytes) -> None:
        """Send a message. Wait before the next one if the stream ``is_full``."""
        if not self._stream.response_begun:
            self._stream.send_headers(self._head(_GZIP_HEAD if self._compresses else HEAD))
        self._stream.send(compressed_envelope(message) if self._compresses else envelope(message))

    async def _send_all(
        self, opened: AbstractAsyncContextManager[AsyncIterator[T]], serialized: Callable[[T], bytes]
    ) -> None:
        """Send the messages of a stream, and its status."""
        try:
            async with opened as messages:
                async for message in messages:
                    self._write(serialized(message))
                    if self._stream.is_full:
                        await self._stream.drain()
        except StreamClosed:
            return
        except Exception as error:
            self._fail_with(error)
            return
        self._end(_OK)

    def _forget_headers(self) -> None:
        """Keep only the headers that a stream may still need, since it lives long."""
        forgotten = [header for header in self._headers if header[0] not in _KEPT]
        self._headers = tuple(header for header in self._headers if header[0] in _KEPT)
        self._stream.release(sum(len(name) + len(value) for name, value in forgotten))

    def _token(self) -> str | None:
        return token_of([value for name, value in self._headers if name == _AUTHORIZATION])

    def _peer(self) -> Peer:
        return peer_of(self._stream.facts.client, self._headers)


class UnaryCall(GrpcCall):
    """A call with one request. Its class is that of unary RPCs, whose answer is sent with one write."""

    __slots__ = ("_body",)

    def __init__(self, stream: Http2Stream, method: GrpcMethod, headers: Headers) -> None:
        super().__init__(stream, method, headers)
        self._body = b""

    def received(self, data: bytes, *, ended: bool) -> None:
        """Collect the request's body; begin the call at its end."""
        self._stream.consume(len(data))
        self._body = self._body + data if self._body else data
        if len(self._body) > PREFIX_BYTES + LARGEST_REQUEST:
            self.fail(MessageTooLarge(LARGEST_REQUEST))
        elif ended:
            try:
                self._body = only_message(self._body, declares_gzip=self._compresses)
            except TransportRefusal as error:
                self._fail_with(error)
            else:
                self._run(self._answer())

    async def _answer(self) -> None:
        try:
            answer = (await self._method.endpoint.answer(self._method.rpc, self._read, self._peer)).serialized()
        except Exception as error:
            self._fail_with(error)
            return
        if self._compresses:
            self._stream.respond(self._head(_GZIP_HEAD), compressed_envelope(answer), _OK)
        else:
            self._stream.respond(self._head(HEAD), envelope(answer), _OK)

    def _read(self) -> tuple[Message, str | None]:
        request, self._body = parse_message(self._method.request_type, self._body), b""
        return request, self._token()


class StreamCall(UnaryCall):
    """A call with one request and a stream of answers."""

    __slots__ = ()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        self._forget_headers()
        super()._run(work)

    def _answer(self) -> Coroutine[Any, Any, None]:
        opened = self._method.endpoint.stream(self._method.rpc, self._read, self._peer)
        return self._send_all(opened, Serialized.serialized)


class ExchangeCall(GrpcCall):
    """A call that streams in both directions. The client's window opens as the call takes its requests."""

    __slots__ = ("_ended", "_reader", "_starting", "_waiter")

    def __init__(self, stream: Http2Stream, method: GrpcMethod, headers: Headers) -> None:
        super().__init__(stream, method, headers)
        self._forget_headers()
        self._reader = MessageReader(declares_gzip=self._compresses)
        self._ended = False
        self._waiter: asyncio.Future[None] | None = None
        self._starting: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(_PATIENCE, self._start)

    def received(self, data: bytes, *, ended: bool) -> None:
        """Keep the requests until the call takes them."""
        try:
            self._reader.feed(data)
            if ended:
                self._reader.require_whole()
        except TransportRefusal as error:
            self.fail(error)
            return
        self._ended = ended
        if self._waiter is not None and not self._waiter.done() and (self._reader or ended):
            self._waiter.set_result(None)
        self._start()

    def closed(self) -> None:
        """Cancel the call if it still runs."""
        if self._starting is not None:
            self._starting.cancel()
            self._starting = None
        super().closed()

    def _start(self) -> None:
        if self._starting is not None:
            self._starting.cancel()
            self._starting = None
            self._run(self._exchange())

    def request_overdue(self, seconds: float) -> None:
        """Do nothing: such a request lasts as long as the client likes."""

    async def _receive(self) -> Message | None:
        if not self._reader and not self._ended:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        if not self._reader:
            return None
        data, size = self._reader.take()
        self._stream.consume(size)
        if not self._ended:  # the last part of a request is not counted as held
            self._stream.release(size)
        return parse_message(self._method.request_type, data)

    def _exchange(self) -> Coroutine[Any, Any, None]:
        opened = self._method.endpoint.exchange(self._method.rpc, self._receive, self._token, self._peer)
        return self._send_all(opened, bytes)
