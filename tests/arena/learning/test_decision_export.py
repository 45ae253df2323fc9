"""The data set of decisions has the games as they were played, and no hidden information."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from msgspec import json

from skerry_arena.learning.decision_export import write
from skerry_arena.learning.encoding.game_encoding import GameEncoding
from skerry_arena.learning.returns import returns
from skerry_arena.play.game_run import GameRun
from skerry_arena.play.record import Record
from skerry_arena.running.worker import Worker
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_games.pairing.plan import games
from skerry_games.rng import SeededRng
from tests.arena.conftest import Run
from tests.arena.samples import faulty, settings

FLAGS = ("--player", "random", "--player", "b=random", "--games", "2", "--workers", "0", "--out", "cup")


def exported(arena: Run, folder: Path, *flags: str) -> tuple[list[dict[str, Any]], dict[bytes, bytes]]:
    """Play a tournament and write its decisions. Return the rows and the metadata."""
    assert arena("tournament", "run", *flags).returncode == 0
    received = arena("tournament", "decisions", "cup", "--out", "rows.parquet")
    table = pq.read_table(folder / "rows.parquet")
    assert received.stdout == f"Wrote {table.num_rows:,} decisions to rows.parquet.\n"
    assert received.returncode == 0
    return table.to_pylist(), table.schema.metadata


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.decode(line) for line in (folder / "cup" / "games.jsonl").read_bytes().splitlines()]


def test_two_processes_can_write_the_same_file_at_once(tmp_path: Path) -> None:
    tournament = settings("random", "b=random", game="kreta", games=2)
    record, path, written = Worker(tournament).play(next(games(tournament))), tmp_path / "rows", list[int]()

    def others_write_meanwhile() -> Iterator[Record]:
        yield record
        written.append(write(path, tournament, [record]))

    assert [write(path, tournament, others_write_meanwhile())] == written == [pq.read_table(path).num_rows]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_every_decision_is_a_row_with_the_observation_of_its_seat(tmp_path: Path, arena: Run, game: AnyGame) -> None:
    seats = game.seats[-1]
    rows, beside = exported(arena, tmp_path, "--game", game.id, "--seats", str(seats), *FLAGS)
    table = GameEncoding(game.id, seats)
    encoding, observations = table.actions, table.observations
    assert json.decode(beside[b"skerry.actions"]) == list(encoding.names)
    assert json.decode(beside[b"skerry.features"]) == json.decode(json.encode(observations.features))
    assert json.decode(beside[b"skerry.ruleset"]) == game.ruleset
    received = {(row["game"], row["decision"]): row for row in rows}
    assert len(received) == len(rows) == sum(len(record["choices"]) for record in records(tmp_path))
    for record in records(tmp_path)[:2]:
        course = GameRun(game, game.options_type(), seats, bytes.fromhex(record["seed"]))
        brought = pytest.approx(returns(record["ranks"]))
        for number, choice in enumerate(record["choices"]):
            row, seat = received[record["game"], number], course.seat
            moves = course.position.legal_moves(seat)
            twin = course.position.redeal(seat, SeededRng(bytes(32), number))
            assert (row["seat"], row["player"], row["move"]) == (seat, record["lineup"][seat], choice)
            assert row["legal"] == [list(encoding.encode(move)) for move in moves]
            begun = table.selection(moves).prefix
            assert row["observation"] == observations.encode(seat, begun, twin.view(seat)).tolist()
            assert row["word"] == row["legal"][choice]
            assert "{" not in row["text"]
            assert row["returns"] == brought
            assert row["result"] == row["returns"][seat]
            assert not row["substitute"]
            course.choose(choice)


def test_rows_distinguish_failed_players_from_their_substitutes(tmp_path: Path, arena: Run) -> None:
    flags = ("--game", "kreta", *FLAGS, "--player", faulty("crash"), "--games", "6", "--on-failure", "substitute")
    rows, _ = exported(arena, tmp_path, *flags)
    failed = {(one["game"], failure["seat"]) for one in records(tmp_path) for failure in one["failures"]}
    assert failed
    for row in rows:
        assert row["substitute"] <= ((row["game"], row["seat"]) in failed)
    assert {(row["game"], row["seat"]) for row in rows if row["substitute"]} == failed


def test_void_games_are_left_out(tmp_path: Path, arena: Run) -> None:
    flags = ("--game", "kreta", *FLAGS, "--player", faulty("crash"), "--games", "6", "--on-failure", "void")
    rows, _ = exported(arena, tmp_path, *flags)
    counted = {one["game"] for one in records(tmp_path) if one["counts"]}
    assert {row["game"] for row in rows} == counted != set()


def test_a_failed_export_leaves_no_file(tmp_path: Path, arena: Run) -> None:
    assert arena("tournament", "decisions", "nowhere", "--out", "rows.parquet").returncode == 2
    arena("tournament", "run", "--game", "kreta", *FLAGS)
    (tmp_path / "old.parquet").write_bytes(b"mine")
    assert arena("tournament", "decisions", "cup", "--out", "old.parquet").returncode == 2
    assert (tmp_path / "old.parquet").read_bytes() == b"mine"
    received = arena("tournament", "decisions", "cup", "--out", "no/folder/rows.parquet")
    assert (received.returncode, received.stderr.count("\n")) == (1, 1)
    log = tmp_path / "cup" / "games.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"choices":[', b'"choices":[99,', 1))
    received = arena("tournament", "decisions", "cup", "--out", "rows.parquet")
    assert (received.returncode, "has no move 99 at choice 0" in received.stderr) == (1, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cup", "old.parquet"]


def test_a_missing_extra_is_reported(tmp_path: Path, arena: Run) -> None:
    arena("tournament", "run", "--game", "kreta", *FLAGS)
    without = "import sys; sys.modules['pyarrow'] = None; from skerry_arena.cli.main import main; main()"
    command = [sys.executable, "-c", without, "tournament", "decisions", "cup", "--out", "rows.parquet"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert run.returncode == 2
    assert run.stderr == "skerry-arena: Parquet needs pyarrow: pip install 'skerry-arena[parquet]'.\n"


def test_the_program_of_the_page_reads_what_was_written(
    tmp_path: Path, arena: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    exported(arena, tmp_path, "--game", "kreta", *FLAGS)
    (tmp_path / "rows.parquet").rename(tmp_path / "decisions.parquet")
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "learning-environments.md").read_text(encoding="utf-8")
    exec(re.findall(r"```python\n(.*?)```", page, re.DOTALL)[-1], {})
    assert capsys.readouterr().out.startswith("['PlayCard', ")
