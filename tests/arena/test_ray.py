"""Tournaments on a real Ray cluster of two workers: `make test-ray` brings Ray."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skerry_arena.play.record import Record
from skerry_arena.reports.report_files import repeatable
from skerry_arena.running.runner import results_of
from skerry_arena.running.tournament_folder import read_tournament
from tests.arena.conftest import Run
from tests.arena.samples import SEED, faulty

COMMAND = (sys.executable, "-m", "skerry_arena.cli", "tournament")
MINE = (
    "class Bot:\n"
    "    def __init__(self, rng): pass\n"
    "    def choose(self, position, clock): return position.legal_moves[0]\n"
)
PYTHONPATH = os.environ.get("PYTHONPATH", "")
"""The original value, which leads to Ray."""


def test_a_missing_ray_is_reported(tmp_path: Path) -> None:
    without = "import sys; sys.modules['ray'] = None; from skerry_arena.cli.main import main; main()"
    flags = ("--game", "kreta", "--player", "random", "--player", "b=random", "--out", str(tmp_path / "cup"))
    command = [sys.executable, "-c", without, "tournament", "run", *flags, "--engine", "ray"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "pip install 'skerry-arena[ray]'" in run.stderr and run.stderr.count("\n") == 1


@pytest.mark.deep
def test_a_cluster_plays_the_games_of_the_pool_also_after_killed_workers(tmp_path: Path, arena: Run) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: make test-ray brings it")
    (tmp_path / "mine.py").write_text(MINE)
    players = ("random", "mine:Bot", faulty("crash"))
    flags = [part for one in players for part in ("--player", one)]
    flags += ["--game", "kreta", "--games", "60", "--seed", SEED]
    assert arena("tournament", "run", *flags, "--out", "pool", "--workers", "0").returncode == 0
    command = [*COMMAND, "run", *flags, "--engine", "ray", "--workers", "2", "--out", "ray"]
    with_ray = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{PYTHONPATH}"}
    with_ray.pop("RAY_ADDRESS", None)
    process = subprocess.Popen(
        command, cwd=tmp_path, env=with_ray, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    log = tmp_path / "ray" / "games.jsonl"
    while not log.exists() or log.read_bytes().count(b"\n") < 3:
        assert process.poll() is None
        time.sleep(0.01)
    cluster = descendants(process.pid)
    os.kill(actor_of(process.pid), signal.SIGKILL)
    received, said = process.communicate()
    assert (process.returncode, said) == (0, "")
    assert "60 of 60 games." in received
    assert games(tmp_path / "ray") == games(tmp_path / "pool")
    for name in ("standings.csv", "summary.json", "manifest.json", "report.html"):
        assert (tmp_path / "ray" / name).read_text() == (tmp_path / "pool" / name).read_text()
    while any(Path(f"/proc/{one}").exists() for one in cluster):  # it ends with the tournament
        time.sleep(0.01)


def games(folder: Path) -> list[Record]:
    return [repeatable(one) for one in results_of(read_tournament(folder).settings, folder / "games.jsonl", Record)]


def descendants(pid: int) -> list[int]:
    """Return the processes below that one, where it still runs."""
    found: list[int] = []
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, tasks.read_text().split()):
            found += [child, *descendants(child)]
    return found


def actor_of(pid: int) -> int:
    """Return a process of that tournament which plays."""
    return next(one for one in descendants(pid) if b"ray::_Actor" in Path(f"/proc/{one}/cmdline").read_bytes())
