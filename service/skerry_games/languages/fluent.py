"""Reads catalogues: messages and terms in a subset of Project Fluent's syntax.

The subset: comments; messages ``id = pattern``, continued by indented lines, which are joined by a space; terms
``-id = text``; placeables ``{ $name }`` and ``{ FUNCTION($name, "option") }``; selectors over a number or a text,
``{ $name -> [one] pattern *[other] pattern }``. Selectors can be nested. Attributes and references are not supported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

Pattern = Callable[[Mapping[str, Any]], str]
"""Returns the text of a message with its parameters."""
Show = Callable[[Any], str]
"""Returns a parameter in the language of the catalogue."""
Functions = Mapping[str, Callable[..., str]]
"""By name: functions of a parameter and of the options in quotes."""

_ENTRY = re.compile(r"(-?[a-zA-Z][\w-]*) *= *(.*)")
_NAME = re.compile(r"\$([a-z_]\w*)")
_CALL = re.compile(r"([A-Z]+)\(\s*\$([a-z_]\w*)((?:\s*,\s*\"[^\"]*\")*)\s*\)")
_KEY = re.compile(r"(\*?)\[\s*([\w-]+)\s*\]")


class CatalogueError(ValueError):
    """A catalogue is not in the supported syntax."""


class Reference(Struct, frozen=True):
    """A placeable: a parameter, or a function of it."""

    name: str
    function: str = ""
    options: tuple[str, ...] = ()


class Selector(Struct, frozen=True):
    """A choice between patterns by a parameter."""

    name: str
    variants: tuple[tuple[str, tuple[Part, ...]], ...]
    default: str


Part = str | Reference | Selector


class Message(Struct, frozen=True):
    """A message of a catalogue."""

    id: str
    parts: tuple[Part, ...]

    @property
    def parameters(self) -> frozenset[str]:
        """The names of the parameters that the pattern uses."""
        return frozenset(_names(self.parts))

    @property
    def static(self) -> str | None:
        """The text of a pattern without placeables; ``None`` if it has any."""
        return "".join(map(str, self.parts)) if all(isinstance(part, str) for part in self.parts) else None


def parse(text: str, file: str = "") -> Iterator[tuple[str, Message | str]]:
    """Yield the messages of a catalogue by id, and its terms as texts by id with a hyphen. Raises CatalogueError."""
    for id_, pattern in _entries(text, file):
        if id_.startswith("-"):
            yield id_, pattern
            continue
        reader = _Reader(pattern)
        parts = reader.parts()
        if not reader.at_end:
            raise CatalogueError(f"{file}: {id_} has a closing brace too many.")
        yield id_, Message(id_, parts)


def _entries(text: str, file: str) -> Iterator[tuple[str, str]]:
    id_, lines = "", list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith((" ", "\t")) and line.strip():
            lines.append(line.strip())
        elif line.startswith("#") or not line.strip():
            continue
        elif entry := _ENTRY.fullmatch(line.rstrip()):
            if id_:
                yield id_, " ".join(filter(None, lines))
            id_, lines = entry[1], [entry[2]]
        else:
            raise CatalogueError(f"{file}:{number}: {line[:60]!r} begins no message, term or comment.")
    if id_:
        yield id_, " ".join(filter(None, lines))


class _Reader:
    """Reads one pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0

    @property
    def at_end(self) -> bool:
        return self._at >= len(self._pattern)

    def parts(self, *, inside: bool = False) -> tuple[Part, ...]:
        """Return the parts up to the end, or up to the next variant or brace of the selector that it is inside."""
        found: list[Part] = []
        while not self.at_end and self._pattern[self._at] != "}":
            if inside and _KEY.match(self._pattern, self._at):
                break
            found.append(self._placeable() if self._pattern[self._at] == "{" else self._text(inside=inside))
        if inside and found and isinstance(found[-1], str):
            found[-1] = found[-1].rstrip()
        return tuple([part for part in found if part != ""])

    def _text(self, *, inside: bool) -> str:
        start = self._at
        while not self.at_end and self._pattern[self._at] not in "{}":
            if inside and _KEY.match(self._pattern, self._at):
                break
            self._at += 1
        return self._pattern[start : self._at]

    def _placeable(self) -> Part:
        self._at += 1
        self._space()
        if self._pattern[self._at : self._at + 1] == '"':  # a text in quotes, for braces and spaces
            end = self._pattern.index('"', self._at + 1)
            text = self._pattern[self._at + 1 : end]
            self._at = end + 1
            self._end()
            return text
        if call := _CALL.match(self._pattern, self._at):
            self._at = call.end()
            self._end()
            return Reference(call[2], call[1], tuple(re.findall(r'"([^"]*)"', call[3])))
        name = _NAME.match(self._pattern, self._at)
        if name is None:
            raise CatalogueError(f"Unknown placeable at {self._pattern[self._at : self._at + 40]!r}.")
        self._at = name.end()
        self._space()
        if self._pattern.startswith("->", self._at):
            self._at += 2
            return self._selector(name[1])
        self._end()
        return Reference(name[1])

    def _selector(self, name: str) -> Selector:
        variants, default = list[tuple[str, tuple[Part, ...]]](), ""
        self._space()
        while key := _KEY.match(self._pattern, self._at):
            self._at = key.end()
            self._space()
            variants.append((key[2], self.parts(inside=True)))
            default = key[2] if key[1] else default
            self._space()
        self._end()
        if not default:
            raise CatalogueError(f"The selector of ${name} has no default variant. Mark it with *.")
        return Selector(name, tuple(variants), default)

    def _space(self) -> None:
        while not self.at_end and self._pattern[self._at] == " ":
            self._at += 1

    def _end(self) -> None:
        self._space()
        if self._pattern[self._at : self._at + 1] != "}":
            raise CatalogueError(f"A closing brace is missing at {self._pattern[self._at : self._at + 40]!r}.")
        self._at += 1


