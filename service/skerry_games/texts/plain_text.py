"""A view in words without any code of its game: every field by its name, in the order of the struct."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from msgspec import Struct

from skerry_games.annotations import As, Id, Numbered
from skerry_games.looks.scene import Viewer
from skerry_games.texts.text_lines import joined, line, named, seat_subject


def plain_text(view: Struct, viewer: Viewer) -> str:
    """Return a view in words, for a game without a text of its own (``Game.text``)."""
    return joined(_lines(view, viewer))


def plain_board_text(board: Struct) -> str:
    """Return a board in words (``Game.board_text``)."""
    return joined(_lines(board, None))


def _lines(value: Struct, viewer: Viewer) -> Iterator[str]:
    """Yield a line for each field. A field with several structs has a line for each of them."""
    for name, kind in fields_of(type(value)):
        content = getattr(value, name)
        if isinstance(content, tuple) and content and isinstance(content[0], Struct):
            for index, item in enumerate(content):
                yield line(_subject(name, kind, index, viewer), *_facts(item))
        else:
            yield line(field_name(name), in_words(content, kind))


def _subject(name: str, kind: Any, index: int, viewer: Viewer) -> str:
    numbered = annotation_of(kind, Numbered)
    if numbered is None:
        return f"{field_name(name)} {index + 1}"
    if numbered.field == "seat":
        return seat_subject(index, viewer)
    return f"{field_name(numbered.field)} {_item_name(index, numbered)}"


def _item_name(index: int, numbered: Numbered) -> str:
    names: Id | None = annotation_of(numbered.kind, Id)
    if names is not None:
        return names.all()[index]
    if isinstance(numbered.kind, type) and issubclass(numbered.kind, Enum):
        return named(list(numbered.kind)[index])
    return str(index + numbered.start)


def _facts(item: Struct) -> Iterator[str]:
    for name, kind in fields_of(type(item)):
        value = in_words(getattr(item, name), kind)
        if value is not None:
            yield f"{field_name(name)} {value}"


def in_words(content: Any, kind: Any) -> str | None:
    """Return a value in words; ``None`` for values that say nothing: ``None``, ``False`` and an empty tuple."""
    if content is None or content is False or content == ():
        return None
    if isinstance(content, tuple):
        return _tuple(content, kind) or None
    if (shown_as := annotation_of(kind, As)) is not None:
        return in_words(shown_as.write(content), shown_as.kind)
    if isinstance(content, Struct):
        return " ".join(_facts(content))
    if isinstance(content, Enum):
        return named(content)
    names = annotation_of(kind, Id)
    return names.all()[content] if names is not None else "yes" if content is True else str(content)


def _tuple(content: tuple[Any, ...], kind: Any) -> str:
    """Return items in words; those of a pair with a hyphen, those known by their place with its name."""
    items = items_of(kind)
    if len(items) > 1:
        return "-".join(in_words(item, inner) or "none" for item, inner in zip(content, items, strict=True))
    words = [in_words(item, items[0]) or "none" for item in content]
    numbered = annotation_of(kind, Numbered)
    if numbered is None:
        return ", ".join(words)
    present = [index for index, item in enumerate(content) if item or not numbered.sparse]
    return ", ".join(f"{_item_name(index, numbered)} {words[index]}" for index in present)


def field_name(name: str) -> str:
    """Return the name of a field in words, such as ``cards in hand``."""
    return name.replace("_", " ")


@cache
def fields_of(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """Return the names and types of a struct's fields, with their annotations."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple((name, hints[name]) for name in kind.__struct_fields__)


def annotation_of(kind: Any, wanted: type[Any]) -> Any:
    """Return the annotation of that type in a type, its alternatives included; ``None`` without one."""
    if get_origin(kind) is Annotated:
        base, *notes = get_args(kind)
        return next((note for note in notes if isinstance(note, wanted)), None) or annotation_of(base, wanted)
    if get_origin(kind) is tuple:
        return None
    return next((found for part in get_args(kind) if (found := annotation_of(part, wanted))), None)


def items_of(kind: Any) -> tuple[Any, ...]:
    """Return the types of the items of a tuple: one for items of the same type."""
    if get_origin(kind) is tuple:
        return tuple(item for item in get_args(kind) if item is not Ellipsis)
    return next((found for part in get_args(kind) if (found := items_of(part))), ())
