"""A player's list: its order, its pages while games move on, and an index that is wrong."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from skerry_games.catalogue import all_games
from skerry_service.domain.record import Clock as GameClock
from skerry_service.domain.record import ClockKind, Delay, Visibility
from skerry_service.domain.table import OPEN, Table
from skerry_service.sessions.lists import player_list
from skerry_service.sessions.lists.player_list import PlayerEntry
from skerry_service.sessions.service import Sessions
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, Sitting, begin, move_once, play_out

ADA, BOB, CYD = ("vouched_" + letter * 40 for letter in "abc")
DAY = 86_400_000


def slow(days: int) -> GameClock:
    return GameClock(ClockKind.CORRESPONDENCE, grace_ms=days * DAY)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def sessions(store: FaultyStore, clock: Clock) -> AsyncIterator[Sessions]:
    replica = Sessions(store, clock_ms=clock)
    yield replica
    await replica.close()


@pytest.fixture
def store() -> FaultyStore:
    return FaultyStore()


async def seated(sessions: Sessions, *players: str, seats: int = 2, **new: Any) -> Sitting:
    """Return a session in which players sit down in this order. It begins if they take all seats."""
    new.setdefault("visibility", Visibility.UNLISTED)
    sitting = await begin(sessions, all_games()["kreta"], *(OPEN,) * seats, **new)
    for player_id in players:
        name = player_id[-1].upper() + "da"
        joined = await sessions.players.join(sitting.id, name, None, None, player_id=player_id)
        sitting.seats.append(joined[2])
    return sitting


async def until_turn_of(sessions: Sessions, sitting: Sitting, seat: int) -> None:
    while (await sessions.live(sitting.id)).to_act[0] != seat:
        await move_once(sessions, sitting)


async def pages(sessions: Sessions, player: str, size: int) -> list[PlayerEntry]:
    found, cursor = list[PlayerEntry](), None
    while True:
        page = await sessions.mine(player, cursor, size, lambda record: True)
        found += page.entries
        if page.next is None:
            return found
        cursor = page.next


async def ids(sessions: Sessions, player: str, size: int = 50) -> list[str]:
    return [one.record.id for one in await pages(sessions, player, size)]


async def test_the_most_urgent_session_comes_first(sessions: Sessions, store: FaultyStore, clock: Clock) -> None:
    lobby = await seated(sessions, ADA)
    week, hours, day = [await seated(sessions, ADA, BOB, clock=slow(days)) for days in (7, 3, 1)]
    early, late, theirs, over = [await seated(sessions, ADA, BOB) for _ in range(4)]
    for sitting in (week, hours, day, early):
        await until_turn_of(sessions, sitting, 0)
    clock.now += 50_000
    await until_turn_of(sessions, late, 0)
    await move_once(sessions, late)
    await until_turn_of(sessions, late, 0)
    await until_turn_of(sessions, theirs, 1)
    await sessions.players.resign(over.id, over.seats[0], None)
    store.now_ms += 60_000
    expected = [day.id, hours.id, week.id, early.id, late.id, theirs.id, lobby.id, over.id]
    for size in (1, 2, 3, 50):
        clock.now += 60_000
        assert await ids(sessions, ADA, size) == expected
    page = await sessions.mine(ADA, None, 2, lambda record: True)
    assert (page.waiting, [one.waits for one in page.entries], page.entries[0].seat) == (5, [True, True], 0)
    second = await sessions.mine(ADA, page.next, 2, lambda record: True)
    assert second.waiting == 0
    assert await ids(sessions, CYD) == []
    only = await sessions.mine(ADA, None, 50, lambda record: record.id == theirs.id)
    assert ([one.record.id for one in only.entries], only.waiting) == ([theirs.id], 0)


@pytest.mark.parametrize("seed", range(6))
async def test_no_session_is_missing_while_games_move_on(sessions: Sessions, clock: Clock, seed: int) -> None:
    rng = random.Random(seed)
    games = [
        await seated(sessions, *rng.sample((ADA, BOB), 2), clock=slow(1) if rng.random() < 0.5 else None)
        for _ in range(14)
    ]
    playing = {one.id: one for one in games}

    async def go_on() -> None:
        for sitting in rng.sample(games, 5):
            clock.now += rng.choice((1, 20_000))
            if sitting.id not in playing:
                continue
            if rng.random() < 0.2:
                await sessions.players.resign(sitting.id, sitting.seats[0], None)
                del playing[sitting.id]
            else:
                await move_once(sessions, sitting)

    await go_on()
    seen, cursor = list[str](), None
    while True:
        page = await sessions.mine(ADA, cursor, 3, lambda record: True)
        seen += [one.record.id for one in page.entries]
        assert len(set(seen[-len(page.entries) :])) == len(page.entries)
        if page.next is None:
            break
        cursor = page.next
        await go_on()
    assert set(seen) == {one.id for one in games}


async def test_a_page_reads_few_sessions_that_are_over(
    sessions: Sessions, store: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The archive folds each of them from its log. A caller can ask for pages that have none of them."""
    monkeypatch.setattr(player_list, "_SCANNED_OVER", 5)
    over = [await seated(sessions, ADA, BOB) for _ in range(12)]
    for sitting in over:
        await sessions.players.resign(sitting.id, sitting.seats[0], None)
    await ids(sessions, ADA)
    read, newest = list[str](), sessions._tables.newest

    async def counted(session: str) -> Table:
        read.append(session)
        return await newest(session)

    monkeypatch.setattr(sessions._tables, "newest", counted)
    cursor, sizes = None, list[int]()
    while True:
        read.clear()
        page = await sessions.mine(ADA, cursor, 100, lambda record: record.id == over[0].id)
        sizes.append(len(read))
        if (cursor := page.next) is None:
            break
    assert sizes == [5, 5, 2]
    assert [one.record.id for one in page.entries] == [over[0].id]


