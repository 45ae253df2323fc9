"""When time is up, the timeout action of the session is applied once, whichever replica notices."""

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
from tests.store.schedules import due
from tests.timers.clocks import LATE, MINUTE, PER_MOVE, act, now, poll, timeouts_of


@pytest.mark.parametrize("action", list(TimeoutAction))
async def test_a_timeout_applies_the_timeout_action_of_the_session(
    sessions: Sessions, store: FaultyStore, action: TimeoutAction
) -> None:
    clock = Clock(ClockKind.PER_MOVE, grace_ms=30_000, on_expiry=action)
    sitting = await sit_down(sessions, KRETA, 3, clock=clock)
    (seat,) = (await now(sessions, sitting)).to_act
    store.now_ms += 30_000 + LATE - 1
    await poll(sessions)
    assert await timeouts_of(store, sitting) == []
    store.now_ms += 1_000
    await poll(sessions)
    assert await timeouts_of(store, sitting) == [TimedOut(seat, Cause.OUT_OF_TIME)]
    table = await now(sessions, sitting)
    change = (await log_of(store, sitting.id))[-1]
    moved = [one.entry for one in change.applied if isinstance(one.entry, Moved) and one.entry.actor == seat]
    assert table == change.table == await stored_table(store, sitting.id)
    if action is TimeoutAction.END:
        outcome = table.record.outcome
        assert outcome is not None
        assert (outcome.ranks[seat], outcome.reason) == (
            max(outcome.ranks),
            f"{table.record.names[seat]} ran out of time.",
        )
        assert await due(store) == []
        return
    assert moved
    assert all(one.automatic for one in moved)
    assert seat not in table.to_act
    sits = Occupant.PLAYER if action is TimeoutAction.MOVE else Occupant.BOT
    assert table.record.seats[seat].occupant is sits
    assert table.clocks[table.to_act[0]].deadline_ms == store.now_ms + 30_000
    if action is TimeoutAction.SUBSTITUTE:
        back = await sessions.players.return_to_seat(sitting.id, sitting.seats[seat], None)
        assert back.record.seats[seat].occupant is Occupant.PLAYER


async def test_a_late_move_is_rejected_before_the_timeout_is_stored(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, clock=PER_MOVE)
    (seat,) = (await now(sessions, sitting)).to_act
    store.now_ms += 30_001
    with pytest.raises(TimeUp):
        await act(sessions, sitting, seat)
    table, one = await now(sessions, sitting), await sessions.moves.seated(sitting.id, sitting.seats[seat])
    with pytest.raises(TimeUp):
        await sessions.moves.check(one, nth_move(table, seat, 0), table.sequence)
    assert await sessions.moves.check(one, nth_move(table, seat, 0), table.sequence, store.now_ms - 1) == table
    assert (await act(sessions, sitting, seat, sent_ms=store.now_ms - 1)).clocks[seat].left_ms == 0


async def test_a_player_without_time_cannot_return_and_a_new_player_gets_a_full_bank(
    sessions: Sessions, store: FaultyStore
) -> None:
    clock = Clock(ClockKind.BANK, bank_ms=MINUTE)
    sitting = await sit_down(sessions, KRETA, 3, clock=clock)
    (seat,) = (await now(sessions, sitting)).to_act
    store.now_ms += MINUTE + LATE
    await poll(sessions)
    with pytest.raises(NotAllowed):
        await sessions.players.return_to_seat(sitting.id, sitting.seats[seat], None)
    await sessions.host.open_seat(sitting.id, sitting.host, seat, None)
    joined, _, _ = await sessions.players.join(sitting.id, "Eve", None, None)
    assert joined.clocks[seat].left_ms == MINUTE


