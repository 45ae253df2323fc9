"""Thinking bots: their decisions block no call, are made once by any worker, and use only what the seat may know."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from msgspec import msgpack
from msgspec.structs import replace

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_games.kreta import GAME as KRETA
from skerry_games.rng import SeededRng
from skerry_games.tenerife import GAME as TENERIFE
from skerry_service.domain import transitions
from skerry_service.domain.bot_decisions import DueDecision, decision_for, due_decisions
from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import StaleSequence, StoreUnavailable
from skerry_service.domain.log import Labelled, Moved
from skerry_service.domain.packed import Head
from skerry_service.domain.record import RANDOM, Occupant, UndoPolicy
from skerry_service.domain.table import BOT, OPEN, Applied, Change
from skerry_service.sessions.service import Sessions
from skerry_service.timers.bot_worker import BotWorker
from skerry_service.timers.fair_slots import FairSlots
from skerry_service.timers.scheduler import LEASE_MS
from tests.games.pairs import GAME as PAIRS
from tests.sessions.records import new_record
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import SEED, Sitting, begin, log_of, move_once, nth_move, sit_down, stored, uuid
from tests.store.schedules import due
from tests.timers.clocks import poll
from tests.timers.thinkers import THINKS, Slow, chosen, until_due
from tests.watching.stream_readers import PATIENCE, Reader, observe

GAMES = sorted({*all_games(), PAIRS.id})


@pytest.fixture
def slow() -> Slow:
    return Slow()


async def sit_with(sessions: Sessions, *bots: Any, game: AnyGame = KRETA, **new: Any) -> Sitting:
    """Begin a game of one player and these bots."""
    sitting = await begin(sessions, game, OPEN, *bots, **new)
    sitting.seats.append((await sessions.players.join(sitting.id, "Ada", None, None))[2])
    return sitting


async def made(store: FaultyStore, one: DueDecision) -> list[Applied]:
    """Return the moves of a seat since it owes a decision."""
    entries = [
        applied
        for change in await log_of(store, one.session)
        for applied in change.applied
        if applied.sequence > one.since
    ]
    return [each for each in entries if isinstance(each.entry, Moved) and each.entry.actor == one.seat]


# ---------------------------------------------------------------- blocking no calls


async def test_a_table_waits_for_a_thinking_bot(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_with(sessions, THINKS)
    table, one = await until_due(sessions, sitting)
    assert table.to_act == (one.seat,) == (1,)
    assert (one.session, one.level, one.since) == (sitting.id, "slow", table.sequence)
    assert await made(store, one) == []


async def test_a_thinking_bot_blocks_neither_readers_nor_other_sessions(sessions: Sessions, slow: Slow) -> None:
    worker = BotWorker(sessions, {"slow": slow})
    slow.hold()
    sitting, other = await sit_with(sessions, THINKS), await sit_down(sessions, KRETA, 2)
    reader = Reader(observe(sessions, sitting.id, None, 0))
    table, one = await until_due(sessions, sitting)
    await slow.is_asked()
    assert (await sessions.get(sitting.id, sitting.seats[0]))[0] == table
    before = (await sessions.get(other.id, None))[0]
    assert (await move_once(sessions, other)).sequence > before.sequence
    await sessions.host.label(sitting.id, sitting.host, (("table", "4"),), None)
    labelled = (await reader.reaches(table.sequence + 1)).applied[-1]
    assert isinstance(labelled.entry, Labelled)
    slow.go()
    thought = (await reader.reaches(table.sequence + 2)).applied[0]
    assert isinstance(thought.entry, Moved)
    assert (thought.entry.actor, thought.entry.automatic, thought.move) == (one.seat, True, chosen(slow.asked[0]))
    await worker.close()
    await reader.stop()


@pytest.mark.parametrize("name", GAMES)
async def test_thinking_bots_play_a_game_to_its_end(sessions: Sessions, store: FaultyStore, name: str) -> None:
    worker = BotWorker(sessions, {"slow": Slow()})
    game = all_games()[name]
    sitting = await begin(sessions, game, *(THINKS,) * (game.seats[0] - 1), BOT)
    reader = Reader(observe(sessions, sitting.id, None, 0))
    await reader.ends()
    changes = await log_of(store, sitting.id)
    assert changes[-1].table == await stored(store, sitting.id)
    assert changes[-1].table.record.outcome is not None
    assert {
        applied.entry.actor for change in changes for applied in change.applied[:1] if isinstance(applied.entry, Moved)
    } == {*range(game.seats[0] - 1)}
    assert all(applied.entry.automatic for applied in _moves_of_seats(changes))
    await worker.close()


def _moves_of_seats(changes: list[Change]) -> list[Any]:
    entries = [applied for change in changes for applied in change.applied]
    return [each for each in entries if isinstance(each.entry, Moved) and each.entry.actor >= 0]


async def test_simultaneous_choices_of_bots_and_players_are_accepted_in_any_order(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_with(sessions, THINKS, BOT, game=PAIRS)
    table, one = await until_due(sessions, sitting)
    assert table.to_act == (0, 1)
    move = chosen(decision_for(table, one, 2))
    mover = await sessions.moves.seated(sitting.id, sitting.seats[0])
    await sessions.moves.act(mover, nth_move(table, 0, 0), table.sequence, None)
    await another.moves.decide(one, move)
    assert [applied.move for applied in await made(store, one)][:1] == [move]


# ---------------------------------------------------------------- once, by any worker


async def test_another_worker_makes_the_decision_of_a_dead_one(
    sessions: Sessions, another: Sessions, store: FaultyStore, slow: Slow
) -> None:
    dies, lives = BotWorker(sessions, {"slow": slow}), BotWorker(another, {"slow": Slow()})
    slow.hold()
    sitting = await sit_with(sessions, THINKS)
    table, one = await until_due(sessions, sitting)
    await slow.is_asked()
    await dies.close()
    assert due_decisions(await stored(store, sitting.id)) == (one,)
    reader = Reader(observe(another, sitting.id, None, table.sequence))
    lives.start_due(await another.live(sitting.id))
    await reader.reaches(table.sequence + 1)
    assert (await made(store, one))[0].move == chosen(slow.asked[0])
    await reader.stop()
    await lives.close()


async def test_a_bot_game_whose_replica_dies_right_after_storing_it_continues(
    sessions: Sessions, another: Sessions, store: FaultyStore, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = store.create

    async def polled_before(*asked: Any) -> Head | None:
        assert await due(store) == []
        return await create(*asked)

    monkeypatch.setattr(store, "create", polled_before)
    sitting = await begin(sessions, KRETA, THINKS, THINKS)  # at a replica without a worker
    store.now_ms += LEASE_MS
    lives = BotWorker(another, {"slow": slow})
    await poll(another, lives)
    await slow.is_asked()
    await lives.close()
    assert due_decisions(await stored(store, sitting.id))


async def test_a_closed_worker_starts_nothing(sessions: Sessions, slow: Slow) -> None:
    worker = BotWorker(sessions, {"slow": slow})
    await worker.close()
    sitting = await sit_with(sessions, THINKS)
    await until_due(sessions, sitting)
    worker.start_due(await sessions.live(sitting.id))
    await asyncio.sleep(0)
    assert slow.asked == []


async def test_a_decision_of_an_unknown_level_stays_due(sessions: Sessions, slow: Slow) -> None:
    worker = BotWorker(sessions, {"another level": slow})
    sitting = await sit_with(sessions, THINKS)
    _, one = await until_due(sessions, sitting)
    await worker.close()
    assert due_decisions((await sessions.get(sitting.id, None))[0]) == (one,)
    assert slow.asked == []


async def test_a_decision_made_twice_is_stored_once(sessions: Sessions, another: Sessions, store: FaultyStore) -> None:
    sitting = await sit_with(sessions, THINKS)
    table, one = await until_due(sessions, sitting)
    first, second = nth_move(table, one.seat, 0), nth_move(table, one.seat, 1)
    assert first != second
    changes = await asyncio.gather(sessions.moves.decide(one, first), another.moves.decide(one, second))
    assert changes[0] == changes[1]
    assert (await stored(store, sitting.id)) == changes[0].table
    assert [applied.move for applied in await made(store, one)].count(second) == 0


async def test_a_bot_that_thinks_about_a_move_taken_back_thinks_again(
    sessions: Sessions, store: FaultyStore, slow: Slow
) -> None:
    """The decision about the former position is dropped, whenever it ends."""
    slow.hold()
    worker = BotWorker(sessions, {"slow": slow})
    sitting = await sit_with(sessions, THINKS, game=TENERIFE, undo=UndoPolicy.OWN_MOVES)
    table, first = await until_due(sessions, sitting)
    await slow.is_asked()
    await sessions.players.undo(sitting.id, sitting.seats[0], table.sequence, None)
    table, second = await until_due(sessions, sitting)
    assert second.since == table.sequence == first.since + 2
    asked = await slow.is_asked(2)
    reader = Reader(observe(sessions, sitting.id, None, table.sequence))
    slow.go()
    await reader.reaches(table.sequence + 1)
    await reader.stop()
    await worker.close()
    moves = await made(store, first)
    assert moves == await made(store, second)
    assert moves[0].move == chosen(asked)
    assert (await stored(store, sitting.id)).run is None, "the player cannot take back what the bot has answered"


async def test_an_old_decision_is_not_made_again(sessions: Sessions) -> None:
    sitting = await sit_with(sessions, THINKS)
    table, one = await until_due(sessions, sitting)
    move = nth_move(table, one.seat, 0)
    table = (await sessions.moves.decide(one, move)).table
    for number in range(40):
        await sessions.host.label(sitting.id, sitting.host, (("number", str(number)),), uuid(number))
    with pytest.raises(StaleSequence):
        await sessions.moves.decide(one, move)


async def test_a_worker_cannot_move_for_a_player(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    table, _ = await sessions.get(sitting.id, None)
    seat = table.to_act[0]
    forged = DueDecision(sitting.id, seat, table.open_since[seat], RANDOM)
    with pytest.raises(StaleSequence):
        await sessions.moves.decide(forged, nth_move(table, seat, 0))


async def test_a_failing_or_cheating_level_is_logged_and_its_decision_stays_due(
    sessions: Sessions, caplog: pytest.LogCaptureFixture
) -> None:
    class Fails(Slow):
        async def __call__(self, decision: Any) -> Any:
            await super().__call__(decision)
            raise ArithmeticError("lost count")

    class Cheats(Slow):
        async def __call__(self, decision: Any) -> Any:
            await super().__call__(decision)
            return "checkmate"

    for level in (Fails(), Cheats()):
        caplog.clear()
        worker = BotWorker(sessions, {"slow": level})
        level.hold()
        sitting = await sit_with(sessions, THINKS)
        _, one = await until_due(sessions, sitting)
        await level.is_asked()
        level.go()
        await turns()
        await worker.close()
        assert due_decisions((await sessions.get(sitting.id, None))[0]) == (one,)
        assert [record.levelno for record in caplog.records] == [logging.ERROR]
        assert f"level slow has failed to move for seat {one.seat} of session {sitting.id}" in caplog.text


async def test_a_worker_retries_while_the_store_is_unavailable(
    sessions: Sessions, store: FaultyStore, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StoreUnavailable, "retry_after", 0.0)
    worker = BotWorker(sessions, {"slow": slow})
    slow.hold()
    sitting = await sit_with(sessions, THINKS)
    table, one = await until_due(sessions, sitting)
    reader = Reader(observe(sessions, sitting.id, None, table.sequence))
    await reader.has(1)
    await slow.is_asked()
    store.away = True
    slow.go()
    await turns()
    assert await made_of(store, one) == 0
    store.away = False
    await reader.reaches(table.sequence + 1)
    assert await made_of(store, one) >= 1
    await reader.stop()
    await worker.close()


async def turns() -> None:
    """Let all ready tasks run."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_decision_that_waits_is_not_made_after_its_game_has_ended(sessions: Sessions, slow: Slow) -> None:
    worker = BotWorker(sessions, {"slow": slow}, FairSlots(1))
    slow.hold()
    await until_due(sessions, await sit_with(sessions, THINKS))
    await slow.is_asked()
    other = await sit_with(sessions, THINKS, seed=bytes(32))
    table, owed = await until_due(sessions, other)
    await turns()
    assert (worker.busy, worker.slots.waiting) == (2, 1)
    await sessions.players.resign(other.id, other.seats[0], None)
    slow.go()
    async with asyncio.timeout(PATIENCE):
        while worker.busy:  # noqa: ASYNC110 - a worker notifies no one
            await asyncio.sleep(0)
    assert decision_for(table, owed, 0).seed not in {decision.seed for decision in slow.asked}
    await worker.close()


