"""Clocks of players: what a decision costs, and what happens when time is up, once, wherever it is noticed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry_games.api import CHANCE_ACTS
from skerry_games.kreta import GAME as KRETA
from skerry_service.sessions.clocks import (
    MOST_ALLOWANCE_MS,
    Arrival,
    Clocks,
    after_move,
    allowance,
    begin,
    next_looks,
    stored,
)
from skerry_service.sessions.errors import (
    NotAllowed,
    NotYourTurn,
    StaleSequence,
    StoreUnavailable,
    SubstitutePlays,
    TimeUp,
)
from skerry_service.sessions.log import Joined, Lapsed, Moved, Started, TimedMove
from skerry_service.sessions.lookout import Lookout
from skerry_service.sessions.record import Cause, Clock, ClockKind, Leavers, Occupant, Phase, Remedy
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.table import BOT, OPEN, Change, Table
from skerry_service.sessions.worker import Worker
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock as WallClock
from tests.sessions.tables import Sitting, log_of, nth_move, sit_down, uuid
from tests.sessions.tables import begin as create
from tests.sessions.tables import stored as stored_table

MINUTE = 60_000
PER_MOVE = Clock(ClockKind.PER_MOVE, grace_ms=30_000)
BANK = Clock(ClockKind.BANK, bank_ms=3 * MINUTE, increment_ms=2_000)
GRACE = Clock(ClockKind.BANK_WITH_GRACE, bank_ms=3 * MINUTE, grace_ms=10_000)
DAYS = Clock(ClockKind.CORRESPONDENCE, grace_ms=3 * 24 * 60 * MINUTE)
LATE = MOST_ALLOWANCE_MS + 1


async def now(sessions: Sessions, sitting: Sitting) -> Table:
    return (await sessions.get(sitting.id, None))[0]


async def act(
    sessions: Sessions, sitting: Sitting, seat: int, sent_ms: int | None = None, request: int | None = None
) -> Table:
    table = await now(sessions, sitting)
    one = await sessions.seated(sitting.id, sitting.seats[seat])
    by = None if request is None else uuid(request)
    return (await sessions.act(one, nth_move(table, seat, 0), table.sequence, by, sent_ms))[0].table


async def look(sessions: Sessions) -> None:
    await Lookout(sessions, Worker(sessions, {})).look()


async def lapses(store: FaultyStore, sitting: Sitting) -> list[Lapsed]:
    told = [one.entry for change in await log_of(store, sitting.id) for one in change.applied]
    return [one for one in told if isinstance(one, Lapsed)]


# ---------------------------------------------------------------- what a decision costs


async def test_a_seat_is_charged_from_its_turn_to_its_act_less_the_allowance(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, KRETA, 2, clock=BANK)
    table = await now(sessions, sitting)
    (seat,) = table.to_act
    assert table.clocks[seat].deadline_ms == store.age_ms + 3 * MINUTE
    assert table.clocks[1 - seat].deadline_ms is None
    store.age_ms += 5_000
    sent = store.age_ms - 120
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
        store.age_ms += 4_000
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
    store.age_ms += 7_000
    table = await act(sessions, sitting, 0)
    assert (table.clocks[0].left_ms, table.clocks[0].deadline_ms) == (3 * MINUTE - 5_000, None)
    assert table.clocks[1].deadline_ms == store.age_ms - 7_000 + 3 * MINUTE


async def test_bots_and_substitutes_are_not_timed(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await create(sessions, KRETA, OPEN, BOT, OPEN, clock=BANK, leavers=Leavers(level="slow"))
    for name in ("Ada", "Bob"):
        sitting.seats.append((await sessions.join(sitting.id, name, None, None))[2])
    table = await now(sessions, sitting)
    (seat,) = table.to_act
    store.age_ms += 10_000
    token = sitting.seats[0 if seat == 0 else 1]
    left = await sessions.leave(sitting.id, token, None)
    assert (left.to_act, left.clocks[seat].deadline_ms) == ((seat,), None)
    assert left.clocks[seat].left_ms == 3 * MINUTE - 10_000, "who goes in the middle of a turn has used what has passed"
    store.age_ms += 10 * MINUTE
    await look(sessions)
    assert await lapses(store, sitting) == []
    back = await sessions.come_back(sitting.id, token, None)
    assert back.clocks[seat].deadline_ms == store.age_ms + 3 * MINUTE - 10_000


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
        await look(replica)
        table = await now(replica, sitting)
        await act(replica, sitting, table.to_act[0])
        await replica.close()
    assert await lapses(store, sitting) == []
    moves = [one.entry for change in await log_of(store, sitting.id) for one in change.applied]
    assert {one.charged_ms for one in moves if isinstance(one, TimedMove)} == {0}


async def test_a_session_without_a_clock_stores_no_times(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    table = await now(sessions, sitting)
    await act(sessions, sitting, table.to_act[0], sent_ms=5)
    changes = await log_of(store, sitting.id)
    assert all(change.batch.age_ms == 0 and change.table.clocks == () for change in changes)
    assert not any(isinstance(one.entry, TimedMove) for change in changes for one in change.applied)
    assert await sessions.timed.to_look_at(10, 1) == []


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
        began, available = table.age_ms, table.clocks[seat].left_ms + table.clocks[seat].grace_ms
        store.age_ms += thinks
        received = store.age_ms
        slow = store.delay(stores)
        try:
            with slow:
                after = await act(sessions, sitting, seat, received - travelled)
        except TimeUp:
            assert received - began - min(max(travelled, 0), MOST_ALLOWANCE_MS) > available
            break
        entry = (await log_of(store, sitting.id))[-1].applied[0].entry
        assert isinstance(entry, TimedMove)
        assert entry.charged_ms + entry.allowance_ms == received - began
        assert 0 <= entry.allowance_ms <= MOST_ALLOWANCE_MS
        total += entry.charged_ms
        turns += seat not in after.to_act
    table = await now(sessions, sitting)
    if clock is BANK:
        assert sum(one.left_ms for one in table.clocks) == 3 * BANK.bank_ms + turns * BANK.increment_ms - total
    await sessions.close()


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 100_000)), max_size=20), st.integers(0, 1_000_000))
@settings(max_examples=200)
def test_no_deadline_comes_before_the_time_at_which_it_is_looked_for(moves: list[tuple[int, int]], passed: int) -> None:
    """So nothing need be noted when somebody moves: whoever looks again in time is in time for every later turn."""
    record = _Record(BANK)
    clocks: Clocks = stored(BANK, begin(BANK, 3), (0,), (0,), 0)
    age, actor = 0, 0
    at = min(next_looks(record, clocks, age))  # type: ignore[arg-type]
    for following, thinks in moves:
        deadline = clocks[actor].deadline_ms
        assert deadline is not None
        assert deadline + LATE >= at
        if age + thinks > deadline:
            return
        age += thinks
        clocks = after_move(BANK, clocks, actor, thinks, (following,), {0, 1, 2})
        clocks = stored(BANK, clocks, (following,), (following,), age)
        actor = following
        if age > at:
            at = min(next_looks(record, clocks, age))  # type: ignore[arg-type]


class _Record:
    """As much of a record as matters: three players."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.seats = tuple(_Seat() for _ in range(3))


