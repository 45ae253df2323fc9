"""Tournaments of an edition: played, resumed, verified and reported with its components, also without its file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import json

from skerry_arena.running.tournament_folder import read_tournament
from skerry_games import catalogue
from skerry_service.cli.app import run
from tests.arena.conftest import Ran, Run
from tests.arena.samples import SEED
from tests.clients.servers import ServerProcess
from tests.games.other_editions import GAMES, NAME, added_editions_restored, house, other_edition, other_text

CLASS = """
class Last:
    def __init__(self, rng):
        pass

    def choose(self, position, clock):
        assert position.game.editions == ("other",), position.game.ruleset
        return position.legal_moves[-1]
"""
SAMPLING = """
import base64, json, sys
from msgspec import msgpack
from skerry_games.editions import add_edition

for text in sys.stdin:
    line = json.loads(text)
    if line["type"] == "hello":
        answer = {"type": "hello", "wants": ["sample", "words", "text"]}
    elif line["type"] == "new_game":
        game = add_edition(line["game"], line["edition"])
        assert game.ruleset == line["ruleset"] and line["board"]
        answer = {"type": "ready"}
    elif line["type"] == "choose":
        msgpack.decode(base64.b64decode(line["sample"]), type=game.state_type)
        answer = {"type": "move", "decision": line["decision"], "choice": 0}
    else:
        continue
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture(autouse=True)
def restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("SKERRY_EDITIONS", raising=False)
    with added_editions_restored():
        yield


def written(folder: Path, game: str, text: str | None = None) -> Path:
    """Write the other edition of a game into a folder, and return the folder."""
    folder.mkdir(exist_ok=True)
    (folder / f"{game}.json").write_text(text or other_text(game))
    return folder


def cup(folder: Path, game: str, *players: str, **more: object) -> Path:
    """Write the file of a tournament of the other edition."""
    lines = [f"{name} = {json.encode(value).decode()}" for name, value in more.items()]
    named = [f'[[players]]\nname = "{one.partition("=")[0]}"\nplayer = "{one.partition("=")[2]}"' for one in players]
    head = [
        f'game = "{game}"',
        f'seed = "{SEED}"',
        *lines,
        '[limits]\nsandbox = "off"',
        f'[options]\nedition = "{NAME}"',
    ]
    file = folder / "cup.toml"
    file.write_text("\n".join([*head, *named]) + "\n")
    return file


def elsewhere(folder: Path, *arguments: str | Path) -> Ran:
    """Run ``skerry-arena`` in a process that has no edition."""
    ran = subprocess.run(
        [sys.executable, "-m", "skerry_arena.cli", *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)


@pytest.mark.parametrize("game", [pytest.param(one, marks=pytest.mark.deep) for one in GAMES[:-1]] + [GAMES[-1]])
def test_a_tournament_file_names_an_edition(game: str, tmp_path: Path, arena: Run) -> None:
    editions = written(tmp_path / "editions", game)
    file = cup(tmp_path, game, "r=random", "g=greedy", games=2)
    ran = arena("tournament", "run", file, "--editions", editions, "--workers", "2", "--out", "cup")
    assert (ran.returncode, ran.stderr) == (0, ""), ran
    begun, other = read_tournament(tmp_path / "cup"), other_edition(game)
    assert begun.versions.ruleset == begun.settings.rules.ruleset == other.ruleset
    assert f"ruleset {other.ruleset}" in (tmp_path / "cup" / "report.html").read_text()

    # The folder is enough to verify, report and export the games. Only the service's own tools need the edition's file.
    for command in (
        ("verify", "cup"),
        ("report", "cup", "--pages", "1"),
        ("decisions", "cup", "--out", "rows.parquet"),
        ("replays", "cup", "--out", "replays"),
    ):
        catalogue._editions.clear()
        done = arena("tournament", *command)
        assert (done.returncode, done.stderr) == (0, ""), done
    assert run(["verify", str(tmp_path / "replays" / "0.json")]) == 0
    catalogue._editions.clear()
    assert run(["verify", str(tmp_path / "replays" / "0.json")]) == 2


def test_a_tournament_resumes_without_the_file_of_its_edition(tmp_path: Path, arena: Run) -> None:
    editions = written(tmp_path / "editions", "kreta")
    file = cup(tmp_path, "kreta", "r=random", "s=random", games=6)
    assert arena("tournament", "run", file, "--editions", editions, "--workers", "0", "--out", "cup").returncode == 0
    log = tmp_path / "cup" / "games.jsonl"
    whole = sorted(json.decode(line)["choices"] for line in log.read_bytes().splitlines())
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:2]))  # as after a kill
    (editions / "kreta.json").unlink()
    resumed = elsewhere(tmp_path, "tournament", "resume", "cup", "--workers", "1")
    assert (resumed.returncode, resumed.stderr) == (0, ""), resumed
    assert sorted(json.decode(line)["choices"] for line in log.read_bytes().splitlines()) == whole


