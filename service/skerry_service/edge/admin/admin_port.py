"""The operators' port: its server, and the callers that it accepts."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, nullcontext
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address

from skerry_service.access.certificates import Certificates
from skerry_service.access.client_addresses import Peer
from skerry_service.access.keyring import Keyring
from skerry_service.api.endpoint import endpoint_of
from skerry_service.api.interceptors import RequireOwnCell
from skerry_service.edge.admin.admin_methods import ADMIN_SERVICE, AdminMethods, DrainReplicas, Erasure, ReadOverview
from skerry_service.edge.admin.admin_page import admin_app
from skerry_service.edge.admin.operator_audit import AuditedMethods, NameOperators
from skerry_service.edge.admin.session_listings import AllSessions
from skerry_service.edge.grpc.adapter import GrpcAdapter
from skerry_service.edge.grpc.grpc_server import GrpcServer
from skerry_service.edge.grpc.grpc_services import GrpcServices
from skerry_service.edge.http.http_app import HttpApp
from skerry_service.edge.http1.http1_protocol import Http1Protocol
from skerry_service.edge.http2.asgi_bridge import AsgiBridge
from skerry_service.edge.http2.http2_connection import Http2Connection
from skerry_service.edge.listening.connection_table import ConnectionTable
from skerry_service.edge.listening.first_bytes import Protocols
from skerry_service.edge.listening.listener import Listener
from skerry_service.edge.listening.listening_sockets import address_of, open_listener
from skerry_service.sessions.resources.audit_log import AuditLog
from skerry_service.sessions.resources.ban_registry import BanRegistry
from skerry_service.sessions.service import Sessions
from skerry_service.telemetry.call_observers import CallObservers
from skerry_service.wiring.config import Config
from skerry_service.wiring.setting_kinds import split_address

_CONNECTIONS = 64
_GRACE_SECONDS = 1.0
"""Time for the answer to DrainReplica."""


@dataclass(frozen=True)
class AdminServices:
    """What the operators' RPCs need."""

    sessions: Sessions
    all_sessions: AllSessions
    erasure: Erasure
    overview: ReadOverview
    drain: DrainReplicas
    observers: CallObservers
    bans: BanRegistry
    audit: AuditLog
    clock_ms: Callable[[], int]
    """The wall clock, in ms since 1970."""
    certificates: Certificates | None
    keyring: Keyring | None


async def serve_admin(config: Config, services: AdminServices, stack: AsyncExitStack) -> str | None:
    """Serve operators until the stack unwinds; return the address, ``None`` if none is configured. Raises OSError.

    On a loopback address the port needs neither TLS nor API keys. On any other address it requires both.
    """
    if config.admin is None:
        return None
    host, port = split_address(config.admin)
    certificates = (
        None if is_loopback(host) else services.certificates
    )  # the certificate names the service, not this machine
    if not is_loopback(host) and (certificates is None or services.keyring is None):
        raise OSError(
            f"cannot serve operators at {config.admin}, which other machines can reach: set SKERRY_KEYS and "
            "SKERRY_TLS_CERTIFICATE, or listen on 127.0.0.1"
        )
    methods = AdminMethods(
        services.sessions,
        services.all_sessions,
        services.erasure,
        services.overview,
        services.drain,
        services.bans,
        services.audit,
    )
    # Without `require_open`: operators are served while the process drains. Without bans: no ban keeps operators out.
    endpoint = endpoint_of(
        ADMIN_SERVICE,
        AuditedMethods(methods, services.audit, services.clock_ms),
        observers=services.observers,
        keyring=services.keyring,
        more=(NameOperators(), RequireOwnCell(ADMIN_SERVICE, services.sessions.new_games.cell)),
    )
    grpc = GrpcServices((endpoint,))
    grpc.health.report(healthy=True, durable=True)
    server: GrpcServer | Listener
    if config.grpc == "grpcio":
        server = GrpcServer(grpc, host, port, _CONNECTIONS, certificates=certificates)
        address = server.address
    else:
        listening = open_listener(host, port)
        address = address_of(host, listening.getsockname()[1])
        server = _listener(grpc, listening, certificates, admin_app(endpoint, _hosts(host, config)))
    await server.start()
    stack.push_async_callback(server.stop, _GRACE_SECONDS)
    stack.callback(grpc.health.close)
    return address


def _listener(
    services: GrpcServices, listening: socket.socket, certificates: Certificates | None, app: HttpApp
) -> Listener:
    """Return the listener of the port. ``app``: answers requests that are not gRPC."""

    def ignore(peer: Peer, error: Exception) -> None:
        """Rejected connections are counted at the public ports only."""

    http2 = partial(Http2Connection, GrpcAdapter(services.endpoints, AsgiBridge(app, ignore).serve).serve)
    protocols = Protocols(partial(Http1Protocol, app, ignore), http2, ignore)
    table = ConnectionTable(_CONNECTIONS, lambda peer: nullcontext(), lambda peer: peer.host or "")
    return Listener([listening], protocols, table, certificates.context if certificates else None)


def _hosts(host: str, config: Config) -> Sequence[str]:
    """Return the names by which operators reach the port, beside addresses: its own, and those of the settings."""
    return (host, *config.allowed_hosts)


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
