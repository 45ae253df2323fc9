"""Joining, leaving, starting, and who plays when nobody does."""

from __future__ import annotations

import pytest
from msgspec import msgpack

from skerry.v1 import session_pb2 as pb
from skerry_games.api import BadOptions
from skerry_games.catalogue import all_games
from skerry_games.kreta import GAME as KRETA
from skerry_games.tenerife import GAME as TENERIFE
from skerry_games.tenerife.state import Options
from skerry_service.domain import transitions
from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import (
    AlreadyStarted,
    GameOver,
    InvalidField,
    NotAllowed,
    NotStarted,
    RulesetUnsupported,
    SeatTaken,
    SessionNotFound,
    TokenInvalid,
    TokenMissing,
    TooFewSeats,
)
from skerry_service.domain.log import Joined, Left, Moved, Started
from skerry_service.domain.packed import Head, head_of
from skerry_service.domain.record import Occupant, Phase
from skerry_service.domain.table import BOT, OPEN, Table, apply_entry
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import Commit, Tip
from tests.games.pairs import GAME as PAIRS
from tests.sessions.records import new_record
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import SEED, Clock, begin, log_of, move_once, nth_move, play_out, sit_down
from tests.watching.stream_readers import observe


def occupants(table: Table) -> list[tuple[str, str]]:
    return [(seat.occupant.name, seat.name) for seat in table.record.seats]


async def test_a_session_waits_in_the_lobby_until_the_last_seat_is_taken(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, BOT, OPEN)
    table, seat, _ = await sessions.players.join(sitting.id, "Ada", None, None)
    assert (seat, table.record.phase, table.state) == (0, Phase.LOBBY, None)
    table, seat, _ = await sessions.players.join(sitting.id, "Bob", None, None)
    assert (seat, table.record.phase) == (2, Phase.PLAYING)
    assert occupants(table) == [("PLAYER", "Ada"), ("BOT", "Bot 1"), ("PLAYER", "Bob")]
    with pytest.raises(AlreadyStarted):
        await sessions.players.join(sitting.id, "Cyd", None, None)


async def test_a_wanted_seat_is_given_or_refused(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, OPEN)
    assert (await sessions.players.join(sitting.id, "Ada", 2, None))[1] == 2
    with pytest.raises(SeatTaken) as taken:
        await sessions.players.join(sitting.id, "Bob", 2, None)
    assert taken.value.metadata == {"seat": "2"}
    for seat in (-1, 3, 2**31 - 1, -(2**31)):
        with pytest.raises(InvalidField):
            await sessions.players.join(sitting.id, "Bob", seat, None)


async def test_leaving_the_lobby_opens_the_seat_and_voids_the_token(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN)
    _, _, token = await sessions.players.join(sitting.id, "Ada", None, None)
    table = await sessions.players.leave(sitting.id, token, None)
    assert occupants(table) == [("OPEN", ""), ("OPEN", "")]
    with pytest.raises(TokenInvalid):
        await sessions.get(sitting.id, token)
    assert (await sessions.players.join(sitting.id, "Bob", None, None))[1] == 0


async def test_a_start_with_bots_fills_the_open_seats(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, OPEN)
    await sessions.players.join(sitting.id, "Ada", 1, None)
    table = await sessions.host.start(sitting.id, sitting.host, True, None)
    assert occupants(table) == [("BOT", "Bot 1"), ("PLAYER", "Ada"), ("BOT", "Bot 2")]


async def test_a_start_without_bots_closes_the_seats_up(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, OPEN, OPEN)
    tokens = [(await sessions.players.join(sitting.id, name, seat, None))[2] for name, seat in (("Ada", 1), ("Bob", 3))]
    table = await sessions.host.start(sitting.id, sitting.host, False, None)
    assert occupants(table) == [("PLAYER", "Ada"), ("PLAYER", "Bob")]
    assert [(await sessions.get(sitting.id, token))[1].seat for token in tokens] == [0, 1]


