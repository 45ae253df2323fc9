"""When time is up: what the session says is done, once, wherever it is noticed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.errors import (
    NotAllowed,
    NotYourTurn,
    StaleSequence,
    StoreFull,
    SubstitutePlays,
    TimeUp,
)
from skerry_service.domain.log import Joined, Moved, Started, TimedMove, TimedOut
from skerry_service.domain.record import Cause, Clock, ClockKind, Occupant, Phase, TimeoutAction
from skerry_service.domain.table import OPEN, Change
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import Commit, CommitResult
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock as WallClock
from tests.sessions.tables import begin as create
from tests.sessions.tables import log_of, nth_move, sit_down, uuid
from tests.sessions.tables import stored as stored_table
from tests.timers.clocks import LATE, MINUTE, PER_MOVE, act, lapses, look, now


@pytest.mark.parametrize("remedy", list(TimeoutAction))
async def test_when_time_is_up_the_session_does_what_it_says_with_its_reason(
    sessions: Sessions, store: FaultyStore, remedy: TimeoutAction
) -> None:
    clock = Clock(ClockKind.PER_MOVE, grace_ms=30_000, on_expiry=remedy)
    sitting = await sit_down(sessions, KRETA, 3, clock=clock)
    (seat,) = (await now(sessions, sitting)).to_act
    store.now_ms += 30_000 + LATE - 1
    await look(sessions)
    assert await lapses(store, sitting) == []
    store.now_ms += 1_000
    await look(sessions)
    assert await lapses(store, sitting) == [TimedOut(seat, Cause.OUT_OF_TIME)]
    table = await now(sessions, sitting)
    change = (await log_of(store, sitting.id))[-1]
    moved = [one.entry for one in change.applied if isinstance(one.entry, Moved) and one.entry.actor == seat]
    assert table == change.table == await stored_table(store, sitting.id)
    if remedy is TimeoutAction.END:
        outcome = table.record.outcome
        assert outcome is not None
        assert (outcome.ranks[seat], outcome.reason) == (
            max(outcome.ranks),
            f"{table.record.names[seat]} ran out of time.",
        )
        assert await sessions.timeouts.claim_due(10, 1) == []
        return
    assert moved
    assert all(one.automatic for one in moved)
    assert seat not in table.to_act
    sits = Occupant.PLAYER if remedy is TimeoutAction.MOVE else Occupant.BOT
    assert table.record.seats[seat].occupant is sits
    assert table.clocks[table.to_act[0]].deadline_ms == store.now_ms + 30_000
    if remedy is TimeoutAction.SUBSTITUTE:
        back = await sessions.players.return_to_seat(sitting.id, sitting.seats[seat], None)
        assert back.record.seats[seat].occupant is Occupant.PLAYER


async def test_a_move_that_comes_too_late_is_refused_even_where_nobody_has_noticed(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, KRETA, 2, clock=PER_MOVE)
    (seat,) = (await now(sessions, sitting)).to_act
    store.now_ms += 30_001
    with pytest.raises(TimeUp):
        await act(sessions, sitting, seat)
    table, one = await now(sessions, sitting), await sessions.seated(sitting.id, sitting.seats[seat])
    with pytest.raises(TimeUp):
        await sessions.check(one, nth_move(table, seat, 0), table.sequence)
    assert await sessions.check(one, nth_move(table, seat, 0), table.sequence, store.now_ms - 1) == table
    assert (await act(sessions, sitting, seat, sent_ms=store.now_ms - 1)).clocks[seat].left_ms == 0


async def test_a_seat_without_any_time_is_not_taken_back_and_a_newcomer_has_a_bank(
    sessions: Sessions, store: FaultyStore
) -> None:
    clock = Clock(ClockKind.BANK, bank_ms=MINUTE)
    sitting = await sit_down(sessions, KRETA, 3, clock=clock)
    (seat,) = (await now(sessions, sitting)).to_act
    store.now_ms += MINUTE + LATE
    await look(sessions)
    with pytest.raises(NotAllowed):
        await sessions.players.return_to_seat(sitting.id, sitting.seats[seat], None)
    await sessions.host.open_seat(sitting.id, sitting.host, seat, None)
    joined, _, _ = await sessions.players.join(sitting.id, "Eve", None, None)
    assert joined.clocks[seat].left_ms == MINUTE


async def test_a_table_at_which_time_matters_to_nobody_is_not_looked_at_again(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    assert await sessions.timeouts.apply_due(await now(sessions, sitting)) is None


@pytest.mark.parametrize(("increment_ms", "waits_ms"), [(0, MINUTE), (5_000, 5_000)])
async def test_where_a_seat_has_no_time_left_the_table_is_looked_at_when_another_or_a_return_can_make_it_due(
    sessions: Sessions, store: FaultyStore, increment_ms: int, waits_ms: int
) -> None:
    sitting = await sit_down(sessions, KRETA, 3, clock=Clock(ClockKind.BANK, bank_ms=MINUTE, increment_ms=increment_ms))
    (seat,) = (await now(sessions, sitting)).to_act
    store.now_ms += MINUTE + LATE
    await look(sessions)
    assert await sessions.timeouts.apply_due(await now(sessions, sitting)) == waits_ms + LATE
    others = sorted({0, 1, 2} - {seat})
    for other in others if increment_ms else others[1:]:  # bots play a game on to which nobody can come back
        await sessions.players.leave(sitting.id, sitting.seats[other], None)
    assert await sessions.timeouts.apply_due(await now(sessions, sitting)) == waits_ms + LATE
    await sessions.host.open_seat(sitting.id, sitting.host, seat, None)
    assert await sessions.timeouts.apply_due(await now(sessions, sitting)) == MINUTE + LATE


@pytest.mark.parametrize(
    ("clock", "phase"), [(Clock(ClockKind.BANK, bank_ms=MINUTE), Phase.FINISHED), (PER_MOVE, Phase.PLAYING)]
)
async def test_a_game_whose_players_are_all_out_of_time_waits_for_them_only_if_they_can_come_back(
    sessions: Sessions, store: FaultyStore, clock: Clock, phase: Phase
) -> None:
    sitting = await sit_down(sessions, KRETA, 2, clock=clock)
    for _ in sitting.seats:
        store.now_ms += MINUTE + LATE
        await look(sessions)
    assert len(await lapses(store, sitting)) == 2
    assert (await now(sessions, sitting)).record.phase is phase


async def test_the_move_that_arrives_as_the_flag_falls_stands_or_the_flag_does(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    found = set()
    for number in range(16):
        sitting = await sit_down(sessions, KRETA, 2, clock=PER_MOVE)
        table = await now(another, sitting)
        (seat,) = table.to_act
        one = await another.seated(sitting.id, sitting.seats[seat])
        store.now_ms += 30_000
        moves = asyncio.create_task(another.act(one, nth_move(table, seat, 0), table.sequence, uuid(number)))
        with store.held(last_first=number % 2 == 0):
            for _ in range(number % 4):
                await asyncio.sleep(0)  # the move is in time, and more or less on its way
            store.now_ms += LATE
            falls = asyncio.create_task(sessions.timeouts.apply_due(table))
            for _ in range(4 + number // 4):
                await asyncio.sleep(0)
        made, _ = await asyncio.gather(moves, falls, return_exceptions=True)
        assert isinstance(made, tuple | TimeUp | SubstitutePlays | NotYourTurn | StaleSequence)
        changes = await log_of(store, sitting.id)
        decided = [one.entry for change in changes for one in change.applied if one.sequence > table.sequence]
        assert isinstance(decided[0], TimedMove if isinstance(made, tuple) else TimedOut)
        assert len([one for one in decided if isinstance(one, TimedOut)]) == (not isinstance(made, tuple))
        assert changes[-1].table == await stored_table(store, sitting.id)
        found.add(type(decided[0]))
    assert found == {TimedMove, TimedOut}


async def test_two_replicas_fire_one_deadline_once(sessions: Sessions, another: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 3, clock=PER_MOVE)
    table = await now(sessions, sitting)
    store.now_ms += MINUTE
    await asyncio.gather(*(replica.timeouts.apply_due(table) for replica in (sessions, another) * 4))
    assert len(await lapses(store, sitting)) == 1


async def test_a_deadline_fires_after_all_replicas_were_down(store: FaultyStore) -> None:
    first = Sessions(store, clock_ms=WallClock())
    sitting = await sit_down(first, KRETA, 2, clock=PER_MOVE)
    await look(first)
    await first.close()
    second = Sessions(store, clock_ms=WallClock())
    await look(second)
    assert await lapses(store, sitting) == [], "nobody was charged meanwhile"
    store.now_ms += 30_000 + LATE
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
            store.now_ms += 400 * step
            await look(sessions)
            await act(sessions, sitting, table.to_act[0])
        table = await now(sessions, sitting)
        deadline = table.clocks[table.to_act[0]].deadline_ms
        assert deadline is not None
        while not await lapses(store, sitting):
            store.now_ms += 250
            await look(sessions)
        assert deadline < store.now_ms <= deadline + 1_000


async def test_a_clock_that_runs_for_days_keeps_its_session(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, clock=Clock(ClockKind.CORRESPONDENCE, grace_ms=30 * 86_400_000))
    assert store.lifetime_ms is not None
    assert store.lifetime_ms >= 37 * 86_400_000
    store.now_ms += 29 * 86_400_000
    await look(sessions)
    (seat,) = (await now(sessions, sitting)).to_act
    assert (await act(sessions, sitting, seat)).record.phase is Phase.PLAYING


def _entries(changes: list[Change]) -> list[Any]:
    return [one.entry for change in changes for one in change.applied]


async def test_time_begins_with_the_game_and_not_in_the_lobby(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await create(sessions, KRETA, OPEN, OPEN, clock=PER_MOVE)
    await sessions.players.join(sitting.id, "Ada", None, None)
    store.now_ms += 10 * MINUTE
    await look(sessions)
    table, _, _ = await sessions.players.join(sitting.id, "Bob", None, None)
    assert [one.deadline_ms for one in table.clocks if one.has_turn] == [store.now_ms + 30_000]
    assert [type(one) for one in _entries(await log_of(store, sitting.id))[:4]][1:] == [Joined, Joined, Started]


async def test_who_looks_before_a_game_is_stored_neither_fails_nor_lets_its_first_deadline_pass(
    sessions: Sessions,
    another: Sessions,
    store: FaultyStore,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    commit = store.commit

    async def looked_at_before(session: str, change: Commit) -> CommitResult:
        await look(another)
        return await commit(session, change)

    monkeypatch.setattr(store, "commit", looked_at_before)
    sitting = await sit_down(sessions, KRETA, 2, clock=Clock(ClockKind.PER_MOVE, grace_ms=1_000))
    store.now_ms += 1_000 + LATE
    await look(sessions)
    assert len(await lapses(store, sitting)) == 1
    assert caplog.records == []


async def test_a_lobby_whose_last_seat_could_not_be_stored_is_left_alone(
    sessions: Sessions, store: FaultyStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def full(session: str, change: Commit) -> CommitResult:
        raise StoreFull

    sitting = await create(sessions, KRETA, OPEN, OPEN, clock=PER_MOVE)
    await sessions.players.join(sitting.id, "Ada", None, None)
    with monkeypatch.context() as patched:
        patched.setattr(store, "commit", full)
        with pytest.raises(StoreFull):
            await sessions.players.join(sitting.id, "Bob", None, None)
    store.now_ms += MINUTE
    await look(sessions)
    assert caplog.records == []
    await sessions.players.join(sitting.id, "Bob", None, None)
    store.now_ms += 30_000 + LATE
    await look(sessions)
    assert len(await lapses(store, sitting)) == 1
