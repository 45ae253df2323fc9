"""Disconnected players: they are away, then absent, and get their seats back when they return."""

from __future__ import annotations

import asyncio

import pytest

from skerry_games.kreta import GAME as KRETA
from skerry_service.domain import transitions
from skerry_service.domain.errors import StoreUnavailable
from skerry_service.domain.limits import MAX_RETURNS, SessionLimits
from skerry_service.domain.log import Away, Returned, TimedOut
from skerry_service.domain.record import (
    AbandonmentPolicy,
    Cause,
    Clock,
    ClockKind,
    Occupant,
    Phase,
    TimeoutAction,
    UndoPolicy,
)
from skerry_service.domain.table import BOT, OPEN, Table
from skerry_service.sessions.service import Sessions
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock as WallClock
from tests.sessions.tables import Sitting, begin, log_of, move_once, sit_down, stored, uuid
from tests.store.schedules import due
from tests.timers.clocks import BANK, poll
from tests.watching.stream_readers import Reader, observe

ABSENCE = 120_000
AWAY = SessionLimits().away_ms
WATCHED = AbandonmentPolicy(absence_ms=ABSENCE)


async def passes(store: FaultyStore, ms: int, *replicas: Sessions) -> None:
    """Let time pass in steps, and run the background tasks of the replicas after each."""
    while ms > 0:
        store.now_ms += min(ms, 5_000)
        ms -= 5_000
        for replica in replicas:
            await replica.presence.flush()
            await poll(replica)


async def entries(store: FaultyStore, sitting: Sitting) -> list[object]:
    received = [one.entry for change in await log_of(store, sitting.id) for one in change.applied]
    return [one for one in received if isinstance(one, Away | Returned | TimedOut)]


async def timeouts_of(store: FaultyStore, sitting: Sitting, seat: int) -> list[TimedOut]:
    return [one for one in await entries(store, sitting) if isinstance(one, TimedOut) and one.seat == seat]


async def now(sessions: Sessions, sitting: Sitting) -> Table:
    return (await sessions.get(sitting.id, None))[0]


async def test_a_disconnected_player_is_away_then_absent_then_back(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, KRETA, 2, abandonment=WATCHED)
    stays = Reader(observe(sessions, sitting.id, sitting.seats[0], 0))
    goes = Reader(observe(another, sitting.id, sitting.seats[1], 0))
    await stays.has(1)
    await goes.has(1)
    await passes(store, 10 * ABSENCE, sessions, another)
    assert await entries(store, sitting) == []
    await goes.stop()
    await passes(store, AWAY + 10_000, sessions, another)
    assert [type(one) for one in await entries(store, sitting)] == [Away]
    assert stays.updates[-1].table.record.seats[1].away
    await passes(store, ABSENCE, sessions, another)
    assert (await entries(store, sitting))[1:] == [TimedOut(1, Cause.ABSENT)]
    for _ in range(6):
        await move_once(sessions, sitting)
    back = Reader(observe(another, sitting.id, sitting.seats[1], None))
    await back.has(1)
    await passes(store, 5_000, another, sessions)
    assert (await entries(store, sitting))[2:] == [Returned(1)]
    table = await now(sessions, sitting)
    assert (table.record.seats[1].occupant, table.record.seats[1].away) == (Occupant.PLAYER, 0)
    assert [one.seat for one in table.record.substitutions()] == [1]
    assert table == await stored(store, sitting.id)
    await stays.stop()
    await back.stop()


async def test_calls_count_as_presence_and_a_move_brings_a_player_back(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, abandonment=WATCHED)
    seat = (await now(sessions, sitting)).to_act[0]
    for _ in range(10):
        await passes(store, AWAY - 10_000, sessions)
        await sessions.get(sitting.id, sitting.seats[seat])
    assert [one for one in await entries(store, sitting) if one == Away(seat, store.now_ms)] == []
    assert {one.seat for one in await entries(store, sitting) if isinstance(one, Away | TimedOut)} == {1 - seat}
    await passes(store, AWAY + 10_000, sessions)
    assert (await now(sessions, sitting)).record.seats[seat].away
    table = await move_once(sessions, sitting)
    assert not table.record.seats[seat].away
    assert not any(isinstance(one, Returned) for one in await entries(store, sitting))


async def test_any_call_brings_an_away_player_back(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, abandonment=WATCHED)
    await passes(store, AWAY + 10_000, sessions)
    assert [one.away > 0 for one in (await now(sessions, sitting)).record.seats] == [True, True]
    await sessions.get(sitting.id, sitting.seats[1])
    await passes(store, 5_000, sessions)
    assert [one.away > 0 for one in (await now(sessions, sitting)).record.seats] == [True, False]


