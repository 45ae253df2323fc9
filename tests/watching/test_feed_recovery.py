"""What a feed does when the store is late, away, or not what it was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from skerry_service.domain import transitions
from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import SequenceAhead, SessionDamaged, SessionNotFound, StoreUnavailable
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.log import Batch, Left, pack
from skerry_service.domain.table import Table
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.task_runner import TaskRunner
from skerry_service.watching.feed import Feed
from skerry_service.watching.streams import StreamReader
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, Sitting, log_of, move_once, nth_move, sit_down, stored
from tests.watching.stream_readers import PATIENCE, Reader, observe


@pytest.fixture
async def beating(store: FaultyStore) -> AsyncIterator[Sessions]:
    """A replica whose heart beats all the time."""
    replica = Sessions(store, clock_ms=Clock(), limits=SessionLimits(heartbeat_seconds=0.01))
    yield replica
    await replica.close()


@pytest.fixture
async def sitting(another: Sessions) -> Sitting:
    """A session that another replica plays."""
    return await sit_down(another, PAIRS, 3)


async def open_feed(store: FaultyStore, sitting: Sitting) -> Feed:
    feed = Feed(sitting.id, store, TaskRunner())
    await feed.opened()
    return feed


async def test_a_lost_notification_is_healed_by_a_look_at_the_log(
    store: FaultyStore, another: Sessions, sitting: Sitting
) -> None:
    feed = await open_feed(store, sitting)
    before = feed.table.sequence
    store.deaf = True
    after = await move_once(another, sitting)
    assert feed.table.sequence == before
    await feed.verify()
    assert feed.table == after
    assert [applied.sequence for applied in feed.after(before, losses=0)] == list(range(before + 1, after.sequence + 1))
    await feed.close()


async def test_a_reader_gets_by_a_heartbeat_what_it_was_not_told(
    store: FaultyStore, beating: Sessions, another: Sessions, sitting: Sitting
) -> None:
    reader = Reader(observe(beating, sitting.id, None, 0))
    await reader.has(1)
    store.deaf = True
    after = await move_once(another, sitting)
    await reader.reaches(after.sequence)
    assert reader.sequences == list(range(1, after.sequence + 1))
    await reader.stop()


async def test_a_notification_ahead_of_the_log_makes_the_feed_read_what_lies_between(
    store: FaultyStore, sessions: Sessions, another: Sessions, sitting: Sitting
) -> None:
    reader = Reader(observe(sessions, sitting.id, None, 0))
    await reader.has(1)
    store.deaf = True
    await move_once(another, sitting)
    store.deaf = False
    after = await move_once(another, sitting)
    await reader.reaches(after.sequence)
    assert reader.sequences == list(range(1, after.sequence + 1))
    await reader.stop()


async def test_a_call_to_look_again_makes_the_feed_read(
    store: FaultyStore, sessions: Sessions, another: Sessions, sitting: Sitting
) -> None:
    reader = Reader(observe(sessions, sitting.id, None, 0))
    await reader.has(1)
    store.deaf = True
    after = await move_once(another, sitting)
    store.deaf = False
    store.tell(sitting.id, None)
    await reader.reaches(after.sequence)
    await reader.stop()


async def test_batches_that_are_known_or_impossible_change_nothing(
    store: FaultyStore, another: Sessions, sitting: Sitting
) -> None:
    feed = await open_feed(store, sitting)
    table = feed.table
    for batch in await store.batches(sitting.id, 0):
        store.tell(sitting.id, batch)
    store.tell(sitting.id, pack(Batch(10**6, 1, (Left(0),), b"")))
    await feed.verify()
    assert (feed.table, len(feed.after(0, losses=0))) == (table, table.sequence)
    await feed.close()


async def test_what_is_about_to_be_committed_is_known_when_the_store_tells_of_it_and_not_before(
    store: FaultyStore, sitting: Sitting
) -> None:
    feed = await open_feed(store, sitting)
    before = feed.table
    change = transitions.act(before, 0, nth_move(before, 0, 0), before.sequence, now=Moment(7))
    feed.expect(change)
    assert (feed.table, len(feed.after(0, losses=0))) == (before, before.sequence)
    store.tell(sitting.id, change.packed)
    assert feed.table is change.table, "taken over, not carried out again"
    rung = feed.generation
    feed.push(change)
    store.tell(sitting.id, change.packed)
    assert (feed.generation, len(feed.after(0, losses=0))) == (rung, change.table.sequence), (
        "nobody is woken for it again"
    )
    await feed.close()


async def test_an_entry_that_was_lost_and_is_stored_again_is_told_again(
    store: FaultyStore, another: Sessions, sitting: Sitting
) -> None:
    backup = store.copy_of(sitting.id)
    feed = await open_feed(store, sitting)
    before, after = feed.table, await move_once(another, sitting)
    packed = (await store.batches(sitting.id, before.sequence))[0]
    store.restart_from(backup)
    await feed.catch_up()
    assert (feed.table, len(feed.losses)) == (before, 1)
    store.tell(sitting.id, packed)
    assert (feed.table, len(feed.after(0, losses=1))) == (after, after.sequence)
    await feed.close()


async def test_who_heard_of_an_entry_elsewhere_is_not_told_that_it_lies_ahead(
    store: FaultyStore, sessions: Sessions, another: Sessions, sitting: Sitting
) -> None:
    early = Reader(observe(sessions, sitting.id, None, 0))
    await early.has(1)
    store.deaf = True
    after = await move_once(another, sitting)
    late = Reader(observe(sessions, sitting.id, None, after.sequence))
    assert (await late.has(1)).table == after
    await early.stop()
    await late.stop()


async def test_heartbeats_go_on_while_the_store_is_away(
    store: FaultyStore, beating: Sessions, another: Sessions, sitting: Sitting
) -> None:
    reader = Reader(observe(beating, sitting.id, None, 0))
    await reader.has(1)
    store.away = True
    store.tell(sitting.id, None)
    assert (await reader.has(4)).heartbeat
    with pytest.raises(StoreUnavailable):
        await anext(observe(beating, sitting.id, None, 0))
    store.away = False
    after = await move_once(another, sitting)
    await reader.reaches(after.sequence)
    await reader.stop()


async def test_readers_of_a_session_that_has_ended_are_told_so(
    store: FaultyStore, beating: Sessions, sitting: Sitting
) -> None:
    reader = Reader(observe(beating, sitting.id, None, 0))
    await reader.has(1)
    store.end(sitting.id)
    with pytest.raises(SessionNotFound):
        await reader.ends()


async def test_a_reader_that_knows_lost_entries_is_told_that_they_are_gone(
    store: FaultyStore, beating: Sessions, another: Sessions, sitting: Sitting
) -> None:
    backup = store.copy_of(sitting.id)
    reader = Reader(observe(beating, sitting.id, None, 0))
    after = await move_once(another, sitting)
    await reader.reaches(after.sequence)
    store.restart_from(backup)
    with pytest.raises(SequenceAhead):
        await reader.ends()


async def test_a_reader_of_entries_that_others_replaced_is_told_how_much_was_kept(
    store: FaultyStore, beating: Sessions, another: Sessions, sitting: Sitting
) -> None:
    backup, kept = store.copy_of(sitting.id), await stored(store, sitting.id)
    reader = Reader(observe(beating, sitting.id, None, 0))
    lost = await _lay(another, sitting, seat=0)
    assert (await reader.reaches(lost.sequence)).epoch == "first"
    store.restart_from(backup)
    grown = await _lay(another, sitting, seat=1)
    assert grown.sequence == lost.sequence
    with pytest.raises(SequenceAhead) as ahead:
        await reader.ends()
    assert ahead.value.metadata == {"sequence": str(kept.sequence)}
    again = Reader(observe(beating, sitting.id, None, kept.sequence))
    assert ((await again.has(1)).table, again.updates[0].epoch) == (grown, "after first")
    await again.stop()


async def test_two_who_read_a_log_anew_at_once_notice_one_loss_and_keep_what_was_read_last(
    store: FaultyStore, another: Sessions, sitting: Sitting
) -> None:
    backup = store.copy_of(sitting.id)
    await move_once(another, sitting)
    feed = await open_feed(store, sitting)
    store.restart_from(backup)
    store.deaf = True
    store.read_gates = [asyncio.Event()]
    gate = store.read_gates[0]
    early = asyncio.create_task(feed.catch_up())
    for _ in range(10):
        await asyncio.sleep(0)
    assert not store.read_gates, "it has read, and waits"
    grown = await _lay(another, sitting, seat=1)
    await feed.catch_up()
    gate.set()
    await early
    assert (feed.table, len(feed.losses)) == (grown, 1)
    await feed.close()


async def test_a_restart_that_lost_nothing_is_told_by_the_epoch_alone(
    store: FaultyStore, beating: Sessions, another: Sessions, sitting: Sitting
) -> None:
    reader = Reader(observe(beating, sitting.id, None, 0))
    await reader.has(1)
    store.restart_from(store.copy_of(sitting.id))
    after = await move_once(another, sitting)
    assert (await reader.reaches(after.sequence)).epoch == "after first"
    assert reader.sequences == list(range(1, after.sequence + 1))
    await reader.stop()


async def test_no_replica_goes_on_from_entries_that_were_lost(
    store: FaultyStore, sessions: Sessions, another: Sessions, sitting: Sitting
) -> None:
    backup = store.copy_of(sitting.id)
    lost = await _lay(sessions, sitting, seat=0)
    store.restart_from(backup)
    grown = await _lay(another, sitting, seat=1)
    assert (grown.sequence, grown.state) != (lost.sequence, lost.state)
    assert (await sessions.get(sitting.id, None))[0] == grown
    after = await _lay(sessions, sitting, seat=2)
    assert (await log_of(store, sitting.id))[-1].table == after == await stored(store, sitting.id)
    assert after.to_act == (0,)


async def test_the_mark_of_a_log_tells_logs_apart_that_end_alike(
    store: FaultyStore, another: Sessions, sitting: Sitting
) -> None:
    table = await stored(store, sitting.id)
    ends = []
    for first in (0, 1):
        one = transitions.act(table, first, nth_move(table, first, 0), table.sequence, now=Moment(7)).table
        two = transitions.act(one, 1 - first, nth_move(one, 1 - first, 0), table.sequence, now=Moment(7)).table
        ends.append(transitions.act(two, 2, nth_move(two, 2, 0), table.sequence, now=Moment(7)))
    assert ends[0].batch.entries == ends[1].batch.entries
    assert ends[0].table.state == ends[1].table.state
    assert ends[0].table.chained_hash != ends[1].table.chained_hash


async def test_what_one_reader_was_given_is_given_to_no_other_once_it_rings(
    store: FaultyStore, another: Sessions, sitting: Sitting
) -> None:
    feed = await open_feed(store, sitting)
    one, two = _reading(feed), _reading(feed)
    before = one.read()
    assert (before.heartbeat, two.read() is before) == (True, True)
    after = await move_once(another, sitting)
    new = one.read()
    assert [applied.sequence for applied in new.applied] == [*range(before.table.sequence + 1, after.sequence + 1)]
    assert two.read() is new
    await feed.close()


async def test_what_one_reader_was_given_is_not_given_to_one_that_has_been_told_what_was_lost(
    store: FaultyStore, another: Sessions, sitting: Sitting
) -> None:
    backup, feed = store.copy_of(sitting.id), await open_feed(store, sitting)
    lost = await _lay(another, sitting, seat=0)
    before = _reading(feed)
    store.restart_from(backup)
    assert await _lay(another, sitting, seat=1) != lost
    await feed.catch_up()
    assert _reading(feed).read().table.sequence == lost.sequence
    with pytest.raises(SequenceAhead):
        before.read()
    await feed.close()


async def test_what_one_reader_was_given_is_given_to_no_other_under_another_epoch(
    store: FaultyStore, sitting: Sitting
) -> None:
    feed = await open_feed(store, sitting)
    one, two = _reading(feed), _reading(feed)
    assert one.read().epoch == "first"
    store.restart_from(store.copy_of(sitting.id))
    await feed.catch_up()
    assert two.read().epoch == "after first"
    await feed.close()


async def test_what_cannot_be_followed_ends_its_readers_and_nobody_elses(
    store: FaultyStore, beating: Sessions, another: Sessions, sitting: Sitting
) -> None:
    healthy = await sit_down(another, PAIRS, 2)
    broken, other = Reader(observe(beating, sitting.id, None, 0)), Reader(observe(beating, healthy.id, None, 0))
    await broken.has(1)
    broken_session = store._sessions[sitting.id]
    broken_session.head = replace(broken_session.head, chained_hash=b"of another log")
    broken_session.batches[:] = [b"no batch at all"] * 2
    with pytest.raises(SessionDamaged):
        await broken.ends()
    beats = len(other.updates)
    assert (await other.has(beats + 3)).heartbeat
    await other.stop()


async def test_readers_are_woken_by_what_ends_them_and_do_not_wait_for_the_next_heartbeat(
    store: FaultyStore, sitting: Sitting
) -> None:
    feed = await open_feed(store, sitting)
    woken = feed.wait(feed.generation)
    store.end(sitting.id)
    store.tell(sitting.id, None)
    async with asyncio.timeout(PATIENCE):
        await woken
    with pytest.raises(SessionNotFound):
        feed.require_sound()
    await feed.close()


@pytest.mark.parametrize("left", [0, 1])
async def test_a_log_that_does_not_lead_to_the_head_is_refused(
    store: FaultyStore, another: Sessions, sitting: Sitting, left: int
) -> None:
    session = store._sessions[sitting.id]
    del session.batches[left:], session.lasts[left:]
    with pytest.raises(SessionDamaged):
        await another.replay(sitting.id, None)


def _reading(feed: Feed) -> StreamReader:
    """Return a reader without a seat that has been told of the session."""
    reading = StreamReader(feed, None, None, lambda: False)
    assert reading.read().record_changed
    return reading


async def _lay(sessions: Sessions, sitting: Sitting, seat: int) -> Table:
    table, _ = await sessions.get(sitting.id, None)
    move = nth_move(table, seat, 0)
    return (await sessions.act(await sessions.seated(sitting.id, sitting.seats[seat]), move, table.sequence, None))[
        0
    ].table
