"""GCRA in this process and in the store: the same promises, each on the real part."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack

import pytest

from skerry_service.access.gcra import LocalCounters, RateExceeded
from skerry_service.access.quotas import Rate
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore
from tests.store.servers import PATIENCE, ask, open_store

HOUR = 3600
SECOND_US = 1_000_000
Take = Callable[[Sequence[tuple[str, Rate]]], Awaitable[RateExceeded | None]]


class Clock:
    """Microseconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now_us = 5

    def __call__(self) -> int:
        return self.now_us


@pytest.fixture(params=["here", "in the store"])
async def takes(request: pytest.FixtureRequest, valkey: EmbeddedServer) -> AsyncIterator[list[Take]]:
    """Two replicas that count together; in this process one, twice."""
    async with AsyncExitStack() as stack:
        if request.param == "here":
            counters = LocalCounters(Clock())

            async def here(wanted: Sequence[tuple[str, Rate]]) -> RateExceeded | None:
                return counters.take(wanted).exceeded

            yield [here, here]
        else:
            await ask(valkey, "FLUSHALL")
            stores = [await stack.enter_async_context(open_store(valkey)) for _ in range(2)]

            def of(store: RedisStore) -> Take:
                async def there(wanted: Sequence[tuple[str, Rate]]) -> RateExceeded | None:
                    return (await store.take("create", wanted)).exceeded

                return there

            yield [of(store) for store in stores]


@pytest.mark.parametrize("count", [1, 7, 50, 99])
async def test_exactly_n_of_100_at_once_pass_a_limit_of_n(takes: list[Take], count: int) -> None:
    rate = Rate(count, 10 * HOUR)
    answers = await asyncio.gather(*(takes[call % 2]([("who", rate)]) for call in range(100)))
    assert answers.count(None) == count


async def test_a_refusal_names_the_wait_for_one_step(takes: list[Take]) -> None:
    rate = Rate(2, HOUR)
    for _ in range(2):
        assert await takes[0]([("who", rate)]) is None
    for take in takes:
        reached = await take([("who", rate)])
        assert reached is not None
        assert 0 <= HOUR / 2 * SECOND_US - reached.wait_us < PATIENCE * SECOND_US


async def test_a_refused_call_counts_against_nothing(takes: list[Take]) -> None:
    wide, narrow = Rate(3, HOUR), Rate(1, HOUR)
    assert await takes[0]([("wide", wide), ("narrow", narrow)]) is None
    for _ in range(20):
        reached = await takes[1]([("wide", wide), ("narrow", narrow)])
        assert reached is not None
        assert reached.index == 1
    assert [await takes[0]([("wide", wide)]) is None for _ in range(3)] == [True, True, False]


async def test_of_several_limits_the_longest_wait_is_named(takes: list[Take]) -> None:
    rates = [("fast", Rate(1, 60)), ("slow", Rate(1, 24 * HOUR)), ("between", Rate(1, HOUR))]
    assert await takes[0](rates) is None
    reached = await takes[1](rates)
    assert reached is not None
    assert reached.index == 1
    assert reached.wait_us > 23 * HOUR * SECOND_US


async def test_each_key_is_counted_for_itself(takes: list[Take]) -> None:
    for who in "abc":
        assert await takes[0]([(who, Rate(1, HOUR))]) is None
        assert await takes[1]([(who, Rate(1, HOUR))]) is not None


# ---------------------------------------------------------------- here


def test_what_was_taken_comes_back_evenly_and_the_wait_is_exact() -> None:
    clock = Clock()
    counters, wanted = LocalCounters(clock), [("who", Rate(10, 1))]
    assert [counters.take(wanted).exceeded for _ in range(11)] == [None] * 10 + [RateExceeded(0, 100_000)]
    clock.now_us += 99_999
    assert counters.take(wanted).exceeded == RateExceeded(0, 1)
    clock.now_us += 1
    assert [counters.take(wanted).exceeded, counters.take(wanted).exceeded] == [None, RateExceeded(0, 100_000)]
    clock.now_us += 450_000
    assert [counters.take(wanted).exceeded for _ in range(5)] == [None] * 4 + [RateExceeded(0, 50_000)]
    clock.now_us += 100 * SECOND_US
    assert [counters.take(wanted).exceeded for _ in range(11)].count(None) == 10, "never more than all of it at once"


def test_of_too_many_keys_the_ones_used_last_are_known() -> None:
    counters, rate = LocalCounters(Clock()), Rate(2, HOUR)
    for number in range(1 << 16):
        counters.take([(str(number), rate)])
    for who in ("0", "one more"):
        assert counters.take([(who, rate)]).exceeded is None
    assert counters.take([("0", rate)]).exceeded is not None, "it was the first, and used again"
    assert [counters.take([("1", rate)]).exceeded for _ in range(2)] == [None, None], "it was forgotten"


# ---------------------------------------------------------------- in the store


@pytest.fixture
async def store(valkey: EmbeddedServer) -> AsyncIterator[RedisStore]:
    await ask(valkey, "FLUSHALL")
    async with open_store(valkey) as opened:
        yield opened


async def test_a_number_lives_until_it_says_nothing_any_more(valkey: EmbeddedServer, store: RedisStore) -> None:
    await store.take("create", [("who", Rate(2, HOUR))])
    assert await ask(valkey, "KEYS", "*") == [b"skerry:{quota:create}:who"]
    (name,) = await ask(valkey, "KEYS", "*")
    left = await ask(valkey, "PTTL", name)
    assert 0 <= HOUR / 2 * 1000 - left < PATIENCE * 1000


async def test_a_clock_that_was_set_back_locks_nobody_out(valkey: EmbeddedServer, store: RedisStore) -> None:
    far_ahead = 10**16
    await ask(valkey, "SET", redis_keys.quota("create", "who").decode(), far_ahead)
    assert (await store.take("create", [("who", Rate(4, HOUR))])).exceeded == RateExceeded(0, HOUR // 4 * SECOND_US)


@pytest.mark.parametrize("stored", ["x", "", "-1", "inf", "0x10", "1e3"])
async def test_a_damaged_number_counts_as_none(valkey: EmbeddedServer, store: RedisStore, stored: str) -> None:
    await ask(valkey, "SET", redis_keys.quota("create", "who").decode(), stored)
    assert (await store.take("create", [("who", Rate(4, HOUR))])).exceeded is None


OF_CONNECTING = ("cmdstat_config", "cmdstat_client", "cmdstat_info", "cmdstat_hget")
"""What the connection asks over which a test looks: it learns first whom it talks to."""


async def test_counting_is_one_command(valkey: EmbeddedServer, store: RedisStore) -> None:
    wanted = [(key, Rate(9, HOUR)) for key in "abcd"]
    await store.take("create", wanted)
    await ask(valkey, "CONFIG", "RESETSTAT")
    await store.take("create", wanted)
    lines = (await ask(valkey, "INFO", "commandstats")).decode().splitlines()
    called = {line.split(":")[0]: line.split("calls=")[1].split(",")[0] for line in lines if "calls=" in line}
    within = {"cmdstat_time", "cmdstat_get", "cmdstat_set"}
    others = {name for name in called if not name.startswith(OF_CONNECTING)}
    assert others - within == {"cmdstat_evalsha"}
    assert called["cmdstat_evalsha"] == "1"