async def made_of(store: FaultyStore, one: DueDecision) -> int:
    away, store.away = store.away, False
    count = len(await made(store, one))
    store.away = away
    return count


# ---------------------------------------------------------------- abandonment


async def test_the_substitute_of_a_player_who_leaves_moves_at_once(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_with(sessions, THINKS)
    before, _ = await sessions.get(sitting.id, None)
    while before.to_act != (0,):
        before = (await sessions.moves.decide(due_decisions(before)[0], nth_move(before, 1, 0))).table
    after = await sessions.players.leave(sitting.id, sitting.seats[0], None)
    assert [(seat.occupant, seat.level) for seat in after.record.seats] == [
        (Occupant.BOT, RANDOM),
        (Occupant.BOT, "slow"),
    ]
    left, first = (await log_of(store, sitting.id))[-1].applied[:2]
    drawn = SeededRng(SEED, first.sequence).choice(KRETA.legal_moves(before.state, 0))
    assert (first.move, first.sequence) == (drawn, left.sequence + 1)
    assert due_decisions(after)


# ---------------------------------------------------------------- the input of a level


@pytest.mark.parametrize("name", GAMES)
def test_a_decision_does_not_depend_on_hidden_state(name: str) -> None:
    game = all_games()[name]
    seats = game.seats[-1]
    table = transitions.create(new_record(game, (THINKS,) * seats, SEED), now=Moment(1)).table
    varied = 0
    while owed := due_decisions(table):
        for one in owed:
            given = decision_for(table, one, 2)
            for roll in range(3):
                state = game.redeal(table.state, one.seat, SeededRng(bytes(32), 7 * table.sequence + roll))
                varied += state != table.state
                assert decision_for(replace(table, state=state), one, 2) == given
        one = owed[-1]
        table = transitions.act(table, one.seat, chosen(decision_for(table, one, 2)), one.since, now=Moment(2)).table
    assert bool(varied) == (name != KRETA.id), "in Kreta only future chance is hidden"


def test_a_decision_can_be_serialized_and_contains_no_session_seed() -> None:
    table = transitions.create(new_record(KRETA, (THINKS,) * 2, SEED), now=Moment(1)).table
    (one,) = due_decisions(table)
    given = decision_for(table, one, 3)
    sent = msgpack.encode(given)
    assert msgpack.decode(sent)["game"] == "kreta"
    assert SEED not in sent
    assert len(given.samples) == 3
    assert {*map(type, given.samples)} == {KRETA.state_type}
    assert all(KRETA.view(sample, one.seat) == given.view for sample in given.samples)
    assert given.legal_moves == tuple(KRETA.legal_moves(table.state, one.seat))


def test_each_decision_of_each_session_has_its_own_seed() -> None:
    table = transitions.create(new_record(KRETA, (THINKS,) * 2, SEED), now=Moment(1)).table
    (one,) = due_decisions(table)
    other = replace(table, record=replace(table.record, seed=bytes(32)))
    later = replace(one, since=one.since + 1)
    seeds = {decision_for(table, one, 0).seed, decision_for(table, later, 0).seed, decision_for(other, one, 0).seed}
    assert len(seeds) == 3
