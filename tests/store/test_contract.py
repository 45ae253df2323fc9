"""What every store promises to sessions: each test runs against the one in memory and the one in Redis."""

from __future__ import annotations

import asyncio

import pytest

from skerry_service.domain.packed import Head, Request
from skerry_service.sessions.store_port import REQUEST_WINDOW, Conflict, Duplicate, Gone, Store, Stored, Summary

from .commits import first, length, new_id, request, step
from .conftest import Replicas

EVERY_BYTE = bytes(range(256))


async def test_a_new_session_is_stored_and_loaded(store: Store) -> None:
    session = new_id()
    assert await store.create(session, first(), None) is None
    assert await store.load(session) == Head(sequence=0, record=b"record 0", snapshot=b"snapshot 0")
    assert await length(store, session) == 0
    assert await store.batches(session, 0) == []


async def test_creating_again_returns_what_is_there_and_changes_nothing(store: Store) -> None:
    session = new_id()
    await store.create(session, first(batch=b"begin", last=2), None)
    await store.commit(session, step(2))
    head = await store.load(session)
    assert head is not None
    assert await store.create(session, first(batch=b"other", last=5), None) == head
    assert await store.load(session) == head
    assert await store.batches(session, 0) == [b"begin", b"batch 3"]


async def test_what_creates_a_session_can_bring_a_batch_and_a_request(store: Store) -> None:
    session = new_id()
    await store.create(session, first(batch=b"begin", last=3, by=request(1, payload=9)), None)
    assert await length(store, session) == 3
    assert await store.batches(session, 0) == [b"begin"]
    assert await store.find_request(session, request(1)) == Duplicate(last=3, payload=request(1, 9).payload)


async def test_a_commit_moves_the_head_and_appends_the_batch(store: Store) -> None:
    session = new_id()
    await store.create(session, first(), None)
    assert await store.commit(session, step(0, 4)) == Stored()
    assert await store.load(session) == Head(sequence=4, record=b"record 0", snapshot=b"snapshot 4")
    assert await store.commit(session, step(4, 5, record=b"record 5")) == Stored()
    assert await store.load(session) == Head(sequence=5, record=b"record 5", snapshot=b"snapshot 5")
    assert await store.batches(session, 0) == [b"batch 4", b"batch 5"]


async def test_a_commit_that_adds_no_entry_is_an_error(store: Store) -> None:
    session = new_id()
    await store.create(session, first(batch=b"begin", last=1), None)
    with pytest.raises(ValueError, match="at least one entry"):
        await store.commit(session, step(1, 1))
    assert await length(store, session) == 1


@pytest.mark.parametrize("base", [0, 3, 9])
async def test_a_commit_on_another_base_conflicts_and_writes_nothing(store: Store, base: int) -> None:
    session = new_id()
    await store.create(session, first(batch=b"begin", last=2), None)
    head = await store.load(session)
    assert await store.commit(session, step(base, by=request(7))) == Conflict(sequence=2)
    assert await store.load(session) == head
    assert await store.batches(session, 0) == [b"begin"]
    assert await store.find_request(session, request(7)) is None


async def test_of_many_commits_on_one_base_exactly_one_wins(replicas: Replicas) -> None:
    stores = [await replicas(), await replicas()]
    session = new_id()
    await stores[0].create(session, first(), None)
    rivals = [stores[number % 2].commit(session, step(0, batch=b"%d" % number)) for number in range(50)]
    results = await asyncio.gather(*rivals)
    assert sorted(map(repr, results)) == sorted([repr(Stored())] + [repr(Conflict(sequence=1))] * 49)
    assert await stores[1].batches(session, 0) == [b"%d" % results.index(Stored())]


async def test_of_many_repeats_of_one_request_exactly_one_is_carried_out(replicas: Replicas) -> None:
    stores = [await replicas(), await replicas()]
    session, asked = new_id(), request(5, payload=6)
    await stores[0].create(session, first(), None)
    results = await asyncio.gather(*(stores[n % 2].commit(session, step(0, 3, by=asked)) for n in range(20)))
    known = Duplicate(last=3, payload=asked.payload)
    assert sorted(map(repr, results)) == sorted([repr(Stored())] + [repr(known)] * 19)
    assert await stores[0].batches(session, 0) == [b"batch 3"]


async def test_a_repeat_is_known_though_the_session_has_moved_on(store: Store) -> None:
    session, asked = new_id(), request(5)
    await store.create(session, first(), None)
    await store.commit(session, step(0, 2, by=asked))
    await store.commit(session, step(2, 3, by=request(6)))
    assert await store.commit(session, step(0, 1, by=asked)) == Duplicate(last=2, payload=asked.payload)
    assert await store.commit(session, step(3, 4, by=asked)) == Duplicate(last=2, payload=asked.payload)
    assert await length(store, session) == 3


