"""The endpoints of applications: which events they get, in which order, and when they are switched off."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest

from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.endpoints.webhook_endpoints import FAILING_MS, EndpointState
from skerry_service.domain.errors import (
    InvalidField,
    WebhookEndpointNotFound,
)
from skerry_service.domain.record import Delay, Occupant, SeatRecord, Spectating, WebhookEvent
from skerry_service.domain.table import OPEN
from skerry_service.webhooks.webhook_dispatcher import DELAYS_MS, LEASE_MS, MAX_PER_APPLICATION
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, begin, move_once, sit_down
from tests.store.schedules import due
from tests.timers.clocks import now

from .receivers import BAD, GOOD, Receiver, receiving
from .replicas import Replica, of_app, register, replica_with

ALL = tuple(WebhookEvent)
GONE = b"HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n"
BOT = SeatRecord(Occupant.BOT)


async def state(replica: Replica, one: str = "main") -> EndpointState:
    return (await replica.sessions.endpoints.get("app", one)).state


async def test_an_endpoint_gets_all_events_of_a_session_in_order(replica: Replica, receiver: Receiver) -> None:
    secret = await register(replica, receiver.url)
    sitting = await of_app(replica)
    await replica.deliver()
    seat = (await now(replica.sessions, sitting)).to_act[0]
    assert receiver.events == [
        ("session.create", None),
        ("seat.join", 0),
        ("seat.join", 1),
        ("session.start", None),
        ("seat.turn", seat),
    ]
    await move_once(replica.sessions, sitting)
    await replica.deliver()
    assert receiver.events[5:] == [("seat.move", seat)]
    await replica.sessions.players.resign(sitting.id, sitting.seats[0], None)
    await replica.deliver()
    assert receiver.events[-1] == ("session.end", None)
    assert all(one.is_signed_with(secret) for one in receiver.requests)
    assert len({one.id for one in receiver.requests}) == len(receiver.requests)
    sequences = [int(one.data["sequence"]) for one in receiver.requests]
    assert sequences == sorted(sequences)


async def test_a_rematch_is_reported_and_its_session_goes_on_reporting(replica: Replica, receiver: Receiver) -> None:
    await register(replica, receiver.url)
    sitting = await of_app(replica)
    await replica.sessions.webhooks.set(sitting.id, sitting.host, receiver.url, (WebhookEvent.REMATCH,), None)
    await replica.sessions.players.resign(sitting.id, sitting.seats[0], None)
    await replica.deliver()
    receiver.requests.clear()
    seat = await replica.sessions.rematches.rematch(sitting.id, sitting.seats[0])
    await replica.deliver()
    again = f"sessions/{seat.table.record.id}"
    by_type = Counter((one.type, one.data["session"], one.data.get("rematch")) for one in receiver.requests)
    assert by_type == {
        ("session.rematch", f"sessions/{sitting.id}", again): 2,  # to the host's webhook too
        ("session.create", again, None): 1,
        ("seat.join", again, None): 1,
    }


async def test_an_endpoint_gets_only_its_events_and_only_those_of_its_application(
    replica: Replica, receiver: Receiver
) -> None:
    await register(replica, receiver.url, events=(WebhookEvent.START,))
    url = f"http://127.0.0.1:{receiver.port}/other"
    await replica.sessions.endpoints.set("other", "main", url, (WebhookEvent.CREATE,), None)
    await sit_down(replica.sessions, KRETA, 2)
    both, one = await of_app(replica, "app", "other"), await of_app(replica, "other")
    await replica.deliver()
    got = Counter((request.type, request.target[:6], request.data["session"]) for request in receiver.requests)
    assert got == {
        ("session.start", "/hooks", f"sessions/{both.id}"): 1,
        ("session.create", "/other", f"sessions/{both.id}"): 1,
        ("session.create", "/other", f"sessions/{one.id}"): 1,
    }


async def test_nothing_hidden_is_reported(replica: Replica, receiver: Receiver) -> None:
    """Two games that differ only in what no spectator sees have equal requests, except for ids and times."""
    await register(replica, receiver.url)
    seen = []
    for seed in (bytes([1]) * 32, bytes([2]) * 32):
        receiver.requests.clear()
        sitting = await of_app(replica, seed=seed)
        await replica.deliver()
        hidden = (sitting.id, "timestamp", "serverTimeMs")
        seen.append(
            [
                {
                    name: str(value).replace(hidden[0], "")
                    for name, value in one.data.items()
                    if name not in hidden and name != "seat"
                }
                for one in receiver.requests
            ]
        )
    assert seen[0] == seen[1]
    for spectating in (Spectating.NOBODY, Spectating.INVITED):
        receiver.requests.clear()
        sitting = await of_app(replica, spectating=spectating)
        await move_once(replica.sessions, sitting)
        await replica.deliver()
        kinds = {one.type for one in receiver.requests}
        assert ("seat.move" in kinds) == (spectating is Spectating.INVITED)
        assert not any("picture" in one.data for one in receiver.requests)


async def test_a_game_of_bots_is_one_move_and_an_end(replica: Replica, receiver: Receiver) -> None:
    await register(replica, receiver.url)
    await begin(replica.sessions, KRETA, BOT, BOT, applications=("app",), delay=Delay(entries=5))
    await replica.deliver()
    assert [one.type for one in receiver.requests] == ["session.create", "session.start", "seat.move", "session.end"]
    assert len(receiver.requests[-1].data["outcome"]["ranks"]) == 2


async def test_events_wait_for_the_one_before_and_keep_their_ids(
    replica: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    await register(replica, receiver.url, events=(WebhookEvent.CREATE, WebhookEvent.JOIN))
    receiver.answer = lambda: BAD
    await of_app(replica)
    await replica.deliver()
    assert receiver.events == [("session.create", None)]
    receiver.answer = lambda: GOOD
    store.now_ms += DELAYS_MS[0]
    await replica.deliver()
    assert receiver.events == [("session.create", None)] * 2 + [("seat.join", 0), ("seat.join", 1)]
    assert receiver.requests[0].id == receiver.requests[1].id
    assert await due(store, "deliveries") == []


async def test_an_event_that_is_given_up_does_not_hold_the_next_ones(
    replica: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    await register(replica, receiver.url, events=(WebhookEvent.CREATE, WebhookEvent.START))
    receiver.answer = lambda: BAD if receiver.requests[-1].type == "session.create" else GOOD
    await of_app(replica)
    await replica.deliver()
    for delay in DELAYS_MS:
        store.now_ms += delay
        await replica.deliver()
    assert receiver.events == [("session.create", None)] * (len(DELAYS_MS) + 1) + [("session.start", None)]


async def test_an_endpoint_gets_no_events_from_before_it(replica: Replica, receiver: Receiver, clock: Clock) -> None:
    early = await of_app(replica)
    clock.now += 1000
    await register(replica, receiver.url)
    await move_once(replica.sessions, early)
    await replica.deliver()
    assert {one.type for one in receiver.requests} == {"seat.move"}


async def test_an_event_that_is_added_begins_with_the_next_one(
    replica: Replica, receiver: Receiver, clock: Clock, store: FaultyStore
) -> None:
    await register(replica, receiver.url, events=(WebhookEvent.START, WebhookEvent.END))
    sitting = await of_app(replica)
    for _ in range(5):
        await move_once(replica.sessions, sitting)
    receiver.answer = lambda: BAD
    await replica.deliver()
    clock.now += 1000
    for events in ((WebhookEvent.MOVE, WebhookEvent.START), (WebhookEvent.START, WebhookEvent.MOVE), ALL):
        await register(replica, receiver.url, events=events)
    clock.now += 1000
    await register(replica, receiver.url, events=(WebhookEvent.JOIN, WebhookEvent.MOVE, WebhookEvent.START))
    receiver.answer = lambda: GOOD
    receiver.requests.clear()
    await move_once(replica.sessions, sitting)
    store.now_ms += DELAYS_MS[0]
    await replica.deliver()
    assert [one.type for one in receiver.requests] == ["session.start", "seat.move"]
    assert await replica.sessions.endpoints.resend("app", "main", clock.now - 3000) == (1, "")
    receiver.requests.clear()
    await replica.deliver()
    kinds = [one.type for one in receiver.requests]
    assert (kinds.count("seat.join"), kinds.count("seat.move")) == (2, 6)


# ---------------------------------------------------------------- off and on


async def test_gone_switches_an_endpoint_off_until_it_is_set_again(
    replica: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    await register(replica, receiver.url)
    receiver.answer = lambda: GONE
    sitting = await of_app(replica)
    await replica.deliver()
    assert len(receiver.requests) == 1
    assert await state(replica) is EndpointState.GONE
    receiver.answer = lambda: GOOD
    store.now_ms += 10 * DELAYS_MS[-1]
    await move_once(replica.sessions, sitting)
    await replica.deliver()
    assert len(receiver.requests) == 1
    assert await due(store, "deliveries") == []
    assert await register(replica, receiver.url) == ""
    assert await state(replica) is EndpointState.ENABLED
    await of_app(replica)
    await replica.deliver()
    assert receiver.events[1] == ("session.create", None)


async def test_an_endpoint_that_fails_for_days_is_switched_off(
    replica: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    await register(replica, receiver.url)
    receiver.answer = lambda: BAD
    await of_app(replica)
    await replica.deliver()
    failing = (await replica.sessions.endpoints.get("app", "main")).failing_since_ms
    assert failing == store.now_ms
    assert (await replica.sessions.endpoints.get("app", "main")).failure == "status 500"
    store.now_ms += FAILING_MS - 1
    await replica.deliver()
    assert await state(replica) is EndpointState.ENABLED
    store.now_ms += DELAYS_MS[-1]
    await replica.deliver()
    assert await state(replica) is EndpointState.FAILED
    count = len(receiver.requests)
    store.now_ms += DELAYS_MS[-1]
    await replica.deliver()
    assert len(receiver.requests) == count


async def test_a_success_ends_the_time_of_failure(replica: Replica, receiver: Receiver, store: FaultyStore) -> None:
    await register(replica, receiver.url)
    receiver.answer = lambda: BAD
    await of_app(replica)
    await replica.deliver()
    receiver.answer = lambda: GOOD
    store.now_ms += FAILING_MS
    await replica.deliver()
    endpoint = await replica.sessions.endpoints.get("app", "main")
    assert (endpoint.failing_since_ms, endpoint.failure) == (None, "")


async def test_another_failure_is_stored_once_a_minute(
    replica: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    await register(replica, receiver.url)

    async def attempt(after_ms: int, answer: bytes) -> tuple[int | None, str]:
        store.now_ms += after_ms
        receiver.answer = lambda: answer
        await of_app(replica)
        await replica.deliver()
        endpoint = await replica.sessions.endpoints.get("app", "main")
        return endpoint.failing_since_ms, endpoint.failure

    began = store.now_ms
    assert await attempt(0, BAD) == (began, "status 500")
    assert await attempt(59_999, b"") == (began, "status 500")
    assert await attempt(1, b"") == (began, "no HTTP response")
    assert await attempt(60_000, GONE.replace(b"410", b"404")) == (began, "status 404")


# ---------------------------------------------------------------- sending again


async def test_events_are_sent_again_from_a_time_with_their_ids(
    replica: Replica, receiver: Receiver, clock: Clock, store: FaultyStore
) -> None:
    await register(replica, receiver.url)
    early = await of_app(replica)
    await replica.deliver()
    clock.now += 1000
    from_ms = clock.now
    late = await of_app(replica)
    await move_once(replica.sessions, late)
    await replica.deliver()
    before = [(one.id, one.type) for one in receiver.requests if one.data["session"] == f"sessions/{late.id}"]
    receiver.requests.clear()
    clock.now += 1000
    assert await replica.sessions.endpoints.resend("app", "main", from_ms) == (2, "")
    await replica.deliver()
    again = [(one.id, one.type) for one in receiver.requests if one.data["session"] == f"sessions/{late.id}"]
    assert Counter(again) == Counter(one for one in before if one[1] != "seat.turn" or one in again)
    assert ("seat.move" in {kind for _, kind in again}) and again[0][1] == "session.create"
    of_early = {one.type for one in receiver.requests if one.data["session"] == f"sessions/{early.id}"}
    assert of_early == {"seat.turn"}, "it holds now"
    assert await due(store, "deliveries") == []
    for wrong in (clock.now + 60_000, clock.now - 8 * 86_400_000):
        with pytest.raises(InvalidField):
            await replica.sessions.endpoints.resend("app", "main", wrong)
    with pytest.raises(WebhookEndpointNotFound):
        await replica.sessions.endpoints.resend("app", "none", clock.now)


# ---------------------------------------------------------------- what is not read


async def test_an_endpoint_without_events_for_moves_does_not_read_the_log_again(
    replica: Replica, receiver: Receiver, store: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await register(replica, receiver.url, events=(WebhookEvent.END,))
    sitting = await of_app(replica)
    read = list[int]()
    batches = store.batches

    async def counted(session: str, after: int) -> Sequence[bytes]:
        found = await batches(session, after)
        read.append(len(found))
        return found

    await replica.deliver()
    monkeypatch.setattr(store, "batches", counted)
    for _ in range(30):
        await move_once(replica.sessions, sitting)
        await replica.deliver()
    assert max(read) <= 2
    await replica.sessions.players.resign(sitting.id, sitting.seats[0], None)
    await replica.deliver()
    assert receiver.events == [("session.end", None)]


async def test_moves_without_endpoints_ask_the_store_for_nothing_more(replica: Replica, store: FaultyStore) -> None:
    sitting = await of_app(replica)
    plain = await sit_down(replica.sessions, KRETA, 2)
    reads = Counter[str]()
    original = store.resources.read_all

    async def read_all(resource: str, part: str) -> object:
        reads[resource] += 1
        return await original(resource, part)

    store.resources.read_all = read_all  # type: ignore[method-assign,assignment]
    for one in (sitting, plain):
        for _ in range(20):
            await move_once(replica.sessions, one)
    assert reads["webhooks"] == 0, "the copy of the replica is fresh"
    store.now_ms += LEASE_MS
    assert await due(store, "deliveries") == []


async def test_a_session_of_an_application_that_lost_its_endpoint_leaves_the_schedule(
    replica: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    receiver.answer = lambda: BAD
    await register(replica, receiver.url)
    await of_app(replica)
    await replica.deliver()
    await replica.sessions.endpoints.delete("app", "main")
    store.now_ms += DELAYS_MS[0]
    await replica.deliver()
    assert await due(store, "deliveries") == []
    assert len(receiver.requests) == 1


# ---------------------------------------------------------------- one application cannot delay another


async def test_a_jammed_application_does_not_delay_another(store: FaultyStore) -> None:
    """The other application gets its event in the first round of the scheduler, however many sessions wait."""
    async with receiving() as jammed, receiving() as quick:
        jammed.answer = lambda: None
        hosts = [f"127.0.0.1:{one.port}" for one in (jammed, quick)]
        async with replica_with(store, *hosts, timeout=600.0) as replica:
            for number in range(3):
                await register(replica, jammed.url, f"e{number}", (WebhookEvent.CREATE,))
            await replica.sessions.endpoints.set("other", "main", quick.url, (WebhookEvent.CREATE,), None)
            for _ in range(400):
                await begin(replica.sessions, KRETA, OPEN, OPEN, applications=("app",))
            await replica.dispatcher.drain()
            while store.schedule.due_in("deliveries", 0) <= 0:
                await replica.scheduler.poll()
                await asyncio.sleep(0.01)
            assert len(jammed.requests) <= MAX_PER_APPLICATION
            checks = 0
            for number in range(3):
                await begin(replica.sessions, KRETA, OPEN, OPEN, applications=("app",))
                await begin(replica.sessions, KRETA, OPEN, OPEN, applications=("other",))
                await replica.dispatcher.drain()
                checks += await replica.scheduler.poll()
                await quick.has(number + 1)
            assert checks == 3, "only those of the other application"
            store.now_ms += 3_000
            assert 0 < await replica.scheduler.poll() < 100, "the waiting ones are checked a few at a time"
            await replica.scheduler.close()
