"""Following a session over the wire."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.domain.limits import SessionLimits
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from tests.api.watching import Watcher
from tests.api.wire import (
    OPEN,
    Api,
    bearer,
    create,
    get,
    look,
    lose_seat,
    move_once,
    play_out,
    refused,
    served,
    sit_down,
)
from tests.store.servers import PATIENCE, ask

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def nothing_is_watched(valkey: EmbeddedServer) -> None:
    """Wait until no server listens to any session."""
    watched = True
    async with asyncio.timeout(PATIENCE):
        while watched:
            await asyncio.sleep(0.01)
            watched = bool(await ask(valkey, "PUBSUB", "SHARDCHANNELS"))


async def test_every_observer_receives_every_entry_once_in_order_until_the_end(
    api: Api, valkey: EmbeddedServer
) -> None:
    sitting = await sit_down(api, 3)
    viewers = [*sitting.seats, sitting.host, sitting.spectator, None]
    watchers = [Watcher(api, sitting, token) for token in viewers for _ in range(3)]
    last = await play_out(api, sitting)
    for watcher in watchers:
        await watcher.ends()
        assert watcher.sequences == list(range(1, last + 1))
        for message in watcher.messages:
            assert message.sequence == message.position.sequence or message.heartbeat
            assert not message.entries or message.entries[-1].sequence == message.sequence
        final = watcher.messages[-1]
        assert final.session.state == session_pb2.SESSION_STATE_FINISHED
        assert final.position.outcome == final.session.outcome
        assert len(final.session.seed) == 32
    await nothing_is_watched(valkey)


async def test_an_observer_receives_the_entries_after_its_sequence(api: Api) -> None:
    sitting = await sit_down(api)
    now = (await look(api, sitting)).sequence
    watchers = {after: Watcher(api, sitting, None, after) for after in (0, 1, now - 1, now, None)}
    for after, watcher in watchers.items():
        first = await watcher.has(1)
        begin = now if after is None else after
        assert [entry.sequence for entry in first.entries] == list(range(begin + 1, now + 1))
        assert (first.sequence, first.position.sequence, first.heartbeat) == (now, now, False)
        assert first.session == (await get(api, sitting)).session
    last = await play_out(api, sitting)
    for after, watcher in watchers.items():
        await watcher.ends()
        assert watcher.sequences == list(range((now if after is None else after) + 1, last + 1))


async def test_an_observer_that_reconnects_misses_nothing(api: Api) -> None:
    sitting = await sit_down(api)
    received, after = [], 0
    for pick in range(12):
        watcher = Watcher(api, sitting, sitting.seats[0], after)
        answer = await move_once(api, sitting, pick)
        after = (await watcher.reaches(answer.sequence)).sequence
        await watcher.hang_up()
        received += watcher.sequences
    assert received == list(range(1, after + 1))


async def test_the_stream_of_a_finished_game_sends_all_entries_and_ends(api: Api) -> None:
    sitting = await sit_down(api)
    last = await play_out(api, sitting)
    for after, received in ((0, list(range(1, last + 1))), (last, []), (None, [])):
        watcher = Watcher(api, sitting, None, after)
        await watcher.ends()
        assert watcher.sequences == received
        assert len(watcher.messages) == 1


async def test_a_lobby_is_followed_through_the_start(api: Api) -> None:
    sitting = await create(api, OPEN, OPEN, OPEN)
    watcher = Watcher(api, sitting)
    first = await watcher.has(1)
    assert [entry.WhichOneof("kind") for entry in first.entries] == ["created"]
    assert not first.HasField("position")
    for name, seat in (("Ada", 2), ("Bob", 0)):
        join = pb.JoinSessionRequest(name=sitting.name, display_name=name, seat=seat)
        sitting.seats.append((await api.stub.JoinSession(join)).seat_token)
    joined = await watcher.reaches(3)
    assert [entry.joined.display_name for message in watcher.messages for entry in message.entries][1:] == [
        "Ada",
        "Bob",
    ]
    assert [seat.display_name for seat in joined.session.seats] == ["Bob", "", "Ada"]
    await api.stub.StartSession(pb.StartSessionRequest(name=sitting.name), metadata=bearer(sitting.host))
    begun = await watcher.reaches(4)
    assert begun.HasField("position")
    assert [seat.display_name for seat in begun.session.seats] == ["Bob", "Ada"]
    assert begun.session.state == session_pb2.SESSION_STATE_PLAYING
    await watcher.hang_up()


async def test_the_session_is_sent_only_when_more_than_its_sequence_changed(api: Api) -> None:
    sitting = await sit_down(api, 3)
    watcher = Watcher(api, sitting)
    assert (await watcher.has(1)).HasField("session")
    answer = await move_once(api, sitting)
    assert not (await watcher.reaches(answer.sequence)).HasField("session")
    left = await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(sitting.seats[0]))
    assert (await watcher.reaches(left.session.sequence)).session == left.session
    await watcher.hang_up()


async def test_a_player_who_loses_a_seat_loses_its_streams_and_other_viewers_do_not(
    api: Api, valkey: EmbeddedServer
) -> None:
    sitting = await sit_down(api, 3)
    mine = [Watcher(api, sitting, sitting.seats[1]) for _ in range(2)]
    others = [Watcher(api, sitting, token) for token in (sitting.seats[0], None)]
    for watcher in (*mine, *others):
        await watcher.has(1)
    left = await lose_seat(api, sitting, 1)
    for watcher in mine:
        with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
            await watcher.ends()
        assert left.session.sequence not in watcher.sequences
    for watcher in others:
        await watcher.reaches(left.session.sequence)
        await watcher.hang_up()
    await nothing_is_watched(valkey)


async def test_streams_that_hang_up_free_everything(api: Api, valkey: EmbeddedServer) -> None:
    sittings = [await sit_down(api) for _ in range(3)]
    for _ in range(3):
        watchers = [Watcher(api, sitting, token) for sitting in sittings for token in (*sitting.seats, None) * 3]
        for watcher in watchers:
            await watcher.has(1)
        assert len(await ask(valkey, "PUBSUB", "SHARDCHANNELS")) == 3
        await asyncio.gather(*(watcher.hang_up() for watcher in watchers))
        await nothing_is_watched(valkey)


async def test_streams_that_hang_up_before_they_begin_free_everything(api: Api, valkey: EmbeddedServer) -> None:
    sitting = await sit_down(api)
    for turns in range(30):
        watcher = Watcher(api, sitting)
        for _ in range(turns):
            await asyncio.sleep(0)
        await watcher.hang_up()
    await nothing_is_watched(valkey)


async def test_a_slow_reader_misses_nothing_and_delays_no_other_reader(api: Api) -> None:
    sitting = await sit_down(api)
    slow = api.stub.Observe(pb.ObserveRequest(name=sitting.name, after_sequence=0))
    first = await slow.read()
    assert isinstance(first, pb.ObserveResponse)
    quick = Watcher(api, sitting)
    last = await play_out(api, sitting)
    await quick.ends()
    received = []
    while isinstance(message := await slow.read(), pb.ObserveResponse):
        received += [entry.sequence for entry in message.entries]
    assert received == list(range(first.sequence + 1, last + 1))


async def test_a_sequence_ahead_of_the_log_is_out_of_range(api: Api) -> None:
    sitting = await sit_down(api)
    now = (await look(api, sitting)).sequence
    with refused("OUT_OF_RANGE", "SEQUENCE_AHEAD", sequence=now):
        await Watcher(api, sitting, None, now + 1).ends()
    other = Watcher(api, sitting, None, now)
    await other.has(1)
    with refused("OUT_OF_RANGE", "SEQUENCE_AHEAD", sequence=now):
        await Watcher(api, sitting, None, now + 1).ends()
    await other.hang_up()


async def test_an_idle_stream_shows_that_it_is_alive(valkey: EmbeddedServer) -> None:
    async with served(valkey, SessionLimits(heartbeat_seconds=0.2)) as api:
        sitting = await sit_down(api)
        watcher = Watcher(api, sitting, sitting.seats[0])
        first, beat = await watcher.has(1), await watcher.has(4)
        assert beat == pb.ObserveResponse(sequence=first.sequence, epoch=first.epoch, heartbeat=True)
        answer = await move_once(api, sitting)
        await watcher.reaches(answer.sequence)
        assert watcher.sequences == list(range(1, answer.sequence + 1))
        await watcher.hang_up()


async def test_a_token_has_so_many_streams_and_gets_them_back(valkey: EmbeddedServer) -> None:
    async with served(valkey, SessionLimits(streams_per_token=2, spectator_streams=3)) as api:
        sitting = await sit_down(api)
        for token, most, limit in (
            (sitting.seats[0], 2, "streams_token"),
            (sitting.host, 2, "streams_token"),
            (None, 3, "spectators_session"),
            (sitting.spectator, 3, "spectators_session"),
        ):
            for _ in range(3):
                watchers = [Watcher(api, sitting, token) for _ in range(most)]
                for watcher in watchers:
                    await watcher.has(1)
                with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit=limit) as refusal:
                    await Watcher(api, sitting, token).ends()
                assert refusal.retry_after
                await asyncio.gather(*(watcher.hang_up() for watcher in watchers))
                await nothing_is_watched(valkey)


async def test_a_server_that_goes_ends_its_streams_with_a_reason(valkey: EmbeddedServer) -> None:
    async with running_server(Config(port=0, redis_url=valkey.url)) as running:
        channel = grpc.aio.insecure_channel(running.address)
        sitting = await sit_down(api := Api(channel))
        watchers = [Watcher(api, sitting, token) for token in (*sitting.seats, None)]
        for watcher in watchers:
            await watcher.has(1)
    for watcher in watchers:
        with refused("UNAVAILABLE", "SHUTTING_DOWN") as refusal:
            await watcher.ends()
        assert refusal.retry_after
    await channel.close()