def compiled(parts: tuple[Part, ...], show: Show, functions: Functions) -> Pattern:
    """Return a function that formats the parts. Raises CatalogueError for unknown functions."""
    used: dict[str, Any] = {"show": show}
    pieces = "".join(f"{_expression(part, show, functions, used)}, " for part in parts)
    # A lambda takes a third of the time of closures. All texts and names in it are quoted by repr().
    pattern: Pattern = eval(f"lambda parameters: ''.join(({pieces}))", used)
    return pattern


def _expression(part: Part, show: Show, functions: Functions, used: dict[str, Any]) -> str:
    """Return Python for a part. What it calls is added to ``used``."""
    if isinstance(part, str):
        return repr(part)
    value, name = f"parameters[{part.name!r}]", f"f{len(used)}"
    if isinstance(part, Selector):
        used[name] = _selection(part, show, functions)
        return f"{name}({value})(parameters)"
    if not part.function:
        # "".join takes texts, sentences among them, as they are; str() would copy them.
        return f"text if isinstance(text := {value}, str) else str(text)" if show is str else f"show({value})"
    if part.function not in functions:
        raise CatalogueError(f"There is no function {part.function}. Use one of {', '.join(sorted(functions))}.")
    used[name] = functions[part.function]
    return f"{name}({', '.join((value, *map(repr, part.options)))})"


def _selection(selector: Selector, show: Show, functions: Functions) -> Callable[[Any], Pattern]:
    """Return a function from a value to the pattern of its variant: its text, or the plural category of a number."""
    variants: dict[Any, Pattern] = {key: compiled(inner, show, functions) for key, inner in selector.variants}
    default = variants[selector.default]
    if "one" in variants:
        variants.setdefault("1", variants["one"])
    variants |= {int(key): pattern for key, pattern in variants.items() if key.isdecimal()}
    return lambda value: variants.get(value, default)


def _names(parts: tuple[Part, ...]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            continue
        yield part.name
        if isinstance(part, Selector):
            for _, inner in part.variants:
                yield from _names(inner)
