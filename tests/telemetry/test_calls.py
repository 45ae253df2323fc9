"""What operators see of calls over both fronts: real servers, a real store, a real scrape."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import grpc
import pytest
from msgspec.structs import replace

from skerry.v1 import service_pb2 as pb
from skerry_service.access.quotas import LimitSettings, Mode
from skerry_service.domain.limits import SessionLimits
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import RunningServer, running_server
from tests.api.playing import reason_of
from tests.api.wire import BOT, OPEN, Api, bearer, create, move_once, refused, sit_down
from tests.rest.web import Web, connection, events, read_response
from tests.store.servers import PATIENCE, ask, until

ROOT = Path(__file__).parents[2]
FIELDS = {"time", "caller", "code", "reason", "rpc", "resource", "sequence", "request", "trace", "ms"}
REQUEST_ID = "0b0c86a5-4e9f-4e4e-9a0c-3f6f1c3a7a11"
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACEPARENT = f"00-{TRACE}-00f067aa0ba902b7-01"

pytestmark = pytest.mark.asyncio(loop_scope="module")


@asynccontextmanager
async def watched(store: EmbeddedServer, log: Path, **settings: Any) -> AsyncIterator[tuple[RunningServer, Web]]:
    """Run a server that logs calls and counts them."""
    config = Config(
        port=0, http="127.0.0.1:0", redis_url=store.url, access_log=str(log), metrics="127.0.0.1:0", **settings
    )
    async with running_server(config) as running, grpc.aio.insecure_channel(running.address) as channel:
        assert running.http
        yield running, Web(running.http, Api(channel))


def lines(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


async def scraped(running: RunningServer) -> str:
    def scrape() -> str:
        with urlopen(f"http://{running.metrics}/metrics", timeout=10) as answer:
            return str(answer.read().decode())

    return await asyncio.to_thread(scrape)


async def test_each_call_is_a_line_without_what_is_secret(valkey: EmbeddedServer, tmp_path: Path) -> None:
    log = tmp_path / "calls"
    async with watched(valkey, log) as (_, web):
        table = await sit_down(web.api)
        moved = await move_once(web.api, table, request_id=REQUEST_ID)
        with refused("NOT_FOUND", "SESSION_NOT_FOUND"):
            await web.api.stub.GetSession(pb.GetSessionRequest(name=f"sessions/{'0' * 22}"))
        assert (await web.call("GET", "/v1/games/nothing")).status == 404
        assert (await web.call("GET", "/v1/nothing")).status == 404
        headers = {"traceparent": TRACEPARENT}
        assert (await web.call("GET", f"/v1/{table.name}", headers=headers)).status == 200
        with refused("UNAUTHENTICATED", "TOKEN_MISSING"):
            stale = pb.ActRequest(name=table.name, expected_sequence=2)
            await web.api.stub.Act(stale, metadata=(("traceparent", TRACEPARENT),))
    *received, read, unread = lines(log)
    assert (read["sequence"], read["trace"], read["resource"]) == (moved.sequence, TRACE, table.name)
    assert (unread["sequence"], unread["trace"], unread["code"]) == (2, TRACE, "UNAUTHENTICATED")
    by_rpc = {line.get("rpc", ""): line for line in received}
    assert by_rpc["CreateSession"]["resource"] == by_rpc["Act"]["resource"] == table.name
    assert by_rpc["Act"]["code"] == "OK"
    assert by_rpc["Act"]["ms"] > 0
    assert by_rpc["Act"]["sequence"] == moved.sequence
    assert by_rpc["Act"]["request"] == sha256(REQUEST_ID.encode()).hexdigest()[:16]
    assert by_rpc["GetSession"]["reason"] == "SESSION_NOT_FOUND"
    assert (by_rpc["GetGame"]["code"], by_rpc["GetGame"]["resource"]) == ("NOT_FOUND", "games/nothing")
    assert by_rpc[""]["reason"] == "HTTP_PATH_NOT_FOUND"
    assert {line["caller"] for line in received} == {"127.0.0.1"}
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}\+00:00", line["time"]) for line in received)
    text = log.read_text()
    for token in filter(None, (table.host, table.spectator, *table.seats)):
        assert token not in text
    assert REQUEST_ID not in text
    assert set().union(*received, read) == FIELDS


async def test_a_stream_is_one_line_when_it_ends_and_counts_while_it_is_open(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    log = tmp_path / "calls"
    async with watched(valkey, log) as (running, web):
        table = await create(web.api, OPEN, OPEN)
        async with events(web, table.name, table.host) as observed:
            assert await observed.next()
            assert "skerry_open_streams 1.0" in await scraped(running)
            assert "Observe" not in log.read_text()
    (line,) = [line for line in lines(log) if line["rpc"] == "Observe"]
    assert (line["code"], line["resource"]) == ("CANCELLED", table.name)


async def test_the_log_says_what_ended_a_stream_over_grpc(valkey: EmbeddedServer, tmp_path: Path) -> None:
    """A game that is over, a refusal, a caller who goes: of Observe and of Play."""
    log = tmp_path / "calls"
    async with watched(valkey, log) as (_, web):
        over, open_ = [await create(web.api, OPEN, OPEN) for _ in range(2)]
        await web.api.stub.CancelSession(pb.CancelSessionRequest(name=over.name), metadata=bearer(over.host))
        async for _ in web.api.stub.Observe(pb.ObserveRequest(name=over.name)):
            pass
        with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
            await anext(aiter(web.api.stub.Observe(pb.ObserveRequest(name=open_.name), metadata=bearer("x" * 22))))
        with refused("INVALID_ARGUMENT", "UNKNOWN_FIELD"):
            unknown = pb.PlayRequest.FromString(b"\xf8\x3f\x01")
            await anext(aiter(web.api.stub.Play(iter([unknown]))))
        following = web.api.stub.Observe(pb.ObserveRequest(name=open_.name))
        await anext(aiter(following))
        playing = web.api.stub.Play()
        await playing.write(pb.PlayRequest(attach=[pb.PlayAttach(handle=1, name=open_.name)]))
        await playing.read()
        for call in (following, playing):
            call.cancel()
        done = web.api.stub.Play()
        await done.done_writing()
        assert await done.read() is grpc.aio.EOF
        await until(lambda: len(ended(log)) == 6)
    assert ended(log) == [
        ("Observe", "CANCELLED", ""),
        ("Observe", "OK", ""),
        ("Observe", "UNAUTHENTICATED", "TOKEN_INVALID"),
        ("Play", "CANCELLED", ""),
        ("Play", "INVALID_ARGUMENT", "UNKNOWN_FIELD"),
        ("Play", "OK", ""),
    ]


def ended(log: Path) -> list[tuple[str, str, str]]:
    """Return of the streams that have ended their RPCs, codes and reasons."""
    of = [(line["rpc"], line["code"], line.get("reason", "")) for line in lines(log)]
    return sorted(received for received in of if received[0] in ("Observe", "Play"))


async def test_counters_tell_of_calls_refusals_changes_and_limits(valkey: EmbeddedServer, tmp_path: Path) -> None:
    quotas = LimitSettings(local=True).with_limit("create", "3/1h")
    async with watched(valkey, tmp_path / "calls", quotas=quotas) as (running, web):
        await move_once(web.api, await sit_down(web.api))
        for _ in range(2):
            await create(web.api, OPEN, OPEN)
        with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED"):
            await create(web.api, OPEN, OPEN)
        async with connection(web.address) as (reader, writer):
            writer.write(b"nonsense\r\n\r\n")
            assert (await read_response(reader)).status == 400
        counted = await scraped(running)
    labels = 'grpc_method="CreateSession",grpc_service="skerry.v1.SkerryService",grpc_type="unary"'
    assert f"grpc_server_started_total{{{labels}}} 4.0" in counted
    assert f'grpc_code="OK",{labels}}} 3.0' in counted
    assert f'grpc_code="RESOURCE_EXHAUSTED",{labels}}} 1.0' in counted
    assert f"grpc_server_handling_seconds_count{{{labels}}} 4.0" in counted
    assert 'skerry_refused_total{reason="LIMIT_REACHED"} 1.0' in counted
    assert 'skerry_refused_total{reason="HTTP_MALFORMED"} 1.0' in counted
    assert 'skerry_limits_reached_total{limit="create"} 1.0' in counted
    assert float(re.findall(r'skerry_changes_total\{game="kreta"\} (.*)', counted)[0]) >= 6
    assert 'skerry_moves_total{by="player",game="kreta"} 1.0' in counted
    assert 'skerry_sessions_total{game="kreta",phase="lobby"} 3.0' in counted
    assert 'skerry_sessions_total{game="kreta",phase="playing"} 1.0' in counted
    assert 'phase="finished"' not in counted
    assert float(re.findall(r'skerry_commit_seconds_count\{result="stored"\} (.*)', counted)[0]) >= 3
    assert "skerry_bot_decisions 0.0" in counted
    assert "skerry_overdue_sessions 0.0" in counted
    assert "process_open_fds" in counted
    assert "sessions/" not in counted


async def test_counters_of_alerts_exist_before_their_first_event(valkey: EmbeddedServer, tmp_path: Path) -> None:
    """Prometheus sees no increase in a series that begins with 1: the first defect would be nobody's."""
    rules = (ROOT / "deploy" / "monitoring" / "alerts.yaml").read_text(encoding="utf-8")
    counted = re.findall(r'increase\((\w+)(?:\{(\w+)!?=~?"(.*?)"\})?\[', rules)
    assert len(counted) == rules.count("increase(")
    async with watched(valkey, tmp_path / "calls") as (running, _):
        received = await scraped(running)
    for name, label, values in counted:
        if not label or label == "le":
            assert re.search(rf"^{name}[ {{]", received, re.MULTILINE), name
            continue
        found = re.findall(rf'^{name}\{{{label}="(.*)"\}} 0\.0$', received, re.MULTILINE)
        assert {value for value in values.split("|") if re.escape(value) == value} <= set(found)
        assert any(re.fullmatch(values, value) for value in found)


