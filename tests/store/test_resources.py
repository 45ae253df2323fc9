"""The contract of resources beside sessions, in every store."""

from __future__ import annotations

import asyncio

import pytest

from skerry_service.sessions.resources.resource_port import ANY, FieldChange, ResourceStore
from skerry_service.sessions.store_port import Store

EVERY_BYTE = bytes(range(256))


@pytest.fixture
def resources(store: Store) -> ResourceStore:
    return store.resources


async def test_a_change_of_several_parts_is_made_whole_or_not_at_all(resources: ResourceStore) -> None:
    begun = [FieldChange("games", b"s", EVERY_BYTE), FieldChange("waiting", b"a", b"1")]
    assert await resources.change("ladder:x", begun)
    assert await resources.read_all("ladder:x", "games") == {b"s": EVERY_BYTE}
    assert await resources.read_all("ladder:y", "games") == {}
    stale = [FieldChange("games", b"s", None, EVERY_BYTE), FieldChange("waiting", b"a", b"2", b"0")]
    assert not await resources.change("ladder:x", stale)
    assert await resources.read("ladder:x", "games", [b"s", b"t"]) == [EVERY_BYTE, None]
    ended = [FieldChange("games", b"s", None, EVERY_BYTE), FieldChange("rows", b"0", b"row")]
    assert await resources.change("ladder:x", ended)
    assert await resources.read_all("ladder:x", "games") == {}
    assert await resources.read_all("ladder:x", "rows") == {b"0": b"row"}


async def test_a_repeated_change_succeeds_and_one_on_other_values_fails(resources: ResourceStore) -> None:
    change = [FieldChange("count", b"1", b"1"), FieldChange("rows", b"0", b"a")]
    assert await resources.change("ladder:x", change)
    assert await resources.change("ladder:x", change), "as after a lost reply"
    assert not await resources.change("ladder:x", [FieldChange("count", b"1", b"1"), FieldChange("rows", b"1", b"b")])
    assert await resources.change("ladder:x", [FieldChange("count", b"1", b"7", ANY)])
    assert await resources.read("ladder:x", "count", [b"1"]) == [b"7"]
    assert await resources.change("ladder:x", [FieldChange("count", b"1", None, ANY)])
    assert list(await resources.read("ladder:x", "count", [])) == []


async def test_of_many_who_count_each_counts_once(resources: ResourceStore) -> None:
    async def count(name: bytes) -> None:
        while True:
            (held,) = await resources.read("ladder:x", "count", [b"n"])
            counted = FieldChange("count", b"n", b"%d" % (int(held or 0) + 1), held)
            if await resources.change("ladder:x", [counted, FieldChange("counters", name, b"")]):
                return

    await asyncio.gather(*(count(b"%d" % name) for name in range(20)))
    assert await resources.read("ladder:x", "count", [b"n"]) == [b"20"]
