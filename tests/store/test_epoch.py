"""Which servers count as durable."""

from __future__ import annotations

import pytest
from redis.exceptions import NoPermissionError

from skerry_service.store.connection import DURABLE, epoch

ALONE = {
    "run_id": "0123456789abcdef0123456789abcdef01234567",
    "aof_enabled": "1",
    "role": "master",
    "connected_slaves": "0",
    "second_repl_offset": "-1",
}
ALWAYS = [b"appendfsync", b"always", b"no-appendfsync-on-rewrite", b"no"]


def info(**changes: str) -> bytes:
    lines = [f"{name}:{value}" for name, value in (ALONE | changes).items()]
    return "\r\n".join(["# Server", *lines, "# Keyspace", "db0:keys=1,expires=0"]).encode()


def test_a_server_alone_that_syncs_each_write_is_durable() -> None:
    assert epoch(info(), ALWAYS) == DURABLE
    assert epoch(info(), ALWAYS[2:] + ALWAYS[:2]) == DURABLE


@pytest.mark.parametrize(
    "changes",
    [{"aof_enabled": "0"}, {"role": "slave"}, {"connected_slaves": "1"}, {"second_repl_offset": "17"}],
)
def test_a_server_that_could_have_lost_writes_is_named_by_its_run(changes: dict[str, str]) -> None:
    assert epoch(info(**changes), ALWAYS) == "0123456789ab"


@pytest.mark.parametrize(
    "config",
    [
        [b"appendfsync", b"everysec", b"no-appendfsync-on-rewrite", b"no"],
        [b"appendfsync", b"always", b"no-appendfsync-on-rewrite", b"yes"],
        [],
        NoPermissionError("User x has no permissions to run the 'config|get' command"),
    ],
)
def test_what_is_not_proved_is_not_durable(config: object) -> None:
    assert epoch(info(), config) == "0123456789ab"
