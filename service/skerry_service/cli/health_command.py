"""``skerry health``: query a server's gRPC health service."""

from __future__ import annotations

import grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from skerry_client.transport.tls import grpc_channel_to

_CHECK = "/grpc.health.v1.Health/Check"
_SECONDS = 3.0


async def health_of(server: str) -> str:
    """Return the server's status in lower case, for example ``serving``. Raises ConnectionError."""
    async with grpc_channel_to(server) as channel:
        check: grpc.aio.UnaryUnaryMultiCallable[HealthCheckRequest, HealthCheckResponse]
        check = channel.unary_unary(
            _CHECK,
            request_serializer=HealthCheckRequest.SerializeToString,
            response_deserializer=HealthCheckResponse.FromString,
        )
        try:
            response = await check(HealthCheckRequest(), timeout=_SECONDS)
        except grpc.aio.AioRpcError as error:
            raise ConnectionError(f"The server at {server} does not answer: {error.details()}") from None
    return HealthCheckResponse.ServingStatus.Name(response.status).lower().replace("_", " ")
