"""A channel that makes the calls of gRPC's stubs over Connect or gRPC-Web, so that the tests of the API run over them.

It raises gRPC's own errors. Play needs HTTP/2, so its calls go to a gRPC channel.
"""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncIterator, Callable
from typing import Any
from urllib.parse import unquote

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.json_format import MessageToJson, Parse
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import code_pb2
from google.rpc.status_pb2 import Status

from skerry_service.api.contract import SERVICE
from skerry_service.edge.framing.envelopes import END_STREAM, TRAILERS, EnvelopeReader, envelope
from skerry_service.processes.engine_methods import ENGINE
from tests.rest.web import read_head

Metadata = tuple[tuple[str, str], ...]
_CODES = {code.value[0]: code for code in grpc.StatusCode}
_METHODS = {f"/{one.full_name}/{rpc.name}": rpc for one in (SERVICE, ENGINE) for rpc in one.methods}


class HttpChannel:
    """The calls of one server. ``transport``: ``connect``, ``connect-json`` or ``grpc-web``."""

    def __init__(self, transport: str, address: str, grpc_channel: grpc.aio.Channel) -> None:
        self._transport = transport
        self._address = address
        self._grpc = grpc_channel

    def unary_unary(
        self, path: str, request_serializer: Any = bytes, response_deserializer: Any = bytes, **_: Any
    ) -> Callable[..., asyncio.Task[Any]]:
        """Return the function that makes the calls of a unary RPC."""

        async def make(sent: Any, metadata: Metadata) -> Any:
            call = _Call(self._transport, self._address, path, request_serializer(sent), metadata)
            return response_deserializer(await call.answer())

        return lambda sent, metadata=(), timeout=None: asyncio.ensure_future(make(sent, metadata))

    def unary_stream(
        self, path: str, request_serializer: Any = bytes, response_deserializer: Any = bytes, **_: Any
    ) -> Callable[..., StreamCall]:
        """Return the function that makes the calls of a streaming RPC."""
        return lambda sent, metadata=(), timeout=None: StreamCall(
            _Call(self._transport, self._address, path, request_serializer(sent), metadata), response_deserializer
        )

    def stream_stream(self, *arguments: Any, **named: Any) -> Any:
        """Return what the gRPC channel returns."""
        return self._grpc.stream_stream(*arguments, **named)


class StreamCall:
    """One call, with the part of the interface of a gRPC call that the tests use."""

    def __init__(self, call: _Call, deserialize: Callable[[bytes], Any]) -> None:
        self._call = call
        self._deserialize = deserialize
        self._cancelled = False
        self._sending = asyncio.ensure_future(call.send())

    async def read(self) -> Any:
        """Return the next message; ``grpc.aio.EOF`` after the last."""
        try:
            await asyncio.shield(self._sending)
            data = await self._call.next_message()
        except (OSError, EOFError):
            self._call.close()
            if self._cancelled:
                raise asyncio.CancelledError from None
            raise _rpc_error(Status(code=code_pb2.UNAVAILABLE, message="The connection broke.")) from None
        if data is None:
            self._call.close()
            return grpc.aio.EOF
        return self._deserialize(data)

    async def __aiter__(self) -> AsyncIterator[Any]:
        try:
            while (message := await self.read()) is not grpc.aio.EOF:
                yield message
        finally:
            self._call.close()

    def cancel(self) -> bool:
        """Cancel the call."""
        self._cancelled = True
        self._sending.cancel()
        self._call.close()
        return True


