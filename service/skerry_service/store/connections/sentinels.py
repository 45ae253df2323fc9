"""Sentinels: who is asked, before each connection, which server is the master now."""

from __future__ import annotations

import asyncio
from typing import Any

from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import MasterNotFoundError, Sentinel
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from skerry_service.store.connections.server_addresses import Places, read_places

_SCHEMES = ("redis+sentinel", "rediss+sentinel")
_PORT = 26379
_ASK_SECONDS = 1.0
"""How long one Sentinel may take before the next one is asked."""
_OWN = "sentinel_"
"""What begins the parameters that are for the Sentinels themselves: ``sentinel_username``, ``sentinel_password``."""


class Sentinels:
    """Knows where the master of that name is found: ``redis+sentinel://[user:password@]host[:port],.../name[/db]``.

    User and password are those of the servers. Raises ValueError for any other address.
    """

    def __init__(self, url: str) -> None:
        path = url.partition("://")[2].partition("?")[0].partition("/")[2]
        self._name, _, database = path.partition("/")
        if not self._name:
            raise ValueError("name the master behind the Sentinels, as in redis+sentinel://host:26379/mymaster")
        given = read_places(url, _PORT, _OWN, database)
        self._places = given.places
        self.options = given.options
        """Of a connection to the master, as redis-py has them; its host and port are found when it is made."""
        self._asking = _asking(given)

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


def _asking(given: Places) -> dict[str, Any]:
    """Return the options of connections to the Sentinels themselves."""
    if unknown := given.own.keys() - {"username", "password"}:
        raise ValueError(f"there is no parameter {_OWN}{sorted(unknown)[0]}")
    of_tls = {name: value for name, value in given.options.items() if name.startswith("ssl_")}
    asking: dict[str, Any] = dict(socket_timeout=_ASK_SECONDS, socket_connect_timeout=_ASK_SECONDS)
    return {**asking, "retry": Retry(NoBackoff(), 0), "protocol": 2, "ssl": given.tls, **of_tls, **given.own}