async def test_too_few_seats_cannot_start(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN)
    await sessions.players.join(sitting.id, "Ada", None, None)
    with pytest.raises(TooFewSeats) as few:
        await sessions.host.start(sitting.id, sitting.host, False, None)
    assert few.value.metadata == {"seats": "2, 3, 4"}
    assert (await sessions.get(sitting.id, None))[0].record.phase is Phase.LOBBY


async def test_options_that_do_not_fit_the_seats_left_refuse_the_start_and_change_nothing(sessions: Sessions) -> None:
    new = NewSession(game=TENERIFE, options=Options(transport_spaces=3), seats=(OPEN,) * 4)
    table, host, _ = await sessions.create(new, None)
    session = table.record.id
    for name in ("Ada", "Bob"):
        await sessions.players.join(session, name, None, None)
    with pytest.raises(BadOptions):
        await sessions.host.start(session, host, False, None)
    assert (await sessions.host.start(session, host, True, None)).record.phase is Phase.PLAYING


async def test_only_the_host_starts_and_only_once(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, OPEN)
    seat = (await sessions.players.join(sitting.id, "Ada", None, None))[2]
    for token, refusal in (
        (None, TokenMissing),
        ("skerry_host_no", TokenInvalid),
        (seat, NotAllowed),
        (sitting.spectator, NotAllowed),
    ):
        with pytest.raises(refusal):
            await sessions.host.start(sitting.id, token, True, None)
    await sessions.host.start(sitting.id, sitting.host, True, None)
    with pytest.raises(AlreadyStarted):
        await sessions.host.start(sitting.id, sitting.host, True, None)


