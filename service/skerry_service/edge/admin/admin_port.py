"""The port of operators: whom it listens to, and what stands behind it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from ipaddress import ip_address

from skerry_service.access.certificates import Certificates
from skerry_service.access.keyring import Keyring
from skerry_service.api.endpoint import endpoint_of
from skerry_service.edge.admin.admin_methods import ADMIN_SERVICE, AdminMethods, AllSessions
from skerry_service.edge.grpc.grpc_server import GrpcServer
from skerry_service.sessions.service import Sessions
from skerry_service.telemetry.call_observers import CallObservers
from skerry_service.wiring.config import Config
from skerry_service.wiring.setting_kinds import split_address

_CONNECTIONS = 64
_GRACE_SECONDS = 1.0
"""For the answer of whoever has told the process to end."""


@dataclass(frozen=True)
class AdminServices:
    """What operators see and do."""

    sessions: Sessions
    everything: AllSessions
    end: Callable[[], None]
    """Lets this process end, soon."""
    watchers: CallObservers
    certificates: Certificates | None
    keyring: Keyring | None


async def serve_admin(config: Config, operating: AdminServices, stack: AsyncExitStack) -> str | None:
    """Answer operators until the stack unwinds; return where, ``None`` if it is not wanted. Raises OSError.

    On this machine it speaks in the clear, beyond it with TLS and to callers with API keys alone.
    """
    if config.admin is None:
        return None
    host, port = split_address(config.admin)
    certificates = None if is_loopback(host) else operating.certificates  # a certificate is for the name of the service
    if not is_loopback(host) and (certificates is None or operating.keyring is None):
        raise OSError(
            f"cannot serve operators at {config.admin}, which is reached from other machines: set SKERRY_KEYS and "
            "SKERRY_TLS_CERTIFICATE, or listen on 127.0.0.1"
        )
    methods = AdminMethods(operating.sessions, operating.everything, operating.end)
    # Operators are answered while the process drains, too.
    endpoint = endpoint_of(ADMIN_SERVICE, methods, observers=operating.watchers, keyring=operating.keyring)
    server = GrpcServer((endpoint,), host, port, _CONNECTIONS, certificates=certificates)
    await server.start()
    stack.push_async_callback(server.stop, _GRACE_SECONDS)
    await server.report(healthy=True, durable=True)
    return server.address


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine can reach that address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
