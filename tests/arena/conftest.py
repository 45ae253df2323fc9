from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from skerry_arena.cli.main import run
from tests.clients.servers import ServerProcess


class Ran(NamedTuple):
    """The result of a command."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Ran]
Limited = Callable[..., ServerProcess]


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run ``skerry-arena`` with these arguments in this process, in a temporary folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def ran(*arguments: str | Path) -> Ran:
        capsys.readouterr()
        code = run([str(one) for one in arguments])
        return Ran(code, *capsys.readouterr())

    return ran


@pytest.fixture
def limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Limited]:
    """Start a server that applies its limits to local clients: ``limited(JOIN="1/1s")``."""
    server = ServerProcess(tmp_path / "limited")
    monkeypatch.setenv("SKERRY_LIMITS_LOCAL", "1")

    def started(**rates: str) -> ServerProcess:
        for limit, rate in rates.items():
            monkeypatch.setenv(f"SKERRY_LIMIT_{limit}", rate)
        server.start()
        return server

    yield started
    server.stop()
