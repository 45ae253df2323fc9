"""One trace from a client to Redis, over both fronts and within a stream: real servers, real spans, kept in memory."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from msgspec.structs import replace
from opentelemetry import trace
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from skerry.v1 import service_pb2 as pb
from skerry_client import AsyncClient
from skerry_client.errors import TokenInvalid
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from tests.api.wire import sit_down, turn
from tests.rest.web import Web
from tests.telemetry.conftest import ATTRIBUTES
from tests.telemetry.test_calls import REQUEST_ID, TRACE, TRACEPARENT, lines, watched

pytestmark = pytest.mark.asyncio(loop_scope="module")
SERVICE = "skerry.v1.SkerryService"
STEPS = ["read", "decide", "commit", "respond"]


class Tree:
    """Spans by what they are part of."""

    def __init__(self, spans: Sequence[ReadableSpan]) -> None:
        self.spans = sorted(spans, key=lambda span: span.start_time or 0)

    def named(self, name: str, kind: SpanKind | None = None) -> list[ReadableSpan]:
        return [span for span in self.spans if span.name == name and kind in (None, span.kind)]

    def of(self, parent: ReadableSpan) -> list[ReadableSpan]:
        """Return the children of a span, in order."""
        return [span for span in self.spans if span.parent and span.parent.span_id == parent.context.span_id]

    def check(self) -> None:
        """Hold that spans have ended, say what they may, and are of the trace of what they are part of."""
        by_id = {span.context.span_id: span for span in self.spans}
        for span in self.spans:
            assert set(span.attributes or ()) <= ATTRIBUTES
            assert not span.events and span.start_time and span.end_time
            if span.parent and (parent := by_id.get(span.parent.span_id)):
                assert parent.context.trace_id == span.context.trace_id


def check_act(tree: Tree, server: ReadableSpan, steps: Sequence[str] = STEPS) -> None:
    """Hold that a move went through its steps, and that its commit was a trip to Redis."""
    assert [span.name for span in tree.of(server)] == list(steps)
    (trip,) = tree.of(tree.of(server)[list(steps).index("commit")])
    assert (trip.name, trip.kind) == ("redis commit", SpanKind.CLIENT)
    assert trip.attributes and trip.attributes["skerry.result"] == "stored"


async def test_one_trace_leads_from_a_client_to_redis(
    valkey: EmbeddedServer, tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    log = tmp_path / "calls"
    async with watched(valkey, log, traces=True) as (running, _), AsyncClient(running.address) as skerry:
        table = await skerry.create("kreta", seats=2)
        seats = [await table.join(name) for name in ("Ottilie", "Wenzeslaus")]
        position = await seats[0].position()
        seat = seats[position.to_act[0]]
        moved = await seat.act((await seat.position()).legal_moves[0])
    tree = Tree(spans.get_finished_spans())
    tree.check()
    (client,) = tree.named(f"{SERVICE}/Act", SpanKind.CLIENT)
    (server,) = tree.of(client)
    assert (server.name, server.kind, server.parent and server.parent.is_remote) == (client.name, SpanKind.SERVER, True)
    check_act(tree, server)
    assert server.attributes == {
        "rpc.service": SERVICE,
        "rpc.method": "Act",
        "rpc.response.status_code": "OK",
        "skerry.resource": table.name,
        "skerry.sequence": moved.sequence,
        "skerry.request": next(line["request"] for line in lines(log) if line["rpc"] == "Act"),
    }
    (line,) = [line for line in lines(log) if line["rpc"] == "Act"]
    assert line["trace"] == trace.format_trace_id(client.context.trace_id)
    (made,) = tree.named(f"{SERVICE}/CreateSession", SpanKind.SERVER)
    assert [span.name for span in tree.of(made)] == ["read", "commit", "respond"]
    assert "redis create" in [span.name for span in tree.of(tree.of(made)[1])]
    assert server.resource.attributes["service.name"] == "skerry"


async def test_a_trace_goes_on_over_http_and_tells_what_was_refused(
    valkey: EmbeddedServer, tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    async with watched(valkey, tmp_path / "calls", traces=True) as (_, web):
        table = await sit_down(web.api)
        token, position = await turn(web.api, table)
        move = await first_move(web, table.name, token)
        body = {"move": move, "expectedSequence": str(position.sequence), "requestId": REQUEST_ID}
        headers = {"traceparent": TRACEPARENT}
        path = f"/v1/{table.name}:act"
        assert (await web.call("POST", path, body, token, headers)).status == 200
        assert (await web.call("POST", path, body, f"{token}x", headers)).status == 401
        assert (await web.call("GET", f"/v1/{table.name}", headers={"traceparent": "00-nonsense"})).status == 200
    tree = Tree(spans.get_finished_spans())
    tree.check()
    moved, refused = tree.named(f"{SERVICE}/Act", SpanKind.SERVER)
    for span in (moved, refused):
        assert span.parent and trace.format_span_id(span.parent.span_id) == TRACEPARENT.split("-")[2]
        assert trace.format_trace_id(span.context.trace_id) == TRACE
    check_act(tree, moved)
    assert refused.attributes and refused.attributes["error.type"] == "TOKEN_INVALID"
    assert refused.status.status_code is StatusCode.UNSET, "the caller's mistake is no failure of the service"
    *_, alone = tree.named(f"{SERVICE}/GetSession", SpanKind.SERVER)
    assert alone.parent is None


async def first_move(web: Web, name: str, token: str) -> Any:
    """Return the first of the caller's legal moves, as JSON."""
    got = await web.call("GET", f"/v1/{name}", token=token)
    return got.json["position"]["legalMoves"][0]


