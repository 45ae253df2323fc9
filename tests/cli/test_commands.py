"""The commands beside ``play``: what they print, and that whatever goes wrong is one line and an exit code."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import skerry_service
from skerry_games.catalogue import all_games
from tests.cli.conftest import Run
from tests.cli.test_play import assert_refused
from tests.clients.servers import ServerProcess


def test_games_lists_every_game(skerry: Run) -> None:
    run = skerry("games")
    assert run.returncode == 0
    assert [line.split()[0] for line in run.stdout.splitlines()[1:]] == list(all_games())


@pytest.mark.parametrize(
    ("line", "code", "error"),
    [
        ("games >&-", 0, ""),
        ("games >&- 2>&-", 0, ""),
        ("play kreta --seat 0 >&- <&-", 0, ""),
        ("verify - <&-", 2, "skerry: -: This is not a replay: "),
        ("games >/dev/full", 1, "skerry: No space left on device.\n"),
    ],
)
def test_closed_or_full_streams_cause_at_most_one_line(line: str, code: int, error: str) -> None:
    command = ["sh", "-c", f'"$0" -m skerry_service.cli {line}', sys.executable]
    run = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert run.returncode == code
    assert run.stderr.startswith(error)
    assert run.stderr.count("\n") == bool(error)


@pytest.mark.parametrize("line", ["play kreta --seat 0", "play kreta"])
def test_play_ends_quietly_when_the_reader_closes_its_output(line: str) -> None:
    """As in ``skerry play kreta | head -1``."""
    command = [sys.executable, "-m", "skerry_service.cli", *line.split()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(b"1\n" * 400)
        process.stdin.close()
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1


def test_games_are_listed_for_programs_too(here: Run) -> None:
    listed = json.loads(here("games", "--json").stdout)
    assert [game["id"] for game in listed] == list(all_games())
    kreta = all_games()["kreta"]
    assert listed[list(all_games()).index("kreta")] == {
        "id": "kreta",
        "title": kreta.title,
        "author": kreta.author,
        "seats": list(kreta.seats),
        "ruleset": kreta.ruleset,
        "editions": list(kreta.editions),
    }


def test_rules_prints_all_rules_or_some(here: Run) -> None:
    every, some, one = (
        here("rules", "kreta", "--numbered"),
        here("rules", "kreta", "kreta-peace"),
        here("rules", "kreta", "KRETA-PEACE-1"),
    )
    ids = [rule.id for rule in all_games()["kreta"].rules]
    assert cited(every.stdout) == ids
    assert cited(some.stdout) == [rule for rule in ids if rule.startswith("KRETA-PEACE-")]
    assert cited(one.stdout) == ["KRETA-PEACE-1"]


@pytest.mark.parametrize("game", all_games())
def test_rules_begins_with_how_to_play(here: Run, game: str) -> None:
    printed = here("rules", game).stdout
    assert all_games()[game].author in printed
    assert "How to win." in printed
    assert f"skerry rules {game} --numbered" in printed


@pytest.mark.parametrize("game", all_games())
def test_rules_explains_the_marks_that_it_shows(here: Run, game: str) -> None:
    *_, marks = here("rules", game, "--numbered").stdout.splitlines()
    used = {
        mark
        for mark in "SWR"
        for rule in all_games()[game].rules
        if re.search(rf"\[[^\[\]]*\b{mark}\b[^\[\]]*\]", rule.text)
    }
    assert marks.startswith("Marks: ") == bool(used)
    assert {mark for mark in "SWR" if f"[{mark}] " in marks} == used


def cited(text: str) -> list[str]:
    return [line.split()[0] for line in text.splitlines() if line.startswith("  ")]


def test_version(here: Run) -> None:
    assert here("--version").stdout == f"skerry {skerry_service.__version__}\n"


def test_without_a_command_it_says_what_there_is(here: Run) -> None:
    run = here()
    assert run.returncode == 2
    assert all(command in run.stdout for command in ("serve", "play", "verify", "games", "rules", "health"))


def test_health_tells_whether_a_server_serves(skerry: Run, server: ServerProcess) -> None:
    healthy = skerry("health", "--server", server.address)
    assert (healthy.returncode, healthy.stdout) == (0, f"{server.address} is serving.\n")
    assert skerry("health", SKERRY_SERVER=server.address).returncode == 0
    assert_refused(skerry("health", "--server", "127.0.0.1:1"), 1, "does not answer")


def test_serve_prints_its_address_and_ends_on_a_signal(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    server.start()
    listening, invitation = server.greeting
    version = skerry_service.__version__
    kept = f"Games are stored in {tmp_path} (fsync always)."
    assert listening == f"Listening on {server.address} (Skerry {version}). {kept}\n"
    first = next(iter(all_games().values()))
    wanted = f"skerry play {first.id} --seats {first.seats[0]} --server {server.address}"
    assert invitation == f"Play a game: {wanted}\n"
    assert server.stop() == 0


def test_serve_refuses_what_it_cannot_do(skerry: Run, server: ServerProcess) -> None:
    port = server.address.split(":")[1]
    assert_refused(skerry("serve", "--port", port), 1, server.address)
    assert_refused(skerry("serve", SKERRY_PORT="many"), 2, "SKERRY_PORT must be a number")
    assert_refused(skerry("serve", "--fsync", "never"), 2, "--fsync")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["dance"], "dance"),
        (["play"], "game"),
        (["play", "kreta", "--seats", "two"], "--seats"),
        (["play", "kreta", "--seed", "12"], "--seed"),
        (["play", "kreta", "--seed", "xy"], "--seed"),
        (["play", "kreta", "--seat", "2", "--seats", "2"], "Seat 2 does not exist. The 2 seats are numbered 0 to 1."),
        (["play", "kreta", "--seat", "0", "--json"], "--json"),
        (["play", "kreta", "--replay", "nowhere/game.json"], "nowhere"),
        (["play", "kreta", "--server", "http://127.0.0.1:8080"], "--server: Pass HOST:PORT"),
        (["play", "kreta", "--seat", "0", "--server", "https://example.org"], "--server: Pass HOST:PORT"),
        (["health", "--server", "http://127.0.0.1:8080"], "--server: Pass HOST:PORT"),
        (["play", "whist\udcff"], r"whist\udcff' is not UTF-8"),
        (["health", "--server", "\udcff:1"], r"'\udcff:1' is not UTF-8"),
    ],
    ids=lambda value: ascii(" ".join(value)) if isinstance(value, list) else "",
)
def test_misuse_is_reported_in_one_line(here: Run, arguments: list[str], words: str) -> None:
    assert_refused(here(*arguments), 2, words)


@pytest.mark.parametrize("arguments", [["play", "kreta"], ["admin", "--server", "127.0.0.1:1", "list"]])
def test_a_key_that_no_call_can_carry_is_reported_in_one_line(
    here: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.setenv("SKERRY_API_KEY", "skerry_key_mob\n")
    assert_refused(here(*arguments), 2, "SKERRY_API_KEY: Pass an API key unchanged")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "kreta", "--seats", "9"], "KRETA-SETUP-1"),
        (["play", "whist"], "whist"),
        (["play", "whist", "--seat", "0"], "whist"),
        (["play", "kreta", "--seat", "0", "--server", "127.0.0.1:1"], "127.0.0.1:1"),
        (["play", "kreta", "--server", "127.0.0.1:1"], "127.0.0.1:1"),
        (["rules", "whist"], "whist"),
        (["rules", "kreta", "KRETA-NOTHING-1"], "KRETA-NOTHING-1"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_failure_is_reported_in_one_line(skerry: Run, arguments: list[str], words: str) -> None:
    assert_refused(skerry(*arguments), 1, words)


def test_commands_of_other_distributions_are_there_too(skerry: Run) -> None:
    assert "tournament" in skerry("--help").stdout
    run = skerry("tournament", "report", "nowhere")
    assert (run.returncode, run.stderr) == (
        2,
        "skerry: nowhere: The folder has no tournament: tournament.json is missing.\n",
    )
