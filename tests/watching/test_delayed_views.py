"""Delayed games: without a seat or host token, callers see nothing that is newer than the delay."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from skerry_games.kreta import GAME as KRETA
from skerry_games.tenerife import GAME as TENERIFE
from skerry_service.domain.delay import shown_until
from skerry_service.domain.errors import (
    AlreadyStarted,
    GameOver,
    NotFinished,
    SequenceAhead,
    TokenMissing,
)
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.packed import head_of
from skerry_service.domain.record import (
    AbandonmentPolicy,
    Delay,
    Occupant,
    Phase,
    Record,
    Spectating,
    TimeoutAction,
    UndoPolicy,
)
from skerry_service.domain.table import OPEN, Table
from skerry_service.replays.ruleset_check import first_difference
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.service import Sessions
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, Sitting, begin, live, log_of, move_once, play_out, sit_down, stored
from tests.tiers import one_and_deep
from tests.watching.stream_readers import Reader, observe

AT_ONCE = SessionLimits(uptime_skew_seconds=0.01)
BY_THREE = Delay(entries=3)
A_MINUTE = Delay(ms=60_000)
BEGUN = 4
"""The entry that starts a game for two."""


async def seen(sessions: Sessions, sitting: Sitting, token: str | None = None) -> Table:
    return (await sessions.get(sitting.id, token))[0]


async def move(sessions: Sessions, sitting: Sitting, moves: int = 1) -> int:
    """Make moves as the seats see them. Return the sequence."""
    for number in range(moves):
        table = await live(sessions, sitting)
        seat = table.to_act[0]
        legal = table.game.legal_moves(table.state, seat)
        one = await sessions.moves.seated(sitting.id, sitting.seats[seat])
        await sessions.moves.act(one, legal[number % len(legal)], table.sequence, None)
    return (await live(sessions, sitting)).sequence


async def finish(sessions: Sessions, sitting: Sitting) -> Table:
    while (await live(sessions, sitting)).to_act:
        await move(sessions, sitting)
    return await live(sessions, sitting)


async def test_a_delay_in_entries_ends_with_the_game(sessions: Sessions, another: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2, delay=BY_THREE)
    sequence = (await live(sessions, sitting)).sequence
    for _ in range(12):
        expected = max(BEGUN, sequence - 3)
        for replica in (sessions, another):
            for token in (None, sitting.spectator):
                shown = await seen(replica, sitting, token)
                assert shown.sequence == expected
                assert (await replica.past(sitting.id, sitting.seats[0], expected))[2].state == shown.state
            for token in (*sitting.seats, sitting.host):
                assert (await seen(replica, sitting, token)).sequence == sequence
        sequence = await move(sessions, sitting)
    last = await finish(sessions, sitting)
    assert await seen(another, sitting) == last


async def test_a_delay_in_time_shows_each_entry_when_it_is_due(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, delay=A_MINUTE)
    ages: dict[int, int] = {}
    for _ in range(5):
        store.now_ms += 10_000
        ages[await move(sessions, sitting)] = store.now_ms
    assert (await seen(sessions, sitting)).sequence == BEGUN
    for sequence, uptime_ms in ages.items():
        store.now_ms = uptime_ms + 59_999
        assert (await seen(sessions, sitting)).sequence < sequence
        store.now_ms += 1
        assert (await seen(sessions, sitting)).sequence == sequence
    last = await finish(sessions, sitting)
    assert (await seen(sessions, sitting)).record.phase is Phase.PLAYING
    store.now_ms += 60_000
    assert await seen(sessions, sitting) == last


async def test_a_lobby_is_not_delayed(sessions: Sessions) -> None:
    for delay in (BY_THREE, A_MINUTE):
        asked = NewSession(game=KRETA, options=KRETA.options_type(), seats=(OPEN, OPEN), delay=delay)
        table, *_ = await sessions.create(asked, None)
        joined, *_ = await sessions.players.join(table.record.id, "Ada", None, None)
        assert (await sessions.get(table.record.id, None))[0] == joined


async def test_a_cancelled_lobby_is_shown_as_over_and_cannot_be_joined(sessions: Sessions) -> None:
    sitting = await begin(sessions, KRETA, OPEN, OPEN, delay=A_MINUTE)
    await sessions.host.cancel(sitting.id, sitting.host, None)
    assert (await seen(sessions, sitting)).record.phase is Phase.CANCELLED
    with pytest.raises(GameOver):
        await sessions.players.join(sitting.id, "Ada", None, None)


@pytest.mark.parametrize("delay", one_and_deep([BY_THREE, A_MINUTE]))
async def test_delayed_streams_reach_the_end(
    sessions: Sessions, another: Sessions, store: FaultyStore, delay: Delay
) -> None:
    sitting = await sit_down(sessions, KRETA, 2, delay=delay)
    readers = [Reader(observe(replica, sitting.id, None, 0)) for replica in (sessions, another)]
    player = Reader(observe(another, sitting.id, sitting.seats[1], 0))
    for reader in readers:
        await reader.reaches(BEGUN)
    reached = await move(sessions, sitting, 6)
    await player.reaches(reached)
    distant = reached - 3 if delay.entries else BEGUN
    if delay.entries:
        for reader in readers:
            await reader.reaches(distant)
    assert [reader.sequences for reader in readers] == [list(range(1, distant + 1))] * 2
    last = await finish(sessions, sitting)
    await player.ends()
    store.now_ms += 60_000
    for replica in (sessions, another):  # new readers see the whole game; open streams wake by themselves
        await Reader(observe(replica, sitting.id, None, 0)).ends()
    late = Reader(observe(sessions, sitting.id, None, 0))
    await late.ends()
    assert late.sequences == player.sequences == list(range(1, last.sequence + 1))
    for reader in readers:
        await reader.stop()


@pytest.mark.parametrize("delay", [BY_THREE, A_MINUTE])
async def test_a_move_taken_back_is_shown_with_the_delay_and_so_is_its_undo(
    sessions: Sessions, another: Sessions, store: FaultyStore, delay: Delay
) -> None:
    sitting = await sit_down(sessions, TENERIFE, 2, delay=delay, undo=UndoPolicy.OWN_MOVES)
    reader = Reader(observe(another, sitting.id, None, 0))
    table, seat = await live(sessions, sitting), 0
    begun, ages = table.sequence, dict[int, int]()
    for undone in (False, True, False, False, True):
        store.now_ms += 10_000
        if undone:
            table = (await sessions.players.undo(sitting.id, sitting.seats[seat], table.sequence, None))[0].table
        else:
            seat = table.to_act[0]
            table = await move_once(sessions, sitting, table.sequence)
        ages[table.sequence] = store.now_ms
        await shows(sessions, sitting, max(BEGUN, table.sequence - 3) if delay.entries else BEGUN)
    reached = table.sequence - 3 if delay.entries else BEGUN
    await reader.reaches(reached)
    assert reader.sequences == list(range(1, reached + 1))
    for sequence, uptime_ms in ages.items() if delay.ms else ():
        store.now_ms = uptime_ms + delay.ms - 1
        await shows(sessions, sitting, max(begun, sequence - 1))
        store.now_ms += 1
        await shows(sessions, sitting, sequence)
    await reader.stop()


async def shows(sessions: Sessions, sitting: Sitting, sequence: int) -> None:
    """Assert that spectators see the position after that entry."""
    shown = await seen(sessions, sitting)
    expected = (await sessions.past(sitting.id, sitting.seats[0], sequence))[2]
    assert (shown.sequence, shown.state) == (sequence, expected.state)


async def test_a_delayed_stream_wakes_when_an_entry_is_due(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, delay=Delay(ms=20))
    reader = Reader(observe(sessions, sitting.id, None, 0))
    await reader.reaches(BEGUN)
    reached = await move(sessions, sitting)
    store.now_ms += 20
    await reader.reaches(reached)
    await reader.stop()


async def test_a_delayed_stream_resumes_at_a_replica_whose_uptime_lags(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    """After a crash, or at a replica that has just started."""
    sitting = await sit_down(sessions, KRETA, 2, delay=A_MINUTE)
    reached = await move(sessions, sitting)
    store.now_ms += 60_000
    reader = Reader(observe(sessions, sitting.id, None, 0))
    await reader.reaches(reached)
    await reader.stop()
    store.now_ms -= 100
    assert (await seen(another, sitting)).sequence == BEGUN
    again = Reader(observe(another, sitting.id, None, reached))
    await asyncio.sleep(0.02)
    store.now_ms += 100
    assert (await again.has(1)).table.sequence == reached
    assert again.sequences == []
    await again.stop()


async def test_errors_do_not_reveal_delayed_entries(store: FaultyStore) -> None:
    sessions = Sessions(store, clock_ms=Clock(), limits=AT_ONCE)
    sitting = await sit_down(sessions, KRETA, 2, delay=A_MINUTE)
    reached = await move(sessions, sitting, 4)
    for token in (None, sitting.spectator):
        for sequence in (BEGUN + 1, reached, reached + 10):
            with pytest.raises(SequenceAhead) as ahead:
                await sessions.past(sitting.id, token, sequence)
            assert ahead.value.metadata["sequence"] == f"{BEGUN}"
            with pytest.raises(SequenceAhead) as ahead:
                await anext(observe(sessions, sitting.id, token, sequence))
            assert ahead.value.metadata["sequence"] == f"{BEGUN}"
    await finish(sessions, sitting)
    with pytest.raises(AlreadyStarted):
        await sessions.players.join(sitting.id, "Eve", None, None)
    with pytest.raises(NotFinished):
        await sessions.rematches.fork(sitting.id, None, BEGUN, terms, None)
    await sessions.rematches.fork(sitting.id, sitting.seats[0], BEGUN, terms, None)


def terms(game: Any, options: Any) -> NewSession:
    return NewSession(game=game, options=options, seats=(OPEN, OPEN))


async def test_an_end_that_is_not_shown_yet_does_not_admit_uninvited_spectators(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, KRETA, 2, delay=A_MINUTE, spectating=Spectating.INVITED)
    await finish(sessions, sitting)
    with pytest.raises(TokenMissing):
        await sessions.replay(sitting.id, None)
    with pytest.raises(TokenMissing):
        await anext(observe(sessions, sitting.id, None, 0))
    assert (await sessions.replay(sitting.id, sitting.spectator))[0].sequence == BEGUN
    store.now_ms += 60_000
    assert (await sessions.replay(sitting.id, None))[0].record.over


async def test_a_list_shows_a_delayed_game_as_it_began(sessions: Sessions, store: FaultyStore) -> None:
    abandonment = AbandonmentPolicy(on_resignation=TimeoutAction.END)
    sitting = await sit_down(sessions, KRETA, 3, delay=A_MINUTE, abandonment=abandonment)
    begun = (await live(sessions, sitting)).record
    await move(sessions, sitting, 3)
    await sessions.players.leave(sitting.id, sitting.seats[2], None)
    await sessions.host.open_seat(sitting.id, sitting.host, 2, None)
    await sessions.players.join(sitting.id, "Eve", None, None)

    async def listed() -> tuple[Record, int]:
        (one,) = (await sessions.public(None, 10, lambda _: True)).sessions
        return one

    await sessions.players.resign(sitting.id, sitting.seats[0], None)
    record, sequence = await listed()
    assert (record.phase, record.outcome, record.seats, sequence) == (Phase.PLAYING, None, begun.seats, 0)
    assert [one.name for one in record.seats] == ["Ada", "Bob", "Cyd"]
    store.now_ms += 60_000
    record, sequence = await listed()
    assert (record.phase, record.seats[2].name) == (Phase.FINISHED, "Eve")
    assert sequence == (await seen(sessions, sitting)).sequence


async def test_seats_are_shown_with_the_delay(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 3, delay=A_MINUTE)
    await sessions.players.leave(sitting.id, sitting.seats[1], None)
    assert [one.occupant for one in (await seen(sessions, sitting)).record.seats] == [Occupant.PLAYER] * 3
    store.now_ms += 60_000
    assert (await seen(sessions, sitting)).record.seats[1].occupant is Occupant.BOT


async def test_a_delayed_session_replays_to_its_head(sessions: Sessions, store: FaultyStore) -> None:
    for delay in (BY_THREE, A_MINUTE):
        sitting = await sit_down(sessions, KRETA, 2, delay=delay)
        await move(sessions, sitting, 5)
        table = await live(sessions, sitting)
        assert table == await stored(store, sitting.id) == (await log_of(store, sitting.id))[-1].table
        assert first_difference(head_of(table), await store.batches(sitting.id, 0)) is None


async def test_a_session_without_a_delay_stores_no_times(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    await move_once(sessions, sitting)
    assert all(change.batch.uptime_ms == 0 for change in await log_of(store, sitting.id))
    assert (await stored(store, sitting.id)).record.seats_at_start == ()
    assert (await play_out(sessions, sitting)).record.over


async def test_a_delayed_stream_reports_lost_entries(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, delay=BY_THREE)
    backup = store.copy_of(sitting.id)
    reached = await move(sessions, sitting, 8)
    reader = Reader(observe(sessions, sitting.id, None, 0))
    await reader.reaches(reached - 3)
    store.restart_from(backup)
    store.tell(sitting.id, None)
    with pytest.raises(SequenceAhead):
        await asyncio.wait_for(reader.ends(), 10)


@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(0, 50)), min_size=1, max_size=12),
    st.integers(1, 10),
    st.integers(1, 60),
    st.integers(0, 100),
    st.booleans(),
)
@settings(max_examples=200)
def test_every_visible_entry_is_at_least_as_old_as_the_delay(
    batches: list[tuple[int, int]], entries: int, ms: int, late: int, over: bool
) -> None:
    ends, last, age = [], 0, 0
    for size, passed in batches:
        last, age = last + size, age + passed
        ends.append((last, age))
    record = RECORD if not over else replace(RECORD, phase=Phase.FINISHED)
    started, now = 1, age + late
    shown, due = shown_until(replace(record, delay=Delay(entries=entries)), started, ends, now)
    assert (shown, due) == (last if over else max(started, last - entries), None)
    shown, due = shown_until(replace(record, delay=Delay(ms=ms)), started, ends, now)
    assert shown == max([started, *(end for end, stored_ms in ends if stored_ms <= now - ms)])
    assert (due is None) == (shown == last)
    if due is not None:
        later, _ = shown_until(replace(record, delay=Delay(ms=ms)), started, ends, now + due)
        sooner, _ = shown_until(replace(record, delay=Delay(ms=ms)), started, ends, now + due - 1)
        assert later > shown == sooner


RECORD = Record(
    id="a" * 16,
    game="kreta",
    ruleset=KRETA.ruleset,
    options=b"",
    phase=Phase.PLAYING,
    seats=(OPEN, OPEN),
    visibility=1,  # type: ignore[arg-type]
    spectating=Spectating.ANYONE,
    seed=b"",
    seeded=False,
    salt=b"",
    host_token=b"",
    spectator_token=b"",
    created_ms=0,
    request=b"",
)
