"""What is written once for all readers who are told the same: nobody else is told it."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace

from skerry.v1 import service_pb2 as pb
from skerry_games.kreta import GAME as KRETA
from skerry_service.api.rendering import _LONG_UPDATE, Renderer, View, _entry_is_open
from skerry_service.domain.log import Moved
from skerry_service.domain.record import Clock, ClockKind
from skerry_service.sessions.service import Sessions
from skerry_service.watching.feed import Feed
from skerry_service.watching.streams import StreamReader
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock as WallClock
from tests.sessions.tables import move_once, sit_down

BANK = Clock(ClockKind.BANK, bank_ms=60_000)
FULL, NONE = pb.POSITION_VIEW_FULL, pb.POSITION_VIEW_NONE


@pytest.fixture
def store() -> FaultyStore:
    return FaultyStore()


@pytest.fixture
def sessions(store: FaultyStore) -> Sessions:
    return Sessions(store, clock_ms=WallClock())


async def told(teller: Renderer, reading: StreamReader, view: View = FULL) -> pb.ObserveResponse:
    update = reading.read()
    return pb.ObserveResponse.FromString((await teller.render_update(update, reading.caller, view)).serialized())


@pytest.mark.parametrize("first", [FULL, NONE])
async def test_a_position_is_told_to_those_who_ask_for_it(sessions: Sessions, first: View) -> None:
    sitting, teller = await sit_down(sessions, KRETA, 2), Renderer(sessions)
    for _ in range(10):
        await move_once(sessions, sitting)
    messages, second = {}, NONE if first == FULL else FULL
    async with sessions.reading(sitting.id, None, 0) as one, sessions.reading(sitting.id, None, 0) as other:
        for reading, view in ((one, first), (other, second)):
            messages[view] = await told(teller, reading, view)
    assert len(messages[NONE].entries) > _LONG_UPDATE, "else what each sees of the entries tells them apart"
    assert {view: message.HasField("position") for view, message in messages.items()} == {FULL: True, NONE: False}
    await sessions.close()


async def test_who_begins_to_follow_is_told_the_session_where_others_read_on(sessions: Sessions) -> None:
    sitting, teller = await sit_down(sessions, KRETA, 2), Renderer(sessions)
    async with sessions.reading(sitting.id, None, None) as follows:
        before = await told(teller, follows)
        await move_once(sessions, sitting)
        after = await told(teller, follows)
        async with sessions.reading(sitting.id, None, before.sequence) as begins:
            first = await told(teller, begins)
    assert list(first.entries) == list(after.entries)
    assert (after.HasField("session"), first.HasField("session")) == (False, True)
    await sessions.close()


async def test_clocks_are_told_as_they_stand_when_they_are_told(sessions: Sessions, store: FaultyStore) -> None:
    sitting, teller = await sit_down(sessions, KRETA, 2, clock=BANK), Renderer(sessions)
    async with sessions.reading(sitting.id, None, None) as early, sessions.reading(sitting.id, None, None) as late:
        first = await told(teller, early)
        store.now_ms += 7_000
        second = await told(teller, late)
    assert second.clocks.server_time_ms - first.clocks.server_time_ms == 7_000
    await sessions.close()


async def test_a_heartbeat_tells_of_an_epoch_that_has_begun_since_the_last_one(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting, teller = await sit_down(sessions, KRETA, 2), Renderer(sessions)
    async with sessions.reading(sitting.id, None, None) as reading:
        assert (await told(teller, reading)).epoch == "first"
        before = await told(teller, reading)
        store.restart_from(store.copy_of(sitting.id))
        assert isinstance(reading.feed, Feed)
        await reading.feed.verify()
        after = await told(teller, reading)
    assert [(one.heartbeat, one.epoch) for one in (before, after)] == [(True, "first"), (True, "after first")]
    await sessions.close()


async def test_an_entry_whose_move_is_hidden_is_not_open_though_all_that_it_brought_is(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    table = await move_once(sessions, sitting)
    hides = replace(table, game=dataclasses.replace(KRETA, show_move=lambda move, actor, viewer: None))
    _, _, log = await sessions.replay(sitting.id, None)
    moved = [one for one in log if isinstance(one.entry, Moved)]
    assert [_entry_is_open(table, one) for one in moved] == [True] * len(moved)
    assert [_entry_is_open(hides, one) for one in moved] == [False] * len(moved)
    await sessions.close()
