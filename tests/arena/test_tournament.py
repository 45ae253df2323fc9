"""Whole tournaments on the command line: killed, interrupted, resumed, on a full disk, with any number of workers."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec import json

from skerry_arena.play.record import Record
from skerry_arena.reports.report_files import repeatable
from skerry_arena.running.runner import results_of
from skerry_arena.running.tournament_folder import read_tournament
from tests.arena.conftest import Run
from tests.arena.samples import SEED, faulty

FLAGS = ("--game", "kreta", "--player", "random", "--player", "a=random", "--player", "b=random", "--seed", SEED)
MANY = "200"
COMMAND = (sys.executable, "-m", "skerry_arena.cli", "tournament", "run")
LIMITED = (
    "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000));"
    "from skerry_arena.cli.main import main; main()"
)
"""The command with a limit of 10,000 bytes for each file."""
REPEATABLE = ("report.html", "standings.csv", "pairs.csv", "summary.json", "manifest.json", "tournament.json")


def report_files(folder: Path) -> dict[str, str]:
    """Return the files that are the same in every run."""
    return {name: (folder / name).read_text() for name in REPEATABLE}


def games(folder: Path) -> list[Record]:
    begun = read_tournament(folder)
    return [repeatable(one) for one in results_of(begun.settings, folder / "games.jsonl", Record)]


def begin(folder: Path, *flags: str) -> subprocess.Popen[str]:
    """Start a tournament. Return once its log has games."""
    process = subprocess.Popen(
        [*COMMAND, *FLAGS, *flags, "--out", str(folder)], stderr=subprocess.PIPE, text=True, cwd=folder.parent
    )
    log = folder / "games.jsonl"
    while not log.exists() or log.read_bytes().count(b"\n") < 3:
        assert process.poll() is None
        time.sleep(0.01)
    return process


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("arena") / "unbroken"
    command = [*COMMAND, *FLAGS, "--games", MANY, "--workers", "1", "--out", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def test_a_killed_tournament_resumes_and_ends_with_the_same_bytes(tmp_path: Path, arena: Run, unbroken: Path) -> None:
    folder = tmp_path / "cup"
    process = begin(folder, "--games", MANY, "--workers", "2")
    process.kill()
    process.communicate()
    killed = len(games(folder))
    assert killed < int(MANY)
    with (folder / "games.jsonl").open("ab") as log:
        log.write(b'{"game":199,"blo')  # as after a kill within a line
    early = arena("tournament", "report", folder)
    assert f"{killed} of {MANY} games." in early.stdout
    assert "the tournament is not over" in (folder / "report.html").read_text()
    resumed = arena("tournament", "resume", folder, "--workers", "0")
    assert (resumed.returncode, resumed.stderr) == (0, "")
    assert games(folder) == games(unbroken)
    assert report_files(folder) == report_files(unbroken)
    assert arena("tournament", "verify", folder).stdout == f"All {MANY} games follow from their seeds and choices.\n"


def test_an_interrupt_prints_one_line_and_keeps_finished_games(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    process = begin(folder, "--games", "100000", "--workers", "1")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert said.endswith(f"To play the rest, run: skerry tournament resume {folder}\n")
    assert said.count("\n") == 1
    assert len(games(folder)) >= 3


def test_a_tournament_started_with_interrupts_ignored_ignores_them(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # child processes inherit this, as after `&` in a script
    try:
        process = begin(folder, "--games", "60", "--workers", "1")
    finally:
        signal.signal(signal.SIGINT, handler)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert (process.returncode, said) == (0, "")
    assert len(games(folder)) == 60


def test_starting_processes_ignore_an_interrupt_of_the_terminal(tmp_path: Path) -> None:
    command = [*COMMAND, *FLAGS, "--games", "100000", "--workers", "2", "--out", str(tmp_path / "cup")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not (starting := starting_below(process.pid)):
        assert process.poll() is None
        time.sleep(0.001)
    assert all(ignores_interrupts(one) for one in starting)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert said.startswith("skerry-arena: Interrupted.") and said.count("\n") == 1


def starting_below(parent: int) -> list[Path]:
    """Return the worker processes of a process."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    found = [Path("/proc", one) for one in children]
    return [one for one in found if "spawn_main" in (one / "cmdline").read_text()]


def ignores_interrupts(process: Path) -> bool:
    """Return whether a process blocks or ignores interrupts."""
    status = dict(line.split(":\t") for line in (process / "status").read_text().splitlines())
    return bool((int(status["SigBlk"], 16) | int(status["SigIgn"], 16)) >> (signal.SIGINT - 1) & 1)


