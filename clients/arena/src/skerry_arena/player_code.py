"""Hashes of the code of players, by which a resumed tournament notices other code. Nothing is imported or run.

The code of a built-in player is that of the rules library: its common modules, its players, and its game. The code of a
class is its module, or the whole package of its module, with the modules beside it that these import. The code of a
program is the program and the files that its command names; a Python file counts with the modules beside it that it
imports. Files that a player reads or imports from elsewhere are not part of its hash.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import file_digest, sha256
from importlib.machinery import PathFinder
from pathlib import Path
from shutil import which
from typing import Final

from msgspec import Struct

import skerry_games
from skerry_arena.entrants import API, PROGRAM, Entrant, builtin_factory, command_of, found_module
from skerry_arena.settings import Settings

_LIBRARY: Final = Path(skerry_games.__file__).parent
_NOT_CODE: Final = {".md", ".pyc"}
_UNKNOWN: Final = "unknown"


class CodeChange(Struct, frozen=True):
    """An accepted change of the code of some players."""

    finished: int
    """The number of games that were finished before."""
    code: dict[str, str]
    """The new hashes of the players that changed."""


def code_hashes(settings: Settings) -> dict[str, str]:
    """Return the hash of each player's code by its name, as hexadecimal digits; ``unknown`` if no file was found."""
    return {one.name: code_hash(one, settings.game) for one in settings.players}


def code_hash(one: Entrant, game: str) -> str:
    """Return the hash of a player's code, as hexadecimal digits; ``unknown`` if no file was found."""
    return _hash_of(files_of(one, game))


def files_of(one: Entrant, game: str) -> list[Path]:
    """Return the files of a player's code, in a fixed order. Raises UnusablePlayer."""
    if builtin_factory(one) is not None:
        return _library_files(game)
    kind = one.player.partition(":")[0]
    if kind in (PROGRAM, API):
        return sorted(set(_files_of_command(command_of(one))))
    return sorted(set(_files_of_module(kind)))  # module:Class


def _library_files(game: str) -> list[Path]:
    common = [path for path in _LIBRARY.iterdir() if path.is_file()]
    folders = [path for name in ("players", game) for path in (_LIBRARY / name).rglob("*") if path.is_file()]
    return sorted(path for path in common + folders if path.suffix not in _NOT_CODE)


def _files_of_command(command: Sequence[str]) -> Iterator[Path]:
    program = which(command[0])
    named = [Path(one) for one in command[1:]] + [Path(one.partition("=")[2]) for one in command[1:] if "=" in one]
    for path in [*([Path(program)] if program else []), *named]:
        if path.is_file():
            yield path.resolve()
            if path.suffix == ".py":
                yield from _imported_beside([path.resolve()], [str(path.resolve().parent)])
    if "-m" in command[1:-1]:
        yield from _files_of_module(command[command.index("-m") + 1])


def _files_of_module(name: str) -> Iterator[Path]:
    """Yield the files of a module and of the modules beside it that it imports; all files of a package."""
    found = found_module(name)
    if found is None:
        return
    if found.submodule_search_locations:
        for folder in map(Path, found.submodule_search_locations):
            files = sorted(one for one in folder.rglob("*") if one.is_file() and one.suffix not in _NOT_CODE)
            yield from files
            yield from _imported_beside([one for one in files if one.suffix == ".py"], [str(folder.parent)])
    elif found.origin and Path(found.origin).is_file():
        yield Path(found.origin)
        yield from _imported_beside([Path(found.origin)], [str(Path(found.origin).parent)])


def _imported_beside(files: Sequence[Path], folders: Sequence[str]) -> Iterator[Path]:
    """Yield the files of all modules in these folders that Python files import, directly or through others."""
    left, seen, names = list(files), set(files), set[str]()
    while left:
        for name in sorted(_imported_names(left.pop()) - names):
            names.add(name)
            found = PathFinder.find_spec(name, folders)
            origins = [Path(found.origin)] if found and found.origin and Path(found.origin).is_file() else []
            if found and found.submodule_search_locations:
                origins += [one for place in found.submodule_search_locations for one in Path(place).rglob("*.py")]
            for origin in origins:
                if origin not in seen:
                    seen.add(origin)
                    left.append(origin)
                    yield origin


def _imported_names(file: Path) -> set[str]:
    """Return the first parts of the names of imported modules; none if the file is not Python."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return set()
    names = [one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names]
    names += [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    names += [
        one.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level and not node.module
        for one in node.names
    ]
    return {name.partition(".")[0] for name in names}


def _hash_of(files: Iterable[Path]) -> str:
    """Return a hash of names and contents. Folders do not count, so that a tournament can move."""
    lines = set()
    for path in files:
        with suppress(OSError), path.open("rb") as file:
            lines.add(f"{path.name} {file_digest(file, 'sha256').hexdigest()}\n")
    return sha256("".join(sorted(lines)).encode(errors="surrogateescape")).hexdigest() if lines else _UNKNOWN
