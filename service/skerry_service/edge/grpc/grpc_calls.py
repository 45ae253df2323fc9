"""gRPC handlers: requests and answers as bytes, tokens from the metadata, errors as statuses."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NoReturn
from urllib.parse import unquote

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from skerry_service.access.client_addresses import (
    ACT_FOR,
    API_KEY,
    CELL,
    FORWARDED_FOR,
    FORWARDING,
    IDENTITY,
    TRACEPARENT,
    Peer,
)
from skerry_service.api.endpoint import Endpoint
from skerry_service.api.requests.request_checks import token_of
from skerry_service.edge.framing.call_status import call_status
from skerry_service.edge.framing.wire_messages import parse_message
from skerry_service.edge.grpc.calls import HINTS
from skerry_service.wire.caller_language import (
    ACCEPT_LANGUAGE,
    CONTENT_LANGUAGE,
    SENTENCES,
    caller_language,
    enter_wording,
    says_language,
)

_CODES = {code.value[0]: code for code in grpc.StatusCode}

Context = grpc.aio.ServicerContext[Any, Any]


def handlers_of(endpoint: Endpoint) -> grpc.GenericRpcHandler:
    """Return the handlers of every RPC of the service.

    A closing endpoint rejects new calls with UNAVAILABLE, so that clients retry. gRPC's own stop would cancel them.
    """
    handlers = {method.name: _handler(method, endpoint) for method in endpoint.service.methods}
    return grpc.method_handlers_generic_handler(endpoint.service.full_name, handlers)


def _handler(method: MethodDescriptor, endpoint: Endpoint) -> grpc.RpcMethodHandler[bytes, bytes]:
    """Return the handler of an RPC. The endpoint parses requests, so that malformed ones get an error of the API."""
    request_type = GetMessageClass(method.input_type)
    if method.client_streaming:
        return grpc.stream_stream_rpc_method_handler(_exchange(method.name, request_type, endpoint))
    if method.server_streaming:
        return grpc.unary_stream_rpc_method_handler(_stream(method.name, request_type, endpoint))
    return grpc.unary_unary_rpc_method_handler(_unary(method.name, request_type, endpoint))


def _unary(rpc: str, request_type: type[Message], endpoint: Endpoint) -> Callable[..., Any]:
    async def handle(data: bytes, context: Context) -> bytes:
        accepts = _enter_wording(context)
        try:
            answer = await endpoint.answer(rpc, partial(_read, request_type, data, context), partial(_peer, context))
        except Exception as error:
            await _name_language(context, accepts=accepts)
            await _abort(context, error)
        await _name_language(context, accepts=accepts)
        return answer.serialized()

    return handle


def _stream(rpc: str, request_type: type[Message], endpoint: Endpoint) -> Callable[..., Any]:
    async def handle(data: bytes, context: Context) -> None:
        await _name_language(context, accepts=_enter_wording(context))
        try:
            read = partial(_read, request_type, data, context)
            async with endpoint.stream(rpc, read, partial(_peer, context)) as messages:
                async for message in messages:
                    await context.write(message.serialized())
        except Exception as error:
            await _abort(context, error)

    return handle


def _exchange(rpc: str, request_type: type[Message], endpoint: Endpoint) -> Callable[..., Any]:
    async def handle(requests: object, context: Context) -> None:
        async def receive() -> Message | None:
            data = await context.read()
            return None if data is grpc.aio.EOF else parse_message(request_type, data)

        await _name_language(context, accepts=_enter_wording(context))
        try:
            async with endpoint.exchange(rpc, receive, lambda: _token(context), lambda: _peer(context)) as answers:
                async for answer in answers:
                    await context.write(answer)
        except Exception as error:
            await _abort(context, error)

    return handle


def _read(request_type: type[Message], data: bytes, context: Context) -> tuple[Message, str | None]:
    return parse_message(request_type, data), _token(context)


def _enter_wording(context: Context) -> bool:
    """Set the wording of a call; return whether its caller accepts a language. Each call has a task of its own."""
    given = {name: value.encode() for name, value in context.invocation_metadata() or () if isinstance(value, str)}
    accepted = given.get(ACCEPT_LANGUAGE)
    enter_wording(accepted, given.get(SENTENCES))
    return accepted is not None


async def _name_language(context: Context, *, accepts: bool) -> None:
    """Send the language of the response to a caller that accepts or names one, before the first message."""
    if says_language(accepts=accepts):
        await context.send_initial_metadata(((CONTENT_LANGUAGE, caller_language()),))


def _token(context: Context) -> str | None:
    return token_of([value for key, value in context.invocation_metadata() or () if key == "authorization"])


def _peer(context: Context) -> Peer:
    connection = context.peer()
    sent = [(key, value) for key, value in context.invocation_metadata() or () if isinstance(value, str)]
    forwarding = [(key, value) for key, value in sent if key in FORWARDING]
    forwarded_for = tuple(value for key, value in forwarding if key == FORWARDED_FOR)
    trace = next((value for key, value in sent if key == TRACEPARENT), "")
    keys = tuple(value for key, value in sent if key == API_KEY)
    acted_for = tuple(value for key, value in sent if key == ACT_FOR)
    identities = tuple(value for key, value in sent if key == IDENTITY)
    cells = tuple(value for key, value in sent if key == CELL)
    named = keys, identities, acted_for, cells
    return Peer(_host(connection), connection, forwarded_for, bool(forwarding), trace, *named)


@lru_cache(maxsize=4096)
def _host(peer: str) -> str | None:
    """Return the address in ``ipv4:192.0.2.1:567`` or ``ipv6:%5B2001:db8::1%5D:567``; ``None`` for a unix socket."""
    scheme, _, address = peer.partition(":")
    if not scheme.startswith("ipv"):
        return None
    return unquote(address).rpartition(":")[0].strip("[]")


async def _abort(context: Context, error: Exception) -> NoReturn:
    status = call_status(error, HINTS)
    details = (("grpc-status-details-bin", status.SerializeToString()),)
    await context.abort(_CODES[status.code], status.message, details)
    raise error
