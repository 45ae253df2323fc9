"""The ports over HTTP, and TLS for all: what listens where, by the settings."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field

from skerry_service.access.certificates import Certificates, tls_files_of
from skerry_service.access.client_addresses import Peer
from skerry_service.access.keyring import Keyring
from skerry_service.access.rate_limiter import RateLimiter
from skerry_service.access.reloaded_files import UnusableFile
from skerry_service.api.endpoint import Endpoint
from skerry_service.edge.grpc.grpc_credentials import is_usable
from skerry_service.edge.http.http_server import HttpServer, address_of, open_listener
from skerry_service.edge.http.tls_handshakes import Context
from skerry_service.edge.rest.health_port import HealthApp
from skerry_service.edge.rest.pages import health_pages, pages
from skerry_service.edge.rest.rest_app import RestApp
from skerry_service.wiring.config import Config
from skerry_service.wiring.setting_kinds import split_address

GRACE_SECONDS = 5
_MOST_PROBES = 64
"""Connections of probes at a time."""


@dataclass(frozen=True)
class Health:
    """What is told of it."""

    is_ready: Callable[[], Awaitable[bool]]
    """Whether calls would be answered now."""
    warnings: Callable[[], Sequence[str]]
    """What is wrong with how sessions are kept."""


@dataclass(frozen=True)
class Ports:
    """What is true of all ports of calls."""

    connections: int
    """How many each takes."""
    shared: bool
    """Whether other processes of ours listen there too."""
    tls: Context | None
    """``None``: they speak in the clear."""


@dataclass
class Listening:
    """Servers over HTTP, not yet answering."""

    servers: list[HttpServer] = field(default_factory=list)
    http: str | None = None
    """``HOST:PORT`` of REST/JSON; ``None``: not served."""
    health: str | None = None
    """``HOST:PORT`` of health alone, likewise."""


def certificates_of(config: Config) -> Certificates | None:
    """Return what is shown to clients; ``None``: there is no TLS. Raises OSError if the files are of no use."""
    try:
        files = tls_files_of(config.tls_certificate, config.tls_key, config.tls_client_ca)
        return Certificates(files, is_usable) if files else None
    except UnusableFile as error:
        raise OSError(f"cannot use TLS: {error}") from None


def keyring_of(config: Config) -> Keyring | None:
    """Return who knows the API keys; ``None``: none are asked for. Raises OSError if the file is of no use."""
    try:
        return Keyring(config.keys) if config.keys else None
    except UnusableFile as error:
        raise OSError(f"cannot use the API keys: {error}") from None


def bind_http(
    config: Config, health: Health, endpoints: Sequence[Endpoint], gate: RateLimiter, ports: Ports
) -> Listening:
    """Listen where the settings say. Raises OSError."""
    found = Listening()
    if config.http is not None:
        shown = pages([endpoint.service for endpoint in endpoints], health.is_ready, health.warnings)
        app = RestApp(endpoints, shown, config.cors_origins, config.allowed_hosts)
        host, port = split_address(config.http)
        listening = open_listener(host, port, shared=ports.shared)
        most = ports.connections
        found.servers.append(HttpServer(app, listening, gate.connection, app.refused, GRACE_SECONDS, most, ports.tls))
        found.http = address_of(host, listening.getsockname()[1])
    if config.health is not None:
        probes = HealthApp(health_pages(health.is_ready, health.warnings))
        host, port = split_address(config.health)
        listening = open_listener(host, port, shared=ports.shared)
        found.servers.append(HttpServer(probes, listening, _anybody, _untold, GRACE_SECONDS, _MOST_PROBES))
        found.health = address_of(host, listening.getsockname()[1])
    return found


def _anybody(_: Peer) -> nullcontext[None]:
    return nullcontext()


def _untold(_: Peer, __: Exception) -> None:
    """Hear of what was refused to a probe."""
