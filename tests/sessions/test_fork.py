"""Going on from within a game that is over: its moves, then a game of its own under a seed of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace

from skerry_games.api import AnyGame
from skerry_games.canarias import GAME as CANARIAS
from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import (
    GameOver,
    InvalidField,
    LimitReached,
    NotAllowed,
    NotFinished,
    NotStarted,
    RequestIdReused,
    SequenceAhead,
    StaleSequence,
    TokenInvalid,
    TooFewSeats,
)
from skerry_service.domain.limits import MAX_ENTRIES_BEFORE_START
from skerry_service.domain.log import Created, Moved, Started, pack, unpack_batch
from skerry_service.domain.packed import head_of
from skerry_service.domain.record import (
    AbandonmentPolicy,
    Clock,
    ClockKind,
    Phase,
    SeatRecord,
    Spectating,
    TimeoutAction,
    Visibility,
)
from skerry_service.domain.table import BOT, OPEN, Table
from skerry_service.domain.transitions import join
from skerry_service.replays.ruleset_check import first_difference
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.actions.rematch import SessionTemplate
from skerry_service.sessions.service import Sessions
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Sitting, begin, log_of, move_once, nth_move, play_out, sit_down, stored, uuid
from tests.watching.stream_readers import Reader, observe

MIDDLE = 30
NOW = Moment(1_700_000_000_000, 0)
GAMES: tuple[AnyGame, ...] = (KRETA, PAIRS, CANARIAS)


def terms(*seats: SeatRecord, **more: object) -> SessionTemplate:
    return partial(NewSession, seats=seats, **more)  # type: ignore[arg-type]


async def over(sessions: Sessions, game: AnyGame = KRETA, seats: int = 2, **new: object) -> Sitting:
    """A session whose game was played to its end."""
    sitting = await sit_down(sessions, game, seats, labels=(("event", "cup"),), **new)
    await play_out(sessions, sitting)
    return sitting


async def fork(sessions: Sessions, source: Sitting, sequence: int, *seats: SeatRecord, **more: object) -> Sitting:
    table, host, spectator = await sessions.rematches.fork(source.id, None, sequence, terms(*seats, **more), None)
    return Sitting(table.record.id, host, spectator)


async def take_seats(sessions: Sessions, sitting: Sitting, *names: str) -> Table:
    for name in names:
        sitting.seats.append((await sessions.players.join(sitting.id, name, None, None))[2])
    return (await sessions.get(sitting.id, None))[0]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
async def test_the_game_goes_on_where_it_was(sessions: Sessions, store: FaultyStore, game: AnyGame) -> None:
    source = await over(sessions, game)
    for sequence in (4, 5, 8, 10):  # 4: the game has begun, and nobody has moved
        _, _, then = await sessions.past(source.id, None, sequence)
        sitting = await fork(sessions, source, sequence, OPEN, OPEN)
        begun = await take_seats(sessions, sitting, "Cyd", "Dot")
        assert begun.record.phase is Phase.PLAYING
        log = await log_of(store, sitting.id)
        entries = [one.entry for change in log for one in change.applied]
        started = next(place for place, entry in enumerate(entries, start=1) if isinstance(entry, Started))
        seats_at_start = (await sessions.past(sitting.id, None, started))[2]
        assert (seats_at_start.state, seats_at_start.to_act) == (then.state, then.to_act)
        opening = entries[1 : begun.record.opening]
        assert all(isinstance(entry, Moved) and not entry.automatic for entry in opening)
        last = await play_out(sessions, sitting)
        assert last.record.phase is Phase.FINISHED
        assert (await log_of(store, sitting.id))[-1].table == last == await stored(store, sitting.id)
        assert first_difference(head_of(last), await store.batches(sitting.id, 0)) is None


async def test_a_move_decided_on_before_the_game_went_on_is_stale(sessions: Sessions) -> None:
    sitting = await fork(sessions, await over(sessions), MIDDLE, OPEN, OPEN)
    begun = await take_seats(sessions, sitting, "Cyd", "Dot")
    (seat,) = begun.to_act
    one, move = await sessions.moves.seated(sitting.id, sitting.seats[seat]), nth_move(begun, seat, 0)
    with pytest.raises(StaleSequence):
        await sessions.moves.act(one, move, begun.sequence - 1, None)
    await sessions.moves.act(one, move, begun.sequence, None)


async def test_what_comes_is_drawn_from_a_seed_of_its_own(sessions: Sessions) -> None:
    source = await over(sessions, CANARIAS)
    record = (await sessions.get(source.id, None))[0].record
    seeds = set()
    for _ in range(3):
        sitting = await fork(sessions, source, MIDDLE, BOT, BOT)
        table, _ = await sessions.get(sitting.id, None)
        assert not table.record.seeded
        seeds |= {table.record.seed, table.record.salt}
    assert len(seeds | {record.seed}) == 7


async def test_nobody_and_nothing_of_nobodys_comes_along(sessions: Sessions) -> None:
    source = await begin(sessions, KRETA, OPEN, OPEN, labels=(("event", "cup"),), public_player_ids=True)
    for name in ("Ada", "Bob"):
        joined = await sessions.players.join(source.id, name, None, None, player_id=f"id-of-{name}")
        source.seats.append(joined[2])
    table = await play_out(sessions, source)
    sitting = await fork(sessions, source, MIDDLE, OPEN, BOT)
    forked, _ = await sessions.get(sitting.id, None)
    packed = pack(forked.record)
    for trace in (b"Ada", b"Bob", b"id-of", b"cup", table.record.seed, table.record.salt, source.id.encode()):
        assert trace not in packed
    assert (forked.record.visibility, forked.record.public_player_ids) == (Visibility.PUBLIC, False)
    for token in (*source.seats, source.host, source.spectator):
        with pytest.raises(TokenInvalid):
            await sessions.get(sitting.id, token)


async def test_until_the_last_seat_is_taken_it_waits_and_shows_how_it_came_there(sessions: Sessions) -> None:
    source = await over(sessions, KRETA, 3)
    sitting = await fork(sessions, source, MIDDLE, OPEN, BOT, OPEN)
    reader = Reader(observe(sessions, sitting.id, None, 0))
    waiting, _ = await sessions.get(sitting.id, None)
    assert (waiting.record.phase, waiting.to_act) == (Phase.LOBBY, ())
    await reader.reaches(waiting.sequence)
    assert reader.sequences == list(range(1, waiting.record.opening + 1))
    with pytest.raises(TooFewSeats):
        await sessions.host.start(sitting.id, sitting.host, False, None)
    await take_seats(sessions, sitting, "Eve")
    await sessions.host.remove(sitting.id, sitting.host, 0, None)
    started = await sessions.host.start(sitting.id, sitting.host, True, None)
    assert started.record.phase is Phase.FINISHED, "bots play it to the end"
    await reader.ends()


async def test_a_long_opening_leaves_as_much_room_as_none(sessions: Sessions) -> None:
    source = await over(sessions)
    sitting = await fork(sessions, source, MIDDLE, OPEN, OPEN)
    table, _ = await sessions.get(sitting.id, None)
    opening = MAX_ENTRIES_BEFORE_START + 1
    long = replace(table, record=replace(table.record, opening=opening), sequence=opening)
    assert join(long, "Ada", b"token", None, NOW).table.record.seats[0].name == "Ada"
    with pytest.raises(LimitReached):
        join(replace(long, sequence=opening + MAX_ENTRIES_BEFORE_START), "Ada", b"token", None, NOW)


async def test_the_clock_begins_with_those_who_go_on(sessions: Sessions, store: FaultyStore) -> None:
    clock = Clock(ClockKind.BANK, bank_ms=60_000, increment_ms=1_000)
    source = await over(sessions, clock=clock)
    assert (await take_seats(sessions, await fork(sessions, source, MIDDLE, OPEN, OPEN), "A", "B")).clocks == ()
    sitting = await fork(sessions, source, MIDDLE, OPEN, OPEN, clock=clock)
    assert (await sessions.get(sitting.id, None))[0].clocks == ()
    store.now_ms += 1_000_000
    table = await take_seats(sessions, sitting, "A", "B")
    assert [one.left_ms for one in table.clocks] == [60_000, 60_000]
    last = await play_out(sessions, sitting)
    assert last == await stored(store, sitting.id) == (await log_of(store, sitting.id))[-1].table


async def test_who_lost_or_left_there_has_not_here(sessions: Sessions) -> None:
    source = await sit_down(sessions, KRETA, 3, abandonment=AbandonmentPolicy(on_resignation=TimeoutAction.END))
    for _ in range(8):
        await move_once(sessions, source)
    await sessions.players.leave(source.id, source.seats[1], None)
    ended = await sessions.players.resign(source.id, source.seats[0], None)
    sitting = await fork(sessions, source, ended.sequence, OPEN, OPEN, OPEN)
    table = await take_seats(sessions, sitting, "Eve", "Fay", "Gil")
    assert (table.state, table.record.lost, table.record.outcome) == (ended.state, (), None)
    assert {one.cause for one in table.record.seats} == {None}
    assert (await play_out(sessions, sitting)).record.outcome is not None


async def test_a_fork_of_a_fork_has_one_opening(sessions: Sessions, store: FaultyStore) -> None:
    source = await over(sessions)
    sitting = await fork(sessions, source, MIDDLE, OPEN, OPEN)
    await take_seats(sessions, sitting, "Ada", "Bob")
    await play_out(sessions, sitting)
    first = (await sessions.get(sitting.id, None))[0].record.opening
    for sequence in (1, first, first + 3, first + 20):
        again = await fork(sessions, sitting, sequence, BOT, BOT)
        last = await stored(store, again.id)
        moves = [one.entry for change in await log_of(store, sitting.id) for one in change.applied][:sequence]
        assert last.record.opening == 1 + sum(isinstance(one, Moved) for one in moves)
        assert first_difference(head_of(last), await store.batches(again.id, 0)) is None


async def test_repeats_are_answered_as_the_first_time(sessions: Sessions, another: Sessions) -> None:
    source = await over(sessions)
    made = [await one.rematches.fork(source.id, None, MIDDLE, terms(OPEN, BOT), uuid(1)) for one in (sessions, another)]
    assert made[0][0].record.id == made[1][0].record.id
    assert made[0][1:] == made[1][1:]
    others: list[tuple[int, Callable[[], SessionTemplate]]] = [
        (MIDDLE + 1, lambda: terms(OPEN, BOT)),
        (MIDDLE, lambda: terms(BOT, OPEN)),
        (MIDDLE, lambda: terms(OPEN, BOT, spectating=Spectating.NOBODY)),
    ]
    for sequence, other in others:
        with pytest.raises(RequestIdReused):
            await sessions.rematches.fork(source.id, None, sequence, other(), uuid(1))


async def test_what_cannot_be_gone_on_from_is_refused(sessions: Sessions) -> None:
    playing = await sit_down(sessions, KRETA, 2)
    with pytest.raises(NotFinished):
        await fork(sessions, playing, 4, OPEN, OPEN)
    secret = await sit_down(sessions, KRETA, 2, spectating=Spectating.NOBODY)
    with pytest.raises(NotAllowed):
        await fork(sessions, secret, 4, OPEN, OPEN)
    with pytest.raises(NotFinished):
        await sessions.rematches.fork(secret.id, secret.seats[0], 4, terms(OPEN, OPEN), None)
    source = await over(sessions)
    last = (await sessions.get(source.id, None))[0].sequence
    for sequence, refusal in ((3, NotStarted), (last, GameOver), (last + 1, SequenceAhead)):
        with pytest.raises(refusal):
            await fork(sessions, source, sequence, OPEN, OPEN)
    for seats in ((), (OPEN,), (OPEN,) * 3):
        with pytest.raises(InvalidField):
            await fork(sessions, source, MIDDLE, *seats)
    with pytest.raises(TokenInvalid):
        await sessions.rematches.fork(source.id, "skerry_seat_nonsense", MIDDLE, terms(OPEN, OPEN), None)


async def test_an_opening_is_no_longer_than_it_says(sessions: Sessions, store: FaultyStore) -> None:
    source = await over(sessions, CANARIAS)
    sitting = await fork(sessions, source, MIDDLE, BOT, BOT)
    batches = await store.batches(sitting.id, 0)
    for opening, differs in ((MIDDLE - 3, False), (MIDDLE - 5, True), (2, True)):
        batch = unpack_batch(batches[0])
        created = batch.entries[0]
        assert isinstance(created, Created)
        received = Created(replace(created.record, opening=opening))
        tampered = pack(replace(batch, entries=(received, *batch.entries[1:])))
        head = head_of(await stored(store, sitting.id))
        found = first_difference(head, [tampered, *batches[1:]])
        assert (found is not None) == differs
