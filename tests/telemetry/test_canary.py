"""Whole games of every kind, well played and badly: no log, counter, trace or error has anything secret in it.

What a counter, a span or a line of the access log may say is a closed set of words, so no card can be among them,
whatever it is called.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import logging
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import grpc
import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families

from skerry.v1 import service_pb2 as pb
from skerry_games.catalogue import all_games
from skerry_service.api.contract import SERVICE
from skerry_service.domain.record import Phase
from skerry_service.processes.engine_methods import ENGINE
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.telemetry.service_log import JSON, JsonFormatter, TextFormatter
from skerry_service.wiring.change_counts import BOT, BY_CHANCE, PLAYER
from tests.api.wire import OPEN, Api, Sitting, act, bearer, create, look
from tests.rest.web import Web
from tests.telemetry.conftest import ATTRIBUTES
from tests.telemetry.test_calls import FIELDS, lines, scraped, watched

pytestmark = pytest.mark.asyncio(loop_scope="module")
NAMES = ("Ottilie", "Wenzeslaus")
SEED = bytes(range(200, 232))
LABELS = {
    "grpc_service": {SERVICE.full_name, ENGINE.full_name},
    "grpc_method": {rpc.name for service in (SERVICE, ENGINE) for rpc in service.methods},
    "grpc_type": {"unary", "stream"},
    "grpc_code": {code.name for code in grpc.StatusCode},
    "game": set(all_games()),
    "phase": {phase.name.lower() for phase in Phase},
    "by": {PLAYER, BOT, BY_CHANCE},
    "result": {"stored", "conflict", "duplicate", "delivered", "failed", "given_up"},
}
"""What the labels of counters may be. The others are reasons, names of limits and bounds of buckets."""
OF_SPANS = {
    "skerry.resource": re.compile(r"sessions/[a-z0-9]{16}|games/\w+"),
    "skerry.request": re.compile(r"[0-9a-f]{16}"),
}
STEPS = ("read", "decide", "commit", "respond")
_PLAIN = re.compile(r"[A-Z_]+|[a-z_]+|[0-9.]+|\+Inf")


async def play(api: Api, game: str, errors: list[str]) -> tuple[Sitting, list[str]]:
    """Play a whole game, with much that is refused. Return it, and what is secret about it."""
    sitting = await create(api, OPEN, OPEN, game=game, seed=SEED, join_code_required=True)
    code = (await api.stub.GetSession(named(sitting), metadata=bearer(sitting.host))).join_code
    rng = Random(game)
    requests = [str(UUID(int=rng.getrandbits(128), version=4)) for _ in NAMES]
    for name, request_id in zip(NAMES, requests, strict=True):
        wanted = pb.JoinSessionRequest(name=sitting.name, display_name=name, join_code=code, request_id=request_id)
        sitting.seats.append((await api.stub.JoinSession(wanted)).seat_token)
    tokens = sitting.seats
    while to_act := (await look(api, sitting)).to_act:
        token = tokens[rng.choice(list(to_act))]
        position = await look(api, sitting, token)
        request = act(sitting, rng.choice(list(position.legal_moves)), position.sequence)
        if rng.random() < 0.1:
            for other in (*tokens, f"{token}x", "no token", sitting.host):
                stale = act(sitting, request.move, position.sequence - 1)
                await in_vain(api.stub.Act(stale, metadata=bearer(other)), errors)
        await api.stub.Act(request, metadata=bearer(token))
    await in_vain(api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, join_code="WRONG1")), errors)
    return sitting, [sitting.host, sitting.spectator, *tokens, *requests, code]


def named(sitting: Sitting) -> pb.GetSessionRequest:
    return pb.GetSessionRequest(name=sitting.name)


async def in_vain(call: Any, errors: list[str]) -> None:
    try:
        await call
    except grpc.aio.AioRpcError as error:
        errors.append(f"{error.details()} {error.trailing_metadata()!r}")


def written(seed: bytes) -> set[str]:
    """Return the ways in which a seed could get into a text."""
    return {seed.hex(), base64.b64encode(seed).decode(), base64.urlsafe_b64encode(seed).decode(), repr(seed)[2:-1]}


@pytest.fixture
def logs() -> Iterator[dict[str, io.StringIO]]:
    """What the service's own log says in either form, with everything in it."""
    ours, handlers = logging.getLogger("skerry_service"), list[logging.StreamHandler[io.StringIO]]()
    level = ours.level
    for formatter in (TextFormatter(), JsonFormatter()):
        handler = logging.StreamHandler(io.StringIO())
        handler.setFormatter(formatter)
        ours.addHandler(handler)
        handlers.append(handler)
    ours.setLevel(logging.DEBUG)
    yield {type(handler.formatter).__name__: handler.stream for handler in handlers}
    ours.setLevel(level)
    for handler in handlers:
        ours.removeHandler(handler)


