"""Seats whose players do not respond: the host can open them after a stated time, and not before."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.errors import GameOver, InvalidField, NotStarted, SeatTaken, SkerryError, TokenInvalid
from skerry_service.domain.log import Joined, Moved, SeatOpened
from skerry_service.domain.record import (
    AbandonmentPolicy,
    Cause,
    Clock,
    ClockKind,
    Emote,
    Occupant,
    Substitution,
    TimeoutAction,
)
from skerry_service.domain.table import BOT, OPEN, Table
from skerry_service.sessions.service import Sessions
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock as WallClock
from tests.sessions.tables import Sitting, begin, log_of, move_once, nth_move, play_out, sit_down, stored, uuid
from tests.timers.clocks import LATE, act, now, poll, timeouts_of
from tests.timers.thinkers import THINKS

HOUR = 3_600_000
OPENS = AbandonmentPolicy(open_after_ms=HOUR)
THINKING = replace(OPENS, level="slow")
"""The substitute leaves the decision to a bot worker, which these tests do not run."""


async def open_seat(sessions: Sessions, sitting: Sitting, seat: int, request: int | None = None) -> Table:
    by = None if request is None else uuid(request)
    return await sessions.host.open_seat(sitting.id, sitting.host, seat, by)


async def refused(sessions: Sessions, sitting: Sitting, seat: int) -> float | None:
    """Expect that the seat cannot be opened; return the seconds that are left, if waiting helps."""
    with pytest.raises(SeatTaken) as caught:
        await open_seat(sessions, sitting, seat)
    return caught.value.retry_after


async def seated(sessions: Sessions, policy: AbandonmentPolicy = OPENS, **new: Any) -> tuple[Sitting, int, int]:
    """Begin a game of two; return it, the seat that owes a decision, and the other one."""
    sitting = await sit_down(sessions, KRETA, 2, abandonment=policy, **new)
    (owing,) = (await now(sessions, sitting)).to_act
    return sitting, owing, 1 - owing


async def test_the_host_opens_the_seat_of_a_silent_player_when_its_time_has_passed(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting, owing, _ = await seated(sessions)
    store.now_ms += HOUR - 2_500
    for replica in (sessions, another):
        with pytest.raises(SeatTaken) as early:
            await open_seat(replica, sitting, owing)
        assert (early.value.retry_after, "open it in 3 s" in str(early.value)) == (2.5, True)
    store.now_ms += 2_500
    opened = await open_seat(another, sitting, owing)
    one = opened.record.seats[owing]
    assert (one.occupant, one.cause, one.is_open_in_play) == (Occupant.BOT, Cause.ABSENT, True)
    assert opened.record.open_seats() == (owing,)
    change = (await log_of(store, sitting.id))[-1]
    assert change.applied[0].entry == SeatOpened(owing)
    assert all(isinstance(one.entry, Moved) and one.entry.automatic for one in change.applied[1:])
    assert change.table == opened == await stored(store, sitting.id)
    with pytest.raises(TokenInvalid):
        await sessions.players.leave(sitting.id, sitting.seats[owing], None)
    joined, seat, sitting.seats[owing] = await sessions.players.join(sitting.id, "Eve", None, None)
    assert (seat, joined.record.seats[owing].occupant) == (owing, Occupant.PLAYER)
    last = await play_out(sessions, sitting)
    assert last.record.substitutions() == (Substitution(owing, one.since, joined.sequence - 1),)


async def test_a_player_who_joins_has_the_whole_time(sessions: Sessions, store: FaultyStore) -> None:
    sitting, owing, _ = await seated(sessions, THINKING)
    store.now_ms += 3 * HOUR
    before = await open_seat(sessions, sitting, owing)
    assert before.to_act == (owing,)
    store.now_ms += HOUR
    await sessions.players.join(sitting.id, "Eve", None, None)
    assert await refused(sessions, sitting, owing) == HOUR / 1000
    store.now_ms += HOUR
    await open_seat(sessions, sitting, owing)


async def test_each_sign_of_the_player_begins_the_time_anew(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await begin(sessions, KRETA, OPEN, OPEN, abandonment=OPENS)
    players = [await sessions.players.join(sitting.id, name, None, None, player_id=name) for name in ("Ada", "Bob")]
    sitting.seats = [token for _, _, token in players]
    (owing,) = (await now(sessions, sitting)).to_act
    name = ("Ada", "Bob")[owing]

    async def recover() -> None:
        sitting.seats[owing] = (await sessions.players.recover(sitting.id, name, None, None))[2]

    signs: Sequence[Callable[[], Awaitable[object]]] = (
        lambda: sessions.players.send_emote(sitting.id, sitting.seats[owing], Emote.HELLO, None),
        recover,
        lambda: act(sessions, sitting, owing),
    )
    for sign in signs:
        store.now_ms += HOUR - 1
        await sign()
        (owing,) = (await now(sessions, sitting)).to_act
        assert await refused(sessions, sitting, owing) == HOUR / 1000
        name = ("Ada", "Bob")[owing]


async def test_entries_of_others_do_not_begin_the_time_anew(sessions: Sessions, store: FaultyStore) -> None:
    sitting, owing, other = await seated(sessions)
    store.now_ms += HOUR - 1_000
    await sessions.players.nudge(sitting.id, sitting.seats[other], owing, None)
    await sessions.players.send_emote(sitting.id, sitting.seats[other], Emote.HELLO, None)
    await sessions.host.label(sitting.id, sitting.host, (("a", "b"),), None)
    assert await refused(sessions, sitting, owing) == 1.0
    store.now_ms += 1_000
    await open_seat(sessions, sitting, owing)


async def test_no_wall_clock_opens_a_seat(store: FaultyStore, sessions: Sessions) -> None:
    sitting, owing, _ = await seated(sessions)
    ahead = Sessions(store, clock_ms=lambda: 2_700_000_000_000)
    assert await refused(ahead, sitting, owing) == HOUR / 1000


async def test_those_who_decide_at_once_are_measured_apart(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, PAIRS, 3, abandonment=OPENS)
    first, second = (await now(sessions, sitting)).to_act[:2]
    store.now_ms += HOUR
    await sessions.players.send_emote(sitting.id, sitting.seats[second], Emote.HELLO, None)
    assert await refused(sessions, sitting, second) == HOUR / 1000
    await open_seat(sessions, sitting, first)


async def test_only_players_who_owe_a_decision_without_a_clock_lose_their_seats(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting, owing, other = await seated(sessions)
    never, its_owing, _ = await seated(sessions, AbandonmentPolicy())
    clock = Clock(ClockKind.CORRESPONDENCE, grace_ms=100 * HOUR)
    timed, timed_owing, _ = await seated(sessions, clock=clock)
    store.now_ms += 50 * HOUR
    for one, seat in ((sitting, other), (never, its_owing), (timed, timed_owing)):
        assert await refused(sessions, one, seat) is None
    for seat in (-1, 2):
        with pytest.raises(InvalidField):
            await open_seat(sessions, sitting, seat)
    for token in (None, sitting.spectator, sitting.seats[other]):
        with pytest.raises(SkerryError):
            await sessions.host.open_seat(sitting.id, token, owing, None)
    assert (await now(sessions, sitting)).record.players() == (0, 1)


async def test_bots_and_resigned_seats_are_never_opened(store: FaultyStore) -> None:
    sessions = Sessions(store, clock_ms=WallClock(), levels=("random", "slow"))
    sitting = await begin(sessions, KRETA, OPEN, OPEN, THINKS, BOT, abandonment=THINKING)
    for name in ("Ada", "Bob"):
        sitting.seats.append((await sessions.players.join(sitting.id, name, None, None))[2])
    await sessions.players.resign(sitting.id, sitting.seats[0], None)
    store.now_ms += 50 * HOUR
    for seat in (0, 2, 3):
        assert await refused(sessions, sitting, seat) is None


async def test_no_seat_is_opened_so_before_the_game_or_after_it(sessions: Sessions, store: FaultyStore) -> None:
    lobby = await begin(sessions, PAIRS, OPEN, OPEN, abandonment=OPENS)
    await sessions.players.join(lobby.id, "Ada", None, None)
    over = await sit_down(sessions, PAIRS, 2, abandonment=OPENS)
    await play_out(sessions, over)
    store.now_ms += HOUR
    for sitting, error in ((lobby, NotStarted), (over, GameOver)):
        with pytest.raises(error):
            await open_seat(sessions, sitting, 0)


async def test_a_move_and_an_opening_at_once_leave_one_winner(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    for number in range(10):
        sitting, owing, _ = await seated(sessions)
        table = await now(another, sitting)
        one = await another.moves.seated(sitting.id, sitting.seats[owing])
        store.now_ms += HOUR
        calls: list[Awaitable[object]] = [
            another.moves.act(one, nth_move(table, owing, number), table.sequence, uuid(number)),
            open_seat(sessions, sitting, owing),
        ]
        done = await asyncio.gather(*(calls if number % 2 else calls[::-1]), return_exceptions=True)
        assert sum(isinstance(one, BaseException) for one in done) == 1
        changes = await log_of(store, sitting.id)
        assert changes[-1].table == await stored(store, sitting.id)
        entries = [one.entry for change in changes for one in change.applied]
        moved = any(isinstance(one, Moved) and one.actor == owing and not one.automatic for one in entries)
        assert moved != (SeatOpened(owing) in entries)


@pytest.mark.parametrize("sign", ["emote", "move"])
async def test_a_sign_between_reading_the_log_and_the_commit_keeps_the_seat(
    sessions: Sessions, another: Sessions, store: FaultyStore, monkeypatch: pytest.MonkeyPatch, sign: str
) -> None:
    sitting, owing, _ = await seated(sessions)
    store.now_ms += HOUR
    read, signs = store.batches, [sign]

    async def batches(session: str, after: int) -> Sequence[bytes]:
        packed = await read(session, after)
        if signs and signs.pop() == "emote":
            await another.players.send_emote(session, sitting.seats[owing], Emote.HELLO, None)
        elif sign == "move":
            await move_once(another, sitting)
        return packed

    monkeypatch.setattr(store, "batches", batches)
    with pytest.raises(SeatTaken):
        await open_seat(sessions, sitting, owing)
    assert SeatOpened(owing) not in [one.entry for change in await log_of(store, sitting.id) for one in change.applied]


async def test_a_repeat_opens_the_seat_once(sessions: Sessions, another: Sessions, store: FaultyStore) -> None:
    sitting, owing, _ = await seated(sessions, THINKING)
    store.now_ms += HOUR
    opened = await asyncio.gather(*(open_seat(one, sitting, owing, request=7) for one in (sessions, another)))
    await sessions.players.join(sitting.id, "Eve", None, None)
    store.now_ms += HOUR
    assert [*opened, await open_seat(another, sitting, owing, request=7)] == [opened[0]] * 3
    entries = [one.entry for change in await log_of(store, sitting.id) for one in change.applied]
    assert entries.count(SeatOpened(owing)) == 1


async def test_if_the_server_moves_for_a_player_the_time_counts_from_its_first_move(
    sessions: Sessions, store: FaultyStore
) -> None:
    clock = Clock(ClockKind.PER_MOVE, grace_ms=600_000, on_expiry=TimeoutAction.MOVE)
    sitting, lost, other = await seated(sessions, clock=clock)
    assert await refused(sessions, sitting, lost) is None

    async def turn_passes() -> None:
        store.now_ms += 600_000 + LATE
        await poll(sessions)
        while other in (await now(sessions, sitting)).to_act:
            await act(sessions, sitting, other)

    await turn_passes()
    first_ms = store.now_ms
    while store.now_ms + 600_000 + LATE < first_ms + HOUR:
        await turn_passes()
        assert await refused(sessions, sitting, lost) == (first_ms + HOUR - store.now_ms) / 1000
        assert await refused(sessions, sitting, other) is None
    assert len(await timeouts_of(store, sitting)) > 1
    await act(sessions, sitting, lost)
    assert await refused(sessions, sitting, lost) is None, "the player has moved again"
    while lost not in (await now(sessions, sitting)).to_act:
        await act(sessions, sitting, other)
    await turn_passes()
    store.now_ms += HOUR
    opened = await open_seat(sessions, sitting, lost)
    assert opened == (await log_of(store, sitting.id))[-1].table == await stored(store, sitting.id)
    joined = (await sessions.players.join(sitting.id, "Eve", lost, None))[0]
    assert joined.record.seats[lost].occupant is Occupant.PLAYER


async def test_a_game_whose_last_player_loses_the_seat_waits_for_another(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await begin(sessions, KRETA, OPEN, BOT, BOT, abandonment=OPENS)
    await sessions.players.join(sitting.id, "Ada", None, None)
    store.now_ms += HOUR
    opened = await open_seat(sessions, sitting, 0)
    assert (opened.record.is_paused, opened.record.playing) == (True, True)
    joined, seat, _ = await sessions.players.join(sitting.id, "Eve", None, None)
    assert joined.to_act == (seat,) == (0,)


async def test_a_rematch_keeps_the_time(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, PAIRS, 2, abandonment=OPENS)
    await play_out(sessions, sitting)
    seats = [await sessions.rematches.rematch(sitting.id, token) for token in sitting.seats]
    again = Sitting(seats[0].table.record.id, seats[0].host, seats[0].spectator)
    owing = (await now(sessions, again)).to_act[0]
    assert await refused(sessions, again, owing) == HOUR / 1000
    store.now_ms += HOUR
    await open_seat(sessions, again, owing)


async def test_a_session_lives_until_its_seats_can_be_opened(sessions: Sessions) -> None:
    for policy, days in ((OPENS, 7), (AbandonmentPolicy(open_after_ms=7 * 24 * HOUR), 14)):
        sitting = await sit_down(sessions, KRETA, 2, abandonment=policy)
        change = (await log_of(sessions._live, sitting.id))[-1]
        assert isinstance(change.batch.entries[0], Joined)
        assert sessions.committer.commit_of(None, change, None).lifetime_ms == days * 24 * HOUR
