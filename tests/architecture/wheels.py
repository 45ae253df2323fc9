"""Builds the wheels of the five distributions, and environments that contain a wheel and its declared dependencies."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from collections.abc import Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from typing import NamedTuple
from zipfile import ZipFile

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {
    "skerry-api": "clients/api",
    "skerry-games": "service/skerry_games",
    "skerry-client": "clients/python",
    "skerry-service": ".",
    "skerry-arena": "clients/arena",
}
"""The folder of each distribution's ``pyproject.toml``."""
_BUILT_AT_THE_ROOT = (
    *("hatch_build.py", "LICENSE", "NOTICE", "protos", "pyproject.toml"),
    *("service/README.md", "service/skerry_service"),
)
_IMPORT_ALL = """
import importlib, json, sys
errors = {}
for name in json.load(sys.stdin):
    try:
        importlib.import_module(name)
    except BaseException as error:
        errors[name] = f"{type(error).__name__}: {error}"
json.dump(errors, sys.stdout)
"""


class NotInstalledError(Exception):
    """The running environment does not contain a dependency."""


class Environment(NamedTuple):
    """A virtual environment: its interpreter and the folder of its packages."""

    python: Path
    packages: Path

    def import_errors(self, modules: Iterable[str]) -> dict[str, str]:
        """Import modules in one new process; return the error of each module that cannot be imported."""
        done = subprocess.run(
            [self.python, "-I", "-c", _IMPORT_ALL],
            input=json.dumps(list(modules)),
            cwd=self.packages,
            capture_output=True,
            text=True,
            check=True,
        )
        errors: dict[str, str] = json.loads(done.stdout)
        return errors


def build(name: str, folder: Path) -> Distribution:
    """Build the wheel of a distribution in a copy of its sources and unpack it below ``folder``."""
    source = ROOT / FOLDERS[name]
    copied, unpacked = folder / "source", folder / "wheel"
    ignore = ignore_patterns("__pycache__", "node_modules")
    for path in _BUILT_AT_THE_ROOT if source == ROOT else [path.name for path in source.iterdir()]:
        target = copied / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if (source / path).is_dir():
            copytree(source / path, target, ignore=ignore)
        else:
            copy(source / path, target)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=copied, capture_output=True, check=True)
    (wheel,) = folder.glob("*.whl")
    ZipFile(wheel).extractall(unpacked)
    (metadata,) = unpacked.glob("*.dist-info")
    return Distribution.at(metadata)


def requirements(found: Distribution, extras: Iterable[str] = ()) -> list[Requirement]:
    """Return what a distribution requires of this Python and platform, with the requirements of some of its extras."""
    environments = [{"extra": extra} for extra in ("", *extras)]
    listed = [Requirement(line) for line in found.requires or ()]
    return [one for one in listed if not one.marker or any(map(one.marker.evaluate, environments))]


def closure(root: Requirement, ours: dict[str, Distribution]) -> dict[str, Distribution]:
    """Return a requirement's distribution and all that it depends on, by canonical name.

    ``ours`` are the wheels of this repository. All others come from the running environment. Raises NotInstalledError.
    """
    chosen: dict[str, Distribution] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    pending = [root]
    while pending:
        wanted = pending.pop()
        name, extras = canonicalize_name(wanted.name), frozenset(wanted.extras)
        if (name, extras) not in seen:
            seen.add((name, extras))
            chosen[name] = ours[name] if name in ours else installed(wanted)
            pending += requirements(chosen[name], extras)
    return chosen


def installed(wanted: Requirement) -> Distribution:
    """Return the distribution in the running environment that meets a requirement. Raises NotInstalledError."""
    try:
        found = distribution(wanted.name)
    except PackageNotFoundError as error:
        raise NotInstalledError(f"{wanted.name} is not installed") from error
    assert wanted.specifier.contains(found.version, prereleases=True), f"{wanted} is declared, {found.version} is here"
    return found


def environment(folder: Path, distributions: Iterable[Distribution]) -> Environment:
    """Make a virtual environment with links to the files of distributions, and with nothing else."""
    venv.create(folder, with_pip=False)
    (packages,) = folder.glob("lib/python3*/site-packages")
    for found in distributions:
        for path in found.files or ():
            target = packages / path
            if ".." not in path.parts and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(Path(str(path.locate())).resolve())
    return Environment(folder / "bin" / "python", packages)
