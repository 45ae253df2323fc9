"""Generates the lists and the printed results in the games' pages for bot authors.

    python -m tests.games.pages            updates the pages of all games
    python -m tests.games.pages kreta      updates the page of one game

A page is ``service/skerry_games/<game>/README.md``. The text, and the lines of examples that begin with ``>>>`` or
``...``, are written by hand. This module writes the results below them, and the game's structs and enums between
``<!-- moves -->`` (``events``, ``view``, ``state``, ``enums``) and ``<!-- end -->``.
"""

from __future__ import annotations

import ast
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
"""Stands for a space at which lines do not break."""
_EXAMPLE = re.compile(r"(?<=```pycon\n).*?(?=```)", re.DOTALL)
LISTS: Final = ("moves", "events", "view", "state", "enums")
"""The lists of a page, in their order."""
_LIST = re.compile(rf"(?<=<!-- )({'|'.join(LISTS)})( -->\n).*?(?=<!-- end -->)", re.DOTALL)


def page_path(game: AnyGame) -> Path:
    """Return the path of the game's page."""
    return Path(skerry_games.__path__[0]) / game.id / "README.md"


def updated_page(game: AnyGame) -> str:
    """Return the page with up-to-date results of its examples and lists of its structs and enums."""
    text, names = page_path(game).read_text(encoding="utf-8"), dict[str, Any]()
    text = _EXAMPLE.sub(lambda block: _with_results(block[0], names), text)
    return _LIST.sub(lambda block: f"{block[1]}{block[2]}{_LISTS[block[1]](game)}\n", text)


def _with_results(block: str, names: dict[str, Any]) -> str:
    """Return a block of examples with their results. The examples share ``names``."""
    lines = []
    for example in DocTestParser().get_examples(block):
        first, *others = example.source.splitlines()
        lines += [f">>> {first}", *(f"... {line}" for line in others)]
        if result := _result(example.source, names):
            lines.append(_wrapped(result, indent=" "))
    return "".join(f"{line}\n" for line in lines)


def _result(source: str, names: dict[str, Any]) -> str:
    """Run a statement and return an empty string, or return the ``repr`` of an expression."""
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


def _signature(kind: type) -> str:
    """Return ``March(from_province: Province, to_province: Province)``. Lines break only between fields."""
    fields = [f"{name}: {_bare(hint)}".replace(" ", _JOINT) for name, hint in get_annotations(kind).items()]
    return f"{kind.__name__}({', '.join(fields)})"


class _Bare(ast.NodeTransformer):
    """Replaces ``Annotated[T, ...]`` and ``PerSeat[T]`` in a type hint: codecs need them, readers do not."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Subscript(value=ast.Name("Annotated"), slice=ast.Tuple([first, *_])):
                return first
            case ast.Subscript(value=ast.Name("PerSeat"), slice=item):
                return ast.parse(f"tuple[{ast.unparse(item)}, ...]", mode="eval").body
        return node


def _bare(hint: str) -> str:
    return ast.unparse(_Bare().visit(ast.parse(hint, mode="eval")))


def _kinds(game: AnyGame, module: str, union: str) -> str:
    """Return a list of the structs of a union, then of the structs in them, with their docstrings."""
    union_of = getattr(_module(game, module), union)
    kinds = dict.fromkeys([*get_args(union_of), *(kind for kind in _parts(union_of) if issubclass(kind, Struct))])
    return "\n".join(_wrapped(f"- `{_signature(kind)}`: {_docstring(kind)}", indent="  ") for kind in kinds)


def _docstring(kind: type) -> str:
    return " ".join(str(kind.__doc__).replace("``", "`").split())


def _outline(game: AnyGame, module: str, name: str) -> str:
    """Return a struct and the structs in it."""
    structs = [kind for kind in _parts(getattr(_module(game, module), name)) if issubclass(kind, Struct)]
    return "\n".join(["```python", *(_wrapped(_signature(kind), indent="    ") for kind in structs), "```"])


def _enums(game: AnyGame) -> str:
    """Return the enums in moves, events, views and states, with their members."""
    roots = (game.move_type, _module(game, "events").Event, _module(game, "view").View, game.state_type)
    enums = dict.fromkeys(kind for root in roots for kind in _parts(root) if issubclass(kind, Enum))
    lines = [_wrapped(f"{kind.__name__}: {', '.join(kind.__members__)}", indent="    ") for kind in enums]
    return "\n".join(["```text", *lines, "```"])


def _parts(hint: Any) -> Iterator[type]:
    """Yield the structs and enums of a type in pre-order: the type itself, then those of its fields."""
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
    for game_id in sys.argv[1:] or all_games():
        page_path(all_games()[game_id]).write_text(updated_page(all_games()[game_id]), encoding="utf-8")