async def test_a_table_without_clock_or_policy_is_not_checked_again(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    assert await sessions.timeouts.apply_due(await now(sessions, sitting)) is None


@pytest.mark.parametrize(("increment_ms", "waits_ms"), [(0, MINUTE), (5_000, 5_000)])
async def test_the_next_check_is_the_earliest_possible_deadline_of_any_seat(
    sessions: Sessions, store: FaultyStore, increment_ms: int, waits_ms: int
) -> None:
    sitting = await sit_down(sessions, KRETA, 3, clock=Clock(ClockKind.BANK, bank_ms=MINUTE, increment_ms=increment_ms))
    (seat,) = (await now(sessions, sitting)).to_act
    store.now_ms += MINUTE + LATE
    await poll(sessions)
    assert await sessions.timeouts.apply_due(await now(sessions, sitting)) == waits_ms + LATE
    others = sorted({0, 1, 2} - {seat})
    for other in others if increment_ms else others[1:]:  # without a possible return, bots finish the game
        await sessions.players.leave(sitting.id, sitting.seats[other], None)
    assert await sessions.timeouts.apply_due(await now(sessions, sitting)) == waits_ms + LATE
    await sessions.host.open_seat(sitting.id, sitting.host, seat, None)
    assert await sessions.timeouts.apply_due(await now(sessions, sitting)) == MINUTE + LATE


@pytest.mark.parametrize(
    ("clock", "phase"), [(Clock(ClockKind.BANK, bank_ms=MINUTE), Phase.FINISHED), (PER_MOVE, Phase.PLAYING)]
)
async def test_a_game_in_which_all_players_timed_out_waits_only_if_they_can_return(
    sessions: Sessions, store: FaultyStore, clock: Clock, phase: Phase
) -> None:
    sitting = await sit_down(sessions, KRETA, 2, clock=clock)
    for _ in sitting.seats:
        store.now_ms += MINUTE + LATE
        await poll(sessions)
    assert len(await timeouts_of(store, sitting)) == 2
    assert (await now(sessions, sitting)).record.phase is phase


async def test_a_move_at_the_deadline_is_stored_or_times_out_but_never_both(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    found = set()
    for number in range(16):
        sitting = await sit_down(sessions, KRETA, 2, clock=PER_MOVE)
        table = await now(another, sitting)
        (seat,) = table.to_act
        one = await another.moves.seated(sitting.id, sitting.seats[seat])
        store.now_ms += 30_000
        moves = asyncio.create_task(another.moves.act(one, nth_move(table, seat, 0), table.sequence, uuid(number)))
        with store.held(last_first=number % 2 == 0):
            for _ in range(number % 4):
                await asyncio.sleep(0)  # the move is in time, and has come more or less far
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


async def test_two_replicas_apply_one_timeout_once(sessions: Sessions, another: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 3, clock=PER_MOVE)
    table = await now(sessions, sitting)
    store.now_ms += MINUTE
    await asyncio.gather(*(replica.timeouts.apply_due(table) for replica in (sessions, another) * 4))
    assert len(await timeouts_of(store, sitting)) == 1


async def test_a_timeout_is_applied_after_all_replicas_were_down(store: FaultyStore) -> None:
    first = Sessions(store, clock_ms=WallClock())
    sitting = await sit_down(first, KRETA, 2, clock=PER_MOVE)
    await poll(first)
    await first.close()
    second = Sessions(store, clock_ms=WallClock())
    await poll(second)
    assert await timeouts_of(store, sitting) == [], "clocks stand still while no replica runs"
    store.now_ms += 30_000 + LATE
    await poll(second)
    assert len(await timeouts_of(store, sitting)) == 1
    await second.close()


async def test_every_deadline_is_found_although_moves_schedule_nothing(sessions: Sessions, store: FaultyStore) -> None:
    """Players move at different speeds. If one stops, the timeout is applied within one poll of the deadline."""
    for stops_after in range(0, 12, 2):
        sitting = await sit_down(sessions, KRETA, 2, clock=Clock(ClockKind.BANK, bank_ms=20_000, increment_ms=500))
        for step in range(stops_after):
            table = await now(sessions, sitting)
            store.now_ms += 400 * step
            await poll(sessions)
            await act(sessions, sitting, table.to_act[0])
        table = await now(sessions, sitting)
        deadline = table.clocks[table.to_act[0]].deadline_ms
        assert deadline is not None
        while not await timeouts_of(store, sitting):
            store.now_ms += 250
            await poll(sessions)
        assert deadline < store.now_ms <= deadline + 1_000


async def test_a_session_outlives_a_clock_of_days(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, clock=Clock(ClockKind.CORRESPONDENCE, grace_ms=30 * 86_400_000))
    assert store.lifetime_ms is not None
    assert store.lifetime_ms >= 37 * 86_400_000
    store.now_ms += 29 * 86_400_000
    await poll(sessions)
    (seat,) = (await now(sessions, sitting)).to_act
    assert (await act(sessions, sitting, seat)).record.phase is Phase.PLAYING


def _entries(changes: list[Change]) -> list[Any]:
    return [one.entry for change in changes for one in change.applied]


async def test_clocks_start_with_the_game(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await create(sessions, KRETA, OPEN, OPEN, clock=PER_MOVE)
    await sessions.players.join(sitting.id, "Ada", None, None)
    store.now_ms += 10 * MINUTE
    await poll(sessions)
    table, _, _ = await sessions.players.join(sitting.id, "Bob", None, None)
    assert [one.deadline_ms for one in table.clocks if one.has_turn] == [store.now_ms + 30_000]
    assert [type(one) for one in _entries(await log_of(store, sitting.id))[:4]][1:] == [Joined, Joined, Started]


async def test_a_poll_just_before_a_game_is_stored_does_not_miss_its_first_deadline(
    sessions: Sessions,
    another: Sessions,
    store: FaultyStore,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    commit = store.commit

    async def polled_before(session: str, change: Commit) -> CommitResult:
        await poll(another)
        return await commit(session, change)

    monkeypatch.setattr(store, "commit", polled_before)
    sitting = await sit_down(sessions, KRETA, 2, clock=Clock(ClockKind.PER_MOVE, grace_ms=1_000))
    store.now_ms += 1_000 + LATE
    await poll(sessions)
    assert len(await timeouts_of(store, sitting)) == 1
    assert caplog.records == []


async def test_a_lobby_whose_start_could_not_be_stored_is_not_timed_out(
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
    await poll(sessions)
    assert caplog.records == []
    await sessions.players.join(sitting.id, "Bob", None, None)
    store.now_ms += 30_000 + LATE
    await poll(sessions)
    assert len(await timeouts_of(store, sitting)) == 1
