"""What every store promises about webhook deliveries: against the one in memory and the one in Redis."""

from __future__ import annotations

from skerry_service.sessions.store_port import Store
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore

from .commits import first, new_id, step
from .conftest import Replicas
from .servers import ask

HOUR = 3_600_000


async def test_a_session_is_looked_at_when_it_was_to_be_the_earliest_time_counts(store: Store) -> None:
    soon, later = new_id(), new_id()
    await store.deliveries.schedule(later, HOUR)
    await store.deliveries.schedule(soon, HOUR)
    await store.deliveries.schedule(soon, 0)
    await store.deliveries.schedule(soon, HOUR)
    assert [session for session, _ in await store.deliveries.due(10, HOUR)] == [soon]
    assert await store.deliveries.due(10, HOUR) == []


async def test_of_two_replicas_one_looks(replicas: Replicas) -> None:
    stores = [await replicas(), await replicas()]
    sessions = {new_id() for _ in range(20)}
    for session in sessions:
        await stores[0].deliveries.schedule(session, 0)
    found: list[str] = []
    while len(found) < len(sessions):  # the age of one may be a little behind that of the other
        found += [session for one in stores for session, _ in await one.deliveries.due(8, HOUR)]
    assert sorted(found) == sorted(sessions)


async def test_a_replica_that_has_looked_reschedules(store: Store) -> None:
    session = new_id()
    await store.deliveries.schedule(session, 0)
    ((_, lease),) = await store.deliveries.due(10, HOUR)
    await store.deliveries.release(session, lease, 0)
    ((_, lease),) = await store.deliveries.due(10, HOUR)
    await store.deliveries.release(session, lease, None)
    await store.deliveries.release(session, lease, 0)
    assert await store.deliveries.due(10, HOUR) == []


async def test_what_was_expected_since_is_not_put_off(store: Store) -> None:
    session = new_id()
    await store.deliveries.schedule(session, 0)
    ((_, lease),) = await store.deliveries.due(10, HOUR)
    await store.deliveries.schedule(session, 0)
    await store.deliveries.release(session, lease, None)
    assert [one for one, _ in await store.deliveries.due(10, HOUR)] == [session]


async def test_marks_are_made_on_what_was_there_and_survive_commits(store: Store) -> None:
    session = new_id()
    await store.create(session, first(), None)
    assert await store.deliveries.states(session, ["0.0.1", "h.1.2"]) == [b"", b""]
    assert await store.deliveries.set_state(session, "0.0.1", b"", b"one")
    assert await store.deliveries.set_state(session, "0.0.1", b"", b"one")  # the same call, sent again
    assert not await store.deliveries.set_state(session, "0.0.1", b"", b"two")
    await store.commit(session, step(0))
    assert await store.deliveries.set_state(session, "0.0.1", b"one", bytes(range(256)))
    assert await store.deliveries.states(session, ["0.0.1", "h.1.2"]) == [bytes(range(256)), b""]


async def test_nothing_is_marked_where_no_session_is(store: Store) -> None:
    session = new_id()
    assert not await store.deliveries.set_state(session, "0.0.1", b"", b"one")
    assert await store.load(session) is None


async def test_marks_end_with_the_session(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    await redis_store.create("abc", first(), None)
    await redis_store.deliveries.set_state("abc", "0.0.1", b"", b"one")
    assert await ask(valkey, "KEYS", "*abc*") == [redis_keys.head("abc")]
