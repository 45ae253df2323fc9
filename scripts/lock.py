"""Resolves what the five distributions and the tools need into lock files: exact versions, with hashes.

    python scripts/lock.py [--upgrade]

Each environment has its file. A version that an earlier file settles holds for the later ones, except in the code
generation environment, which stands alone. Without ``--upgrade`` a pin that still fits is kept.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OWN = "skerry-"
HEADER = "# Written by `make lock`. Do not edit.\n"
# Nothing that names a registry or a folder of the machine may get into a lock file.
OPTIONS = (
    "--quiet", "--generate-hashes", "--allow-unsafe", "--strip-extras", "--no-header", "--annotation-style=line",
    "--no-emit-index-url", "--no-emit-find-links", "--no-emit-trusted-host", "--no-emit-options",
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the lock files."""
    parser = argparse.ArgumentParser(description="Resolve the lock files.")
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that fit")
    upgrade = parser.parse_args(arguments).upgrade
    folders = ("", "clients/api", "clients/python", "service/skerry_games", "clients/arena")
    service, api, client, games, arena = [read_project(ROOT / folder) for folder in folders]
    groups = service["dependency-groups"]
    runtime = [line for one in (service, api, client, games) for line in one["project"]["dependencies"]]
    runtime += [line for one in (service, client) for line in one["project"]["optional-dependencies"]["otel"]]
    runtime += [line for name in ("mcp", "png") for line in service["project"]["optional-dependencies"][name]]
    runtime += games["project"]["optional-dependencies"]["swiss"]
    lock("requirements.lock", runtime, (), upgrade)
    lock("requirements-build.lock", groups["build"], ("requirements.lock",), upgrade)
    lock("requirements-release.lock", [*groups["build"], *groups["release"]], ("requirements-build.lock",), upgrade)
    extras = arena["project"]["optional-dependencies"]
    contest = [*runtime, *arena["project"]["dependencies"]]
    lock("requirements-arena.lock", contest, ("requirements.lock", "requirements-build.lock"), upgrade)
    own = service["project"]["optional-dependencies"]
    learning = [*extras["parquet"], *extras["pettingzoo"], *extras["openspiel"]]
    optional = [*own["archive"], *own["parquet"], *learning]
    tools = [*contest, *optional, *groups["build"], *groups["dev"]]
    settled = ("requirements.lock", "requirements-build.lock", "requirements-arena.lock")
    lock("requirements-dev.lock", tools, settled, upgrade)
    lock("requirements-ray.lock", extras["ray"], ("requirements-dev.lock",), upgrade)
    lock("requirements-node.lock", groups["node"], (), upgrade)
    lock("requirements-deploy.lock", groups["deploy"], (), upgrade)
    lock("requirements-envoy.lock", groups["envoy"], (), upgrade)
    lock("requirements-docs.lock", groups["docs"], (), upgrade)
    lock("requirements-codegen.lock", groups["codegen"], (), upgrade)


def read_project(folder: Path) -> dict[str, Any]:
    """Return the ``pyproject.toml`` of that folder."""
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))


def lock(name: str, requirements: Iterable[str], constraints: Iterable[str], upgrade: bool) -> None:
    """Resolve ``requirements`` within the versions of the ``constraints`` files into the lock file ``name``."""
    source = ROOT / "build" / "lock" / f"{Path(name).stem}.in"
    source.parent.mkdir(parents=True, exist_ok=True)
    wanted = sorted({line for line in requirements if not line.startswith(OWN)})
    source.write_text("\n".join(wanted) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "piptools", "compile", *OPTIONS, f"--output-file={name}"]
    command += [f"--constraint={path}" for path in constraints]
    command += ["--upgrade"] if upgrade else []
    print(name, flush=True)
    subprocess.run([*command, str(source.relative_to(ROOT))], cwd=ROOT, check=True)
    target = ROOT / name
    text = target.read_text(encoding="utf-8").removeprefix(HEADER)
    target.write_text(HEADER + text.replace(f"-r {source.relative_to(ROOT)}", "pyproject.toml"), encoding="utf-8")


if __name__ == "__main__":
    main()
