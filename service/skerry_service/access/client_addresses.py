"""Where a call comes from: the address of its connection, or what a trusted proxy says of it.

An IPv6 address counts by its /64, which is what one customer of a network is given; an IPv4 address that is written as
an IPv6 one counts as itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from msgspec import Struct

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

FORWARDED_FOR = "x-forwarded-for"
FORWARDING = frozenset((FORWARDED_FOR, "forwarded", "x-real-ip"))
"""Names of what proxies add: a call with one of them was not made on the machine that it seems to come from."""
TRACEPARENT = "traceparent"
API_KEY = "x-api-key"
"""Name of what a caller sends its API key in."""
_PREFIX = 64


class Peer(Struct, frozen=True):
    """What a transport knows of a caller."""

    host: str | None
    """The address at the other end of the connection; ``None``: it is a socket of this machine."""
    connection: str = ""
    """Tells connections of a transport apart that carry several calls at a time."""
    forwarded_for: tuple[str, ...] = ()
    """Every ``X-Forwarded-For``, in order."""
    forwarded: bool = False
    """Whether a proxy has left its mark (``FORWARDING``)."""
    traceparent: str = ""
    """Of which trace the caller says that the call is part (W3C Trace Context), as it was sent."""
    keys: tuple[str, ...] = ()
    """Every API key that was sent. It is never written anywhere."""


LOCAL = "local"
"""The address of callers that have none, on this machine."""
HERE = Peer(None)
"""A caller in this process."""


class Origin(Struct, frozen=True):
    """Whose call it is."""

    address: str
    """What is counted: an IPv4 address or an IPv6 network."""
    connection: str = ""
    """Empty where connections tell nothing: those of a trusted proxy carry calls of many."""
    local: bool = False
    """Whether the caller is on this machine."""

    @property
    def reader(self) -> str | None:
        """Whom the places of streams are counted for; ``None``: readers cannot be told apart."""
        return None if self.local else self.address


class Origins:
    """Tells origins apart. ``local``: whether callers on this machine are told from all others."""

    def __init__(self, proxies: Sequence[str], *, local: bool, on_stranger: Callable[[str], None]) -> None:
        """``on_stranger`` is called with the address of a proxy on this machine that is not trusted.

        Raises ValueError for a proxy that is no network.
        """
        self._proxies = [read_network(text) for text in proxies]
        self._local = local
        self._on_stranger = on_stranger

    def of(self, peer: Peer) -> Origin:
        """Return whose call it is."""
        if peer.host is None:
            return Origin(LOCAL, local=self._local)
        address = _read(peer.host)
        if address is None:
            return Origin(peer.host, peer.connection)
        if self._trusts(address):
            said = self._said_by_proxies(address, peer.forwarded_for)
            return Origin(_counted(said), local=self._local and said.is_loopback and not peer.forwarded)
        local = self._local and address.is_loopback
        if local and peer.forwarded:
            self._on_stranger(peer.host)
        return Origin(_counted(address), peer.connection, local=local and not peer.forwarded)

    def is_proxy(self, peer: Peer) -> bool:
        """Whether it is a proxy that is believed."""
        address = None if peer.host is None else _read(peer.host)
        return address is not None and self._trusts(address)

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self._proxies)

    def _said_by_proxies(self, address: Address, forwarded_for: Sequence[str]) -> Address:
        """Read from the right: each proxy adds who called it, so what a caller sends itself stands further left."""
        entries = ",".join(forwarded_for).split(",")
        while entries and self._trusts(address):
            named = _read(_without_port(entries.pop().strip()))
            if named is None:
                break
            address = named
        return address


def read_network(text: str) -> Network:
    """Return a network, or an address as one. Raises ValueError."""
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise ValueError(f"SKERRY_TRUSTED_PROXIES lists networks such as 10.0.0.0/8 or ::1, not {text!r}") from None


@lru_cache(maxsize=4096)
def _read(text: str) -> Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


@lru_cache(maxsize=4096)
def _counted(address: Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    return str(IPv6Network((address, _PREFIX), strict=False))


def _without_port(text: str) -> str:
    """Return the address of ``1.2.3.4:567`` or ``[2001:db8::1]:567``, as some proxies write them."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
