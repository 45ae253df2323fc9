"""The contract of the matchmaker's part of every store."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from skerry_service.sessions.match_port import (
    LEASE_MS,
    TO_MATCHER,
    TO_REPLICAS,
    AgreedMatch,
    Exchange,
    MatchStore,
    Received,
    RoundWrite,
)
from skerry_service.sessions.store_port import Store
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore

from .conftest import Replicas
from .servers import ask, until

GAME = "kreta-2"
EVERY_BYTE = bytes(range(256))


@pytest.fixture
def matching(store: Store) -> MatchStore:
    return store.matching


async def exchange(
    matching: MatchStore,
    replica: str = "here",
    now: int = 1000,
    term: bytes = b"first",
    after: bytes = b"",
    message: bytes = b"",
    tickets: Sequence[bytes] = (),
) -> Received:
    return await matching.exchange(GAME, Exchange(replica, now, term, after, message, tickets))


async def test_the_first_replica_leads_until_its_lease_ends(matching: MatchStore) -> None:
    assert (await exchange(matching, "here", 1000, b"first")).leads
    other = await exchange(matching, "there", 1000 + LEASE_MS - 1, b"second")
    assert (other.term, other.leads) == (b"first", False)
    other = await exchange(matching, "there", 1000 + LEASE_MS, b"second")
    assert (other.term, other.leads) == (b"second", True)
    assert await matching.collect(GAME, b"first", 8000, b"") is None
    assert await matching.publish(GAME, b"first", RoundWrite({"here": b"news"})) is None


async def test_a_round_renews_the_lease_and_resigning_ends_it(matching: MatchStore) -> None:
    await exchange(matching, "here", 1000, b"first")
    assert await matching.collect(GAME, b"first", 2000, b"") is not None
    assert not (await exchange(matching, "there", 1999 + LEASE_MS, b"second")).leads
    await matching.resign(GAME, b"another term")
    assert not (await exchange(matching, "there", 2001, b"second")).leads
    await matching.resign(GAME, b"first")
    assert (await exchange(matching, "there", 2001, b"")).term == b"first", "a replica without a term takes no lease"
    assert (await exchange(matching, "there", 2001, b"second")).leads


async def test_a_matcher_reads_each_message_once_and_the_next_one_what_is_left(matching: MatchStore) -> None:
    await exchange(matching, message=EVERY_BYTE)
    await exchange(matching, "there", message=b"two")
    first = await matching.collect(GAME, b"first", 1000, b"")
    assert first is not None
    assert first.messages == [EVERY_BYTE, b"two"]
    await exchange(matching, message=b"three")
    second = await matching.collect(GAME, b"first", 1000, first.last)
    assert second is not None
    assert second.messages == [b"three"]
    await exchange(matching, "there", 1000 + LEASE_MS, b"second")
    third = await matching.collect(GAME, b"second", 8000, b"")
    assert third is not None
    assert third.messages == [b"three"], "the first matcher has not said that it handled this"


async def test_a_replica_receives_the_news_for_it_since_its_last_exchange(matching: MatchStore) -> None:
    here, there = await exchange(matching, "here"), await exchange(matching, "there")
    await matching.publish(GAME, b"first", RoundWrite({"here": b"one", "there": EVERY_BYTE}))
    await matching.publish(GAME, b"first", RoundWrite({"here": b"two"}))
    here = await exchange(matching, "here", after=here.last)
    assert here.news == [b"one", b"two"]
    assert (await exchange(matching, "here", after=here.last)).news == []
    assert (await exchange(matching, "there", after=there.last)).news == [EVERY_BYTE]
    assert (await exchange(matching, "late")).news == []


async def test_an_agreed_match_is_stored_with_its_claims_until_it_is_finished(matching: MatchStore) -> None:
    await exchange(matching)
    match = AgreedMatch(EVERY_BYTE, [(b"a", b"claim of a"), (b"b", b"claim of b")])
    assert await matching.publish(GAME, b"first", RoundWrite({}, [match])) == []
    assert await matching.publish(GAME, b"first", RoundWrite({}, [match])) == [], "the reply to the first was lost"
    assert await matching.agreed(GAME) in ([EVERY_BYTE], (EVERY_BYTE,))
    claims = (await exchange(matching, tickets=[b"a", b"c", b"b"])).claims
    assert claims == [b"claim of a", None, b"claim of b"]
    left = await matching.collect(GAME, b"first", 1000, b"", everything=True)
    assert left is not None
    assert list(left.agreed) == [EVERY_BYTE]
    await matching.publish(GAME, b"first", RoundWrite({}, finished=[EVERY_BYTE]))
    assert list(await matching.agreed(GAME)) == []
    assert await matching.find_claim(GAME, b"a") == b"claim of a"


async def test_of_two_matches_the_one_whose_ticket_is_claimed_already_is_not_stored(matching: MatchStore) -> None:
    await exchange(matching)
    assert await matching.claim(GAME, b"b", b"a table") is None
    assert await matching.claim(GAME, b"b", b"another table") == b"a table"
    taken = AgreedMatch(b"taken", [(b"a", b"1"), (b"b", b"2")])
    free = AgreedMatch(b"free", [(b"c", b"3"), (b"d", b"4")])
    assert await matching.publish(GAME, b"first", RoundWrite({}, [taken, free])) == [(0, 1)]
    assert list(await matching.agreed(GAME)) == [b"free"]
    assert (await exchange(matching, tickets=[b"a", b"b", b"c"])).claims == [None, b"a table", b"3"]
    await matching.release(GAME, b"b", b"another table")
    assert await matching.find_claim(GAME, b"b") == b"a table"
    await matching.release(GAME, b"b", b"a table")
    assert await matching.find_claim(GAME, b"b") is None


async def test_no_shows_are_kept_until_they_are_old(matching: MatchStore) -> None:
    await exchange(matching)
    await matching.publish(GAME, b"first", RoundWrite({}, no_shows={b"old": 100, b"new": 2**50 + 1}))
    await matching.publish(GAME, b"first", RoundWrite({}, no_shows={EVERY_BYTE: 200}, forget_no_shows=101))
    left = await matching.collect(GAME, b"first", 1000, b"", everything=True)
    assert left is not None
    assert left.no_shows == {b"new": 2**50 + 1, EVERY_BYTE: 200}


async def test_messages_wake_the_matcher_and_news_wake_the_replicas(replicas: Replicas) -> None:
    store, other = await replicas(), await replicas()
    received: list[bytes | None] = []
    await store.listen(store.matching.channel(GAME), received.append)
    await exchange(other.matching)
    await exchange(other.matching, message=b"message")
    await until(lambda: received == [TO_MATCHER])
    await other.matching.publish(GAME, b"first", RoundWrite({}, finished=[b"done"]))
    await other.matching.publish(GAME, b"first", RoundWrite({"here": b"news"}))
    await until(lambda: received == [TO_MATCHER, TO_REPLICAS])
    await store.unlisten(store.matching.channel(GAME), received.append)


async def test_games_do_not_share_anything(matching: MatchStore) -> None:
    await exchange(matching, message=b"message")
    other = await matching.exchange("tenerife-1", Exchange("there", 1000, b"other", b"", b""))
    assert other.leads
    collected = await matching.collect("tenerife-1", b"other", 1000, b"")
    assert collected is not None
    assert collected.messages == []


# ------------------------------------------------------------ damage

AGREED, NO_SHOWS = redis_keys.agreed_matches(GAME), redis_keys.match_no_shows(GAME)
MATCHER = redis_keys.matcher(GAME)
CLAIM = redis_keys.match_claim(GAME, b"a".hex())


@pytest.mark.parametrize(
    "key", [MATCHER, redis_keys.match_messages(GAME), redis_keys.match_news(GAME), AGREED, NO_SHOWS, CLAIM]
)
async def test_a_key_with_a_value_of_another_type_is_deleted(
    valkey: EmbeddedServer, redis_store: RedisStore, key: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    matching = redis_store.matching
    await ask(valkey, "SET" if key == AGREED else "LPUSH", key, "x")
    received = await exchange(matching, message=b"message", tickets=[b"a"])
    assert (received.leads, received.claims) == (True, [None])
    collected = await matching.collect(GAME, b"first", 1000, b"", everything=True)
    assert collected is not None
    assert {*collected.messages} == {b"message"}, "once or more: matchers ignore repeated ones"
    assert (list(collected.agreed), collected.no_shows) == ([], {})
    match = AgreedMatch(b"match", [(b"a", b"claim")])
    assert await matching.publish(GAME, b"first", RoundWrite({"here": b"news"}, [match], no_shows={b"x": 65})) == []
    assert {*(await exchange(matching, after=received.last)).news} == {b"news"}
    assert await matching.find_claim(GAME, b"a") == b"claim"
    assert f"matchmaking ({key.decode()}) has a damaged entry" in caplog.text


@pytest.mark.parametrize("ends", [b"x", b"", b"9" * 30, b"-1", b"inf"])
async def test_a_damaged_lease_ends(valkey: EmbeddedServer, redis_store: RedisStore, ends: bytes) -> None:
    matching = redis_store.matching
    await exchange(matching)
    await ask(valkey, "HSET", MATCHER, "until", ends)
    assert (await exchange(matching, "there", term=b"second")).leads


@pytest.mark.parametrize("score", ["inf", "-inf", "1e300", "-1", "0.5"])
async def test_a_damaged_score_of_a_no_show_counts_as_none(
    valkey: EmbeddedServer, redis_store: RedisStore, score: str
) -> None:
    matching = redis_store.matching
    await exchange(matching)
    await ask(valkey, "ZADD", NO_SHOWS, score, "caller", 65, "other")
    collected = await matching.collect(GAME, b"first", 1000, b"", everything=True)
    assert collected is not None
    assert collected.no_shows == {b"caller": 0, b"other": 65}


async def test_a_text_is_found_until_its_messages_are_handled_and_its_matches_have_begun(matching: MatchStore) -> None:
    assert await matching.forget(GAME, b"ada", []) == (0, 0)
    await exchange(matching, message=b"ticket of ada")
    await exchange(matching, message=b"ticket of bob")
    assert await matching.forget(GAME, b"ada", []) == (0, 1)
    collected = await matching.collect(GAME, b"first", 1000, b"")
    assert collected is not None
    await matching.collect(GAME, b"first", 1000, collected.last)
    assert await matching.forget(GAME, b"ada", []) == (0, 0)
    await exchange(matching, message=b"ticket of cyd")
    collected = await matching.collect(GAME, b"first", 1000, b"")
    assert collected is not None and collected.messages == [b"ticket of cyd"]
    write = RoundWrite({}, [AgreedMatch(b"ada and bob", [])], no_shows={b"of ada": 65, b"of bob": 65})
    await matching.publish(GAME, b"first", write)
    assert await matching.forget(GAME, b"ada", [b"of ada", b"of cyd"]) == (1, 1)
    await matching.publish(GAME, b"first", RoundWrite({}, finished=[b"ada and bob"]))
    assert await matching.forget(GAME, b"ada", [b"of ada"]) == (0, 0)
    found = await matching.collect(GAME, b"first", 1000, b"", everything=True)
    assert found is not None and dict(found.no_shows) == {b"of bob": 65}
