"""``skerry ban`` and ``skerry admin audit`` at a real server."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from skerry_service.cli.app import run

COMMAND = [sys.executable, "-m", "skerry_service.cli"]


@pytest.fixture
def operators(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    command = [*COMMAND, "serve", "--port", "0", "--admin", "127.0.0.1:0"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        where = [process.stdout.readline() for _ in range(2)][1]
        try:
            monkeypatch.setenv("SKERRY_ADMIN", where.split()[-2])
            yield where.split()[-2]
        finally:
            process.kill()


def test_an_operator_bans_lists_lifts_and_reads_the_log(operators: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ban", "add", "--address", "198.51.100.7/24", "--for", "7d", "--reason", "Floods."]) == 0
    network = capsys.readouterr().out.split()[0]
    assert run(["ban", "add", "--player", "ada", "--for", "90min", "--reason", "Insults."]) == 0
    player = capsys.readouterr().out.split()[0]
    assert run(["ban", "list"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{network}  198.51.100.0/24  6 d left  by 127.0.0.1  Floods.",
        f"{player}  player ada  89 min left  by 127.0.0.1  Insults.",
    ]
    assert run(["ban", "list", "--json"]) == 0
    assert [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()] == [network, player]
    assert run(["ban", "lift", network]) == 0
    assert run(["ban", "lift", "--player", "ada"]) == 0
    assert capsys.readouterr().out == f"{network} is lifted.\n{player} is lifted.\n"
    assert run(["ban", "lift", player.removeprefix("bans/")]) == 1
    assert "does not exist" in capsys.readouterr().err
    assert run(["admin", "audit", "--last", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[1:] for line in lines] == [
        ["127.0.0.1", "LiftBan", player, "BAN_NOT_FOUND"],
        ["127.0.0.1", "LiftBan", player, "OK", "a player, 5400 s: Insults."],
        ["127.0.0.1", "LiftBan", network, "OK", "198.51.100.0/24, 604800 s: Floods."],
    ]
    assert run(["admin", "audit", "--json"]) == 0
    assert [json.loads(line)["action"] for line in capsys.readouterr().out.splitlines()][3:] == ["CreateBan"] * 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["add", "--address", "a", "--for", "1h", "--reason", "x"], "--address: Send an IPv4 or IPv6 address"),
        (["add", "--key", "A", "--for", "1h", "--reason", "x"], "--key: A key's name has"),
        (["add", "--for", "1h", "--reason", "x"], "Pass one of --address, --key and --player."),
        (["add", "--key", "a", "--player", "b", "--for", "1h", "--reason", "x"], "Pass one of --address"),
        (["add", "--key", "a", "--for", "1 week", "--reason", "x"], "--for: '1 week' is not a time."),
        (["add", "--key", "a", "--for", "0h", "--reason", "x"], "--for: '0h' is not a time."),
        (["lift"], "Pass one of --address"),
        (["lift", "bans/x", "--key", "a"], "Pass a ban, or one of"),
    ],
)
def test_a_ban_that_cannot_be_meant_fails_with_one_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ban", "--server", "127.0.0.1:1", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), words in err) == ("", 1, True), err
