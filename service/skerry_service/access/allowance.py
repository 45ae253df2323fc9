"""Limits of somebody's own, in place of those of the address that they call from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from skerry_service.access.quotas import QUOTAS, Limit, Rate, read_count, read_rates

STREAMS = "streams"
"""The name of the bound among the limits."""
STREAMS_OF_A_KEY = "streams_key"


class Allowance(Struct, frozen=True):
    """How much all who call under one name may ask for together."""

    name: str
    rates: Mapping[str, tuple[Rate, ...]]
    """By kind of call; what is not there is counted for each address, as ever."""
    streams: int | None = None
    """How many may be open in one process; ``None``: as many as an address may have."""

    def limit(self, limit: Limit) -> Limit:
        """Return what counts in place of an address's limit."""
        return Limit(limit.name, limit.counts, "key", self.rates[limit.name])


def read_allowance(name: str, given: Sequence[tuple[str, str]]) -> Allowance | None:
    """Return what texts say: pairs such as ("create", "100/10s,2000/1h") and ("streams", "50"); ``None``: nothing.

    Raises ValueError for what is no limit of an address.
    """
    if not given:
        return None
    rates: dict[str, tuple[Rate, ...]] = {}
    streams = None
    for kind, text in given:
        if kind == STREAMS:
            streams = read_count(kind, text)
        elif kind in QUOTAS and kind != "connect":
            rates[kind] = read_rates(kind, text.replace(",", " "))
        else:
            raise ValueError(f"{kind} is no limit of a key: {', '.join(sorted({*QUOTAS, STREAMS} - {'connect'}))} are")
    return Allowance(name, rates, streams)
