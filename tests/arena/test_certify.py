"""Certification: robust players pass, and faulty players fail the check of their fault."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.arena.conftest import Run
from tests.clients.servers import ServerProcess

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "tournaments.md").read_text()
API, LINES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[:2]
"""The programs of the page: one uses the API, one speaks lines of JSON."""


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with TemporaryDirectory(prefix="skerry-test-") as folder:
        process = ServerProcess(Path(folder))
        process.start()
        yield process
        process.stop()


def failed(said: str) -> set[str]:
    """Return the names of the failed checks."""
    return {line.removeprefix("FAILED  ").split(":")[0] for line in said.splitlines() if line.startswith("FAILED")}


def checks(said: str) -> int:
    return len(re.findall(r"^(passed|FAILED)  ", said, re.MULTILINE))


def changed(code: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert code.count(old) == 1
        code = code.replace(old, new)
    return code


LINES_FAILED = {
    "passes": (LINES, set[str]()),
    "strict": (
        changed(
            LINES, ('    if line["type"] == "hello"', '    assert "zulu" not in line\n    if line["type"] == "hello"')
        ),
        {"ignores unknown fields"},
    ),
    "eager": (
        changed(
            LINES,
            ("    else:\n", '    elif line["type"] in ("game_over", "quit"):\n        continue\n    else:\n'),
            ("    else:\n        continue", '    else:\n        answer = {"type": "what?"}'),
        ),
        {"ignores unknown lines"},
    ),
    "stubborn": (
        changed(
            LINES,
            ("import json, sys\n", "import json, sys, time\nchosen = 0\n"),
            ("    print(", '    chosen += answer["type"] == "move"\n    print('),
            ('        answer = {"type": "ready"}', '        answer = {"type": "ready" if chosen != 3 else "not yet"}'),
        ),
        {"starts a new game after an abandoned one"},
    ),
    "lingering": (
        f"{changed(LINES, ('import json, sys', 'import json, sys, time'))}time.sleep(1000)\n",
        {"ends after quit"},
    ),
}


@pytest.mark.parametrize("how", LINES_FAILED)
def test_a_faulty_program_fails_its_check(tmp_path: Path, arena: Run, how: str) -> None:
    code, expected = LINES_FAILED[how]
    (tmp_path / "one.py").write_text(code)
    run = arena("certify", "--player", f"Ada=program:{sys.executable} one.py", "--game", "kreta")
    assert failed(run.stdout) == expected
    assert checks(run.stdout) == 5
    assert run.returncode == (1 if expected else 0)
    assert run.stdout.endswith("Ada failed 1 of the checks.\n" if expected else "Ada passed all checks.\n")


def certified(arena: Run, folder: Path, server: ServerProcess, code: str) -> str:
    (folder / "one.py").write_text(code)
    at = ("--game", "kreta", "--server", server.address, "--workers", "2")
    return arena("certify", "--player", f"Ada=api:{sys.executable} one.py", *at).stdout


@pytest.mark.deep
def test_the_program_of_the_page_passes_all_checks(tmp_path: Path, arena: Run, server: ServerProcess) -> None:
    said = certified(arena, tmp_path, server, API)
    assert failed(said) == set()
    assert checks(said) == 9
    assert "fault did not occur" not in said


@pytest.mark.deep
@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        (
            [("timeout=3", "timeout=3, retry_for=0")],
            {
                "repeats calls after a lost response",
                "limits the wait for a response",
                "resumes broken streams",
                "waits for an unavailable service",
            },
        ),
        ([("timeout=3", "timeout=1000")], {"limits the wait for a response"}),
        (
            [("(errors.Conflict, errors.FailedPrecondition)", "ZeroDivisionError")],
            {"reads the position again after a rejected move"},
        ),
    ],
)
def test_a_faulty_program_that_uses_the_api_fails_its_checks(
    tmp_path: Path, arena: Run, server: ServerProcess, pairs: list[tuple[str, str]], expected: set[str]
) -> None:
    assert failed(certified(arena, tmp_path, server, changed(API, *pairs))) == expected


def test_a_tournament_can_admit_only_certified_players(tmp_path: Path, arena: Run) -> None:
    (tmp_path / "good.py").write_text(LINES)
    (tmp_path / "bad.py").write_text(LINES_FAILED["strict"][0])
    flags = ("--game", "kreta", "--games", "2", "--workers", "0", "--certify", "--out", "cup")
    good, bad = (f"{name}=program:{sys.executable} {name}.py" for name in ("good", "bad"))
    refused = arena("tournament", "run", *flags, "--player", good, "--player", bad)
    assert refused.returncode == 1
    assert refused.stderr.startswith("skerry-arena: bad is not admitted. Failed check: ignores unknown fields: crash")
    assert not (tmp_path / "cup").exists()
    assert arena("tournament", "run", *flags, "--player", good, "--player", "random").returncode == 0


@pytest.mark.deep
def test_invalid_players_are_rejected_with_one_line(arena: Run) -> None:
    for player, flags, code, said in (
        ("random", (), 2, "need no certificate"),
        ("api:true", (), 2, "--server HOST:PORT"),
        ("api:true", ("--server", "127.0.0.1:1"), 2, "127.0.0.1:1: "),
        ("api:true", ("--server", "http://127.0.0.1:1"), 2, "Pass HOST:PORT"),
        ("program:nowhere", (), 2, "The program 'nowhere' does not exist"),
    ):
        run = arena("certify", "--player", player, "--game", "kreta", *flags)
        assert run.returncode == code
        assert said in run.stderr and run.stderr.count("\n") == 1
