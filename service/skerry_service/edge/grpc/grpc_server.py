"""The gRPC server of grpcio, in threads of its own."""

from __future__ import annotations

import asyncio

import grpc

from skerry_service.access.certificates import Certificates
from skerry_service.api.requests.request_checks import LARGEST_REQUEST
from skerry_service.edge.grpc.grpc_calls import handlers_of
from skerry_service.edge.grpc.grpc_credentials import credentials_of
from skerry_service.edge.grpc.grpc_services import GrpcServices

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


class GrpcServer:
    """One server on one port."""

    def __init__(
        self,
        services: GrpcServices,
        host: str,
        port: int,
        connections: int,
        *,
        shared: bool = False,
        certificates: Certificates | None = None,
    ) -> None:
        """Listen on a port; ``start`` answers. Raises OSError if the port is taken.

        ``port``: 0 for any free one; ``connections``: maximum number of them;
        ``shared``: other processes of the service listen on the port too; ``certificates``: ``None`` for plain text.
        """
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
        self._server.add_generic_rpc_handlers(tuple(map(handlers_of, services.endpoints)))
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

    async def stop(self, grace: float) -> None:
        """Stop. Calls in progress have ``grace`` seconds to end."""
        await self._server.stop(grace)