class _Call:
    """One request over a connection of its own, and its response."""

    def __init__(self, transport: str, address: str, path: str, sent: bytes, metadata: Metadata) -> None:
        self._rpc = _METHODS[path]
        self._codec = "json" if transport == "connect-json" else "proto"
        self._enveloped = transport == "grpc-web" or self._rpc.server_streaming
        self._ends = TRAILERS if transport == "grpc-web" else END_STREAM
        kind = "grpc-web+" if transport == "grpc-web" else "connect+" if self._enveloped else ""
        body = self._encoded(sent)
        body = envelope(body) if self._enveloped else body
        headers = (("host", "test"), ("content-type", f"application/{kind}{self._codec}"), *metadata)
        lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
        self._request = "\r\n".join([*lines, f"content-length: {len(body)}", "", ""]).encode("latin-1") + body
        self._address = address
        self._messages = EnvelopeReader(2**26)
        self._writer: asyncio.StreamWriter | None = None

    async def answer(self) -> bytes:
        """Return the answer of a unary call."""
        try:
            await self.send()
            if not self._enveloped:
                return self._decoded(await self._whole())
            answer = await self.next_message()
            assert answer is not None
            assert await self.next_message() is None
            return answer
        finally:
            self.close()

    async def send(self) -> None:
        """Send the request and read the head of the response."""
        host, _, port = self._address.rpartition(":")
        self._reader, self._writer = await asyncio.open_connection(host, int(port), limit=2**22)
        self._writer.write(self._request)
        self._head = await read_head(self._reader)
        self._left = int(self._head.headers.get("content-length", -1))
        if self._head.status != 200:
            raise _rpc_error(_status_of(json.loads(await self._whole())))

    async def next_message(self) -> bytes | None:
        """Return the next message; ``None`` at the end. Raises the error with which the call ended."""
        while (found := self._messages.next()) is None:
            self._messages.feed(await self._part())
        flags, data = found
        if not flags & self._ends:
            return self._decoded(data)
        if self._ends == TRAILERS:
            _raise_trailers(data)
        elif "error" in (end := json.loads(data)):
            raise _rpc_error(_status_of(end["error"]))
        return None

    async def _whole(self) -> bytes:
        data, self._left = await self._reader.readexactly(self._left), 0
        return data

    async def _part(self) -> bytes:
        if self._left >= 0:
            return await self._whole() if self._left else b""
        size = int(await self._reader.readline() or b"0", 16)
        if not size:
            raise EOFError
        return (await self._reader.readexactly(size + 2))[:-2]

    def _encoded(self, data: bytes) -> bytes:
        if self._codec == "proto":
            return data
        return MessageToJson(GetMessageClass(self._rpc.input_type).FromString(data), indent=None).encode()

    def _decoded(self, data: bytes) -> bytes:
        if self._codec == "proto":
            return data
        message: Message = Parse(data, GetMessageClass(self._rpc.output_type)())
        return message.SerializeToString()

    def close(self) -> None:
        """Cut the connection off."""
        if self._writer is not None:
            self._writer.transport.abort()


def _status_of(error: Any) -> Status:
    """Return the status in an error of Connect, or of HTTP itself."""
    if "error" in error:
        return Status(code=code_pb2.Code.Value(error["error"]["status"]), message=error["error"]["message"])
    details = [
        AnyMessage(type_url=f"type.googleapis.com/{one['type']}", value=_unpadded(one["value"]))
        for one in error["details"]
    ]
    return Status(code=code_pb2.Code.Value(error["code"].upper()), message=error["message"], details=details)


def _raise_trailers(data: bytes) -> None:
    trailers = dict(line.split(": ", 1) for line in data.decode("ascii").split("\r\n") if line)
    if trailers["grpc-status"] != "0":
        status = Status.FromString(_unpadded(trailers["grpc-status-details-bin"]))
        assert status.message == unquote(trailers["grpc-message"])
        raise _rpc_error(status)


def _unpadded(text: str) -> bytes:
    return b64decode(text + "=" * (-len(text) % 4))


def _rpc_error(status: Status) -> grpc.aio.AioRpcError:
    packed = ("grpc-status-details-bin", status.SerializeToString())
    trailing = grpc.aio.Metadata(packed) if status.details else grpc.aio.Metadata()
    return grpc.aio.AioRpcError(_CODES[status.code], grpc.aio.Metadata(), trailing, status.message)
