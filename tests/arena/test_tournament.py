"""Whole tournaments by the command line: killed, interrupted, resumed, on a full disk, with any number of workers."""

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
from tests.arena.samples import SEED, trouble

FLAGS = ("--game", "kreta", "--player", "random", "--player", "a=random", "--player", "b=random", "--seed", SEED)
MANY = "200"
COMMAND = (sys.executable, "-m", "skerry_arena.cli", "tournament", "run")
LIMITED = (
    "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000));"
    "from skerry_arena.cli.main import main; main()"
)
"""The command where no file can be larger than 10,000 bytes."""
REPEATABLE = ("report.html", "standings.csv", "pairs.csv", "summary.json", "manifest.json", "tournament.json")


def told(folder: Path) -> dict[str, str]:
    """Return what is to be the same in every run."""
    return {name: (folder / name).read_text() for name in REPEATABLE}


def games(folder: Path) -> list[Record]:
    begun = read_tournament(folder)
    return [repeatable(one) for one in results_of(begun.settings, folder / "games.jsonl", Record)]


def begin(folder: Path, *flags: str) -> subprocess.Popen[str]:
    """Start a tournament, and return when its log has games."""
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


def test_a_tournament_that_was_killed_goes_on_and_ends_with_the_same_bytes(
    tmp_path: Path, arena: Run, unbroken: Path
) -> None:
    folder = tmp_path / "cup"
    process = begin(folder, "--games", MANY, "--workers", "2")
    process.kill()
    process.communicate()
    killed = len(games(folder))
    assert killed < int(MANY)
    with (folder / "games.jsonl").open("ab") as log:
        log.write(b'{"game":199,"blo')  # as if it had been killed within a line
    early = arena("tournament", "report", folder)
    assert f"{killed} of {MANY} games." in early.stdout
    assert "the tournament is not over" in (folder / "report.html").read_text()
    resumed = arena("tournament", "resume", folder, "--workers", "0")
    assert (resumed.returncode, resumed.stderr) == (0, "")
    assert games(folder) == games(unbroken)
    assert told(folder) == told(unbroken)
    assert arena("tournament", "verify", folder).stdout == f"All {MANY} games follow from their seeds and choices.\n"


