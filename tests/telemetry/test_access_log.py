"""The access log on its own: what it does with a disk that is full, and with what clients send."""

from __future__ import annotations

import fcntl
import json
import os
import threading
from pathlib import Path

import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.access.client_addresses import Peer
from skerry_service.telemetry.access_log import STDOUT, AccessLog
from skerry_service.telemetry.call_observers import Call
from tests.store.servers import PATIENCE

CALLER = Peer("203.0.113.9")


def end_a_call(log: AccessLog, rpc: str = "Act") -> None:
    log.ended(Call("skerry.v1.SkerryService", rpc, lambda: CALLER, streaming=False), "OK", "")


def rpcs(path: Path) -> list[str]:
    return [json.loads(line)["rpc"] for line in path.read_text().splitlines()]


def test_a_folder_that_is_gone_costs_lines_and_one_warning_and_no_call(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder, elsewhere = tmp_path / "log", tmp_path / "elsewhere"
    folder.mkdir()
    log = AccessLog(str(folder / "calls"), lambda: 0)
    end_a_call(log, "Act")
    folder.rename(elsewhere)
    for _ in range(3):
        end_a_call(log, "Observe")
    folder.mkdir()
    end_a_call(log, "Play")
    log.close()
    assert (rpcs(elsewhere / "calls"), rpcs(folder / "calls")) == (["Act"], ["Play"])
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith("cannot write the access log, lines are lost: [Errno 2] No such file")


def test_a_file_that_is_moved_away_is_begun_anew(tmp_path: Path) -> None:
    path, moved = tmp_path / "calls", tmp_path / "calls.1"
    log = AccessLog(str(path), lambda: 0)
    end_a_call(log, "Act")
    path.rename(moved)
    end_a_call(log, "Play")
    log.close()
    assert (rpcs(moved), rpcs(path)) == (["Act"], ["Play"])


def test_a_line_for_which_there_was_half_the_room_spoils_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "calls"
    log = AccessLog(str(path), lambda: 0)
    whole = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: whole(descriptor, data[:20]))
    end_a_call(log, "Act")
    monkeypatch.undo()
    end_a_call(log, "Play")
    end_a_call(log, "Observe")
    log.close()
    torn, *others = path.read_text().splitlines()
    assert len(torn) == 20
    assert [json.loads(line)["rpc"] for line in others] == ["Play", "Observe"]
    assert "No space left" in caplog.text


def test_a_full_disk_costs_lines_and_one_warning_and_no_call(caplog: pytest.LogCaptureFixture) -> None:
    log = AccessLog("/dev/full", lambda: 0)
    for _ in range(3):
        end_a_call(log)
    log.close()
    assert [record.getMessage() for record in caplog.records] == [
        "cannot write the access log, lines are lost: [Errno 28] No space left on device"
    ]


def test_a_pipe_that_nobody_reads_costs_lines_and_one_warning_and_no_call(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As standard output of a container is, whose log's driver waits for its disk."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as stdout:
        monkeypatch.setattr("sys.stdout", stdout)
        log = AccessLog(STDOUT, lambda: 0)
        room = fcntl.fcntl(writing, fcntl.F_GETPIPE_SZ)

        def calls() -> None:
            for _ in range(room // 16):  # no line is shorter
                end_a_call(log)

        calling = threading.Thread(target=calls, daemon=True)
        calling.start()
        calling.join(PATIENCE)
        waits = calling.is_alive()
        lines = os.read(reading, room).splitlines()
        end_a_call(log)
        assert os.read(reading, room).endswith(b"}\n")
        os.close(reading)
    assert not waits
    assert len(lines) > 1 and all(json.loads(line)["rpc"] == "Act" for line in lines)
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith("cannot write the access log, lines are lost: [Errno 11] the reader")


@pytest.mark.parametrize("name", ["skerry_seat_Zm9vYmFy", "sessions/skerry.host-Zm9v", "sessions/\n", "x" * 100_000])
def test_what_a_client_sends_as_a_name_is_written_only_if_it_can_be_one(tmp_path: Path, name: str) -> None:
    log = AccessLog(str(tmp_path / "calls"), lambda: 0)
    call = Call("skerry.v1.SkerryService", "GetSession", lambda: CALLER, streaming=False)
    for sent in ("sessions/mcrsbhel6g6jxsov", name):
        call.request = pb.GetSessionRequest(name=sent)
        log.ended(call, "NOT_FOUND", "SESSION_NOT_FOUND")
    log.close()
    received, untold = (json.loads(line) for line in (tmp_path / "calls").read_text().splitlines())
    assert received["resource"] == "sessions/mcrsbhel6g6jxsov"
    assert "resource" not in untold
