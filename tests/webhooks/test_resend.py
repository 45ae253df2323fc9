"""Events are sent again page by page: each page is bounded, can be repeated, and can be read on any replica."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from skerry_service.domain.errors import NotAllowed, RequestIdReused, WebhookEndpointNotFound
from skerry_service.sessions.resources import webhook_registry
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, move_once, uuid

from .receivers import Receiver
from .replicas import Replica, of_app, register, replica_with

SESSIONS, PAGE = 7, 3


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook_registry, "_PAGE", PAGE)


async def generation(replica: Replica) -> int:
    return (await replica.sessions.endpoints.get("app", "main")).generation


async def created(replica: Replica, receiver: Receiver) -> list[str]:
    """Create sessions of the application, and of another one. Return the names of the first."""
    await register(replica, receiver.url)
    sittings = [await of_app(replica) for _ in range(SESSIONS)]
    for _ in range(2):
        await of_app(replica, "other")
    await replica.deliver()
    receiver.requests.clear()
    return [f"sessions/{one.id}" for one in sittings]


def sent_again(receiver: Receiver) -> Counter[str]:
    """Return how often the creation of each session was sent."""
    return Counter(str(one.data["session"]) for one in receiver.requests if one.type == "session.create")


async def test_every_page_is_bounded_and_another_replica_can_go_on(
    replica: Replica, receiver: Receiver, clock: Clock, store: FaultyStore
) -> None:
    names, before = await created(replica, receiver), await generation(replica)
    count, place = await replica.sessions.endpoints.resend("app", "main", clock.now - 60_000, uuid(1))
    assert count <= PAGE and place
    await replica.deliver()
    assert sum(sent_again(receiver).values()) == count
    pages = 1
    while place:  # the replica of the page before has crashed
        async with replica_with(store, f"127.0.0.1:{receiver.port}") as another:
            more, place = await another.sessions.endpoints.resend_more("app", "main", place)
        assert more <= PAGE
        count, pages = count + more, pages + 1
    await replica.deliver()
    assert (count, pages, await generation(replica)) == (SESSIONS, 3, before + 1)
    assert sent_again(receiver) == dict.fromkeys(names, 1)


async def test_a_repeated_page_sends_nothing_once_more(replica: Replica, receiver: Receiver, clock: Clock) -> None:
    names, endpoints, from_ms = await created(replica, receiver), replica.sessions.endpoints, clock.now - 60_000
    first = await endpoints.resend("app", "main", from_ms, uuid(1))
    await replica.deliver()
    assert await endpoints.resend("app", "main", from_ms, uuid(1)) == first, "its answer was lost"
    clock.now += 8 * 86_400_000  # a repeat that comes late is no new request
    assert await endpoints.resend("app", "main", from_ms, uuid(1)) == first
    place = first[1]
    while place:
        page = await endpoints.resend_more("app", "main", place)
        assert await endpoints.resend_more("app", "main", place) == page
        place = page[1]
    await replica.deliver()
    assert sent_again(receiver) == dict.fromkeys(names, 1)
    with pytest.raises(RequestIdReused):
        await endpoints.resend("app", "main", clock.now, uuid(1))


async def test_a_session_that_no_page_has_reached_is_sent_with_its_next_entry(
    replica: Replica, receiver: Receiver, clock: Clock
) -> None:
    await register(replica, receiver.url)
    sittings = {one.id: one for one in [await of_app(replica) for _ in range(SESSIONS)]}
    await replica.deliver()
    receiver.requests.clear()
    await replica.sessions.endpoints.resend("app", "main", clock.now - 60_000)
    await replica.deliver()
    reached = sent_again(receiver)
    left = next(one for name, one in sittings.items() if f"sessions/{name}" not in reached)
    await move_once(replica.sessions, left)
    await replica.deliver()
    assert sent_again(receiver) - reached == {f"sessions/{left.id}": 1}


async def test_four_hundred_callers_at_once_each_resend(replica: Replica, receiver: Receiver, clock: Clock) -> None:
    await created(replica, receiver)
    endpoints, before, from_ms = replica.sessions.endpoints, await generation(replica), clock.now - 60_000
    same = await asyncio.gather(*(endpoints.resend("app", "main", from_ms, uuid(1)) for _ in range(400)))
    assert (len(set(same)), await generation(replica)) == (1, before + 1)
    each = await asyncio.gather(*(endpoints.resend("app", "main", from_ms, uuid(2 + one)) for one in range(400)))
    assert (set(each), await generation(replica)) == (set(same), before + 401)
    await replica.deliver()
    assert set(sent_again(receiver).values()) == {1}


async def test_a_page_of_a_foreign_endpoint_or_an_invalid_place_is_refused(
    replica: Replica, receiver: Receiver, clock: Clock, store: FaultyStore
) -> None:
    await created(replica, receiver)
    _, place = await replica.sessions.endpoints.resend("app", "main", clock.now)
    for application, one in (("other", "main"), ("app", "none")):
        with pytest.raises(WebhookEndpointNotFound):
            await replica.sessions.endpoints.resend_more(application, one, place)
    await replica.sessions.endpoints.delete("app", "main")
    with pytest.raises(WebhookEndpointNotFound):
        await replica.sessions.endpoints.resend_more("app", "main", place)
    async with replica_with(store) as disabled:
        await register(replica, receiver.url)
        disabled.sessions.endpoints._allows = None
        with pytest.raises(NotAllowed):
            await disabled.sessions.endpoints.resend_more("app", "main", place)
