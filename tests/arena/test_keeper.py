"""The keeper of a program: no process of a program outlives it, in a control group or without one."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from skerry_arena.entrants import command_of, parse_entrant
from skerry_arena.play.contestant import FailureKind, PlayerFailed
from skerry_arena.programs import control_group, process_tree
from skerry_arena.programs.kept_command import KeeperStatus
from skerry_arena.programs.program import Program
from skerry_arena.settings import Limits, Sandbox
from tests.arena.samples import PATIENT, faulty
from tests.arena.test_programs import beginning, position

WITHOUT_GROUPS = (
    "from skerry_arena.programs import control_group, keeper; control_group.own = lambda: None; keeper.main()"
)
"""A keeper on a machine without control groups."""


def until(condition: Callable[[], bool]) -> None:
    while not condition():
        time.sleep(0.01)


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def is_running(pid: int) -> bool:
    try:
        return state_of(pid) != "Z"
    except FileNotFoundError:
        return False


def possible(what: Callable[[Path], bool]) -> bool:
    """Return whether a control group can be made here, and what it can do."""
    found = control_group.make(64)
    if found is None:
        return False
    can = what(found)
    control_group.remove(found)
    return can


@pytest.fixture(params=["control group", "subreaper"])
def containment(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run the keeper with or without control groups."""
    if request.param == "control group":
        if not possible(Path.exists):
            pytest.skip("no control group can be made here")
        return "control group"
    kept = "skerry_arena.programs.process.kept_command"

    def without_groups(command: tuple[str, ...], limits: Limits, status: int) -> list[str]:
        numbers = (os.getpid(), status, limits.memory_mib, limits.file_mib, limits.open_files, 0)
        return [sys.executable, "-c", WITHOUT_GROUPS, *map(str, numbers), *command]

    monkeypatch.setattr(kept, without_groups)
    return "subreaper"


@pytest.fixture
def left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, containment: str
) -> Iterator[tuple[Program, int, KeeperStatus]]:
    """A program with a process that has left it, which is running; and the report of the keeper."""
    monkeypatch.chdir(tmp_path)
    one = Program(command_of(parse_entrant(faulty("leave"))), PATIENT)
    one.begin(beginning())
    one.choose(position(), 60.0)
    pid = int((tmp_path / "child").read_text())
    assert one._process is not None
    kept = one._process._kept()
    assert is_running(pid) and kept is not None and (kept.group is not None) == (containment == "control group")
    assert os.getsid(pid) != os.getsid(kept.pid)
    yield one, pid, kept
    one.close()


def test_a_process_that_has_left_ends_with_its_program(left: tuple[Program, int, KeeperStatus]) -> None:
    one, pid, kept = left
    one.close()
    assert not is_running(pid)
    assert kept.group is None or not kept.group.exists()


def test_a_process_that_has_left_ends_when_its_program_crashes(left: tuple[Program, int, KeeperStatus]) -> None:
    _, pid, kept = left
    os.kill(kept.pid, signal.SIGKILL)
    until(lambda: not is_running(pid))


def test_a_control_group_ends_with_a_killed_keeper(left: tuple[Program, int, KeeperStatus]) -> None:
    one, pid, kept = left
    if kept.group is None:
        pytest.skip("only a control group holds processes without a keeper")
    assert one._process is not None
    one._process._process.kill()
    one.close()
    assert not is_running(pid) and not kept.group.exists()


def test_a_keeper_that_its_program_has_stopped_ends_all_the_same(
    left: tuple[Program, int, KeeperStatus], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, pid, kept = left
    monkeypatch.setattr("skerry_arena.programs.process.LONGEST_END", 0.1)
    assert one._process is not None
    os.kill(one._process._process.pid, signal.SIGSTOP)
    one.close()
    until(lambda: not is_running(kept.pid))
    if kept.group is None:  # nothing else ends it
        os.kill(pid, signal.SIGKILL)
    until(lambda: not is_running(pid))


def test_a_program_stops_between_questions(left: tuple[Program, int, KeeperStatus]) -> None:
    """In a control group, the process that has left stops, too."""
    one, _, kept = left
    if kept.group is None:
        until(lambda: state_of(kept.pid) == "T")
    else:
        events = kept.group / "cgroup.events"
        until(lambda: "frozen 1" in events.read_text())
    assert one.choose(position(), 60.0) == 0


def test_processes_end_with_a_killed_tournament(tmp_path: Path) -> None:
    """Kill the command with SIGKILL while a program has left a process behind."""
    players = ("--player", faulty("leave"), "--player", "random")
    flags = ("--game", "kreta", *players, "--games", "100000", "--sandbox", "off")
    command = [sys.executable, "-m", "skerry_arena.cli", "tournament", "run", *flags, "--workers", "1", "--out", "cup"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)
    until(lambda: (tmp_path / "child").exists() or process.poll() is not None)
    pid = int((tmp_path / "child").read_text())
    assert is_running(pid)
    process.kill()
    process.wait()
    until(lambda: not is_running(pid))


@pytest.mark.skipif(possible(control_group.bounds_memory), reason="the control group bounds the memory")
@pytest.mark.parametrize("boxed", [Sandbox.OFF, Sandbox.AUTO])
def test_processes_that_together_use_too_much_memory_end_the_program(boxed: Sandbox) -> None:
    limits = replace(PATIENT, memory_mib=256, sandbox=boxed)
    one = Program(command_of(parse_entrant(faulty("share"))), limits)
    one.begin(beginning())
    with pytest.raises(PlayerFailed) as failed:
        one.choose(position(), 60.0)
    assert failed.value.kind is FailureKind.CRASH
    assert re.fullmatch(
        r"It ended with exit code 1: Its processes together used \d+ MiB of memory, more than 256 MiB\.",
        failed.value.detail,
    )


def test_descendants_are_found_with_and_without_lists_of_children(left: tuple[Program, int, KeeperStatus]) -> None:
    one, pid, kept = left
    assert one._process is not None
    keeper = one._process._process.pid
    found = process_tree.descendants(keeper)
    assert {pid, kept.pid} <= set(found)
    assert set(found) == set(process_tree._descendants_by_parents(keeper))
    assert 0 < process_tree.memory_used_mib(found, 0) <= process_tree.memory_used_mib(found, 1 << 20)


def keeper() -> list[str]:
    """Return the command of a keeper that reports on standard output, without the program."""
    return [sys.executable, "-m", "skerry_arena.programs.keeper", *map(str, (os.getpid(), 1, 512, 1, 64, 0))]


def test_the_keeper_ends_as_the_program_did() -> None:
    for script, code in (("import sys; sys.exit(7)", 7), ("import os; os.kill(os.getpid(), 9)", -9)):
        ran = subprocess.run([*keeper(), sys.executable, "-c", script], capture_output=True, check=False)
        assert ran.returncode == code
        assert b'"pid"' in ran.stdout


def test_a_program_that_cannot_be_started_says_why() -> None:
    ran = subprocess.run([*keeper(), "/none"], capture_output=True, check=False)
    assert ran.returncode == 127
    assert b"No such file" in ran.stderr