@pytest.mark.parametrize(
    ("streams", "code", "said"),
    [
        (">&-", 0, ""),
        (">&- 2>&- <&-", 0, ""),
        (">/dev/full", 1, "skerry-arena: No space left on device.\n"),
    ],
)
def test_closed_or_full_streams_do_not_crash_the_command(unbroken: Path, streams: str, code: int, said: str) -> None:
    line = f'"$0" -m skerry_arena.cli tournament report {unbroken} {streams}'
    run = subprocess.run(["sh", "-c", line, sys.executable], stderr=subprocess.PIPE, text=True, check=False)
    assert (run.returncode, run.stderr) == (code, said)


def test_arguments_that_are_not_utf_8_are_rejected(arena: Run) -> None:
    run = arena("tournament", "run", "--game", "kreta", "--option", "map=\udcff", "--out", "cup")
    assert (run.returncode, run.stderr) == (2, "skerry-arena: '\\udcff' is not UTF-8.\n")


def test_a_tournament_can_resume_after_a_full_disk(tmp_path: Path, arena: Run, unbroken: Path) -> None:
    folder = tmp_path / "cup"
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            LIMITED,
            "tournament",
            "run",
            *FLAGS,
            "--games",
            MANY,
            "--workers",
            "0",
            "--out",
            str(folder),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert "File too large" in run.stderr and "resume" in run.stderr
    assert (folder / "games.jsonl").stat().st_size == 10_000
    assert arena("tournament", "resume", folder, "--workers", "0").returncode == 0
    assert report_files(folder) == report_files(unbroken)


