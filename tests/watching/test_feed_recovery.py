"""What a feed does when the store is slow, unavailable, or has lost entries."""

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
    """A replica with a heartbeat every 10 ms."""
    replica = Sessions(store, clock_ms=Clock(), limits=SessionLimits(heartbeat_seconds=0.01))
    yield replica
    await replica.close()


@pytest.fixture
async def sitting(another: Sessions) -> Sitting:
    """A session that another replica serves."""
    return await sit_down(another, PAIRS, 3)


async def open_feed(store: FaultyStore, sitting: Sitting) -> Feed:
    feed = Feed(sitting.id, store, TaskRunner())
    await feed.opened()
    return feed


async def test_verifying_recovers_a_lost_notification(store: FaultyStore, another: Sessions, sitting: Sitting) -> None:
    feed = await open_feed(store, sitting)
    before = feed.table.sequence
    store.deaf = True
    after = await move_once(another, sitting)
    assert feed.table.sequence == before
    await feed.verify()
    assert feed.table == after
    assert [applied.sequence for applied in feed.after(before, losses=0)] == list(range(before + 1, after.sequence + 1))
    await feed.close()


async def test_a_heartbeat_delivers_entries_whose_notification_was_lost(
    store: FaultyStore, beating: Sessions, another: Sessions, sitting: Sitting
) -> None:
    reader = Reader(observe(beating, sitting.id, None, 0))
    await reader.has(1)
    store.deaf = True
    after = await move_once(another, sitting)
    await reader.reaches(after.sequence)
    assert reader.sequences == list(range(1, after.sequence + 1))
    await reader.stop()


async def test_a_gap_before_a_notification_makes_the_feed_read_the_log(
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


async def test_a_notification_of_possible_loss_makes_the_feed_read_the_log(
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


async def test_known_and_impossible_batches_change_nothing(
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


async def test_an_expected_change_becomes_visible_only_once_the_store_announces_it(
    store: FaultyStore, sitting: Sitting
) -> None:
    feed = await open_feed(store, sitting)
    before = feed.table
    change = transitions.act(before, 0, nth_move(before, 0, 0), before.sequence, now=Moment(7))
    feed.expect(change)
    assert (feed.table, len(feed.after(0, losses=0))) == (before, before.sequence)
    store.tell(sitting.id, change.packed)
    assert feed.table is change.table, "the expected table, not a replayed one"
    generation = feed.generation
    feed.push(change)
    store.tell(sitting.id, change.packed)
    assert (feed.generation, len(feed.after(0, losses=0))) == (generation, change.table.sequence), (
        "readers are not notified again"
    )
    await feed.close()


async def test_an_entry_that_was_lost_and_stored_again_is_sent_again(
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


async def test_a_reader_may_know_an_entry_before_the_feed_does(
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


async def test_heartbeats_continue_while_the_store_is_unavailable(
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


async def test_readers_of_an_expired_session_get_session_not_found(
    store: FaultyStore, beating: Sessions, sitting: Sitting
) -> None:
    reader = Reader(observe(beating, sitting.id, None, 0))
    await reader.has(1)
    store.end(sitting.id)
    with pytest.raises(SessionNotFound):
        await reader.ends()


async def test_a_reader_that_knows_lost_entries_gets_sequence_ahead(
    store: FaultyStore, beating: Sessions, another: Sessions, sitting: Sitting
) -> None:
    backup = store.copy_of(sitting.id)
    reader = Reader(observe(beating, sitting.id, None, 0))
    after = await move_once(another, sitting)
    await reader.reaches(after.sequence)
    store.restart_from(backup)
    with pytest.raises(SequenceAhead):
        await reader.ends()


async def test_a_reader_of_replaced_entries_learns_how_many_were_kept(
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


async def test_two_concurrent_reads_notice_one_loss_and_keep_the_newer_log(
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
    assert not store.read_gates, "it has read the log and waits"
    grown = await _lay(another, sitting, seat=1)
    await feed.catch_up()
    gate.set()
    await early
    assert (feed.table, len(feed.losses)) == (grown, 1)
    await feed.close()


async def test_a_restart_without_loss_changes_only_the_epoch(
    store: FaultyStore, beating: Sessions, another: Sessions, sitting: Sitting
) -> None:
    reader = Reader(observe(beating, sitting.id, None, 0))
    await reader.has(1)
    store.restart_from(store.copy_of(sitting.id))
    after = await move_once(another, sitting)
    assert (await reader.reaches(after.sequence)).epoch == "after first"
    assert reader.sequences == list(range(1, after.sequence + 1))
    await reader.stop()


async def test_no_replica_continues_from_lost_entries(
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


async def test_the_chained_hash_differs_for_logs_that_end_alike(
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


async def test_a_shared_update_is_not_reused_after_a_notification(
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


async def test_a_shared_update_is_not_reused_after_a_loss(
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


async def test_a_shared_update_is_not_reused_in_another_epoch(store: FaultyStore, sitting: Sitting) -> None:
    feed = await open_feed(store, sitting)
    one, two = _reading(feed), _reading(feed)
    assert one.read().epoch == "first"
    store.restart_from(store.copy_of(sitting.id))
    await feed.catch_up()
    assert two.read().epoch == "after first"
    await feed.close()


async def test_a_damaged_log_ends_only_its_own_readers(
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


async def test_an_error_wakes_readers_before_the_next_heartbeat(store: FaultyStore, sitting: Sitting) -> None:
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
async def test_a_log_that_does_not_lead_to_the_head_is_rejected(
    store: FaultyStore, another: Sessions, sitting: Sitting, left: int
) -> None:
    session = store._sessions[sitting.id]
    del session.batches[left:], session.lasts[left:]
    with pytest.raises(SessionDamaged):
        await another.replay(sitting.id, None)


def _reading(feed: Feed) -> StreamReader:
    """Return a spectator's reader after its first update."""
    reading = StreamReader(feed, None, None, lambda: False)
    assert reading.read().record_changed
    return reading


async def _lay(sessions: Sessions, sitting: Sitting, seat: int) -> Table:
    table, _ = await sessions.get(sitting.id, None)
    move = nth_move(table, seat, 0)
    mover = await sessions.moves.seated(sitting.id, sitting.seats[seat])
    return (await sessions.moves.act(mover, move, table.sequence, None))[0].table
