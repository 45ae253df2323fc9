"""Updates that are serialized once for all viewers with the same view never reach another viewer."""

from __future__ import annotations

import asyncio
import dataclasses
from contextlib import AsyncExitStack

import pytest
from msgspec.structs import replace

from skerry.v1 import service_pb2 as pb
from skerry_games.kreta import GAME as KRETA
from skerry_service.api.rendering import _LONG_UPDATE, Renderer, View, _entry_is_open
from skerry_service.domain.cooperative import CooperativeTask
from skerry_service.domain.log import Moved
from skerry_service.domain.record import Clock, ClockKind
from skerry_service.domain.tokens import Caller
from skerry_service.sessions.service import Sessions
from skerry_service.watching.feed import Feed
from skerry_service.watching.streams import StreamReader, Update
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock as WallClock
from tests.sessions.tables import move_once, sit_down

BANK = Clock(ClockKind.BANK, bank_ms=60_000)
FULL, NONE, SCENE = pb.POSITION_VIEW_FULL, pb.POSITION_VIEW_NONE, pb.POSITION_VIEW_SCENE


@pytest.fixture
def store() -> FaultyStore:
    return FaultyStore()


@pytest.fixture
def sessions(store: FaultyStore) -> Sessions:
    return Sessions(store, clock_ms=WallClock())


async def receive(renderer: Renderer, reading: StreamReader, view: View = FULL) -> pb.ObserveResponse:
    update = reading.read()
    return pb.ObserveResponse.FromString((await renderer.render_update(update, reading.caller, view)).serialized())


@pytest.mark.parametrize("first", [FULL, NONE])
async def test_only_a_viewer_that_requests_positions_receives_them(sessions: Sessions, first: View) -> None:
    sitting, renderer = await sit_down(sessions, KRETA, 2), Renderer(sessions)
    for _ in range(10):
        await move_once(sessions, sitting)
    messages, second = {}, NONE if first == FULL else FULL
    async with sessions.reading(sitting.id, None, 0) as one, sessions.reading(sitting.id, None, 0) as other:
        for reading, view in ((one, first), (other, second)):
            messages[view] = await receive(renderer, reading, view)
    assert len(messages[NONE].entries) > _LONG_UPDATE, "otherwise the entries that each sees distinguish the viewers"
    assert {view: message.HasField("position") for view, message in messages.items()} == {FULL: True, NONE: False}
    await sessions.close()


async def test_a_new_reader_receives_the_session_where_others_receive_only_the_entries(sessions: Sessions) -> None:
    sitting, renderer = await sit_down(sessions, KRETA, 2), Renderer(sessions)
    async with sessions.reading(sitting.id, None, None) as follows:
        before = await receive(renderer, follows)
        await move_once(sessions, sitting)
        after = await receive(renderer, follows)
        async with sessions.reading(sitting.id, None, before.sequence) as begins:
            first = await receive(renderer, begins)
    assert list(first.entries) == list(after.entries)
    assert (after.HasField("session"), first.HasField("session")) == (False, True)
    await sessions.close()


async def test_clocks_are_read_when_the_update_is_rendered(sessions: Sessions, store: FaultyStore) -> None:
    sitting, renderer = await sit_down(sessions, KRETA, 2, clock=BANK), Renderer(sessions)
    async with sessions.reading(sitting.id, None, None) as early, sessions.reading(sitting.id, None, None) as late:
        first = await receive(renderer, early)
        store.now_ms += 7_000
        second = await receive(renderer, late)
    assert second.clocks.server_time_ms - first.clocks.server_time_ms == 7_000
    await sessions.close()


async def test_a_heartbeat_reports_a_new_epoch(sessions: Sessions, store: FaultyStore) -> None:
    sitting, renderer = await sit_down(sessions, KRETA, 2), Renderer(sessions)
    async with sessions.reading(sitting.id, None, None) as reading:
        assert (await receive(renderer, reading)).epoch == "first"
        before = await receive(renderer, reading)
        store.restart_from(store.copy_of(sitting.id))
        assert isinstance(reading.feed, Feed)
        await reading.feed.verify()
        after = await receive(renderer, reading)
    assert [(one.heartbeat, one.epoch) for one in (before, after)] == [(True, "first"), (True, "after first")]
    await sessions.close()


