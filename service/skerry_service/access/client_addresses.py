"""The address of a caller: that of its connection, or the one that a trusted proxy reports.

An IPv6 address counts as its /64, the block that a provider gives to one customer. An IPv4 address in IPv6 form counts
as the IPv4 address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from msgspec import Struct

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

FORWARDED_FOR = "x-forwarded-for"
FORWARDING = frozenset((FORWARDED_FOR, "forwarded", "x-real-ip"))
"""Headers that proxies add. A call with one of them does not come from the machine that its connection comes from."""
TRACEPARENT = "traceparent"
API_KEY = "x-api-key"
"""The header, or metadata, of the API key."""
IDENTITY = "skerry-identity"
"""The header, or metadata, of the identity token."""
ACT_FOR = "skerry-act-for"
"""The header, or metadata, that names the player for whom a trusted backend acts."""
CELL = "skerry-cell"
"""The header, or metadata, with the cell that the caller asks for."""
COUNTED_PREFIX = 64
"""Bits of the IPv6 network that counts as one caller."""


class Peer(Struct, frozen=True):
    """What a transport knows about a caller."""

    host: str | None
    """The address at the other end of the connection; ``None``: a socket of this machine."""
    connection: str = ""
    """Identifies the connection; empty for a socket of this machine."""
    forwarded_for: tuple[str, ...] = ()
    """The values of all ``X-Forwarded-For`` headers, in order."""
    forwarded: bool = False
    """Whether the call has a header of a proxy (``FORWARDING``)."""
    traceparent: str = ""
    """The trace that the call belongs to (W3C Trace Context), as sent."""
    keys: tuple[str, ...] = ()
    """Every API key of the call. They are never logged."""
    identities: tuple[str, ...] = ()
    """Every identity token of the call. They are never logged."""
    acted_for: tuple[str, ...] = ()
    """Every player for whom a trusted backend acts by the call."""
    cells: tuple[str, ...] = ()
    """Every cell that the call asks for."""


LOCAL = "local"
"""The address of callers on this machine that have none."""
IN_PROCESS = Peer(None)
"""A caller in this process."""
PEER_HEADERS = frozenset(name.encode() for name in (*FORWARDING, TRACEPARENT, API_KEY, IDENTITY, ACT_FOR, CELL))
"""The headers that ``peer_of`` reads."""
_FORWARDED_FOR, _TRACEPARENT, _API_KEY, _IDENTITY, _ACT_FOR, _CELL = (
    FORWARDED_FOR.encode(),
    TRACEPARENT.encode(),
    API_KEY.encode(),
    IDENTITY.encode(),
    ACT_FOR.encode(),
    CELL.encode(),
)


def peer_of(client: tuple[str, int] | None, headers: Iterable[tuple[bytes, bytes]] = ()) -> Peer:
    """Return the peer of a call, or of a connection.

    ``client``: address and port of the other end, ``None`` for a unix socket; ``headers``: of the call, at least those
    of ``PEER_HEADERS``, with names in lower case.
    """
    forwarded_for, keys, identities, acted_for, cells, trace, forwarded = [], [], [], [], [], "", False
    for name, value in headers:
        if name not in PEER_HEADERS:
            continue
        text = value.decode("latin-1")
        if name == _API_KEY:
            keys.append(text)
        elif name == _IDENTITY:
            identities.append(text)
        elif name == _ACT_FOR:
            acted_for.append(text)
        elif name == _CELL:
            cells.append(text)
        elif name == _TRACEPARENT:
            trace = trace or text
        else:
            forwarded = True
            if name == _FORWARDED_FOR:
                forwarded_for.append(text)
    host, connection = (None, "") if client is None else (client[0], f"{client[0]}:{client[1]}")
    named = (tuple(keys), tuple(identities), tuple(acted_for), tuple(cells))
    return Peer(host, connection, tuple(forwarded_for), forwarded, trace, *named)


class CallerAddress(Struct, frozen=True):
    """The address that a call is counted for."""

    address: str
    """An IPv4 address or an IPv6 network."""
    connection: str = ""
    """Empty for the connections of trusted proxies, which carry calls of many callers."""
    local: bool = False
    """Whether the caller is on this machine."""

    @property
    def reader(self) -> str | None:
        """The address whose streams are counted; ``None`` if readers cannot be distinguished."""
        return None if self.local else self.address


class StreamOrigin(Struct, frozen=True):
    """Who opens a stream."""

    reader: str | None = None
    """The address whose streams are counted; ``None`` if readers cannot be distinguished."""
    key: str = ""
    """The name of the API key; empty without one."""


UNKNOWN_ORIGIN = StreamOrigin()


class AddressResolver:
    """Finds the addresses of callers."""

    def __init__(self, proxies: Sequence[str], *, local: bool, on_untrusted_proxy: Callable[[str], None]) -> None:
        """Trust the proxies in these networks. Raises ValueError if one is not a network.

        ``local``: whether callers on this machine are marked as local; ``on_untrusted_proxy``: called with the address
        of a proxy on this machine that is not trusted.
        """
        self._proxies = [read_network(text) for text in proxies]
        self._local = local
        self._on_untrusted_proxy = on_untrusted_proxy

    def resolve(self, peer: Peer) -> CallerAddress:
        """Return the address that the peer's call is counted for."""
        if peer.host is None:
            return self._resolve_local(peer)
        address = _parse(peer.host)
        if address is None:
            return CallerAddress(peer.host, peer.connection)
        if self._trusts(address):
            client = self._client_of_proxies(address, peer.forwarded_for) or address
            return CallerAddress(_counted(client), local=self._local and client.is_loopback and not peer.forwarded)
        local = self._local and address.is_loopback
        if local and peer.forwarded:
            self._on_untrusted_proxy(peer.host)
        return CallerAddress(_counted(address), peer.connection, local=local and not peer.forwarded)

    def _resolve_local(self, peer: Peer) -> CallerAddress:
        """Return the address of a caller at a unix socket, which only trusted programs can open.

        One that names a client is a proxy. Without a valid address, its clients count as one caller.
        """
        if not peer.forwarded:
            return CallerAddress(LOCAL, local=self._local)
        client = self._client_of_proxies(None, peer.forwarded_for)
        return CallerAddress(LOCAL if client is None else _counted(client))

    def is_proxy(self, peer: Peer) -> bool:
        """Return whether the peer is a trusted proxy, or at a unix socket."""
        if peer.host is None:
            return True
        address = _parse(peer.host)
        return address is not None and self._trusts(address)

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self._proxies)

    def _client_of_proxies(self, address: Address | None, forwarded_for: Sequence[str]) -> Address | None:
        """Read from the right: each proxy appends its client, so entries that a caller made up stand further left.

        ``address``: that of the last proxy, ``None`` at a unix socket.
        """
        entries = ",".join(forwarded_for).split(",")
        while entries and (address is None or self._trusts(address)):
            client = _parse(_without_port(entries.pop().strip()))
            if client is None:
                break
            address = client
        return address


def read_network(text: str) -> Network:
    """Return a network, or an address as a network. Raises ValueError."""
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise ValueError(f"SKERRY_TRUSTED_PROXIES contains {text!r}; list networks such as 10.0.0.0/8 or ::1") from None


@lru_cache(maxsize=4096)
def _parse(text: str) -> Address | None:
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
    return str(IPv6Network((address, COUNTED_PREFIX), strict=False))


def _without_port(text: str) -> str:
    """Return the address in ``1.2.3.4:567`` or ``[2001:db8::1]:567``, the forms that some proxies write."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
