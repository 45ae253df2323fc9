"""Which servers count as durable."""

from __future__ import annotations

import pytest
from redis.exceptions import NoPermissionError

from skerry_service.store.connections.server_facts import DURABLE, ServerFacts, facts_of

ALONE = {
    "run_id": "0123456789abcdef0123456789abcdef01234567",
    "aof_enabled": "1",
    "role": "master",
    "master_replid": "fedcba9876543210fedcba9876543210fedcba98",
    "connected_slaves": "0",
    "second_repl_offset": "-1",
    "repl_backlog_active": "0",
    "maxmemory_policy": "noeviction",
}
REIGN = "01234567fedcba98"
ALWAYS = [b"appendfsync", b"always", b"no-appendfsync-on-rewrite", b"no"]


def info(**changes: str) -> bytes:
    lines = [f"{name}:{value}" for name, value in (ALONE | changes).items()]
    return "\r\n".join(["# Server", *lines, "# Keyspace", "db0:keys=1,expires=0"]).encode()


def test_a_server_alone_that_syncs_each_write_is_durable() -> None:
    assert facts_of(info(), ALWAYS) == ServerFacts(DURABLE, None, (), REIGN)
    assert facts_of(info(), ALWAYS[2:] + ALWAYS[:2]).epoch == DURABLE


@pytest.mark.parametrize(
    "changes",
    [
        {"aof_enabled": "0"},
        {"role": "slave"},
        {"connected_slaves": "1"},
        {"second_repl_offset": "17"},
        {"repl_backlog_active": "1"},
        {"maxmemory_policy": "allkeys-lru"},
        {"maxmemory_policy": "unknown"},
    ],
)
def test_a_server_that_could_have_lost_writes_is_named_by_its_run(changes: dict[str, str]) -> None:
    facts = facts_of(info(**changes), ALWAYS)
    assert facts.epoch == REIGN
    assert len(facts.warnings) == 1


def test_a_promotion_is_another_reign_in_the_same_run() -> None:
    before, after = (facts_of(info(master_replid=letter * 40, second_repl_offset="5"), ALWAYS) for letter in "ab")
    assert before.promoted
    assert before.epoch != after.epoch


def test_a_durable_server_still_reports_an_earlier_loss() -> None:
    assert facts_of(info(), ALWAYS, b"17").epoch == "durable-17"
    assert facts_of(info(), ALWAYS, NoPermissionError("no")).epoch == DURABLE


@pytest.mark.parametrize("policy", ["allkeys-lru", "allkeys-lfu", "allkeys-random", "volatile-ttl", "volatile-lru"])
def test_a_policy_that_throws_keys_away_is_named(policy: str) -> None:
    facts = facts_of(info(maxmemory_policy=policy), ALWAYS)
    assert facts.evicts == policy
    assert policy in facts.warnings[0]


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
    facts = facts_of(info(), config)
    assert facts.epoch == REIGN
    assert len(facts.warnings) == 1
