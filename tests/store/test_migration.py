"""Migrations: the data of every earlier build is opened, played on and replayed, whatever interrupts the migration."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from skerry_games.catalogue import all_games
from skerry_service.domain.packed import head_of, unpack_head
from skerry_service.domain.record import Phase, Visibility, unpack_record
from skerry_service.replays.ruleset_check import first_difference
from skerry_service.sessions.service import Sessions
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.upgrades.index_survey import all_sessions, survey
from skerry_service.store.upgrades.migration import MigrationReport, migrate, prepare
from skerry_service.store.upgrades.store_format import FORMAT, StoreFormat, UnsupportedFormat, format_of
from tests.sessions.tables import Clock, move_once, play_out, sit_down

from .earlier_formats import NAMES, earlier_data, load
from .servers import ask

BUILD = "the build under test"
CONTINUED = tuple(name for name in NAMES if "kreta_1" not in name)


@pytest.fixture
def store(redis_store: RedisStore) -> RedisStore:
    """A store on the module's server, which is empty."""
    return redis_store


async def migrated(store: RedisStore, *, dry_run: bool = False) -> MigrationReport:
    """Migrate a store of format 0 that no service uses."""
    assert await format_of(store, BUILD) == StoreFormat(0)
    return await migrate(store, BUILD, StoreFormat(0), dry_run=dry_run, watch_seconds=0.0)


async def contents(server: EmbeddedServer) -> dict[bytes, bytes]:
    """Return all that a server holds, serialized."""
    return {key: await ask(server, "DUMP", key) for key in await ask(server, "KEYS", "*")}


@pytest.mark.parametrize("name", CONTINUED)
async def test_the_games_of_each_earlier_build_are_played_on_and_replayed(
    name: str, valkey: EmbeddedServer, store: RedisStore
) -> None:
    await open_and_play(name, valkey, store, moves=5)


@pytest.mark.deep
@pytest.mark.parametrize("name", CONTINUED)
async def test_the_games_of_each_earlier_build_are_played_to_their_end(
    name: str, valkey: EmbeddedServer, store: RedisStore
) -> None:
    await open_and_play(name, valkey, store, moves=None)


async def open_and_play(name: str, valkey: EmbeddedServer, store: RedisStore, moves: int | None) -> None:
    """Migrate the data of a build, make so many moves in each game (``None``: all), and replay every log."""
    data = earlier_data(name)
    await load(valkey, data)
    report = await migrated(store)
    outcome = "rebuilt" if name == "format_0_ttl" else "kept"  # that build encoded snapshots in another way
    assert {one.session: one.outcome for one in report.sessions} == dict.fromkeys(data.tokens, outcome)
    assert await format_of(store, BUILD) == StoreFormat(FORMAT, BUILD)
    assert not await store.upgrades.has_indexes_of_format_0()

    sessions = Sessions(store, clock_ms=Clock())
    listed = await sessions.public(None, 50, lambda record: True, index_keys=None)
    public = {one for one in data.tokens if await is_public(store, one)}
    assert {record.id for record, _ in listed.sessions} == public
    for sitting in data.sittings("playing", "timed"):
        if moves is None:
            assert (await play_out(sessions, sitting)).record.phase is Phase.FINISHED
        for number in range(moves or 0):
            await move_once(sessions, sitting, number)
    for session in data.tokens:
        head = await store.load(session)
        assert head is not None
        assert first_difference(head, await store.batches(session, 0)) is None
        assert await ask(valkey, "TTL", redis_keys.head(session)) == -1
    assert (await survey(store)).agrees


async def is_public(store: RedisStore, session: str) -> bool:
    head = await store.load(session)
    assert head is not None
    return unpack_record(head.record).visibility is Visibility.PUBLIC


async def test_sessions_with_unsupported_rulesets_are_named_and_stay(valkey: EmbeddedServer, store: RedisStore) -> None:
    data = earlier_data("format_0_ttl_kreta_1")
    await load(valkey, data)
    before = {one: await store.load(one) for one in data.tokens}
    report = await migrated(store)
    assert {one.session for one in report.problems} == set(data.tokens)
    assert {one.outcome for one in report.sessions} == {"unsupported"}
    assert all("kreta-1" in one.sentence for one in report.problems)
    assert {one: await store.load(one) for one in data.tokens} == before
    assert (await survey(store)).agrees


async def test_a_ttl_becomes_a_lifetime_by_the_uptime(valkey: EmbeddedServer, store: RedisStore) -> None:
    data = earlier_data("format_0_ttl")
    await load(valkey, data)
    lifetimes = {key: ttl for _, key, ttl, _ in data.keys if ttl > 0}
    await migrated(store)
    for session in data.tokens:
        expires = int(await ask(valkey, "HGET", redis_keys.head(session), "e"))
        assert 0 < expires <= lifetimes[redis_keys.head(session).decode()]
        assert await store.indexes.due_ms(session) == expires


