"""What operators see of the whole service, and the orders and filters of the list of all sessions."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.json_format import MessageToJson

from skerry.admin.v1 import admin_pb2 as admin
from skerry.admin.v1 import overview_pb2 as overview
from skerry.v1 import service_pb2 as pb
from skerry_service import __version__
from skerry_service.access.api_key_file import format_line, new_key
from skerry_service.edge.admin import session_listings
from skerry_service.store import redis_keys as names
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.telemetry.rejected_callers import RejectedCallers
from tests.admin.test_calls import operated
from tests.api.wire import OPEN, Api, create, move_once, refused, sit_down
from tests.quotas.limited_servers import limits
from tests.store.servers import ask

NEWEST, IDLE = admin.SESSION_ORDER_NEWEST, admin.SESSION_ORDER_IDLE


async def listed(stub: object, **wanted: object) -> list[str]:
    """Return the names on all pages of an ordered list."""
    request, found = admin.ListAllSessionsRequest(page_size=2, **wanted), list[str]()  # type: ignore[arg-type]
    while True:
        page = await stub.ListAllSessions(request)  # type: ignore[attr-defined]
        assert not page.incomplete
        found += [one.name for one in page.sessions]
        request.page_token = page.next_page_token
        if not request.page_token:
            return found


async def three(api: Api) -> list[str]:
    """Create three sessions, with labels, one after the other."""
    found = []
    for number in range(3):
        found.append((await create(api, OPEN, OPEN, labels={"room": str(number)})).name)
        await asyncio.sleep(0.01)
    return found


async def test_sessions_are_listed_the_newest_or_the_longest_idle_first(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with operated(valkey) as (stub, api):
        first, second, third = await three(api)
        assert await listed(stub, order=NEWEST) == [third, second, first]
        await api.stub.JoinSession(pb.JoinSessionRequest(name=first, display_name="Ada"))
        assert await listed(stub, order=IDLE) == [second, third, first]
        assert await listed(stub, order=NEWEST) == [third, second, first]
        page = await stub.ListAllSessions(admin.ListAllSessionsRequest(order=IDLE))
        changed = {one.name: one.change_time.ToMilliseconds() for one in page.sessions}
        seen = await stub.InspectSession(admin.InspectSessionRequest(name=first))
        assert changed[first] == seen.change_time.ToMilliseconds()


async def test_sessions_are_filtered_by_label_and_age(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with operated(valkey) as (stub, api):
        first, second, third = await three(api)
        for order in (admin.SESSION_ORDER_UNSPECIFIED, NEWEST):
            assert set(await listed(stub, order=order, label="room")) == {first, second, third}
            assert await listed(stub, order=order, label="room:1") == [second]
            assert await listed(stub, order=order, label="roo") == []
            assert await listed(stub, order=order, min_age=Duration(seconds=3600)) == []
        for wrong in ({"min_age": Duration(seconds=-1)}, {"order": 9}):
            with refused("INVALID_ARGUMENT", "INVALID_FIELD", field=next(iter(wrong))):
                await stub.ListAllSessions(admin.ListAllSessionsRequest(**wrong))


async def test_an_ordered_list_survives_damage_and_says_if_it_is_incomplete(
    valkey: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ask(valkey, "FLUSHALL")
    async with operated(valkey) as (stub, api):
        first, second, third = (name.removeprefix("sessions/") for name in await three(api))
        await ask(valkey, "HSET", names.head(first), "r", b"\xff")
        await ask(valkey, "DEL", names.log(second))
        await ask(valkey, "SET", names.log(second), "x")
        for order in (NEWEST, IDLE):
            page = await stub.ListAllSessions(admin.ListAllSessionsRequest(order=order))
            assert {one.name for one in page.sessions} == {f"sessions/{one}" for one in (first, second, third)}
        monkeypatch.setattr(session_listings, "MAX_READ", 1)
        page = await stub.ListAllSessions(admin.ListAllSessionsRequest(order=NEWEST))
        assert page.incomplete


async def test_the_overview_has_replica_store_and_queues(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with operated(valkey) as (stub, api):
        before = (await stub.GetOverview(overview.GetOverviewRequest())).store.sessions
        sitting = await sit_down(api)
        await move_once(api, sitting)
        stream = aiter(api.stub.Observe(pb.ObserveRequest(name=sitting.name)))
        await anext(stream)
        ticket = aiter(api.stub.FindMatch(pb.FindMatchRequest(game="kreta", display_name="Ada")))
        await anext(ticket)
        seen = await stub.GetOverview(overview.GetOverviewRequest())
        (replica,) = seen.replicas
        assert (replica.build, replica.answers, replica.draining) == (__version__, True, False)
        assert abs(replica.start_time.ToSeconds() - time.time()) < 600
        assert (replica.connections, replica.streams) == (1, 1)
        assert replica.cached_sessions >= 1
        assert seen.store.sessions == before + 1
        assert seen.store.round_trip.ToMicroseconds() > 0
        assert seen.store.servers[0].used_bytes > 0
        assert not seen.store.problems
        (queue,) = seen.queues
        assert (queue.ruleset, queue.tickets, queue.HasField("longest_wait")) == ("kreta-2", 1, True)
        assert seen.webhooks == overview.WebhookStatus()
        assert "Ada" not in MessageToJson(seen)


async def test_the_overview_names_the_callers_that_were_rejected_and_why(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    path, ours, others = tmp_path / "keys", new_key("ops"), new_key("players")
    lines = [format_line(ours, "admin"), format_line(others, "watch")]
    await asyncio.to_thread(path.write_text, "\n".join(lines))
    async with operated(valkey, keys=path) as (stub, api):
        for _ in range(3):
            with refused("PERMISSION_DENIED", "API_KEY_SCOPE", scopes="host"):
                await api.stub.CreateSession(pb.CreateSessionRequest(), metadata=(("x-api-key", others),))
        with refused("UNAUTHENTICATED", "API_KEY_MISSING"):
            await api.stub.ListGames(pb.ListGamesRequest())
        seen = await stub.GetOverview(overview.GetOverviewRequest(), metadata=(("x-api-key", ours),))
        found = [(one.key, one.reason, one.count) for one in seen.rejected]
        assert found == [("players", "API_KEY_SCOPE", 3), ("", "API_KEY_MISSING", 1)]
        assert all(one.address and one.last_time.ToSeconds() for one in seen.rejected)
        assert others not in MessageToJson(seen)


async def test_limits_that_were_reached_are_in_the_overview(valkey: EmbeddedServer) -> None:
    async with operated(valkey, quotas=limits(create="1/1h")) as (stub, api):
        await create(api, OPEN, OPEN)
        with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED"):
            await create(api, OPEN, OPEN)
        seen = await stub.GetOverview(overview.GetOverviewRequest())
        assert [(one.name, one.count) for one in seen.limits] == [("create", 1)]
        assert [one.reason for one in seen.rejected] == ["LIMIT_REACHED"]


def test_the_callers_that_are_remembered_are_bounded() -> None:
    callers = RejectedCallers(lambda: 1)
    callers.refused(lambda: "first", "RESOURCE_EXHAUSTED", "LIMIT_REACHED")
    for number in range(1_000):
        callers.refused(lambda number=number: f"{number}" + "x" * 1_000, "RESOURCE_EXHAUSTED", "LIMIT_REACHED")  # type: ignore[misc]
    found = callers.most(2_000)
    assert len(found) == 1_000
    assert "first" not in [one.address for one in found]
    assert max(len(one.address) for one in found) == 100