async def test_an_entry_with_a_hidden_move_is_not_open_even_if_its_events_are(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    table = await move_once(sessions, sitting)
    hides = replace(table, game=dataclasses.replace(KRETA, show_move=lambda move, actor, viewer: None))
    _, _, log = await sessions.replay(sitting.id, None)
    moved = [one for one in log if isinstance(one.entry, Moved)]
    assert [_entry_is_open(table, one) for one in moved] == [True] * len(moved)
    assert [_entry_is_open(hides, one) for one in moved] == [False] * len(moved)
    await sessions.close()


async def test_only_a_reader_that_has_a_position_receives_changes_of_its_scene(sessions: Sessions) -> None:
    sitting, renderer = await sit_down(sessions, KRETA, 2), Renderer(sessions)
    async with sessions.reading(sitting.id, None, None) as follows:
        before = await receive(renderer, follows, SCENE)
        await move_once(sessions, sitting)
        after = await receive(renderer, follows, SCENE)
        async with sessions.reading(sitting.id, None, before.sequence) as begins:
            first = await receive(renderer, begins, SCENE)
    framed = [[bool(entry.moved.frames) for entry in message.entries] for message in (first, after)]
    assert framed == [[False] * len(first.entries), [True] * len(first.entries)]
    assert [bool(message.position.scene.areas) for message in (before, first, after)] == [True, True, False]
    await sessions.close()


async def test_also_if_both_receive_the_session(sessions: Sessions) -> None:
    sitting, renderer = await sit_down(sessions, KRETA, 2), Renderer(sessions)
    async with sessions.reading(sitting.id, None, None) as follows:
        before = await receive(renderer, follows, SCENE)
        await sessions.players.leave(sitting.id, sitting.seats[0], None)
        async with sessions.reading(sitting.id, None, before.sequence) as begins:
            first, after = [await receive(renderer, one, SCENE) for one in (begins, follows)]
    assert [message.HasField("session") for message in (first, after)] == [True, True]
    assert [bool(message.position.scene.areas) for message in (first, after)] == [True, False]
    await sessions.close()


async def test_each_seat_receives_a_scene_of_its_own(sessions: Sessions) -> None:
    sitting, renderer = await sit_down(sessions, KRETA, 2), Renderer(sessions)
    async with (
        sessions.reading(sitting.id, sitting.seats[0], None) as ada,
        sessions.reading(sitting.id, sitting.seats[1], None) as bob,
    ):
        for reader in (ada, bob):
            await receive(renderer, reader, SCENE)
        await move_once(sessions, sitting)
        received = [await receive(renderer, reader, SCENE) for reader in (ada, bob)]
    assert [message.position.seat for message in received] == [0, 1]
    await sessions.close()


def busy() -> CooperativeTask[None]:
    """A cooperative task of several slices."""
    for _ in range(100_000):
        yield


async def test_readers_that_come_while_a_message_is_rendered_wait_for_it(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting, renderer, rendered = await sit_down(sessions, KRETA, 2), Renderer(sessions), list[View]()
    parts = Renderer._parts

    async def counted(self: Renderer, update: Update, caller: Caller, view: View) -> tuple[bytes, ...]:
        rendered.append(view)
        return await parts(self, update, caller, view)

    monkeypatch.setattr(Renderer, "_parts", counted)
    async with AsyncExitStack() as stack:
        readers = [await stack.enter_async_context(sessions.reading(sitting.id, None, None)) for _ in range(20)]
        for reading in readers:
            await receive(renderer, reading, SCENE)
        await move_once(sessions, sitting)
        rendered.clear()
        long = asyncio.create_task(sessions.tasks.run(busy()))
        gone = asyncio.create_task(receive(renderer, readers[0], SCENE))
        others = [asyncio.create_task(receive(renderer, one, SCENE)) for one in readers[1:]]
        await asyncio.sleep(0)
        gone.cancel()  # the first hangs up while it renders
        messages = await asyncio.gather(*others)
        await long
    assert all(message.entries and message == messages[0] for message in messages)
    assert len(rendered) == 2
    await sessions.close()
