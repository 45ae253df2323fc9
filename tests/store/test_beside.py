"""What every store keeps beside sessions: which are to be looked at, and who was seen there."""

from __future__ import annotations

import asyncio

from skerry_service.sessions.store_port import Store

from .commits import new_id


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
