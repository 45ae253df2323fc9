"""Tries the project on every supported Python, or on those that are named.

    python scripts/try_pythons.py [--optional] [python3.13 ...]

A Python is looked for on the PATH, then among those of pyenv. Each gets an environment of its own,
``build/python-3.13``: everything that the lock files name, with hashes, then the tests that depend most on the
interpreter. Ends with 1 if one of them fails. Also if none of them is there, unless that is allowed by ``--optional``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import rmtree, which

ROOT = Path(__file__).resolve().parent.parent
SUPPORTED = ("3.11", "3.12", "3.13", "3.14")
PROJECTS = (".", "clients/api", "clients/python", "service/skerry_games", "clients/arena")
# A server in its process, JSON, the command line, the clients, and a game of each kind from start to end.
CHOICE = (
    "tests/rest/test_json.py", "tests/rest/test_calls.py", "tests/rest/test_streams.py", "tests/api/test_act.py",
    "tests/api/test_observe.py", "tests/sessions/test_lifecycle.py", "tests/store", "tests/clients", "tests/cli",
    "tests/faults/test_shutdown.py", "tests/games/test_golden.py", "tests/games/test_public_api.py",
    "tests/architecture",
)  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Return the exit code."""
    parser = argparse.ArgumentParser(description="Try the project on several Pythons.")
    parser.add_argument("--optional", action="store_true", help="pass where none of them is there")
    parser.add_argument("pythons", nargs="*", default=[f"python{version}" for version in SUPPORTED])
    options = parser.parse_args(arguments)
    pythons = _by_version(options.pythons)
    failed = [version for version, python in pythons.items() if not _passes(version, python)]
    for version in pythons:
        print(f"python {version}: {'FAILED' if version in failed else 'passed'}")
    missing = ", ".join(version for version in SUPPORTED if version not in pythons)
    print(f"not tried: {missing or 'none'}")
    return 1 if failed or not (pythons or options.optional) else 0


def _by_version(commands: Sequence[str]) -> dict[str, str]:
    """Return the commands that run, by their version. A name may be there and not run: pyenv has such."""
    found: dict[str, str] = {}
    for command in commands:
        for python in _candidates(command):
            asked = [python, "-c", "import sys, venv; print('.'.join(map(str, sys.version_info[:2])))"]
            answer = subprocess.run(asked, capture_output=True, text=True, check=False)
            if answer.returncode == 0:
                found.setdefault(answer.stdout.strip(), python)
                break
    return found


def _candidates(command: str) -> Iterator[str]:
    if python := which(command):
        yield python
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    yield from map(str, sorted(versions.glob(f"*/bin/{command}")))


def _passes(version: str, python: str) -> bool:
    print(f"== python {version}: {python}", flush=True)
    environment = ROOT / "build" / f"python-{version}"
    if environment.exists():
        rmtree(environment)
    own = str(environment / "bin" / "python")
    install = [own, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--quiet"]
    editable = [part for project in PROJECTS for part in ("-e", project)]
    steps = (
        [python, "-m", "venv", str(environment)],
        [*install, "--require-hashes", "-r", "requirements-dev.lock"],
        [*install, "--no-deps", "--no-build-isolation", *editable],
        [own, "-m", "pytest", "--quiet", "--numprocesses=2", "--durations=0", "--durations-min=10", *CHOICE],
    )
    return all(subprocess.run(step, cwd=ROOT, check=False).returncode == 0 for step in steps)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