@pytest.mark.parametrize("change", ["a move taken back", "the first thinking substitute"])
async def test_what_another_player_does_is_no_sign_of_an_away_player(
    sessions: Sessions, store: FaultyStore, change: str
) -> None:
    abandonment = AbandonmentPolicy(level="medium", absence_ms=ABSENCE)
    sitting = await sit_down(sessions, KRETA, 3, abandonment=abandonment, clock=BANK, undo=UndoPolicy.OWN_MOVES)
    mover = (await now(sessions, sitting)).to_act[0]
    gone = (mover + 1) % 3
    store.now_ms += AWAY + 1_000
    await store.record_seen([(sitting.id, seat) for seat in range(3) if seat != gone])
    await poll(sessions)
    if change == "a move taken back":
        moved = await move_once(sessions, sitting)
        await sessions.players.undo(sitting.id, sitting.seats[mover], moved.sequence, None)
    else:
        await sessions.players.leave(sitting.id, sitting.seats[mover], None)
    await passes(store, 5_000, sessions)
    assert [seat for seat, one in enumerate((await now(sessions, sitting)).record.seats) if one.away] == [gone]
    await passes(store, ABSENCE, sessions)
    assert await timeouts_of(store, sitting, gone) == [TimedOut(gone, Cause.ABSENT)]


async def test_two_concurrent_replicas_store_a_change_once(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, KRETA, 3, abandonment=WATCHED)
    for passed in (AWAY + 1000, ABSENCE):
        store.now_ms += passed
        tables = [await now(replica, sitting) for replica in (sessions, another)]
        await asyncio.gather(
            *(one.timeouts.apply_due(table) for one, table in zip((sessions, another), tables, strict=True))
        )
    found = await entries(store, sitting)
    assert len(found) == len({repr(one) for one in found}) == 6


