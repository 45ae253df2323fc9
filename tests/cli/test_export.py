"""`skerry export`: what is read back is what was played, and nobody's name is in it."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from msgspec import json

from skerry_games.catalogue import all_games
from skerry_service.archive.archive import Archive
from skerry_service.archive.archived_session import ArchivedSession
from skerry_service.archive.locations import Directory, path_of
from skerry_service.archive.mover import Mover
from skerry_service.cli.app import run
from skerry_service.cli.operators import export_command
from skerry_service.domain.log import Moved
from skerry_service.domain.record import Clock, ClockKind
from skerry_service.domain.table import Applied, Table
from skerry_service.replays.export_rows import COLUMNS, Row, Rows, rows_of
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from tests.archive.games import finished
from tests.sessions import tables
from tests.sessions.tables import play_out, sit_down

DAY = "2023-11-14"


async def fill(folder: Path) -> list[tuple[Table, list[Applied]]]:
    """Archive a game that was given up and one that was played to its end by the clock; return them with their logs."""
    store = MemoryStore()
    sessions = Sessions(store, clock_ms=tables.Clock())
    given_up = await finished(sessions, "canarias")
    clock = Clock(ClockKind.BANK, bank_ms=10**9)
    played = await sit_down(sessions, all_games()["kreta"], 2, clock=clock, labels=(("event", "cup"),))
    await play_out(sessions, played)
    received = []
    for one in (given_up, played):
        table, _, log = await sessions.replay(one.id, None)
        received.append((table, log))
        assert await Mover(store, Archive(Directory(folder)), 0).move(one.id)
    await sessions.close()
    return received


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[Table, list[Applied]]]]:
    folder = tmp_path_factory.mktemp("archive")
    return folder, asyncio.run(fill(folder))


Filled = tuple[Path, list[tuple[Table, list[Applied]]]]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.decode(line) for line in path.read_bytes().splitlines()]


def test_a_row_a_game(tmp_path: Path, archive: Filled) -> None:
    folder, received = archive
    assert run(["export", str(folder), "--out", str(tmp_path / "games.jsonl")]) == 0
    assert run(["export", str(folder), "--out", str(tmp_path / "games.parquet")]) == 0
    rows = {row["session"]: row for row in lines(tmp_path / "games.jsonl")}
    assert pq.read_table(tmp_path / "games.parquet").to_pylist() == list(rows.values())
    for table, log in received:
        row, record = rows[table.record.id], table.record
        assert record.outcome is not None
        assert list(row) == list(COLUMNS["games"])
        assert (row["game"], row["ruleset"], row["entries"]) == (record.game, record.ruleset, table.sequence)
        assert (row["ranks"], row["scores"]) == (list(record.outcome.ranks), list(record.outcome.scores))
        moved = [one.entry for one in log if isinstance(one.entry, Moved)]
        assert row["moves"] == sum(one.actor >= 0 for one in moved)
        assert row["created"].startswith(DAY) and row["created"] < row["ended"]
    up, out = (rows[table.record.id] for table, _ in received)
    assert (up["reason"], up["lost"], out["labels"]) == ("seat 0 resigned.", [0], '{"event":"cup"}')


def test_a_row_for_each_move_that_could_be_made(tmp_path: Path, archive: Filled) -> None:
    folder, received = archive
    assert run(["export", str(folder), "--out", str(tmp_path / "moves.jsonl"), "--rows", "options"]) == 0
    assert run(["export", str(folder), "--out", str(tmp_path / "moves.parquet"), "--rows", "options"]) == 0
    rows = lines(tmp_path / "moves.jsonl")
    assert pq.read_table(tmp_path / "moves.parquet").to_pylist() == rows
    by_move: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in rows:
        by_move.setdefault((row["session"], row["sequence"]), []).append(row)
    moves = [
        (table.record.id, one)
        for table, log in received
        for one in log
        if isinstance(one.entry, Moved) and one.entry.actor >= 0
    ]
    assert len(by_move) == len(moves)
    for session, one in moves:
        options = by_move[session, one.sequence]
        assert [row["option"] for row in options] == list(range(options[0]["options"]))
        (chosen,) = [row for row in options if row["chosen"]]
        assert json.decode(chosen["move"], type=type(one.move)) == one.move
        assert {row["by"] for row in options} == {"player"}


@pytest.mark.parametrize("rows", ["games", "options"])
def test_nobody_is_named(tmp_path: Path, archive: Filled, rows: str) -> None:
    assert run(["export", str(archive[0]), "--out", str(tmp_path / "all.jsonl"), "--rows", rows]) == 0
    data = (tmp_path / "all.jsonl").read_text(encoding="utf-8")
    assert "Ada" not in data and "Bob" not in data


@pytest.mark.parametrize(
    ("flags", "games"),
    [
        (["--game", "kreta"], ["kreta"]),
        (["--since", DAY, "--until", DAY], ["canarias", "kreta"]),
        (["--since", "2023-11-15"], []),
        (["--until", "2023-11-13", "--game", "kreta"], []),
    ],
)
def test_some_of_the_games(tmp_path: Path, archive: Filled, flags: list[str], games: list[str]) -> None:
    out = tmp_path / "some.parquet"
    assert run(["export", str(archive[0]), "--out", str(out), *flags]) == 0
    assert sorted(row["game"] for row in pq.read_table(out).to_pylist()) == games


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--since", "yesterday"], "--since: 'yesterday' is not a day in the form 2026-03-31."),
        (["--until", "1.12.2026"], "'1.12.2026' is not a day"),
        (["--since", "2026-13-45"], "'2026-13-45' is not a day"),
        (["--game", "kerta"], f"Unknown game 'kerta'. The games are {', '.join(all_games())}."),
    ],
)
def test_days_and_games_that_there_are_not_are_refused(
    tmp_path: Path, archive: Filled, capsys: pytest.CaptureFixture[str], flags: list[str], said: str
) -> None:
    assert run(["export", str(archive[0]), "--out", str(tmp_path / "none.jsonl"), *flags]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_read_is_left_out_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "archive"
    received = asyncio.run(fill(folder))
    torn = folder / str(path_of(received[0][0].record.id))
    torn.write_bytes(torn.read_bytes()[:-9])
    assert run(["export", str(folder), "--out", str(tmp_path / "games.jsonl")]) == 1
    assert f"sessions/{received[0][0].record.id} is left out: it is cut off" in capsys.readouterr().err
    assert len(lines(tmp_path / "games.jsonl")) == 1


@pytest.mark.parametrize("flags", [[], ["--game", "kreta"]])
def test_what_others_left_beside_the_games_is_no_game(tmp_path: Path, archive: Filled, flags: list[str]) -> None:
    folder, out = tmp_path / "archive", tmp_path / "games.jsonl"
    shutil.copytree(archive[0], folder)
    for where in ("sessions", "days", f"days/{DAY}"):
        (folder / where / ".DS_Store").touch()
    assert run(["export", str(folder), "--out", str(out), *flags]) == 0
    assert len(lines(out)) == (1 if flags else 2)


def test_one_that_the_system_does_not_read_is_left_out_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = tmp_path / "archive", tmp_path / "games.jsonl"
    received = asyncio.run(fill(folder))
    unread = folder / str(path_of(received[0][0].record.id))
    unread.unlink()
    unread.mkdir()
    assert run(["export", str(folder), "--out", str(out)]) == 1
    assert f"sessions/{received[0][0].record.id} is left out: [Errno 21] Is a directory" in capsys.readouterr().err
    assert len(lines(out)) == 1


def test_an_archive_that_goes_away_meanwhile_is_not_exported_in_part(
    tmp_path: Path, archive: Filled, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read = Directory.read

    def away(place: Directory, path: str) -> bytes | None:
        if any(tmp_path.iterdir()):
            raise OSError(5, "Input/output error", path)
        return read(place, path)

    monkeypatch.setattr(Directory, "read", away)
    assert run(["export", str(archive[0]), "--out", str(tmp_path / "games.jsonl")]) == 1
    assert capsys.readouterr().err == "skerry: skerry-archive: Input/output error.\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("out", ["games.jsonl", "games.parquet"])
def test_of_two_into_one_file_at_once_each_is_whole(
    tmp_path: Path, archive: Filled, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    command = ["export", str(archive[0]), "--out", str(tmp_path / out)]
    assert run(command) == 0
    alone, first = (tmp_path / out).read_bytes(), iter([True])

    def meanwhile(kept: ArchivedSession, rows: Rows) -> Iterator[Row]:
        if next(first, False):
            assert run([*command, "--game", "kreta"]) == 0
        return rows_of(kept, rows)

    monkeypatch.setattr(export_command, "rows_of", meanwhile)
    assert run(command) == 0
    assert (tmp_path / out).read_bytes() == alone
    assert [one.name for one in tmp_path.iterdir()] == [out]


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("games.csv", "must end in .jsonl or .parquet"),
        ("none/games.jsonl", ".part: No such file"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused(
    tmp_path: Path, archive: Filled, capsys: pytest.CaptureFixture[str], out: str, said: str
) -> None:
    assert run(["export", str(archive[0]), "--out", str(tmp_path / out)]) != 0
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_no_archive_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", str(tmp_path), "--out", str(tmp_path / "games.jsonl")]) == 2
    assert "is not an archive: the file " in capsys.readouterr().err


def test_where_the_extra_is_missing_that_is_said(tmp_path: Path, archive: Filled) -> None:
    without = "import sys; sys.modules['pyarrow'] = None; from skerry_service.cli import main; main()"
    command = [sys.executable, "-c", without, "export", str(archive[0]), "--out", str(tmp_path / "games.parquet")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr == "skerry: Parquet needs pyarrow: pip install 'skerry-service[parquet]'.\n"
