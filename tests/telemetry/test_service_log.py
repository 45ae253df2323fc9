"""The service's own log: what a line says, in both forms, and from which level on, while it runs."""

from __future__ import annotations

import json
import logging
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grpc
import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.telemetry import service_log
from skerry_service.telemetry.call_facts import request_of, trace_of
from skerry_service.telemetry.service_log import JSON, TEXT, LogFormat, ThrottleFilter
from tests.api.wire import bearer, sit_down, turn
from tests.faults.processes import Service, until
from tests.telemetry.test_calls import REQUEST_ID, TRACE, TRACEPARENT, watched

TOKEN = "skerry_seat_abcdefghijklmnopqrstuvwxyz"
KEY = "skerry_key_mobile-1_a-b_c"
_log = logging.getLogger("skerry_service.tests")


@pytest.fixture
def log() -> Iterator[None]:
    """Whatever a test sets up, it is as it was afterwards."""
    root = logging.getLogger()
    before, levels = root.handlers[:], (root.level, logging.getLogger("skerry_service").level)
    try:
        yield
    finally:
        root.handlers[:] = before
        root.setLevel(levels[0])
        logging.getLogger("skerry_service").setLevel(levels[1])


def written(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Return the lines of JSON since the last time."""
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def fail(words: str) -> None:
    try:
        raise ValueError(words)
    except ValueError:
        _log.exception("a defect")


@pytest.mark.usefixtures("log")
def test_a_line_of_json_tells_when_what_and_where_and_a_traceback_is_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    service_log.configure(JSON, "info")
    _log.info("serving %d games\nat once", 4)
    fail("too far")
    serving, defect = written(capsys)
    assert serving.keys() == {"time", "level", "logger", "message", "pid"}
    assert (serving["level"], serving["logger"]) == ("info", "skerry_service.tests")
    assert serving["message"] == "serving 4 games\nat once"
    assert (defect["level"], defect["message"]) == ("error", "a defect")
    assert defect["error"].startswith("Traceback") and defect["error"].endswith("ValueError: too far")


@pytest.mark.usefixtures("log")
def test_what_is_not_utf_8_of_a_path_is_told_in_a_line_of_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    logging.getLogger().handlers.clear()  # what pytest captures for its report must be UTF-8
    service_log.configure(JSON, "info")
    path = os.fsdecode(b"/keys/\xff")
    _log.error("%s cannot be read", path)
    fail(path)
    told, defect = written(capsys)
    assert told["message"] == "/keys/\\udcff cannot be read"
    assert defect["error"].endswith("ValueError: /keys/\\udcff")


@pytest.mark.usefixtures("log")
@pytest.mark.parametrize("form", [TEXT, JSON])
def test_a_token_that_an_error_repeats_is_not_written(form: LogFormat, capsys: pytest.CaptureFixture[str]) -> None:
    service_log.configure(form, "warning")
    fail(f"no such key: {TOKEN}")
    _log.warning("odd: %s", TOKEN)
    _log.warning("odd: %s", KEY)
    said = capsys.readouterr().err
    assert "skerry_key_..." in said and "mobile" not in said
    assert said.count("skerry_seat_...") == 2
    assert TOKEN not in said


@pytest.mark.usefixtures("log")
def test_levels_are_changed_while_it_runs_and_those_of_libraries_stay(capsys: pytest.CaptureFixture[str]) -> None:
    service_log.configure(JSON, "warning")
    other = logging.getLogger("somebody.else")
    for level in ("debug", "error", "warning"):
        service_log.set_level(level)
        assert service_log.current_level() == level
        for say in (_log.debug, _log.warning, _log.error, other.debug, other.warning):
            say(f"at {level}")
    told = [(line["message"], line["level"], line["logger"] == _log.name) for line in written(capsys)]
    assert told == [
        ("at debug", "debug", True),
        ("at debug", "warning", True),
        ("at debug", "error", True),
        ("at debug", "warning", False),
        ("at error", "error", True),
        ("at warning", "warning", True),
        ("at warning", "error", True),
        ("at warning", "warning", False),
    ]
    service_log.change_level("error")
    assert [line["message"] for line in written(capsys)] == ["the log tells of error and above from now on"]


def test_of_what_is_told_again_and_again_ten_lines_a_minute_are_written() -> None:
    now = 0.0
    sparing = ThrottleFilter(lambda: now)

    def told(words: str, level: int = logging.ERROR, by: str = "skerry_service.tests") -> logging.LogRecord | None:
        record = logging.LogRecord(by, level, "", 0, words, ("x",), None)
        return record if sparing.filter(record) else None

    assert [told("away: %s") is not None for _ in range(14)] == [True] * 10 + [False] * 4
    assert told("back: %s")
    assert [told("lost: %s", by="opentelemetry.sdk") is not None for _ in range(3)] == [True, False, False]
    assert all(told("away: %s", logging.DEBUG) for _ in range(14))
    now = 60.0
    again = told("away: %s")
    assert again and again.__dict__["suppressed"] == 4
    now = 120.0
    after = told("away: %s")
    assert after and not after.__dict__["suppressed"]


@pytest.mark.usefixtures("log")
async def test_a_defect_is_told_with_its_call_over_both_fronts_and_within_a_stream(
    valkey: EmbeddedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the words of the error, no token is told; nor is a call, of what goes wrong after it or beside it."""

    def broken(*_: object) -> None:
        raise ValueError(TOKEN)

    async with watched(valkey, tmp_path / "calls", log_form=JSON) as (_, web):
        table = await sit_down(web.api)
        token, position = await turn(web.api, table)
        service_log.configure(JSON, "warning")
        monkeypatch.setattr("skerry_service.domain.transitions.act", broken)
        request = pb.ActRequest(
            name=table.name, move=position.legal_moves[0], expected_sequence=position.sequence, request_id=REQUEST_ID
        )
        metadata = (*bearer(token), ("traceparent", TRACEPARENT))
        with pytest.raises(grpc.aio.AioRpcError):
            await web.api.stub.Act(request, metadata=metadata)
        move = {"move": {}, "expectedSequence": str(position.sequence), "requestId": REQUEST_ID}
        headers = {"traceparent": TRACEPARENT, "authorization": f"Bearer {token}"}
        monkeypatch.setattr("skerry_service.api.act.read_move", broken)
        assert (await web.call("POST", f"/v1/{table.name}:act", move, headers=headers)).status == 500
        await play_in_vain(web.api.stub.Play(metadata=metadata), request, token)
        _log.warning("beside")
    *defects, beside = written(capsys)
    assert [line["rpc"] for line in defects] == ["Act", "Act", "Play"]
    for line in defects:
        assert (line["resource"], line["sequence"]) == (table.name, position.sequence)
        assert (line["trace"], line["request"]) == (TRACE, request_of(request))
        assert line["message"] == "a defect" and line["error"].endswith("ValueError: skerry_seat_...")
    assert not beside.keys() & {"rpc", "resource", "trace"}


async def play_in_vain(stream: Any, request: pb.ActRequest, token: str) -> None:
    """Send that act over the stream, and read until it is refused."""
    act = pb.PlayAct(handle=1, move=request.move, expected_sequence=request.expected_sequence)
    act.request_id = request.request_id
    attach = pb.PlayAttach(handle=1, name=request.name, token=token)
    await stream.write(pb.PlayRequest(attach=[attach], acts=[act]))
    async for response in stream:
        if any(update.HasField("refused") for update in response.updates):
            break
    stream.cancel()


async def test_a_process_tells_of_its_start_its_end_and_changes_of_the_level() -> None:
    with TemporaryDirectory(prefix="skerry-test-") as folder:
        service = Service(Path(folder), environment={"SKERRY_LOG_FORMAT": "json"})

        def lines() -> list[dict[str, Any]]:
            return [json.loads(line) for line in service.errors.read_text().splitlines()]

        try:
            await service.start()
            for number, count in ((signal.SIGUSR1, 2), (signal.SIGUSR2, 3)):
                service.process.send_signal(number)
                await until(lambda count=count: len(lines()) >= count)  # type: ignore[misc]
            assert await service.terminate() == 0
        finally:
            await service.close()
        told = [(line["level"], line["message"]) for line in lines()]
    assert told[0][1].startswith(f"serving gRPC at {service.address}; games are kept in ")
    assert told[1:] == [
        ("info", "the log tells of debug and above from now on"),
        ("info", "the log tells of info and above from now on"),
        ("info", "told to stop by SIGTERM; calls under way have 5 s"),
        ("info", "stopped"),
    ]


@pytest.mark.parametrize(
    "sent",
    [
        "",
        TRACE,
        f"00-{TRACE}-00f067aa0ba902b7",
        f"00-{TRACE.upper()}-00f067aa0ba902b7-01",
        f"00-{'0' * 32}-00f067aa0ba902b7-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"ff-{TRACE}-00f067aa0ba902b7-01",
        f"{TRACEPARENT}\n",
        TOKEN * 1000,
    ],
)
def test_what_is_no_traceparent_names_no_trace(sent: str) -> None:
    assert trace_of(sent) == ""
    assert trace_of(TRACEPARENT) == trace_of(f"01-{TRACEPARENT[3:]}-later") == TRACE
