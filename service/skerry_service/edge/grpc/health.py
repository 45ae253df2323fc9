"""The health service of gRPC (``grpc.health.v1``): Check, List and Watch."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable
from typing import Any

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import code_pb2
from grpc_health.v1 import health_pb2

from skerry_service.edge.framing.transport_refusals import TransportRefusal
from skerry_service.wire.serialized import Serialized, serialize

HEALTH: Any = health_pb2.DESCRIPTOR.services_by_name["Health"]
DURABLE_SERVICE = "skerry.store.durable"
"""The health service that reports whether the store is proved to lose no data."""
_SERVING = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
_UNKNOWN = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
_LIST_RESPONSE: Any = GetMessageClass(HEALTH.methods_by_name["List"].output_type)


class UnknownService(TransportRefusal):
    """The service does not exist."""

    code, reason = code_pb2.NOT_FOUND, "RPC_UNKNOWN_SERVICE"

    def __init__(self, name: str) -> None:
        super().__init__(f"The server has no service {name[:200]!r}.")


class WatchEnds(TransportRefusal):
    """The server shuts down."""

    code, reason = code_pb2.UNAVAILABLE, "SHUTTING_DOWN"

    def __init__(self) -> None:
        super().__init__("The server shuts down. Watch another one.")


class HealthMethods:
    """The statuses of the services, and the RPCs that report them."""

    def __init__(self, services: Iterable[str]) -> None:
        """``services``: full names; a server without a name in the request is reported too."""
        self._services = ("", *services)
        self._statuses: dict[str, int] = {}
        self._closing = False
        self._closed = False
        self._changed: set[asyncio.Event] = set()
        """One for each stream of Watch."""

    def report(self, *, healthy: bool, durable: bool) -> None:
        """Set the statuses."""
        if not self._closing:
            for service in self._services:
                self._statuses[service] = _SERVING if healthy else _NOT_SERVING
            self._statuses[DURABLE_SERVICE] = _SERVING if durable else _NOT_SERVING
            self._notify()

    def report_closing(self) -> None:
        """Report NOT_SERVING for good, whatever is reported later."""
        self._closing = True
        self._statuses = dict.fromkeys(self._statuses, _NOT_SERVING)
        self._notify()

    def close(self) -> None:
        """End the streams of Watch."""
        self._closed = True
        self._notify()

    def _notify(self) -> None:
        for changed in self._changed:
            changed.set()

    async def check(self, request: health_pb2.HealthCheckRequest, token: str | None) -> health_pb2.HealthCheckResponse:
        """Return the status of a service. Raises UnknownService."""
        status = self._statuses.get(request.service)
        if status is None:
            raise UnknownService(request.service)
        return health_pb2.HealthCheckResponse(status=status)

    async def list(self, request: Message, token: str | None) -> Any:
        """Return the statuses of all services."""
        response = _LIST_RESPONSE()
        for service, status in self._statuses.items():
            response.statuses[service].status = status
        return response

    async def watch(
        self, request: health_pb2.HealthCheckRequest, token: str | None, reader: str | None
    ) -> AsyncGenerator[Serialized[health_pb2.HealthCheckResponse], None]:
        """Yield the status of a service, now and after each change."""
        changed, last = asyncio.Event(), None
        self._changed.add(changed)
        try:
            while not self._closed:
                changed.clear()
                status = self._statuses.get(request.service, _UNKNOWN)
                if status != last:
                    last = status
                    yield serialize(health_pb2.HealthCheckResponse(status=status))
                await changed.wait()
        finally:
            self._changed.discard(changed)
        raise WatchEnds
