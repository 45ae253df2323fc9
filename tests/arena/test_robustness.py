"""Robustness of tournaments: faulty players of all kinds, a full disk, and very many games."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Collection
from functools import partial
from pathlib import Path

import pytest

from skerry_arena.live.tournament_watch import TournamentWatch
from skerry_arena.play.contestant import FailureKind
from skerry_arena.play.record import Record
from skerry_arena.running import runner
from skerry_arena.running import tournament_folder as folders
from skerry_arena.running.pool import play_all
from skerry_arena.running.runner import results_of
from skerry_arena.running.tournament_folder import read_tournament
from skerry_arena.settings import Limits, Sandbox
from tests.arena.conftest import Run
from tests.arena.samples import SEED, faulty, settings

BAD = {
    "mute": FailureKind.START,
    "dead": FailureKind.CRASH,
    "sleep": FailureKind.START,
    "hang": FailureKind.TIMEOUT,
    "crash": FailureKind.CRASH,
    "garble": FailureKind.GARBLED,
    "nest": FailureKind.GARBLED,
    "flood": FailureKind.GARBLED,
    "lie": FailureKind.GARBLED,
    "cheat": FailureKind.ILLEGAL,
    "eat": FailureKind.CRASH,
    "spawn": FailureKind.TIMEOUT,
}
"""The failure of each fault."""
TRY_PATIENCE = {"mute", "sleep", "hang", "spawn"}


def games(folder: Path) -> list[Record]:
    return results_of(read_tournament(folder).settings, folder / "games.jsonl", Record)


@pytest.mark.parametrize(
    ("limits", "who"),
    [
        (Limits(start_seconds=0.5, move_seconds=60.0, sandbox=Sandbox.OFF), ("mute", "sleep")),
        (Limits(start_seconds=60.0, move_seconds=1.0, sandbox=Sandbox.OFF), ("hang", "spawn")),
        pytest.param(
            Limits(start_seconds=60.0, move_seconds=60.0, memory_mib=512, sandbox=Sandbox.OFF),
            BAD.keys() - TRY_PATIENCE,
            marks=pytest.mark.deep,  # each of them alone is in test_programs
        ),
    ],
)
def test_faulty_players_do_not_affect_a_good_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: Limits, who: Collection[str]
) -> None:
    """One good player meets each of them and loses neither time nor a game."""
    monkeypatch.chdir(tmp_path)
    players = ("good=random", *map(faulty, sorted(who)))
    cup = settings(*players, game="kreta", format="gauntlet", games=2 * len(who), limits=limits)
    folders.begin(tmp_path / "cup", cup)
    runner.play_missing(tmp_path / "cup", partial(play_all, workers=0), TournamentWatch(cup, 1))
    played = games(tmp_path / "cup")
    assert len(played) == 2 * len(who)
    for record in played:
        good, bad = record.lineup.index("good"), 1 - record.lineup.index("good")
        assert [(one.seat, one.kind) for one in record.failures] == [(bad, BAD[record.lineup[bad]])]
        assert (record.ranks[good], record.ranks[bad]) == (1, 2)
    if "spawn" in who:
        assert not is_running(int((tmp_path / "child").read_text()))


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


FLAGS = ("--game", "kreta", "--player", "random", "--player", "b=random", "--seed", SEED, "--games", "100")
ON_A_SMALL_DISK = """
set -eu
mount -t tmpfs -o size=32k tmpfs disk
"$@" --out disk/cup && exit 9 || test $? = 1
wc -l < disk/cup/games.jsonl > kept
mount -o remount,size=16m disk
"$0" -m skerry_arena.cli tournament resume disk/cup --workers 0
cp -r disk/cup cup
"""


@pytest.mark.deep
def test_a_tournament_resumes_after_a_full_disk_has_room_again(tmp_path: Path, arena: Run) -> None:
    if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode:
        pytest.skip("a disk of its own takes the right to mount one")
    (tmp_path / "disk").mkdir()
    play = (sys.executable, "-m", "skerry_arena.cli", "tournament", "run", *FLAGS, "--workers", "0")
    command = ["unshare", "-m", "sh", "-c", ON_A_SMALL_DISK, sys.executable, *play]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0
    assert "No space left on device" in run.stderr
    assert "To play the rest, run: skerry tournament resume disk/cup" in run.stderr
    assert run.stderr.count("\n") == 1
    assert 0 < int((tmp_path / "kept").read_text()) < 100
    assert arena("tournament", "run", *FLAGS, "--workers", "0", "--out", "whole").returncode == 0
    for name in ("report.html", "standings.csv", "summary.json", "manifest.json"):
        assert (tmp_path / "cup" / name).read_text() == (tmp_path / "whole" / name).read_text()


@pytest.mark.deep
def test_memory_does_not_grow_with_the_number_of_games(tmp_path: Path) -> None:
    """A list of all records takes more than the bound, so the test can fail."""
    cup = settings("random", "b=random", game="kreta", games=3000)
    folders.begin(tmp_path / "cup", cup)
    sizes: list[int] = []

    def look(watch: TournamentWatch) -> None:
        if watch.finished // 100 > len(sizes):
            sizes.append(tracemalloc.get_traced_memory()[0])

    watch = TournamentWatch(cup, 2)
    watch.changed = look

    tracemalloc.start()
    try:
        runner.play_missing(tmp_path / "cup", partial(play_all, workers=2), watch)
        bound = 256 << 10
        assert len(sizes) > 20
        assert max(sizes) - sizes[4] < bound
        before = tracemalloc.get_traced_memory()[0]
        records = games(tmp_path / "cup")
        assert tracemalloc.get_traced_memory()[0] - before > 4 * bound
        assert len(records) == 3000
    finally:
        tracemalloc.stop()
