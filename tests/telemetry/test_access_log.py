"""The access log on its own: what it does with a disk that is full, and with what clients send."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.telemetry.access_log import AccessLog
from skerry_service.telemetry.calls import Call, Sender

CALLER = Sender("203.0.113.9", "")


def test_a_full_disk_costs_lines_and_one_warning_and_no_call(caplog: pytest.LogCaptureFixture) -> None:
    log = AccessLog("/dev/full", lambda: 0)
    for _ in range(3):
        log.ended(Call("skerry.v1.SkerryService", "Act", lambda: CALLER, streaming=False), "OK", "")
    log.close()
    assert [record.getMessage() for record in caplog.records] == [
        "the access log cannot be written, and lines of it are lost: [Errno 28] No space left on device"
    ]


@pytest.mark.parametrize("name", ["skerry_seat_Zm9vYmFy", "sessions/skerry.host-Zm9v", "sessions/\n", "x" * 100_000])
def test_what_a_client_sends_as_a_name_is_written_only_if_it_can_be_one(tmp_path: Path, name: str) -> None:
    log = AccessLog(str(tmp_path / "calls"), lambda: 0)
    call = Call("skerry.v1.SkerryService", "GetSession", lambda: CALLER, streaming=False)
    for sent in ("sessions/mcrsbhel6g6jxsov", name):
        call.request = pb.GetSessionRequest(name=sent)
        log.ended(call, "NOT_FOUND", "SESSION_NOT_FOUND")
    log.close()
    told, untold = (json.loads(line) for line in (tmp_path / "calls").read_text().splitlines())
    assert told["resource"] == "sessions/mcrsbhel6g6jxsov"
    assert "resource" not in untold
