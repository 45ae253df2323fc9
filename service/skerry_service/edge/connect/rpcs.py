"""The RPCs of a service, with what every protocol needs to call them."""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from skerry_service.api.endpoint import Endpoint
from skerry_service.edge.connect.codecs import MessageCodec
from skerry_service.edge.http.asgi import HttpExchange
from skerry_service.edge.http.http_callers import token_of_request


@dataclass(frozen=True, slots=True)
class Rpc:
    """One RPC of an endpoint."""

    endpoint: Endpoint
    name: str
    request: type[Message]
    response: type[Message]
    client_streaming: bool
    server_streaming: bool
    polled: Descriptor | None
    """The type of its responses, if it has no side effects."""

    def read(self, call: HttpExchange, codec: MessageCodec, data: bytes) -> tuple[Message, str | None]:
        """Return the request in these bytes, and the caller's token. Raises refusals."""
        return codec.read(self.request, data), token_of_request(call)


def rpc_of(method: MethodDescriptor, endpoint: Endpoint) -> Rpc:
    """Return an RPC of the endpoint's service."""
    safe = method.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS
    return Rpc(
        endpoint,
        method.name,
        GetMessageClass(method.input_type),
        GetMessageClass(method.output_type),
        method.client_streaming,
        method.server_streaming,
        method.output_type if safe else None,
    )