async def test_each_move_within_a_stream_is_a_span_of_its_own(
    valkey: EmbeddedServer, tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    async with watched(valkey, tmp_path / "calls", traces=True) as (_, web):
        table = await sit_down(web.api)
        stream: Any = web.api.stub.Play(metadata=(("traceparent", TRACEPARENT),))
        for number in range(2):
            token, position = await turn(web.api, table)
            attach = pb.PlayAttach(handle=number + 1, name=table.name, token=token)
            act = pb.PlayAct(handle=number + 1, move=position.legal_moves[0], expected_sequence=position.sequence)
            await stream.write(pb.PlayRequest(attach=[attach], acts=[act]))
            async for response in stream:
                if any(update.HasField("acted") for update in response.updates):
                    break
        await stream.done_writing()
        stream.cancel()
    tree = Tree(spans.get_finished_spans())
    tree.check()
    (play,) = tree.named(f"{SERVICE}/Play", SpanKind.SERVER)
    assert trace.format_trace_id(play.context.trace_id) == TRACE
    changes = tree.named("change")
    assert len(changes) == 2
    for change in changes:
        assert change in tree.of(play)
        assert change.attributes == {"skerry.resource": table.name}
        check_act(tree, change, STEPS[1:])


async def test_what_a_bot_does_after_a_call_is_no_part_of_it(
    valkey: EmbeddedServer, tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    async with watched(valkey, tmp_path / "calls", traces=True) as (running, _), AsyncClient(running.address) as skerry:
        table = await skerry.create("kreta", seats=2, bots=1, level="easy")
        seat, acts = await table.join("Ottilie"), 0
        async for position in seat.turns():
            await seat.act(position.legal_moves[0])
            acts += 1
            if acts == 4:
                break
    tree = Tree(spans.get_finished_spans())
    tree.check()
    changes = tree.named("change")
    assert len(changes) == acts
    for change in changes:
        check_act(tree, change, STEPS[1:])
    joined, commits = tree.named(f"{SERVICE}/JoinSession", SpanKind.SERVER), tree.named("redis commit")
    assert len(commits) == acts + len(joined)


async def test_a_client_tells_of_what_is_refused_without_its_words(
    valkey: EmbeddedServer, tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    async with watched(valkey, tmp_path / "calls") as (running, _), AsyncClient(running.address) as skerry:
        table = await skerry.create("kreta", seats=2)
        with pytest.raises(TokenInvalid):
            await skerry.seat(table.name, "skerry_seat_nobodys")
        async with aclosing_observe(table) as observed:
            await anext(observed)
    tree = Tree(spans.get_finished_spans())
    tree.check()
    (refused,) = tree.named(f"{SERVICE}/GetSession")
    assert refused.attributes and refused.attributes["error.type"] == "TokenInvalid"
    assert (refused.status.status_code, refused.status.description) == (StatusCode.ERROR, None)
    assert tree.named(f"{SERVICE}/Observe")


@asynccontextmanager
async def aclosing_observe(table: Any) -> AsyncIterator[Any]:
    """Follow a session until the block is left."""
    messages = table.observe()
    try:
        yield messages
    finally:
        await messages.aclose()


class Collector:
    """A collector of traces, as far as it takes them in."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    async def export(self, request: Any, context: Any) -> Any:
        self.names |= {span.name for one in request.resource_spans for scope in one.scope_spans for span in scope.spans}
        return trace_service_pb2.ExportTraceServiceResponse()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        """Listen until the block is left; yield where."""
        server = grpc.aio.server()
        handler = grpc.unary_unary_rpc_method_handler(
            self.export,
            trace_service_pb2.ExportTraceServiceRequest.FromString,
            trace_service_pb2.ExportTraceServiceResponse.SerializeToString,
        )
        name = "opentelemetry.proto.collector.trace.v1.TraceService"
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, {"Export": handler}),))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            await server.stop(None)


async def test_spans_go_where_the_standard_variables_say(
    valkey: EmbeddedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collector = Collector()
    async with collector.listening() as where:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", where)
        async with watched(valkey, tmp_path / "calls", traces=True) as (_, web):
            assert (await web.call("GET", "/v1/games")).status == 200
    assert f"{SERVICE}/ListGames" in collector.names


async def test_what_is_not_sampled_is_served_without_spans(
    valkey: EmbeddedServer, tmp_path: Path, spans: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
    log = tmp_path / "calls"
    async with watched(valkey, log, traces=True) as (_, web):
        assert (await web.call("GET", "/v1/games", headers={"traceparent": TRACEPARENT})).status == 200
    assert spans.get_finished_spans() == ()
    assert lines(log)[0]["trace"] == TRACE


async def test_where_opentelemetry_is_disabled_calls_are_of_no_trace_but_their_callers(
    valkey: EmbeddedServer, tmp_path: Path, spans: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    log = tmp_path / "calls"
    async with watched(valkey, log, traces=True) as (_, web):
        for headers in ({}, {"traceparent": TRACEPARENT}):
            assert (await web.call("GET", "/v1/games", headers=headers)).status == 200
    assert spans.get_finished_spans() == ()
    assert [line.get("trace") for line in lines(log)] == [None, TRACE]


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        (
            {"OTEL_TRACES_EXPORTER": "pigeon"},
            "no trace exporter pigeon is installed; install one, or change OTEL_TRACES",
        ),
        ({"OTEL_EXPORTER_OTLP_PROTOCOL": "smoke"}, "no trace exporter otlp over smoke is installed"),
        ({"OTEL_EXPORTER_OTLP_TIMEOUT": "soon"}, "the trace exporter otlp_proto_grpc cannot be used: could not"),
        ({"OTEL_BSP_MAX_QUEUE_SIZE": "64"}, "a variable OTEL_... for traces is invalid: max_export_batch_size"),
        ({"OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT": "few"}, "a variable OTEL_... for traces is invalid: OTEL_SPAN_"),
    ],
)
async def test_an_exporter_or_a_number_that_is_of_no_use_is_refused_in_a_sentence(
    valkey: EmbeddedServer, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], words: str
) -> None:
    for name, text in variables.items():
        monkeypatch.setenv(name, text)
    with pytest.raises(OSError, match=words):
        async with running_server(Config(port=0, redis_url=valkey.url, traces=True)):
            pass


async def test_without_the_extra_the_switch_says_what_to_install(
    valkey: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "skerry_service.telemetry.tracing", raising=False)
    monkeypatch.delattr("skerry_service.telemetry.tracing", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    config = Config(port=0, redis_url=valkey.url)
    with pytest.raises(OSError, match=r"not installed. Run: pip install 'skerry-service\[otel\]'"):
        async with running_server(replace(config, traces=True)):
            pass
    async with running_server(config):
        pass


async def test_nothing_is_imported_where_nobody_wants_traces() -> None:
    program = "import sys, skerry_client, skerry_service.cli.app; skerry_client.Client(); print(*sys.modules)"
    ran = await asyncio.create_subprocess_exec(sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE)
    said, _ = await ran.communicate()
    assert {b"skerry_service.wiring.observability", b"skerry_client.transport.tracing", b"redis"} <= set(said.split())
    assert b"opentelemetry" not in said
