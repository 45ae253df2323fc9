"""Reading component data: JSON files that anybody may correct or replace, and that say which line is wrong.

Each entry of such a file has a key of its own, and begins on a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import msgspec

T = TypeVar("T")
Problem = tuple[str | None, str]
"""The key of the entry that is wrong (``None``: the file as a whole), and what is wrong with it."""


def decode_entries(text: str, file: str, kind: type[T], refusal: type[ValueError]) -> T:
    """Return what is written in the text, in the form of ``kind``. Raises ``refusal``, which names the file."""
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.DecodeError as error:
        raise refusal(f"{file}: {error}") from error


def raise_first_problem(problems: Iterable[Problem], text: str, file: str, refusal: type[ValueError]) -> None:
    """Raise ``refusal`` with the first of the problems, if there is any, and the line of its entry."""
    for key, problem in problems:
        raise refusal(f"{file}{_line(text, key)}: {problem}")


def _line(text: str, key: str | None) -> str:
    """Return where the entry of that key begins: ``, line 7``. Empty for the whole file or an unknown key."""
    for number, line in enumerate(text.splitlines(), start=1):
        if key is not None and line.lstrip().startswith(f'"{key}":'):
            return f", line {number}"
    return ""
