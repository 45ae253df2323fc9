"""The access log on its own: what it does with a disk that is full, and with what clients send."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.telemetry.access_log import AccessLog
from skerry_service.telemetry.calls import Call


def test_a_full_disk_costs_lines_and_one_warning_and_no_call(caplog: pytest.LogCaptureFixture) -> None:
    log = AccessLog("/dev/full", lambda: 0)
    for _ in range(3):
        log.ended(Call("Act", lambda: "203.0.113.9", streaming=False), "OK", "")
    log.close()
    assert [record.getMessage() for record in caplog.records] == [
        "the access log cannot be written, and lines of it are lost: [Errno 28] No space left on device"
    ]


def test_a_line_holds_no_more_of_a_name_than_a_name_can_have(tmp_path: Path) -> None:
    log = AccessLog(str(tmp_path / "calls"), lambda: 0)
    call = Call("GetSession", lambda: "203.0.113.9", streaming=False)
    call.request = pb.GetSessionRequest(name="sessions/\n" + "x" * 100_000)
    log.ended(call, "INVALID_ARGUMENT", "INVALID_FIELD")
    log.close()
    line = json.loads((tmp_path / "calls").read_text())
    assert line["resource"] == "sessions/\n" + "x" * 90
