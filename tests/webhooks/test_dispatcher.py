"""Which events webhooks deliver, when, how often, and by which of several replicas."""

from __future__ import annotations

import asyncio

import pytest
from google.protobuf.json_format import Parse

from skerry.v1 import webhook_pb2
from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.errors import StoreUnavailable
from skerry_service.domain.record import Delay, Spectating, UndoPolicy, WebhookEvent
from skerry_service.domain.seating.nudges import MIN_WAIT_MS
from skerry_service.domain.table import OPEN, Table
from skerry_service.sessions.service import Sessions
from skerry_service.webhooks.webhook_dispatcher import DELAYS_MS, LEASE_MS, MAX_PER_RECEIVER
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, Sitting, begin, live, move_once, play_out, sit_down
from tests.store.schedules import due
from tests.timers.clocks import PER_MOVE, now

from .receivers import BAD, GOOD, Receiver, receiving
from .replicas import ALL, Replica, replica_with


async def owing(replica: Replica, sitting: Sitting) -> int:
    return (await now(replica.sessions, sitting)).to_act[0]


async def test_a_turn_is_delivered_once_signed_and_with_nothing_else(
    replica: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    sitting = await sit_down(replica.sessions, KRETA, 2)
    secrets = await replica.hook(sitting, receiver.url, 0, 1)
    seat = await owing(replica, sitting)
    for _ in range(3):
        await replica.deliver()
        store.now_ms += LEASE_MS
    (request,) = receiver.requests
    assert request.is_signed_with(secrets[seat])
    assert not request.is_signed_with(secrets[1 - seat])
    assert request.target == "/hooks?of=skerry"
    assert request.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert request.headers["webhook-timestamp"] == "1700000000"
    table = await now(replica.sessions, sitting)
    payload = Parse(request.body, webhook_pb2.WebhookPayload())
    assert payload.type == "seat.turn"
    assert payload.timestamp.ToSeconds() == 1_700_000_000
    assert payload.data == webhook_pb2.WebhookData(
        session=f"sessions/{sitting.id}",
        game="kreta",
        seat=seat,
        sequence=table.open_since[seat],
        server_time_ms=store.now_ms - 3 * LEASE_MS,
        players=[
            webhook_pb2.WebhookPlayer(seat=number, display_name=one.name)
            for number, one in enumerate(table.record.seats)
        ],
        picture=f"/v1/sessions/{sitting.id}/picture.svg",
    )


async def test_a_turn_of_several_moves_is_delivered_once(replica: Replica, receiver: Receiver) -> None:
    sitting = await replica.sit_down(receiver.url, 0, 1)
    turns = [await owing(replica, sitting)]
    await replica.deliver()
    for _ in range(12):
        await move_once(replica.sessions, sitting)
        await replica.deliver()
        if (seat := await owing(replica, sitting)) != turns[-1]:
            turns.append(seat)
    assert len(turns) < 12
    assert receiver.events == [("seat.turn", seat) for seat in turns]


async def test_a_turn_that_is_taken_back_is_delivered_when_it_comes_again(
    replica: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    """The seat that takes back its move gets no message, and none about the other seat's turn is repeated."""
    sitting = await replica.sit_down(receiver.url, 0, 1, undo=UndoPolicy.OWN_MOVES)
    seat = await owing(replica, sitting)
    await replica.deliver()
    first = await move_until(replica, sitting, 1 - seat)
    receiver.answer = lambda: BAD
    await replica.deliver()
    undone, _ = await replica.sessions.players.undo(sitting.id, sitting.seats[seat], first.sequence, None)
    assert undone.table.to_act == (seat,)
    receiver.answer = lambda: GOOD
    store.now_ms += 10 * DELAYS_MS[-1]
    await replica.deliver()
    assert receiver.events == [("seat.turn", seat), ("seat.turn", 1 - seat)]
    again = await move_until(replica, sitting, 1 - seat)
    store.now_ms += 10 * DELAYS_MS[-1]
    await replica.deliver()
    assert receiver.events[2:] == [("seat.turn", 1 - seat)]
    sequences = [int(one.data["sequence"]) for one in receiver.requests[1:]]
    assert sequences == [first.sequence, again.sequence]
    assert receiver.requests[1].id != receiver.requests[2].id


async def move_until(replica: Replica, sitting: Sitting, seat: int) -> Table:
    """Move until it is the turn of a seat. Return the table."""
    while (table := await move_once(replica.sessions, sitting)).to_act != (seat,):
        await replica.deliver()
    return table


async def test_a_nudge_is_delivered(replica: Replica, receiver: Receiver, store: FaultyStore) -> None:
    sitting = await replica.sit_down(receiver.url, 0, 1)
    seat = await owing(replica, sitting)
    store.now_ms += MIN_WAIT_MS
    nudging = Sessions(store, clock_ms=lambda: Clock().now + 2 * MIN_WAIT_MS)
    await nudging.players.nudge(sitting.id, sitting.seats[1 - seat], seat, None)
    store.now_ms += LEASE_MS
    await replica.deliver()
    assert receiver.events == [("seat.turn", seat), ("seat.nudge", seat)]


async def test_a_deadline_is_announced_once(replica: Replica, receiver: Receiver, store: FaultyStore) -> None:
    sitting = await replica.sit_down(receiver.url, 0, 1, clock=PER_MOVE)
    seat = await owing(replica, sitting)
    await replica.deliver()
    store.now_ms += 22_499
    await replica.deliver()
    assert receiver.events == [("seat.turn", seat)]
    for _ in range(3):
        store.now_ms += 1
        await replica.deliver()
    assert receiver.events == [("seat.turn", seat), ("seat.deadline", seat)]
    payload = receiver.requests[-1].data
    assert int(payload["deadlineMs"]) - int(payload["serverTimeMs"]) == 7_500
    assert payload["deadlineMs"] == receiver.requests[0].data["deadlineMs"]


async def test_all_webhooks_get_the_end_and_then_nothing_more(
    replica: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    sitting = await replica.sit_down(receiver.url, 0, 1)
    await replica.sessions.webhooks.set(sitting.id, sitting.host, receiver.url, (WebhookEvent.END,), None)
    table = await play_out(replica.sessions, sitting)
    await replica.deliver()
    assert receiver.events == [("session.end", None)] * 3
    assert {one.data["sequence"] for one in receiver.requests} == {str(table.sequence)}
    assert len({one.id for one in receiver.requests}) == 3
    store.now_ms += 10 * DELAYS_MS[-1]
    assert await due(store, "deliveries") == []


async def test_the_host_webhook_gets_the_turns_of_all_seats_unless_it_may_not_spectate(
    replica: Replica, receiver: Receiver
) -> None:
    for spectating, expected in ((Spectating.INVITED, ["seat.turn"]), (Spectating.NOBODY, [])):
        receiver.requests.clear()
        sitting = await sit_down(replica.sessions, KRETA, 2, spectating=spectating)
        await replica.sessions.webhooks.set(sitting.id, sitting.host, receiver.url, ALL, None)
        await replica.deliver()
        assert [event for event, _ in receiver.events] == expected
        await replica.sessions.players.resign(sitting.id, sitting.seats[0], None)
        await replica.deliver()
        assert receiver.events[-1] == ("session.end", None)


@pytest.mark.parametrize("delay", [Delay(ms=600_000), Delay(entries=50)])
async def test_a_delay_for_spectators_does_not_delay_webhooks(
    replica: Replica, receiver: Receiver, delay: Delay
) -> None:
    sitting = await replica.sit_down(receiver.url, 0, 1, delay=delay)
    turns = [(await live(replica.sessions, sitting)).to_act[0]]
    await replica.deliver()
    for _ in range(12):
        turn = (await move_once(replica.sessions, sitting)).to_act[0]
        await replica.deliver()
        if turn != turns[-1]:
            turns.append(turn)
    assert len(turns) > 2
    assert receiver.events == [("seat.turn", seat) for seat in turns]
    await replica.sessions.webhooks.set(sitting.id, sitting.host, receiver.url, (WebhookEvent.END,), None)
    receiver.requests.clear()
    await play_out(replica.sessions, sitting)
    await replica.deliver()
    assert receiver.events[-3:] == [("session.end", None)] * 3


async def test_a_seat_played_by_a_substitute_gets_no_turns(replica: Replica, receiver: Receiver) -> None:
    sitting = await replica.sit_down(receiver.url, 0, 1)
    seat = await owing(replica, sitting)
    await replica.sessions.players.leave(sitting.id, sitting.seats[seat], None)
    await replica.deliver()
    assert set(receiver.events) == {("seat.turn", 1 - seat)}


async def test_failed_deliveries_are_repeated_with_growing_delays_and_given_up(
    replica: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    receiver.answer = lambda: BAD
    await replica.sit_down(receiver.url, 0, 1)
    await replica.deliver()
    for attempt, delay in enumerate(DELAYS_MS, 1):
        store.now_ms += delay - 1
        await replica.deliver()
        assert len(receiver.requests) == attempt
        store.now_ms += 1
        await replica.deliver()
    assert len(receiver.requests) == len(DELAYS_MS) + 1
    assert len({one.id for one in receiver.requests}) == 1
    store.now_ms += 10 * DELAYS_MS[-1]
    await replica.deliver()
    assert len(receiver.requests) == len(DELAYS_MS) + 1
    assert await due(store, "deliveries") == []


async def test_a_session_that_is_over_outlives_all_attempts(
    replica: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    lobby = await begin(replica.sessions, KRETA, OPEN, OPEN)
    await replica.sessions.webhooks.set(lobby.id, lobby.host, receiver.url, ALL, None)
    await replica.sessions.host.cancel(lobby.id, lobby.host, None)
    assert store.lifetime_ms is not None
    assert store.lifetime_ms > sum(DELAYS_MS)
    left = await replica.sit_down(receiver.url, 0, 1)
    for token in left.seats:
        await replica.sessions.players.leave(left.id, token, None)
    assert (await live(replica.sessions, left)).record.over
    assert store.lifetime_ms > sum(DELAYS_MS)


async def test_a_turn_that_is_over_is_not_delivered(replica: Replica, receiver: Receiver, store: FaultyStore) -> None:
    receiver.answer = lambda: BAD
    sitting = await replica.sit_down(receiver.url, 0, 1)
    first = await owing(replica, sitting)
    await replica.deliver()
    while await owing(replica, sitting) == first:
        await move_once(replica.sessions, sitting)
    store.now_ms += DELAYS_MS[0]
    await replica.deliver()
    assert receiver.events == [("seat.turn", first), ("seat.turn", 1 - first)]


async def test_a_new_webhook_gets_the_turn_again_and_a_removed_one_gets_nothing(
    replica: Replica, receiver: Receiver
) -> None:
    sitting = await replica.sit_down(receiver.url, 0, 1)
    seat = await owing(replica, sitting)
    await replica.deliver()
    (secret,) = await replica.hook(sitting, receiver.url, seat)
    await replica.deliver()
    assert receiver.events == [("seat.turn", seat)] * 2
    assert [one.is_signed_with(secret) for one in receiver.requests] == [False, True]
    for token in sitting.seats:
        await replica.sessions.webhooks.set(sitting.id, token, "", ALL, None)
    await play_out(replica.sessions, sitting)
    await replica.deliver()
    assert len(receiver.requests) == 2


# ---------------------------------------------------------------- several replicas


async def test_two_concurrent_replicas_deliver_once(
    replica: Replica, another: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    sitting = await replica.sit_down(receiver.url, 0, 1)
    seat = await owing(replica, sitting)
    await replica.dispatcher.drain()
    await asyncio.gather(*(one.dispatcher.check(sitting.id) for one in (replica, another)))
    assert receiver.events == [("seat.turn", seat)]


async def test_another_replica_repeats_the_attempt_of_a_dead_one(
    replica: Replica, another: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    receiver.answer = lambda: None
    sitting = await replica.sit_down(receiver.url, 0, 1)
    await replica.dispatcher.drain()
    await replica.scheduler.poll()
    await receiver.has(1)
    await replica.scheduler.close()
    receiver.answer = lambda: b"HTTP/1.1 200 OK\r\n\r\n"
    await another.deliver()
    assert len(receiver.requests) == 1
    store.now_ms += LEASE_MS
    await another.deliver()
    assert len(receiver.requests) == 2
    assert receiver.requests[0].id == receiver.requests[1].id
    assert (await now(another.sessions, sitting)).record.has_webhooks


async def test_a_commit_of_a_replica_that_died_at_once_is_delivered(
    another: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    dies = Sessions(store, clock_ms=Clock(), webhooks=lambda host, port: True)  # without a dispatcher
    sitting = await sit_down(dies, KRETA, 2)
    for token in sitting.seats:
        await dies.webhooks.set(sitting.id, token, receiver.url, ALL, None)
    await another.deliver()
    assert receiver.requests == []
    store.now_ms += LEASE_MS
    await another.deliver()
    assert [event for event, _ in receiver.events] == ["seat.turn"]


async def test_a_commit_during_a_check_is_delivered_too(
    replica: Replica, another: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    sitting = await replica.sit_down(receiver.url, 0, 1)
    await replica.dispatcher.drain()
    (lease,) = await store.schedule.lease("deliveries", 10, LEASE_MS)
    await store.schedule.at("deliveries", sitting.id, 6_000)  # as a commit on another replica does first
    await store.schedule.done(lease, await replica.dispatcher.check(sitting.id))
    assert len(receiver.requests) == 1
    await move_once(another.sessions, sitting)
    await replica.dispatcher.drain()
    store.now_ms += 6_000
    assert await due(store, "deliveries") == [sitting.id]


async def test_deliveries_survive_an_outage_of_the_store(
    replica: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    await replica.sit_down(receiver.url, 0, 1)
    await replica.dispatcher.drain()
    store.away = True
    await replica.deliver()
    with pytest.raises(StoreUnavailable):
        await replica.sessions.uptime_ms()
    store.away = False
    assert receiver.requests == []
    store.now_ms += LEASE_MS
    await replica.deliver()
    assert len(receiver.requests) == 1


# ---------------------------------------------------------------- slow receivers


async def test_a_hanging_receiver_does_not_block_others_and_gets_a_limited_number_of_requests(
    store: FaultyStore,
) -> None:
    async with receiving() as slow, receiving() as quick:
        slow.answer = lambda: None
        async with replica_with(store, f"127.0.0.1:{slow.port}", f"127.0.0.1:{quick.port}") as replica:
            for _ in range(MAX_PER_RECEIVER + 3):
                await replica.sit_down(slow.url, 0, 1)
            await replica.sit_down(quick.url, 0, 1)
            looks = asyncio.create_task(replica.scheduler.run())
            await quick.has(1)
            await slow.has(MAX_PER_RECEIVER)
            looks.cancel()
            assert len(slow.requests) == MAX_PER_RECEIVER


async def test_a_delivery_that_timed_out_is_repeated(store: FaultyStore) -> None:
    async with receiving() as slow:
        slow.answer = lambda: None
        async with replica_with(store, f"127.0.0.1:{slow.port}", timeout=0.05) as replica:
            await replica.sit_down(slow.url, 0, 1)
            await replica.deliver()
            assert len(slow.requests) == 1
            store.now_ms += DELAYS_MS[0]
            await replica.deliver()
            assert len(slow.requests) == 2
