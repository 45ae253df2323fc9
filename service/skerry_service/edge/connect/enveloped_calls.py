"""Enveloped calls: Connect's streams, and all calls of gRPC-Web.

A stream in both directions is half-duplex over HTTP/1.1: the server answers once it has read the last request, because
few clients and proxies read a response while they send. Over HTTP/2 it is full-duplex.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import Any

from google.protobuf.message import Message

from skerry_service.edge.connect.enveloped_requests import receive_all, receive_each, receive_one, while_connected
from skerry_service.edge.connect.enveloped_responses import EnvelopedResponse
from skerry_service.edge.connect.rpcs import Rpc
from skerry_service.edge.connect.stream_formats import StreamFormat
from skerry_service.edge.framing.compression import is_compressed
from skerry_service.edge.framing.deadlines import within
from skerry_service.edge.framing.transport_refusals import TransportRefusal
from skerry_service.edge.http.asgi import HttpExchange
from skerry_service.edge.http.disconnects import cancelled_when_gone
from skerry_service.edge.http.http_answers import code_and_reason
from skerry_service.edge.http.http_callers import peer_of_request, token_of_request
from skerry_service.edge.http.request_bodies import ClientGone
from skerry_service.wire.serialized import Serialized


class EnvelopedCalls:
    """Makes the calls of one RPC in one format."""

    def __init__(self, rpc: Rpc, form: StreamFormat) -> None:
        self._rpc = rpc
        self._form = form
        if rpc.client_streaming:
            self._make = self._exchange
        else:
            self._make = self._stream if rpc.server_streaming else self._unary

    async def answer(self, call: HttpExchange) -> None:
        """Make a call and send its response. Raises ClientGone."""
        response = EnvelopedResponse(call, self._form)
        try:
            seconds = self._form.timeout(call.headers)
            is_compressed(call.headers.get(self._form.encoding_header))
            last = await within(seconds, self._make(call, response))
        except ClientGone:
            raise
        except Exception as error:
            if isinstance(error, TransportRefusal):
                self._rpc.endpoint.refused(peer_of_request(call), *code_and_reason(error))
            await response.finish(error)
        else:
            await response.finish(None, last)

    async def _unary(self, call: HttpExchange, response: EnvelopedResponse) -> bytes:
        rpc, codec = self._rpc, self._form.codec
        data = await receive_one(call, self._form)
        read = partial(rpc.read, call, codec, data)
        answer = await rpc.endpoint.answer(rpc.name, read, partial(peer_of_request, call))
        return await response.enveloped(await codec.write(answer, rpc.polled))

    async def _stream(self, call: HttpExchange, response: EnvelopedResponse) -> bytes:
        rpc, codec = self._rpc, self._form.codec
        data = await receive_one(call, self._form)
        read = partial(rpc.read, call, codec, data)
        async with (
            cancelled_when_gone(call.receive),
            rpc.endpoint.stream(rpc.name, read, partial(peer_of_request, call)) as messages,
        ):
            async for message in messages:
                await response.send(await codec.write(message))
        return b""

    async def _exchange(self, call: HttpExchange, response: EnvelopedResponse) -> bytes:
        if not call.scope.get("http_version", "1.1").startswith("2"):
            requests = deque(await receive_all(call, self._form))
            async with cancelled_when_gone(call.receive):
                await self._play(call, response, lambda: _popped(requests))
        else:
            async with while_connected(receive_each(call, self._form), call.receive) as next_message:
                await self._play(call, response, next_message)
        return b""

    async def _play(self, call: HttpExchange, response: EnvelopedResponse, next_message: Any) -> None:
        rpc, codec = self._rpc, self._form.codec

        async def receive() -> Message | None:
            data = await next_message()
            return None if data is None else codec.read(rpc.request, data)

        token, peer = partial(token_of_request, call), partial(peer_of_request, call)
        async with rpc.endpoint.exchange(rpc.name, receive, token, peer) as answers:
            async for answer in answers:
                await response.send(await codec.write(Serialized(rpc.response, answer)))


async def _popped(requests: deque[bytes]) -> bytes | None:
    return requests.popleft() if requests else None
