"""Players who are polite without a chat: seldom enough to be no nuisance, and without an effect on the game."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from skerry_games.kreta import GAME as KRETA
from skerry_games.tenerife import GAME as TENERIFE
from skerry_service.domain.errors import (
    GameOver,
    LimitReached,
    NotAllowed,
    NotStarted,
    RequestIdReused,
    SkerryError,
    SubstitutePlays,
    TokenMissing,
)
from skerry_service.domain.limits import MAX_EMOTES, MAX_ENTRIES_FOR_EMOTES_BEFORE_START, MIN_EMOTE_INTERVAL_MS
from skerry_service.domain.log import Emoted, Moved
from skerry_service.domain.record import Delay, Emote, Emotes, UndoPolicy
from skerry_service.domain.table import OPEN, Table, undoable
from skerry_service.replays import ruleset_check
from skerry_service.sessions.service import Sessions
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Sitting, begin, live, log_of, move_once, nth_move, play_out, sit_down, stored, uuid
from tests.timers.clocks import BANK
from tests.watching.stream_readers import Reader, observe


async def send(sessions: Sessions, sitting: Sitting, seat: int, emote: Emote = Emote.HELLO) -> Table:
    return await sessions.players.send_emote(sitting.id, sitting.seats[seat], emote, None)


async def emotes(store: FaultyStore, sitting: Sitting) -> list[tuple[int, Emote]]:
    entries = [entry for change in await log_of(store, sitting.id) for entry in change.batch.entries]
    return [(entry.seat, entry.emote) for entry in entries if isinstance(entry, Emoted)]


async def test_the_table_sees_it_in_the_lobby_and_in_play(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting = await begin(sessions, KRETA, OPEN, OPEN)
    sitting.seats.append((await sessions.players.join(sitting.id, "Ada", None, None))[2])
    await send(sessions, sitting, 0)
    reader = Reader(observe(another, sitting.id, sitting.spectator, 0))
    await reader.has(1)
    sitting.seats.append((await sessions.players.join(sitting.id, "Ben", None, None))[2])
    table = await send(sessions, sitting, 1, Emote.GOOD_GAME)
    await reader.reaches(table.sequence)
    assert reader.updates[-1].applied[-1].entry == Emoted(1, Emote.GOOD_GAME, store.now_ms)
    assert await stored(store, sitting.id) == table
    assert await emotes(store, sitting) == [(0, Emote.HELLO), (1, Emote.GOOD_GAME)]
    await reader.stop()


async def test_no_decision_becomes_stale_and_no_clock_changes(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, clock=BANK)
    before = await live(sessions, sitting)
    seat = before.to_act[0]
    store.now_ms += 5_000
    after = await send(sessions, sitting, 1 - seat)
    assert replace(after, **unchanged(before)) == before
    assert (after.clocks, after.open_since, after.turn) == (before.clocks, before.open_since, before.turn)
    mover = await sessions.moves.seated(sitting.id, sitting.seats[seat])
    await sessions.moves.act(mover, nth_move(before, seat, 0), before.sequence, None)


def unchanged(before: Table) -> dict[str, object]:
    return {name: getattr(before, name) for name in ("record", "sequence", "chained_hash", "time_ms", "uptime_ms")}


async def test_moves_can_still_be_taken_back(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2, undo=UndoPolicy.OWN_MOVES)
    before = await live(sessions, sitting)
    seat = before.to_act[0]
    moved = await move_once(sessions, sitting, 1)
    for one in (0, 1):
        await send(sessions, sitting, one)
    assert undoable(await live(sessions, sitting), seat) == 1
    undone, _ = await sessions.players.undo(sitting.id, sitting.seats[seat], moved.sequence, None)
    assert undone.table.state == before.state


async def test_a_move_and_an_emote_at_once_both_happen(sessions: Sessions, another: Sessions) -> None:
    sitting = await sit_down(sessions, TENERIFE, 2)
    table = await live(sessions, sitting)
    await live(another, sitting)
    seat = table.to_act[0]
    mover = await another.moves.seated(sitting.id, sitting.seats[seat])
    await asyncio.gather(
        another.moves.act(mover, nth_move(table, seat, 0), table.sequence, None), send(sessions, sitting, 1 - seat)
    )
    entries = [entry for change in await log_of(sessions._live, sitting.id) for entry in change.batch.entries]
    assert sorted(type(entry).__name__ for entry in entries[table.sequence :]) == ["Emoted", "Moved"]


async def test_one_in_three_seconds_on_all_replicas(sessions: Sessions, another: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    await send(sessions, sitting, 0)
    await send(sessions, sitting, 1)
    store.now_ms += MIN_EMOTE_INTERVAL_MS - 500
    for replica in (sessions, another):
        with pytest.raises(LimitReached) as refused:
            await send(replica, sitting, 0)
        assert (refused.value.metadata["limit"], refused.value.retry_after) == ("emotes", 0.5)
    store.now_ms += 500
    at_once = [send(one, sitting, 0, Emote.THANKS) for one in (sessions, another)]
    results = await asyncio.gather(*at_once, return_exceptions=True)
    assert sorted(type(one).__name__ for one in results) == ["LimitReached", "Table"]
    assert len(await emotes(store, sitting)) == 3


async def test_a_thousand_at_once_are_one_and_hold_no_other_player_up(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, KRETA, 2, clock=BANK)
    table = await live(sessions, sitting)
    seat = table.to_act[0]
    flood = [send(replica, sitting, 1 - seat) for _ in range(500) for replica in (sessions, another)]
    mover = await another.moves.seated(sitting.id, sitting.seats[seat])
    move = another.moves.act(mover, nth_move(table, seat, 0), table.sequence, None)
    results = await asyncio.gather(*flood, move, send(sessions, sitting, seat), return_exceptions=True)
    refusals = [one for one in results if isinstance(one, BaseException)]
    assert len(refusals) == len(flood) - 1
    assert all(isinstance(one, LimitReached) and one.metadata["limit"] == "emotes" for one in refusals)
    assert sorted(one for one, _ in await emotes(store, sitting)) == [0, 1]
    assert (await live(another, sitting)).sequence - table.sequence <= 4, "the move with its chance, and two emotes"


async def test_delayed_spectators_see_it_with_the_delay(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, delay=Delay(ms=60_000))
    store.now_ms += 60_000
    sent = await send(sessions, sitting, 0)
    store.now_ms += 59_999
    assert (await sessions.get(sitting.id, None))[0].sequence == sent.sequence - 1
    reader = Reader(observe(sessions, sitting.id, None, sent.sequence - 1))
    assert not (await reader.has(1)).applied
    store.now_ms += 1
    assert [one.entry for one in (await reader.reaches(sent.sequence)).applied] == [
        Emoted(0, Emote.HELLO, sent.uptime_ms)
    ]
    await reader.stop()


async def test_a_player_has_so_many(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    for _ in range(MAX_EMOTES):
        store.now_ms += MIN_EMOTE_INTERVAL_MS
        await send(sessions, sitting, 0)
    record = (await live(sessions, sitting)).record
    assert record.seats[0].emotes == Emotes(MAX_EMOTES, store.now_ms)
    store.now_ms += MIN_EMOTE_INTERVAL_MS
    with pytest.raises(LimitReached) as refused:
        await send(sessions, sitting, 0)
    assert refused.value.retry_after is None
    await send(sessions, sitting, 1)


async def test_emotes_do_not_fill_a_lobby(sessions: Sessions) -> None:
    sitting = await begin(sessions, KRETA, OPEN, OPEN)
    sitting.seats.append((await sessions.players.join(sitting.id, "Ada", None, None))[2])
    while (await live(sessions, sitting)).sequence < MAX_ENTRIES_FOR_EMOTES_BEFORE_START:
        await sessions.host.label(sitting.id, sitting.host, (("round", "1"),), None)
    with pytest.raises(LimitReached) as refused:
        await send(sessions, sitting, 0)
    assert refused.value.metadata["limit"] == "entries"
    await sessions.players.join(sitting.id, "Ben", None, None)


async def test_a_repeat_is_the_first_one(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    args = sitting.id, sitting.seats[0], Emote.OOPS, uuid(1)
    assert await sessions.players.send_emote(*args) == await sessions.players.send_emote(*args)
    assert await emotes(store, sitting) == [(0, Emote.OOPS)]
    with pytest.raises(RequestIdReused):
        await sessions.players.send_emote(sitting.id, sitting.seats[0], Emote.HELLO, uuid(1))


async def test_who_may_not_send_one(sessions: Sessions, another: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    await sessions.players.leave(sitting.id, sitting.seats[1], None)
    calls: list[tuple[str | None, type[SkerryError]]] = [
        (None, TokenMissing),
        (sitting.host, NotAllowed),
        (sitting.spectator, NotAllowed),
        (sitting.seats[1], SubstitutePlays),
    ]
    for token, error in calls:
        with pytest.raises(error):
            await another.players.send_emote(sitting.id, token, Emote.HELLO, None)
    assert await emotes(store, sitting) == []


async def test_good_game_needs_a_game_and_the_end_is_the_end(sessions: Sessions, store: FaultyStore) -> None:
    lobby = await begin(sessions, KRETA, OPEN, OPEN)
    lobby.seats.append((await sessions.players.join(lobby.id, "Ada", None, None))[2])
    with pytest.raises(NotStarted):
        await send(sessions, lobby, 0, Emote.GOOD_GAME)
    sitting = await sit_down(sessions, TENERIFE, 2)
    for emote in Emote:
        store.now_ms += MIN_EMOTE_INTERVAL_MS
        await send(sessions, sitting, 0, emote)
        await move_once(sessions, sitting)
    await play_out(sessions, sitting)
    with pytest.raises(GameOver):
        await send(sessions, sitting, 0, Emote.GOOD_GAME)
    log = await log_of(store, sitting.id)
    assert isinstance(log[-1].batch.entries[-1], Moved)
    kept = await store.load(sitting.id)
    assert kept is not None
    assert ruleset_check.first_difference(kept, await store.batches(sitting.id, 0)) is None
