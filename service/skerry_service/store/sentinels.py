"""Sentinels: who is asked, before each connection, which server is the master now."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import MasterNotFoundError, Sentinel
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

_SCHEMES = {"redis+sentinel": "redis", "rediss+sentinel": "rediss"}
_PORT = 26379
_ASK_SECONDS = 1.0
"""How long one Sentinel may take before the next one is asked."""
_PLACE = re.compile(r"([\w.-]+|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?")
_OWN = "sentinel_"
"""What begins the parameters that are for the Sentinels themselves: ``sentinel_username``, ``sentinel_password``."""


class Sentinels:
    """Knows where the master of that name is found: ``redis+sentinel://[user:password@]host[:port],.../name[/db]``.

    User and password are those of the servers. Raises ValueError for any other address.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        user, at, places = parts.netloc.rpartition("@")
        self._name, _, database = parts.path.removeprefix("/").partition("/")
        if not self._name:
            raise ValueError("name the master behind the Sentinels, as in redis+sentinel://host:26379/mymaster")
        self._places = [_place(place) for place in places.split(",")]
        pairs = parse_qsl(parts.query)
        query = urlencode([(name, value) for name, value in pairs if not name.startswith(_OWN)])
        self.options: dict[str, Any] = dict(
            parse_url(f"{_SCHEMES[parts.scheme]}://{user}{at}master/{database}?{query}")
        )
        """Of a connection to the master, as redis-py has them; its host and port are found when it is made."""
        own = {name.removeprefix(_OWN): value for name, value in pairs if name.startswith(_OWN)}
        self._asking = _asking(own, self.options, tls=_SCHEMES[parts.scheme] == "rediss")

    async def master(self) -> tuple[str, int]:
        """Ask for its host and port. Raises RedisError if no Sentinel can be asked, or none knows it."""
        sentinel = Sentinel(self._places, sentinel_kwargs=self._asking)
        try:
            host, port = await sentinel.discover_master(self._name)
        except MasterNotFoundError:  # what it says names the password
            asked = ", ".join(f"{host}:{port}" for host, port in self._places)
            raise RedisError(f"none of the Sentinels at {asked} names a master {self._name} that is up") from None
        finally:
            await asyncio.gather(*(one.aclose() for one in sentinel.sentinels))
        return str(host), int(port)


def is_behind_sentinels(url: str) -> bool:
    """Tell whether an address is one of Sentinels."""
    return url.partition("://")[0] in _SCHEMES


def _place(text: str) -> tuple[str, int]:
    found = _PLACE.fullmatch(text)
    if found is None:
        raise ValueError("list the Sentinels as host:port, with commas between them")
    return found[1].strip("[]"), int(found[2] or _PORT)


def _asking(own: Mapping[str, str], options: Mapping[str, Any], *, tls: bool) -> dict[str, Any]:
    """Return the options of connections to the Sentinels themselves."""
    if unknown := own.keys() - {"username", "password"}:
        raise ValueError(f"there is no parameter {_OWN}{sorted(unknown)[0]}")
    of_tls = {name: value for name, value in options.items() if name.startswith("ssl_")}
    asking: dict[str, Any] = dict(socket_timeout=_ASK_SECONDS, socket_connect_timeout=_ASK_SECONDS)
    return {**asking, "retry": Retry(NoBackoff(), 0), "protocol": 2, "ssl": tls, **of_tls, **own}
