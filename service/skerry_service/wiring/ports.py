"""The ports of a server, with their TLS certificates and API keys, as the settings state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from skerry_service.access.certificates import Certificates, IsUsable, tls_files_of
from skerry_service.access.client_addresses import Peer
from skerry_service.access.identity.issuers_file import IssuersFile
from skerry_service.access.keyring import Keyring
from skerry_service.access.rate_limiter import RateLimiter
from skerry_service.access.reloaded_files import UnusableFile
from skerry_service.edge.agents_adapter import AGENTS_PATH
from skerry_service.edge.connect.procedures import procedures_of
from skerry_service.edge.grpc.adapter import GrpcAdapter
from skerry_service.edge.grpc.grpc_credentials import is_usable
from skerry_service.edge.grpc.grpc_server import GrpcServer
from skerry_service.edge.grpc.grpc_services import GrpcServices
from skerry_service.edge.http.http_app import Adapter, HttpApp
from skerry_service.edge.http1.http1_protocol import Http1Protocol
from skerry_service.edge.http2.asgi_bridge import AsgiBridge
from skerry_service.edge.http2.http2_connection import Http2Connection
from skerry_service.edge.listening.connection_table import ConnectionTable
from skerry_service.edge.listening.first_bytes import Protocols
from skerry_service.edge.listening.listener import Listener
from skerry_service.edge.listening.listening_sockets import address_of, open_listener, open_unix_listener
from skerry_service.edge.listening.tls_connection import TlsContext
from skerry_service.edge.rest.health_port import HealthApp
from skerry_service.edge.rest.pages import Problem, health_pages, pages
from skerry_service.edge.rest.rest_app import RestApp
from skerry_service.edge.rest.web_page_app import WebPage
from skerry_service.wiring.config import Config
from skerry_service.wiring.setting_kinds import split_address

GRACE_SECONDS = 5
_MAX_PROBE_CONNECTIONS = 64


@dataclass(frozen=True)
class HealthChecks:
    """The sources of what the health pages report."""

    problem: Callable[[], Problem | None]
    """Returns why the server is not ready; ``None``: it is."""
    warnings: Callable[[], Sequence[str]]
    """Returns why the store is not durable."""


@dataclass(frozen=True)
class PortOptions:
    """Options that all ports for calls share."""

    connections: int
    """The maximum number of connections for each port."""
    shared: bool
    """Whether other workers listen on the same ports."""
    certificates: Certificates | None
    """``None``: no TLS."""
    agents: Adapter | None = None
    """Answers ``/mcp``; ``None``: not served."""

    @property
    def tls(self) -> TlsContext | None:
        """The TLS contexts of new connections."""
        return self.certificates.context if self.certificates else None


class Port(Protocol):
    """A server on one or several sockets, which listens already."""

    async def start(self) -> None:
        """Start answering."""

    async def stop(self, grace: float) -> None:
        """Stop. Calls in progress have ``grace`` seconds to end."""


@dataclass
class BoundPorts:
    """Ports that do not answer yet."""

    grpc: str
    """``HOST:PORT`` of gRPC."""
    ports: list[Port] = field(default_factory=list)
    http: str | None = None
    """``HOST:PORT`` of REST/JSON; ``None``: not served."""
    health: str | None = None
    """``HOST:PORT`` of the health pages; ``None``: not served."""


def certificates_of(config: Config) -> Certificates | None:
    """Return the server's certificates; ``None`` without TLS. Raises OSError if the files are not usable."""
    try:
        files = tls_files_of(config.tls_certificate, config.tls_key, config.tls_client_ca)
        return Certificates(files, *needs_of(config)) if files else None
    except UnusableFile as error:
        raise OSError(f"cannot use TLS: {error}") from None


def needs_of(config: Config) -> Sequence[IsUsable]:
    """Return the checks of TLS material that the servers of the settings need beyond those of OpenSSL."""
    return (is_usable,) if config.grpc == "grpcio" else ()


def keyring_of(config: Config) -> Keyring | None:
    """Return the API keys; ``None`` if calls need no key. Raises OSError if the file is not usable."""
    try:
        return Keyring(config.keys) if config.keys else None
    except UnusableFile as error:
        raise OSError(f"cannot use the API keys: {error}") from None


