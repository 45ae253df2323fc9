"""Clocks of players: what a decision costs, and that what was charged adds up."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry_games.api import CHANCE_ACTS
from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.bot_decisions import due_decisions
from skerry_service.domain.clocks import (
    MAX_ALLOWANCE_MS,
    Arrival,
    Clocks,
    after_commit,
    after_move,
    allowance,
    initial_clocks,
    next_deadlines,
)
from skerry_service.domain.errors import (
    SeatTaken,
    StoreUnavailable,
    TimeUp,
)
from skerry_service.domain.log import TimedMove
from skerry_service.domain.record import AbandonmentPolicy, Clock, ClockKind, Occupant, SeatRecord
from skerry_service.domain.table import BOT, OPEN, Table
from skerry_service.sessions.service import Sessions
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock as WallClock
from tests.sessions.tables import Sitting, log_of, nth_move, sit_down
from tests.sessions.tables import begin as create
from tests.sessions.tables import stored as stored_table
from tests.store.schedules import due
from tests.timers.clocks import BANK, DAYS, GRACE, LATE, MINUTE, PER_MOVE, act, now, poll, timeouts_of

# ---------------------------------------------------------------- what a decision costs


async def test_a_seat_is_charged_from_its_turn_to_its_act_less_the_allowance(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, KRETA, 2, clock=BANK)
    table = await now(sessions, sitting)
    (seat,) = table.to_act
    assert table.clocks[seat].deadline_ms == store.now_ms + 3 * MINUTE
    assert table.clocks[1 - seat].deadline_ms is None
    store.now_ms += 5_000
    sent = store.now_ms - 120
    after = await act(sessions, sitting, seat, sent)
    entry = next(one.entry for one in (await log_of(store, sitting.id))[-1].applied)
    assert isinstance(entry, TimedMove)
    assert (entry.charged_ms, entry.allowance_ms) == (4_880, 120)
    gained = 0 if seat in after.to_act else 2_000
    assert after.clocks[seat].left_ms == 3 * MINUTE - 4_880 + gained
    assert after == await stored_table(store, sitting.id) == (await log_of(store, sitting.id))[-1].table


@pytest.mark.parametrize(("sent", "allowed"), [(-(10**9), 300), (-301, 300), (-300, 300), (0, 0), (50, 0), (10**12, 0)])
def test_the_allowance_is_capped_whatever_is_claimed(sent: int, allowed: int) -> None:
    assert allowance(60_000, Arrival(10**6, 10**6 + sent)) == allowed
    assert allowance(100, Arrival(10**6, 10**6 + sent)) == min(100, allowed)


async def test_a_turn_ends_when_somebody_else_is_to_decide(sessions: Sessions, store: FaultyStore) -> None:
    """So a turn of many small moves gets its increment, and its grace, once."""
    sitting = await sit_down(sessions, KRETA, 2, clock=Clock(ClockKind.BANK_WITH_GRACE, bank_ms=MINUTE, grace_ms=9_000))
    table, turns = await now(sessions, sitting), 0
    while turns < 8:
        (seat,) = table.to_act
        before = table.clocks[seat]
        store.now_ms += 4_000
        table = await act(sessions, sitting, seat)
        same_turn = seat in table.to_act
        turns += not same_turn
        spent = max(0, 4_000 - before.grace_ms)
        assert table.clocks[seat].left_ms == before.left_ms - spent
        assert table.clocks[seat].grace_ms == (max(0, before.grace_ms - 4_000) if same_turn else 9_000)


async def test_who_decides_at_once_is_timed_apart(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, PAIRS, 2, clock=BANK)
    table = await now(sessions, sitting)
    assert table.to_act == (0, 1)
    store.now_ms += 7_000
    table = await act(sessions, sitting, 0)
    assert (table.clocks[0].left_ms, table.clocks[0].deadline_ms) == (3 * MINUTE - 5_000, None)
    assert table.clocks[1].deadline_ms == store.now_ms - 7_000 + 3 * MINUTE


async def leave_in_turn(sessions: Sessions, store: FaultyStore, clock: Clock) -> tuple[Sitting, int, str]:
    """Have a player leave 10 s into a turn that a thinking substitute makes. Return the seat and its token, too."""
    sitting = await create(sessions, KRETA, OPEN, BOT, OPEN, clock=clock, abandonment=AbandonmentPolicy(level="slow"))
    for name in ("Ada", "Bob"):
        sitting.seats.append((await sessions.players.join(sitting.id, name, None, None))[2])
    (seat,) = (await now(sessions, sitting)).to_act
    store.now_ms += 10_000
    token = sitting.seats[0 if seat == 0 else 1]
    await sessions.players.leave(sitting.id, token, None)
    return sitting, seat, token


async def finish_turn(sessions: Sessions, sitting: Sitting, seat: int) -> Table:
    """Let the substitute make all decisions of its turn."""
    table = await now(sessions, sitting)
    while seat in table.to_act:
        due = next(one for one in due_decisions(table) if one.seat == seat)
        table = (await sessions.moves.decide(due, nth_move(table, seat, 0))).table
    return table


async def test_a_substitute_never_times_out(sessions: Sessions, store: FaultyStore) -> None:
    sitting, seat, _ = await leave_in_turn(sessions, store, BANK)
    table = await now(sessions, sitting)
    assert (table.to_act, table.clocks[seat].deadline_ms) == ((seat,), None)
    assert table.clocks[seat].left_ms == 3 * MINUTE - 10_000, "the player has used the time until leaving"
    store.now_ms += 10 * MINUTE
    await poll(sessions)
    assert await timeouts_of(store, sitting) == []


@pytest.mark.parametrize("clock", [PER_MOVE, BANK, GRACE])
async def test_a_decision_has_the_same_deadline_after_leaving_and_returning(
    sessions: Sessions, store: FaultyStore, clock: Clock
) -> None:
    sitting, seat, token = await leave_in_turn(sessions, store, clock)
    deadline = store.now_ms - 10_000 + clock.bank_ms + clock.grace_ms
    for _ in range(6):
        store.now_ms += 1_000
        back = await sessions.players.return_to_seat(sitting.id, token, None)
        assert back.clocks[seat].deadline_ms == deadline
        await sessions.players.leave(sitting.id, token, None)


async def test_a_player_whose_turn_has_run_out_returns_when_the_substitute_has_finished_it(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting, seat, token = await leave_in_turn(sessions, store, PER_MOVE)
    store.now_ms += 20_000
    with pytest.raises(TimeUp):
        await sessions.players.return_to_seat(sitting.id, token, None)
    await finish_turn(sessions, sitting, seat)
    back = await sessions.players.return_to_seat(sitting.id, token, None)
    assert (back.clocks[seat].grace_ms, back.clocks[seat].has_turn) == (30_000, False)


async def test_a_turn_that_a_substitute_finishes_brings_no_increment(sessions: Sessions, store: FaultyStore) -> None:
    sitting, seat, token = await leave_in_turn(sessions, store, BANK)
    await finish_turn(sessions, sitting, seat)
    back = await sessions.players.return_to_seat(sitting.id, token, None)
    assert back.clocks[seat].left_ms == 3 * MINUTE - 10_000


async def test_a_new_player_takes_an_opened_seat_between_the_turns_of_its_substitute(
    sessions: Sessions, store: FaultyStore
) -> None:
    """Otherwise a host who plays could open its own seat and take it again with a full bank."""
    sitting, seat, _ = await leave_in_turn(sessions, store, BANK)
    await sessions.host.open_seat(sitting.id, sitting.host, seat, None)
    with pytest.raises(SeatTaken, match="Join when the turn is over"):
        await sessions.players.join(sitting.id, "Eve", None, None)
    await finish_turn(sessions, sitting, seat)
    table, joined, _ = await sessions.players.join(sitting.id, "Eve", None, None)
    assert (joined, table.clocks[seat].left_ms) == (seat, 3 * MINUTE)


async def test_a_player_who_returns_to_a_paused_game_begins_the_turn_afresh(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await create(sessions, KRETA, OPEN, BOT, clock=PER_MOVE, abandonment=AbandonmentPolicy(level="slow"))
    token = (await sessions.players.join(sitting.id, "Ada", None, None))[2]
    store.now_ms += MINUTE
    await poll(sessions)
    assert (await now(sessions, sitting)).record.is_paused
    store.now_ms += MINUTE
    back = await sessions.players.return_to_seat(sitting.id, token, None)
    assert back.clocks[0].deadline_ms == store.now_ms + 30_000


async def test_the_time_of_a_decision_stands_still_while_the_game_is_paused(
    sessions: Sessions, store: FaultyStore
) -> None:
    """Ada leaves while she and Bob decide, Bob runs out of time, and both return much later."""
    sitting = await sit_down(sessions, PAIRS, 2, clock=GRACE, abandonment=AbandonmentPolicy(level="slow"))
    await act(sessions, sitting, 0)
    store.now_ms += 2 * MINUTE
    table = await act(sessions, sitting, 1)
    while table.to_act != (0, 1):
        table = await act(sessions, sitting, table.to_act[0])
    store.now_ms += 30_000
    await sessions.players.leave(sitting.id, sitting.seats[0], None)
    store.now_ms += MINUTE
    await poll(sessions)
    table = await now(sessions, sitting)
    assert (table.record.is_paused, table.clocks[0].return_until_ms) == (True, None)
    store.now_ms += 60 * MINUTE
    await sessions.players.return_to_seat(sitting.id, sitting.seats[1], None)
    store.now_ms += 1_000
    back = await sessions.players.return_to_seat(sitting.id, sitting.seats[0], None)
    assert back.clocks[0].deadline_ms == store.now_ms - 1_000 + GRACE.bank_ms + GRACE.grace_ms - MINUTE - 30_000
    assert (await log_of(store, sitting.id))[-1].table == await stored_table(store, sitting.id)


async def test_nobody_is_charged_while_the_service_or_its_store_is_away(sessions: Sessions, store: FaultyStore) -> None:
    """The age of the store stands still then, whatever wall clocks show."""
    sitting = await sit_down(sessions, KRETA, 2, clock=PER_MOVE)
    (seat,) = (await now(sessions, sitting)).to_act
    store.away = True
    with pytest.raises(StoreUnavailable):
        await act(sessions, sitting, seat)
    store.away = False
    yesterday, tomorrow = WallClock(), WallClock()
    yesterday.now -= 86_400_000
    tomorrow.now += 10 * 86_400_000
    for wall in (tomorrow, yesterday):
        replica = Sessions(store, clock_ms=wall)
        await poll(replica)
        table = await now(replica, sitting)
        await act(replica, sitting, table.to_act[0])
        await replica.close()
    assert await timeouts_of(store, sitting) == []
    moves = [one.entry for change in await log_of(store, sitting.id) for one in change.applied]
    assert {one.charged_ms for one in moves if isinstance(one, TimedMove)} == {0}


async def test_a_session_without_a_clock_stores_no_times(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    table = await now(sessions, sitting)
    await act(sessions, sitting, table.to_act[0], sent_ms=5)
    changes = await log_of(store, sitting.id)
    assert all(change.batch.uptime_ms == 0 and change.table.clocks == () for change in changes)
    assert not any(isinstance(one.entry, TimedMove) for change in changes for one in change.applied)
    assert await due(store) == []


# ---------------------------------------------------------------- sums

STEPS = st.lists(st.tuples(st.integers(0, 40_000), st.integers(-1_000, 1_000), st.integers(0, 2_000)), max_size=8)


@given(STEPS, st.sampled_from([PER_MOVE, BANK, GRACE, DAYS]))
@settings(max_examples=30, deadline=None)
def test_what_is_charged_and_allowed_adds_up_to_the_time_that_has_passed(
    steps: list[tuple[int, int, int]], clock: Clock
) -> None:
    asyncio.run(_adds_up(steps, clock))


async def _adds_up(steps: list[tuple[int, int, int]], clock: Clock) -> None:
    """Each step: how long somebody thinks, when they say that they sent the move, how long it takes to be stored."""
    store = FaultyStore()
    sessions = Sessions(store, clock_ms=WallClock())
    sitting = await sit_down(sessions, KRETA, 3, clock=clock)
    total, turns = 0, 0
    for thinks, travelled, stores in steps:
        table = await now(sessions, sitting)
        (seat,) = table.to_act
        began, available = table.uptime_ms, table.clocks[seat].left_ms + table.clocks[seat].grace_ms
        store.now_ms += thinks
        received = store.now_ms
        slow = store.delay(stores)
        try:
            with slow:
                after = await act(sessions, sitting, seat, received - travelled)
        except TimeUp:
            assert received - began - min(max(travelled, 0), MAX_ALLOWANCE_MS) > available
            break
        entry = (await log_of(store, sitting.id))[-1].applied[0].entry
        assert isinstance(entry, TimedMove)
        assert entry.charged_ms + entry.allowance_ms == received - began
        assert 0 <= entry.allowance_ms <= MAX_ALLOWANCE_MS
        total += entry.charged_ms
        turns += seat not in after.to_act
    table = await now(sessions, sitting)
    if clock is BANK:
        assert sum(one.left_ms for one in table.clocks) == 3 * BANK.bank_ms + turns * BANK.increment_ms - total
    await sessions.close()


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 100_000)), max_size=20), st.integers(0, 1_000_000))
@settings(max_examples=200)
def test_no_deadline_comes_before_the_time_at_which_it_is_looked_for(moves: list[tuple[int, int]], passed: int) -> None:
    """So a move needs no new timer: a replica that polls in time is in time for every later turn."""
    record = _Record(BANK)
    clocks: Clocks = after_commit(BANK, initial_clocks(BANK, 3), (0,), (0,), 0)
    age, actor = 0, 0
    at = min(next_deadlines(record, clocks, age))  # type: ignore[arg-type]
    for following, thinks in moves:
        deadline = clocks[actor].deadline_ms
        assert deadline is not None
        assert deadline + LATE >= at
        if age + thinks > deadline:
            return
        age += thinks
        clocks = after_move(BANK, clocks, actor, thinks, (following,), {0, 1, 2})
        clocks = after_commit(BANK, clocks, (following,), (following,), age)
        actor = following
        if age > at:
            at = min(next_deadlines(record, clocks, age))  # type: ignore[arg-type]


class _Record:
    """As much of a record as matters: three players."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.seats = (SeatRecord(Occupant.PLAYER, token=b"token"),) * 3


def test_chance_in_the_middle_of_a_turn_does_not_end_it() -> None:
    clocks = after_commit(BANK, initial_clocks(BANK, 2), (0,), (0,), 0)
    drawing = after_move(BANK, clocks, 0, 1_000, CHANCE_ACTS, {0, 1})
    assert drawing[0].left_ms == 3 * MINUTE - 1_000
    assert after_move(BANK, drawing, -1, 0, (0,), {0, 1})[0] == drawing[0]
    assert after_move(BANK, drawing, -1, 0, (1,), {0, 1})[0].left_ms == 3 * MINUTE + 1_000
