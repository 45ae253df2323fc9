"""How many streams may be open: on a connection, from an address, in a process, of a session."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import grpc
import pytest
from msgspec.structs import replace
from pyqwest import Client, HTTPTransport, HTTPVersion

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.access.quotas import Mode
from skerry_service.api.contract import SERVICE
from skerry_service.domain.limits import SessionLimits
from skerry_service.edge.framing.envelopes import envelope
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.test_observe import nothing_is_watched
from tests.api.ticket_clients import TicketClient
from tests.api.transports import of_connections
from tests.api.wire import OPEN, Api, Sitting, bearer, create, refusal_of, refused, served
from tests.quotas.limited_servers import address, limits
from tests.rest.web import served as web_served
from tests.store.servers import PATIENCE

pytestmark = pytest.mark.asyncio(loop_scope="module")

MAX_CONCURRENT_STREAMS = 3


class Readers:
    """Streams that stay open."""

    def __init__(self) -> None:
        self._calls: list[grpc.aio.UnaryStreamCall[pb.ObserveRequest, pb.ObserveResponse]] = []
        self._messages: list[AsyncIterator[pb.ObserveResponse]] = []
        """Kept, because a stream over HTTP ends with its iterator."""

    async def join(self, api: Api, sitting: Sitting, who: int, token: str | None = None) -> str | None:
        """Open one more; return the limit that refused it, or ``None`` once it has received something."""
        request = pb.ObserveRequest(name=sitting.name)
        call = api.stub.Observe(request, metadata=(*address(who), *bearer(token)))
        self._messages.append(messages := aiter(call))
        try:
            async with asyncio.timeout(PATIENCE):
                await anext(messages)
        except grpc.aio.AioRpcError as error:
            refusal = refusal_of(error)
            assert (refusal.code, refusal.reason) == ("RESOURCE_EXHAUSTED", "LIMIT_REACHED")
            assert refusal.retry_after == 5
            return refusal.metadata["limit"]
        self._calls.append(call)
        return None

    async def leave(self, count: int | None = None) -> None:
        """Close the first so many of them, or all."""
        for call in self._calls[:count]:
            call.cancel()
        del self._calls[:count]


@asynccontextmanager
async def readers() -> AsyncIterator[Readers]:
    opened = Readers()
    yield opened
    await opened.leave()


async def test_an_address_has_so_many_streams_over_both_fronts(valkey: EmbeddedServer) -> None:
    async with web_served(valkey, quotas=limits(streams_address="3")) as web, readers() as opened:
        sitting = await create(web.api, OPEN, OPEN)
        other = await create(web.api, OPEN, OPEN)
        assert await opened.join(web.api, sitting, 1) is None
        assert await opened.join(web.api, other, 1, other.host) is None
        assert await opened.join(web.api, other, 1) is None
        assert await opened.join(web.api, sitting, 1) == "streams_address"
        assert await opened.join(web.api, sitting, 2) is None, "another address has its own"
        over_http = await web.call("GET", f"/v1/{sitting.name}:observe", headers={"x-forwarded-for": "198.51.100.1"})
        assert (over_http.status, over_http.metadata) == (429, {"limit": "streams_address"})
        assert over_http.headers["retry-after"] == "5"
        await opened.leave()
        await nothing_is_watched(valkey)
        assert await opened.join(web.api, sitting, 1) is None, "a stream that ended makes room"


@of_connections
async def test_a_connection_has_so_many_streams(valkey: EmbeddedServer) -> None:
    quotas = replace(limits(streams_connection="2"), proxies=())
    async with served(valkey, quotas=quotas) as api, readers() as opened:
        sitting = await create(api, OPEN, OPEN)
        assert [await opened.join(api, sitting, 1) for _ in range(3)] == [None, None, "streams_connection"]
        own = (("grpc.use_local_subchannel_pool", 1),)
        async with grpc.aio.insecure_channel(api.address, options=own) as channel:
            assert await opened.join(Api(channel), sitting, 1) is None, "another connection has its own"


@pytest.mark.parametrize("protocol", ["rest", "connect"])
async def test_a_connection_has_so_many_streams_of_other_protocols(valkey: EmbeddedServer, protocol: str) -> None:
    quotas = replace(limits(streams_connection="2"), proxies=())
    async with (
        web_served(valkey, quotas=quotas) as web,
        HTTPTransport(http_version=HTTPVersion.HTTP2) as transport,
        AsyncExitStack() as opened,
    ):
        sitting = await create(web.api, OPEN, OPEN)
        client, url = Client(transport), f"http://{web.address}"
        for refusal in (None, None, "streams_connection"):
            if protocol == "rest":
                stream = client.stream("GET", f"{url}/v1/{sitting.name}:observe")
            else:
                body, media = json.dumps({"name": sitting.name}).encode(), {"content-type": "application/connect+json"}
                stream = client.stream("POST", f"{url}/{SERVICE.full_name}/Observe", media, envelope(body))
            response = await opened.enter_async_context(stream)
            first = bytes(await anext(aiter(response.content)))
            assert (b"LIMIT_REACHED" in first, (refusal or "").encode() in first) == (refusal is not None, True)


async def test_an_address_looks_for_so_many_tables(valkey: EmbeddedServer) -> None:
    async with served(valkey, quotas=limits(tickets_address="2")) as api:
        looking = [await TicketClient(api, f"No {who}", seats=(4,), metadata=address(1)).waits() for who in range(2)]
        with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="tickets_address"):
            await TicketClient(api, "One more", seats=(4,), metadata=address(1)).finds()
        other = await TicketClient(api, "Elsewhere", seats=(4,), metadata=address(2)).waits()
        for one in (*looking, other):
            assert one.messages
            await one.hangs_up()


async def test_a_process_has_so_many_streams(valkey: EmbeddedServer) -> None:
    async with served(valkey, quotas=limits(streams_server="3")) as api, readers() as opened:
        sitting = await create(api, OPEN, OPEN)
        assert [await opened.join(api, sitting, who) for who in range(4)] == [None, None, None, "streams_server"]


async def test_one_client_cannot_take_all_places_of_a_sessions_spectators(valkey: EmbeddedServer) -> None:
    bounds = SessionLimits(spectator_streams=12, spectators_per_address=4)
    async with served(valkey, bounds, quotas=limits()) as api, readers() as opened:
        sitting = await create(api, OPEN, OPEN)
        assert [await opened.join(api, sitting, 1) for _ in range(6)] == [None] * 4 + ["spectators_address"] * 2
        assert [await opened.join(api, sitting, who) for who in range(2, 10)] == [None] * 8
        assert await opened.join(api, sitting, 10) == "spectators_session"


@pytest.mark.parametrize("mode", ["shadow", "off"])
async def test_places_of_a_session_refuse_nobody_where_limits_do_not(valkey: EmbeddedServer, mode: Mode) -> None:
    bounds = SessionLimits(streams_per_token=1, spectator_streams=2, spectators_per_address=1)
    async with served(valkey, bounds, quotas=replace(limits(), mode=mode)) as api, readers() as opened:
        sitting = await create(api, OPEN, OPEN)
        assert [await opened.join(api, sitting, who, token) for token in (None, sitting.host) for who in (1, 1, 2)] == [
            None
        ] * 6


async def test_an_invited_session_has_more_than_eight_spectators_under_its_one_token(valkey: EmbeddedServer) -> None:
    async with served(valkey, quotas=limits()) as api, readers() as opened:
        sitting = await create(api, OPEN, OPEN, spectating=session_pb2.SPECTATING_INVITED)
        assert [await opened.join(api, sitting, who, sitting.spectator) for who in range(30)] == [None] * 30
        assert [await opened.join(api, sitting, 99, sitting.host) for _ in range(9)] == [None] * 8 + ["streams_token"]


async def test_a_connection_carries_so_many_calls_at_a_time(valkey: EmbeddedServer) -> None:
    """As the server itself tells every client at the beginning: in its first frame of HTTP/2, SETTINGS."""
    async with served(valkey) as api:
        host, _, port = api.address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0)))
        async with asyncio.timeout(PATIENCE):
            head = await reader.readexactly(9)
            settings = await reader.readexactly(int.from_bytes(head[:3], "big"))
        writer.close()
    pairs = [settings[at : at + 6] for at in range(0, len(settings), 6)]
    received = {int.from_bytes(pair[:2], "big"): int.from_bytes(pair[2:], "big") for pair in pairs}
    assert head[3] == 4
    assert received[MAX_CONCURRENT_STREAMS] == 1024
