"""Going and coming back: substitutes, resigning, seats that change hands, sessions that are cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry_games.api import Outcome
from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.bot_decisions import due_decisions
from skerry_service.domain.errors import (
    AlreadyStarted,
    GameOver,
    InPlay,
    LimitReached,
    NotAllowed,
    NotStarted,
    SeatTaken,
    SkerryError,
    SubstitutePlays,
    TokenInvalid,
)
from skerry_service.domain.limits import MAX_RETURNS
from skerry_service.domain.log import Cancelled, Moved, Resigned, Returned, SeatOpened
from skerry_service.domain.record import (
    AbandonmentPolicy,
    Cause,
    Occupant,
    Phase,
    Substitution,
    TimeoutAction,
    Visibility,
)
from skerry_service.domain.seating.departures import rank_losers_last
from skerry_service.domain.table import BOT, OPEN, Table
from skerry_service.sessions.service import Sessions
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Sitting, begin, log_of, move_once, nth_move, play_out, sit_down, stored, uuid
from tests.store.schedules import due
from tests.timers.thinkers import THINKS
from tests.watching.stream_readers import Reader, observe


async def now(sessions: Sessions, sitting: Sitting) -> Table:
    return (await sessions.get(sitting.id, None))[0]


async def play_on(sessions: Sessions, sitting: Sitting) -> Table:
    """Let the players that are left play to the end."""
    table = await now(sessions, sitting)
    while table.to_act:
        table = await move_once(sessions, sitting, table.sequence)
    return table


# ---------------------------------------------------------------- coming back


async def test_a_substitute_plays_until_its_owner_returns(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 3)
    token = sitting.seats[1]
    left = await sessions.players.leave(sitting.id, token, None)
    gone = left.record.seats[1]
    assert (gone.occupant, gone.name, gone.cause) == (Occupant.BOT, "Bob", Cause.LEFT)
    for _ in range(6):
        await move_once(sessions, sitting)
    table, one = await now(sessions, sitting), await sessions.moves.seated(sitting.id, token)
    with pytest.raises(SubstitutePlays):
        await sessions.moves.act(one, nth_move(table, table.to_act[0], 0), table.sequence, None)
    back = await sessions.players.return_to_seat(sitting.id, token, None)
    assert back.record.seats[1].occupant is Occupant.PLAYER
    last = await play_on(sessions, sitting)
    assert last.record.substitutions() == (Substitution(1, gone.since, back.sequence - 1),)
    played = [
        (one.sequence, one.entry.automatic)
        for change in await log_of(store, sitting.id)
        for one in change.applied
        if isinstance(one.entry, Moved) and one.entry.actor == 1
    ]
    assert {automatic for sequence, automatic in played if gone.since < sequence < back.sequence} == {True}
    assert {automatic for sequence, automatic in played if sequence > back.sequence} == {False}


async def test_returning_twice_does_nothing_twice_and_returning_without_leaving_nothing(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, PAIRS, 3)
    before = await now(sessions, sitting)
    assert await sessions.players.return_to_seat(sitting.id, sitting.seats[0], None) == before
    await sessions.players.leave(sitting.id, sitting.seats[0], None)
    calls = [
        replica.players.return_to_seat(sitting.id, sitting.seats[0], uuid(n))
        for n, replica in enumerate((sessions, another))
    ]
    await asyncio.gather(*calls)
    entries = [one.entry for change in await log_of(store, sitting.id) for one in change.applied]
    assert entries.count(Returned(0)) == 1


async def test_a_repeated_return_is_answered_though_the_seat_was_lost_since(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 3)
    token = sitting.seats[0]
    await sessions.players.leave(sitting.id, token, None)
    first = await sessions.players.return_to_seat(sitting.id, token, uuid(1))
    await sessions.players.leave(sitting.id, token, None)
    await sessions.host.open_seat(sitting.id, sitting.host, 0, None)
    assert await sessions.players.return_to_seat(sitting.id, token, uuid(1)) == first
    with pytest.raises(TokenInvalid):
        await sessions.players.return_to_seat(sitting.id, token, uuid(2))


async def test_a_leaver_still_sees_its_seat_and_no_other(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 3)
    async with sessions.reading(sitting.id, sitting.seats[2], None) as reading:
        reading.read()
        left = await sessions.players.leave(sitting.id, sitting.seats[2], None)
        assert reading.read().table.sequence == left.sequence
        assert reading.caller.seat == 2


async def test_a_seat_is_taken_back_only_so_often(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 3)
    token = sitting.seats[0]
    for _ in range(MAX_RETURNS):
        await sessions.players.leave(sitting.id, token, None)
        await sessions.players.return_to_seat(sitting.id, token, None)
    await sessions.players.leave(sitting.id, token, None)
    with pytest.raises(LimitReached):
        await sessions.players.return_to_seat(sitting.id, token, None)


async def test_substitutes_decide_by_the_level_that_the_session_names(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2, abandonment=AbandonmentPolicy(level="slow"))
    table = await now(sessions, sitting)
    leaver = table.to_act[0]
    after = await sessions.players.leave(sitting.id, sitting.seats[leaver], None)
    assert [(one.seat, one.level) for one in due_decisions(after)] == [(leaver, "slow")]
    assert await due(sessions._live) == [sitting.id]


async def test_leaving_and_moving_at_once_leave_one_history(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    for number in range(10):
        sitting = await sit_down(sessions, KRETA, 3)
        table = await now(another, sitting)
        seat = table.to_act[0]
        one = await another.moves.seated(sitting.id, sitting.seats[seat])
        calls: list[Awaitable[object]] = [
            another.moves.act(one, nth_move(table, seat, number), table.sequence, uuid(2 * number)),
            sessions.players.leave(sitting.id, sitting.seats[seat], uuid(2 * number + 1)),
        ]
        done = await asyncio.gather(*(calls if number % 2 else calls[::-1]), return_exceptions=True)
        assert all(isinstance(one, SubstitutePlays) for one in done if isinstance(one, BaseException))
        assert (await log_of(store, sitting.id))[-1].table == await stored(store, sitting.id)


# ---------------------------------------------------------------- resigning


async def test_of_two_seats_the_other_wins_when_one_resigns(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    await move_once(sessions, sitting)
    reader = Reader(observe(sessions, sitting.id, None, 0))
    table = await sessions.players.resign(sitting.id, sitting.seats[0], None)
    outcome = table.record.outcome
    assert outcome is not None
    assert (table.record.phase, table.to_act) == (Phase.FINISHED, ())
    assert (outcome.ranks, outcome.reason) == ((2, 1), "Ada resigned.")
    assert outcome.scores == KRETA.scores(table.state)
    await reader.ends()
    assert table == await stored(store, sitting.id) == (await log_of(store, sitting.id))[-1].table
    for call in (sessions.players.resign, sessions.players.leave, sessions.players.return_to_seat):
        with pytest.raises(GameOver):
            await call(sitting.id, sitting.seats[1], None)


async def test_of_several_seats_the_others_go_on_and_who_resigned_ranks_behind(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 4)
    for seat in (2, 0):
        table = await sessions.players.resign(sitting.id, sitting.seats[seat], None)
        assert table.record.seats[seat].cause is Cause.RESIGNED
        with pytest.raises(NotAllowed):
            await sessions.players.return_to_seat(sitting.id, sitting.seats[seat], None)
        with pytest.raises(SubstitutePlays):
            await sessions.players.resign(sitting.id, sitting.seats[seat], None)
    outcome = (await play_on(sessions, sitting)).record.outcome
    assert outcome is not None
    assert (outcome.ranks[2], outcome.ranks[0]) == (max(outcome.ranks), max(outcome.ranks) - 1)
    assert 1 in (outcome.ranks[1], outcome.ranks[3])


async def test_a_resignation_ends_the_game_where_the_session_says_so(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 3, abandonment=AbandonmentPolicy(on_resignation=TimeoutAction.END))
    outcome = (await sessions.players.resign(sitting.id, sitting.seats[1], None)).record.outcome
    assert outcome is not None
    assert outcome.ranks[1] == max(outcome.ranks) > max(outcome.ranks[0], outcome.ranks[2])


async def test_nobody_resigns_or_returns_before_the_game(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN)
    token = (await sessions.players.join(sitting.id, "Ada", None, None))[2]
    for call in (sessions.players.resign, sessions.players.return_to_seat):
        with pytest.raises(NotStarted):
            await call(sitting.id, token, None)


OUTCOMES = st.integers(2, 5).flatmap(
    lambda seats: st.tuples(
        st.lists(st.integers(1, seats), min_size=seats, max_size=seats),
        st.lists(st.integers(0, seats - 1), unique=True, max_size=seats - 1),
    )
)


@given(OUTCOMES)
@settings(max_examples=200)
def test_ranks_are_dense_and_keep_their_order_without_those_who_lost(drawn: tuple[list[int], list[int]]) -> None:
    ranks, lost = drawn
    settled = rank_losers_last(Outcome(tuple(ranks), tuple(ranks), "It is over."), tuple(lost)).ranks
    if not lost:
        assert settled == tuple(ranks)
        return
    assert {*settled} == {*range(1, max(settled) + 1)}
    assert sorted(lost, key=lambda seat: -settled[seat]) == lost, "the first to lose ranks last"
    for a, one in enumerate(ranks):
        for b, other in enumerate(ranks):
            if a not in lost and b not in lost:
                assert (settled[a] < settled[b]) == (one < other)
            elif a not in lost:
                assert settled[a] < settled[b]


# ---------------------------------------------------------------- seats that change hands


async def test_the_host_opens_an_abandoned_seat_to_another_player(sessions: Sessions, another: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 3)
    for seat in (0, 3, -1):
        with pytest.raises(SkerryError):
            await sessions.host.open_seat(sitting.id, sitting.host, seat, None)
    with pytest.raises(AlreadyStarted):
        await sessions.players.join(sitting.id, "Eve", None, None)
    await sessions.players.leave(sitting.id, sitting.seats[1], None)
    with pytest.raises(AlreadyStarted):
        await another.players.join(sitting.id, "Eve", None, None)
    opened = await sessions.host.open_seat(sitting.id, sitting.host, 1, None)
    assert opened.record.open_seats() == (1,)
    with pytest.raises(TokenInvalid):
        await sessions.players.return_to_seat(sitting.id, sitting.seats[1], None)
    with pytest.raises(SeatTaken):
        await sessions.host.open_seat(sitting.id, sitting.host, 1, None)
    with pytest.raises(SeatTaken):
        await sessions.players.join(sitting.id, "Eve", 0, None)
    joined, seat, token = await another.players.join(sitting.id, "Bob", None, None)
    assert (seat, joined.record.seats[1].occupant, joined.record.seats[1].cause) == (1, Occupant.PLAYER, None)
    sitting.seats[1] = token
    outcome = (await play_on(sessions, sitting)).record
    assert [(one.seat, one.last) for one in outcome.substitutions()] == [(1, joined.sequence - 1)]


async def test_one_of_many_gets_the_open_seat_and_the_owner_who_returns_is_first_or_not_at_all(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, PAIRS, 3)
    await sessions.players.leave(sitting.id, sitting.seats[0], None)
    await asyncio.gather(
        sessions.players.return_to_seat(sitting.id, sitting.seats[0], None),
        another.host.open_seat(sitting.id, sitting.host, 0, None),
        return_exceptions=True,
    )
    entries = [one.entry for change in await log_of(store, sitting.id) for one in change.applied]
    assert entries.count(Returned(0)) + entries.count(SeatOpened(0)) == 1
    if SeatOpened(0) not in entries:
        await sessions.players.leave(sitting.id, sitting.seats[0], None)
        await sessions.host.open_seat(sitting.id, sitting.host, 0, None)
    calls = [replica.players.join(sitting.id, f"p{n}", None, None) for n, replica in enumerate((sessions, another) * 4)]
    done = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(one, tuple) for one in done) == 1


# ---------------------------------------------------------------- cancelling


async def test_a_cancelled_lobby_ends_its_streams_and_leaves_the_list(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, visibility=Visibility.PUBLIC)
    token = (await sessions.players.join(sitting.id, "Ada", None, None))[2]
    reader = Reader(observe(sessions, sitting.id, token, 0))
    await reader.has(1)
    await sessions.host.cancel(sitting.id, sitting.host, uuid(1))
    await reader.ends()
    assert isinstance(reader.updates[-1].applied[-1].entry, Cancelled)
    assert (await sessions.public(None, 10, lambda _: True)).sessions == []
    assert await store.list_sessions(None, 10) == []
    for again in (
        lambda: sessions.host.cancel(sitting.id, sitting.host, None),
        lambda: sessions.players.join(sitting.id, "Bob", None, None),
        lambda: sessions.players.leave(sitting.id, token, None),
        lambda: sessions.host.start(sitting.id, sitting.host, True, None),
        lambda: sessions.host.label(sitting.id, sitting.host, (), None),
    ):
        call: Callable[[], Awaitable[object]] = again
        with pytest.raises(GameOver):
            await call()
    assert (await sessions.host.cancel(sitting.id, sitting.host, uuid(1))).record.phase is Phase.CANCELLED


async def test_a_process_that_dies_before_it_unlists_leaves_nothing_in_the_list(
    sessions: Sessions, store: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, visibility=Visibility.PUBLIC)

    async def dies(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store, "unlist", dies)
        with pytest.raises(KeyboardInterrupt):
            await sessions.host.cancel(sitting.id, sitting.host, None)
    assert len(await store.list_sessions(None, 10)) == 1
    assert (await sessions.public(None, 10, lambda _: True)).sessions == []
    assert await store.list_sessions(None, 10) == []


async def test_a_game_can_be_cancelled_only_when_no_player_is_left(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2, abandonment=AbandonmentPolicy(level="slow"))
    with pytest.raises(InPlay) as refused:
        await sessions.host.cancel(sitting.id, sitting.host, None)
    assert refused.value.metadata == {"seats": "0, 1"}
    for token in sitting.seats:
        await sessions.players.leave(sitting.id, token, None)
    cancelled = await sessions.host.cancel(sitting.id, sitting.host, None)
    assert (cancelled.record.phase, cancelled.record.outcome, due_decisions(cancelled)) == (Phase.CANCELLED, None, ())


async def test_only_the_host_opens_seats_and_cancels(sessions: Sessions) -> None:
    sitting = await begin(sessions, KRETA, OPEN, THINKS, BOT)
    sitting.seats.append((await sessions.players.join(sitting.id, "Ada", None, None))[2])
    await sessions.players.leave(sitting.id, sitting.seats[0], None)
    for token in (sitting.seats[0], sitting.spectator):
        with pytest.raises(NotAllowed):
            await sessions.host.cancel(sitting.id, token, None)
        with pytest.raises(NotAllowed):
            await sessions.host.open_seat(sitting.id, token, 0, None)


async def test_resigning_is_done_once_under_its_request_id(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, KRETA, 3)
    tables = [
        await replica.players.resign(sitting.id, sitting.seats[1], uuid(7)) for replica in (sessions, another, sessions)
    ]
    assert tables[0] == tables[1] == tables[2]
    entries = [one.entry for change in await log_of(store, sitting.id) for one in change.applied]
    assert entries.count(Resigned(1)) == 1
    assert (await play_out(sessions, sitting)).record.over
