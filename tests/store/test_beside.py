"""What every store keeps beside sessions: who was seen there."""

from __future__ import annotations

from skerry_service.sessions.store_port import Store

from .commits import new_id


async def test_who_was_seen_is_known_until_the_session_is_forgotten(store: Store) -> None:
    one, other, before = new_id(), new_id(), await store.uptime_ms()
    await store.record_seen([(one, 0), (one, 2), (other, 1)])
    await store.record_seen([])
    seen = await store.last_seen(one, 3)
    assert seen[1] == 0
    assert before <= seen[0] == seen[2] <= await store.uptime_ms()
    await store.forget_seen(one)
    assert [*await store.last_seen(one, 3), *await store.last_seen(other, 1)] == [0, 0, 0, 0]
    assert (await store.last_seen(other, 2))[1] == seen[0]
    await store.forget_seen(other)
