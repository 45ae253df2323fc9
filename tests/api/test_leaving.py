"""Going and coming back over the wire, through two servers over one store."""

from __future__ import annotations

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.domain.limits import SessionLimits
from skerry_service.replays.verification import first_difference
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.watching import Watcher
from tests.api.wire import OPEN, Api, bearer, create, get, look, move_once, play_out, refused, served, sit_down, turn
from tests.store.servers import ask, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_leaver_returns_through_another_server_and_the_replay_holds(api: Api, replica: Api) -> None:
    sitting = await sit_down(api, 3, abandonment=session_pb2.AbandonmentPolicy(level="random"))
    watcher = Watcher(replica, sitting)
    leaver = bearer(sitting.seats[1])
    left = (await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=leaver)).session
    assert left.seats[1].substitute.cause == session_pb2.SUBSTITUTE_CAUSE_LEFT
    assert not left.seats[1].substitute.open
    for pick in range(6):
        await move_once(api, sitting, pick)
    back = await replica.stub.ReturnToSession(pb.ReturnToSessionRequest(name=sitting.name), metadata=leaver)
    assert not back.session.seats[1].HasField("substitute")
    last = await play_out(api, sitting, [replica])
    await watcher.ends()
    assert watcher.sequences == list(range(1, last + 1))
    replay = (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay
    (played,) = replay.session.outcome.substitutions
    since = left.seats[1].substitute.since
    assert (played.seat, played.first, played.last) == (1, since, back.session.sequence - 1)
    assert first_difference(replay) is None


async def test_a_seat_that_the_host_has_opened_is_said_to_be_open(api: Api) -> None:
    sitting = await sit_down(api, 3)
    await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(sitting.seats[1]))
    opened = pb.OpenSeatRequest(name=sitting.name, seat=1)
    received = (await api.stub.OpenSeat(opened, metadata=bearer(sitting.host))).session
    assert [seat.substitute.open for seat in received.seats] == [False, True, False]


