"""Limits that an API key has instead of the limits of the caller's address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from skerry_service.access.quotas import QUOTAS, Rate, RateLimit, read_count, read_rates

STREAMS = "streams"
"""The option of a key's concurrency limit."""
STREAMS_OF_A_KEY = "streams_key"
"""The name of that limit in logs, metrics and errors."""


class KeyLimits(Struct, frozen=True):
    """The limits that all callers with keys of one name share."""

    name: str
    rates: Mapping[str, tuple[Rate, ...]]
    """Rates by kind of call. The limits of the address apply to every other kind."""
    streams: int | None = None
    """Streams open at once in one process. ``None``: the limit of the address applies."""

    def limit(self, limit: RateLimit) -> RateLimit:
        """Return the limit that replaces one of an address."""
        return RateLimit(limit.name, limit.counts, "key", self.rates[limit.name])


def read_key_limits(name: str, options: Sequence[tuple[str, str]]) -> KeyLimits | None:
    """Return the limits in options such as ("create", "100/10s,2000/1h") and ("streams", "50"); ``None`` without any.

    Raises ValueError for an option that is not a limit of a key.
    """
    if not options:
        return None
    rates: dict[str, tuple[Rate, ...]] = {}
    streams = None
    for kind, text in options:
        if kind == STREAMS:
            streams = read_count(kind, text)
        elif kind in QUOTAS and kind != "connect":
            rates[kind] = read_rates(kind, text.replace(",", " "))
        else:
            allowed = ", ".join(sorted({*QUOTAS, STREAMS} - {"connect"}))
            raise ValueError(f"{kind} is not a limit of a key; use one of {allowed}")
    return KeyLimits(name, rates, streams)
