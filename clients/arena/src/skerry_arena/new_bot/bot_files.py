"""The files of a new bot: its module and what templates make. Which names a bot can have."""

from __future__ import annotations

import keyword
import re
import sys
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from string import Template
from typing import Final

from skerry_arena.entrants import names_class
from skerry_games.players import LEVELS

_PACKAGE: Final = files(__package__)
_SUFFIX: Final = ".txt"
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_LONGEST_NAME: Final = 30


class BadBotName(ValueError):
    """A bot cannot have this name. The message is a sentence for the user."""


def check_name(name: str) -> None:
    """Check that a bot's module can have this name. Raises BadBotName."""
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        raise BadBotName(
            f"{name!r} cannot be the name of a bot. Use at most {_LONGEST_NAME} lower-case letters and digits, with "
            "underscores between words. Begin with a letter."
        )
    if name in LEVELS or not names_class(f"{name}:Bot") or keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise BadBotName(f"The name {name!r} is reserved. Choose another name.")
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise BadBotName(f"The name {name!r} is taken by a Python module. Choose another name.")


def write_bot(folder: Path, name: str, command: str) -> tuple[str, ...]:
    """Write the files of a bot to a new folder, and return their names.

    ``command``: the command line that its README uses, such as ``skerry``. Raises FileExistsError if ``folder`` exists.
    After any other error there is no folder.
    """
    texts = _texts(name, command)
    folder.mkdir()
    try:
        for file, text in texts.items():
            (folder / file).write_text(text, encoding="utf-8")
    except OSError:
        rmtree(folder, ignore_errors=True)
        raise
    return tuple(texts)


def _texts(name: str, command: str) -> dict[str, str]:
    """Return the text of each file. ``NAME`` in the names of templates becomes the name of the bot."""
    texts = {f"{name}.py": _PACKAGE.joinpath("starter_bot.py").read_text(encoding="utf-8")}
    for template in sorted(_PACKAGE.joinpath("templates").iterdir(), key=lambda template: template.name):
        file = template.name.replace("NAME", name).removesuffix(_SUFFIX)
        text = Template(template.read_text(encoding="utf-8"))
        texts[file] = text.substitute(name=name, command=command)
    return texts
