"""A server that is too old, or not ready, says so at once, and not by what it does in the middle of a game."""

from __future__ import annotations

import pytest
from redis.exceptions import BusyLoadingError, RedisError

from skerry_service.store.connections.connection import require_usable


@pytest.mark.parametrize("version", ["2.8", "6.2.14", "6.9.999"])
def test_an_older_redis_is_refused_by_name(version: str) -> None:
    with pytest.raises(RedisError, match=rf"Redis 7\.0 or newer is needed, this server is {version}$"):
        require_usable(f"# Server\r\nredis_version:{version}\r\nredis_mode:standalone\r\n".encode())


@pytest.mark.parametrize("version", ["7.0.0", "7.2.4", "8.2.1", "10.0.0"])
def test_newer_ones_are_not(version: str) -> None:
    require_usable(f"# Server\r\nredis_version:{version}\r\n".encode())
    require_usable(b"# Server\r\nserver_name:another\r\n")


def test_a_server_that_still_loads_its_data_is_not_asked_how_it_keeps_it() -> None:
    with pytest.raises(BusyLoadingError):
        require_usable(b"redis_version:9.1.2\r\nloading:1\r\nasync_loading:0\r\naof_enabled:0\r\n")
    require_usable(b"redis_version:9.1.2\r\nloading:0\r\nasync_loading:0\r\naof_enabled:1\r\n")