async def test_nothing_secret_is_in_any_log_counter_trace_or_error(
    valkey: EmbeddedServer,
    tmp_path: Path,
    logs: dict[str, io.StringIO],
    spans: InMemorySpanExporter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, errors, secrets, names = tmp_path / "calls", list[str](), written(SEED), list[str]()
    sittings: list[Sitting] = []
    async with watched(valkey, log, traces=True, log_form=JSON) as (running, web):
        for game in all_games():
            sitting, received = await play(web.api, game, errors)
            secrets |= set(received)
            sittings.append(sitting)
            names.append(sitting.name.removeprefix("sessions/"))
            await spectate(web, sitting, received)
        await run_into_a_defect(web.api, sittings[0], monkeypatch)
        counted = await scraped(running)
    assert len(errors) > 20
    traced = spans.get_finished_spans()
    everything = {"log of calls": log.read_text(), "counters": counted, "errors": "\n".join(errors)}
    everything |= {form: stream.getvalue() for form, stream in logs.items()}
    everything["traces"] = "\n".join(
        f"{span.name} {dict(span.attributes or {})} {span.status.description}" for span in traced
    )
    for place, text in everything.items():
        for secret in secrets | (set() if place == "errors" else set(NAMES)):
            assert secret not in text, place
    check_counters(counted, names)
    check_lines(log)
    check_spans(traced)
    assert all("internal error" in stream.getvalue() for stream in logs.values())
    assert all(json.loads(line) for line in logs["JsonFormatter"].getvalue().splitlines())


async def spectate(web: Web, sitting: Sitting, tokens: list[str]) -> None:
    """Put tokens where they do not belong, over HTTP: into the path and the query."""
    await asyncio.gather(
        web.call("GET", f"/v1/{sitting.name}?token={tokens[0]}"),
        web.call("GET", f"/v1/sessions/{tokens[2]}"),
        web.call("GET", f"/v1/{tokens[2]}"),
    )


async def run_into_a_defect(api: Api, sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a call fail with words that repeat what was sent."""

    async def fail(_: object, session: str, token: str | None) -> None:
        raise KeyError(session, token)

    monkeypatch.setattr("skerry_service.sessions.service.Sessions.replay", fail)
    with pytest.raises(grpc.aio.AioRpcError):
        await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name), metadata=bearer(sitting.seats[0]))


def check_counters(counted: str, names: list[str]) -> None:
    assert not any(name in counted for name in names), "no id is a label"
    families = [one for one in text_string_to_metric_families(counted) if one.name.startswith(("skerry", "grpc"))]
    moves = {sample.labels["game"] for one in families for sample in one.samples if sample.name == "skerry_moves_total"}
    assert moves == set(all_games())
    for family in families:
        for sample in family.samples:
            for label, value in sample.labels.items():
                assert value in LABELS[label] if label in LABELS else _PLAIN.fullmatch(value), (
                    family.name,
                    label,
                    value,
                )


def check_lines(log: Path) -> None:
    for line in lines(log):
        assert set(line) <= FIELDS
        assert re.fullmatch(r"([0-9a-f]{16})?", line.get("request", "")), line
        assert re.fullmatch(r"(sessions/[a-z0-9]{16}|games/\w+|)", line.get("resource", "")), line


def check_spans(spans: Sequence[ReadableSpan]) -> None:
    methods = {f"{service.full_name}/{rpc.name}" for service in (SERVICE, ENGINE) for rpc in service.methods}
    words = LABELS["grpc_service"] | LABELS["grpc_method"]
    assert {span.name for span in spans} >= {*STEPS, "redis commit"}
    for span in spans:
        assert span.name in methods | set(STEPS) or re.fullmatch(r"redis [a-z_]+", span.name)
        assert not span.events and not span.links
        for name, value in (span.attributes or {}).items():
            plain = OF_SPANS.get(name, _PLAIN)
            assert name in ATTRIBUTES
            assert value in words or plain.fullmatch(str(value)), (name, value)
