"""Reflection of gRPC, versions v1 and v1alpha, whose messages are equal on the wire."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Any

from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from grpc_reflection.v1alpha import reflection_pb2
from grpc_reflection.v1alpha.reflection import ReflectionServicer

_ALPHA, _V1 = "grpc.reflection.v1alpha", "grpc.reflection.v1"
REFLECTION_ALPHA: Any = reflection_pb2.DESCRIPTOR.services_by_name["ServerReflection"]


def _v1_service() -> Any:
    """Return the service v1. The package that brings the messages knows v1alpha alone."""
    renamed = FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(renamed)
    renamed.name, renamed.package = "grpc/reflection/v1/reflection.proto", _V1
    for message in renamed.message_type:
        for field in message.field:
            if field.type_name:
                field.type_name = field.type_name.replace(_ALPHA, _V1)
    for method in renamed.service[0].method:
        method.input_type = method.input_type.replace(_ALPHA, _V1)
        method.output_type = method.output_type.replace(_ALPHA, _V1)
    pool = DescriptorPool()
    pool.AddSerializedFile(renamed.SerializeToString())
    return pool.FindServiceByName(f"{_V1}.ServerReflection")


REFLECTION_V1 = _v1_service()


class ReflectionMethods:
    """The RPC of reflection."""

    def __init__(self, services: Sequence[str]) -> None:
        """``services``: the full names to list."""
        self._servicer: Any = ReflectionServicer(services)

    async def server_reflection_info(
        self, receive: Callable[[], Awaitable[Message | None]], token: str | None, reader: str | None
    ) -> AsyncGenerator[bytes, None]:
        """Yield the answer to each request, serialized."""
        while (request := await receive()) is not None:
            asked = reflection_pb2.ServerReflectionRequest.FromString(request.SerializeToString())
            for response in self._servicer.ServerReflectionInfo(iter((asked,)), None):
                yield response.SerializeToString()
