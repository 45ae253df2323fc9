"""Unary calls of Connect: the body, or the query of a GET, is the request. The body of the response is the answer."""

from __future__ import annotations

from functools import partial

from skerry_service.api.requests.request_checks import LARGEST_REQUEST
from skerry_service.edge.connect.codecs import MessageCodec
from skerry_service.edge.connect.connect_errors import unary_error
from skerry_service.edge.connect.get_queries import GetQuery
from skerry_service.edge.connect.rpcs import Rpc
from skerry_service.edge.framing.compression import decompress, is_compressed
from skerry_service.edge.framing.deadlines import connect_timeout, within
from skerry_service.edge.framing.transport_refusals import MalformedCall
from skerry_service.edge.http.asgi import Headers, HttpExchange
from skerry_service.edge.http.http_answers import HttpAnswer
from skerry_service.edge.http.http_callers import peer_of_request
from skerry_service.edge.http.request_bodies import declared_length, receive_body

CONNECT_VERSION = b"1"


def require_known_version(headers: Headers) -> None:
    """Raise MalformedCall if the client names another version of Connect."""
    if headers.get(b"connect-protocol-version", CONNECT_VERSION) != CONNECT_VERSION:
        raise MalformedCall("This server supports version 1 of Connect. Send 'Connect-Protocol-Version: 1'.")


class UnaryCalls:
    """Makes the unary calls of one RPC whose messages have one codec."""

    def __init__(self, rpc: Rpc, codec: MessageCodec) -> None:
        self._rpc = rpc
        self._codec = codec
        self._media = f"application/{codec.name}".encode()

    async def answer(self, call: HttpExchange) -> HttpAnswer:
        """Make a call whose request is the body."""
        headers = call.headers
        require_known_version(headers)
        compressed = b"content-encoding" in headers and is_compressed(headers[b"content-encoding"])
        data = await receive_body(call.receive, declared_length(headers) or 0)
        if compressed:
            data = decompress(data, LARGEST_REQUEST)
        return await self._answer(call, data, accepts_gzip=compressed and b"accept-encoding" not in headers)

    async def answer_query(self, call: HttpExchange, query: GetQuery) -> HttpAnswer:
        """Make a call whose request is the query."""
        compressed = is_compressed(query.compression)
        data = decompress(query.message, LARGEST_REQUEST) if compressed else query.message
        return await self._answer(call, data, accepts_gzip=compressed and b"accept-encoding" not in call.headers)

    def error(self, error: Exception) -> HttpAnswer:
        """Return the response of a failed call."""
        return unary_error(error, self._codec)

    async def _answer(self, call: HttpExchange, data: bytes, *, accepts_gzip: bool) -> HttpAnswer:
        """Make the call. ``accepts_gzip``: the client does not say so, but has sent gzip itself."""
        rpc, codec, headers = self._rpc, self._codec, call.headers
        seconds = connect_timeout(headers[b"connect-timeout-ms"]) if b"connect-timeout-ms" in headers else None
        work = rpc.endpoint.answer(rpc.name, partial(rpc.read, call, codec, data), partial(peer_of_request, call))
        answer = await (work if seconds is None else within(seconds, work))
        if accepts_gzip:
            call.headers = {**headers, b"accept-encoding": b"gzip"}
        return HttpAnswer(await codec.write(answer, rpc.polled), media=self._media)
