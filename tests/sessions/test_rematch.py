"""The rematch of a finished game: one session, whichever call comes first, with each player one seat further on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from skerry_service.domain.errors import (
    AlreadyStarted,
    GameOver,
    LimitReached,
    NameTaken,
    NoPlayer,
    NotAllowed,
    NotFinished,
    SeatTaken,
    StoreUnavailable,
    TokenInvalid,
    TokenMissing,
)
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.log import Joined
from skerry_service.domain.record import (
    AbandonmentPolicy,
    Clock,
    ClockKind,
    Delay,
    Occupant,
    Phase,
    SeatRecord,
    Spectating,
    TimeoutAction,
    Visibility,
)
from skerry_service.domain.table import BOT, OPEN
from skerry_service.domain.tokens import join_code_of, recognise
from skerry_service.sessions.actions.rematch import rematch_of
from skerry_service.sessions.service import Sessions
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Sitting, begin, log_of, play_out, sit_down, stored
from tests.timers.thinkers import THINKS

KEPT_MS = SessionLimits().kept_seats_ms
ENDS_AT_ONCE = AbandonmentPolicy(on_resignation=TimeoutAction.END)


async def finished(sessions: Sessions, *seats: SeatRecord, **new: Any) -> Sitting:
    """A session that ended when its first player resigned. ``seats``: ``OPEN`` ones are taken, in order."""
    sitting = await begin(sessions, PAIRS, *seats, abandonment=ENDS_AT_ONCE, **new)
    code = join_code_of((await sessions.get(sitting.id, None))[0].record) or ""
    for name in ("Ada", "Bob", "Cyd")[: seats.count(OPEN)]:
        joined = await sessions.players.join(sitting.id, name, None, None, player_id=name.lower(), code=code)
        sitting.seats.append(joined[2])
    await sessions.players.resign(sitting.id, sitting.seats[0], None)
    return sitting


async def test_the_first_to_call_makes_it_and_the_last_to_come_starts_it(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting = await finished(sessions, OPEN, OPEN, OPEN)
    first = await sessions.rematches.rematch(sitting.id, sitting.seats[1])
    assert [one.occupant for one in first.table.record.seats] == [Occupant.KEPT, Occupant.KEPT, Occupant.PLAYER]
    assert [one.name for one in first.table.record.seats] == ["Cyd", "Ada", "Bob"]
    second = await another.rematches.rematch(sitting.id, sitting.seats[0])
    assert second.table.record.phase is Phase.LOBBY
    last = await sessions.rematches.rematch(sitting.id, sitting.seats[2])
    assert last.table.record.phase is Phase.PLAYING
    assert [one.seat for one in (second, first, last)] == [1, 2, 0]
    assert len({one.table.record.id for one in (first, second, last)}) == 1
    for one in (first, second, last):
        assert recognise(last.table.record, one.token).seat == one.seat
        assert one.token not in sitting.seats
    rematch = last.table.record.id
    assert (await log_of(store, rematch))[-1].table == last.table == await stored(store, rematch)
    over = await play_out(sessions, Sitting(rematch, "", "", [last.token, second.token, first.token]))
    assert over.record.phase is Phase.FINISHED


async def test_all_is_as_it_was_but_the_seed_and_the_tokens(sessions: Sessions) -> None:
    clock = Clock(ClockKind.BANK, bank_ms=60_000)
    chosen = {"visibility": Visibility.UNLISTED, "spectating": Spectating.INVITED, "labels": (("event", "cup"),)}
    chosen |= {"delay": Delay(entries=3), "share": 7, "hints": True}
    sitting = await finished(
        sessions, OPEN, OPEN, clock=clock, requires_join_code=True, public_player_ids=True, **chosen
    )
    before = (await sessions.get(sitting.id, None))[0].record
    made = await sessions.rematches.rematch(sitting.id, sitting.seats[0])
    after = made.table.record
    for same in (
        "game",
        "ruleset",
        "options",
        "clock",
        "abandonment",
        "public_player_ids",
        "requires_join_code",
        *chosen,
    ):
        assert getattr(after, same) == getattr(before, same), same
    assert [one.player_id for one in after.seats] == ["bob", "ada"]
    assert (after.seeded, after.outcome, after.lost) == (False, None, ())
    assert len({before.seed, after.seed, before.salt, after.salt}) == 4
    for old in (*sitting.seats, sitting.host, sitting.spectator):
        with pytest.raises(TokenInvalid):
            recognise(after, old)


async def test_who_made_it_is_its_host_however_often_it_asks(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting = await finished(sessions, OPEN, OPEN, OPEN)
    made = await sessions.rematches.rematch(sitting.id, sitting.seats[2])
    other = await another.rematches.rematch(sitting.id, sitting.seats[1])
    assert (other.host, other.spectator) == ("", "")
    for replica in (sessions, another):
        repeat = await replica.rematches.rematch(sitting.id, sitting.seats[2])
        assert (repeat.seat, repeat.token, repeat.host, repeat.spectator) == (
            made.seat, made.token, made.host, made.spectator,
        )  # fmt: skip
    store.now_ms += KEPT_MS
    started = await another.host.start(made.table.record.id, made.host, True, None)
    assert [one.occupant for one in started.record.seats] == [Occupant.PLAYER, Occupant.BOT, Occupant.PLAYER]
    with pytest.raises(AlreadyStarted):
        await sessions.rematches.rematch(sitting.id, sitting.seats[0])
    again = await sessions.rematches.rematch(sitting.id, sitting.seats[1])
    assert (again.token, again.table.record.phase) == (other.token, Phase.PLAYING)


async def test_seats_that_close_up_keep_their_players(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await finished(sessions, OPEN, OPEN, OPEN)
    made = await sessions.rematches.rematch(sitting.id, sitting.seats[1])
    await sessions.rematches.rematch(sitting.id, sitting.seats[0])
    assert made.seat == 2
    store.now_ms += KEPT_MS
    await sessions.host.start(made.table.record.id, made.host, False, None)
    assert (await sessions.rematches.rematch(sitting.id, sitting.seats[1])).seat == 1


async def test_all_who_call_at_once_get_seats_of_one_session(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    for number in range(8):
        sitting = await finished(sessions, OPEN, OPEN, OPEN)
        replicas = (sessions, another, sessions) if number % 2 else (another, sessions, another)
        tokens = [token for token in sitting.seats for _ in range(2)]
        calls = [replicas[n % 3].rematches.rematch(sitting.id, token) for n, token in enumerate(tokens)]
        seated = await asyncio.gather(*calls)
        assert [one.seat for one in seated] == [1, 1, 2, 2, 0, 0]
        assert sum(one.host != "" for one in seated) == 2, "those of one seat"
        log = [one.entry for change in await log_of(store, seated[0].table.record.id) for one in change.applied]
        assert sorted(one.seat for one in log if isinstance(one, Joined)) == [0, 1, 2]


async def test_bots_play_again_and_substitutes_make_room_for_those_they_played_for(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, THINKS, OPEN, OPEN, abandonment=ENDS_AT_ONCE)
    for name in ("Ada", "Bob", "Cyd"):
        sitting.seats.append((await sessions.players.join(sitting.id, name, None, None))[2])
    await sessions.players.leave(sitting.id, sitting.seats[0], None)
    await sessions.players.leave(sitting.id, sitting.seats[1], None)
    await sessions.host.open_seat(sitting.id, sitting.host, 2, None)
    await sessions.players.resign(sitting.id, sitting.seats[2], None)
    made = await sessions.rematches.rematch(sitting.id, sitting.seats[0])
    assert [(one.occupant, one.name) for one in made.table.record.seats] == [
        (Occupant.KEPT, "Cyd"),
        (Occupant.PLAYER, "Ada"),
        (Occupant.BOT, "Bot 1"),
        (Occupant.OPEN, ""),  # of the seat that was opened to anybody nobody holds a token
    ]
    assert made.table.record.seats[2].level == THINKS.level
    with pytest.raises(TokenInvalid):
        await sessions.rematches.rematch(sitting.id, sitting.seats[1])
    with pytest.raises(NameTaken):
        await sessions.players.join(made.table.record.id, "cyd", None, None)
    await sessions.players.join(made.table.record.id, "Eve", None, None)
    assert (await sessions.rematches.rematch(sitting.id, sitting.seats[2])).table.record.phase is Phase.PLAYING


async def test_against_bots_alone_it_begins_at_once(sessions: Sessions) -> None:
    sitting = await finished(sessions, OPEN, BOT)
    assert (await sessions.rematches.rematch(sitting.id, sitting.seats[0])).table.record.phase is Phase.PLAYING


@pytest.mark.parametrize("seat", [0, 1])
async def test_the_host_has_no_power_while_a_player_of_the_finished_game_may_still_answer(
    sessions: Sessions, another: Sessions, store: FaultyStore, seat: int
) -> None:
    """Otherwise the loser could call first and cancel the rematch, or drop the winner."""
    sitting = await finished(sessions, OPEN, OPEN, OPEN)
    made = await sessions.rematches.rematch(sitting.id, sitting.seats[0])
    await sessions.rematches.rematch(sitting.id, sitting.seats[2])
    rematch = made.table.record.id
    store.now_ms += KEPT_MS - 1_500
    for replica in (sessions, another):
        for call in (
            replica.host.cancel(rematch, made.host, None),
            replica.host.remove(rematch, made.host, 2 * seat, None),
            replica.host.start(rematch, made.host, bool(seat), None),
        ):
            with pytest.raises(LimitReached, match="Bob has not answered yet") as refused:
                await call
            assert (refused.value.retry_after, refused.value.metadata["limit"]) == (1.5, "kept_seats")
    assert (await sessions.rematches.rematch(sitting.id, sitting.seats[1])).table.record.phase is Phase.PLAYING


async def test_a_host_who_leaves_the_rematch_cannot_cancel_it_for_the_others(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await finished(sessions, OPEN, OPEN)
    made = await sessions.rematches.rematch(sitting.id, sitting.seats[0])
    rematch = made.table.record.id
    await sessions.players.leave(rematch, made.token, None)
    with pytest.raises(LimitReached):
        await sessions.host.cancel(rematch, made.host, None)
    store.now_ms += KEPT_MS
    assert (await sessions.host.cancel(rematch, made.host, None)).record.phase is Phase.CANCELLED


async def test_the_host_has_its_powers_when_all_players_have_answered(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, OPEN, abandonment=ENDS_AT_ONCE)
    for name in ("Ada", "Bob", "Cyd"):
        sitting.seats.append((await sessions.players.join(sitting.id, name, None, None))[2])
    await sessions.players.leave(sitting.id, sitting.seats[2], None)
    await sessions.host.open_seat(sitting.id, sitting.host, 2, None)
    await sessions.players.resign(sitting.id, sitting.seats[0], None)
    made = await sessions.rematches.rematch(sitting.id, sitting.seats[0])
    await sessions.rematches.rematch(sitting.id, sitting.seats[1])
    assert made.table.record.seats[0].occupant is Occupant.OPEN
    assert (await sessions.host.start(made.table.record.id, made.host, True, None)).record.phase is Phase.PLAYING


async def test_nobody_else_takes_a_kept_seat_until_the_host_gives_it_up(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await finished(sessions, OPEN, OPEN)
    made = await sessions.rematches.rematch(sitting.id, sitting.seats[0])
    rematch = made.table.record.id
    for wanted in (None, 0, 1):
        with pytest.raises(SeatTaken):
            await sessions.players.join(rematch, "Eve", wanted, None)
    store.now_ms += KEPT_MS
    await sessions.host.remove(rematch, made.host, 0, None)
    with pytest.raises(NoPlayer):
        await sessions.host.remove(rematch, made.host, 0, None)
    with pytest.raises(NotAllowed):
        await sessions.rematches.rematch(sitting.id, sitting.seats[1])
    assert (await sessions.players.join(rematch, "Eve", None, None))[0].record.phase is Phase.PLAYING


async def test_there_is_none_of_a_game_that_is_not_finished(sessions: Sessions) -> None:
    playing = await sit_down(sessions, PAIRS, 2)
    lobby = await begin(sessions, PAIRS, OPEN, OPEN)
    waits = (await sessions.players.join(lobby.id, "Ada", None, None))[2]
    with pytest.raises(NotFinished):
        await sessions.rematches.rematch(playing.id, playing.seats[0])
    with pytest.raises(NotFinished):
        await sessions.rematches.rematch(lobby.id, waits)
    await sessions.host.cancel(lobby.id, lobby.host, None)
    with pytest.raises(NotFinished):
        await sessions.rematches.rematch(lobby.id, waits)
    over = await finished(sessions, OPEN, OPEN)
    with pytest.raises(TokenMissing):
        await sessions.rematches.rematch(over.id, None)
    for token in (over.host, over.spectator):
        with pytest.raises(NotAllowed):
            await sessions.rematches.rematch(over.id, token)


async def test_it_is_found_as_soon_as_it_is_there_and_no_longer_than_it_is(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting = await finished(sessions, OPEN, OPEN)
    record = (await sessions.get(sitting.id, None))[0].record
    assert await another.rematches.find(record) is None
    made = (await sessions.rematches.rematch(sitting.id, sitting.seats[0])).table.record
    assert await another.rematches.find(record) == made.id == rematch_of(record)
    store.delete(made.id)  # the lobby's lifetime has passed
    assert await another.rematches.find(record) is None
    _, begun = [(await another.rematches.rematch(sitting.id, token)).table for token in reversed(sitting.seats)]
    assert (begun.record.id, begun.record.phase) == (made.id, Phase.PLAYING)
    assert begun.record.salt != made.salt
    assert (await sessions.rematches.rematch(sitting.id, sitting.seats[0])).table == begun


async def test_a_cancelled_rematch_is_not_created_again(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await finished(sessions, OPEN, OPEN)
    made = await sessions.rematches.rematch(sitting.id, sitting.seats[0])
    store.now_ms += KEPT_MS
    await sessions.host.cancel(made.table.record.id, made.host, None)
    with pytest.raises(GameOver):
        await sessions.rematches.rematch(sitting.id, sitting.seats[1])


@pytest.mark.parametrize("lost", range(4))
async def test_a_call_that_broke_off_anywhere_can_be_repeated(
    sessions: Sessions, another: Sessions, store: FaultyStore, lost: int
) -> None:
    sitting = await finished(sessions, OPEN, OPEN)
    store.lose(lost)
    broken = 0
    for token in sitting.seats:
        try:
            await sessions.rematches.rematch(sitting.id, token)
        except StoreUnavailable:
            broken += 1
    assert broken == (lost < 3), "it takes three writes: one to make it, and one for each player"
    made, other = [await another.rematches.rematch(sitting.id, token) for token in sitting.seats]
    assert made.table.record.phase is Phase.PLAYING
    assert (bool(made.host), other.host) == (True, "")
    log = [one.entry for change in await log_of(store, made.table.record.id) for one in change.applied]
    assert sorted(one.seat for one in log if isinstance(one, Joined)) == [0, 1]
