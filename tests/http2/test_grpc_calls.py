"""What gRPC clients rely on beyond the calls of the API: deadlines, cancellation, compression, health, reflection."""

from __future__ import annotations

import asyncio
import gc
import json
import shutil
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc.aio import UnaryUnaryMultiCallable
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2

from skerry.v1 import service_pb2 as pb
from skerry_service.api.session_methods import Methods
from skerry_service.edge.grpc.calls import GrpcCall
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import SERVICE, Api, bearer, create, move_once, refusal_of, served, sit_down
from tests.http2.raw_client import (
    DATA,
    END_HEADERS,
    END_STREAM,
    GOAWAY,
    HEADERS,
    field,
    frame,
    message,
    raw_client,
    request,
)
from tests.store.servers import until

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIST_GAMES = b"/skerry.v1.SkerryService/ListGames"
OPEN = pb.SeatSetup()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let ListGames hang. The list gets what becomes of its calls."""
    ends: list[str] = []

    async def hang(*_: object) -> None:
        ends.append("begun")
        try:
            await asyncio.Event().wait()
        finally:
            ends.append("cancelled")

    monkeypatch.setattr(Methods, "list_games", hang)
    return ends


async def test_a_call_ends_at_its_deadline(valkey: EmbeddedServer, slow: list[str]) -> None:
    async with served(valkey, grpc="nghttp2") as api, raw_client(api.address) as client:
        client.call(1, LIST_GAMES, b"", field(b"grpc-timeout", b"50m"))
        answer = await client.until(HEADERS)
        assert answer.flags & END_STREAM
        await until(lambda: slow == ["begun", "cancelled"])
        with pytest.raises(grpc.aio.AioRpcError) as late:
            await api.stub.ListGames(pb.ListGamesRequest(), timeout=0.1)
        assert late.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_a_cancelled_call_stops_on_the_server(valkey: EmbeddedServer, slow: list[str]) -> None:
    async with served(valkey, grpc="nghttp2") as api:
        call = api.stub.ListGames(pb.ListGamesRequest())
        asking = asyncio.ensure_future(call)
        await until(lambda: slow == ["begun"])
        asking.cancel()
        await until(lambda: slow == ["begun", "cancelled"])


async def test_a_malformed_deadline_is_refused(api: Api) -> None:
    async with raw_client(api.address) as client:
        client.call(1, LIST_GAMES, b"", field(b"grpc-timeout", b"soon"))
        assert (await client.until(HEADERS)).flags & END_STREAM


@pytest.mark.parametrize(
    "second", [field(b"grpc-timeout", b"9H"), field(b"grpc-encoding", b"br")], ids=["two", "refused"]
)
async def test_a_call_that_has_ended_leaves_no_timer(api: Api, second: bytes) -> None:
    async with raw_client(api.address) as client:
        client.call(1, LIST_GAMES, b"", field(b"grpc-timeout", b"9H"), second)
        while not (await client.until(HEADERS)).flags & END_STREAM:
            pass

    def are_gone() -> bool:
        gc.collect()
        return not any(issubclass(type(kept), GrpcCall) for kept in gc.get_objects())

    await until(are_gone)


async def test_requests_and_answers_may_be_compressed(api: Api) -> None:
    host, _, port = api.address.rpartition(":")
    gzip = grpc.Compression.Gzip
    async with grpc.aio.insecure_channel(f"{host}:{port}", compression=gzip) as channel:
        packed = Api(channel)
        sitting = await sit_down(packed)
        await move_once(packed, sitting)
        stream = packed.stub.Observe(pb.ObserveRequest(name=sitting.name, after_sequence=0))
        async for first in stream:
            assert first.entries
            break
        stream.cancel()
    async with raw_client(api.address) as client:
        get_game = request(b"/skerry.v1.SkerryService/GetGame", field(b"grpc-encoding", b"gzip"))
        asked = pb.GetGameRequest(name="games/kreta").SerializeToString()
        client.send(frame(HEADERS, END_HEADERS, 1, get_game), frame(DATA, END_STREAM, 1, message(asked)))
        answer = await client.until(DATA)
        assert answer.payload[:1] == b"\x01"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [(b"br", b"\0" + bytes(4)), (b"gzip", b"\1\0\0\0\4oops"), (b"identity", b"\1\0\0\0\4oops"), (b"gzip", b"\0\0\0")],
    ids=["unknown", "not gzip", "undeclared", "cut off"],
)
async def test_a_body_that_cannot_be_read_is_refused(api: Api, encoding: bytes, body: bytes) -> None:
    async with raw_client(api.address) as client:
        client.send(frame(HEADERS, END_HEADERS, 1, request(LIST_GAMES, field(b"grpc-encoding", encoding))))
        client.send(frame(DATA, END_STREAM, 1, body))
        assert (await client.until(HEADERS, DATA)).flags & END_STREAM


async def unary(api: Api, path: str) -> bytes:
    """Call an RPC with an empty request; return the bytes of its answer."""
    call: UnaryUnaryMultiCallable[bytes, bytes] = api.channel.unary_unary(path)
    return await call(b"")


async def test_an_unknown_method_is_named(api: Api) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await unary(api, "/skerry.v1.SkerryService/Fly")
    refusal = refusal_of(refused.value)
    assert (refusal.code, refusal.reason) == ("UNIMPLEMENTED", "RPC_UNKNOWN_METHOD")
    assert "/skerry.v1.SkerryService/Fly" in refusal.message


async def test_health_is_checked_listed_and_watched_until_the_end(valkey: EmbeddedServer) -> None:
    serving = health_pb2.HealthCheckResponse.SERVING
    seen: list[int] = []
    async with served(valkey, grpc="nghttp2") as api:
        channel = grpc.aio.insecure_channel(api.address)  # outlives the server
        stub: Any = health_pb2_grpc.HealthStub(channel)
        await until_async(stub, serving)
        watching = stub.Watch(health_pb2.HealthCheckRequest(service=SERVICE.full_name))

        async def watch() -> None:
            async for response in watching:
                seen.append(response.status)

        task = asyncio.ensure_future(watch())
        await until(lambda: seen == [serving])
        with pytest.raises(grpc.aio.AioRpcError) as unknown:
            await stub.Check(health_pb2.HealthCheckRequest(service="x"))
        assert unknown.value.code() is grpc.StatusCode.NOT_FOUND
        listed = await unary(api, "/grpc.health.v1.Health/List")
        assert SERVICE.full_name.encode() in listed
    with pytest.raises((grpc.aio.AioRpcError, asyncio.CancelledError)):
        await task
    assert seen == [serving, health_pb2.HealthCheckResponse.NOT_SERVING]
    await channel.close()


async def until_async(stub: Any, status: int) -> None:
    """Wait until the server reports the status."""
    async with asyncio.timeout(30):
        while True:
            try:
                if (await stub.Check(health_pb2.HealthCheckRequest())).status == status:
                    return
            except grpc.aio.AioRpcError:
                await asyncio.sleep(0.01)


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
async def test_reflection_describes_the_service(api: Api, version: str) -> None:
    path = f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo"
    call: Any = api.channel.stream_stream(
        path,
        request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
        response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
    )()
    await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
    listed = {service.name for service in (await call.read()).list_services_response.service}
    assert {SERVICE.full_name, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"} <= listed
    await call.write(reflection_pb2.ServerReflectionRequest(file_containing_symbol=SERVICE.full_name))
    files = (await call.read()).file_descriptor_response.file_descriptor_proto
    assert SERVICE.name in {one.name for data in files for one in FileDescriptorProto.FromString(data).service}
    await call.done_writing()
    assert await call.code() is grpc.StatusCode.OK


async def test_no_call_is_cancelled_by_a_shutdown(valkey: EmbeddedServer) -> None:
    async with served(valkey, grpc="nghttp2") as other:
        sitting = await create(other, OPEN, OPEN)
        codes: set[grpc.StatusCode] = set()

        async def ask(api: Api) -> None:
            while True:
                try:
                    await api.stub.GetSession(pb.GetSessionRequest(name=sitting.name), metadata=bearer(sitting.host))
                except grpc.aio.AioRpcError as error:
                    codes.add(error.code())
                    return
                codes.add(grpc.StatusCode.OK)

        async with served(valkey, grpc="nghttp2") as api:
            channel = grpc.aio.insecure_channel(api.address)  # outlives the server
            asking = [asyncio.ensure_future(ask(Api(channel))) for _ in range(16)]
            await until(lambda: bool(codes))
        await asyncio.gather(*asking)
        await channel.close()
    assert codes == {grpc.StatusCode.OK, grpc.StatusCode.UNAVAILABLE}


async def test_a_stopping_server_announces_the_end_first(valkey: EmbeddedServer) -> None:
    async with served(valkey, grpc="nghttp2") as api:
        connected = raw_client(api.address)
        client = await connected.__aenter__()
        client.call(1, LIST_GAMES, b"")
        await client.until(DATA)
        rest = asyncio.ensure_future(client.rest())
    ends = [received for received in await rest if received.kind == GOAWAY]
    last = [int.from_bytes(received.payload[:4], "big") for received in ends]
    assert (last[0], last[-1], {received.code for received in ends}) == (2**31 - 1, 1, {0})
    await connected.__aexit__(None, None, None)


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
async def test_rest_is_served_over_http2_on_the_port_of_grpc(api: Api, tmp_path: Path) -> None:
    body = tmp_path / "request.json"
    body.write_text('{"game": "kreta", "seats": [{}, {}]}', encoding="utf-8")
    url = f"http://{api.address}/v1/sessions"
    arguments = ("-s", "--http2-prior-knowledge", "-w", "\n%{http_version} %{http_code}", "-d", f"@{body}")
    curl = await asyncio.create_subprocess_exec(
        "curl", *arguments, "-H", "content-type: application/json", url, stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await curl.communicate()
    answer, _, status = printed.decode().rpartition("\n")
    assert status == "2 200"
    created = json.loads(answer)
    events = await asyncio.create_subprocess_exec(
        *("curl", "-sN", "--http2-prior-knowledge", f"http://{api.address}/v1/{created['session']['name']}:observe"),
        stdout=asyncio.subprocess.PIPE,
    )
    assert events.stdout is not None
    assert await events.stdout.readline() == b"retry: 1000\n"
    events.kill()
    await events.wait()