class _Seat:
    token = b"token"
    is_open_in_play = False


def test_chance_in_the_middle_of_a_turn_does_not_end_it() -> None:
    clocks = stored(BANK, begin(BANK, 2), (0,), (0,), 0)
    drawing = after_move(BANK, clocks, 0, 1_000, CHANCE_ACTS, {0, 1})
    assert drawing[0].left_ms == 3 * MINUTE - 1_000
    assert after_move(BANK, drawing, -1, 0, (0,), {0, 1})[0] == drawing[0]
    assert after_move(BANK, drawing, -1, 0, (1,), {0, 1})[0].left_ms == 3 * MINUTE + 1_000


# ---------------------------------------------------------------- time is up


@pytest.mark.parametrize("remedy", list(Remedy))
async def test_when_time_is_up_the_session_does_what_it_says_with_its_reason(
    sessions: Sessions, store: FaultyStore, remedy: Remedy
) -> None:
    clock = Clock(ClockKind.PER_MOVE, grace_ms=30_000, on_expiry=remedy)
    sitting = await sit_down(sessions, KRETA, 3, clock=clock)
    (seat,) = (await now(sessions, sitting)).to_act
    store.age_ms += 30_000 + LATE - 1
    await look(sessions)
    assert await lapses(store, sitting) == []
    store.age_ms += 1_000
    await look(sessions)
    assert await lapses(store, sitting) == [Lapsed(seat, Cause.OUT_OF_TIME)]
    table = await now(sessions, sitting)
    change = (await log_of(store, sitting.id))[-1]
    moved = [one.entry for one in change.applied if isinstance(one.entry, Moved) and one.entry.actor == seat]
    assert table == change.table == await stored_table(store, sitting.id)
    if remedy is Remedy.END:
        outcome = table.record.outcome
        assert outcome is not None
        assert (outcome.ranks[seat], outcome.reason) == (
            max(outcome.ranks),
            f"{table.record.names[seat]} ran out of time.",
        )
        assert await sessions.timed.to_look_at(10, 1) == []
        return
    assert moved
    assert all(one.automatic for one in moved)
    assert seat not in table.to_act
    sits = Occupant.PLAYER if remedy is Remedy.MOVE else Occupant.BOT
    assert table.record.seats[seat].occupant is sits
    assert table.clocks[table.to_act[0]].deadline_ms == store.age_ms + 30_000
    if remedy is Remedy.SUBSTITUTE:
        back = await sessions.come_back(sitting.id, sitting.seats[seat], None)
        assert back.record.seats[seat].occupant is Occupant.PLAYER


