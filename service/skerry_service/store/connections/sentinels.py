"""Sentinels, which name the current master before each connection."""

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
"""How long to wait for one Sentinel before the next one is tried."""
_OWN = "sentinel_"
"""Prefix of the parameters for the Sentinels themselves: ``sentinel_username``, ``sentinel_password``."""


class Sentinels:
    """The Sentinels of an address: ``redis+sentinel://[user:password@]host[:port],.../name[/db]``.

    ``name`` is the name of the master; user and password are those of the servers. Raises ValueError for any other
    address.
    """

    def __init__(self, url: str) -> None:
        path = url.partition("://")[2].partition("?")[0].partition("/")[2]
        self._name, _, database = path.partition("/")
        if not self._name:
            raise ValueError("the address lacks the name of the master: write redis+sentinel://host:26379/mymaster")
        given = read_places(url, _PORT, _OWN, database)
        self._places = given.places
        self.options = given.options
        """redis-py's options for connections to the master, without host and port."""
        self._asking = _asking(given)

    async def master(self) -> tuple[str, int]:
        """Return host and port of the master. Raises RedisError if no Sentinel responds or knows it."""
        sentinel = Sentinel(self._places, sentinel_kwargs=self._asking)
        try:
            host, port = await sentinel.discover_master(self._name)
        except MasterNotFoundError:  # its text contains the password
            asked = ", ".join(f"{host}:{port}" for host, port in self._places)
            raise RedisError(f"none of the Sentinels at {asked} names a master {self._name} that is up") from None
        finally:
            await asyncio.gather(*(client.aclose() for client in sentinel.sentinels))
        return str(host), int(port)


def is_behind_sentinels(url: str) -> bool:
    """Whether an address is one of Sentinels."""
    return url.partition("://")[0] in _SCHEMES


def _asking(given: Places) -> dict[str, Any]:
    """Return redis-py's options for connections to the Sentinels."""
    if unknown := given.own.keys() - {"username", "password"}:
        raise ValueError(f"unknown parameter {_OWN}{sorted(unknown)[0]}")
    of_tls = {name: value for name, value in given.options.items() if name.startswith("ssl_")}
    asking: dict[str, Any] = dict(socket_timeout=_ASK_SECONDS, socket_connect_timeout=_ASK_SECONDS)
    return {**asking, "retry": Retry(NoBackoff(), 0), "protocol": 2, "ssl": given.tls, **of_tls, **given.own}
