"""Keeps what the games' pages for authors of bots print and list as the code has it.

    python -m tests.games.pages            writes the pages of all games anew
    python -m tests.games.pages kreta      writes the page of that game anew

A page is ``service/skerry_games/<game>/README.md``. Written by hand are its words, and the lines of its examples that
begin with ``>>>`` or ``...``. What Python answers is written below them, and the game's structs and enums between
``<!-- moves -->`` (``events``, ``view``, ``state``, ``enums``) and ``<!-- end -->``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from doctest import DocTestParser
from enum import Enum
from importlib import import_module
from inspect import get_annotations
from pathlib import Path
from textwrap import fill
from typing import Any, Final, get_args, get_type_hints

from msgspec import Struct

import skerry_games
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games

_WIDTH: Final = 120
_JOINT: Final = "\0"
"""A space at which no line is broken."""
_EXAMPLE = re.compile(r"(?<=```pycon\n).*?(?=```)", re.DOTALL)
LISTS: Final = ("moves", "events", "view", "state", "enums")
"""What a page lists, in this order."""
_LIST = re.compile(rf"(?<=<!-- )({'|'.join(LISTS)})( -->\n).*?(?=<!-- end -->)", re.DOTALL)


def page_path(game: AnyGame) -> Path:
    """Return where the page of that game is."""
    return Path(skerry_games.__path__[0]) / game.id / "README.md"


def renewed(game: AnyGame) -> str:
    """Return the page as it should be: its own words, what its examples print now, and what the game consists of."""
    text, names = page_path(game).read_text(encoding="utf-8"), dict[str, Any]()
    text = _EXAMPLE.sub(lambda block: _answered(block[0], names), text)
    return _LIST.sub(lambda block: f"{block[1]}{block[2]}{_LISTS[block[1]](game)}\n", text)


def _answered(block: str, names: dict[str, Any]) -> str:
    """Return a block of examples with what they print, one after the other, with the names of those before."""
    lines = []
    for example in DocTestParser().get_examples(block):
        first, *others = example.source.splitlines()
        lines += [f">>> {first}", *(f"... {line}" for line in others)]
        if printed := _printed(example.source, names):
            lines.append(_wrapped(printed, indent=" "))
    return "".join(f"{line}\n" for line in lines)


def _printed(source: str, names: dict[str, Any]) -> str:
    """Run a statement, or return how the interpreter shows the value of an expression."""
    try:
        expression = compile(source, "example", "eval")
    except SyntaxError:
        exec(source, names)
        return ""
    return repr(eval(expression, names))


def _wrapped(text: str, indent: str) -> str:
    wrapped = fill(text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return wrapped.replace(_JOINT, " ")


def _module(game: AnyGame, name: str) -> Any:
    return import_module(f"skerry_games.{game.id}.{name}")


def _shape(kind: type) -> str:
    """Return ``March(from_province: Province, to_province: Province)``, to be wrapped between fields alone."""
    fields = [f"{name}: {hint}".replace(" ", _JOINT) for name, hint in get_annotations(kind).items()]
    return f"{kind.__name__}({', '.join(fields)})"


def _kinds(game: AnyGame, module: str, union: str) -> str:
    """Return a list of the structs of a union, then of those that they are made of, with what their docstrings say."""
    union_of = getattr(_module(game, module), union)
    kinds = dict.fromkeys([*get_args(union_of), *(kind for kind in _parts(union_of) if issubclass(kind, Struct))])
    return "\n".join(_wrapped(f"- `{_shape(kind)}`: {_said(kind)}", indent="  ") for kind in kinds)


def _said(kind: type) -> str:
    return " ".join(str(kind.__doc__).replace("``", "`").split())


def _outline(game: AnyGame, module: str, name: str) -> str:
    """Return a struct and those that it is made of."""
    structs = [kind for kind in _parts(getattr(_module(game, module), name)) if issubclass(kind, Struct)]
    return "\n".join(["```python", *(_wrapped(_shape(kind), indent="    ") for kind in structs), "```"])


def _enums(game: AnyGame) -> str:
    """Return the enums that moves, events, views and states are made of, with their members."""
    roots = (game.move_type, _module(game, "events").Event, _module(game, "view").View, game.state_type)
    enums = dict.fromkeys(kind for root in roots for kind in _parts(root) if issubclass(kind, Enum))
    lines = [_wrapped(f"{kind.__name__}: {', '.join(kind.__members__)}", indent="    ") for kind in enums]
    return "\n".join(["```text", *lines, "```"])


def _parts(hint: Any) -> Iterator[type]:
    """Yield the structs and enums of a type, itself first, each before its own parts, in the order of the fields."""
    if isinstance(hint, type) and issubclass(hint, Struct | Enum):
        yield hint
    inner = get_type_hints(hint).values() if isinstance(hint, type) and issubclass(hint, Struct) else get_args(hint)
    yield from dict.fromkeys(part for other in inner for part in _parts(other))


_LISTS: Final[Mapping[str, Callable[[AnyGame], str]]] = {
    "moves": lambda game: _kinds(game, "moves", "Move"),
    "events": lambda game: _kinds(game, "events", "Event"),
    "view": lambda game: _outline(game, "view", "View"),
    "state": lambda game: _outline(game, "state", "State"),
    "enums": _enums,
}


if __name__ == "__main__":
    for one in sys.argv[1:] or all_games():
        page_path(all_games()[one]).write_text(renewed(all_games()[one]), encoding="utf-8")
