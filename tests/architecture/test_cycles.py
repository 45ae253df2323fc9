"""No modules import each other in a circle, at the top or in functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = {
    "skerry_games": ROOT / "service",
    "skerry_service": ROOT / "service",
    "skerry_client": ROOT / "clients" / "python" / "src",
    "skerry_arena": ROOT / "clients" / "arena" / "src",
}


def modules(package: str) -> Mapping[str, Path]:
    """Return the files of a distribution by module name, without its top-level package."""
    root = SOURCES[package]
    paths = sorted((root / package).rglob("*.py"))
    named = {".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}
    return {name: path for name, path in named.items() if name != package}


def imported(source: str, known: Mapping[str, object]) -> Iterator[str]:
    """Yield the known modules that a source imports by name. The packages that contain them do not count."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                if inner in known or node.module in known:
                    yield inner if inner in known else node.module


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """Return modules that import each other in a circle, or an empty list."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("package", SOURCES)
def test_no_modules_import_each_other_in_a_circle(package: str) -> None:
    known = modules(package)
    graph = {name: set(imported(path.read_text(encoding="utf-8"), known)) - {name} for name, path in known.items()}
    assert len(graph) > 10
    assert circle(graph) == []


def test_a_circle_is_found() -> None:
    known = {"a.b": None, "a.c": None, "a.d": None}
    sources = {"a.b": "from a import c", "a.c": "def later():\n    from a.d import x", "a.d": "import a.b"}
    graph = {name: set(imported(source, known)) for name, source in sources.items()}
    assert set(circle(graph)) == known.keys()
