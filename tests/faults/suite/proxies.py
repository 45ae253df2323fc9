"""What stands between a client and a server and does harm: to connections (``TcpProxy``), to calls (``CallProxy``)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any, Literal, Self, TypeAlias

import grpc

from skerry.v1 import service_pb2 as api

_PART = 1 << 16
_LONGEST_DELAY = 0.15
"""Seconds."""
Way = Literal["there", "back"]
_Unary: TypeAlias = "grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]"
_Stream: TypeAlias = "grpc.aio.UnaryStreamMultiCallable[bytes, bytes]"


class TcpProxy:
    """Passes connections on to a server; can hold up what is under way, in each direction, and cut connections off."""

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._gates: dict[Way, asyncio.Event] = {"there": asyncio.Event(), "back": asyncio.Event()}
        self._connections: set[asyncio.StreamWriter] = set()
        self.port = 0
        self.mend()

    def choose_server(self) -> tuple[str, int]:
        """Return the host and the port for a new connection."""
        return self._server

    def hold(self, *ways: Way) -> None:
        """Let nothing pass that way, which also holds for new connections. Nothing of it is lost."""
        for way in ways:
            self._gates[way].clear()

    def mend(self) -> None:
        """Let everything pass."""
        for gate in self._gates.values():
            gate.set()

    def cut(self) -> None:
        """Reset all connections: what is under way on them is lost."""
        for one in self._connections:
            one.transport.abort()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[Self]:
        """Pass on until the block is left."""
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            self.mend()
            self.cut()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection(*self.choose_server())
            self._connections |= {writer, far_writer}
            await asyncio.gather(self._pass(reader, far_writer, "there"), self._pass(far_reader, writer, "back"))
            self._connections -= {writer, far_writer}
        writer.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: Way) -> None:
        with suppress(OSError):
            while part := await reader.read(_PART):
                await self._gates[way].wait()
                writer.write(part)
                await writer.drain()
        writer.close()


TWICE, LATE, NO_REQUEST, NO_ANSWER, OVERTAKEN, DELAYED, BROKEN = (
    "sent twice at once",
    "a copy sent again later",
    "lost on the way there",
    "its answer lost",
    "overtaken by the next one",
    "its answer delayed",
    "a stream broken off",
)
SORTS = (TWICE, LATE, NO_REQUEST, NO_ANSWER, OVERTAKEN, DELAYED, BROKEN)
_SHARE_OF_CALLS, _SHARE_OF_MESSAGES = 0.2, 0.03
_OF_CALLS = SORTS[:-1]
_STREAMS = {"/skerry.v1.SkerryService/Observe"}


class CallProxy(grpc.GenericRpcHandler):  # type: ignore[misc, unused-ignore]
    """Passes calls on as bytes, and does to some of them what networks, proxies and impatient clients do.

    Where copies are answered differently, or refused while the first was not, ``differences`` says so.
    """

    def __init__(self, channel: grpc.aio.Channel, random: Random, on_fault: Callable[[str], None]) -> None:
        """``on_fault``: called with what is done."""
        self._channel = channel
        self._random = random
        self._on_fault = on_fault
        self._overtaken = asyncio.Event()
        self._copies: set[asyncio.Task[None]] = set()
        self.differences: list[str] = []
        self.quiet = False
        """Whether nothing is done any more."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes]:
        method: str = handler_call_details.method
        if method in _STREAMS:
            return grpc.unary_stream_rpc_method_handler(self._stream(method))
        return grpc.unary_unary_rpc_method_handler(self._unary(method))

    async def settle(self) -> None:
        """Return when no copy is under way any more."""
        if self._copies:
            await asyncio.wait(self._copies)

    def _fate(self, share: float, *choice: str) -> str:
        if self.quiet or self._random.random() > share:
            return ""
        fate = self._random.choice(choice)
        self._on_fault(fate)
        return fate

    def _unary(self, method: str) -> Any:
        call: _Unary = self._channel.unary_unary(method)

        async def answer(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
            metadata, timeout = _authorization(context), context.time_remaining()  # gone when it is answered

            async def once() -> bytes:
                return await call(request, metadata=metadata, timeout=timeout)

            fate = self._fate(_SHARE_OF_CALLS, *_OF_CALLS)
            try:
                return await self._suffer(fate, once, method, context)
            except grpc.aio.AioRpcError as error:
                await _refuse(context, error)
                raise AssertionError from error  # the line above raises

        return answer

    async def _suffer(
        self, fate: str, once: Callable[[], Awaitable[bytes]], method: str, context: grpc.aio.ServicerContext[Any, Any]
    ) -> bytes:
        if fate == NO_REQUEST:
            await context.abort(grpc.StatusCode.UNAVAILABLE)
        if fate == OVERTAKEN:
            self._overtaken.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._overtaken.wait(), _LONGEST_DELAY)
        else:
            self._overtaken.set()
        if fate == TWICE:
            first, second = await asyncio.gather(once(), once())
            self._compare(method, first, second)
            return self._random.choice((first, second))
        answer = await once()
        if fate == LATE:
            self._copies.add(copy := asyncio.create_task(self._later(once, method, answer)))
            copy.add_done_callback(self._copies.discard)
        if fate == DELAYED:
            await asyncio.sleep(self._random.uniform(0, _LONGEST_DELAY))
        if fate == NO_ANSWER:
            await context.abort(grpc.StatusCode.UNAVAILABLE)
        return answer

    async def _later(self, once: Callable[[], Awaitable[bytes]], method: str, answer: bytes) -> None:
        await asyncio.sleep(self._random.uniform(0, _LONGEST_DELAY))
        try:
            self._compare(method, answer, await once())
        except grpc.aio.AioRpcError as error:
            self.differences.append(f"{method}: answered, then refused: {error.details()}")

    def _compare(self, method: str, first: bytes, second: bytes) -> None:
        """Hold the answers of two copies against each other, as far as they may not differ."""
        if method.endswith("/Act"):
            same = _made(first) == _made(second)
        elif method.endswith(("/CreateSession", "/JoinSession")):
            same = _given(method, first) == _given(method, second)
        else:
            return
        if not same:
            self.differences.append(f"{method}: two copies were answered differently")

    def _stream(self, method: str) -> Any:
        call: _Stream = self._channel.unary_stream(method)

        async def answer(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> AsyncIterator[bytes]:
            stream = call(request, metadata=_authorization(context))
            try:
                async for message in stream:
                    yield message
                    if self._fate(_SHARE_OF_MESSAGES, BROKEN):
                        await context.abort(grpc.StatusCode.UNAVAILABLE)
            except grpc.aio.AioRpcError as error:
                await _refuse(context, error)
            finally:
                stream.cancel()

        return answer


def _made(answer: bytes) -> list[bytes]:
    entries = api.ActResponse.FromString(answer).entries
    return [entry.SerializeToString(deterministic=True) for entry in entries]


def _given(method: str, answer: bytes) -> tuple[str, str]:
    if method.endswith("/JoinSession"):
        joined = api.JoinSessionResponse.FromString(answer)
        return joined.session.name, joined.seat_token
    created = api.CreateSessionResponse.FromString(answer)
    return created.session.name, created.host_token


def _authorization(context: grpc.aio.ServicerContext[Any, Any]) -> tuple[tuple[str, str | bytes], ...]:
    return tuple((key, value) for key, value in context.invocation_metadata() or () if key == "authorization")


async def _refuse(context: grpc.aio.ServicerContext[Any, Any], error: grpc.aio.AioRpcError) -> None:
    await context.abort(error.code(), error.details() or "", tuple(error.trailing_metadata() or ()))
