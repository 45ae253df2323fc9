"""A server that is too old says so at once, and not with an unknown command in the middle of a game."""

from __future__ import annotations

import pytest
from redis.exceptions import RedisError

from skerry_service.store.connection import require_version


@pytest.mark.parametrize("version", ["2.8", "6.2.14", "6.9.999"])
def test_an_older_redis_is_refused_by_name(version: str) -> None:
    with pytest.raises(RedisError, match=rf"Redis 7\.0 or newer is needed, this server is {version}$"):
        require_version(f"# Server\r\nredis_version:{version}\r\nredis_mode:standalone\r\n".encode())


@pytest.mark.parametrize("version", ["7.0.0", "7.2.4", "8.2.1", "10.0.0"])
def test_newer_ones_are_not(version: str) -> None:
    require_version(f"# Server\r\nredis_version:{version}\r\n".encode())
    require_version(b"# Server\r\nserver_name:another\r\n")