async def given_away(sessions: Sessions, **new: Any) -> Sitting:
    """Return a game in play whose first seat Ada has lost to Cyd."""
    sitting = await seated(sessions, ADA, BOB, **new)
    await sessions.players.leave(sitting.id, sitting.seats[0], None)
    (entry,) = await pages(sessions, ADA, 10)
    assert (entry.seat, entry.waits) == (0, False)  # a substitute plays, and Ada may return
    await sessions.host.open_seat(sitting.id, sitting.host, 0, None)
    joined = await sessions.players.join(sitting.id, "Cyd", 0, None, player_id=CYD)
    sitting.seats[0] = joined[2]
    assert (await pages(sessions, CYD, 10))[0].seat == 0
    return sitting


async def test_a_player_whose_seat_was_given_away_sees_the_session_without_the_turn(sessions: Sessions) -> None:
    await given_away(sessions)
    (entry,) = await pages(sessions, ADA, 10)
    assert (entry.seat, entry.table, entry.waits) == (None, None, False)


@pytest.mark.parametrize("delay", [Delay(entries=3), Delay(ms=60_000)], ids=["entries", "seconds"])
async def test_a_player_whose_seat_was_given_away_sees_a_delayed_end_with_the_spectators(
    sessions: Sessions, store: FaultyStore, delay: Delay
) -> None:
    sitting = await given_away(sessions, delay=delay)
    assert await ids(sessions, ADA) == []
    await play_out(sessions, sitting)
    assert await ids(sessions, ADA) == ([] if delay.ms else [sitting.id])
    store.now_ms += 60_000
    assert await ids(sessions, ADA) == [sitting.id]


async def test_who_leaves_before_the_game_has_no_session(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await seated(sessions, ADA, BOB, seats=3)
    await sessions.players.leave(sitting.id, sitting.seats[0], None)
    assert await ids(sessions, ADA) == []
    assert await ids(sessions, BOB) == [sitting.id]
    await sessions.players.join(sitting.id, "Ada", None, None, player_id=ADA)
    assert await ids(sessions, ADA) == [sitting.id]


async def test_a_wrong_index_is_corrected(sessions: Sessions, store: FaultyStore, clock: Clock) -> None:
    over, others = await seated(sessions, ADA, BOB), await seated(sessions, BOB, CYD)
    for sitting in (over, others):
        await sessions.players.resign(sitting.id, sitting.seats[0], None)
    created = (await sessions.live(over.id)).record.created_ms
    await store.players.forget(ADA)
    for session in (over.id, others.id, "gone", "new"):
        await store.players.add(ADA, session, clock.now if session == "new" else created)
    await store.players.add(ADA, "new", clock.now)
    assert await ids(sessions, ADA) == [over.id]
    clock.now += 100
    assert [one for _, one in await store.players.page(ADA, None, 10, over=True)] == [over.id]
    assert {one for _, one in await store.players.page(ADA, None, 10, over=False)} <= {"gone", "new"}
    clock.now += 120_000
    assert await ids(sessions, ADA) == [over.id]
    assert await store.players.page(ADA, None, 10, over=False) == []


async def test_cancelled_and_damaged_sessions_are_left_out(sessions: Sessions, store: FaultyStore) -> None:
    good, cancelled, damaged = [await seated(sessions, ADA) for _ in range(3)]
    await sessions.host.cancel(cancelled.id, cancelled.host, None)
    sessions.forget(damaged.id)
    found = store._sessions[damaged.id]
    found.head = type(found.head)(found.head.sequence + 1, b"rubbish", found.head.snapshot)
    assert await ids(sessions, ADA) == [good.id]


async def test_bare_ids_are_not_indexed(sessions: Sessions, store: FaultyStore) -> None:
    await seated(sessions, "shop:1a", "shop:2b")
    assert store.players._players == {}


async def test_beyond_the_most_that_are_searched_sessions_are_still_listed(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [await seated(sessions, ADA, BOB) for _ in range(6)]
    for sitting in games:
        await until_turn_of(sessions, sitting, 0)
    monkeypatch.setattr(player_list, "MOST_OPEN", 3)
    page = await sessions.mine(ADA, None, 50, lambda record: True)
    assert page.waiting == 3
    assert {one.record.id for one in page.entries} == {one.id for one in games}