async def test_another_payload_under_a_known_request_id_gets_the_first_payload(store: Store) -> None:
    session = new_id()
    await store.create(session, first(), None)
    await store.commit(session, step(0, by=request(5, payload=1)))
    first_payload = request(5, payload=1).payload
    assert await store.commit(session, step(1, by=request(5, payload=2))) == Duplicate(last=1, payload=first_payload)
    assert await store.find_request(session, request(5, payload=2)) == Duplicate(last=1, payload=first_payload)


async def test_the_last_requests_are_remembered(store: Store) -> None:
    session = new_id()
    await store.create(session, first(), None)
    for base in range(REQUEST_WINDOW + 8):
        assert await store.commit(session, step(base, by=request(base))) == Stored()
    for number in range(8, REQUEST_WINDOW + 8):
        known = Duplicate(last=number + 1, payload=request(0).payload)
        assert await store.find_request(session, request(number)) == known
        assert await store.commit(session, step(0, by=request(number))) == known


async def test_commits_without_a_request_push_no_request_out(store: Store) -> None:
    session = new_id()
    await store.create(session, first(), None)
    await store.commit(session, step(0, by=request(1)))
    for base in range(1, 2 * REQUEST_WINDOW):
        await store.commit(session, step(base))
    assert await store.find_request(session, request(1)) == Duplicate(last=1, payload=request(1).payload)


async def test_requests_are_distinct_wherever_their_bytes_recur(store: Store) -> None:
    """Ids and payloads that contain each other, shifted: only a whole id in its place is a match."""
    session = new_id()
    await store.create(session, first(), None)
    stored = [
        Request(id=b"ABCDEFGH", payload=b"IJKLMNOP"),
        Request(id=b"\0\0\0\0\0\0\0\1", payload=b"\0\0\0\0\0\0\0\0"),
        Request(id=b"EFGHIJKL", payload=b"ABCDEFGH"),
    ]
    for base, asked in enumerate(stored):
        assert await store.commit(session, step(base, by=asked)) == Stored()
    window = b"".join(asked.id + asked.payload + (n + 1).to_bytes(4, "big") for n, asked in enumerate(stored))
    windows = {window[at : at + 8] for at in range(len(window) - 7)} - {asked.id for asked in stored}
    for fragment in windows:
        assert await store.find_request(session, Request(id=fragment, payload=b"........")) is None
    for base, fragment in enumerate(sorted(windows)[:20], start=3):
        assert await store.commit(session, step(base, by=Request(id=fragment, payload=b"........"))) == Stored()
    for base, asked in enumerate(stored):
        assert await store.find_request(session, asked) == Duplicate(last=base + 1, payload=asked.payload)


async def test_every_byte_comes_back(store: Store) -> None:
    session = new_id()
    head = Head(sequence=1, record=EVERY_BYTE, snapshot=EVERY_BYTE[::-1])
    begin = first(batch=EVERY_BYTE, last=1)
    await store.create(session, type(begin)(0, begin.batch, head, True, None, None), None)
    assert await store.load(session) == head
    heard: list[bytes | None] = []
    await store.listen(session, heard.append)
    for base, byte in enumerate(EVERY_BYTE, start=1):
        asked = Request(id=bytes([byte]) * 8, payload=bytes([255 - byte]) * 8)
        assert await store.commit(session, step(base, batch=bytes([byte]), by=asked)) == Stored()
        assert await store.find_request(session, asked) == Duplicate(last=base + 1, payload=asked.payload)
    assert b"".join(await store.batches(session, 1)) == EVERY_BYTE


async def test_what_is_not_there_is_none(store: Store) -> None:
    session = new_id()
    assert await store.commit(session, step(0, by=request(1))) == Gone()
    assert await store.load(session) is None
    assert await store.tip(session) is None
    assert await store.find_request(session, request(1)) is None
    assert await store.batches(session, 0) == []


async def test_batches_are_those_with_an_entry_behind_the_sequence(store: Store) -> None:
    session = new_id()
    await store.create(session, first(batch=b"1-3", last=3), None)
    await store.commit(session, step(3, 4, batch=b"4"))
    await store.commit(session, step(4, 12, batch=b"5-12"))
    every = [b"1-3", b"4", b"5-12"]
    expected = {0: every, 2: every, 3: every[1:], 4: every[2:], 11: every[2:], 12: [], 99: []}
    assert {after: list(await store.batches(session, after)) for after in expected} == expected


async def test_sessions_do_not_see_each_other(store: Store) -> None:
    one, other = new_id(), new_id()
    await store.create(one, first(), None)
    await store.create(other, first(), None)
    await store.commit(one, step(0, by=request(1)))
    assert await length(store, other) == 0
    assert await store.find_request(other, request(1)) is None
    assert await store.batches(other, 0) == []


GREEN, ROUND, LARGE = b"is green", b"is round", b"is large"
"""Index keys of 8 bytes."""


