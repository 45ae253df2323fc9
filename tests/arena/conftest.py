from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from skerry_arena.cli.main import run


class Ran(NamedTuple):
    """What came of a command."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Ran]


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run ``skerry-arena`` with these arguments in this process, in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def ran(*arguments: str | Path) -> Ran:
        capsys.readouterr()
        code = run([str(one) for one in arguments])
        return Ran(code, *capsys.readouterr())

    return ran
