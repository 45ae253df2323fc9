"""Reads the editions of an owner: folders with a file for each game, such as ``kreta.json``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from skerry_games.catalogue import all_games
from skerry_games.component_data import ComponentsError
from skerry_games.editions.edition_registry import EditionExists, add_edition

EDITIONS_VARIABLE: Final = "SKERRY_EDITIONS"
LARGEST_FILE: Final = 1 << 20
"""Bytes. Files of the house have 25 KB at most."""


class EditionsUnusable(OSError):
    """A folder or file of an edition cannot be used. The message names it and says what is wrong."""


def load_named_editions(folders: str) -> None:
    """Add the editions in folders, separated by commas as in SKERRY_EDITIONS. Raises EditionsUnusable."""
    load_editions(filter(None, folders.split(",")))


def load_editions(folders: Iterable[str]) -> None:
    """Add the editions in these folders to the games of this process. Raises EditionsUnusable.

    Loading a folder again changes nothing as long as its files are the same.
    """
    for folder in folders:
        for game, path in _files_of(Path(folder)):
            try:
                add_edition(game, read_edition(path), str(path))
            except (ComponentsError, EditionExists) as error:
                raise EditionsUnusable(str(error)) from None


def read_edition(path: Path) -> str:
    """Return the text of an edition's file. Raises EditionsUnusable."""
    try:
        content = path.read_bytes() if path.stat().st_size <= LARGEST_FILE else None
    except OSError as error:
        raise EditionsUnusable(f"cannot read {path}: {error.strerror}") from None
    if content is None:
        raise EditionsUnusable(f"{path} is larger than {LARGEST_FILE:,} bytes. An edition needs less.")
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise EditionsUnusable(f"{path} is not a text in UTF-8") from None


def game_of_file(path: Path) -> str:
    """Return the game of an edition's file, which is named after it. Raises EditionsUnusable."""
    if path.suffix != ".json" or path.stem not in all_games():
        names = ", ".join(f"{game}.json" for game in all_games())
        raise EditionsUnusable(f"{path} is not named after a game. Name it one of {names}.")
    return path.stem


def _files_of(folder: Path) -> list[tuple[str, Path]]:
    if not folder.is_dir():
        raise EditionsUnusable(f"{folder} is not a folder. Name folders that have files such as kreta.json.")
    found = [(game_of_file(path), path) for path in sorted(folder.glob("*.json"))]
    if not found:
        names = ", ".join(f"{game}.json" for game in all_games())
        raise EditionsUnusable(f"{folder} has no edition. Put one or more of {names} there.")
    return found
