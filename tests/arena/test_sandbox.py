"""Programs in bubblewrap: what they cannot do there, and what the tournament says without it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest
from msgspec import json
from msgspec.structs import replace

from skerry_arena.entrants import command_of, parse_entrant
from skerry_arena.play.contestant import FailureKind, PlayerFailed
from skerry_arena.programs import sandbox
from skerry_arena.programs.containment import sentences
from skerry_arena.programs.program import Program
from skerry_arena.running.tournament_folder import LOG, read_tournament
from skerry_arena.settings import BadSettings, Limits, Sandbox
from tests.arena.conftest import Run
from tests.arena.samples import PATIENT, faulty, settings
from tests.arena.test_programs import beginning, position

BOXED = replace(PATIENT, sandbox=Sandbox.REQUIRED)
needs_bubblewrap = pytest.mark.skipif(sandbox.why_unusable() is not None, reason=str(sandbox.why_unusable()))

PROBE = """
import json, os, socket, sys
def tried(what):
    try:
        return what()
    except OSError as error:
        return type(error).__name__
found = {
    "write": tried(lambda: open("mine.txt", "w").write("x")),
    "home": tried(lambda: open(os.path.expanduser("~/skerry-probe"), "w").write("x")),
    "temporary": tried(lambda: open(os.path.join(os.environ["TMPDIR"], "mine.txt"), "w").write("x")),
    "much": tried(lambda: open("/tmp/much", "wb").write(b"x" * (3 << 20))),
    "shared": tried(lambda: open("/dev/shm/much", "wb").write(b"x" * (3 << 20))),
    "devices": tried(lambda: open("/dev/mine", "w").write("x")),
    "sockets": tried(lambda: open("/run/mine", "w").write("x")),
    "network": tried(lambda: socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5) and "connected"),
    "processes": len([one for one in os.listdir("/proc") if one.isdigit()]),
    "arena": tried(lambda: os.kill(int(sys.argv[2]), 0)),
    "run": os.listdir("/run"),
    "processors": len(os.sched_getaffinity(0)),
}
sys.stderr.write(json.dumps(found))
"""


@pytest.fixture
def port() -> Iterator[int]:
    """A port that accepts connections."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def probe(folder: Path, port: int, limits: Limits) -> dict[str, object]:
    """Run a program that tries what it may not, and return what it found."""
    (folder / "probe.py").write_text(PROBE)
    one = Program((sys.executable, "probe.py", str(port), str(os.getpid())), limits)
    with pytest.raises(PlayerFailed) as failed:
        one.begin(beginning())
    assert failed.value.kind is FailureKind.CRASH
    found: dict[str, object] = json.decode(failed.value.detail.partition(": ")[2])
    return found


@needs_bubblewrap
def test_a_program_in_a_sandbox_cannot_write_files_use_the_network_or_see_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, port: int
) -> None:
    monkeypatch.chdir(tmp_path)
    found = probe(tmp_path, port, replace(BOXED, file_mib=2, processors=1))
    assert found["write"] == found["home"] == "OSError"
    assert not (tmp_path / "mine.txt").exists()
    assert (found["temporary"], found["much"], found["shared"]) == (1, "OSError", "OSError")
    assert found["devices"] == found["sockets"] == "OSError"
    assert found["network"] in ("ConnectionRefusedError", "OSError")
    assert found["processes"] in range(1, 5)
    assert found["arena"] == "ProcessLookupError"
    assert (found["run"], found["processors"]) == ([], 1)


@needs_bubblewrap
def test_the_network_can_be_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.chdir(tmp_path)
    assert probe(tmp_path, port, replace(BOXED, network=True))["network"] == "connected"


