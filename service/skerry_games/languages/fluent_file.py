"""Writes catalogues as files of Project Fluent, for other programs: every selector on lines of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skerry_games.languages.catalogues import catalogue_files
from skerry_games.languages.fluent import Message, Part, Reference, parse

_BRACE = re.compile(r"[{}]")
_EDGE = re.compile(r"^ |^$| $")
"""What needs quotes at the edges of a pattern: spaces. An empty pattern needs quotes, too."""


def fluent_file(language: str) -> str:
    """Return all messages and terms of a language as one file. Raises CatalogueError."""
    return "\n".join(_lines(language)) + "\n"


def _lines(language: str) -> Iterator[str]:
    known = set[str]()
    for name, text in catalogue_files(language):
        yield f"## {name}\n"
        for id_, found in parse(text, name):
            if id_ not in known:
                known.add(id_)
                yield f"{id_} = {_pattern(found.parts) if isinstance(found, Message) else found}"
        yield ""


def _pattern(parts: tuple[Part, ...], depth: int = 1) -> str:
    written = "".join(_part(part, depth) for part in parts)
    return _EDGE.sub(_quoted, written)


def _part(part: Part, depth: int) -> str:
    if isinstance(part, str):
        return _BRACE.sub(_quoted, part)
    if isinstance(part, Reference):
        options = "".join(f', "{option}"' for option in part.options)
        return f"{{ {part.function}(${part.name}{options}) }}" if part.function else f"{{ ${part.name} }}"
    indent = "    " * depth
    variants = [
        f"{indent}  {'*' if key == part.default else ' '}[{key}] {_pattern(inner, depth + 1)}\n"
        for key, inner in part.variants
    ]
    return f"{{ ${part.name} ->\n{''.join(variants)}{indent}}}"


def _quoted(found: re.Match[str]) -> str:
    return f'{{ "{found[0]}" }}'
