"""Loads the components of a game (map, cards, board, tiles) from its ``house.json``, and names the line of an error.

People may correct or replace these files. Each entry has a unique key and begins on a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import Final, TypeVar

import msgspec

T = TypeVar("T")
HOUSE_FILE: Final = "house.json"
"""The file in a game's package that holds the components of the house edition."""
Problem = tuple[str | None, str]
"""The key of the wrong entry (``None`` for the whole file), and what is wrong with it."""


def components_text(package: str) -> str:
    """Return the components file of a game. ``package`` is the game's package or one inside it."""
    library, game = package.split(".")[:2]
    return files(f"{library}.{game}").joinpath(HOUSE_FILE).read_text(encoding="utf-8")


def decode_entries(text: str, kind: type[T], error: type[ValueError]) -> T:
    """Decode the JSON text as ``kind``. Raises ``error``, which names the file."""
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.DecodeError as cause:
        raise error(f"{HOUSE_FILE}: {cause}") from cause


def raise_first_problem(problems: Iterable[Problem], text: str, error: type[ValueError]) -> None:
    """Raise ``error`` with the first problem, if any, and the line of its entry."""
    for key, problem in problems:
        raise error(f"{HOUSE_FILE}{_line(text, key)}: {problem}")


def _line(text: str, key: str | None) -> str:
    """Return the line of the entry, as in ``, line 7``. Empty for the whole file or an unknown key."""
    for number, line in enumerate(text.splitlines(), start=1):
        if key is not None and line.lstrip().startswith(f'"{key}":'):
            return f", line {number}"
    return ""
