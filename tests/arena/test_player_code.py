"""Hashes of the players' code: what changes them, and what a changed player means for a resumed tournament."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from msgspec import json

from skerry_arena.entrants import parse_entrant
from skerry_arena.player_code import code_hashes, files_of
from skerry_arena.running.log import Log
from skerry_arena.running.tournament_folder import LOG, read_tournament
from tests.arena.conftest import Run
from tests.arena.samples import settings

BOT = """
from beside import first
class Bot:
    def __init__(self, rng): pass
    def choose(self, position, clock): return first(position)
"""
BESIDE = "def first(position): return position.legal_moves[0]\n"
PROGRAM = f"program:{sys.executable} bot.py --level=levels.txt"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "mine.py").write_text(BOT)
    (tmp_path / "beside.py").write_text(BESIDE)
    (tmp_path / "bot.py").write_text("import beside\n")
    (tmp_path / "levels.txt").write_text("3")
    (tmp_path / "other.txt").write_text("3")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("from .bot import Bot\n")
    (tmp_path / "package" / "bot.py").write_text(BOT)
    (tmp_path / "package" / "weights.json").write_text("[1]")
    return tmp_path


def hash_of(player: str) -> str:
    return code_hashes(settings(f"one={player}", "two=random"))["one"]


@pytest.mark.parametrize(
    ("player", "file", "counts"),
    [
        ("mine:Bot", "mine.py", True),
        ("mine:Bot", "beside.py", True),
        ("mine:Bot", "other.txt", False),
        ("mine:Bot", "bot.py", False),
        ("package:Bot", "package/bot.py", True),
        ("package:Bot", "package/weights.json", True),
        ("package.bot:Bot", "beside.py", True),
        (PROGRAM, "bot.py", True),
        (PROGRAM, "beside.py", True),
        (PROGRAM, "levels.txt", True),
        (PROGRAM, "mine.py", False),
        ("random", "mine.py", False),
    ],
)
def test_a_hash_changes_with_the_files_of_the_player(folder: Path, player: str, file: str, *, counts: bool) -> None:
    before = hash_of(player)
    assert before == hash_of(player) and len(before) == 64
    with (folder / file).open("a") as changed:
        changed.write("\n# changed\n")
    assert (hash_of(player) != before) == counts


def test_each_file_of_a_large_package_is_read_for_imports_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"bot_{number}" for number in range(30)]
    for name in names:
        (folder / "package" / f"{name}.py").write_text("\n".join(f"import package.{other}" for other in names))
    read: list[bytes] = []
    parse = ast.parse

    def counted(source: bytes) -> ast.Module:
        read.append(source)
        return parse(source)

    monkeypatch.setattr(ast, "parse", counted)
    files = files_of(parse_entrant("package.bot_0:Bot"), "kreta")
    monkeypatch.undo()
    assert len(read) == len({file for file in files if file.suffix == ".py"}) > len(names)


def test_a_built_in_player_has_the_code_of_its_game(folder: Path) -> None:
    names = {path.as_posix().rpartition("skerry_games/")[2] for path in files_of(parse_entrant("random"), "kreta")}
    assert {"position.py", "kreta/rules.py", "players/random_player.py"} <= names
    assert not any(name.startswith("tenerife/") or name.endswith(".md") for name in names)


def test_a_module_without_a_file_or_that_is_not_python_has_a_hash_all_the_same(folder: Path) -> None:
    assert hash_of("sys:Bot") == "unknown"
    (folder / "mine.py").write_bytes(b"\xff\x00 not python")
    assert len(hash_of("mine:Bot")) == 64


def test_a_tournament_with_changed_code_is_not_resumed_unless_the_change_is_accepted(folder: Path, arena: Run) -> None:
    players = ("--player", "mine:Bot", "--player", "random")
    flags = ("--game", "kreta", *players, "--games", "2", "--seed", "5a" * 32, "--workers", "0")
    assert arena("tournament", "run", *flags, "--out", "cup").returncode == 0
    cup = folder / "cup"
    begun = read_tournament(cup)
    assert begun.code.keys() == {"mine:Bot", "random"} and begun.changes == ()
    assert begun.code["mine:Bot"][:16] in (cup / "report.html").read_text()
    first = (cup / LOG).read_bytes().splitlines(keepends=True)[0]
    (cup / LOG).write_bytes(first)
    (folder / "beside.py").write_text(BESIDE.replace("[0]", "[-1]"))
    refused = arena("tournament", "resume", "cup", "--workers", "0")
    assert refused.returncode == 2
    assert "The code of mine:Bot differs from that of the finished games (1)." in refused.stderr
    assert "--accept-changed" in refused.stderr and refused.stderr.count("\n") == 1
    assert (cup / LOG).read_bytes() == first
    accepted = arena("tournament", "resume", "cup", "--workers", "0", "--accept-changed")
    assert accepted.returncode == 0
    (change,) = read_tournament(cup).changes
    assert (change.finished, list(change.code)) == (1, ["mine:Bot"])
    assert "The code of mine:Bot changed after 1 finished games." in (cup / "report.html").read_text()
    assert arena("tournament", "resume", "cup", "--workers", "0").returncode == 0


def test_a_finished_tournament_needs_no_code(folder: Path, arena: Run) -> None:
    flags = ("--game", "kreta", "--player", "mine:Bot", "--player", "random", "--games", "2", "--workers", "0")
    assert arena("tournament", "run", *flags, "--out", "cup").returncode == 0
    (folder / "mine.py").write_text(BOT + "\n")
    assert arena("tournament", "resume", "cup", "--workers", "0").returncode == 0


def test_a_stopped_tournament_needs_no_code(folder: Path, arena: Run) -> None:
    """Its games are not all played, and none is missing."""
    flags = ("--game", "kreta", "--player", "mine:Bot", "--player", "random", "--games", "200", "--workers", "0")
    assert arena("tournament", "run", *flags, "--stop", "0.1:0.9", "--out", "cup").returncode == 0
    assert len((folder / "cup" / LOG).read_bytes().splitlines()) < 200
    (folder / "mine.py").write_text(BOT + "\n")
    assert arena("tournament", "resume", "cup", "--workers", "0").returncode == 0


def test_a_folder_without_hashes_is_resumed(folder: Path, arena: Run) -> None:
    flags = ("--game", "kreta", "--player", "mine:Bot", "--player", "random", "--games", "2", "--workers", "0")
    assert arena("tournament", "run", *flags, "--out", "cup").returncode == 0
    begun = json.decode((folder / "cup" / "tournament.json").read_bytes())
    del begun["code"], begun["changes"]
    (folder / "cup" / "tournament.json").write_bytes(json.encode(begun))
    (folder / "cup" / LOG).unlink()
    with Log(folder / "cup" / LOG):
        pass
    assert arena("tournament", "resume", "cup", "--workers", "0").returncode == 0