def issuers_of(config: Config) -> IssuersFile | None:
    """Return the issuers that vouch for players; ``None`` without any. Raises OSError if the file is not usable."""
    try:
        return IssuersFile(config.issuers) if config.issuers else None
    except UnusableFile as error:
        raise OSError(f"cannot use the issuers: {error}") from None


def bind_ports(
    config: Config, health: HealthChecks, services: GrpcServices, limiter: RateLimiter, options: PortOptions
) -> BoundPorts:
    """Bind the ports of the settings. Raises OSError. Each public port serves every protocol."""
    with ExitStack() as opened:
        bound = _bind_all(config, health, services, limiter, options, opened)
        opened.pop_all()  # now the ports close them
        return bound


def _bind_all(
    config: Config,
    health: HealthChecks,
    services: GrpcServices,
    limiter: RateLimiter,
    options: PortOptions,
    opened: ExitStack,
) -> BoundPorts:
    """Bind the ports. ``opened``: gets the sockets."""
    protocols = _protocols(config, health, services, limiter, options.agents)
    if config.grpc == "grpcio":
        grpcio = GrpcServer(
            services,
            config.host,
            config.port,
            options.connections,
            shared=options.shared,
            certificates=options.certificates,
        )
        bound = BoundPorts(grpcio.address, [grpcio])
    else:
        bound = BoundPorts("")
        bound.grpc = _bind(bound, opened, (config.host, config.port), protocols, limiter, options)
    if config.http is not None:
        bound.http = _bind(bound, opened, split_address(config.http), protocols, limiter, options)
    if config.socket is not None:
        unix = opened.enter_context(open_unix_listener(config.socket))
        table = ConnectionTable(options.connections, limiter.connection, limiter.address_of)
        bound.ports.append(Listener([unix], protocols, table))
    if config.health is not None:
        probes = HealthApp(health_pages(health.problem, health.warnings))
        host, port = split_address(config.health)
        socket = opened.enter_context(open_listener(host, port, shared=options.shared))
        probed = Protocols(partial(Http1Protocol, probes, _ignore_rejection), None, _ignore_rejection)
        table = ConnectionTable(_MAX_PROBE_CONNECTIONS, _unlimited, limiter.address_of)
        bound.ports.append(Listener([socket], probed, table))
        bound.health = address_of(host, socket.getsockname()[1])
    return bound


def _protocols(
    config: Config, health: HealthChecks, services: GrpcServices, limiter: RateLimiter, agents: Adapter | None
) -> Protocols:
    """Return the protocols of the public ports."""
    endpoints = services.public
    web_page = WebPage(endpoints[0], limiter.is_proxy, config.embed_origins)
    served = pages([endpoint.service for endpoint in endpoints], health.problem, health.warnings, web_page.find)
    rest, procedures = RestApp(endpoints, served), procedures_of(endpoints)
    adapters: dict[bytes, Adapter] = {**procedures, **({} if agents is None else {AGENTS_PATH: agents})}
    app = HttpApp(adapters, rest, endpoints[0].refused, config.cors_origins, config.allowed_hosts)
    adapter = GrpcAdapter(services.endpoints, AsgiBridge(app, app.refused).serve)
    http2 = partial(Http2Connection, adapter.serve)
    return Protocols(partial(Http1Protocol, app, app.refused), http2, app.refused)


def _bind(
    bound: BoundPorts,
    opened: ExitStack,
    where: tuple[str, int],
    protocols: Protocols,
    limiter: RateLimiter,
    options: PortOptions,
) -> str:
    """Bind a public port, and return its address. Raises OSError."""
    host, port = where
    socket = opened.enter_context(open_listener(host, port, shared=options.shared))
    table = ConnectionTable(options.connections, limiter.connection, limiter.address_of)
    bound.ports.append(Listener([socket], protocols, table, options.tls))
    return address_of(host, socket.getsockname()[1])


def _unlimited(_: Peer) -> nullcontext[None]:
    return nullcontext()


def _ignore_rejection(_: Peer, __: Exception) -> None:
    pass
