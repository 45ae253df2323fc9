"""Addresses that name several servers: Sentinels, or some of a cluster."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from msgspec import Struct
from redis.asyncio.connection import parse_url

_PLACE = re.compile(r"([\w.-]+|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?")

Place = tuple[str, int]
"""Host and port."""


class Places(Struct, frozen=True):
    """The parts of such an address."""

    places: tuple[Place, ...]
    path: str
    options: Mapping[str, Any]
    """redis-py's options for connections to any of the servers, without host and port."""
    own: Mapping[str, str]
    """The parameters whose names begin with ``prefix``, without it."""
    tls: bool


def read_places(url: str, port: int, prefix: str = "", database: str = "") -> Places:
    """Read ``redis+<kind>://[user:password@]host[:port],.../path?...`` or ``rediss+...``. Raises ValueError.

    ``port``: the default port. ``database``: the number of the database, if the path names one.
    """
    # Since Python 3.12.9 and 3.13.2, urlsplit rejects an address in brackets that has other hosts beside it.
    named, _, rest = url.partition("://")
    hosts = re.split("[/?#]", rest, maxsplit=1)[0]
    user, at, places = hosts.rpartition("@")
    parts = urlsplit(f"{named}://server{rest[len(hosts) :]}")
    scheme = parts.scheme.partition("+")[0]
    pairs = parse_qsl(parts.query)
    own = {name.removeprefix(prefix): value for name, value in pairs if prefix and name.startswith(prefix)}
    query = urlencode([(name, value) for name, value in pairs if not (prefix and name.startswith(prefix))])
    options: dict[str, Any] = dict(parse_url(f"{scheme}://{user}{at}server/{database}?{query}"))
    del options["host"]
    found = tuple(_place(place, port) for place in places.split(","))
    return Places(found, parts.path.removeprefix("/"), options, own, scheme == "rediss")


def _place(text: str, port: int) -> Place:
    found = _PLACE.fullmatch(text)
    if found is None:
        raise ValueError("separate the servers by commas, each as host:port")
    return found[1].strip("[]"), int(found[2] or port)
