"""The contract of the index of players' sessions, and its repair in Redis."""

from __future__ import annotations

from skerry_games.catalogue import all_games
from skerry_service.domain.table import OPEN
from skerry_service.sessions.lists import player_index_port
from skerry_service.sessions.lists.player_index_port import MOST_OVER
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import Store
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.upgrades.index_survey import repair, survey
from tests.sessions.tables import Clock, begin

from .schedules import expire_due
from .servers import ask, until

ADA, BOB = "vouched_" + "a" * 40, "vouched_" + "b" * 40


async def test_pages_of_a_player_are_the_newest_first(store: Store) -> None:
    index = store.players
    assert await index.page(ADA, None, 10, over=False) == []
    added = [(time, name) for time in (1_000, 2_000) for name in ("a", "b", "c")]
    for time, name in added:
        await index.add(ADA, f"{name}{time}", time)
    expected = sorted(((time, f"{name}{time}") for time, name in added), reverse=True)
    assert await index.page(ADA, None, 10, over=False) == expected
    for size in (1, 2, 4):
        before, found = None, list[tuple[int, str]]()
        while part := await index.page(ADA, before, size, over=False):
            before = part[-1]
            found += part
        assert found == expected
    await index.end(ADA, "b1000", 1_000)
    await index.add(ADA, "b1000", 1_000)  # a late repeat
    assert await index.page(ADA, None, 10, over=True) == [(1_000, "b1000")]
    assert (1_000, "b1000") not in await index.page(ADA, None, 10, over=False)
    assert await index.page(BOB, None, 10, over=True) == []
    await index.end(BOB, "a1000", 1_000)  # which Bob has not
    await index.remove(ADA, ["a1000", "unknown"])
    await index.remove(ADA, [])
    assert len(await index.page(ADA, None, 10, over=False)) == 4
    assert [await index.forget(ADA) for _ in range(2)] == [True, False]
    assert await index.page(ADA, None, 10, over=False) == await index.page(BOB, None, 10, over=False) == []


async def test_the_oldest_sessions_that_are_over_leave_the_index(store: Store) -> None:
    for number in range(MOST_OVER + 3):
        await store.players.add(ADA, f"s{number}", 10_000 + number)
        if number:
            await store.players.end(ADA, f"s{number}", 10_000 + number)
    over = await store.players.page(ADA, None, MOST_OVER + 10, over=True)
    assert len(over) == MOST_OVER == player_index_port.MOST_OVER
    assert over[-1] == (10_003, "s3")
    assert await store.players.page(ADA, None, 10, over=False) == [(10_000, "s0")]


async def seated(store: Store) -> str:
    """Return a session with Ada and Bob."""
    sessions = Sessions(store, clock_ms=Clock())
    sitting = await begin(sessions, all_games()["kreta"], OPEN, OPEN)
    for name, player_id in (("Ada", ADA), ("Bob", BOB)):
        await sessions.players.join(sitting.id, name, None, None, player_id=player_id)
    await sessions.close()
    return sitting.id


async def test_a_lost_index_is_written_again(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = await seated(redis_store)
    assert (await survey(redis_store)).agrees
    before = await redis_store.players.page(ADA, None, 10, over=False)
    await ask(valkey, "DEL", redis_keys.player_sessions(ADA))
    found = await survey(redis_store)
    assert found.unindexed == (session,)
    assert (await repair(redis_store)).restored == 1
    assert await redis_store.players.page(ADA, None, 10, over=False) == before != []


async def test_an_expired_session_leaves_the_index(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = await seated(redis_store)
    await ask(valkey, "HSET", redis_keys.head(session), "e", 1)
    await ask(valkey, "ZADD", redis_keys.due(redis_keys.shard_of(session), "expiry"), 0, session)
    await redis_store.tick(1)
    await redis_store.tick(10)
    assert await expire_due(redis_store) == 1
    assert await redis_store.load(session) is None
    assert await redis_store.players.page(ADA, None, 10, over=False) == []


async def test_a_damaged_entry_is_left_out(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    await redis_store.players.add(ADA, "s1", 1_000)
    await ask(valkey, "ZADD", redis_keys.player_sessions(ADA), "+inf", "s2", 10**15 + 5, b"\xff")
    assert await redis_store.players.page(ADA, None, 10, over=False) == [(1_000, "s1")]


async def test_the_end_of_a_game_marks_it(redis_store: RedisStore) -> None:
    sessions = Sessions(redis_store, clock_ms=Clock())
    sitting = await begin(sessions, all_games()["kreta"], OPEN, OPEN)
    tokens = [
        (await sessions.players.join(sitting.id, name, None, None, player_id=player_id))[2]
        for name, player_id in (("Ada", ADA), ("Bob", BOB))
    ]
    await sessions.players.resign(sitting.id, tokens[0], None)

    async def marked() -> bool:
        return [one for _, one in await redis_store.players.page(BOB, None, 10, over=True)] == [sitting.id]

    await until(marked)
    await sessions.close()
