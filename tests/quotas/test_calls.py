"""Limits over the wire: real servers, a real store, both fronts."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from grpc_health.v1 import health_pb2, health_pb2_grpc
from msgspec.structs import replace

from skerry.v1 import service_pb2 as pb
from skerry.v1 import tournament_pb2, webhook_pb2
from skerry_service.access.quotas import LimitSettings
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.transports import of_connections
from tests.api.wire import (
    OPEN,
    Api,
    bearer,
    create,
    get,
    move_once,
    refusal_of,
    refused,
    served,
    sit_down,
    turn,
)
from tests.quotas.limited_servers import NEW, address, limited, limits, outcome_of
from tests.rest.web import Web, connection, read_response, request
from tests.rest.web import served as web_served
from tests.store.servers import ask, until

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOUR_S = 3600

# ---------------------------------------------------------------- creating and joining, together


@pytest.mark.parametrize("limit", ["create", "create_server"])
async def test_exactly_n_of_100_at_once_pass_a_limit_of_n_through_two_replicas(
    valkey: EmbeddedServer, limit: str
) -> None:
    async with limited(valkey, **{limit: "37/10h 90/24h"}) as one, AsyncExitStack() as stack:
        other = await stack.enter_async_context(served(valkey, quotas=limits(**{limit: "37/10h 90/24h"})))
        servers = [one.api, other]
        refusals = await asyncio.gather(
            *(
                outcome_of(
                    servers[call % 2].stub.CreateSession(NEW, metadata=address(1 if limit == "create" else call))
                )
                for call in range(100)
            )
        )
        assert refusals.count(None) == 37
        for refusal in filter(None, refusals):
            assert (refusal.code, refusal.reason) == ("RESOURCE_EXHAUSTED", "LIMIT_REACHED")
            assert refusal.metadata == {"limit": limit}
            assert refusal.retry_after is not None
            assert 0 < refusal.retry_after <= 10 * HOUR_S / 37
        listed = await one.api.stub.ListSessions(pb.ListSessionsRequest(page_size=100))
        assert len(listed.sessions) == 37


async def test_each_address_has_limits_of_its_own_over_both_fronts(valkey: EmbeddedServer) -> None:
    async with limited(valkey, create="2/10h 2/24h", join="3/10h") as web:
        by_http = {"x-forwarded-for": "198.51.100.1"}
        assert (await web.rpc("CreateSession", NEW, **by_http)).status == 200
        made = await web.api.stub.CreateSession(NEW, metadata=address(1))
        third = await web.rpc("CreateSession", NEW, **by_http)
        assert (third.status, third.reason, third.metadata) == (429, "LIMIT_REACHED", {"limit": "create"})
        delay = third.json["error"]["details"][1]["retryDelay"]
        assert 12 * HOUR_S - 60 < float(delay.removesuffix("s")) <= 12 * HOUR_S, "of the two the longer wait"
        assert (
            int(third.headers["retry-after"]) - 1 < float(delay.removesuffix("s")) <= int(third.headers["retry-after"])
        )
        assert (await web.rpc("CreateSession", NEW, **{"x-forwarded-for": "198.51.100.2"})).status == 200
        wrong = pb.JoinSessionRequest(name=made.session.name, display_name="Ada", seat=7)
        for _ in range(3):
            with refused("INVALID_ARGUMENT", "INVALID_FIELD"):
                await web.api.stub.JoinSession(wrong, metadata=address(1))
        with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="join") as refusal:
            await web.api.stub.JoinSession(wrong, metadata=address(1))
        assert "on attempts to take a seat is 3 in 10 h for one address" in refusal.message
        assert "Try again in 3 hours" in refusal.message


async def test_a_malformed_call_counts_against_nothing(valkey: EmbeddedServer) -> None:
    async with limited(valkey, create="1/10h") as web:
        for _ in range(3):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await web.api.send("CreateSession", b"\xff")
            assert refusal_of(caught.value).reason == "INVALID_FIELD"
        assert await outcome_of(web.api.stub.CreateSession(NEW)) is None


async def test_a_host_manages_within_a_limit_and_everybody_may_leave(valkey: EmbeddedServer) -> None:
    async with limited(valkey, manage="2/10h") as web:
        sitting = await sit_down(web.api, 2)
        label = pb.LabelSessionRequest(name=sitting.name, labels={"key": "value"})
        for _ in range(2):
            await web.api.stub.LabelSession(label, metadata=bearer(sitting.host))
        with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="manage"):
            await web.api.stub.LabelSession(label, metadata=bearer(sitting.host))
        await web.api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(sitting.seats[0]))


# ---------------------------------------------------------------- reading


async def test_entrants_wait_for_games_within_another_limit_than_readers_of_results(valkey: EmbeddedServer) -> None:
    async with limited(valkey, list="2/10h", read="3/10h") as web:
        results = tournament_pb2.ListTournamentGamesRequest(parent="tournaments/abcdefghijklmnop")
        playing = tournament_pb2.ListTournamentGamesRequest(parent=results.parent, playing=True)
        for wanted, limit, calls in ((results, "list", 2), (playing, "read", 3)):
            for _ in range(calls):
                with refused("NOT_FOUND", "TOURNAMENT_NOT_FOUND"):
                    await web.api.stub.ListTournamentGames(wanted, metadata=address(1))
            with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit=limit):
                await web.api.stub.ListTournamentGames(wanted, metadata=address(1))


async def test_later_pages_of_a_resend_count_as_lists(valkey: EmbeddedServer) -> None:
    async with limited(valkey, list="2/10h", resend="1/10h") as web:
        first = webhook_pb2.ResendWebhooksRequest(name="webhookEndpoints/main", from_time=Timestamp(seconds=1))
        later = webhook_pb2.ResendWebhooksRequest(name=first.name, from_time=first.from_time, page_token="1-00000000")
        for wanted, limit, calls in ((later, "list", 2), (first, "resend", 1)):
            for _ in range(calls):
                with refused("UNAUTHENTICATED", "API_KEY_MISSING"):
                    await web.api.stub.ResendWebhooks(wanted, metadata=address(1))
            with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit=limit):
                await web.api.stub.ResendWebhooks(wanted, metadata=address(1))


@pytest.mark.parametrize(
    ("limit", "rpc"), [("read", "GetSession"), ("list", "ListSessions"), ("replay", "GetReplay"), ("stream", "Observe")]
)
async def test_reading_is_limited_in_each_process(valkey: EmbeddedServer, limit: str, rpc: str) -> None:
    async with limited(valkey, **{limit: "3/10h"}) as web:
        sitting = await create(web.api, OPEN, OPEN)
        request: Message = {
            "GetSession": pb.GetSessionRequest(name=sitting.name),
            "ListSessions": pb.ListSessionsRequest(),
            "GetReplay": pb.GetReplayRequest(name=sitting.name),
            "Observe": pb.ObserveRequest(name=sitting.name),
        }[rpc]
        for _ in range(3):
            assert await web.api.send(rpc, request.SerializeToString(), address(3))
        with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit=limit):
            await web.api.send(rpc, request.SerializeToString(), address(3))
        over_http = await web.rpc(rpc, request, **{"x-forwarded-for": "198.51.100.3"})
        assert (over_http.status, over_http.metadata) == (429, {"limit": limit})
        assert await web.api.send(rpc, request.SerializeToString(), address(4))


async def test_a_position_of_before_counts_as_a_replay(valkey: EmbeddedServer) -> None:
    async with limited(valkey, replay="4/10h") as web:
        sitting = await sit_down(web.api, 2)
        newest = pb.GetSessionRequest(name=sitting.name)
        past = pb.GetSessionRequest(name=sitting.name, sequence=4)
        await web.api.stub.GetPositionText(
            pb.GetPositionTextRequest(name=sitting.name, sequence=4), metadata=address(3)
        )
        for _ in range(3):
            await web.api.stub.GetSession(past, metadata=address(3))
        with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="replay"):
            await web.api.stub.GetSession(past, metadata=address(3))
        await web.api.stub.GetSession(newest, metadata=address(3))


@of_connections
async def test_connections_are_limited_over_both_fronts(valkey: EmbeddedServer) -> None:
    async with web_served(valkey, quotas=replace(limits(connect="3/10h"), proxies=())) as web:
        assert await outcome_of(web.api.stub.ListGames(pb.ListGamesRequest())) is None
        assert [(await web.call("GET", "/healthz")).status for _ in range(2)] == [200, 200]
        assert await outcome_of(web.api.stub.ListGames(pb.ListGamesRequest())) is None, "a connection counts once"
        fourth = await web.send(b"")
        assert (fourth.status, fourth.reason, fourth.metadata) == (429, "LIMIT_REACHED", {"limit": "connect"})
        assert fourth.headers["connection"] == "close"


async def test_an_address_has_so_many_connections_over_http(valkey: EmbeddedServer) -> None:
    async with AsyncExitStack() as stack:
        quotas = replace(limits(connections_address="2"), proxies=())
        web = await stack.enter_async_context(web_served(valkey, quotas=quotas))
        health = request("GET", "/healthz", {})
        held = [await stack.enter_async_context(connection(web.address)) for _ in range(2)]
        for reader, writer in held:
            writer.write(health)
            assert (await read_response(reader)).status == 200
        third = await web.send(b"")
        assert (third.status, third.metadata) == (429, {"limit": "connections_address"})
        held[0][1].close()
        await until(lambda: opens(web))


async def opens(web: Web) -> bool:
    """Whether one more connection is taken: a refused one gets the error before it sends anything."""
    try:
        return (await web.call("GET", "/healthz")).status == 200
    except ConnectionError:
        return False


# ---------------------------------------------------------------- moves


async def test_moves_pass_whatever_is_used_up_and_ask_the_store_for_nothing_more(valkey: EmbeddedServer) -> None:
    async with limited(valkey, create="1/10h", join="2/10h", read="40/10h") as web:
        sitting = await sit_down(web.api, 2)
        with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="create"):
            await create(web.api, OPEN, OPEN)
        await move_once(web.api, sitting)
        token, position = await turn(web.api, sitting)
        assert await used_up(web.api)
        await ask(valkey, "CONFIG", "RESETSTAT")
        request = pb.ActRequest(
            name=sitting.name,
            move=position.legal_moves[0],
            expected_sequence=position.sequence,
            view=pb.POSITION_VIEW_FULL,
        )
        await web.api.stub.Act(request, metadata=bearer(token))
        stats = (await ask(valkey, "INFO", "commandstats")).decode()
        assert "cmdstat_evalsha:calls=1," in stats


async def used_up(api: Api) -> bool:
    for _ in range(100):
        refusal = await outcome_of(api.stub.ListGames(pb.ListGamesRequest()))
        if refusal is not None:
            return refusal.metadata == {"limit": "read"}
    return False


async def test_when_the_limiter_has_no_store_moves_and_health_pass_and_creating_is_refused(
    valkey: EmbeddedServer,
) -> None:
    async with limited(valkey, create="100/1h", join="100/1h", read="1000/1h") as web:
        sitting = await sit_down(web.api, 2)
        (create_key,) = await ask(valkey, "KEYS", "skerry:{quota:create}*")
        (join_key,) = await ask(valkey, "KEYS", "skerry:{quota:join}*")
        for key in (create_key.decode(), join_key.decode()):
            await ask(valkey, "DEL", key)
            await ask(valkey, "HSET", key, "not", "a number")
        with refused("UNAVAILABLE", "STORE_UNAVAILABLE") as refusal:
            await create(web.api, OPEN, OPEN)
        assert refusal.retry_after
        over_http = await web.rpc("CreateSession", NEW)
        assert (over_http.status, over_http.reason) == (503, "STORE_UNAVAILABLE")
        await move_once(web.api, sitting)
        assert (await get(web.api, sitting)).position.view.ByteSize()
        async with grpc.aio.insecure_channel(web.api.address) as channel:
            health: Any = health_pb2_grpc.HealthStub(channel)
            answer = await health.Check(health_pb2.HealthCheckRequest(service=""))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
        assert (await web.call("GET", "/readyz")).status == 200
    async with web_served(valkey, quotas=limits(mode="shadow", create="100/1h")) as web:
        await create(web.api, OPEN, OPEN)


# ---------------------------------------------------------------- whether limits hold


async def test_a_shadow_counts_and_tells_and_refuses_nothing(
    valkey: EmbeddedServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with limited(valkey, mode="shadow", create="1/10h", streams_address="1") as web:
        with caplog.at_level(logging.WARNING):
            sitting = [await create(web.api, OPEN, OPEN) for _ in range(5)][-1]
            streams = [web.api.stub.Observe(pb.ObserveRequest(name=sitting.name)) for _ in range(3)]
            for stream in streams:
                assert (await anext(aiter(stream))).sequence
                stream.cancel()
        received = [record.getMessage() for record in caplog.records if "limit" in record.getMessage()]
        assert [line.split(" reached")[0] for line in received] == ["limit create", "limit streams_address"]
        assert all("SKERRY_LIMITS is shadow" in line for line in received)


async def test_off_counts_nothing(valkey: EmbeddedServer) -> None:
    async with limited(valkey, mode="off", create="1/10h", connect="1/10h") as web:
        for _ in range(3):
            assert (await web.rpc("CreateSession", NEW)).status == 200
        assert await ask(valkey, "KEYS", "skerry:{quota:*") == []


async def test_the_limits_that_are_there_without_settings_fit_a_bot_that_plays_as_fast_as_it_can(
    valkey: EmbeddedServer,
) -> None:
    """Ten games without a pause from one address, each created, joined by all seats, read at every turn, and again."""
    await ask(valkey, "FLUSHALL")
    async with web_served(valkey, quotas=LimitSettings(local=True)) as web:
        for _ in range(10):
            sitting = await sit_down(web.api, 4)
            for pick in range(5):
                await move_once(web.api, sitting, pick)
            await web.api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))