async def test_what_is_refused_within_a_stream_is_counted(valkey: EmbeddedServer, tmp_path: Path) -> None:
    log = tmp_path / "calls"
    async with watched(valkey, log) as (running, web):
        table = await create(web.api, OPEN, OPEN)
        playing: Any = web.api.stub.Play()
        attach = [pb.PlayAttach(handle=1, name=table.name), pb.PlayAttach(handle=2, name="sessions/nowhere")]
        await playing.write(pb.PlayRequest(attach=attach, acts=[pb.PlayAct(handle=1)]))
        reasons: list[str] = []
        async with asyncio.timeout(PATIENCE):
            while len(reasons) < len(("act", "attach")):
                received = await playing.read()
                reasons += [reason_of(one.refused.status) for one in received.updates if one.HasField("refused")]
        counted = await scraped(running)
        playing.cancel()
    for reason in reasons:
        assert f'skerry_refused_total{{reason="{reason}"}} {reasons.count(reason)}.0' in counted
    assert [line["rpc"] for line in lines(log)] == ["CreateSession", "Play"]


@pytest.mark.parametrize(("mode", "status"), [("on", 429), ("shadow", 200)])
async def test_a_limit_on_a_sessions_streams_is_counted_as_any_other(
    valkey: EmbeddedServer, tmp_path: Path, mode: Mode, status: int
) -> None:
    bounds = SessionLimits(spectator_streams=1)
    async with watched(valkey, tmp_path / "calls", limits=bounds, quotas=LimitSettings(mode)) as (running, web):
        table = await create(web.api, OPEN, OPEN)
        async with events(web, table.name) as first, events(web, table.name) as second:
            statuses = first.head.status, second.head.status
            counted = await scraped(running)
    assert statuses == (200, status)
    assert 'skerry_limits_reached_total{limit="spectators_session"} 1.0' in counted