def test_programs_play_with_the_components_of_the_edition(tmp_path: Path, arena: Run) -> None:
    (tmp_path / "sampling.py").write_text(SAMPLING)
    (tmp_path / "classes.py").write_text(CLASS)
    editions = written(tmp_path / "editions", "tenerife")
    sampling = f"program:{sys.executable} sampling.py"
    file = cup(tmp_path, "tenerife", "c=classes:Last", f"p={sampling}", games=2)
    ran = arena("tournament", "run", file, "--editions", editions, "--workers", "1", "--out", "cup")
    assert (ran.returncode, ran.stderr) == (0, ""), ran
    assert "failed" not in ran.stdout
    named = ("--option", f"edition={NAME}", "--editions", editions)
    certified = arena("certify", "--player", sampling, "--game", "tenerife", *named)
    assert "passed  plays a game from every seat" in certified.stdout, certified


def test_an_unknown_edition_is_refused_before_the_folder_exists(
    tmp_path: Path, arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = cup(tmp_path, "kreta", "r=random", "s=random")
    sentence = f"Unknown edition '{NAME}'. Available: house. Load others with --editions or SKERRY_EDITIONS."
    for more in ((), ("--certify",)):
        refused = arena("tournament", "run", file, "--out", "cup", *more)
        assert (refused.returncode, refused.stderr) == (2, f"skerry-arena: {sentence}\n")
    assert not (tmp_path / "cup").exists()
    for wrong in ("5", "[]", '"x"', "null"):
        refused = arena("tournament", "run", file, "--option", f"edition={wrong}", "--out", "cup")
        assert refused.returncode == 2 and "Unknown edition" in refused.stderr, refused
    missing = arena("tournament", "run", file, "--editions", "nowhere", "--out", "cup")
    assert (missing.returncode, missing.stderr.splitlines()) == (
        1,
        ["skerry-arena: nowhere is not a folder. Name folders that have files such as kreta.json."],
    )
    broken = house("kreta") | {"edition": NAME, "width": "wide", "height": "high"}
    editions = written(tmp_path / "editions", "kreta", json.encode(broken).decode())
    monkeypatch.setenv("SKERRY_EDITIONS", str(editions))
    refused = arena("tournament", "run", file, "--out", "cup")
    assert refused.returncode == 1 and refused.stderr.count("must be a whole number") == 2, refused
    assert len(refused.stderr.splitlines()) == 2


def test_a_folder_with_other_components_than_the_loaded_ones_is_refused(tmp_path: Path, arena: Run) -> None:
    editions = written(tmp_path / "editions", "kreta")
    file = cup(tmp_path, "kreta", "r=random", "s=random", games=2)
    assert arena("tournament", "run", file, "--editions", editions, "--workers", "0", "--out", "cup").returncode == 0
    path = tmp_path / "cup" / "tournament.json"
    kept = path.read_bytes()
    content = json.decode(kept)
    catalogue._editions.clear()

    content["edition"]["provinces"]["SEL"]["name"] = "Selino"
    path.write_bytes(json.encode(content))
    changed = arena("tournament", "verify", "cup")
    assert changed.returncode == 2 and "The tournament began with ruleset kreta-" in changed.stderr, changed
    path.write_bytes(kept)
    loaded = arena("tournament", "verify", "cup")
    assert loaded.returncode == 2, "the changed edition of that name is loaded now"
    assert f"other components of the edition '{NAME}' than those that are loaded" in loaded.stderr
    catalogue._editions.clear()

    for value, sentence in (({"edition": NAME}, "cannot use the edition"), (None, "Unknown edition"), (5, "malformed")):
        path.write_bytes(json.encode({**json.decode(kept), "edition": value}))
        for command in ("verify", "report", "resume"):
            refused = arena("tournament", command, "cup")
            assert refused.returncode == 2 and sentence in refused.stderr, refused


@pytest.mark.parametrize(
    ("served", "sentence"),
    [
        pytest.param("", f"Unknown edition '{NAME}'", marks=pytest.mark.deep),
        ("others", "but this version has"),
        ("editions", ""),
    ],
)
def test_a_service_has_the_same_edition_or_is_refused_before_the_first_game(
    served: str, sentence: str, tmp_path: Path, arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    editions = written(tmp_path / "editions", "kreta")
    written(tmp_path / "others", "kreta", json.encode(house("kreta") | {"edition": NAME}).decode())
    file = cup(tmp_path, "kreta", "r=random", "s=random", games=2)
    server = ServerProcess(tmp_path / "server")
    monkeypatch.setenv("SKERRY_EDITIONS", str(tmp_path / served) if served else "")
    server.start()
    monkeypatch.delenv("SKERRY_EDITIONS")
    try:
        flags = ("--editions", editions, "--server", server.address, "--workers", "2")
        ran = arena("tournament", "run", file, *flags, "--out", "cup")
    finally:
        server.stop()
    games = (tmp_path / "cup" / "games.jsonl").read_bytes().splitlines()
    assert sentence in ran.stderr, ran
    assert (ran.returncode, len(games)) == ((1, 0) if sentence else (0, 2)), ran
    if not sentence:
        assert "All 2 games follow" in arena("tournament", "verify", "cup").stdout
        assert arena("tournament", "replays", "cup", "--out", "replays").returncode == 0
        assert run(["verify", str(tmp_path / "replays" / "0.json")]) == 0
