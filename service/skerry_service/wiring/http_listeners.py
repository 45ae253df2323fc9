"""The HTTP ports of a server, and the TLS certificates and API keys of all its ports, as the settings state."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial

from skerry_service.access.certificates import Certificates, tls_files_of
from skerry_service.access.client_addresses import Peer
from skerry_service.access.keyring import Keyring
from skerry_service.access.rate_limiter import RateLimiter
from skerry_service.access.reloaded_files import UnusableFile
from skerry_service.api.endpoint import Endpoint
from skerry_service.edge.connect.procedures import procedures_of
from skerry_service.edge.grpc.grpc_credentials import is_usable
from skerry_service.edge.http.http_app import HttpApp
from skerry_service.edge.http1.http1_protocol import Http1Protocol
from skerry_service.edge.listening.connection_table import ConnectionTable
from skerry_service.edge.listening.first_bytes import Protocols
from skerry_service.edge.listening.listener import Listener
from skerry_service.edge.listening.listening_sockets import address_of, open_listener
from skerry_service.edge.listening.tls_connection import TlsContext
from skerry_service.edge.rest.health_port import HealthApp
from skerry_service.edge.rest.pages import health_pages, pages
from skerry_service.edge.rest.rest_app import RestApp
from skerry_service.wiring.config import Config
from skerry_service.wiring.setting_kinds import split_address

GRACE_SECONDS = 5
_MAX_PROBE_CONNECTIONS = 64


@dataclass(frozen=True)
class HealthChecks:
    """The sources of what the health pages report."""

    is_ready: Callable[[], Awaitable[bool]]
    """Returns whether the server can answer calls now."""
    warnings: Callable[[], Sequence[str]]
    """Returns why the store is not durable."""


@dataclass(frozen=True)
class PortOptions:
    """Options that all ports for calls share."""

    connections: int
    """The maximum number of connections for each port."""
    shared: bool
    """Whether other workers listen on the same ports."""
    tls: TlsContext | None
    """``None``: no TLS."""


@dataclass
class HttpListeners:
    """Listeners that do not answer yet."""

    listeners: list[Listener] = field(default_factory=list)
    http: str | None = None
    """``HOST:PORT`` of REST/JSON; ``None``: not served."""
    health: str | None = None
    """``HOST:PORT`` of the health pages; ``None``: not served."""


def certificates_of(config: Config) -> Certificates | None:
    """Return the server's certificates; ``None`` without TLS. Raises OSError if the files are not usable."""
    try:
        files = tls_files_of(config.tls_certificate, config.tls_key, config.tls_client_ca)
        return Certificates(files, is_usable) if files else None
    except UnusableFile as error:
        raise OSError(f"cannot use TLS: {error}") from None


def keyring_of(config: Config) -> Keyring | None:
    """Return the API keys; ``None`` if calls need no key. Raises OSError if the file is not usable."""
    try:
        return Keyring(config.keys) if config.keys else None
    except UnusableFile as error:
        raise OSError(f"cannot use the API keys: {error}") from None


def bind_http(
    config: Config, health: HealthChecks, endpoints: Sequence[Endpoint], limiter: RateLimiter, options: PortOptions
) -> HttpListeners:
    """Bind the HTTP ports of the settings. Raises OSError."""
    bound = HttpListeners()
    if config.http is not None:
        served = pages([endpoint.service for endpoint in endpoints], health.is_ready, health.warnings)
        rest, procedures = RestApp(endpoints, served), procedures_of(endpoints)
        app = HttpApp(procedures, rest, endpoints[0].refused, config.cors_origins, config.allowed_hosts)
        host, port = split_address(config.http)
        socket = open_listener(host, port, shared=options.shared)
        protocols = Protocols(partial(Http1Protocol, app, app.refused), None, app.refused)
        table = ConnectionTable(options.connections, limiter.connection, limiter.address_of)
        bound.listeners.append(Listener([socket], protocols, table, options.tls))
        bound.http = address_of(host, socket.getsockname()[1])
    if config.health is not None:
        probes = HealthApp(health_pages(health.is_ready, health.warnings))
        host, port = split_address(config.health)
        socket = open_listener(host, port, shared=options.shared)
        protocols = Protocols(partial(Http1Protocol, probes, _ignore_rejection), None, _ignore_rejection)
        table = ConnectionTable(_MAX_PROBE_CONNECTIONS, _unlimited, limiter.address_of)
        bound.listeners.append(Listener([socket], protocols, table))
        bound.health = address_of(host, socket.getsockname()[1])
    return bound


def _unlimited(_: Peer) -> nullcontext[None]:
    return nullcontext()


def _ignore_rejection(_: Peer, __: Exception) -> None:
    pass
