"""The log of a tournament, also after a killed writer and after modifications."""

from __future__ import annotations

import os
from errno import ENOSPC
from pathlib import Path

import pytest
from msgspec import json
from msgspec.structs import replace

from skerry_arena.play.contestant import FailureKind
from skerry_arena.play.record import Failure, Record
from skerry_arena.running import tournament_folder as folders
from skerry_arena.running.log import DamagedLog, Log, TournamentInUse, read
from skerry_arena.running.runner import results_of
from skerry_arena.settings import Service
from tests.arena.samples import records, settings

TOURNAMENT = settings("random", "greedy", games=4)
GAMES = records(TOURNAMENT, [(1, 2)] * 4)


def written(path: Path, *lines: bytes) -> Path:
    path.write_bytes(b"".join(lines))
    return path


def line(game: Record) -> bytes:
    return json.encode(game) + b"\n"


def test_games_are_read_back_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with Log(path) as log:
        log.write(GAMES[:2])
        log.write(GAMES[2:])
    assert list(read(path, Record)) == GAMES


def test_an_incomplete_line_does_not_count_and_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for torn in range(1, len(line(GAMES[1]))):
        written(path, line(GAMES[0]), line(GAMES[1])[:torn])
        assert list(read(path, Record)) == GAMES[:1]
    with Log(path) as log:
        log.write(GAMES[2:])
    assert list(read(path, Record)) == [GAMES[0], *GAMES[2:]]


def test_opening_a_long_log_reads_only_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, read_bytes = tmp_path / "games.jsonl", list[int]()
    written(path, line(GAMES[0]), b"x" * (5 << 20), b"\n", b"y" * 100_000)
    pread = os.pread

    def counted(file: int, length: int, offset: int) -> bytes:
        read_bytes.append(length)
        return pread(file, length, offset)

    monkeypatch.setattr("os.pread", counted)
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail("the whole log was read"))
    with Log(path):
        pass
    assert sum(read_bytes) <= 200_000
    assert path.stat().st_size == len(line(GAMES[0])) + (5 << 20) + 1


def test_a_log_without_a_complete_line_is_emptied(tmp_path: Path) -> None:
    path = written(tmp_path / "games.jsonl", b"z" * 200_000)
    with Log(path):
        pass
    assert path.stat().st_size == 0


def test_only_one_process_can_write(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with Log(path), pytest.raises(TournamentInUse, match="Another process"):
        Log(path)
    Log(path).__exit__()


def test_the_log_is_read_in_the_order_of_the_plan(tmp_path: Path) -> None:
    path = written(tmp_path / "games.jsonl", *map(line, reversed(GAMES)))
    assert results_of(TOURNAMENT, path, Record) == GAMES


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([b"{}\n", line(GAMES[0])], "line 1: This is not a game"),
        ([line(GAMES[0]), b"\xff\n"], "line 2: This is not a game"),
        ([line(GAMES[0]), line(GAMES[0])], "line 2: Game 0 appears a second time"),
        ([line(replace(GAMES[0], game=77))], "Game 77 is not in the plan"),
        ([line(replace(GAMES[0], seed="00" * 32))], "Game 0 has other players or another seed than the plan"),
        (
            [line(replace(GAMES[0], lineup=("nobody", "else")))],
            "Game 0 has other players or another seed than the plan",
        ),
        ([line(replace(GAMES[0], ranks=(1,)))], "does not have a rank"),
        ([line(replace(GAMES[0], ranks=(0, 1)))], "Game 0 has a rank or a seat outside of its table"),
        ([line(replace(GAMES[0], ranks=(1, 3)))], "Game 0 has a rank or a seat outside of its table"),
        (
            [line(replace(GAMES[0], failures=(Failure(2, 0, FailureKind.CRASH),)))],
            "Game 0 has a rank or a seat outside",
        ),
        ([line(replace(GAMES[0], draws=(-1,)))], "line 1: This is not a game"),
    ],
)
def test_a_modified_log_is_rejected(tmp_path: Path, lines: list[bytes], said: str) -> None:
    path = written(tmp_path / "games.jsonl", *lines)
    with pytest.raises(DamagedLog, match=said):
        results_of(TOURNAMENT, path, Record)


def test_a_seed_that_the_service_drew_must_be_a_seed(tmp_path: Path) -> None:
    at = settings("random", "b=api:true", service=Service("127.0.0.1:1"), games=2)
    game = records(at, [(1, 2)] * 2)[0]
    drawn = replace(game, seed="ab" * 32)
    assert results_of(at, written(tmp_path / "drawn", line(drawn)), Record) == [drawn]
    with pytest.raises(DamagedLog, match="Game 0 has other players or another seed than the plan"):
        results_of(at, written(tmp_path / "none", line(replace(game, seed="none"))), Record)


def test_two_tournaments_cannot_begin_in_the_same_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (settings("random", "b=random", seed=digits * 32) for digits in ("01", "02"))
    monkeypatch.setattr(folders, "make_empty", lambda folder: None)  # both have found it empty
    folders.begin(tmp_path, first)
    with pytest.raises(folders.FolderNotEmpty, match="has just begun there"):
        folders.begin(tmp_path, second)
    assert folders.read_tournament(tmp_path).settings == first


def test_a_failed_start_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        folders.begin(tmp_path, settings("random", "b=random"))
    assert not list(tmp_path.iterdir())
