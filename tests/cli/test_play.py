"""``skerry play`` and ``skerry verify``: whole games through the API, printed, saved and verified."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from google.protobuf.json_format import MessageToJson, Parse

from skerry.v1 import service_pb2 as api
from skerry_client import Client
from tests.cli.conftest import Run
from tests.clients.servers import ServerProcess

SEED = "5c" * 32
ESCAPE = "\x1b"


def test_one_seed_yields_one_game(skerry: Run, tmp_path: Path) -> None:
    runs = [
        skerry("play", "kreta", "--seats", "3", "--seed", SEED, "--json", "--replay", f"{name}.json") for name in "ab"
    ]
    result = json.loads(runs[0].stdout)
    assert [(run.returncode, run.stderr) for run in runs] == [(0, ""), (0, "")]
    assert runs[0].stdout == runs[1].stdout
    assert result.keys() == {"game", "seats", "seed", "sequence", "scores", "ranks"}
    assert (result["game"], result["seats"], result["seed"]) == ("kreta", 3, SEED)
    assert len(result["scores"]) == len(result["ranks"]) == 3
    assert played(tmp_path / "a.json") == played(tmp_path / "b.json")


def played(file: Path) -> list[tuple[int, str]]:
    replay = Parse(file.read_text(encoding="utf-8"), api.GetReplayResponse()).replay
    return [(entry.seat, entry.moved.move.text) for entry in replay.entries]


@pytest.mark.deep
def test_a_game_on_a_secret_seed_can_be_verified(skerry: Run) -> None:
    play = skerry("play", "kreta", "--replay", "game.json")
    lines = play.stdout.splitlines()
    assert (play.returncode, play.stderr) == (0, "")
    assert ESCAPE not in play.stdout
    assert any(line.endswith("plays the castellan.") for line in lines)
    assert any(line.lstrip().startswith("[points 0 : 0, phase play card") for line in lines)
    assert "KRETA-END-1: the 11th fort card has been scored." in lines
    seed = lines[-1].split()[1]
    assert len(bytes.fromhex(seed)) == 32
    verify = skerry("verify", "game.json")
    assert (verify.returncode, verify.stderr) == (0, "")
    assert verify.stdout.startswith("game.json: All ")
    again = skerry("play", "kreta", "--seed", seed, "--json")
    assert json.loads(again.stdout)["seed"] == seed


def test_a_game_is_played_on_the_server_that_is_named(skerry: Run, server: ServerProcess, tmp_path: Path) -> None:
    play = skerry("play", "kreta", "--server", server.address, "--seed", SEED, "--json", "--replay", "game.json")
    assert play.returncode == 0
    replay = Parse((tmp_path / "game.json").read_text(encoding="utf-8"), api.GetReplayResponse()).replay
    with Client(server.address) as client:
        assert client.table(replay.session.name).replay() == replay
    own = skerry("play", "kreta", "--seed", SEED, "--json")
    assert own.stdout == play.stdout


@pytest.fixture
def mortal() -> Iterator[ServerProcess]:
    """A server of this test's own, to be killed."""
    with TemporaryDirectory(prefix="skerry-test-") as folder:
        process = ServerProcess(Path(folder))
        process.start()
        yield process
        process.stop()


@pytest.mark.deep
def test_a_game_outlives_its_server(mortal: ServerProcess, skerry: Run, tmp_path: Path) -> None:
    arguments = ["play", "kreta", "--seed", SEED, "--seats", "4", "--server", mortal.address, "--replay", "killed.json"]
    play = subprocess.Popen(
        [sys.executable, "-m", "skerry_service.cli", *arguments],
        cwd=tmp_path,
        env=os.environ,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert play.stdout
    while not play.stdout.readline().startswith("   20  "):
        assert play.poll() is None
    mortal.kill()
    mortal.start()
    rest, _ = play.communicate(timeout=60)
    assert play.returncode == 0
    assert SEED in rest
    skerry("play", "kreta", "--seed", SEED, "--seats", "4", "--replay", "whole.json")
    assert played(tmp_path / "killed.json") == played(tmp_path / "whole.json")


@pytest.fixture(scope="module")
def replay(server: ServerProcess) -> api.GetReplayResponse:
    """A finished game."""
    with Client(server.address) as client:
        table = client.create("kreta", seats=2, bots=2, seed=SEED)
        return api.GetReplayResponse(replay=table.replay())


def write(answer: api.GetReplayResponse, folder: Path) -> Path:
    file = folder / "game.json"
    file.write_text(MessageToJson(answer), encoding="utf-8")
    return file


def test_a_tampered_replay_is_caught_at_its_entry(here: Run, replay: api.GetReplayResponse, tmp_path: Path) -> None:
    tampered = api.GetReplayResponse()
    tampered.CopyFrom(replay)
    tampered.replay.entries[30].moved.events[0].text = "Seat 0 wins."
    verify = here("verify", write(tampered, tmp_path))
    assert verify.returncode == 1
    assert "game.json: The replay differs at entry 31: " in verify.stdout


def test_a_game_that_is_not_over_cannot_be_verified(skerry: Run, server: ServerProcess, tmp_path: Path) -> None:
    with Client(server.address) as client:
        table = client.create("kreta", seats=2)
        table.join("Ada")
        table.join("Bob")
        file = write(api.GetReplayResponse(replay=table.replay()), tmp_path)
    assert_refused(skerry("verify", file), 2, "the game is not over")


@pytest.mark.parametrize("text", ["", "not json", "[]", "{}", '{"replay": 3}', '{"board": []}', "\udcff"], ids=repr)
def test_a_file_that_is_no_replay_is_refused(here: Run, tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    assert_refused(here("verify", file), 2, "This is not a replay")


def test_a_file_that_is_not_there_is_refused(here: Run) -> None:
    assert_refused(
        here("verify", "nothing.json"), 2, "nothing.json: The file cannot be read: No such file or directory."
    )


def test_a_replay_is_verified_from_standard_input(skerry: Run, replay: api.GetReplayResponse) -> None:
    text = MessageToJson(replay)
    assert skerry("verify", "-", stdin=text).stdout.startswith("-: All ")
    assert skerry("verify", "-", stdin=text.replace("KRETA-END-1", "KRETA-END-2")).returncode == 1
    assert_refused(skerry("verify", "-", stdin="{}"), 2, "-: This is not a replay")


def assert_refused(run: subprocess.CompletedProcess[str], code: int, words: str) -> None:
    assert run.returncode == code, run.stderr
    assert run.stdout == ""
    assert run.stderr.startswith("skerry: ")
    assert run.stderr.count("\n") == 1
    assert run.stderr.endswith((".\n", "?\n"))
    assert words in run.stderr
