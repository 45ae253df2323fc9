"""Following a session: every entry once and in order, for every caller with access."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from skerry_games.catalogue import all_games
from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.errors import (
    LimitReached,
    NotAllowed,
    SequenceAhead,
    SessionNotFound,
    ShuttingDown,
    TokenInvalid,
    TokenMissing,
)
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.record import Phase, Spectating
from skerry_service.domain.table import OPEN
from skerry_service.sessions.service import Sessions
from skerry_service.watching.streams import Update
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, begin, move_once, play_out, read_to_the_end, sit_down
from tests.watching.stream_readers import Reader, observe


async def test_every_reader_gets_every_entry_once_until_the_end(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    for game in all_games().values():
        sitting = await sit_down(sessions, game, game.seats[0])
        tokens = [*sitting.seats, sitting.host, sitting.spectator, None]
        readers = [
            Reader(observe(replica, sitting.id, token, 0)) for token in tokens for replica in (sessions, another)
        ]
        last = await play_out(sessions, sitting)
        for reader in readers:
            await reader.ends()
            assert reader.sequences == list(range(1, last.sequence + 1))
    assert store.listening == 0


async def test_a_reader_resumes_after_its_last_entry(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    table, _ = await sessions.get(sitting.id, None)
    from_five, from_now = (Reader(observe(sessions, sitting.id, None, after)) for after in (5, None))
    assert [applied.sequence for applied in (await from_five.has(1)).applied] == list(range(6, table.sequence + 1))
    assert (await from_now.has(1)).applied == []
    await play_out(sessions, sitting)
    await from_now.ends()
    assert from_now.sequences[0] == table.sequence + 1


async def test_the_first_update_comes_at_once_with_the_record(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN)
    reader = Reader(observe(sessions, sitting.id, None, None))
    first = await reader.has(1)
    assert (first.record_changed, first.heartbeat) == (True, False)
    await sessions.players.join(sitting.id, "Ada", None, None)
    assert (await reader.has(2)).record_changed
    await reader.stop()


async def test_the_stream_of_a_finished_game_ends_at_once(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    last = await play_out(sessions, sitting)
    assert await read_to_the_end(observe(sessions, sitting.id, None, 0)) == list(range(1, last.sequence + 1))
    assert await read_to_the_end(observe(sessions, sitting.id, None, last.sequence)) == []
    assert await read_to_the_end(observe(sessions, sitting.id, None, None)) == []


async def test_a_lobby_can_be_followed_through_its_start_and_renumbered_seats(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, OPEN)
    for name, seat in (("Ada", 0), ("Bob", 2)):
        sitting.seats.append((await sessions.players.join(sitting.id, name, seat, None))[2])
    reader = Reader(observe(sessions, sitting.id, sitting.seats[1], 0))
    async with sessions.reading(sitting.id, sitting.seats[1], 0) as reading:
        reading.read()
        assert reading.caller.seat == 2
        await sessions.host.start(sitting.id, sitting.host, False, None)
        reading.read()
        assert reading.caller.seat == 1
    await play_out(sessions, sitting)
    await reader.ends()


async def test_a_stream_ends_when_its_token_loses_the_seat(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 3)
    mine, other = (Reader(observe(sessions, sitting.id, token, 0)) for token in sitting.seats[:2])
    await mine.has(1)
    after = await sessions.players.leave(sitting.id, sitting.seats[0], None)
    assert (await mine.reaches(after.sequence)).record_changed, "a player who left still spectates"
    after = await sessions.host.open_seat(sitting.id, sitting.host, 0, None)
    with pytest.raises(TokenInvalid):
        await mine.ends()
    assert (await other.reaches(after.sequence)).record_changed
    await other.stop()


async def test_access_is_checked_before_anything_else(sessions: Sessions) -> None:
    invited = await sit_down(sessions, PAIRS, 2, spectating=Spectating.INVITED)
    closed = await sit_down(sessions, PAIRS, 2, spectating=Spectating.NOBODY)
    for sitting, token, refusal in (
        (invited, None, TokenMissing),
        (invited, closed.host, TokenInvalid),
        (closed, None, NotAllowed),
        (closed, closed.host, NotAllowed),
        (closed, closed.spectator, NotAllowed),
    ):
        for after in (None, 0, 10**6):
            with pytest.raises(refusal):
                await anext(observe(sessions, sitting.id, token, after))
    for sitting, token in ((invited, invited.host), (invited, invited.spectator), (closed, closed.seats[0])):
        assert (await anext(observe(sessions, sitting.id, token, 0))).applied
    await play_out(sessions, closed)
    assert await read_to_the_end(observe(sessions, closed.id, None, 0))


async def test_a_reader_ahead_of_the_log_learns_where_the_log_ends(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    table, _ = await sessions.get(sitting.id, None)
    with pytest.raises(SequenceAhead) as ahead:
        await anext(observe(sessions, sitting.id, None, table.sequence + 1))
    assert ahead.value.metadata == {"sequence": str(table.sequence)}


async def test_the_streams_of_a_token_are_limited(store: FaultyStore) -> None:
    sessions = Sessions(store, clock_ms=Clock(), limits=SessionLimits(streams_per_token=2, spectator_streams=3))
    sitting = await sit_down(sessions, PAIRS, 2)
    for token, most, named in (
        (sitting.seats[0], 2, "streams_token"),
        (sitting.seats[1], 2, "streams_token"),
        (None, 3, "spectators_session"),
        (sitting.spectator, 3, "spectators_session"),
    ):
        readers = [Reader(observe(sessions, sitting.id, token, 0)) for _ in range(most)]
        for reader in readers:
            await reader.has(1)
        with pytest.raises(LimitReached) as limit:
            await anext(observe(sessions, sitting.id, token, 0))
        assert limit.value.metadata == {"limit": named}
        await readers[0].stop()
        assert (await anext(observe(sessions, sitting.id, token, 0))).applied, "a closed stream frees its slot"
        for reader in readers:
            await reader.stop()
    assert store.listening == 0
    await sessions.close()


async def test_spectators_are_limited_by_address_and_by_session(
    store: FaultyStore,
) -> None:
    limits = SessionLimits(streams_per_token=1, spectators_per_address=2, spectator_streams=5)
    sessions = Sessions(store, clock_ms=Clock(), limits=limits)
    sitting = await sit_down(sessions, PAIRS, 2, spectating=Spectating.INVITED)
    streams: list[AsyncGenerator[Update, None]] = []

    async def watch(who: str | None, token: str = sitting.spectator) -> str | None:
        stream = observe(sessions, sitting.id, token, 0, who)
        try:
            await anext(stream)
        except LimitReached as refusal:
            return refusal.metadata["limit"]
        streams.append(stream)
        return None

    assert [await watch("a") for _ in range(3)] == [None, None, "spectators_address"]
    assert [await watch("b") for _ in range(3)] == [None, None, "spectators_address"]
    assert [await watch(who) for who in (None, "c", None)] == [None, "spectators_session", "spectators_session"]
    for seat in sitting.seats:
        assert [await watch("a", seat) for _ in range(2)] == [None, "streams_token"], "players have their own slots"
    await streams[0].aclose()
    assert [await watch("c"), await watch("a")] == [None, "spectators_session"]
    for stream in streams:
        await stream.aclose()
    assert store.listening == 0
    await sessions.close()


async def test_rejected_readers_take_no_slot(store: FaultyStore) -> None:
    sessions = Sessions(store, clock_ms=Clock(), limits=SessionLimits(streams_per_token=1))
    sitting = await sit_down(sessions, PAIRS, 2)
    for _ in range(3):
        with pytest.raises(TokenInvalid):
            await anext(observe(sessions, sitting.id, "wrong", 0))
        with pytest.raises(SequenceAhead):
            await anext(observe(sessions, sitting.id, sitting.seats[0], 10**6))
    assert store.listening == 0


async def test_closing_ends_every_stream_and_rejects_new_ones(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    readers = [Reader(observe(sessions, sitting.id, token, 0)) for token in (None, *sitting.seats)]
    for reader in readers:
        await reader.has(1)
    await sessions.close()
    for reader in readers:
        with pytest.raises(ShuttingDown):
            await reader.ends()
    with pytest.raises(ShuttingDown):
        await anext(observe(sessions, sitting.id, None, 0))
    assert store.listening == 0


async def test_a_reader_cancelled_while_the_feed_opens_leaves_nothing_behind(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    store.gate.clear()
    hasty, patient = (Reader(observe(sessions, sitting.id, None, 0)) for _ in range(2))
    await asyncio.sleep(0)
    await hasty.stop()
    store.gate.set()
    assert (await patient.has(1)).applied, "a patient reader is served although another gave up"
    await patient.stop()
    assert store.listening == 0
    store.gate.clear()
    alone = Reader(observe(sessions, sitting.id, None, 0))
    await asyncio.sleep(0)
    await alone.stop()
    store.gate.set()
    assert store.listening == 0


async def test_the_last_reader_closes_the_feed(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    for _ in range(3):
        readers = [Reader(observe(sessions, sitting.id, None, 0)) for _ in range(2)]
        for reader in readers:
            await reader.has(1)
        assert store.listening == 1
        for reader in readers:
            assert store.listening == 1
            await reader.stop()
        assert store.listening == 0


async def test_an_unknown_session_cannot_be_followed(sessions: Sessions, store: FaultyStore) -> None:
    with pytest.raises(SessionNotFound):
        await anext(observe(sessions, "a" * 16, None, 0))
    assert store.listening == 0


async def test_readers_share_a_memo_until_the_next_entry(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    one, two = (Reader(observe(sessions, sitting.id, None, 0)) for _ in range(2))
    first, second = await one.has(1), await two.has(1)
    assert first.memo is second.memo
    first.memo["rendered"] = 1
    table = await move_once(sessions, sitting)
    assert "rendered" not in (await one.reaches(table.sequence)).memo
    await one.stop()
    await two.stop()


async def test_readers_at_the_same_position_share_one_update(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    one, two, slow = (observe(sessions, sitting.id, sitting.spectator, 0) for _ in range(3))
    host, seat = (observe(sessions, sitting.id, token, 0) for token in (sitting.host, sitting.seats[0]))
    streams = [one, two, slow, host, seat]
    firsts = [await anext(stream) for stream in streams]
    assert len({id(first) for first in firsts}) == len(streams), (
        "each first update has its caller's view of the session"
    )
    await move_once(sessions, sitting)
    seen, *others = [await anext(stream) for stream in (one, two, host, seat)]
    assert all(update is seen for update in others), "the renderer decides what each caller may see"
    table = await move_once(sessions, sitting)
    behind, newest = await anext(slow), await anext(one)
    assert behind.applied == [*seen.applied, *newest.applied]
    assert newest.table.sequence == behind.table.sequence == table.sequence
    assert (await anext(two)) is newest
    for stream in streams:
        await stream.aclose()


async def test_a_slow_reader_gets_all_missed_entries_in_one_update(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    slow = observe(sessions, sitting.id, None, 0)
    first = await anext(slow)
    last = await play_out(sessions, sitting)
    assert last.record.phase is Phase.FINISHED
    rest = await anext(slow)
    assert [applied.sequence for applied in rest.applied] == list(range(first.table.sequence + 1, last.sequence + 1))
    with pytest.raises(StopAsyncIteration):
        await anext(slow)
