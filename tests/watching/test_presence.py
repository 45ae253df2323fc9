"""Players who pull the plug: they are seen to be away, abandon their seats, and have them again when they are back."""

from __future__ import annotations

import asyncio

import pytest

from skerry_games.kreta import GAME as KRETA
from skerry_service.domain import transitions
from skerry_service.domain.errors import StoreUnavailable
from skerry_service.domain.limits import MAX_RETURNS, SessionLimits
from skerry_service.domain.log import Away, Returned, TimedOut
from skerry_service.domain.record import AbandonmentPolicy, Cause, Clock, ClockKind, Occupant, Phase, TimeoutAction
from skerry_service.domain.table import BOT, OPEN, Table
from skerry_service.sessions.service import Sessions
from skerry_service.timers.bot_worker import BotWorker
from skerry_service.timers.scheduler import Scheduler
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock as WallClock
from tests.sessions.tables import Sitting, begin, log_of, move_once, sit_down, stored, uuid
from tests.watching.stream_readers import Reader, observe

ABSENCE = 120_000
AWAY = SessionLimits().away_ms
WATCHED = AbandonmentPolicy(absence_ms=ABSENCE)


async def passes(store: FaultyStore, ms: int, *replicas: Sessions) -> None:
    """Let time pass, in steps, in which each of the replicas does what it does beside the calls."""
    while ms > 0:
        store.now_ms += min(ms, 5_000)
        ms -= 5_000
        for replica in replicas:
            await replica.presence.flush()
            await Scheduler(replica, BotWorker(replica, {})).poll()


async def entries(store: FaultyStore, sitting: Sitting) -> list[object]:
    told = [one.entry for change in await log_of(store, sitting.id) for one in change.applied]
    return [one for one in told if isinstance(one, Away | Returned | TimedOut)]


async def lapses_of(store: FaultyStore, sitting: Sitting, seat: int) -> list[TimedOut]:
    return [one for one in await entries(store, sitting) if isinstance(one, TimedOut) and one.seat == seat]


async def now(sessions: Sessions, sitting: Sitting) -> Table:
    return (await sessions.get(sitting.id, None))[0]


