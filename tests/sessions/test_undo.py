"""Moves are taken back while nothing but their seat's moves has followed, on any replica, and the log keeps them."""

from __future__ import annotations

import asyncio
import random

import pytest
from msgspec.structs import replace

from skerry_games.api import CHANCE, AnyGame
from skerry_games.canarias import GAME as CANARIAS
from skerry_games.catalogue import all_games
from skerry_games.kreta import GAME as KRETA
from skerry_games.small_islands import GAME as SMALL_ISLANDS
from skerry_games.tenerife import GAME as TENERIFE
from skerry_service.domain.errors import (
    GameOver,
    LimitReached,
    NotAllowed,
    NothingToUndo,
    NotStarted,
    NotYourTurn,
    SequenceAhead,
    SkerryError,
    StaleSequence,
    SubstitutePlays,
    TimeUp,
    TokenMissing,
)
from skerry_service.domain.log import Moved, Undone
from skerry_service.domain.record import UndoPolicy
from skerry_service.domain.table import BOT, OPEN, Table, undoable
from skerry_service.domain.undoing.undo_runs import MAX_UNDOS
from skerry_service.replays import ruleset_check
from skerry_service.sessions.service import Sessions
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Sitting, begin, live, log_of, move_once, nth_move, play_out, sit_down, stored, uuid
from tests.timers.clocks import BANK, PER_MOVE, poll, timeouts_of

OWN = UndoPolicy.OWN_MOVES


async def undo(sessions: Sessions, sitting: Sitting, seat: int, request: int | None = None) -> Table:
    table = await live(sessions, sitting)
    by = None if request is None else uuid(request)
    return (await sessions.players.undo(sitting.id, sitting.seats[seat], table.sequence, by))[0].table


async def table_for_undo(sessions: Sessions, sitting: Sitting) -> tuple[Table, int]:
    """Move until the seat that moved last can take that back. Return the table and the seat."""
    for pick in range(400):
        seat = (await live(sessions, sitting)).to_act[0]
        table = await move_once(sessions, sitting, pick)
        if undoable(table, seat):
            return table, seat
    raise AssertionError("no move could be taken back")


async def test_a_move_is_taken_back_and_another_one_made(sessions: Sessions, another: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2, undo=OWN)
    before = await live(sessions, sitting)
    seat = before.to_act[0]
    await move_once(sessions, sitting, 1)
    after = await undo(another, sitting, seat)
    assert (after.state, after.turn, after.sequence) == (before.state, before.turn, before.sequence + 2)
    assert not undoable(after, seat)
    made = await move_once(sessions, sitting, 2)
    assert made.state != before.state
    assert undoable(made, seat) == 1


async def test_moves_are_taken_back_one_after_the_other(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2, undo=OWN)
    seat = (await live(sessions, sitting)).to_act[0]
    passed = [await live(sessions, sitting)]
    while passed[-1].to_act == (seat,):
        passed.append(await move_once(sessions, sitting))
    for count, before in enumerate(reversed(passed[:-1])):
        assert undoable(await live(sessions, sitting), seat) == len(passed) - 1 - count
        assert (await undo(sessions, sitting, seat)).state == before.state
    with pytest.raises(NothingToUndo):
        await undo(sessions, sitting, seat)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
async def test_every_replica_and_every_replay_agree_after_any_mixture(game: AnyGame, store: FaultyStore) -> None:
    """Whole games in which moves are taken back at random: cached, loaded and replayed tables are the same."""
    dice = random.Random(7)
    cached = Sessions(store, clock_ms=lambda: 1_700_000_000_000)
    sitting = await sit_down(cached, game, game.seats[0], undo=OWN, clock=BANK if game is KRETA else None)
    taken_back = 0
    while (table := await live(cached, sitting)).to_act and table.sequence < 250:
        head = await stored(store, sitting.id)
        assert replace(head, record=table.record) == table
        seat = table.run.seat if table.run is not None else None
        if seat is not None and undoable(table, seat) and dice.random() < 0.4:
            replica = Sessions(store, clock_ms=lambda: 1_700_000_000_000)  # as after a crash: nothing is cached
            assert (await undo(replica, sitting, seat)).run == (await stored(store, sitting.id)).run
            taken_back += 1
        else:
            await move_once(cached, sitting, dice.randrange(1000))
    assert taken_back > 10
    log = await log_of(store, sitting.id)
    assert log[-1].table == await stored(store, sitting.id)
    kept = await store.load(sitting.id)
    assert kept is not None
    assert ruleset_check.first_difference(kept, await store.batches(sitting.id, 0)) is None


