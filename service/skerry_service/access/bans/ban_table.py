"""All bans of a server as tables. A look-up costs the same with one ban as with ten thousand."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address, ip_network

from skerry_service.domain.bans.ban import Ban, BannedKind

_CACHED = 4096
"""Addresses whose bans are remembered."""


class BanTable:
    """Bans by what they are about. Those that have ended may be among them."""

    def __init__(self) -> None:
        self.by_key: dict[str, Ban] = {}
        self.by_player: dict[str, Ban] = {}
        self._networks: dict[tuple[int, int], dict[int, Ban]] = {}
        """For each version of IP and number of bits after the prefix: the bans by prefix."""
        self._found: dict[str, Sequence[Ban]] = {}

    def add(self, ban: Ban) -> None:
        """Add a ban, before the first look-up."""
        if ban.subject.kind is BannedKind.KEY:
            self.by_key[ban.subject.text] = ban
        elif ban.subject.kind is BannedKind.PLAYER:
            self.by_player[ban.subject.text] = ban
        else:
            self._add_network(ban)

    def _add_network(self, ban: Ban) -> None:
        network = ip_network(ban.subject.text)
        bits = network.max_prefixlen - network.prefixlen
        self._networks.setdefault((network.version, bits), {})[int(network.network_address) >> bits] = ban

    @property
    def has_networks(self) -> bool:
        """Whether any address is banned."""
        return bool(self._networks)

    def of_address(self, counted: str) -> Sequence[Ban]:
        """Return the bans of all networks with an address, as ``RateLimiter.address_of`` returns it."""
        found = self._found.get(counted)
        if found is None:
            found = self._find(counted)
            if len(self._found) >= _CACHED:
                self._found.clear()
            self._found[counted] = found
        return found

    def _find(self, counted: str) -> Sequence[Ban]:
        try:
            address = ip_address(counted.partition("/")[0])
        except ValueError:  # a caller at a unix socket
            return ()
        number = int(address)
        matches = [
            bans.get(number >> bits) for (version, bits), bans in self._networks.items() if version == address.version
        ]
        return tuple([ban for ban in matches if ban is not None])
