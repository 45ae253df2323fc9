"""Players who remind each other: seldom enough to be no nuisance, whatever replica is asked, and how often."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.errors import (
    GameOver,
    InvalidField,
    LimitReached,
    NoPlayer,
    NotAllowed,
    NotStarted,
    NotToAct,
    SubstitutePlays,
    TokenInvalid,
    TokenMissing,
)
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.log import Nudged
from skerry_service.domain.seating.nudges import MIN_WAIT_MS
from skerry_service.domain.table import BOT, OPEN, Table
from skerry_service.sessions.service import Sessions
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, Sitting, begin, log_of, move_once, play_out, sit_down, stored, uuid
from tests.timers.clocks import DAYS, PER_MOVE, now
from tests.watching.stream_readers import Reader, observe

HOUR = 3_600_000


def at(store: FaultyStore, ahead_ms: int) -> Sessions:
    """Return a replica whose wall clock is wrong by so much."""
    return Sessions(store, clock_ms=lambda: 1_700_000_000_000 + store.now_ms + ahead_ms)


@pytest.fixture
def sessions(store: FaultyStore) -> Sessions:
    """One replica, whose clock runs as the store grows older."""
    return at(store, 0)


@pytest.fixture
def another(store: FaultyStore) -> Sessions:
    return at(store, 0)


async def seats_of(sessions: Sessions, sitting: Sitting) -> tuple[int, int]:
    """Return the seat that is to act, of two, and the other one."""
    seat = (await now(sessions, sitting)).to_act[0]
    return seat, 1 - seat


async def nudge(sessions: Sessions, sitting: Sitting, request: int | None = None) -> Table:
    owing, other = await seats_of(sessions, sitting)
    by = None if request is None else uuid(request)
    return await sessions.players.nudge(sitting.id, sitting.seats[other], owing, by)


async def nudges(store: FaultyStore, sitting: Sitting) -> list[Nudged]:
    received = [one.entry for change in await log_of(store, sitting.id) for one in change.applied]
    return [one for one in received if isinstance(one, Nudged)]


async def test_who_waits_reminds_who_is_to_act_and_the_table_sees_it(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    owing, other = await seats_of(sessions, sitting)
    reader = Reader(observe(another, sitting.id, sitting.seats[owing], 0))
    await reader.has(1)
    store.now_ms += MIN_WAIT_MS
    table = await nudge(sessions, sitting)
    await reader.reaches(table.sequence)
    assert reader.updates[-1].applied[-1].entry == Nudged(owing, other, MIN_WAIT_MS)
    assert await stored(store, sitting.id) == table
    assert table.to_act == (owing,)
    await reader.stop()


async def test_a_nudge_makes_no_decision_stale(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    before = await now(sessions, sitting)
    store.now_ms += MIN_WAIT_MS
    after = await nudge(sessions, sitting)
    assert (after.sequence, after.open_since) == (before.sequence + 1, before.open_since)


@pytest.mark.parametrize(("clock", "least"), [(None, MIN_WAIT_MS), (PER_MOVE, MIN_WAIT_MS), (DAYS, 3 * HOUR)])
async def test_nobody_is_nudged_before_the_turn_has_lasted(
    sessions: Sessions, store: FaultyStore, clock: object, least: int
) -> None:
    sitting = await sit_down(sessions, KRETA, 2, clock=clock)
    store.now_ms += least - 2_500
    with pytest.raises(LimitReached) as refused:
        await nudge(sessions, sitting)
    assert (refused.value.retry_after, refused.value.metadata["limit"]) == (2.5, "nudges")
    store.now_ms += 2_500
    await nudge(sessions, sitting)


async def test_the_next_nudge_may_come_when_the_time_has_doubled_and_the_next_turn_begins_anew(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    store.now_ms += MIN_WAIT_MS + 10_000
    await nudge(sessions, sitting)
    for replica in (sessions, another):
        with pytest.raises(LimitReached) as refused:
            await nudge(replica, sitting)
        assert refused.value.retry_after == 70.0
    store.now_ms += MIN_WAIT_MS + 10_000
    await nudge(another, sitting)
    await move_once(another, sitting)
    with pytest.raises(LimitReached) as refused:
        await nudge(sessions, sitting)
    assert refused.value.retry_after == 60.0
    store.now_ms += MIN_WAIT_MS
    await nudge(sessions, sitting)
    assert [one.owed_ms for one in await nudges(store, sitting)] == [70_000, 140_000, 60_000]


async def test_of_two_who_nudge_at_once_one_is_refused(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    await now(another, sitting)
    store.now_ms += MIN_WAIT_MS
    made = await asyncio.gather(nudge(sessions, sitting), nudge(another, sitting), return_exceptions=True)
    assert sorted(type(one).__name__ for one in made) == ["LimitReached", "Table"]
    assert len(await nudges(store, sitting)) == 1


async def test_a_repeat_is_the_first_nudge(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    store.now_ms += MIN_WAIT_MS
    assert await nudge(sessions, sitting, request=1) == await nudge(sessions, sitting, request=1)
    assert len(await nudges(store, sitting)) == 1


async def test_a_repeat_is_answered_though_the_seat_was_lost_since(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 3)
    owing = (await now(sessions, sitting)).to_act[0]
    by = (owing + 1) % 3
    store.now_ms += MIN_WAIT_MS
    first = await sessions.players.nudge(sitting.id, sitting.seats[by], owing, uuid(1))
    await sessions.players.leave(sitting.id, sitting.seats[by], None)
    await sessions.host.open_seat(sitting.id, sitting.host, by, None)
    assert await sessions.players.nudge(sitting.id, sitting.seats[by], owing, uuid(1)) == first
    with pytest.raises(TokenInvalid):
        await sessions.players.nudge(sitting.id, sitting.seats[by], owing, uuid(2))


async def test_no_log_is_filled_with_nudges(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    for _ in range(2 * SessionLimits().game_lifetime_ms // HOUR):
        store.now_ms += HOUR
        try:
            await nudge(sessions, sitting)
        except LimitReached:
            continue
    assert len(await nudges(store, sitting)) == 9


async def test_where_time_is_measured_no_wall_clock_matters(store: FaultyStore, sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2, clock=PER_MOVE)
    with pytest.raises(LimitReached) as refused:
        await nudge(at(store, 24 * HOUR), sitting)
    assert refused.value.retry_after == 60.0


async def test_a_replica_whose_clock_is_wrong_does_not_let_anybody_nudge_more_often(
    store: FaultyStore, sessions: Sessions
) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    await nudge(at(store, MIN_WAIT_MS), sitting)
    for replica in (sessions, at(store, MIN_WAIT_MS), at(store, -HOUR)):
        with pytest.raises(LimitReached):
            await nudge(replica, sitting)


async def test_those_who_decide_at_once_are_nudged_apart(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, PAIRS, 3)
    table = await now(sessions, sitting)
    first, second = table.to_act[:2]
    store.now_ms += MIN_WAIT_MS
    for seat, by in ((first, second), (second, first)):
        await sessions.players.nudge(sitting.id, sitting.seats[by], seat, None)
    with pytest.raises(LimitReached):
        await sessions.players.nudge(sitting.id, sitting.seats[second], first, None)


async def test_nobody_but_a_player_who_owes_a_decision_is_nudged(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 3)
    owing = (await now(sessions, sitting)).to_act[0]
    idle, left = [seat for seat in range(3) if seat != owing]
    await sessions.players.leave(sitting.id, sitting.seats[left], None)
    store.now_ms += HOUR
    cases: list[tuple[int, int, type[Exception]]] = [
        (owing, owing, InvalidField),
        (idle, owing, NotToAct),
        (left, owing, NoPlayer),
        (owing, left, SubstitutePlays),
        (3, owing, InvalidField),
        (-1, owing, InvalidField),
    ]
    for seat, by, wrong in cases:
        with pytest.raises(wrong):
            await sessions.players.nudge(sitting.id, sitting.seats[by], seat, None)
    for token in (sitting.host, sitting.spectator, None):
        with pytest.raises(NotAllowed if token else TokenMissing):
            await sessions.players.nudge(sitting.id, token, owing, None)
    assert await nudges(store, sitting) == []


async def test_bots_are_not_nudged(store: FaultyStore) -> None:
    sessions = Sessions(store, clock_ms=Clock(), levels=("random", "slow"))
    sitting = await begin(sessions, KRETA, OPEN, replace(BOT, level="slow"))
    sitting.seats.append((await sessions.players.join(sitting.id, "Ada", None, None))[2])
    store.now_ms += HOUR
    with pytest.raises(NoPlayer):
        await sessions.players.nudge(sitting.id, sitting.seats[0], 1, None)


async def test_nobody_is_nudged_before_the_game_or_after_it(sessions: Sessions, store: FaultyStore) -> None:
    lobby = await begin(sessions, PAIRS, OPEN, OPEN)
    token = (await sessions.players.join(lobby.id, "Ada", None, None))[2]
    with pytest.raises(NotStarted):
        await sessions.players.nudge(lobby.id, token, 1, None)
    over = await sit_down(sessions, PAIRS, 2)
    await play_out(sessions, over)
    with pytest.raises(GameOver):
        await sessions.players.nudge(over.id, over.seats[0], 1, None)
