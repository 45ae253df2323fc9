"""Copies of a game's package: the same source files, imported under another name, with other components."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec, spec_from_file_location
from types import CodeType, ModuleType
from typing import Final

from skerry_games.api import AnyGame
from skerry_games.catalogue import package_name
from skerry_games.component_data import ComponentsError, add_components

_copies: Final[dict[str, str]] = {}
"""The package of which each added package is a copy."""


def copy_with(game: AnyGame, ruleset: str, text: str) -> AnyGame:
    """Import a copy of the game's package that has these components. Raises ComponentsError."""
    home = f"skerry_games.{game.id}"
    copy = package_name(home, ruleset)
    if not any(isinstance(finder, _CopyFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _CopyFinder())  # before the finder of files, which sees the copied files
    _copies[copy] = home
    add_components(copy, text)
    try:
        package = import_module(copy)
    except ComponentsError:
        for module in [name for name in sys.modules if name == copy or name.startswith(f"{copy}.")]:
            del sys.modules[module]
        raise
    copied: AnyGame = replace(package.GAME, ruleset=ruleset)
    package.__dict__["GAME"] = copied
    return copied


def _original(name: str) -> tuple[str, str, str] | None:
    """Return of a module of a copy: the module that it copies, and both packages. ``None`` for other modules."""
    for copy, home in _copies.items():
        if name == copy or name.startswith(f"{copy}."):
            return home + name[len(copy) :], home, copy
    return None


class _CopyFinder(MetaPathFinder):
    """Finds the modules of copies."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of a module of a copy; ``None`` for other modules."""
        found = _original(fullname)
        original = find_spec(found[0]) if found else None
        if found is None or original is None or original.origin is None:
            return None
        return spec_from_file_location(
            fullname,
            original.origin,
            loader=_CopyLoader(fullname, original.origin, found[1], found[2]),
            submodule_search_locations=original.submodule_search_locations,
        )


class _CopyLoader(SourceFileLoader):
    """Loads a module of a copy: its imports of the game's package lead to the copy."""

    def __init__(self, fullname: str, path: str, home: str, copy: str) -> None:
        super().__init__(fullname, path)
        self._home, self._copy = home, copy

    def get_code(self, fullname: str) -> CodeType:
        """Return the code. It is not cached, as the file's own code is."""
        tree = ast.parse(self.get_data(self.path), self.path)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{self._home}."):
                node.module = self._copy + (node.module or "")[len(self._home) :]
        return compile(tree, self.path, "exec", dont_inherit=True)
