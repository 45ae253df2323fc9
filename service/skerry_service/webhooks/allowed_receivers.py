"""Where the service may send requests: hosts that the operator named, and no private network that was not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from msgspec import Struct

_ENTRY = re.compile(r"(?P<host>[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?")
_LAST_PORT = 65535
_DEFAULT_PORTS = (80, 443)
_TRANSLATED = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"), ip_network("::/96"))
"""IPv6 networks whose addresses lead to IPv4 ones."""


class Allowed(Struct, frozen=True):
    """What the operator named, as pairs of host and port; without a port: those of HTTP and HTTPS."""

    named: tuple[tuple[str, int | None], ...]

    @classmethod
    def read(cls, entries: Sequence[str]) -> Allowed:
        """Read ``HOST`` or ``HOST:PORT``, an IPv6 address in brackets. Raises ValueError."""
        return cls(tuple([_read(entry) for entry in entries]))

    def names(self, host: str, port: int) -> bool:
        """Whether that host, a name or an address, was named with that port."""
        wanted = _plain(host)
        return any(wanted == name and (port in _DEFAULT_PORTS if of is None else port == of) for name, of in self.named)

    def permits(self, address: str, port: int) -> bool:
        """Whether a request may go to an address to which an allowed host has led: a public one, or named itself."""
        return is_public(ip_address(address)) or self.names(address, port)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address leads into the public internet: to no machine here, and no network of its own."""
    if isinstance(address, IPv6Address):
        embedded = address.ipv4_mapped or address.sixtofour or (address.teredo and address.teredo[1])
        if embedded or address.is_site_local or any(address in network for network in _TRANSLATED):
            return False  # what they lead to is named as what it is
    return address.is_global and not address.is_multicast and not address.is_reserved


def _read(entry: str) -> tuple[str, int | None]:
    match = _ENTRY.fullmatch(entry.lower())
    port = match["port"] if match else None
    if not match or (port and not 0 < int(port) <= _LAST_PORT):
        raise ValueError(f"{entry!r} is not HOST or HOST:PORT")
    return _plain(match["host"]), int(port) if port else None


def _plain(host: str) -> str:
    """Return an address as all that are equal to it are written, and a name as it is."""
    bare = host.strip("[]")
    try:
        return str(ip_address(bare))
    except ValueError:
        return bare.rstrip(".")
