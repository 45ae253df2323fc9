"""The service log: the contents of lines in both formats, levels that change at run time, throttling."""

from __future__ import annotations

import json
import logging
import os
import signal
from collections.abc import Callable, Iterator
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
    """Restore the configuration of logging after a test."""
    root = logging.getLogger()
    before, levels = root.handlers[:], (root.level, logging.getLogger("skerry_service").level)
    try:
        yield
    finally:
        root.handlers[:] = before
        root.setLevel(levels[0])
        logging.getLogger("skerry_service").setLevel(levels[1])


def json_lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Return the lines of JSON since the last call of this function."""
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def fail(message: str) -> None:
    try:
        raise ValueError(message)
    except ValueError:
        _log.exception("internal error")


@pytest.mark.usefixtures("log")
def test_a_json_line_has_time_level_logger_message_and_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    service_log.configure(JSON, "info")
    _log.info("serving %d games\nat once", 4)
    fail("too far")
    serving, error = json_lines(capsys)
    assert serving.keys() == {"time", "level", "logger", "message", "pid"}
    assert (serving["level"], serving["logger"]) == ("info", "skerry_service.tests")
    assert serving["message"] == "serving 4 games\nat once"
    assert (error["level"], error["message"]) == ("error", "internal error")
    assert error["error"].startswith("Traceback") and error["error"].endswith("ValueError: too far")


@pytest.mark.usefixtures("log")
def test_a_json_line_escapes_bytes_of_a_path_that_are_not_utf_8(capsys: pytest.CaptureFixture[str]) -> None:
    logging.getLogger().handlers.clear()  # what pytest captures for its report must be UTF-8
    service_log.configure(JSON, "info")
    path = os.fsdecode(b"/keys/\xff")
    _log.error("%s cannot be read", path)
    fail(path)
    line, error = json_lines(capsys)
    assert line["message"] == "/keys/\\udcff cannot be read"
    assert error["error"].endswith("ValueError: /keys/\\udcff")


@pytest.mark.usefixtures("log")
@pytest.mark.parametrize("log_format", [TEXT, JSON])
def test_tokens_in_messages_and_errors_are_redacted(log_format: LogFormat, capsys: pytest.CaptureFixture[str]) -> None:
    service_log.configure(log_format, "warning")
    fail(f"no such key: {TOKEN}")
    _log.warning("odd: %s", TOKEN)
    _log.warning("odd: %s", KEY)
    said = capsys.readouterr().err
    assert "skerry_key_..." in said and "mobile" not in said
    assert said.count("skerry_seat_...") == 2
    assert TOKEN not in said


@pytest.mark.usefixtures("log")
def test_the_level_changes_at_run_time_and_libraries_log_warnings_at_least(capsys: pytest.CaptureFixture[str]) -> None:
    service_log.configure(JSON, "warning")
    other = logging.getLogger("a.library")
    for level in ("debug", "error", "warning"):
        service_log.set_level(level)
        assert service_log.current_level() == level
        for say in (_log.debug, _log.warning, _log.error, other.debug, other.warning):
            say(f"at {level}")
    received = [(line["message"], line["level"], line["logger"] == _log.name) for line in json_lines(capsys)]
    assert received == [
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
    assert [line["message"] for line in json_lines(capsys)] == ["log level is now error"]


def test_similar_lines_are_limited_to_ten_a_minute() -> None:
    now = 0.0
    throttle = ThrottleFilter(lambda: now)

    def received(words: str, level: int = logging.ERROR, by: str = "skerry_service.tests") -> logging.LogRecord | None:
        record = logging.LogRecord(by, level, "", 0, words, ("x",), None)
        return record if throttle.filter(record) else None

    assert [received("away: %s") is not None for _ in range(14)] == [True] * 10 + [False] * 4
    assert received("back: %s")
    assert [received("lost: %s", by="opentelemetry.sdk") is not None for _ in range(3)] == [True, False, False]
    assert all(received("away: %s", logging.DEBUG) for _ in range(14))
    now = 60.0
    again = received("away: %s")
    assert again and again.__dict__["suppressed"] == 4
    now = 120.0
    after = received("away: %s")
    assert after and not after.__dict__["suppressed"]


def test_a_repeated_internal_error_does_not_hide_another() -> None:
    throttle = ThrottleFilter(lambda: 0.0)

    def logged(call: Callable[[], object]) -> bool:
        with pytest.raises(Exception) as raised:  # noqa: PT011 - of any type
            call()
        error = raised.type, raised.value, raised.tb
        return throttle.filter(logging.LogRecord(_log.name, logging.ERROR, "", 0, "internal error", (), error))

    def broken(value: Any) -> Any:
        return value["key"] + 1

    assert [logged(lambda: broken({})) for _ in range(11)] == [True] * 10 + [False]
    assert logged(lambda: broken(None)), "another type of exception, raised at the same line"
    assert logged(lambda: os.environ["SKERRY_NOWHERE"]), "the same type of exception, raised at another line"
    assert not logged(lambda: broken({}))


@pytest.mark.usefixtures("log")
async def test_a_text_line_names_the_call_and_its_session(
    valkey: EmbeddedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("too far")

    async with watched(valkey, tmp_path / "calls") as (_, web):
        table = await sit_down(web.api)
        token, position = await turn(web.api, table)
        service_log.configure(TEXT, "warning")
        monkeypatch.setattr("skerry_service.domain.transitions.act", broken)
        request = pb.ActRequest(name=table.name, move=position.legal_moves[0], expected_sequence=position.sequence)
        with pytest.raises(grpc.aio.AioRpcError):
            await web.api.stub.Act(request, metadata=bearer(token))
        await send_rejected_move(web.api.stub.Play(), request, token)
        _log.warning("outside")
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition("skerry_service.")[2] for line in lines if " ERROR " in line or " WARNING " in line] == [
        f"edge.framing.call_status: internal error [Act {table.name}]",
        f"api.play_stream: internal error [Play {table.name}]",
        "tests: outside",
    ]


@pytest.mark.usefixtures("log")
async def test_an_internal_error_names_its_call_over_grpc_rest_and_in_a_play_stream(
    valkey: EmbeddedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tokens are redacted, and a line written outside a call names none."""

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
        await send_rejected_move(web.api.stub.Play(metadata=metadata), request, token)
        _log.warning("outside")
    *errors, outside = json_lines(capsys)
    assert [line["rpc"] for line in errors] == ["Act", "Act", "Play"]
    for line in errors:
        assert (line["resource"], line["sequence"]) == (table.name, position.sequence)
        assert (line["trace"], line["request"]) == (TRACE, request_of(request))
        assert line["message"] == "internal error" and line["error"].endswith("ValueError: skerry_seat_...")
    assert not outside.keys() & {"rpc", "resource", "trace"}


async def send_rejected_move(stream: Any, request: pb.ActRequest, token: str) -> None:
    """Send the move over the stream, and read until the server rejects it."""
    act = pb.PlayAct(handle=1, move=request.move, expected_sequence=request.expected_sequence)
    act.request_id = request.request_id
    attach = pb.PlayAttach(handle=1, name=request.name, token=token)
    await stream.write(pb.PlayRequest(attach=[attach], acts=[act]))
    async for response in stream:
        if any(update.HasField("refused") for update in response.updates):
            break
    stream.cancel()


async def test_a_process_logs_its_start_its_end_and_level_changes() -> None:
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
        received = [(line["level"], line["message"]) for line in lines()]
    assert received[0][1].startswith(f"serving gRPC at {service.address}; games are stored in ")
    assert received[1:] == [
        ("info", "log level is now debug"),
        ("info", "log level is now info"),
        ("info", "received SIGTERM; running calls have 5 s to finish"),
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
def test_a_malformed_traceparent_has_no_trace_id(sent: str) -> None:
    assert trace_of(sent) == ""
    assert trace_of(TRACEPARENT) == trace_of(f"01-{TRACEPARENT[3:]}-later") == TRACE