def test_an_interrupt_ends_it_with_one_line_and_keeps_what_is_finished(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    process = begin(folder, "--games", "100000", "--workers", "1")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert said.endswith(f"skerry tournament resume {folder} plays the rest.\n")
    assert said.count("\n") == 1
    assert len(games(folder)) >= 3


def test_who_has_interrupts_ignored_is_not_interrupted(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # which what is started inherits, as behind `&` in a script
    try:
        process = begin(folder, "--games", "60", "--workers", "1")
    finally:
        signal.signal(signal.SIGINT, handler)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert (process.returncode, said) == (0, "")
    assert len(games(folder)) == 60


def test_an_interrupt_at_the_terminal_is_for_the_tournament_alone_while_processes_are_starting(tmp_path: Path) -> None:
    command = [*COMMAND, *FLAGS, "--games", "100000", "--workers", "2", "--out", str(tmp_path / "cup")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not (starting := starting_below(process.pid)):
        assert process.poll() is None
        time.sleep(0.001)
    assert all(is_deaf(one) for one in starting)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert said.startswith("skerry-arena: Interrupted.") and said.count("\n") == 1


def starting_below(parent: int) -> list[Path]:
    """Return the processes that play, which this one has started."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    found = [Path("/proc", one) for one in children]
    return [one for one in found if "spawn_main" in (one / "cmdline").read_text()]


def is_deaf(process: Path) -> bool:
    """Whether interrupts are held back from a process, or ignored by it."""
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
def test_streams_that_are_closed_or_full_are_no_reason_to_break_down(
    unbroken: Path, streams: str, code: int, said: str
) -> None:
    line = f'"$0" -m skerry_arena.cli tournament report {unbroken} {streams}'
    run = subprocess.run(["sh", "-c", line, sys.executable], stderr=subprocess.PIPE, text=True, check=False)
    assert (run.returncode, run.stderr) == (code, said)


def test_what_is_not_utf_8_is_refused(arena: Run) -> None:
    run = arena("tournament", "run", "--game", "kreta", "--option", "map=\udcff", "--out", "cup")
    assert (run.returncode, run.stderr) == (2, "skerry-arena: '\\udcff' is not UTF-8.\n")


def test_a_full_disk_ends_it_with_a_message_and_it_can_be_resumed(tmp_path: Path, arena: Run, unbroken: Path) -> None:
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
    assert told(folder) == told(unbroken)


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
    assert told(folder) == told(unbroken)
    assert not list(folder.glob(".*"))


def test_where_there_is_no_room_for_the_report_the_games_are_kept(tmp_path: Path, arena: Run) -> None:
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
    assert told(folder) == told(unbroken)


def worker_of(pid: int) -> int:
    """Return the process that plays for that one: multiprocessing has another one beside it."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return next(int(one) for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes())


def test_a_configuration_is_a_file_and_flags_go_before(tmp_path: Path, arena: Run) -> None:
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
        (("run", "--out", "cup"), 2, "Name the game"),
        (("run", "--game", "kreta", "--player", "random", "--out", "cup"), 2, "2 to 32 players"),
        (("run", "none.toml", "--out", "cup"), 1, "none.toml: No such file"),
        (("run", "bad.toml", "--out", "cup"), 2, "bad.toml: "),
        (("run", *FLAGS, "--out", "full"), 2, "not empty"),
        (("run", *FLAGS, "--option", "edition", "--out", "cup"), 2, "a name and a value"),
        (("resume", "full"), 2, "There is no tournament"),
        (("report", "nowhere"), 2, "There is no tournament"),
        (("verify", "full"), 2, "There is no tournament"),
    ],
)
def test_what_cannot_be_done_is_refused_with_one_line(
    tmp_path: Path, arena: Run, arguments: tuple[str, ...], code: int, said: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "something").touch()
    (tmp_path / "bad.toml").write_text('game = "kreta"\ncolour = 1\n')
    run = arena("tournament", *arguments)
    assert run.returncode == code
    assert said in run.stderr and run.stderr.count("\n") == 1
    assert not (tmp_path / "cup").exists()


def test_other_rules_than_it_began_with_are_refused(tmp_path: Path, arena: Run, unbroken: Path) -> None:
    folder = tmp_path / "old"
    folder.mkdir()
    begun = json.decode((unbroken / "tournament.json").read_bytes())
    begun["versions"]["ruleset"] = "kreta-0"
    (folder / "tournament.json").write_bytes(json.encode(begun))
    run = arena("tournament", "resume", folder)
    assert run.returncode == 2
    assert "begun by the rules kreta-0" in run.stderr


def test_options_that_are_none_are_refused_in_every_folder(tmp_path: Path, arena: Run, unbroken: Path) -> None:
    folder = shutil.copytree(unbroken, tmp_path / "changed")
    begun = json.decode((folder / "tournament.json").read_bytes())
    begun["settings"]["options"] = {"start_seat": True}
    (folder / "tournament.json").write_bytes(json.encode(begun))
    for command in ("resume", "verify"):
        run = arena("tournament", command, folder)
        assert run.returncode == 2
        assert "These are no options of" in run.stderr and run.stderr.count("\n") == 1


def test_a_terminal_obeys_nothing_that_a_player_said(tmp_path: Path, arena: Run) -> None:
    (tmp_path / "wild.py").write_text(r"raise SystemExit('\x1b[2J\x1b]0;won\x07\rcleared')")
    flags = ("--game", "kreta", "--player", "random", "--player", "wild:Bot")
    ran = arena("tournament", "run", *flags, "--games", "2", "--out", "cup", "--workers", "0")
    certified = arena("certify", "--player", "wild:Bot", "--game", "kreta")
    for run, code in ((ran, 0), (certified, 1)):
        assert run.returncode == code
        assert r"\x1b[2J\x1b]0;won\x07\rcleared" in run.stdout
        assert not set("\x1b\x07\r") & set(run.stdout)


def test_a_class_and_a_program_compete_and_their_failures_are_told(tmp_path: Path, arena: Run) -> None:
    (tmp_path / "mine.py").write_text(
        "class Bot:\n"
        "    def __init__(self, rng): self.rng = rng\n"
        "    def choose(self, position, clock):\n"
        "        seat, guess = position.seat, position.sample(self.rng)\n"
        "        return max(position.legal_moves, key=lambda move: guess.play(move, seat).scores[seat])\n"
    )
    players = ("mine:Bot", "random", trouble("first"), trouble("crash"))
    flags = [part for one in players for part in ("--player", one)]
    run = arena("tournament", "run", "--game", "canarias", *flags, "--games", "12", "--out", "cup", "--workers", "0")
    assert (run.returncode, run.stderr) == (0, "")
    assert re.search(r"^crash has failed \(crash: 6\)\. The first time: It ended with .+$", run.stdout, re.MULTILINE)
    assert run.stdout.count("has failed") == 1
    standings = {line.split(",")[0]: line for line in (tmp_path / "cup" / "standings.csv").read_text().splitlines()}
    assert standings["crash"].endswith(",0,0,6,0,0,0")
    assert standings["mine:Bot"].endswith(",0,0,0,0,0,0")
    assert "crash: 6" in (tmp_path / "cup" / "report.html").read_text()
    assert arena("tournament", "verify", "cup").returncode == 0


def test_games_that_were_changed_are_found(tmp_path: Path, arena: Run, unbroken: Path) -> None:
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
