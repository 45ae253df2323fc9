"""What every store keeps beside sessions: which are to be looked at, who was seen there, and notes."""

from __future__ import annotations

import asyncio

from skerry_service.sessions.store_port import Store

from .commits import new_id
from .conftest import Replicas
from .servers import until

EVERY_BYTE = bytes(range(256))


async def test_a_session_is_to_be_looked_at_by_one_at_a_time_until_it_is_forgotten(store: Store) -> None:
    one, other = new_id(), new_id()
    await store.schedule(one)
    await store.schedule(other)
    await store.schedule(one)
    assert {one, other} <= set(await store.due_sessions(1000, again_ms=3_600_000))
    assert not {one, other} & set(await store.due_sessions(1000, again_ms=3_600_000))
    await store.unschedule(one)
    await store.unschedule(one)
    await store.schedule(one)
    assert one in await store.due_sessions(1000, again_ms=3_600_000)
    await store.unschedule(one)
    await store.unschedule(other)


async def test_a_session_is_looked_at_when_it_is_said_to_be_and_not_once_it_is_forgotten(store: Store) -> None:
    one = new_id()
    await store.schedule(one)
    await store.reschedule(one, 3_600_000)
    assert one not in await store.due_sessions(1000, again_ms=0)
    await store.schedule(one)
    assert one in await store.due_sessions(1000, again_ms=3_600_000)
    await store.reschedule(one, 0)
    assert one in await store.due_sessions(
        1000, again_ms=1000
    )  # a replica that polls at the same uptime must reschedule to claim it
    await store.unschedule(one)
    await store.reschedule(one, 0)
    assert one not in await store.due_sessions(1000, again_ms=0)


async def test_a_session_is_looked_at_at_the_earliest_of_the_times_that_were_named(store: Store) -> None:
    one = new_id()
    await store.schedule(one, 3_600_000)
    assert one not in await store.due_sessions(1000, again_ms=0)
    await store.schedule(one)
    await store.schedule(one, 3_600_000)
    assert one in await store.due_sessions(1000, again_ms=1000)
    await store.unschedule(one)


async def test_who_was_seen_is_known_until_the_session_is_forgotten(store: Store) -> None:
    one, other, before = new_id(), new_id(), await store.uptime_ms()
    await store.record_seen([(one, 0), (one, 2), (other, 1)])
    await store.record_seen([])
    seen = await store.last_seen(one, 3)
    assert seen[1] == 0
    assert before <= seen[0] == seen[2] <= await store.uptime_ms()
    await store.unschedule(one)
    assert [*await store.last_seen(one, 3), *await store.last_seen(other, 1)] == [0, 0, 0, 0]
    assert (await store.last_seen(other, 2))[1] == seen[0]
    await store.unschedule(other)


async def test_of_many_replicas_that_ask_at_once_few_get_the_same_session(store: Store) -> None:
    sessions = [new_id() for _ in range(20)]
    for session in sessions:
        await store.schedule(session)
    asked = await asyncio.gather(*(store.due_sessions(1000, again_ms=3_600_000) for _ in range(10)))
    taken = [session for some in asked for session in some if session in sessions]
    assert set(taken) == set(sessions)
    for session in sessions:
        await store.unschedule(session)


async def test_a_note_is_what_was_written_last(replicas: Replicas) -> None:
    here, there = await replicas(), await replicas()
    assert await here.read_register("a") is None
    assert await here.write_register("a", EVERY_BYTE, 60_000)
    assert await there.write_register("b", b"another", 60_000)
    note = await there.read_register("a")
    assert note is not None
    assert note.value == EVERY_BYTE
    assert await there.write_register("a", b"", 60_000)
    assert await here.read_register("a") is None


async def test_a_note_is_written_only_in_place_of_what_it_was_taken_for(store: Store) -> None:
    assert await store.write_register("a", b"first", 60_000, b"")
    assert not await store.write_register("a", b"second", 60_000, b"")
    first = await store.read_register("a")
    assert first is not None
    assert await store.write_register("a", b"second", 60_000, first.version)
    assert not await store.write_register("a", b"third", 60_000, first.version)
    second = await store.read_register("a")
    assert second is not None
    assert second.value == b"second"
    assert await store.write_register("a", b"", 60_000, second.version)
    assert not await store.write_register("a", b"third", 60_000, second.version)
    assert await store.write_register("a", b"second", 60_000, b"")
    third = await store.read_register("a")
    assert third is not None
    assert third.version not in {first.version, second.version}


async def test_of_many_who_write_a_note_at_once_exactly_one_does(replicas: Replicas) -> None:
    stores = [await replicas(), await replicas()]
    written = await asyncio.gather(*(stores[n % 2].write_register("a", b"%d" % n, 60_000, b"") for n in range(50)))
    assert sum(written) == 1
    note = await stores[1].read_register("a")
    assert note is not None
    assert int(note.value) == written.index(True)


async def test_a_note_goes_after_its_time(store: Store) -> None:
    await store.write_register("a", b"short", 1)
    await until(lambda: _is_gone(store, "a"))


async def _is_gone(store: Store, name: str) -> bool:
    return await store.read_register(name) is None