async def test_a_game_without_players_pauses_until_one_returns(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await begin(sessions, KRETA, OPEN, BOT, BOT, abandonment=WATCHED)
    token = (await sessions.players.join(sitting.id, "Ada", None, None))[2]
    await passes(store, AWAY + ABSENCE + 20_000, sessions)
    table = await now(sessions, sitting)
    assert (table.record.phase, table.record.is_paused) == (Phase.PLAYING, True)
    back = await sessions.players.return_to_seat(sitting.id, token, None)
    assert back.to_act == (0,)
    await passes(store, AWAY - 10_000, sessions)
    assert not (await now(sessions, sitting)).record.seats[0].away
    await passes(store, AWAY + ABSENCE + 20_000, sessions)
    cancelled = await sessions.host.cancel(sitting.id, sitting.host, None)
    assert cancelled.record.phase is Phase.CANCELLED


async def test_a_new_player_resumes_a_paused_game(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await begin(sessions, KRETA, OPEN, BOT, BOT, abandonment=WATCHED)
    await sessions.players.join(sitting.id, "Ada", None, None)
    await passes(store, AWAY + ABSENCE + 20_000, sessions)
    opened = await sessions.host.open_seat(sitting.id, sitting.host, 0, None)
    assert opened.record.is_paused
    joined, seat, token = await sessions.players.join(sitting.id, "Eve", None, None)
    assert joined.to_act == (seat,)
    await sessions.players.leave(sitting.id, token, None)
    assert (await now(sessions, sitting)).record.phase is Phase.FINISHED


async def test_an_abandoned_seat_ends_the_game_if_the_policy_says_so(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(
        sessions, KRETA, 3, abandonment=AbandonmentPolicy(absence_ms=ABSENCE, on_absence=TimeoutAction.END)
    )
    readers = [Reader(observe(sessions, sitting.id, token, 0)) for token in sitting.seats[:2]]
    for reader in readers:
        await reader.has(1)
    await passes(store, AWAY + ABSENCE + 10_000, sessions)
    for reader in readers:
        await reader.ends()
    outcome = (await now(sessions, sitting)).record.outcome
    assert outcome is not None
    assert (outcome.ranks[2], outcome.reason) == (max(outcome.ranks), "Cyd was away for too long.")
    assert await due(store) == []


async def test_a_return_that_is_not_allowed_does_not_block_changes_of_other_seats(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, PAIRS, 3, abandonment=WATCHED, clock=Clock(ClockKind.BANK, bank_ms=60 * ABSENCE))
    for _ in range(MAX_RETURNS):
        await sessions.players.leave(sitting.id, sitting.seats[0], None)
        await sessions.players.return_to_seat(sitting.id, sitting.seats[0], None)
    readers = [Reader(observe(sessions, sitting.id, token, 0)) for token in sitting.seats[1:]]
    for reader in readers:
        await reader.has(1)
    await passes(store, AWAY + ABSENCE + 10_000, sessions)
    assert await timeouts_of(store, sitting, 0) == [TimedOut(0, Cause.ABSENT)]
    readers.append(Reader(observe(sessions, sitting.id, sitting.seats[0], None)))
    await readers[-1].has(1)
    await readers[0].stop()
    await passes(store, AWAY + ABSENCE + 10_000, sessions)
    assert await timeouts_of(store, sitting, 0) == [TimedOut(0, Cause.ABSENT)]
    assert await timeouts_of(store, sitting, 1) == [TimedOut(1, Cause.ABSENT)]
    waits_ms = await sessions.timeouts.apply_due(await now(sessions, sitting))
    assert waits_ms is not None
    assert waits_ms > AWAY - 10_000, "a rejected change is not tried again at once"
    for reader in readers[1:]:
        await reader.stop()


async def test_a_player_who_joins_an_opened_seat_is_present(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, abandonment=WATCHED)
    reader = Reader(observe(sessions, sitting.id, sitting.seats[0], 0))
    await reader.has(1)
    await passes(store, AWAY + ABSENCE + 20_000, sessions)
    await sessions.host.open_seat(sitting.id, sitting.host, 1, None)
    await passes(store, ABSENCE, sessions)
    await sessions.players.join(sitting.id, "Eve", None, None)
    await poll(sessions)
    await passes(store, AWAY - 10_000, sessions)
    assert not (await now(sessions, sitting)).record.seats[1].away
    await reader.stop()


async def test_a_player_who_joins_a_paused_game_and_leaves_at_once_is_away(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await begin(sessions, KRETA, OPEN, BOT, BOT, abandonment=WATCHED)
    await sessions.players.join(sitting.id, "Ada", None, None)
    await passes(store, AWAY + ABSENCE + 20_000, sessions)
    await sessions.host.open_seat(sitting.id, sitting.host, 0, None)
    await passes(store, ABSENCE, sessions)
    await sessions.players.join(sitting.id, "Eve", None, None)
    await passes(store, AWAY + 20_000, sessions)
    assert (await now(sessions, sitting)).record.seats[0].away
    await passes(store, ABSENCE, sessions)
    assert await timeouts_of(store, sitting, 0) == [TimedOut(0, Cause.ABSENT)] * 2


async def test_a_player_who_takes_an_away_seat_and_leaves_is_away(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 3, abandonment=WATCHED)
    await passes(store, AWAY + 10_000, sessions)
    await sessions.players.leave(sitting.id, sitting.seats[0], None)
    await sessions.host.open_seat(sitting.id, sitting.host, 0, None)
    await sessions.players.join(sitting.id, "Eve", None, None)
    await passes(store, AWAY + 20_000, sessions)
    assert (await now(sessions, sitting)).record.seats[0].away


async def test_players_are_not_away_during_an_outage_of_the_store(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, abandonment=WATCHED)
    store.away = True
    with pytest.raises(StoreUnavailable):
        await sessions.timeouts.apply_due((await sessions._tables.any(sitting.id))[0])
    store.away = False
    await passes(store, 5_000, sessions)
    assert await entries(store, sitting) == []


async def test_a_session_without_an_abandonment_policy_writes_no_presence(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    await sessions.get(sitting.id, sitting.seats[0])
    await sessions.presence.flush()
    assert await due(store) == []
    assert await store.last_seen(sitting.id, 2) == [0, 0]


async def test_a_repeated_join_marks_the_renumbered_seat_as_present(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await begin(sessions, KRETA, *[OPEN] * 4, abandonment=WATCHED)
    for name, seat in (("Ada", 0), ("Bob", 2), ("Cyd", 3)):
        await sessions.players.join(sitting.id, name, seat, uuid(seat))
    await sessions.host.start(sitting.id, sitting.host, False, None)  # seats are renumbered: Bob has seat 1, Cyd seat 2
    for _ in range(4):
        await passes(store, AWAY // 3, sessions)
        await sessions.players.join(sitting.id, "Bob", 2, uuid(2))
    assert [one.away > 0 for one in (await now(sessions, sitting)).record.seats] == [True, False, True]


async def test_setting_a_webhook_counts_as_presence(store: FaultyStore) -> None:
    sessions = Sessions(store, clock_ms=WallClock(), webhooks=lambda host, port: True)
    sitting = await sit_down(sessions, KRETA, 2, abandonment=WATCHED)
    await passes(store, AWAY + 10_000, sessions)
    await sessions.webhooks.set(sitting.id, sitting.seats[0], "https://hooks.example/", (), None)
    await passes(store, 10_000, sessions)
    assert [one.away > 0 for one in (await now(sessions, sitting)).record.seats] == [False, True]


async def test_a_full_log_does_not_prevent_absence(store: FaultyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transitions, "MAX_ENTRIES_FOR_SETTINGS", 20)
    sessions = Sessions(store, clock_ms=WallClock(), webhooks=lambda host, port: True)
    sitting = await sit_down(sessions, KRETA, 2, abandonment=WATCHED)
    while (await now(sessions, sitting)).sequence < 20:
        await sessions.webhooks.set(sitting.id, sitting.seats[0], "https://hooks.example/", (), None)
    await passes(store, AWAY + ABSENCE + 20_000, sessions)
    assert len(await timeouts_of(store, sitting, 0)) == 1
