"""Tests, scripts and examples import what the project declares: no package of a package, which can disappear."""

from __future__ import annotations

import sys
import tomllib
from collections import defaultdict
from importlib.metadata import packages_distributions

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.imports import imports
from tests.architecture.wheels import FOLDERS, ROOT

OF_OTHER_ENVIRONMENTS = {
    "grpc_tools": "grpcio-tools",
    "helm_python": "helm-python-sdk",
}
"""What is not installed beside the tests, with its distribution: modules that scripts of other environments import."""
OPTIONAL = {"chess"}
"""What the benchmarks compare with if it is installed."""
OWN = {"tests", "scripts", "skerry"}


def declared() -> set[str]:
    """Return the distributions of all groups of all projects, and the projects."""
    found = set(FOLDERS)
    for folder in FOLDERS.values():
        settings = tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))
        project = settings["project"]
        groups = [project["dependencies"], *project.get("optional-dependencies", {}).values()]
        groups += settings.get("dependency-groups", {}).values()
        found |= {canonicalize_name(Requirement(line).name) for group in groups for line in group}
    return found


@pytest.mark.parametrize("folder", ["tests", "scripts", "examples"])
def test_every_package_that_is_imported_is_declared(folder: str) -> None:
    known, allowed = packages_distributions(), declared()
    undeclared = defaultdict(set)
    for path in sorted((ROOT / folder).rglob("*.py")):
        if "node_modules" in path.parts:
            continue
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for name in imports(path.read_text(encoding="utf-8"), module, package=path.name == "__init__.py"):
            top = name.partition(".")[0]
            owners = known.get(top) or [OF_OTHER_ENVIRONMENTS.get(top, top)]
            if top in sys.stdlib_module_names | OWN | OPTIONAL:
                continue
            if not {canonicalize_name(one) for one in owners} & allowed:
                undeclared[top].add(str(path.relative_to(ROOT)))
    assert undeclared == {}