async def test_one_pulls_the_plug_and_the_other_sees_it_all(
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


async def test_calls_are_signs_of_life_too_and_a_move_brings_back(sessions: Sessions, store: FaultyStore) -> None:
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


async def test_a_call_of_who_was_away_brings_back(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, abandonment=WATCHED)
    await passes(store, AWAY + 10_000, sessions)
    assert [one.away > 0 for one in (await now(sessions, sitting)).record.seats] == [True, True]
    await sessions.get(sitting.id, sitting.seats[1])
    await passes(store, 5_000, sessions)
    assert [one.away > 0 for one in (await now(sessions, sitting)).record.seats] == [True, False]


async def test_two_replicas_that_look_at_once_say_it_once(
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


async def test_a_table_that_everybody_has_abandoned_rests_until_somebody_is_back(
    sessions: Sessions, store: FaultyStore
) -> None:
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


async def test_a_newcomer_wakes_a_game_that_rests(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await begin(sessions, KRETA, OPEN, BOT, BOT, abandonment=WATCHED)
    await sessions.players.join(sitting.id, "Ada", None, None)
    await passes(store, AWAY + ABSENCE + 20_000, sessions)
    opened = await sessions.host.open_seat(sitting.id, sitting.host, 0, None)
    assert opened.record.is_paused
    joined, seat, token = await sessions.players.join(sitting.id, "Eve", None, None)
    assert joined.to_act == (seat,)
    await sessions.players.leave(sitting.id, token, None)
    assert (await now(sessions, sitting)).record.phase is Phase.FINISHED


async def test_an_abandoned_seat_ends_the_game_where_that_is_its_remedy(sessions: Sessions, store: FaultyStore) -> None:
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
    assert await sessions.timeouts.claim_due(10, 1) == []


async def test_who_is_not_let_back_holds_up_nothing_that_is_due_at_other_seats(
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
    assert await lapses_of(store, sitting, 0) == [TimedOut(0, Cause.ABSENT)]
    readers.append(Reader(observe(sessions, sitting.id, sitting.seats[0], None)))
    await readers[-1].has(1)
    await readers[0].stop()
    await passes(store, AWAY + ABSENCE + 10_000, sessions)
    assert await lapses_of(store, sitting, 0) == [TimedOut(0, Cause.ABSENT)]
    assert await lapses_of(store, sitting, 1) == [TimedOut(1, Cause.ABSENT)]
    waits_ms = await sessions.timeouts.apply_due(await now(sessions, sitting))
    assert waits_ms is not None
    assert waits_ms > AWAY - 10_000, "nobody looks again and again for what is refused"
    for reader in readers[1:]:
        await reader.stop()


async def test_who_joins_an_opened_seat_is_there(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, abandonment=WATCHED)
    reader = Reader(observe(sessions, sitting.id, sitting.seats[0], 0))
    await reader.has(1)
    await passes(store, AWAY + ABSENCE + 20_000, sessions)
    await sessions.host.open_seat(sitting.id, sitting.host, 1, None)
    await passes(store, ABSENCE, sessions)
    await sessions.players.join(sitting.id, "Eve", None, None)
    await Scheduler(sessions, BotWorker(sessions, {})).poll()
    await passes(store, AWAY - 10_000, sessions)
    assert not (await now(sessions, sitting)).record.seats[1].away
    await reader.stop()


async def test_who_takes_a_seat_of_a_game_that_rests_and_goes_at_once_is_seen_to_be_away(
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
    assert await lapses_of(store, sitting, 0) == [TimedOut(0, Cause.ABSENT)] * 2


async def test_who_takes_the_seat_of_somebody_who_was_away_and_left_is_seen_to_be_away_too(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, KRETA, 3, abandonment=WATCHED)
    await passes(store, AWAY + 10_000, sessions)
    await sessions.players.leave(sitting.id, sitting.seats[0], None)
    await sessions.host.open_seat(sitting.id, sitting.host, 0, None)
    await sessions.players.join(sitting.id, "Eve", None, None)
    await passes(store, AWAY + 20_000, sessions)
    assert (await now(sessions, sitting)).record.seats[0].away


async def test_nobody_is_away_while_the_store_is(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, abandonment=WATCHED)
    store.away = True
    with pytest.raises(StoreUnavailable):
        await sessions.timeouts.apply_due((await sessions._tables.any(sitting.id))[0])
    store.away = False
    await passes(store, 5_000, sessions)
    assert await entries(store, sitting) == []


async def test_a_session_that_does_not_watch_presence_costs_the_store_nothing_more(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    await sessions.get(sitting.id, sitting.seats[0])
    await sessions.presence.flush()
    assert await sessions.timeouts.claim_due(10, 1) == []
    assert await store.last_seen(sitting.id, 2) == [0, 0]


async def test_who_repeats_the_call_that_took_a_seat_is_seen_where_they_sit_now(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await begin(sessions, KRETA, *[OPEN] * 4, abandonment=WATCHED)
    for name, seat in (("Ada", 0), ("Bob", 2), ("Cyd", 3)):
        await sessions.players.join(sitting.id, name, seat, uuid(seat))
    await sessions.host.start(sitting.id, sitting.host, False, None)  # the seats close up: Bob sits on 1, Cyd on 2
    for _ in range(4):
        await passes(store, AWAY // 3, sessions)
        await sessions.players.join(sitting.id, "Bob", 2, uuid(2))
    assert [one.away > 0 for one in (await now(sessions, sitting)).record.seats] == [True, False, True]


async def test_who_sets_a_webhook_is_there(store: FaultyStore) -> None:
    sessions = Sessions(store, clock_ms=WallClock(), webhooks=lambda host, port: True)
    sitting = await sit_down(sessions, KRETA, 2, abandonment=WATCHED)
    await passes(store, AWAY + 10_000, sessions)
    await sessions.webhooks.set(sitting.id, sitting.seats[0], "https://hooks.example/", (), None)
    await passes(store, 10_000, sessions)
    assert [one.away > 0 for one in (await now(sessions, sitting)).record.seats] == [False, True]


async def test_nobody_fills_the_log_first_to_abandon_a_seat_unnoticed(
    store: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transitions, "MAX_ENTRIES_FOR_SETTINGS", 20)
    sessions = Sessions(store, clock_ms=WallClock(), webhooks=lambda host, port: True)
    sitting = await sit_down(sessions, KRETA, 2, abandonment=WATCHED)
    while (await now(sessions, sitting)).sequence < 20:
        await sessions.webhooks.set(sitting.id, sitting.seats[0], "https://hooks.example/", (), None)
    await passes(store, AWAY + ABSENCE + 20_000, sessions)
    assert len(await lapses_of(store, sitting, 0)) == 1
