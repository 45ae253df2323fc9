"""Empty environments that get a package by its name from the built folder, without an index."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
PATIENCE = 240
"""Seconds for one command."""


class EmptyEnvironment(NamedTuple):
    """A virtual environment, and an empty folder to work in."""

    folder: Path
    work: Path

    def run(self, program: str, *arguments: str, **variables: str) -> str:
        """Run a program of the environment; return what it prints. Fails with its output if the program fails."""
        return run([self.folder / "bin" / program, *arguments], self.work, **variables)

    def packages(self) -> set[str]:
        """Return the names of the packages in the environment."""
        listed = run([sys.executable, "-m", "pip", "--python", self.folder, "list", "--format=freeze"], self.work)
        return {line.partition("==")[0] for line in listed.splitlines()}

    @contextmanager
    def serving(self) -> Iterator[tuple[str, str]]:
        """Run the service; yield the address of gRPC and the URL of HTTP."""
        command = [str(self.folder / "bin" / "skerry"), "serve", "--port", "0", "--http", "127.0.0.1:0"]
        process = subprocess.Popen(command, cwd=self.work, stdout=subprocess.PIPE, text=True, env=_bare())
        assert process.stdout is not None
        try:
            greeting = [process.stdout.readline() for _ in range(3)]
            yield greeting[0].split()[2].rstrip(";"), greeting[1].split()[2]
        finally:
            process.terminate()
            process.wait(20)
            process.stdout.close()


def install(folder: Path, wheelhouse: Path, *requirements: str) -> EmptyEnvironment:
    """Make an environment and install packages by name: ours from ``dist``, those of others from ``wheelhouse``."""
    made = EmptyEnvironment(folder / "environment", folder / "work")
    made.work.mkdir()
    venv.create(made.folder, with_pip=False)
    pip([*offline(wheelhouse), *requirements], "install", made.folder)
    return made


def offline(wheelhouse: Path) -> list[str]:
    """Return the options of pip for packages of ``dist`` and a wheelhouse alone."""
    return ["--no-index", f"--find-links={DIST}", f"--find-links={wheelhouse}"]


def pip(arguments: list[str], command: str, environment: Path | None = None) -> None:
    """Run pip for an environment, or for none, without the settings of the machine."""
    chosen = [] if environment is None else ["--python", str(environment)]
    own = ["--isolated", "--disable-pip-version-check", *chosen]
    run([sys.executable, "-m", "pip", *own, command, "--quiet", *arguments], ROOT, PIP_CONFIG_FILE=os.devnull)


def run(command: list[str | Path], folder: Path, **variables: str) -> str:
    """Run a command in a folder; return what it prints. Fails with its output if it fails."""
    environment = {**_bare(), **variables}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def _bare() -> dict[str, str]:
    """Return the variables of this process without those that change what Python or the service find."""
    hidden = ("PYTHON", "SKERRY_", "REDIS_", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