async def test_a_move_that_comes_too_late_is_refused_even_where_nobody_has_noticed(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, KRETA, 2, clock=PER_MOVE)
    (seat,) = (await now(sessions, sitting)).to_act
    store.age_ms += 30_001
    with pytest.raises(TimeUp):
        await act(sessions, sitting, seat)
    assert (await act(sessions, sitting, seat, sent_ms=store.age_ms - 1)).clocks[seat].left_ms == 0


async def test_a_seat_without_any_time_is_not_taken_back_and_a_newcomer_has_a_bank(
    sessions: Sessions, store: FaultyStore
) -> None:
    clock = Clock(ClockKind.BANK, bank_ms=MINUTE)
    sitting = await sit_down(sessions, KRETA, 3, clock=clock)
    (seat,) = (await now(sessions, sitting)).to_act
    store.age_ms += MINUTE + LATE
    await look(sessions)
    with pytest.raises(NotAllowed):
        await sessions.come_back(sitting.id, sitting.seats[seat], None)
    await sessions.open_seat(sitting.id, sitting.host, seat, None)
    joined, _, _ = await sessions.join(sitting.id, "Eve", None, None)
    assert joined.clocks[seat].left_ms == MINUTE


async def test_the_move_that_arrives_as_the_flag_falls_stands_or_the_flag_does(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    found = set()
    for number in range(16):
        sitting = await sit_down(sessions, KRETA, 2, clock=PER_MOVE)
        table = await now(another, sitting)
        (seat,) = table.to_act
        one = await another.seated(sitting.id, sitting.seats[seat])
        store.age_ms += 30_000
        moves = asyncio.create_task(another.act(one, nth_move(table, seat, 0), table.sequence, uuid(number)))
        with store.held(last_first=number % 2 == 0):
            for _ in range(number % 4):
                await asyncio.sleep(0)  # the move is in time, and more or less on its way
            store.age_ms += LATE
            falls = asyncio.create_task(sessions.timed.look(table))
            for _ in range(4 + number // 4):
                await asyncio.sleep(0)
        made, _ = await asyncio.gather(moves, falls, return_exceptions=True)
        assert isinstance(made, tuple | TimeUp | SubstitutePlays | NotYourTurn | StaleSequence)
        changes = await log_of(store, sitting.id)
        decided = [one.entry for change in changes for one in change.applied if one.sequence > table.sequence]
        assert isinstance(decided[0], TimedMove if isinstance(made, tuple) else Lapsed)
        assert len([one for one in decided if isinstance(one, Lapsed)]) == (not isinstance(made, tuple))
        assert changes[-1].table == await stored_table(store, sitting.id)
        found.add(type(decided[0]))
    assert found == {TimedMove, Lapsed}


async def test_two_replicas_fire_one_deadline_once(sessions: Sessions, another: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 3, clock=PER_MOVE)
    table = await now(sessions, sitting)
    store.age_ms += MINUTE
    await asyncio.gather(*(replica.timed.look(table) for replica in (sessions, another) * 4))
    assert len(await lapses(store, sitting)) == 1


async def test_a_deadline_fires_after_all_replicas_were_down(store: FaultyStore) -> None:
    first = Sessions(store, clock_ms=WallClock())
    sitting = await sit_down(first, KRETA, 2, clock=PER_MOVE)
    await look(first)
    await first.close()
    second = Sessions(store, clock_ms=WallClock())
    await look(second)
    assert await lapses(store, sitting) == [], "nobody was charged meanwhile"
    store.age_ms += 30_000 + LATE
    await look(second)
    assert len(await lapses(store, sitting)) == 1
    await second.close()


async def test_every_deadline_of_a_game_is_found_though_moves_note_nothing(
    sessions: Sessions, store: FaultyStore
) -> None:
    """Players move at all paces; whoever stops, at whatever point, is found out within a look of the deadline."""
    for stops_after in range(0, 12, 2):
        sitting = await sit_down(sessions, KRETA, 2, clock=Clock(ClockKind.BANK, bank_ms=20_000, increment_ms=500))
        for step in range(stops_after):
            table = await now(sessions, sitting)
            store.age_ms += 400 * step
            await look(sessions)
            await act(sessions, sitting, table.to_act[0])
        table = await now(sessions, sitting)
        deadline = table.clocks[table.to_act[0]].deadline_ms
        assert deadline is not None
        while not await lapses(store, sitting):
            store.age_ms += 250
            await look(sessions)
        assert deadline < store.age_ms <= deadline + 1_000


async def test_a_clock_that_runs_for_days_keeps_its_session(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, clock=Clock(ClockKind.CORRESPONDENCE, grace_ms=30 * 86_400_000))
    assert store.lifetime_ms is not None
    assert store.lifetime_ms >= 37 * 86_400_000
    store.age_ms += 29 * 86_400_000
    await look(sessions)
    (seat,) = (await now(sessions, sitting)).to_act
    assert (await act(sessions, sitting, seat)).record.phase is Phase.PLAYING


def _entries(changes: list[Change]) -> list[Any]:
    return [one.entry for change in changes for one in change.applied]


async def test_time_begins_with_the_game_and_not_in_the_lobby(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await create(sessions, KRETA, OPEN, OPEN, clock=PER_MOVE)
    await sessions.join(sitting.id, "Ada", None, None)
    store.age_ms += 10 * MINUTE
    await look(sessions)
    table, _, _ = await sessions.join(sitting.id, "Bob", None, None)
    assert [one.deadline_ms for one in table.clocks if one.has_turn] == [store.age_ms + 30_000]
    assert [type(one) for one in _entries(await log_of(store, sitting.id))[:4]][1:] == [Joined, Joined, Started]