async def test_a_bot_takes_over_from_a_leaver_and_moves_at_once(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    table, _ = await sessions.get(sitting.id, None)
    leaver = table.to_act[0]
    after = await sessions.players.leave(sitting.id, sitting.seats[leaver], None)
    assert after.to_act == (1 - leaver,)
    assert occupants(after)[leaver] == ("BOT", ("Ada", "Bob")[leaver])
    left, *moved = (await log_of(store, sitting.id))[-1].applied
    assert left.entry == Left(leaver)
    assert moved
    for applied in moved:
        assert isinstance(applied.entry, Moved)
        assert applied.entry.automatic == (applied.entry.actor == leaver)


async def test_when_everybody_leaves_the_game_is_played_out(sessions: Sessions) -> None:
    for game in all_games().values():
        sitting = await sit_down(sessions, game, game.seats[0])
        for token in sitting.seats:
            await sessions.players.leave(sitting.id, token, None)
        table, _ = await sessions.get(sitting.id, None)
        assert table.record.phase is Phase.FINISHED
        assert table.record.outcome == game.outcome(table.state)
        with pytest.raises(GameOver):
            await sessions.players.leave(sitting.id, sitting.seats[0], None)


async def test_a_session_of_bots_is_over_when_it_is_created(sessions: Sessions, store: FaultyStore) -> None:
    for game in all_games().values():
        sitting = await begin(sessions, game, *(BOT,) * game.seats[-1])
        (change,) = await log_of(store, sitting.id)
        assert change.table.record.phase is Phase.FINISHED
        assert [applied.sequence for applied in change.applied] == list(range(1, change.table.sequence + 1))
        assert isinstance(change.applied[1].entry, Started)
        assert all(applied.entry.automatic for applied in change.applied[2:] if applied.entry.actor >= 0)  # type: ignore[union-attr]


async def test_bots_and_chance_draw_the_same_from_the_same_seed_on_every_replica(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    logs = []
    for replica in (sessions, another):
        sitting = await begin(replica, PAIRS, BOT, BOT, BOT)
        (change,) = await log_of(store, sitting.id)
        logs.append([(applied.sequence, applied.move) for applied in change.applied])
    assert logs[0] == logs[1]


async def test_nobody_moves_before_the_start_or_leaves_after_the_end(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN)
    token = (await sessions.players.join(sitting.id, "Ada", None, None))[2]
    with pytest.raises(NotStarted):
        await sessions.moves.act(await sessions.moves.seated(sitting.id, token), None, 2, None)
    sitting.seats = [token, (await sessions.players.join(sitting.id, "Bob", None, None))[2]]
    table, _ = await sessions.get(sitting.id, None)
    move = nth_move(table, 0, 0)
    last = await play_out(sessions, sitting)
    with pytest.raises(GameOver):
        await sessions.players.leave(sitting.id, token, None)
    with pytest.raises(GameOver):
        await sessions.moves.act(await sessions.moves.seated(sitting.id, token), move, last.sequence, None)


async def test_each_entry_of_a_batch_comes_with_its_events(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    joined = (await log_of(store, sitting.id))[-1].applied
    assert [type(applied.entry) for applied in joined] == [Joined, Started, *[Moved] * 6]
    assert all(len(applied.events) == 1 for applied in joined[2:])


async def test_a_session_that_has_ended_is_not_found(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    await move_once(sessions, sitting)
    store.end(sitting.id)
    for call in (
        sessions.get(sitting.id, None),
        sessions.replay(sitting.id, None),
        sessions.players.leave(sitting.id, sitting.seats[0], None),
        sessions.players.join(sitting.id, "Cyd", None, None),
        anext(observe(sessions, sitting.id, None, None)),
    ):
        with pytest.raises(SessionNotFound):
            await call


async def test_a_session_of_another_ruleset_is_refused_and_left_alone(sessions: Sessions, store: FaultyStore) -> None:
    old = transitions.create(new_record(PAIRS, (OPEN, OPEN), SEED), now=Moment(1))
    record = new_record(PAIRS, (OPEN, OPEN), SEED, ruleset="0")
    head = head_of(old.table)
    await _store_as(store, record.id, msgpack.encode(record), head)
    with pytest.raises(RulesetUnsupported) as refusal:
        await sessions.players.join(record.id, "Ada", None, None)
    assert refusal.value.metadata == {"ruleset": "0", "supported": PAIRS.ruleset}
    assert await store.tip(record.id) == Tip(1, head.chained_hash)


async def _store_as(store: FaultyStore, session: str, record: bytes, head: Head) -> None:
    packed = Head(head.sequence, record, head.snapshot, head.chained_hash)
    await store.create(session, Commit(0, b"", packed, True, None, None), None)


def test_a_log_that_does_not_begin_with_its_creation_is_no_log() -> None:
    with pytest.raises(ValueError, match="must begin with Created"):
        apply_entry(None, Joined(0, "Ada", b""))


def test_occupants_and_phases_are_numbered_as_in_the_contract() -> None:
    assert {f"OCCUPANT_{one.name}": int(one) for one in Occupant}.items() <= dict(pb.Occupant.items()).items()
    assert {f"SESSION_STATE_{one.name}": int(one) for one in Phase}.items() <= dict(pb.SessionState.items()).items()


async def test_times_in_a_log_never_decrease_whatever_the_clocks_of_replicas_show(store: FaultyStore) -> None:
    clock, late = Clock(), Clock()
    late.now -= 3_600_000
    replicas = [Sessions(store, clock_ms=clock), Sessions(store, clock_ms=late)]
    sitting = await sit_down(replicas[0], KRETA, 2)
    for number in range(4):
        await move_once(replicas[number % 2], sitting)
        clock.now -= 86_400_000 * (number == 2)
    times = [change.batch.time_ms for change in await log_of(store, sitting.id)]
    assert times == sorted(times)
    assert times[3] == times[4] < times[5] == times[6]
    clock.now += 2 * 86_400_000
    await move_once(replicas[0], sitting)
    assert (await log_of(store, sitting.id))[-1].batch.time_ms == clock.now
    for replica in replicas:
        await replica.close()
