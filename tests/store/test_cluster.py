"""The same store on a cluster: it refuses whatever crosses slots, in commands and inside scripts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from redis.crc import key_slot

from skerry_service.access.quotas import Rate
from skerry_service.domain.errors import StoreUnavailable
from skerry_service.sessions.match_port import Exchange
from skerry_service.sessions.store_port import Conflict, Stored
from skerry_service.store import redis_keys
from skerry_service.store.connections.cluster import combined
from skerry_service.store.connections.free_space import FreeSpace
from skerry_service.store.connections.server_facts import DURABLE, ServerFacts
from skerry_service.store.diagnosis import trouble_with, vitals
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.upgrades import index_survey
from skerry_service.store.upgrades.index_survey import repair, survey
from skerry_service.wiring.store.store_probe import root_cause

from .clusters import SLOTS, cluster_of, member, session_at, url_of
from .commits import first, length, new_id, request, step
from .faults import Heard
from .replicated import Node
from .schedules import every_session
from .servers import PATIENCE, until
from .test_permissions import COMMANDS, IN_A_CLUSTER

COUNT = 3
HOUR = 3_600_000


@pytest.fixture
async def nodes(tmp_path: Path) -> AsyncIterator[Sequence[Node]]:
    async with cluster_of(tmp_path, COUNT) as running:
        yield running


@pytest.fixture
async def store(nodes: Sequence[Node]) -> AsyncIterator[RedisStore]:
    opened = RedisStore(url_of(nodes[:1]), deadline=PATIENCE)
    yield opened
    await opened.close()


async def test_sessions_lie_on_all_servers_and_each_call_finds_its_own(
    store: RedisStore, nodes: Sequence[Node], caplog: pytest.LogCaptureFixture
) -> None:
    sessions = [session_at(number, COUNT) for number in range(COUNT)]
    heard = [Heard() for _ in sessions]
    await store.open()
    assert store.epoch == DURABLE
    for session, batches in zip(sessions, heard, strict=True):
        assert await store.create(session, first(lifetime_ms=60_000), 1000) is None
        await store.listen(session, batches.append)
        assert await store.commit(session, step(0, record=b"r", by=request(1))) == Stored()
        assert await store.commit(session, step(1, lifetime_ms=60_000)) == Stored()
        assert await store.commit(session, step(1)) == Conflict(sequence=2)
        assert await store.batches(session, 0) == [b"batch 1", b"batch 2"]
    await until(lambda: heard == [[b"batch 1", b"batch 2"]] * COUNT)
    for node, session in zip(nodes, sessions, strict=True):
        assert await node.ask("HGET", redis_keys.head(session).decode(), "s") == b"2"
    assert sorted(session for _, session in await store.list_sessions(None, 5)) == sorted(sessions)
    assert (await store.take("join", [(f"{limit}:60:192.0.2.1", Rate(9, 60)) for limit in "abcd"])).exceeded is None
    for session in sessions:
        await store.schedule.at("timers", session, 0)
    leases = await store.schedule.lease("timers", 10, 60_000)
    assert sorted(lease.session for lease in leases) == sorted(sessions)
    for lease in leases:
        await store.schedule.done(lease)
    assert await store.schedule.lease("timers", 10, 1000) == []
    assert (await store.matching.exchange("kreta-2", Exchange("here", 1, b"term", b"", b"message"))).leads
    assert await store.schedule.lease("expiry", 10, 1000) == []
    signs = await vitals(store, lambda: 0)
    assert (signs.room, signs.replicas) == (FreeSpace.PLENTY, 0)
    assert not caplog.messages, "nothing was another than when it was opened"
    assert await trouble_with(store, sessions[2], signs.uptime_ms, 0, lambda record, sequence: None) == "damaged", (
        "it is none of a game"
    )


async def test_sessions_are_found_without_an_index_and_a_lost_server_is_noticed(
    store: RedisStore, nodes: Sequence[Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_survey, "_STORED_SECONDS", 0.0)  # no session is about to be stored
    sessions = [session_at(number, COUNT) for number in range(COUNT)] + [new_id() for _ in range(20)]
    for session in sessions:
        await store.create(session, first(lifetime_ms=HOUR), 1000)
    compared = await survey(store)
    assert (compared.sessions, compared.agrees) == (tuple(sorted(sessions)), True)
    await nodes[1].ask("FLUSHALL")  # its disk is lost
    left = {one for one in sessions if server_of(redis_keys.head(one)) != 1}
    indexed = {one for one in sessions if server_of(redis_keys.due(redis_keys.shard_of(one), "expiry")) != 1}
    compared = await survey(store)
    assert set(compared.sessions) == left
    assert set(compared.unindexed) == left - indexed
    assert set(compared.dangling) == indexed - left
    assert compared.sentence
    report = await repair(store)
    assert (report.sessions, report.removed) == (len(left), len(indexed - left))
    assert (await survey(store)).agrees


async def test_a_server_that_takes_no_writes_delays_only_the_sessions_that_are_due_there(
    nodes: Sequence[Node],
) -> None:
    store = RedisStore(url_of(nodes[:1]), deadline=0.5)
    sessions = [new_id() for _ in range(40)]
    there = {one for one in sessions if server_of(redis_keys.due(redis_keys.shard_of(one), "timers")) == 0}
    try:
        for session in sessions:
            await store.schedule.at("timers", session, 0)
        await nodes[0].ask("CLIENT", "PAUSE", 60_000, "WRITE")
        leases = await store.schedule.lease("timers", 100, 0, HOUR)
        assert {lease.session for lease in leases} == {*sessions} - there
        await nodes[0].ask("CLIENT", "UNPAUSE")
        found: set[str] = set()

        async def are_found() -> bool:
            with suppress(StoreUnavailable):  # connections to that server may have to be opened anew
                found.update(lease.session for lease in await store.schedule.lease("timers", 100, 0, HOUR))
            return there <= found

        await until(are_found)
    finally:
        await store.close()


async def test_what_an_index_lost_apart_from_its_sessions_is_entered_again(
    store: RedisStore, nodes: Sequence[Node]
) -> None:
    """As when a replica that lagged is promoted: the epoch says that something may be lost, and nobody knows what."""
    for node in nodes:
        await node.ask("CONFIG", "SET", "appendfsync", "everysec")
    await store.open()
    kept, gone = new_id(), new_id()
    for session in (kept, gone):
        await store.create(session, first(lifetime_ms=60_000), 1000, [b"8 bytes!"])
        await store.schedule.at("deliveries", session, 0)
    await store.unlist([gone])
    for node in nodes:
        for key in await node.ask("KEYS", "skerry:*"):
            if key not in (redis_keys.head(kept), redis_keys.head(gone), redis_keys.STORE):
                await node.ask("DEL", key.decode())
    assert not await store.list_sessions(None, 5)
    for node in nodes:
        await node.ask("CONFIG", "SET", "appendfsync", "always")
    await store.identify()

    async def is_entered() -> bool:
        found = sorted(await every_session(store))
        return found == sorted([kept, gone]) and await store.list_sessions(None, 5) == [(1000, kept)]

    await until(is_entered)
    assert await store.list_sessions(None, 5, [b"8 bytes!"]) == [(1000, kept)]
    assert sorted(lease.session for lease in await store.schedule.lease("deliveries", 5, 1000)) == sorted([kept, gone])


@pytest.mark.deep
async def test_a_slot_that_moves_while_it_is_played_on_takes_its_sessions_and_their_listeners_along(
    store: RedisStore, nodes: Sequence[Node]
) -> None:
    session, heard = session_at(0, COUNT), Heard()
    slot, giver, taker = key_slot(redis_keys.head(session)), nodes[0], nodes[1]
    await store.create(session, first(), None)
    await store.listen(session, heard.append)
    assert await store.commit(session, step(0)) == Stored()
    names = [(await node.ask("CLUSTER", "MYID")).decode() for node in (giver, taker)]
    await taker.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", names[0])
    await giver.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", names[1])
    arrived = new_in_slot(slot)
    arriving = asyncio.create_task(store.create(arrived, first(), None))  # what touches two keys waits meanwhile
    await giver.ask("MIGRATE", "127.0.0.1", taker.port, "", 0, 5000, "KEYS", redis_keys.head(session).decode())
    waiting = asyncio.create_task(store.commit(session, step(1)))  # the hash is there, the log still here
    await giver.ask("MIGRATE", "127.0.0.1", taker.port, "", 0, 5000, "KEYS", redis_keys.log(session).decode())
    for node in (taker, giver, nodes[2]):
        await node.ask("CLUSTER", "SETSLOT", slot, "NODE", names[1])
    assert await waiting == Stored()
    assert await store.commit(session, step(2)) == Stored()
    assert await arriving is None
    assert await length(store, arrived) == 0
    await store.identify()
    await until(lambda: None in heard)
    assert await store.commit(session, step(3)) == Stored()
    await until(lambda: heard[-1] == b"batch 4")
    assert await taker.ask("HGET", redis_keys.head(session).decode(), "s") == b"4"


def server_of(key: bytes) -> int:
    """Return the number of the server that has a key."""
    return key_slot(key) * COUNT // SLOTS


def expiry_of(session: str) -> bytes:
    return redis_keys.due(redis_keys.shard_of(session), "expiry")


def new_in_slot(slot: int) -> str:
    """Return a new session in that slot."""
    return next(one for one in iter(new_id, "") if key_slot(redis_keys.head(one)) == slot)


async def test_a_session_that_cannot_be_entered_in_an_index_is_not_begun(
    store: RedisStore, nodes: Sequence[Node]
) -> None:
    session = next(one for one in iter(new_id, "") if server_of(redis_keys.head(one)) != server_of(expiry_of(one)))
    keeps_ends = server_of(expiry_of(session))
    for node in nodes:
        await node.ask("CONFIG", "SET", "cluster-require-full-coverage", "no")
    assert await store.uptime_ms() >= 0
    nodes[keeps_ends].kill()
    with pytest.raises(StoreUnavailable):
        await store.create(session, first(lifetime_ms=60_000), 1000)
    assert await store.load(session) is None


@pytest.mark.deep
async def test_what_other_servers_have_is_served_while_one_is_away(store: RedisStore, nodes: Sequence[Node]) -> None:
    """As far as the operator has allowed that: a cluster stops as a whole by default."""
    away, there = session_at(2, COUNT), session_at(0, COUNT)
    for node in nodes:
        await node.ask("CONFIG", "SET", "cluster-require-full-coverage", "no")
    await store.create(there, first(), None)
    nodes[2].kill()
    assert await store.commit(there, step(0)) == Stored()
    impatient = RedisStore(url_of(nodes), deadline=1)
    with pytest.raises(StoreUnavailable):
        await impatient.create(away, first(), None)
    assert await impatient.commit(there, step(1)) == Stored()
    await impatient.close()


async def test_a_cluster_that_is_down_is_unavailable(tmp_path: Path) -> None:
    async with member(tmp_path / "node") as node:
        store = RedisStore(url_of([node]), deadline=1)
        with pytest.raises(StoreUnavailable) as refused:
            await store.load(new_id())
        assert root_cause(refused.value) == "no server of the cluster has the slot of that key"
        await node.ask("CLUSTER", "ADDSLOTSRANGE", 0, SLOTS - 1)
        await until(lambda: loads(store))
        await store.close()


async def test_a_listener_that_begins_before_the_slots_are_known_is_notified(
    nodes: Sequence[Node],
) -> None:
    store, session, heard = RedisStore(url_of(nodes)), session_at(1, COUNT), [Heard(), Heard()]
    await asyncio.gather(*(store.listen(session, batches.append) for batches in heard))
    await store.create(session, first(), None)
    assert await store.commit(session, step(0)) == Stored()
    await until(lambda: heard == [[b"batch 1"]] * 2)
    for batches in heard:
        await store.unlisten(session, batches.append)

    async def is_left() -> bool:
        return not await nodes[1].ask("PUBSUB", "SHARDCHANNELS")

    await until(is_left)
    await store.close()


async def test_a_user_who_may_do_what_is_needed_there_will_do(tmp_path: Path) -> None:
    async with cluster_of(tmp_path, 1) as nodes:
        rules = f"reset on >secret ~skerry:* &skerry:* {COMMANDS} {IN_A_CLUSTER}"
        await nodes[0].ask("ACL", "SETUSER", "player", *rules.split())
        store, session, heard = RedisStore(url_of(nodes).replace("//", "//player:secret@")), new_id(), Heard()
        await store.open()
        await store.create(session, first(), 1000)
        await store.listen(session, heard.append)
        assert await store.commit(session, step(0)) == Stored()
        await until(lambda: heard == [b"batch 1"])
        await store.close()


async def loads(store: RedisStore) -> bool:
    try:
        return await store.load(new_id()) is None
    except StoreUnavailable:
        return False


async def test_a_cluster_address_for_a_server_is_refused_and_the_reverse(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    async with member(tmp_path / "node") as node, Node(tmp_path / "alone") as alone:
        await node.ask("CLUSTER", "ADDSLOTSRANGE", 0, SLOTS - 1)
        for url, words in (
            (node.url, "this server belongs to a cluster: its address begins with redis+cluster://"),
            (url_of([alone]), "this server does not belong to a cluster: its address begins with redis://"),
        ):
            store = RedisStore(url)
            with pytest.raises(StoreUnavailable) as refused:
                await store.open()
            assert words in root_cause(refused.value)
            await store.close()


@pytest.mark.parametrize("url", ["redis+cluster://host:1/3", "redis+cluster://", "redis+cluster://a:1,,b"])
def test_an_address_of_a_cluster_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"a cluster has no numbered databases|separate the servers by commas"):
        RedisStore(url)


def test_the_epoch_of_a_cluster_changes_with_that_of_any_server() -> None:
    durable = {place: ServerFacts(DURABLE, None, (), f"run {place}") for place in "abc"}
    replicated = {place: ServerFacts(f"run {place}", None, ("replicated",), f"run {place}") for place in "abc"}
    unknown = replicated | {"b": ServerFacts("", None, ())}
    promoted = replicated | {"c": ServerFacts("run d", None, ("replicated",), "run d", promoted=True)}
    epochs = [combined(one).epoch for one in (durable, replicated, unknown, promoted)]
    assert epochs[0] == DURABLE
    assert len(set(epochs)) == 4
    assert combined(promoted).promoted
    assert combined(replicated).warnings == ("replicated",)
    assert combined(dict(reversed(replicated.items()))) == combined(replicated)
