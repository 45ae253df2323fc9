"""Tries the project on every supported Python that is on the PATH, or on those that are named.

    python scripts/try_pythons.py [python3.13 ...]

Each gets an environment of its own, ``build/python-3.13``: everything that the lock files name, with hashes, then what
depends most on the interpreter. Ends with 1 if one of them fails, or if there is none.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree, which

ROOT = Path(__file__).resolve().parent.parent
SUPPORTED = ("3.11", "3.12", "3.13", "3.14")
PROJECTS = (".", "clients/python", "service/skerry_games", "clients/arena")
# A server in its process, JSON, the command line, the clients, and a game of each kind from start to end.
CHOICE = (
    "tests/rest/test_json.py", "tests/rest/test_calls.py", "tests/rest/test_streams.py", "tests/api/test_act.py",
    "tests/api/test_observe.py", "tests/sessions/test_lifecycle.py", "tests/store", "tests/clients", "tests/cli",
    "tests/faults/test_shutdown.py", "tests/games/test_golden.py", "tests/games/test_public_api.py",
    "tests/architecture",
)  # fmt: skip


def main(named: Sequence[str]) -> int:
    """Return the exit code."""
    pythons = _by_version(named or [f"python{version}" for version in SUPPORTED])
    failed = [version for version, python in pythons.items() if not _passes(version, python)]
    for version in pythons:
        print(f"python {version}: {'FAILED' if version in failed else 'passed'}")
    missing = ", ".join(version for version in SUPPORTED if version not in pythons)
    print(f"not tried: {missing or 'none'}")
    return 1 if failed or not pythons else 0


def _by_version(commands: Sequence[str]) -> dict[str, str]:
    """Return what can be run, by its version. A name may be there and not run: pyenv has such."""
    found: dict[str, str] = {}
    for command in commands:
        python = which(command)
        if python is None:
            continue
        asked = [python, "-c", "import sys, venv; print('.'.join(map(str, sys.version_info[:2])))"]
        answer = subprocess.run(asked, capture_output=True, text=True, check=False)
        if answer.returncode == 0:
            found[answer.stdout.strip()] = python
    return found


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
        [own, "-m", "pytest", "--quiet", "--durations=0", "--durations-min=10", *CHOICE],
    )
    return all(subprocess.run(step, cwd=ROOT, check=False).returncode == 0 for step in steps)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
