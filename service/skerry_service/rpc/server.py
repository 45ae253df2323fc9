"""Binds ``Methods`` to a gRPC server: bytes in and out, the token from the metadata, refusals as statuses."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any, NoReturn

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from skerry.v1 import service_pb2
from skerry_service.rpc.checks import token_of
from skerry_service.rpc.errors import describe, known
from skerry_service.rpc.methods import Methods, method_name
from skerry_service.sessions.errors import InvalidField, TokenInvalid, TokenMissing

SERVICE = service_pb2.DESCRIPTOR.services_by_name["SkerryService"]
_HOW: Mapping[type[Exception], str] = {TokenMissing: "Send it as the metadata 'authorization: Bearer <token>'."}
"""What refusals leave to the transport to say."""
_CODES = {code.value[0]: code for code in grpc.StatusCode}
_log = logging.getLogger(__name__)

Context = grpc.aio.ServicerContext[Any, Any]


def bind(methods: Methods, require_open: Callable[[], None]) -> grpc.GenericRpcHandler:
    """Return the handlers of every RPC in the service's descriptor.

    ``require_open`` raises what new calls are refused with when the server is about to stop: gRPC itself would end
    those that meet its own stop with CANCELLED, which tells no client to try again.
    """
    handlers = {
        method.name: _handler(method, getattr(methods, method_name(method.name)), require_open)
        for method in SERVICE.methods
    }
    return grpc.method_handlers_generic_handler(SERVICE.full_name, handlers)


def _handler(
    method: MethodDescriptor, call: Callable[..., Any], require_open: Callable[[], None]
) -> grpc.RpcMethodHandler[bytes, bytes]:
    """Requests are parsed in the handler, so that malformed ones get an error of ours."""
    request_type = GetMessageClass(method.input_type)
    if method.server_streaming:
        return grpc.unary_stream_rpc_method_handler(_stream(call, request_type, require_open))
    return grpc.unary_unary_rpc_method_handler(_unary(call, request_type, require_open))


def _unary(
    call: Callable[..., Awaitable[Message]], request_type: type[Message], require_open: Callable[[], None]
) -> Callable[..., Any]:
    async def handle(data: bytes, context: Context) -> bytes:
        try:
            require_open()
            return (await call(_parse(request_type, data), _token(context))).SerializeToString()
        except Exception as error:
            await _refuse(context, error)

    return handle


def _stream(
    call: Callable[..., Any], request_type: type[Message], require_open: Callable[[], None]
) -> Callable[..., Any]:
    async def handle(data: bytes, context: Context) -> None:
        try:
            require_open()
            async with aclosing(call(_parse(request_type, data), _token(context))) as messages:
                async for message in messages:
                    await context.write(message.serialized())
        except Exception as error:
            await _refuse(context, error)

    return handle


def _parse(request_type: type[Message], data: bytes) -> Message:
    try:
        return request_type.FromString(data)
    except DecodeError:
        raise InvalidField(
            "request", f"It is not a {request_type.DESCRIPTOR.name} in protobuf's wire format."
        ) from None


def _token(context: Context) -> str | None:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            if isinstance(value, bytes):
                raise TokenInvalid
            return token_of(value)
    return None


async def _refuse(context: Context, error: Exception) -> NoReturn:
    if not known(error):
        _log.exception("a defect")
    status = describe(error, _HOW)
    details = (("grpc-status-details-bin", status.SerializeToString()),)
    await context.abort(_CODES[status.code], status.message, details)
    raise error
