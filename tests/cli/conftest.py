from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from skerry_service.cli import app
from tests.clients.servers import ServerProcess

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def server() -> Iterator[ServerProcess]:
    """One real server for all tests of a worker."""
    with TemporaryDirectory(prefix="skerry-test-") as folder:
        process = ServerProcess(Path(folder))
        process.start()
        yield process
        process.stop()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run ``skerry`` in this process, at a tenth of what another one takes: commands that start and ask nothing."""

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        monkeypatch.chdir(tmp_path)
        code = app.run([str(argument) for argument in arguments])
        received = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, received.out, received.err)

    return run


@pytest.fixture
def skerry(tmp_path: Path) -> Run:
    """Run ``skerry`` with these arguments, in a folder of the test's own."""

    def run(*arguments: str | Path, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "skerry_service.cli", *arguments],
            env={**os.environ, **environment},
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run