async def test_a_game_that_plays_itself_passes_every_phase_and_is_seen_in_the_store(
    valkey: EmbeddedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skerry_service.wiring.store.store_probe.PROBE_SECONDS", 0.02)
    async with watched(valkey, tmp_path / "calls") as (running, web):
        await create(web.api, BOT, BOT, game="tenerife")

        async def is_seen() -> bool:
            there = sum([await ask(valkey, "ZCARD", key) for key in redis_keys.shards("expiry")])
            return f"skerry_stored_sessions {there}.0" in await scraped(running)

        await until(is_seen)
        counted = await scraped(running)
    assert [f'game="tenerife",phase="{phase}"}} 1.0' in counted for phase in ("lobby", "playing", "finished")] == [
        True
    ] * 3
    assert 'phase="cancelled"' not in counted
    by = dict(re.findall(r'skerry_moves_total\{by="(\w+)",game="tenerife"\} (.*)', counted))
    assert by.keys() == {"bot", "chance"}


async def test_a_log_that_was_moved_away_goes_on_in_a_new_file(valkey: EmbeddedServer, tmp_path: Path) -> None:
    log = tmp_path / "calls"
    async with watched(valkey, log) as (_, web):
        await web.call("GET", "/v1/games")
        log.rename(tmp_path / "older")
        await web.call("GET", "/v1/games/kreta")
    assert [line["rpc"] for line in lines(tmp_path / "older")] == ["ListGames"]
    assert [line["rpc"] for line in lines(log)] == ["GetGame"]


async def test_a_log_or_a_port_that_cannot_be_had_is_named(valkey: EmbeddedServer, tmp_path: Path) -> None:
    config = Config(port=0, redis_url=valkey.url)
    with pytest.raises(OSError, match=r"cannot write the access log .*/missing/calls: No such file"):
        async with running_server(replace(config, access_log=str(tmp_path / "missing" / "calls"))):
            pass
    async with running_server(replace(config, metrics="127.0.0.1:0")) as running:
        with pytest.raises(OSError, match=f"cannot listen on {running.metrics} for metrics: Address already in use"):
            async with running_server(replace(config, metrics=running.metrics)):
                pass
