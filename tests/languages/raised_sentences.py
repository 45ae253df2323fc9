"""The sentences that the code raises errors with, read from its source."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


class Raised:
    """The arguments of all calls of some names in a module, followed through variables and conditions."""

    def __init__(self, path: Path, names: frozenset[str]) -> None:
        self._tree = ast.parse(path.read_text(encoding="utf-8"))
        self._names = names
        self._of_module = _assigned(self._tree.body)

    def arguments(self) -> Iterator[ast.expr]:
        """Yield each argument, or what a variable in its place was assigned in the function or the module."""
        yield from self._in(self._tree, self._of_module)

    def _in(self, node: ast.AST, variables: Mapping[str, Sequence[ast.expr]]) -> Iterator[ast.expr]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, FUNCTIONS):
                yield from self._in(child, {**variables, **_assigned(list(ast.walk(child)))})
                continue
            if isinstance(child, ast.Call) and ast.unparse(child.func).rpartition(".")[2] in self._names:
                for argument in (*child.args, *(keyword.value for keyword in child.keywords)):
                    yield from _leaves(argument, variables)
            yield from self._in(child, variables)


def _assigned(nodes: Sequence[ast.AST]) -> dict[str, list[ast.expr]]:
    """Return what variables are assigned, by name."""
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.setdefault(name, []).append(value)
    return found


def _leaves(node: ast.expr, variables: Mapping[str, Sequence[ast.expr]]) -> Iterator[ast.expr]:
    match node:
        case ast.Name(id=name) if name in variables:
            inner = {other: values for other, values in variables.items() if other != name}
            for value in variables[name]:
                yield from _leaves(value, inner)
        case ast.IfExp():
            yield from _leaves(node.body, variables)
            yield from _leaves(node.orelse, variables)
        case ast.BinOp():
            yield from _leaves(node.left, variables)
            yield from _leaves(node.right, variables)
        case _:
            yield node


def english_of(node: ast.expr) -> str | None:
    """Return the English words of an expression that makes a text of them; ``None`` for any other.

    A text without spaces is the name of a field. ``str`` and ``repr`` lose the message of what they get.
    """
    match node:
        case ast.JoinedStr():
            words = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
            return words if " " in words else None
        case ast.Call(func=ast.Name(id="str" | "repr")) | ast.Call(func=ast.Attribute(attr="format")):
            return ast.unparse(node)
        case _:
            return None
