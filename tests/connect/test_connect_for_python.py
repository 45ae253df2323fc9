"""Connect for Python, a client that is not ours, calls a server over Connect and gRPC-Web."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
import pytest_asyncio
from connectrpc.client import ConnectClient
from connectrpc.code import Code
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.protocol import ProtocolType
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import ErrorInfo

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.api.contract import SERVICE
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import BOT, OPEN
from tests.rest.web import Web, served
from tests.store.servers import running_server

pytestmark = pytest.mark.asyncio(loop_scope="module")

CODECS: list[Callable[[], Any]] = [google_protobuf_binary_codec, google_protobuf_json_codec]
WAYS = [
    pytest.param(protocol, codec, id=f"{protocol.name.lower()}-{codec().name()}")
    for protocol in (ProtocolType.CONNECT, ProtocolType.GRPC_WEB)
    for codec in CODECS
]


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedServer]:
    """The store of the module's server."""
    with running_server() as server:
        yield server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def web(valkey: EmbeddedServer) -> AsyncIterator[Web]:
    """A server."""
    async with served(valkey) as web:
        yield web


def method(name: str) -> MethodInfo[Any, Any]:
    """Return what the client needs to know of an RPC."""
    rpc = SERVICE.methods_by_name[name]
    safe = rpc.GetOptions().idempotency_level == 1
    return MethodInfo(
        name=name,
        service_name=SERVICE.full_name,
        input=GetMessageClass(rpc.input_type),
        output=GetMessageClass(rpc.output_type),
        idempotency_level=IdempotencyLevel.NO_SIDE_EFFECTS if safe else IdempotencyLevel.UNKNOWN,
        stream_type=StreamType.SERVER_STREAM if rpc.server_streaming else StreamType.UNARY,
    )


@pytest.mark.parametrize(("protocol", "codec"), WAYS)
async def test_a_game_is_made_read_and_observed(web: Web, protocol: ProtocolType, codec: Callable[[], Any]) -> None:
    async with ConnectClient(f"http://{web.address}", protocol=protocol, codec=codec()) as client:
        created = await client.execute_unary(
            request=pb.CreateSessionRequest(game="kreta", seats=[BOT, BOT]), method=method("CreateSession")
        )
        name = created.session.name
        request = pb.ObserveRequest(name=name, after_sequence=0)
        stream = client.execute_server_stream(request=request, method=method("Observe"))
        messages = [message async for message in stream]
        sequences = [entry.sequence for message in messages for entry in message.entries]
        assert sequences == list(range(1, len(sequences) + 1))
        assert messages[-1].session.state == session_pb2.SESSION_STATE_FINISHED
        for use_get in (False, True):
            looked = await client.execute_unary(
                request=pb.GetSessionRequest(name=name), method=method("GetSession"), use_get=use_get
            )
            assert looked.position.sequence == sequences[-1]


@pytest.mark.parametrize(("protocol", "codec"), WAYS)
async def test_an_error_has_its_code_and_reason(web: Web, protocol: ProtocolType, codec: Callable[[], Any]) -> None:
    async with ConnectClient(f"http://{web.address}", protocol=protocol, codec=codec()) as client:
        with pytest.raises(ConnectError) as unary:
            await client.execute_unary(request=pb.GetGameRequest(name="games/chess"), method=method("GetGame"))
        assert (unary.value.code, reason_of(unary.value)) == (Code.NOT_FOUND, "GAME_NOT_FOUND")
        request = pb.ObserveRequest(name="sessions/aaaaaaaaaaaaaaaa")
        with pytest.raises(ConnectError) as streamed:
            async for _ in client.execute_server_stream(request=request, method=method("Observe")):
                pass
        assert (streamed.value.code, reason_of(streamed.value)) == (Code.NOT_FOUND, "SESSION_NOT_FOUND")


@pytest.mark.parametrize(("protocol", "codec"), WAYS)
async def test_a_stream_ends_with_the_clients_timeout(
    web: Web, protocol: ProtocolType, codec: Callable[[], Any]
) -> None:
    async with ConnectClient(f"http://{web.address}", protocol=protocol, codec=codec()) as client:
        created = await client.execute_unary(
            request=pb.CreateSessionRequest(game="kreta", seats=[OPEN, OPEN]), method=method("CreateSession")
        )
        request = pb.ObserveRequest(name=created.session.name)
        with pytest.raises(ConnectError) as late:
            async for _ in client.execute_server_stream(request=request, method=method("Observe"), timeout_ms=200):
                pass
        assert late.value.code is Code.DEADLINE_EXCEEDED


def reason_of(error: ConnectError) -> str:
    """Return the reason in the details of an error."""
    (detail, *_) = error.details
    assert detail.type_name == ErrorInfo.DESCRIPTOR.full_name
    return ErrorInfo.FromString(detail.message_bytes).reason
