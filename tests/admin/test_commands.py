"""``skerry admin`` at a real server, which ends on a signal."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from skerry_client import Client
from skerry_service.cli.app import run

COMMAND = [sys.executable, "-m", "skerry_service.cli"]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    command = [*COMMAND, "serve", "--port", "0", "--admin", "127.0.0.1:0"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address, where = (process.stdout.readline() for _ in range(2))
        assert where.startswith("Operators: ")
        try:
            yield process, address.split()[2], where.split()[-2]
        finally:
            process.kill()


def test_an_operator_looks_ends_and_drains(
    server: tuple[subprocess.Popen[str], str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    process, address, where = server
    with Client(address) as client:
        name = client.create("kreta", seats=2, visibility="unlisted").name
        other = client.create("tenerife", seats=2).name
    assert run(["admin", "--server", where, "list"]) == 0
    assert sorted(line.split()[0] for line in capsys.readouterr().out.splitlines()) == sorted((name, other))
    assert run(["admin", "--server", where, "list", "--json", "--game", "kreta", "--state", "lobby"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == name
    assert run(["admin", "--server", where, "inspect", name.removeprefix("sessions/")]) == 0
    assert json.loads(capsys.readouterr().out)["session"]["name"] == name
    assert run(["admin", "--server", where, "end", name]) == 0
    assert capsys.readouterr().out == f"{name} is cancelled.\n"
    assert run(["admin", "--server", where, "end", name]) == 1
    assert "over" in capsys.readouterr().err
    assert run(["admin", "--server", address, "drain"]) == 1
    assert (
        capsys.readouterr().err
        == f"skerry: {address} does not serve the operator API. Pass the address of SKERRY_ADMIN.\n"
    )
    assert run(["admin", "--server", where, "drain"]) == 0
    assert process.wait(30) == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["list"], 2, "Pass the server"),
        (["--server", "operators", "list"], 2, "--server: Pass HOST:PORT, with a port"),
        (["--server", "http://127.0.0.1:1", "list"], 2, "--server: Pass HOST:PORT"),
        (["--server", "127.0.0.1:1", "list"], 1, "127.0.0.1:1"),
        (["--server", "127.0.0.1:1", "list", "--state", "gone"], 2, "Unknown state 'gone'"),
    ],
)
def test_a_command_that_cannot_be_carried_out_fails_with_one_line(
    arguments: list[str], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["admin", *arguments]) == code
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), words in err) == ("", 1, True), err