async def listed(store: Store, *, page: int) -> list[tuple[int, str]]:
    """Return the whole list, read by pages."""
    found: list[tuple[int, str]] = []
    while part := await store.list_sessions(found[-1] if found else None, page):
        assert len(part) <= page
        assert len(found) < 100, "the pages do not end"
        found += part
    return found


@pytest.mark.parametrize("page", [1, 2, 3, 7, 100])
async def test_public_sessions_are_listed_newest_first_and_by_id_when_equal(store: Store, page: int) -> None:
    times = {f"s{number:02}": 1_700_000_000_000 + number // 5 for number in range(17)}
    for session, since in times.items():
        await store.create(session, first(), since)
    await store.create("hidden", first(), None)
    expected = sorted(((since, session) for session, since in times.items()), reverse=True)
    assert await listed(store, page=page) == expected


async def test_pages_stay_in_step_when_sessions_come_and_go_between_them(store: Store) -> None:
    for session in "abcdef":
        await store.create(session, first(), 1000)
    page = await store.list_sessions(None, 3)
    assert page == [(1000, "f"), (1000, "e"), (1000, "d")]
    await store.unlist(["d", "b"])
    await store.create("newer", first(), 2000)
    await store.create("ee", first(), 1000)
    assert await store.list_sessions(page[-1], 3) == [(1000, "c"), (1000, "a")]


async def found(store: Store, *index_keys: bytes) -> list[str]:
    return [session for _, session in await store.list_sessions(None, 100, index_keys)]


async def test_sessions_are_found_under_their_index_keys_only(store: Store) -> None:
    for number, session in enumerate("abcdef"):
        await store.create(session, first(), 1000 + number // 2, [GREEN] if number % 2 else [GREEN, ROUND])
    await store.create("bare", first(), 1000)
    assert await found(store, GREEN) == [*"fedcba"]
    assert await found(store, ROUND) == [*"eca"]
    assert await found(store, ROUND, GREEN) == [*"fedcba"], "each once"
    assert await found(store) == await found(store, b"nothing.") == []
    assert await store.list_sessions((1001, "d"), 2, [GREEN]) == [(1001, "c"), (1000, "b")]
    assert await store.list_sessions((10**20, "z"), 1, [ROUND]) == [(1002, "e")]
    for before in ((-1, "z"), (0, "\ud800")):
        assert await store.list_sessions(before, 9, [ROUND]) == []
    await store.unlist(["c", "e"])
    assert await found(store, ROUND, GREEN) == [*"fdba"]


async def test_index_keys_are_removed_only_by_who_knows_the_latest_entry(store: Store) -> None:
    """Of two who change it at once the slower one may not say where it is no longer."""
    await store.create("a", first(), 1000, [GREEN])
    await store.relist("a", 5, [ROUND], [])
    for _ in range(2):
        await store.relist("a", 4, [LARGE], [GREEN, ROUND])
    assert [await found(store, one) for one in (GREEN, ROUND, LARGE)] == [["a"]] * 3
    await store.relist("a", 5, [], [GREEN, LARGE])
    assert [await found(store, one) for one in (GREEN, ROUND, LARGE)] == [[], ["a"], []]
    await store.create("a", first(), 2000, [GREEN])
    assert await found(store, GREEN) == [], "it is there already"
    await store.relist("a", 6, [LARGE], [])
    await store.unlist(["a"])
    assert await found(store, ROUND, LARGE) == []


async def test_who_is_not_listed_is_found_under_nothing(store: Store) -> None:
    await store.create("hidden", first(), None, [GREEN])
    await store.create("gone", first(), 1000, [GREEN])
    await store.unlist(["gone"])
    for session in ("hidden", "gone", "never there"):
        await store.relist(session, 3, [GREEN], [])
    assert await found(store, GREEN) == []


async def test_a_list_tells_sequence_and_record(store: Store) -> None:
    await store.create("a", first(), 1000)
    await store.commit("a", step(0, record=b"record 1"))
    assert await store.summaries(["never there", "a"]) == [None, Summary(1, b"record 1")]
    assert await store.summaries([]) == []


async def test_unlisted_sessions_stay_playable(store: Store) -> None:
    await store.create("a", first(), 1000)
    await store.create("b", first(), 1000)
    await store.unlist(["a", "never there"])
    await store.unlist([])
    assert await store.list_sessions(None, 10) == [(1000, "b")]
    assert await store.commit("a", step(0)) == Stored()


async def test_creating_again_keeps_the_place_in_the_list(store: Store) -> None:
    await store.create("a", first(), 1000)
    await store.create("a", first(), 2000)
    assert await store.list_sessions(None, 10) == [(1000, "a")]


async def test_the_epoch_is_a_name(store: Store) -> None:
    await store.tip(new_id())
    assert store.epoch
