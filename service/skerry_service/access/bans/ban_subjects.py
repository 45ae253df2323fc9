"""The subjects of bans, in the one form in which they are stored and compared."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from skerry_service.access.api_key_file import is_key_name
from skerry_service.access.client_addresses import COUNTED_PREFIX, Network
from skerry_service.domain.bans.ban import BannedKind, BanSubject
from skerry_service.domain.languages.phrases import phrase

_SHORTEST_PREFIX = {4: 8, 6: 16}
"""In bits. A wider network would ban nearly everybody by a slip."""
_LONGEST_TEXT = 80


def banned_address(text: str) -> BanSubject:
    """Return the subject for an address or a network, with the host bits of a network cleared.

    An IPv6 address stands for the network for which limits count it. Raises ValueError with a sentence.
    """
    try:
        network = _network(text)
    except ValueError:
        raise ValueError("Send an IPv4 or IPv6 address, or a network such as 203.0.113.0/24.") from None
    shortest = _SHORTEST_PREFIX[network.version]
    if network.prefixlen < shortest:
        raise ValueError(phrase("ban-prefix", version=network.version, least=shortest))
    if isinstance(network, IPv6Network) and network.prefixlen > COUNTED_PREFIX:
        raise ValueError(phrase("ban-network", prefix=COUNTED_PREFIX))
    return BanSubject(BannedKind.ADDRESS, str(network))


def _network(text: str) -> Network:
    if len(text) > _LONGEST_TEXT or "%" in text:
        raise ValueError(text)
    if "/" in text:
        return ip_network(text, strict=False)
    address = ip_address(text)
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            return IPv6Network((address, COUNTED_PREFIX), strict=False)
        address = address.ipv4_mapped
    return IPv4Network(address)


def banned_key(name: str) -> BanSubject:
    """Return the subject for the API keys of a name. Raises ValueError with a sentence."""
    if not is_key_name(name):
        raise ValueError("A key's name has up to 32 lowercase letters and digits, with dashes between them.")
    return BanSubject(BannedKind.KEY, name)
