"""Streams of bots that wait, over a store in memory."""

from __future__ import annotations

from itertools import count

import pytest

from skerry_service.domain.errors import SkerryError, StoreUnavailable
from skerry_service.ladders import ladder_records as stored
from skerry_service.ladders import ladders
from skerry_service.ladders.ladder_records import WaitingBot
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.ladders.ladder_streams import LadderStreams
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.resources.field_values import replacing
from skerry_service.sessions.resources.resource_port import ANY, FieldChange
from skerry_service.sessions.service import Sessions
from tests.ladders.test_ladder_readings import LADDER


async def test_a_call_about_an_invented_ladder_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Recorded(LadderStreams):
        def __init__(self, name: str, store: MemoryStore) -> None:
            made.append(name)
            super().__init__(name, store)

    monkeypatch.setattr(ladders, "LadderStreams", Recorded)
    service = Sessions(MemoryStore(), clock_ms=lambda: 1).ladders
    for key in ("", "ada"):
        with pytest.raises(SkerryError):
            await anext(service.find("invented", "alpha", "hash", key))
    assert not made


async def test_the_last_stream_of_a_bot_removes_the_entry_of_whichever_made_it() -> None:
    store = MemoryStore(count().__next__)
    data, streams, elsewhere = LadderData(store.resources), LadderStreams("l", store), LadderStreams("l", store)
    first = await streams.open("alpha", "hash", "ada")
    second = await streams.open("alpha", "hash", "ada")
    await streams.close(first)
    assert list(await data.waiting("l")) == ["alpha"]
    await streams.close(second)
    assert not await data.waiting("l")

    await elsewhere.open("alpha", "hash", "ada")
    await streams.close(await streams.open("alpha", "hash", "ada"))
    assert list(await data.waiting("l")) == ["alpha"], "the bot waits on another replica"


async def test_an_entry_that_closing_could_not_remove_goes_with_the_next_look(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    data, streams = LadderData(store.resources), LadderStreams("l", store)
    await streams.open("beta", "hash", "bob")
    alpha = await streams.open("alpha", "hash", "ada")

    async def fail(*_: object) -> bool:
        raise StoreUnavailable

    with monkeypatch.context() as broken:
        broken.setattr(store.resources, "change", fail)
        await streams.close(alpha)
    await streams.keep_waiting()
    assert list(await data.waiting("l")) == ["beta"]


async def test_a_damaged_entry_does_not_keep_its_bot_from_waiting(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    data, streams = LadderData(store.resources), LadderStreams("l", store)
    damaged = FieldChange(stored.WAITING, b"alpha", b"\xc1 damaged", ANY)
    await data.change("l", [damaged])
    alpha = await streams.open("alpha", "hash", "ada")
    assert await data.waiting("l") == {"alpha": alpha.waiting}
    assert "WaitingBot" in caplog.text
    await data.change("l", [damaged])
    await streams.keep_waiting()
    assert await data.waiting("l") == {"alpha": alpha.waiting}


async def test_a_ladder_with_damaged_data_does_not_keep_others_from_their_rounds() -> None:
    store = MemoryStore()
    data, service = LadderData(store.resources), Sessions(store, clock_ms=lambda: 1).ladders
    for name in ("a", "b"):
        await data.set_ladder(name, None, LADDER)
    await data.change("a", [FieldChange(stored.COUNTS, b"1", b"damaged")])
    waiting = replacing(stored.WAITING, "alpha", None, WaitingBot("hash", "ada", 1, "a dead replica"))
    await data.change("b", [waiting, FieldChange(stored.REPLICAS, b"a dead replica", b"damaged")])
    await service.look()
    assert not await data.waiting("b"), "its leader has removed a bot of a dead replica"
