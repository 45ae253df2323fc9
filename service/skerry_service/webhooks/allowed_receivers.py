"""The receivers of webhooks that the operator allows. Private addresses must be listed themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from msgspec import Struct

_ENTRY = re.compile(r"(?P<host>[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?")
_LAST_PORT = 65535
_DEFAULT_PORTS = (80, 443)
_EMBEDS_IPV4 = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"), ip_network("::/96"))
"""IPv6 networks whose addresses are translated to IPv4."""


class AllowedReceivers(Struct, frozen=True):
    """The operator's list of receivers."""

    entries: tuple[tuple[str, int | None], ...]
    """Pairs of host and port. Port ``None`` allows the ports of HTTP and HTTPS."""

    @classmethod
    def read(cls, entries: Sequence[str]) -> AllowedReceivers:
        """Parse entries of the form ``HOST`` or ``HOST:PORT``, with IPv6 addresses in brackets. Raises ValueError."""
        return cls(tuple([_parse(entry) for entry in entries]))

    def includes(self, host: str, port: int) -> bool:
        """Whether the list has an entry for that host (a name or an address) and port."""
        wanted = _normalized(host)
        return any(
            wanted == listed and (port in _DEFAULT_PORTS if listed_port is None else port == listed_port)
            for listed, listed_port in self.entries
        )

    def permits(self, address: str, port: int) -> bool:
        """Whether a request may go to an address that an allowed host resolved to: it is public, or itself listed."""
        return is_public(ip_address(address)) or self.includes(address, port)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address belongs to the public internet: not to this machine or a private network."""
    if isinstance(address, IPv6Address):
        embedded = address.ipv4_mapped or address.sixtofour or (address.teredo and address.teredo[1])
        if embedded or address.is_site_local or any(address in network for network in _EMBEDS_IPV4):
            return False  # the operator lists the embedded address itself
    return address.is_global and not address.is_multicast and not address.is_reserved


def _parse(entry: str) -> tuple[str, int | None]:
    match = _ENTRY.fullmatch(entry.lower())
    port = match["port"] if match else None
    if not match or (port and not 0 < int(port) <= _LAST_PORT):
        raise ValueError(f"{entry!r} is not HOST or HOST:PORT")
    return _normalized(match["host"]), int(port) if port else None


def _normalized(host: str) -> str:
    """Return an IP address in its canonical spelling, or a name without its trailing dot."""
    bare = host.strip("[]")
    try:
        return str(ip_address(bare))
    except ValueError:
        return bare.rstrip(".")