def test_reports_can_be_written_at_the_same_time(
    tmp_path: Path, arena: Run, unbroken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, sync, codes = tmp_path / "cup", os.fsync, list[int]()
    shutil.copytree(unbroken, folder)

    def report_again(descriptor: int) -> None:
        sync(descriptor)
        if not codes:
            codes.append(0)
            codes.append(arena("tournament", "report", folder).returncode)

    monkeypatch.setattr("os.fsync", report_again)
    assert arena("tournament", "report", folder).returncode == 0
    assert codes == [0, 0]
    assert report_files(folder) == report_files(unbroken)
    assert not list(folder.glob(".*"))


def test_games_are_kept_if_there_is_no_room_for_the_report(tmp_path: Path, arena: Run) -> None:
    command = [sys.executable, "-c", LIMITED.replace("10_000", "6_000"), *COMMAND[3:], *FLAGS, "--games", "3"]
    command += ["--workers", "0", "--out", str(tmp_path / "cup")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "File too large" in run.stderr and "resume" in run.stderr and run.stderr.count("\n") == 1
    assert len(games(tmp_path / "cup")) == 4
    assert not (tmp_path / "cup" / "report.html").exists()
    assert arena("tournament", "resume", "cup").returncode == 0
    assert (tmp_path / "cup" / "report.html").exists()


def test_killed_workers_are_replaced(tmp_path: Path, unbroken: Path) -> None:
    folder = tmp_path / "cup"
    process = begin(folder, "--games", MANY, "--workers", "1")
    os.kill(worker_of(process.pid), signal.SIGKILL)
    _, said = process.communicate()
    assert (process.returncode, said) == (0, "")
    assert report_files(folder) == report_files(unbroken)


def worker_of(pid: int) -> int:
    """Return the worker of a process. Multiprocessing has another child process."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return next(int(one) for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes())


def test_options_override_the_configuration_file(tmp_path: Path, arena: Run) -> None:
    (tmp_path / "cup.toml").write_text(
        'game = "kreta"\nseats = 3\ngames = 300\nformat = "gauntlet"\non_failure = "void"\n'
        '[[players]]\nname = "Ada"\nplayer = "random"\n[[players]]\nname = "Bob"\nplayer = "random"\n'
        "[limits]\nmove_seconds = 60\n[options]\nstart_seat = 1\n"
    )
    run = arena("tournament", "run", "cup.toml", "--games", "3", "--out", "cup", "--workers", "0")
    assert (run.returncode, run.stderr) == (0, "")
    settings = read_tournament(tmp_path / "cup").settings
    assert (settings.game, settings.games, settings.limits.move_seconds) == ("kreta", 3, 60.0)
    assert settings.options == {"start_seat": 1}
    assert len(settings.seed) == 64
    assert sorted(games(tmp_path / "cup")[0].lineup) in (["Ada", "Bob", "Bob"], ["Ada", "Ada", "Bob"])


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("run", "--out", "cup"), 2, "The game is missing"),
        (("run", "--game", "kreta", "--player", "random", "--out", "cup"), 2, "2 to 32 players"),
        (("run", "none.toml", "--out", "cup"), 1, "none.toml: No such file"),
        (("run", "bad.toml", "--out", "cup"), 2, "bad.toml: "),
        (("run", *FLAGS, "--out", "full"), 2, "The folder is not empty"),
        (("run", *FLAGS, "--option", "edition", "--out", "cup"), 2, "takes a name and a value"),
        (("resume", "full"), 2, "The folder has no tournament"),
        (("report", "nowhere"), 2, "The folder has no tournament"),
        (("verify", "full"), 2, "The folder has no tournament"),
    ],
)
def test_invalid_commands_are_rejected_with_one_line(
    tmp_path: Path, arena: Run, arguments: tuple[str, ...], code: int, said: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "something").touch()
    (tmp_path / "bad.toml").write_text('game = "kreta"\ncolour = 1\n')
    run = arena("tournament", *arguments)
    assert run.returncode == code
    assert said in run.stderr and run.stderr.count("\n") == 1
    assert not (tmp_path / "cup").exists()


def test_another_ruleset_is_rejected(tmp_path: Path, arena: Run, unbroken: Path) -> None:
    folder = tmp_path / "old"
    folder.mkdir()
    begun = json.decode((unbroken / "tournament.json").read_bytes())
    begun["versions"]["ruleset"] = "kreta-0"
    (folder / "tournament.json").write_bytes(json.encode(begun))
    run = arena("tournament", "resume", folder)
    assert run.returncode == 2
    assert "began with ruleset kreta-0" in run.stderr


def test_invalid_options_in_a_folder_are_rejected(tmp_path: Path, arena: Run, unbroken: Path) -> None:
    folder = shutil.copytree(unbroken, tmp_path / "changed")
    begun = json.decode((folder / "tournament.json").read_bytes())
    begun["settings"]["options"] = {"start_seat": True}
    (folder / "tournament.json").write_bytes(json.encode(begun))
    for command in ("resume", "verify"):
        run = arena("tournament", command, folder)
        assert run.returncode == 2
        assert "Invalid options of" in run.stderr and run.stderr.count("\n") == 1


def test_control_characters_of_players_do_not_reach_the_terminal(tmp_path: Path, arena: Run) -> None:
    (tmp_path / "wild.py").write_text(r"raise SystemExit('\x1b[2J\x1b]0;won\x07\rcleared')")
    flags = ("--game", "kreta", "--player", "random", "--player", "wild:Bot")
    ran = arena("tournament", "run", *flags, "--games", "2", "--out", "cup", "--workers", "0")
    certified = arena("certify", "--player", "wild:Bot", "--game", "kreta")
    for run, code in ((ran, 0), (certified, 1)):
        assert run.returncode == code
        assert r"\x1b[2J\x1b]0;won\x07\rcleared" in run.stdout
        assert not set("\x1b\x07\r") & set(run.stdout)


def test_a_class_and_a_program_compete_and_their_failures_are_reported(tmp_path: Path, arena: Run) -> None:
    (tmp_path / "mine.py").write_text(
        "class Bot:\n"
        "    def __init__(self, rng): self.rng = rng\n"
        "    def choose(self, position, clock):\n"
        "        seat, guess = position.seat, position.sample(self.rng)\n"
        "        return max(position.legal_moves, key=lambda move: guess.play(move, seat).scores[seat])\n"
    )
    players = ("mine:Bot", "random", faulty("first"), faulty("crash"))
    flags = [part for one in players for part in ("--player", one)]
    run = arena("tournament", "run", "--game", "canarias", *flags, "--games", "12", "--out", "cup", "--workers", "0")
    assert (run.returncode, run.stderr) == (0, "")
    assert re.search(r"^crash failed \(crash: 6\)\. First failure: It ended with .+$", run.stdout, re.MULTILINE)
    assert run.stdout.count("First failure") == 1
    standings = {line.split(",")[0]: line for line in (tmp_path / "cup" / "standings.csv").read_text().splitlines()}
    assert standings["crash"].endswith(",0,0,6,0,0,0")
    assert standings["mine:Bot"].endswith(",0,0,0,0,0,0")
    assert "crash: 6" in (tmp_path / "cup" / "report.html").read_text()
    assert arena("tournament", "verify", "cup").returncode == 0


def test_verify_finds_modified_games(tmp_path: Path, arena: Run, unbroken: Path) -> None:
    folder = tmp_path / "forged"
    folder.mkdir()
    (folder / "tournament.json").write_bytes((unbroken / "tournament.json").read_bytes())
    lines = (unbroken / "games.jsonl").read_bytes().splitlines()
    forged = json.decode(lines[4])
    forged["ranks"].reverse()
    (folder / "games.jsonl").write_bytes(b"\n".join([*lines[:4], json.encode(forged), *lines[5:]]) + b"\n")
    run = arena("tournament", "verify", folder)
    assert run.returncode == 1
    assert run.stdout.startswith(f"Game {forged['game']} ends with ranks")
