"""The gRPC server: the API's calls, health, reflection."""

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

_WAITING, _FEWEST_WAITING = 4, 1000
"""Calls that may wait to be begun: for each connection that the port takes, and at the least."""
_CALLS_PER_CONNECTION = 1024
"""Under way at a time, streams among them. More wait at the client. A proxy opens another connection."""
_OPTIONS = (
    ("grpc.max_concurrent_streams", _CALLS_PER_CONNECTION),
    ("grpc.max_receive_message_length", LARGEST_REQUEST),
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.server_handshake_timeout_ms", 10_000),
    ("grpc.max_connection_idle_ms", 5 * 60_000),  # clients connect again with their next call
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # without it a client that says nothing is waited for a minute longer
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
)

_SERVING = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
DURABLE_SERVICE = "skerry.store.durable"
"""What health is asked for to learn whether the store can be proved to lose nothing."""
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
        """Listen, without answering, for at most so many connections. ``endpoints``: one for each service; ``port``
        0: any free one; ``shared``: others of our processes listen there too; ``certificates``: those of TLS, ``None``:
        it speaks in the clear.

        Raises OSError if the port cannot be had.
        """
        names = tuple(endpoint.service.full_name for endpoint in endpoints)
        self._services = ("", *names)
        waiting = max(_FEWEST_WAITING, _WAITING * connections)
        options = (
            *_OPTIONS,
            ("grpc.max_allowed_incoming_connections", connections),
            # What comes on top of those that wait to be begun is cancelled, which tells nobody to try again: as many as
            # come back at once after an outage may wait.
            ("grpc.server.max_pending_requests", waiting),
            ("grpc.server.max_pending_requests_hard_limit", waiting),
            # Else a second server on the port is a mistake to be told, not a silent half of the calls.
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
        """Begin to answer. Who cancels this waits until it has: gRPC breaks down over a server that is half begun."""
        starting = asyncio.ensure_future(self._server.start())
        try:
            await asyncio.shield(starting)
        except asyncio.CancelledError:
            await starting
            raise

    async def report(self, *, healthy: bool, durable: bool) -> None:
        """Say so to whoever asks for its health."""
        for service in self._services:
            await self._health.set(service, _SERVING if healthy else _NOT_SERVING)
        await self._health.set(DURABLE_SERVICE, _SERVING if durable else _NOT_SERVING)

    async def report_closing(self) -> None:
        """Be unhealthy from now on, whatever is reported later."""
        await self._health.enter_graceful_shutdown()

    async def stop(self, grace: float) -> None:
        """Stop, giving calls under way that many seconds."""
        await self._server.stop(grace)
