"""Games in which players are away, as they are retold from their replays."""

from __future__ import annotations

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.kreta import GAME as KRETA
from skerry_service.api.session_methods import Methods
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.record import AbandonmentPolicy, Clock, ClockKind, TimeoutAction
from skerry_service.replays.verification import first_difference
from skerry_service.sessions.service import Sessions
from tests.sessions import tables
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Sitting, sit_down
from tests.timers.clocks import poll

ABSENCE = 120_000
AWAY = SessionLimits().away_ms
WATCHED = AbandonmentPolicy(absence_ms=ABSENCE)


async def passes(sessions: Sessions, store: FaultyStore, ms: int) -> None:
    """Let time pass, in steps, in which what is due is done."""
    for _ in range(0, ms, 5_000):
        store.now_ms += 5_000
        await poll(sessions)


async def replay_of(sessions: Sessions, sitting: Sitting) -> session_pb2.Replay:
    return (await Methods(sessions).get_replay(pb.GetReplayRequest(name=f"sessions/{sitting.id}"), None)).message.replay


async def test_who_is_moved_for_when_time_is_up_stays_away_and_is_absent_in_the_end() -> None:
    store = FaultyStore()
    sessions = Sessions(store, clock_ms=tables.Clock())
    clock = Clock(ClockKind.PER_MOVE, grace_ms=40_000, on_expiry=TimeoutAction.MOVE)
    sitting = await sit_down(sessions, KRETA, 2, clock=clock, abandonment=WATCHED)
    await passes(sessions, store, AWAY + ABSENCE + 20_000)
    for token in sitting.seats:
        await sessions.players.return_to_seat(sitting.id, token, None)
    await sessions.players.resign(sitting.id, sitting.seats[0], None)
    replay = await replay_of(sessions, sitting)
    causes = [entry.timed_out.cause for entry in replay.entries if entry.HasField("timed_out")]
    assert causes[-1] == session_pb2.SUBSTITUTE_CAUSE_ABSENT
    assert causes.count(session_pb2.SUBSTITUTE_CAUSE_OUT_OF_TIME) > 1
    assert first_difference(replay) is None
    await sessions.close()


async def test_who_takes_the_seat_of_somebody_who_was_away_and_left_can_be_away_too() -> None:
    store = FaultyStore()
    sessions = Sessions(store, clock_ms=tables.Clock())
    sitting = await sit_down(sessions, KRETA, 3, abandonment=WATCHED)
    await passes(sessions, store, AWAY + 10_000)
    await sessions.players.leave(sitting.id, sitting.seats[0], None)
    await sessions.host.open_seat(sitting.id, sitting.host, 0, None)
    *_, token = await sessions.players.join(sitting.id, "Eve", None, None)
    await passes(sessions, store, AWAY + 30_000)
    for one in (*sitting.seats[1:], token):
        await sessions.players.return_to_seat(sitting.id, one, None)
    for one in sitting.seats[1:]:
        await sessions.players.resign(sitting.id, one, None)
    replay = await replay_of(sessions, sitting)
    assert [entry.seat for entry in replay.entries if entry.HasField("away")].count(0) == 2
    assert first_difference(replay) is None
    await sessions.close()