@pytest.mark.parametrize("name", ["format_0_ttl", "format_0_facets"])
async def test_a_dry_run_writes_nothing_and_reports_the_same(
    name: str, valkey: EmbeddedServer, store: RedisStore
) -> None:
    await load(valkey, earlier_data(name))
    before = await contents(valkey)
    report = await migrated(store, dry_run=True)
    assert await contents(valkey) == before
    assert report == await migrated(store)


async def test_an_unreadable_snapshot_is_rebuilt_from_the_log(valkey: EmbeddedServer, store: RedisStore) -> None:
    data = earlier_data("format_0_facets")
    await load(valkey, data)
    (playing, *_), (over, *_) = data.sittings("playing"), data.sittings("finished")
    head = await store.load(playing.id)
    assert head is not None
    await ask(valkey, "HSET", redis_keys.head(playing.id), "t", b"\x91\x07")  # of another encoding
    await ask(valkey, "HSET", redis_keys.head(over.id), "t", b"\x91\x07")
    await ask(valkey, "DEL", redis_keys.log(over.id))
    report = await migrated(store)
    assert {one.session: one.outcome for one in report.sessions if one.outcome != "kept"} == {
        playing.id: "rebuilt",
        over.id: "damaged",
    }
    assert [one.session for one in report.problems] == [over.id]
    assert await store.load(playing.id) == head_of(unpack_head(head))
    assert over.id in await all_sessions(store)  # not lost


async def test_a_migration_that_ends_anywhere_is_completed_by_the_next(
    valkey: EmbeddedServer, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = earlier_data("format_0_facets")
    await load(valkey, data)
    await migrated(store)
    whole = await contents(valkey)
    await load(valkey, data)
    writes, failed = 0, 0
    while await format_of(store, BUILD) == StoreFormat(0):
        with monkeypatch.context() as patch:
            for part in (store.indexes, store.upgrades):
                limit_writes(patch, part, writes)
            try:
                await migrated(store)
            except Interrupted:
                failed += 1
        writes += 1
    assert failed == writes - 1 > len(data.tokens)
    assert (await contents(valkey)).keys() == whole.keys()
    assert (await survey(store)).agrees


class Interrupted(Exception):
    """The migration has ended before a write."""


def limit_writes(patch: pytest.MonkeyPatch, part: Any, most: int) -> None:
    """Let a part of the store fail after so many writes."""
    left = [most]

    def limited(made: Any) -> Any:
        async def call(*arguments: Any, **more: Any) -> Any:
            if arguments[0] in ("ZADD", "DEL", "relist.lua", "set_format.lua"):
                if not left[0]:
                    raise Interrupted
                left[0] -= 1
            return await made(*arguments, **more)

        return call

    for method in ("_call", "_run"):
        patch.setattr(part, method, limited(getattr(part, method)))


async def test_two_replicas_may_migrate_at_once(valkey: EmbeddedServer, store: RedisStore) -> None:
    data = earlier_data("format_0_expiry")
    await load(valkey, data)
    first, second = await asyncio.gather(migrated(store), migrated(store))
    assert first.number == second.number == 0
    assert (await survey(store)).agrees
    assert await prepare(store, BUILD) is None


async def test_a_service_of_an_earlier_build_prevents_a_migration(valkey: EmbeddedServer, store: RedisStore) -> None:
    await load(valkey, earlier_data("format_0_facets"))
    counted = store.upgrades.stored_uptime
    ticks = 0

    async def ticking() -> bytes | None:
        nonlocal ticks
        ticks += 1
        await ask(valkey, "HSET", redis_keys.STORE, redis_keys.UPTIME, 10_000 + ticks)
        return await counted()

    store.upgrades.stored_uptime = ticking  # type: ignore[method-assign]
    before = await contents(valkey)
    with pytest.raises(UnsupportedFormat, match="Stop all of its replicas first"):
        await migrated(store)
    assert (await contents(valkey)).keys() == before.keys()


async def test_a_new_store_begins_with_the_format_of_the_build(store: RedisStore) -> None:
    assert await format_of(store, BUILD) is None
    assert await prepare(store, BUILD) is None
    assert await format_of(store, BUILD) == StoreFormat(FORMAT, BUILD)
    sessions = Sessions(store, clock_ms=Clock())
    await sit_down(sessions, all_games()["kreta"], 2)
    assert await prepare(store, "another build") is None
    assert await format_of(store, BUILD) == StoreFormat(FORMAT, BUILD)


@pytest.mark.parametrize(
    ("number", "words"), [("2", "format 2, which Skerry 9.9 wrote"), ("two", "which is no number")]
)
async def test_other_formats_are_rejected_by_name(
    number: str, words: str, valkey: EmbeddedServer, store: RedisStore
) -> None:
    await ask(valkey, "HSET", redis_keys.STORE, "f", number, "b", "9.9")
    before = await contents(valkey)
    with pytest.raises(UnsupportedFormat, match=words):
        await prepare(store, BUILD)
    assert await contents(valkey) == before
