"""The name of a new game, in each form in which the repository spells it, and which names are refused."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_NAME: Final = re.compile(r"[a-z]+(_[a-z]+)*")
_PHRASE: Final = re.compile(r"\w[\w .,&'-]*")
_LONGEST_NAME: Final = 24
_LONGEST_PHRASE: Final = 40
_RESERVED: Final = frozenset({
    *(word.lower() for word in (*keyword.kwlist, *keyword.softkwlist)),
    # fields and modules beside those of the games
    *("api", "choice", "effect", "game", "index", "sentence", "template", "text"),
    *("const", "default", "delete", "enum", "export", "extends", "function", "instanceof", "interface", "let", "new"),
    *("null", "super", "switch", "this", "throw", "typeof", "var", "void"),
    *("message", "option", "package", "rpc", "service", "syntax"),
})  # fmt: skip
"""Words of Python, TypeScript and protos, and names that generated modules use."""
_FOLDERS: Final = ("service/skerry_games", "tests/games", "protos/skerry/games")


class BadName(Exception):
    """A game cannot have this name. The message is a sentence for the user."""


@dataclass(frozen=True)
class GameNames:
    """How a game is called."""

    name: str
    """The id: lower-case letters, and underscores between words."""
    title: str
    author: str

    def placeholders(self) -> dict[str, str]:
        """Return the values of the placeholders in the templates."""
        return {
            "name": self.name,
            "title": self.title,
            "author": self.author,
            "rules": self.name.upper(),
            "ruleset": self.name.replace("_", "-"),
            "pascal": self.name.title().replace("_", ""),
            "compact": self.name.replace("_", ""),
        }


def checked_names(root: Path, name: str, title: str | None, author: str) -> GameNames:
    """Return the names of a new game in the checkout ``root``. The title follows from the name. Raises BadName."""
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        raise BadName(
            f"{name!r} cannot be the name of a game. Use at most {_LONGEST_NAME} lower-case letters, with underscores "
            "between words."
        )
    if name in _RESERVED:
        raise BadName(f"The name {name!r} is reserved. Choose another name.")
    for folder in _FOLDERS:
        for taken in (root / folder / name, root / folder / f"{name}.py"):
            if taken.exists():
                raise BadName(f"The name {name!r} is taken: {taken.relative_to(root)} exists. Choose another name.")
    title = title or name.replace("_", " ").title()
    for option, phrase in (("--title", title), ("--author", author)):
        if not _PHRASE.fullmatch(phrase) or len(phrase) > _LONGEST_PHRASE:
            raise BadName(
                f"{option}: {phrase!r} is not allowed. Use at most {_LONGEST_PHRASE} letters, digits, spaces and .,&'-"
            )
    return GameNames(name, title, author)
