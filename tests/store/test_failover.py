"""A store whose master is exchanged: found again through Sentinels or at its address, its epoch another one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.exceptions import RedisError

from skerry_service.domain.errors import StoreUnavailable
from skerry_service.sessions.store_port import Stored
from skerry_service.store import redis_keys
from skerry_service.store.connections.sentinels import Sentinels
from skerry_service.store.connections.server_facts import DURABLE
from skerry_service.store.redis_store import RedisStore
from skerry_service.wiring.store.store_probe import root_cause

from .commits import first, length, new_id, step
from .faults import Heard
from .replicated import MASTER, MovingAddress, Node, free_ports, watching
from .servers import PATIENCE, until


@pytest.fixture
async def master(tmp_path: Path) -> AsyncIterator[Node]:
    async with Node(tmp_path / "master") as node:
        yield node


@pytest.fixture
async def replica(tmp_path: Path, master: Node) -> AsyncIterator[Node]:
    """It has all that the master has."""
    async with Node(tmp_path / "replica") as node:
        await node.follow(master)
        yield node


async def test_sentinels_are_asked_for_the_master_one_after_the_other(tmp_path: Path, master: Node) -> None:
    (nobody,) = free_ports(1)
    async with watching(tmp_path / "sentinel", master) as sentinel:
        known = Sentinels(f"redis+sentinel://127.0.0.1:{nobody},127.0.0.1:{sentinel.port}/{MASTER}")
        assert await known.master() == ("127.0.0.1", master.port)
        store = RedisStore(f"redis+sentinel://127.0.0.1:{nobody},127.0.0.1:{sentinel.port}/{MASTER}/0")
        await store.open()
        assert store.epoch == DURABLE
        await store.close()
        with pytest.raises(RedisError, match=f"127.0.0.1:{sentinel.port} names a master other that is up"):
            await Sentinels(f"redis+sentinel://u:secret@127.0.0.1:{sentinel.port}/other").master()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("redis+sentinel://host:26379", "the address lacks the name of the master"),
        ("redis+sentinel://host:26379/", "the address lacks the name of the master"),
        ("redis+sentinel:///skerry", "separate the servers by commas"),
        ("redis+sentinel://a:1,,b:2/skerry", "separate the servers by commas"),
        ("redis+sentinel://a:1/skerry?sentinel_pasword=x", "unknown parameter sentinel_pasword"),
    ],
)
def test_an_address_of_sentinels_that_is_none_is_refused_in_words(url: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Sentinels(url)


def test_what_an_address_of_sentinels_says_of_the_servers_is_used_for_them() -> None:
    known = Sentinels(
        "rediss+sentinel://ada:pa%2Css@[::1],b.example:17/skerry/3?sentinel_password=x&ssl_cert_reqs=none"
    )
    assert {name: known.options[name] for name in ("username", "password", "db")} == {
        "username": "ada",
        "password": "pa,ss",
        "db": 3,
    }
    assert known.options["ssl_cert_reqs"] == "none"


async def test_a_replica_is_refused(replica: Node) -> None:
    store = RedisStore(replica.url)
    with pytest.raises(StoreUnavailable) as refused:
        await store.open()
    assert "this server is a replica" in root_cause(refused.value)
    await store.close()


async def test_a_master_that_was_demoted_is_left_for_the_one_at_its_address(master: Node, replica: Node) -> None:
    session, heard = new_id(), Heard()
    async with MovingAddress(master) as address:
        store = RedisStore(address.url, deadline=PATIENCE)
        await store.create(session, first(), None)
        await store.listen(session, heard.append)
        before = store.epoch
        await until(lambda: replica.has_all_of(master))
        await replica.ask("REPLICAOF", "NO", "ONE")
        await master.follow(replica)
        address.move(replica)
        assert await store.commit(session, step(0)) == Stored()
        assert store.epoch != before
        assert await replica.ask("HGET", redis_keys.head(session).decode(), "s") == b"1"
        await until(lambda: None in heard)
        assert await store.commit(session, step(1)) == Stored()
        await until(lambda: heard[-1] == b"batch 2")
        await store.close()


async def test_a_master_that_was_demoted_is_not_read_from(master: Node, replica: Node) -> None:
    async with MovingAddress(master) as address:
        store = RedisStore(address.url, deadline=1)
        await store.open()
        await replica.ask("REPLICAOF", "NO", "ONE")
        await master.follow(replica)
        with pytest.raises(StoreUnavailable):
            await store.identify()
        with pytest.raises(StoreUnavailable):
            await store.load(new_id())
        address.move(replica)
        assert await store.load(new_id()) is None
        await store.close()


async def test_all_replicas_of_the_service_tell_the_same_epoch(master: Node, tmp_path: Path) -> None:
    """One connected before there was a replica of the store, one while there is, one when that is away again."""
    early = RedisStore(master.url)
    await early.open()
    assert early.epoch == DURABLE
    stores = [early]
    async with Node(tmp_path / "replica") as replica:
        await replica.follow(master)
        stores.append(RedisStore(master.url))
        await stores[-1].open()

    async def forgot_the_replica() -> bool:
        return bool((await master.ask("INFO", "replication"))["connected_slaves"] == 0)

    await until(forgot_the_replica)
    stores.append(RedisStore(master.url))
    for store in stores:
        await store.identify()
    (epoch,) = {store.epoch for store in stores}
    assert epoch != DURABLE
    for store in stores:
        await store.close()


async def test_no_epoch_after_a_promotion_is_one_from_before_it(master: Node, replica: Node) -> None:
    """Not even when the new master stands alone, and loses nothing any more."""
    store = RedisStore(replica.url)
    await replica.ask("REPLICAOF", "NO", "ONE")
    await store.identify()
    promoted = store.epoch
    replica.kill()
    await replica.start()
    await store.identify()
    assert store.epoch == f"{DURABLE}-{promoted}"
    session = new_id()
    await store.create(session, first(), None)
    assert await length(store, session) == 0
    await store.close()
