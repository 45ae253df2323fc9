"""Tables and games as Parquet, read back by the library that everybody reads it with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
from msgspec import json

from tests.arena.conftest import Run
from tests.arena.samples import SEED, faulty

FLAGS = (
    "--game",
    "kreta",
    "--player",
    "random",
    "--player",
    "b=random",
    "--games",
    "30",
    "--workers",
    "0",
    "--seed",
    SEED,
)


def test_parquet_files_have_the_content_of_the_folder(tmp_path: Path, arena: Run) -> None:
    run = arena("tournament", "run", *FLAGS, "--player", faulty("crash"), "--out", "cup", "--parquet")
    assert (run.returncode, run.stderr) == (0, "")
    folder = tmp_path / "cup"
    received = json.decode((folder / "summary.json").read_bytes())
    standings = pq.read_table(folder / "standings.parquet").to_pylist()
    for row, one in zip(standings, received["standings"], strict=True):
        assert (row["name"], row["games"], row["rank_1"]) == (one["name"], one["games"], one["ranks"][0])
        assert (row["rating"], row["beats"]) == (one["rating"]["value"], one["beats"]["value"])
        assert row["failed_crash"] == one["failures"].get("crash", 0)
    ends = [one["beats"]["interval"] for one in received["standings"] if one["name"] != "crash"]
    assert [row["beats_low"] for row in standings if row["name"] != "crash"] == [one["low"] for one in ends]
    pairs = pq.read_table(folder / "pairs.parquet").to_pylist()
    assert [row["distinguished"] for row in pairs] == [one["distinguished"] for one in received["pairs"]]
    logged = {}
    for line in (folder / "games.jsonl").read_bytes().splitlines():
        game = json.decode(line)
        logged[game["game"]] = {"actors": [], "draws": [], "answers": [], **game}
    games = pq.read_table(folder / "games.parquet").to_pylist()
    assert games == [logged[number] for number in range(30)]


def test_a_tournament_without_games_has_columns_of_the_same_types(tmp_path: Path, arena: Run) -> None:
    """A column without values is empty, but has its type."""
    arena("tournament", "run", *FLAGS, "--out", "cup", "--parquet")
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "tournament.json").write_bytes((tmp_path / "cup" / "tournament.json").read_bytes())
    assert arena("tournament", "report", "new", "--parquet").returncode == 0
    for name in ("standings", "pairs", "games"):
        schemas = [pq.read_schema(tmp_path / folder / f"{name}.parquet") for folder in ("cup", "new")]
        assert schemas[0] == schemas[1]


def test_existing_parquet_files_are_written_again(tmp_path: Path, arena: Run) -> None:
    arena("tournament", "run", *FLAGS, "--out", "cup", "--parquet")
    (tmp_path / "cup" / "games.jsonl").write_bytes(b"")
    assert arena("tournament", "report", "cup").returncode == 0
    assert pq.read_table(tmp_path / "cup" / "games.parquet").num_rows == 0


def test_a_missing_extra_is_reported_before_the_first_game(tmp_path: Path) -> None:
    without = "import sys; sys.modules['pyarrow'] = None; from skerry_arena.cli.main import main; main()"
    command = [sys.executable, "-c", without, "tournament", "run", *FLAGS, "--out", str(tmp_path / "cup"), "--parquet"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr == "skerry-arena: Parquet needs pyarrow: pip install 'skerry-arena[parquet]'.\n"
    assert not (tmp_path / "cup").exists()
