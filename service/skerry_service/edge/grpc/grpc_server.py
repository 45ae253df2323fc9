"""The gRPC server: the API's RPCs, health and reflection."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as aio_health
from grpc_reflection.v1alpha import reflection

from skerry_service.access.certificates import Certificates
from skerry_service.api.endpoint import Endpoint
from skerry_service.api.request_checks import LARGEST_REQUEST
from skerry_service.edge.grpc.grpc_calls import handlers_of
from skerry_service.edge.grpc.grpc_credentials import credentials_of

_PENDING_PER_CONNECTION, _MIN_PENDING = 4, 1000
"""Calls that may wait to start: for each connection of the port, and at least."""
_CALLS_PER_CONNECTION = 1024
"""Concurrent calls, streams included. Further calls wait in the client. A proxy opens another connection."""
_OPTIONS = (
    ("grpc.max_concurrent_streams", _CALLS_PER_CONNECTION),
    ("grpc.max_receive_message_length", LARGEST_REQUEST),
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.server_handshake_timeout_ms", 10_000),
    ("grpc.max_connection_idle_ms", 5 * 60_000),  # clients reconnect at their next call
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # the default waits a minute longer for a silent client
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
)

_SERVING = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
DURABLE_SERVICE = "skerry.store.durable"
"""The health service that reports whether the store is proved to lose no data."""
_HEALTH = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name


class GrpcServer:
    """One server on one port."""

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        host: str,
        port: int,
        connections: int,
        *,
        shared: bool = False,
        certificates: Certificates | None = None,
    ) -> None:
        """Listen on a port; ``start`` answers. Raises OSError if the port is taken.

        ``endpoints``: one for each service; ``port``: 0 for any free one; ``connections``: maximum number of them;
        ``shared``: other processes of the service listen on the port too; ``certificates``: ``None`` for plain text.
        """
        names = tuple(endpoint.service.full_name for endpoint in endpoints)
        self._services = ("", *names)
        pending = max(_MIN_PENDING, _PENDING_PER_CONNECTION * connections)
        options = (
            *_OPTIONS,
            ("grpc.max_allowed_incoming_connections", connections),
            # Calls above this number are cancelled, and clients do not retry a cancelled call. So it must hold all
            # clients that reconnect at once after an outage.
            ("grpc.server.max_pending_requests", pending),
            ("grpc.server.max_pending_requests_hard_limit", pending),
            # Otherwise a second server on the port must fail, and not silently take half of the calls.
            ("grpc.so_reuseport", int(shared)),
        )
        self._server = grpc.aio.server(options=options)
        self._server.add_generic_rpc_handlers(tuple(map(handlers_of, endpoints)))
        self._health = aio_health.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflected = (*names, _HEALTH, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(reflected, self._server)
        where = f"[{host}]" if ":" in host and not host.startswith("[") else host
        try:
            bound = self._listen(f"{where}:{port}", certificates)
        except RuntimeError as error:
            raise OSError(f"cannot listen on {where}:{port}; is another server there?") from error
        self.address = f"{where}:{bound}"
        """``HOST:PORT``."""

    def _listen(self, address: str, certificates: Certificates | None) -> int:
        if certificates is None:
            return self._server.add_insecure_port(address)
        return self._server.add_secure_port(address, credentials_of(certificates))

    async def start(self) -> None:
        """Start answering. A cancellation waits until the start is complete: gRPC breaks if a start is interrupted."""
        starting = asyncio.ensure_future(self._server.start())
        try:
            await asyncio.shield(starting)
        except asyncio.CancelledError:
            await starting
            raise

    async def report(self, *, healthy: bool, durable: bool) -> None:
        """Set the statuses of the health service."""
        for service in self._services:
            await self._health.set(service, _SERVING if healthy else _NOT_SERVING)
        await self._health.set(DURABLE_SERVICE, _SERVING if durable else _NOT_SERVING)

    async def report_closing(self) -> None:
        """Report NOT_SERVING for good, whatever is reported later."""
        await self._health.enter_graceful_shutdown()

    async def stop(self, grace: float) -> None:
        """Stop. Calls in progress have ``grace`` seconds to end."""
        await self._server.stop(grace)