async def test_the_host_opens_the_seat_of_a_player_who_has_lost_the_token(unserved: EmbeddedServer) -> None:
    async with served(unserved) as one, served(unserved) as two:
        policy = session_pb2.AbandonmentPolicy(open_after_ms=60_000, level="random")
        sitting = await sit_down(one, abandonment=policy)
        (lost,) = (await get(one, sitting)).position.to_act
        streams = [Watcher(server, sitting, sitting.seats[lost]) for server in (one, two)]
        for stream in streams:
            await stream.has(1)
        opens = pb.OpenSeatRequest(name=sitting.name, seat=lost, request_id="7b0f3b1e-5d0c-4d3f-9a59-0f6f9d1b2c3d")
        with refused("FAILED_PRECONDITION", "SEAT_TAKEN", seat=lost) as early:
            await two.stub.OpenSeat(opens, metadata=bearer(sitting.host))
        assert early.retry_after is not None
        assert 30 < early.retry_after <= 60
        age = int(await ask(unserved, "HGET", redis_keys.STORE.decode(), "a"))
        await ask(unserved, "HSET", redis_keys.STORE.decode(), "a", age + 2 * 60_000)
        async with served(unserved) as three:  # the server reads the store clock when it starts
            opened = (await three.stub.OpenSeat(opens, metadata=bearer(sitting.host))).session
        assert opened.seats[lost].substitute.open
        assert opened.seats[lost].substitute.cause == session_pb2.SUBSTITUTE_CAUSE_ABSENT
        for stream in streams:
            with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
                await stream.ends()
        assert (await one.stub.OpenSeat(opens, metadata=bearer(sitting.host))).session.sequence == opened.sequence
        joined = await one.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name="Eve"))
        assert (joined.seat, joined.session.seats[lost].HasField("substitute")) == (lost, False)
        sitting.seats[lost] = joined.seat_token
        await play_out(two, sitting)
        replay = (await two.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay
        assert [played.first for played in replay.session.outcome.substitutions] == [
            opened.seats[lost].substitute.since
        ]
        assert first_difference(replay) is None


async def test_resigning_ends_a_game_of_two_on_all_servers(api: Api, replica: Api) -> None:
    sitting = await sit_down(api)
    watchers = [Watcher(server, sitting, token) for server in (api, replica) for token in (*sitting.seats, None)]
    for watcher in watchers:
        await watcher.has(1)
    resign = pb.ResignSessionRequest(name=sitting.name)
    await replica.stub.ResignSession(resign, metadata=bearer(sitting.seats[0]))
    for watcher in watchers:
        await watcher.ends()
        assert list(watcher.messages[-1].position.outcome.ranks) == [2, 1]
    with refused("FAILED_PRECONDITION", "GAME_OVER"):
        await api.stub.ResignSession(resign, metadata=bearer(sitting.seats[1]))


async def test_a_cancelled_session_notifies_its_viewers_and_leaves_the_list(api: Api, replica: Api) -> None:
    sitting = await create(api, OPEN, OPEN)
    watcher = Watcher(replica, sitting)
    await watcher.has(1)
    cancel = pb.CancelSessionRequest(name=sitting.name)
    await api.stub.CancelSession(cancel, metadata=bearer(sitting.host))
    await watcher.ends()
    assert watcher.messages[-1].session.state == session_pb2.SESSION_STATE_CANCELLED
    listed = (await replica.stub.ListSessions(pb.ListSessionsRequest(page_size=100))).sessions
    assert sitting.name not in [session.name for session in listed]
    assert (await get(replica, sitting)).session.state == session_pb2.SESSION_STATE_CANCELLED


async def test_a_player_who_pulls_the_plug_is_away_abandons_the_seat_and_is_back(unserved: EmbeddedServer) -> None:
    limits = SessionLimits(presence_seconds=0.05, away_ms=400)
    async with served(unserved, limits) as one, served(unserved, limits) as two:
        abandonment = session_pb2.AbandonmentPolicy(absence_ms=30_000)
        sitting = await sit_down(one, abandonment=abandonment)
        stays, goes = Watcher(one, sitting, sitting.seats[0]), Watcher(two, sitting, sitting.seats[1])
        await goes.has(1)
        await goes.hang_up()
        await happens(stays, "away")
        assert (await get(two, sitting)).session.seats[1].away
        age = int(await ask(unserved, "HGET", redis_keys.STORE.decode(), "a"))
        await ask(unserved, "HSET", redis_keys.STORE.decode(), "a", age + 30_000)
        timed_out = await happens(stays, "timed_out")
        assert timed_out.timed_out.cause == session_pb2.SUBSTITUTE_CAUSE_ABSENT
        assert (await get(two, sitting)).session.seats[1].substitute.since == timed_out.sequence
        back = Watcher(two, sitting, sitting.seats[1])
        await happens(stays, "returned")
        assert (await get(two, sitting)).session.seats[1].occupant == session_pb2.OCCUPANT_PLAYER
        await one.stub.ResignSession(pb.ResignSessionRequest(name=sitting.name), metadata=bearer(sitting.seats[0]))
        await stays.ends()
        await back.ends()
        replay = (await two.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay
        assert first_difference(replay) is None


async def test_nobody_is_away_from_a_game_that_is_over(unserved: EmbeddedServer) -> None:
    async with served(unserved, SessionLimits(presence_seconds=0.05, away_ms=400)) as api:
        sitting = await sit_down(api, abandonment=session_pb2.AbandonmentPolicy(absence_ms=30_000))
        stays = Watcher(api, sitting, sitting.seats[0])
        await happens(stays, "away")
        resign = pb.ResignSessionRequest(name=sitting.name)
        over = await api.stub.ResignSession(resign, metadata=bearer(sitting.seats[0]))
        assert over.session.state == session_pb2.SESSION_STATE_FINISHED
        assert not any(seat.away for seat in over.session.seats)


async def happens(watcher: Watcher, kind: str) -> session_pb2.Entry:
    """Wait for such an entry of the second seat."""

    def found() -> list[session_pb2.Entry]:
        received = [entry for message in watcher.messages for entry in message.entries]
        return [entry for entry in received if entry.seat == 1 and entry.WhichOneof("kind") == kind]

    await until(lambda: bool(found()))
    return found()[0]


async def test_the_abandonment_policy_is_checked(api: Api) -> None:
    for field, abandonment in (
        ("abandonment.absence_ms", session_pb2.AbandonmentPolicy(absence_ms=29_999)),
        ("abandonment.absence_ms", session_pb2.AbandonmentPolicy(absence_ms=604_800_001)),
        ("abandonment.absence_ms", session_pb2.AbandonmentPolicy(absence_ms=-1)),
        ("abandonment.open_after_ms", session_pb2.AbandonmentPolicy(open_after_ms=29_999)),
        ("abandonment.open_after_ms", session_pb2.AbandonmentPolicy(open_after_ms=604_800_001)),
        ("abandonment.open_after_ms", session_pb2.AbandonmentPolicy(open_after_ms=-1)),
        ("abandonment.on_absence", session_pb2.AbandonmentPolicy(on_absence=9)),  # type: ignore[arg-type]
        ("abandonment.on_resignation", session_pb2.AbandonmentPolicy(on_resignation=-1)),  # type: ignore[arg-type]
        ("abandonment.level", session_pb2.AbandonmentPolicy(level="genius")),
    ):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field=field):
            await create(api, OPEN, OPEN, abandonment=abandonment)
    sitting = await create(api, OPEN, OPEN)
    assert (await get(api, sitting)).session.abandonment == session_pb2.AbandonmentPolicy(
        on_resignation=session_pb2.TIMEOUT_ACTION_SUBSTITUTE,
        level="medium",
        on_absence=session_pb2.TIMEOUT_ACTION_SUBSTITUTE,
        open_after_ms=86_400_000,
    )


async def test_substitutes_play_at_the_level_of_the_table(valkey: EmbeddedServer) -> None:
    async with served(valkey, bot_workers=1) as server:
        for bots, level in (((), "medium"), (("easy", "expert", "random"), "expert"), (("random",), "random")):
            seats = (OPEN, *(pb.SeatSetup(occupant=session_pb2.OCCUPANT_BOT, level=one) for one in bots), OPEN)
            created = await server.stub.CreateSession(pb.CreateSessionRequest(game="canarias", seats=seats))
            assert created.session.abandonment.level == level


async def test_who_is_played_for_is_offered_no_moves(valkey: EmbeddedServer) -> None:
    async with served(valkey, bot_workers=1) as server:
        sitting = await sit_down(server, abandonment=session_pb2.AbandonmentPolicy(level="easy"))
        token, position = await turn(server, sitting)
        assert position.legal_moves
        await server.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(token))
        for _ in range(3):
            assert not (await look(server, sitting, token)).legal_moves