@needs_bubblewrap
@pytest.mark.parametrize("player", ["mine:Bot", faulty("first"), "links=program:./linked"])
def test_players_play_in_a_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, player: str) -> None:
    """Their folder is below /tmp, which is private in a sandbox."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "mine.py").write_text(
        "class Bot:\n"
        "    def __init__(self, rng): pass\n"
        "    def choose(self, position, clock): return position.legal_moves[0]\n"
    )
    script = Path(__file__).with_name("faulty_program.py")
    (tmp_path / "linked").write_text(f"#!/bin/sh\nexec {sys.executable} {script} first\n")
    (tmp_path / "linked").chmod(0o755)
    one = Program(command_of(parse_entrant(player)), BOXED)
    for _ in range(2):
        one.begin(beginning())
        assert one.choose(position(), 60.0) == 0
    one.close()


@needs_bubblewrap
def test_a_program_directly_in_tmp_plays_in_a_sandbox() -> None:
    script = Path(__file__).with_name("faulty_program.py")
    with NamedTemporaryFile("w", dir="/tmp", suffix=".py") as copy:
        copy.write(script.read_text())
        copy.flush()
        one = Program((sys.executable, copy.name, "first"), BOXED)
        one.begin(beginning())
        assert one.choose(position(), 60.0) == 0
        one.close()


@needs_bubblewrap
def test_the_report_says_what_bounded_the_programs(tmp_path: Path, arena: Run) -> None:
    flags = ("--game", "kreta", "--player", faulty("first"), "--player", "random", "--games", "2", "--workers", "0")
    ran = arena("tournament", "run", *flags, "--sandbox", "required", "--processors", "1", "--out", "cup")
    assert (ran.returncode, ran.stderr) == (0, "")
    said = "Programs ran in bubblewrap: they had no network,"
    assert said in ran.stdout and said in (tmp_path / "cup" / "report.html").read_text()
    assert len(read_tournament(tmp_path / "cup").containment) == 4
    assert arena("tournament", "run", *flags, "--sandbox", "off", "--out", "free").returncode == 0
    assert "without a sandbox, as the settings say" in (tmp_path / "free" / "report.html").read_text()


def test_without_bubblewrap_the_tournament_says_so_or_does_not_begin(
    tmp_path: Path, arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "why_unusable", lambda: "bubblewrap is not installed")
    flags = ("--game", "kreta", "--player", faulty("first"), "--player", "random", "--games", "2", "--workers", "0")
    refused = arena("tournament", "run", *flags, "--sandbox", "required", "--out", "cup")
    assert (refused.returncode, refused.stderr) == (2, "skerry-arena: sandbox: bubblewrap is not installed.\n")
    assert not (tmp_path / "cup").exists()
    ran = arena("tournament", "run", *flags, "--out", "cup")
    assert ran.returncode == 0
    assert "because bubblewrap is not installed, so they could change files" in ran.stdout
    with pytest.raises(BadSettings, match="bubblewrap is not installed"):
        Program(("true",), BOXED).begin(beginning())


def test_a_tournament_that_resumes_under_other_limits_says_so(
    tmp_path: Path, arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "why_unusable", lambda: "bubblewrap is not installed")
    flags = ("--game", "kreta", "--player", faulty("first"), "--player", "random", "--games", "2", "--workers", "0")
    assert arena("tournament", "run", *flags, "--out", "cup").returncode == 0
    begun, log = read_tournament(tmp_path / "cup").containment, tmp_path / "cup" / LOG
    for reason, said in (
        ("bubblewrap is not installed", 0),
        ("it is another machine", 1),
        ("it is another machine", 1),
    ):
        log.write_bytes(log.read_bytes().splitlines(keepends=True)[0])
        monkeypatch.setattr(sandbox, "why_unusable", lambda reason=reason: reason)
        ran = arena("tournament", "resume", "cup", "--workers", "0")
        assert ran.returncode == 0 and ran.stdout.count("Other limits held after 1 finished games.") == said
        assert read_tournament(tmp_path / "cup").containment[: len(begun)] == begun


def test_a_tournament_of_built_in_players_says_nothing_of_programs() -> None:
    assert sentences(settings("random", "greedy")) == ()


def test_bubblewrap_that_fails_is_named_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho no namespaces >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    sandbox.why_unusable.cache_clear()
    try:
        assert sandbox.why_unusable() == "bubblewrap does not work here (no namespaces)"
        monkeypatch.setenv("PATH", str(tmp_path / "empty"))
        sandbox.why_unusable.cache_clear()
        assert sandbox.why_unusable() == "bubblewrap is not installed"
    finally:
        sandbox.why_unusable.cache_clear()
    assert shutil.which("bwrap") is None


@needs_bubblewrap
def test_modules_on_the_search_path_are_found_in_a_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "only_here.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    command = sandbox.sandboxed(
        [sys.executable, "-c", f"open({str(tmp_path / 'only_here.py')!r})"], BOXED, network=False
    )
    assert subprocess.run(command, check=False).returncode == 0
