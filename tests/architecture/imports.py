"""Reads from source which modules there are and what they import."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


def modules(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield each module below a source folder: its dotted name and its file."""
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imports(source: str, module: str, *, package: bool = False) -> Iterator[str]:
    """Yield the absolute names that a module imports, in functions and under TYPE_CHECKING too.

    ``from a import b`` yields ``a.b``. ``import_module("a.b")`` and ``__import__("a.b")`` count as imports.
    """
    home = module.split(".") if package else module.split(".")[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = home[: len(home) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and _is_import_call(node.func):
            yield from (
                argument.value
                for argument in node.args[:1]
                if isinstance(argument, ast.Constant) and type(argument.value) is str
            )


def _is_import_call(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)
    return name in ("import_module", "__import__")
