"""Gives every package, the Helm chart and the requirements between the packages a new version.

    python scripts/set_version.py 0.2.0

``tests/packages/test_versions.py`` checks that all places agree.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACES = {
    "clients/api/pyproject.toml": r'(?m)^(version = ")[^"]+()',
    "clients/arena/src/skerry_arena/version.py": r'(__version__ = ")[^"]+()',
    "clients/python/src/skerry_client/version.py": r'(__version__ = ")[^"]+()',
    "clients/typescript/package.json": r'(?m)^(  "version": ")[^"]+()',
    "clients/web/package.json": r'("skerry-client": ")[^"]+()',
    "deploy/chart/Chart.yaml": r'(?m)^((?:version: |appVersion: "))[\d.]+()',
    "examples/react/package-lock.json": r'("skerry-client": "\^)[^"]+()',
    "examples/react/package.json": r'("skerry-client": "\^)[^"]+()',
    "service/skerry_games/version.py": r'(__version__ = ")[^"]+()',
    "service/skerry_service/__init__.py": r'(__version__ = ")[^"]+()',
}
"""A pattern for each file: what is before the version, the version, and an empty group."""
PROJECTS = ("pyproject.toml", "clients/arena/pyproject.toml", "clients/python/pyproject.toml")
"""The files with requirements of one package on another."""
REQUIREMENT = re.compile(r'("skerry-\w+(?:\[\w+\])?)>=[\d.]+,<[\d.]+(")')


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the version of the first argument."""
    (version,) = sys.argv[1:] if arguments is None else arguments
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise SystemExit(f"{version!r} is not a version. Write three numbers, for example 0.2.0.")
    for name, pattern in PLACES.items():
        replace(ROOT / name, re.compile(pattern), version)
    for name in PROJECTS:
        replace(ROOT / name, REQUIREMENT, compatible(version))
    print(f"The version is {version}. Run `npm install --package-lock-only`, and date its section in CHANGELOG.md.")


def compatible(version: str) -> str:
    """Return the range of versions that are compatible: a minor release before 1.0, then a major release."""
    major, minor, _ = map(int, version.split("."))
    following = f"0.{minor + 1}" if major == 0 else f"{major + 1}"
    return f">={version},<{following}"


def replace(path: Path, pattern: re.Pattern[str], text: str) -> None:
    """Replace what is between the two groups of a pattern, wherever it matches."""
    before = path.read_text(encoding="utf-8")
    path.write_text(pattern.sub(rf"\g<1>{text}\g<2>", before), encoding="utf-8")


if __name__ == "__main__":
    main()
