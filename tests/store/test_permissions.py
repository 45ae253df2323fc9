"""The least that a Redis user has to be allowed, as operators of a shared server grant it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from skerry_service.access.quotas import Rate
from skerry_service.domain.errors import StoreUnavailable
from skerry_service.sessions.match_port import AgreedMatch, Exchange, RoundWrite
from skerry_service.sessions.resources.resource_port import FieldChange
from skerry_service.sessions.store_port import Stored, Summary, Tip
from skerry_service.store.backups.backup import Backups
from skerry_service.store.backups.backup_file import writing
from skerry_service.store.connections.server_facts import DURABLE
from skerry_service.store.diagnosis import amounts
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.upgrades.index_survey import repair, survey
from skerry_service.store.upgrades.migration import migrate
from skerry_service.store.upgrades.store_format import StoreFormat

from .commits import first, length, new_id, request, step
from .earlier_formats import earlier_data, load
from .schedules import every_session, expire_due
from .servers import ask, until

COMMANDS = (
    "+ping +info +client|setname +evalsha +eval +exists +hget +hmget +hgetall +hset +hdel +pexpire +xadd +xrange"
    " +xrevrange +del +zadd +zrem +zrange +zscore +zmscore +zremrangebyscore +zcard +zcount +zscan"
    " +scan +pttl +persist +get +set +time +spublish +ssubscribe +sunsubscribe"
)

TO_WAIT = "+wait"
"""Beside those, where replicas are waited for (``SKERRY_REDIS_WAIT``)."""
IN_A_CLUSTER = "+cluster|slots +asking"


@pytest.fixture
async def restricted(valkey: EmbeddedServer) -> AsyncIterator[RedisStore]:
    """A store whose user may do that and no more, which leaves out CONFIG."""
    rules = f"reset on >secret ~skerry:* &skerry:* {COMMANDS}"
    await ask(valkey, "ACL", "SETUSER", "player", *rules.split())
    store = RedisStore(valkey.url.replace("unix://", "unix://player:secret@"), deadline=2)
    yield store
    await store.close()


async def test_all_works_for_a_user_with_the_commands_that_are_needed(restricted: RedisStore) -> None:
    session = new_id()
    heard: list[bytes | None] = []
    await restricted.open()
    begun = first(batch=b"begin", last=1, lifetime_ms=60_000)
    assert await restricted.create(session, begun, 1000, [b"key    1"]) is None
    await restricted.listen(session, heard.append)
    assert await restricted.commit(session, step(1, by=request(1), record=b"r", lifetime_ms=60_000)) == Stored()
    assert await restricted.commit(session, step(2)) == Stored()
    assert await restricted.find_request(session, request(1)) is not None
    assert await restricted.load(session) is not None
    assert await length(restricted, session) == 3
    assert await restricted.batches(session, 1) == [b"batch 2", b"batch 3"]
    assert (1000, session) in await restricted.list_sessions(None, 10)
    await restricted.relist(session, 2, [b"key    2"], [b"key    1"])
    assert await restricted.list_sessions(None, 10, [b"key    1", b"key    2"]) == [(1000, session)]
    assert [type(one) for one in await restricted.summaries([session, new_id()])] == [Summary, type(None)]
    await restricted.create(new_id(), first(lifetime_ms=-1000), None)
    await restricted.tick(1)
    assert await expire_due(restricted) == 1
    await until(lambda: heard == [b"batch 2", b"batch 3"])
    await restricted.unlisten(session, heard.append)
    await restricted.unlist([session])
    await restricted.record_seen([(session, 1)])
    assert (await restricted.last_seen(session, 2))[0] == 0
    await restricted.schedule.at("timers", session, 0)
    (lease,) = await restricted.schedule.lease("timers", 10, 1000)
    await restricted.schedule.done(lease, 1000)
    assert await restricted.schedule.overdue("timers", 0) == 0
    await restricted.forget_seen(session)
    await restricted.finished.set_archive_id(await restricted.finished.archive_id() or b"id")
    assert await restricted.finished.read(session) is not None
    assert await restricted.finished.delete(session, Tip(3, b""))
    await play_matchmaker(restricted)
    assert (await restricted.take("create", [("who", Rate(1, 60))])).exceeded is None


async def play_matchmaker(store: RedisStore) -> None:
    """Call everything that the matchmaker calls."""
    matching = store.matching
    received = await matching.exchange("kreta-2", Exchange("here", 1, b"term", b"", b"message", [b"t"]))
    assert (received.leads, received.claims) == (True, [None])
    collected = await matching.collect("kreta-2", b"term", 1, b"", everything=True)
    assert collected is not None
    assert collected.messages == [b"message"]
    write = RoundWrite({"here": b"news"}, [AgreedMatch(b"match", [(b"t", b"claim")])], [b"done"], {b"caller": 64})
    assert await matching.publish("kreta-2", b"term", write) == []
    assert await matching.agreed("kreta-2") == [b"match"]
    assert await matching.forget("kreta-2", b"match", [b"caller"]) == (1, 1)
    assert await matching.claim("kreta-2", b"t", b"other") == await matching.find_claim("kreta-2", b"t") == b"claim"
    await matching.release("kreta-2", b"t", b"claim")
    await matching.resign("kreta-2", b"term")


async def test_it_will_do_for_counters_and_an_archive(restricted: RedisStore) -> None:
    session = new_id()
    await restricted.create(session, first(lifetime_ms=60_000), None)
    there, *_ = await amounts(restricted, 0, 0)
    assert there >= 1
    assert session in await every_session(restricted)


async def test_it_will_do_for_ladders(restricted: RedisStore) -> None:
    resources = restricted.resources
    assert await resources.change("ladder:x", [FieldChange("games", b"s", b"1")])
    assert await resources.read_all("ladder:x", "games") == {b"s": b"1"}
    assert await resources.change("ladder:x", [FieldChange("games", b"s", None, b"1")])
    assert await resources.read("ladder:x", "games", [b"s"]) == [None]


async def test_it_will_do_for_migrations_and_repairs(valkey: EmbeddedServer, restricted: RedisStore) -> None:
    await load(valkey, earlier_data("format_0_facets"))
    await migrate(restricted, "a build", StoreFormat(0), watch_seconds=0.0)
    await repair(restricted)
    assert (await survey(restricted)).agrees


async def test_it_will_do_for_backups(valkey: EmbeddedServer, restricted: RedisStore, tmp_path: Path) -> None:
    await restricted.create(new_id(), first(batch=b"begin", last=1, lifetime_ms=60_000), 1000)
    backups = Backups(valkey.url.replace("unix://", "unix://player:secret@"), "a build")
    with writing(tmp_path / "games") as writer:
        await backups.write(writer, 0)
    await backups.close()
    assert writer.sessions >= 1


async def test_without_config_the_server_is_not_proved_durable(valkey: EmbeddedServer, restricted: RedisStore) -> None:
    await restricted.open()
    assert DURABLE != restricted.epoch != ""
    await ask(valkey, "ACL", "SETUSER", "player", "+config|get")
    allowed = RedisStore(valkey.url.replace("unix://", "unix://player:secret@"))
    await allowed.open()
    assert allowed.epoch == DURABLE
    await allowed.close()


async def use(store: RedisStore) -> None:
    session = new_id()
    await store.create(session, first(), None)
    await store.commit(session, step(0))
    await store.listen(session, print)


@pytest.mark.parametrize("change", ["-info", "-xadd", "resetkeys", "resetchannels", ">other <secret"])
async def test_with_less_the_store_is_unavailable(valkey: EmbeddedServer, restricted: RedisStore, change: str) -> None:
    await ask(valkey, "ACL", "SETUSER", "player", *change.split())
    with pytest.raises(StoreUnavailable):
        await use(restricted)
