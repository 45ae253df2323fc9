"""The interface between the listener and the protocols of connections."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from skerry_service.access.client_addresses import Peer, peer_of

SocketName = tuple[str, int | None]
"""Host and port, or the path of a unix socket and ``None``."""


@dataclass(frozen=True, slots=True)
class ConnectionFacts:
    """What the listener knows about a connection."""

    client: tuple[str, int] | None
    """Address and port of the other end; ``None`` for a unix socket."""
    server: SocketName
    """The end of this server."""
    is_tls: bool
    alpn: str | None
    """The protocol that the TLS handshake selected; ``None`` if it selected none."""
    release: Callable[[], None]
    """Stops counting the connection. Its protocol calls this once: when the connection is lost and no call runs."""

    @property
    def peer(self) -> Peer:
        """The caller, as far as the connection shows it."""
        return peer_of(self.client)


class ConnectionProtocol(asyncio.Protocol):
    """A protocol that the listener chose for a connection.

    It gets its transport by ``connection_made``, and then the bytes that were read before by ``data_received``.
    """

    @property
    @abstractmethod
    def is_idle(self) -> bool:
        """Whether no call is under way, so that the connection may be closed to make room."""

    @property
    @abstractmethod
    def idle_since(self) -> float:
        """When the last call ended, by the clock of the event loop; without calls, when the connection was opened."""

    @abstractmethod
    def close_idle(self) -> None:
        """Close the connection to make room. It is idle."""

    @abstractmethod
    def drain(self) -> None:
        """Start nothing new, let the calls under way finish, then close the connection."""


ProtocolFactory = Callable[[ConnectionFacts], ConnectionProtocol]