async def test_nothing_is_taken_back_unless_the_session_allows_it(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    seat = (await live(sessions, sitting)).to_act[0]
    table = await move_once(sessions, sitting)
    assert table.run is None
    with pytest.raises(NothingToUndo):
        await undo(sessions, sitting, seat)


async def test_nobody_takes_back_after_another_seat_has_moved(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, TENERIFE, 2, undo=OWN)
    first = (await live(sessions, sitting)).to_act[0]
    await move_once(sessions, sitting)
    await move_once(sessions, sitting)
    with pytest.raises(NothingToUndo):
        await undo(sessions, sitting, first)


async def test_nobody_takes_back_before_chance(sessions: Sessions) -> None:
    """The draw of an entry follows from its sequence, so a seat that takes back a draw could choose one."""
    sitting = await sit_down(sessions, CANARIAS, 2, undo=OWN)
    for pick in range(60):
        seat = (await live(sessions, sitting)).to_act[0]
        change = await move_once(sessions, sitting, pick)
        entries = (await log_of(sessions._live, sitting.id))[-1].batch.entries
        if any(isinstance(entry, Moved) and entry.actor == CHANCE for entry in entries):
            assert change.run is None
            with pytest.raises(NothingToUndo):
                await undo(sessions, sitting, seat)


async def test_a_character_that_completes_a_round_stays(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, TENERIFE, 2, undo=OWN)
    while True:
        before = await live(sessions, sitting)
        seat = before.to_act[0]
        after = await move_once(sessions, sitting)
        if before.state.vacant.bit_count() == 1:
            break
        assert undoable(after, seat) == 1
    with pytest.raises(NothingToUndo):
        await undo(sessions, sitting, seat)


async def test_of_seats_that_choose_at_once_each_may_think_again(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, SMALL_ISLANDS, 2, undo=OWN)
    table = await live(sessions, sitting)
    assert table.to_act == (0, 1)
    owed = table.open_since[1]
    await move_once(sessions, sitting, 3)
    table = await undo(sessions, sitting, 0)
    assert (table.to_act, table.open_since[1]) == ((0, 1), owed)
    one = await sessions.moves.seated(sitting.id, sitting.seats[1])
    await sessions.moves.act(one, nth_move(table, 1, 0), owed, None)  # the choice of seat 0 makes this one not stale


async def test_of_an_undo_and_the_next_move_at_once_one_is_made(sessions: Sessions, another: Sessions) -> None:
    for _ in range(5):
        sitting = await sit_down(sessions, TENERIFE, 2, undo=OWN)
        seat = (await live(sessions, sitting)).to_act[0]
        table = await move_once(sessions, sitting)
        other = await another.moves.seated(sitting.id, sitting.seats[1 - seat])
        outcomes = await asyncio.gather(
            sessions.players.undo(sitting.id, sitting.seats[seat], table.sequence, None),
            another.moves.act(other, nth_move(table, 1 - seat, 0), table.sequence, None),
            return_exceptions=True,
        )
        refused = [one for one in outcomes if isinstance(one, BaseException)]
        assert len(refused) == 1
        assert isinstance(refused[0], StaleSequence | NothingToUndo | NotYourTurn)


async def test_of_an_undo_and_the_own_next_move_at_once_one_is_made(sessions: Sessions, another: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2, undo=OWN)
    made: set[type] = set()
    for turn in range(10):
        seat = (await live(sessions, sitting)).to_act[0]
        table = await move_once(sessions, sitting)
        if table.to_act != (seat,) or not undoable(table, seat):
            continue
        own = await another.moves.seated(sitting.id, sitting.seats[seat])
        calls = [
            sessions.players.undo(sitting.id, sitting.seats[seat], table.sequence, None),
            another.moves.act(own, nth_move(table, seat, 0), table.sequence, None),
        ]
        outcomes = await asyncio.gather(*(calls if turn % 2 else reversed(calls)), return_exceptions=True)
        assert sorted(type(one).__name__ for one in outcomes) == ["StaleSequence", "tuple"]
        (change,) = [one[0] for one in outcomes if not isinstance(one, BaseException)]
        made.update(type(entry) for entry in change.batch.entries)
    assert {Moved, Undone} <= made


async def test_a_repeat_takes_back_no_second_move(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, undo=OWN)
    seat = (await live(sessions, sitting)).to_act[0]
    await move_once(sessions, sitting)
    table = await move_once(sessions, sitting)
    for _ in range(2):
        await sessions.players.undo(sitting.id, sitting.seats[seat], table.sequence, uuid(1))
    with pytest.raises(StaleSequence):
        await sessions.players.undo(sitting.id, sitting.seats[seat], table.sequence, None)
    entries = [entry for change in await log_of(store, sitting.id) for entry in change.batch.entries]
    assert [entry.first for entry in entries if isinstance(entry, Undone)] == [table.sequence]


async def test_who_may_not_take_back(sessions: Sessions, another: Sessions) -> None:
    lobby = await begin(sessions, KRETA, OPEN, OPEN, undo=OWN)
    token = (await sessions.players.join(lobby.id, "Ada", None, None))[2]
    with pytest.raises(NotStarted):
        await sessions.players.undo(lobby.id, token, 1, None)
    sitting = await sit_down(sessions, KRETA, 2, undo=OWN)
    table, seat = await table_for_undo(sessions, sitting)
    calls: list[tuple[str | None, int, type[SkerryError]]] = [
        (None, table.sequence, TokenMissing),
        (sitting.host, table.sequence, NotAllowed),
        (sitting.spectator, table.sequence, NotAllowed),
        (sitting.seats[1 - seat], table.sequence, NothingToUndo),
        (sitting.seats[seat], table.sequence + 1, SequenceAhead),
        (sitting.seats[seat], table.sequence - 1, StaleSequence),
    ]
    for token_, sequence, error in calls:
        with pytest.raises(error):
            await another.players.undo(sitting.id, token_, sequence, None)
    await sessions.players.leave(sitting.id, sitting.seats[seat], None)
    with pytest.raises(SubstitutePlays):
        await undo(sessions, sitting, seat)


async def test_nothing_is_taken_back_after_the_end(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, TENERIFE, 2, undo=OWN)
    await play_out(sessions, sitting)
    for seat in (0, 1):
        with pytest.raises(GameOver):
            await undo(sessions, sitting, seat)


async def test_a_bot_that_moves_in_the_same_commit_ends_the_run(sessions: Sessions) -> None:
    sitting = await begin(sessions, TENERIFE, OPEN, BOT, undo=OWN)
    sitting.seats.append((await sessions.players.join(sitting.id, "Ada", None, None))[2])
    table = await move_once(sessions, sitting)
    assert undoable(table, 0) == 0
    with pytest.raises(NothingToUndo):
        await undo(sessions, sitting, 0)


@pytest.mark.parametrize("change", ["leaves", "returns"])
async def test_a_change_of_players_ends_the_run(sessions: Sessions, change: str) -> None:
    sitting = await sit_down(sessions, KRETA, 3, undo=OWN)
    seat = (await live(sessions, sitting)).to_act[0]
    other = (seat + 1) % 3
    if change == "returns":
        await sessions.players.leave(sitting.id, sitting.seats[other], None)
    table = await move_once(sessions, sitting)
    assert (table.to_act, undoable(table, seat)) == ((seat,), 1), "no bot moves in what follows"
    if change == "leaves":
        await sessions.players.leave(sitting.id, sitting.seats[other], None)
    else:
        await sessions.players.return_to_seat(sitting.id, sitting.seats[other], None)
    assert undoable(await live(sessions, sitting), seat) == 0
    with pytest.raises(NothingToUndo):
        await undo(sessions, sitting, seat)


async def test_a_turn_has_so_many_undos(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, undo=OWN)
    seat = (await live(sessions, sitting)).to_act[0]
    for _ in range(MAX_UNDOS):
        await move_once(sessions, sitting)
        await undo(sessions, sitting, seat)
    table = await move_once(sessions, sitting)
    assert undoable(table, seat) == 0
    with pytest.raises(LimitReached) as refused:
        await undo(sessions, sitting, seat)
    assert refused.value.metadata["limit"] == "undos"


async def test_the_clock_runs_on_and_gives_nothing_back(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, undo=OWN, clock=BANK)
    before = await live(sessions, sitting)
    seat = before.to_act[0]
    store.now_ms += 10_000
    while (await move_once(sessions, sitting)).to_act == (seat,):
        store.now_ms += 1_000
    store.now_ms += 20_000  # the other player thinks
    table = await undo(sessions, sitting, seat)
    spent = store.now_ms - before.clocks[seat].since_ms
    assert spent >= 30_000
    assert table.clocks[seat].left_ms == before.clocks[seat].left_ms - spent
    assert table.clocks[1 - seat] == before.clocks[1 - seat]
    assert table.clocks[seat].deadline_ms == before.clocks[seat].deadline_ms


async def test_no_time_is_gained_by_taking_back(sessions: Sessions, store: FaultyStore) -> None:
    """The time of a turn is up as if its moves had not been made, though the timer was set for the next seat."""
    sitting = await sit_down(sessions, KRETA, 2, undo=OWN, clock=PER_MOVE)
    seat = (await live(sessions, sitting)).to_act[0]
    store.now_ms += 20_000
    while (await move_once(sessions, sitting)).to_act == (seat,):
        pass
    await poll(sessions)
    store.now_ms += 5_000
    await undo(sessions, sitting, seat)
    store.now_ms += 5_500
    await poll(sessions)
    assert [one.seat for one in await timeouts_of(store, sitting)] == [seat]


async def test_a_move_is_not_taken_back_when_its_time_is_up(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2, undo=OWN, clock=PER_MOVE)
    seat = (await live(sessions, sitting)).to_act[0]
    store.now_ms += 20_000
    while (await move_once(sessions, sitting)).to_act == (seat,):
        pass
    store.now_ms += 15_000
    with pytest.raises(TimeUp):
        await undo(sessions, sitting, seat)
