"""Codecs of single values: plain values, enums, ids and bounded numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Any, Final, NamedTuple, NoReturn

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from msgspec import Meta

from skerry_games.annotations import Id, Number, Without
from skerry_games.api import MalformedMove
from skerry_service.domain.languages.phrases import phrase, quoted, thing, verbatim
from skerry_service.wire.codecs.hints import Hint

Convert = Callable[[Any], Any]
_FEW: Final = 12
"""An error lists the ids if there are no more than these."""
_PLAIN: Final = {
    int: (FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64),
    bool: (FieldDescriptor.CPPTYPE_BOOL,),
    str: (FieldDescriptor.CPPTYPE_STRING,),
}


def identity(value: Any) -> Any:
    """Return the value unchanged: both sides represent it equally."""
    return value


class ValueCodec(NamedTuple):
    """Two functions that convert a value. ``read`` raises MalformedMove."""

    write: Convert = identity
    read: Convert = identity
    numbers: range | None = None
    """The numbers that ``read`` accepts; ``None``: it accepts others too, or no numbers."""


def value_codec(side: str, hint: Hint, field: FieldDescriptor) -> ValueCodec:
    """Return the codec of a field's value, or of an item of its list. Raises TypeError if the two sides differ."""
    if (ids := hint.find(Id)) is not None and field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return _id_codec(ids)
    if field.enum_type is not None and isinstance(hint.kind, type) and issubclass(hint.kind, IntEnum):
        without = hint.find(Without)
        return _enum_codec(hint.kind, field.enum_type, without.members if without else ())
    if ids is None and field.enum_type is None and field.cpp_type in _PLAIN.get(hint.kind, ()):
        number = hint.find(Number)
        return ValueCodec() if number is None else _number_codec(side, hint, number.noun)
    raise TypeError(f"{side} and {field.full_name} differ: {hint.kind} does not match the type of the field.")


def require_same_names(side: str, names: Iterable[str], other: str, others: Iterable[str]) -> None:
    """Raise TypeError unless both sides have the same names."""
    if odd := sorted({*names} ^ {*others}):
        raise TypeError(f"{side} and {other} differ: only one of them has {', '.join(odd)}.")


class _ReadTable(dict[Any, Any]):
    """A table from values in messages to values of the game. Raises MalformedMove for all other values."""

    def __init__(self, known: Iterable[tuple[Any, Any]], refuse: Callable[[Any], str]) -> None:
        super().__init__(known)
        self._refuse = refuse

    def __missing__(self, value: Any) -> NoReturn:
        raise MalformedMove(self._refuse(value))


def _id_codec(ids: Id) -> ValueCodec:
    names, noun = ids.all(), ids.noun
    known = verbatim(", ".join(names)) if len(names) <= _FEW else None

    def refuse(name: str) -> str:
        if not name:
            return phrase("move-name", noun=thing(noun))
        if known is None:
            return phrase("move-no-thing", noun=thing(noun), name=quoted(name))
        return phrase("move-no-thing-of", noun=thing(noun), name=quoted(name), known=known)

    # A table, because -1, which often stands for nothing, is the last index of a tuple.
    written = dict(enumerate(names))
    read = _ReadTable(((name, number) for number, name in written.items()), refuse)
    return ValueCodec(written.__getitem__, read.__getitem__)


def _number_codec(side: str, hint: Hint, noun: str) -> ValueCodec:
    meta = hint.find(Meta)
    if meta is None or meta.ge is None or (meta.le is None and meta.lt is None):
        raise TypeError(f"{side} is a Number without bounds. Add a Meta with a lower and an upper one.")
    last = int(meta.le) if meta.le is not None else int(meta.lt or 0) - 1
    allowed = range(int(meta.ge), last + 1)

    def refuse(number: int) -> str:
        bounds = {"least": allowed[0], "most": allowed[-1]}
        return phrase("move-no-number", noun=thing(noun), number=number, **bounds)

    return ValueCodec(read=_ReadTable(((number, number) for number in allowed), refuse).__getitem__, numbers=allowed)


def _enum_codec(kind: type[IntEnum], wire: EnumDescriptor, without: tuple[Any, ...]) -> ValueCodec:
    """Return the codec of an enum whose members have the same names on both sides. Their numbers may differ."""
    prefix = wire.values[0].name.removesuffix("UNSPECIFIED")
    numbers = {value.name.removeprefix(prefix): value.number for value in wire.values[1:]}
    sent = {name: member for name, member in kind.__members__.items() if member not in without}
    require_same_names(kind.__name__, sent, wire.full_name, numbers)
    written = {sent[name]: number for name, number in numbers.items()}
    noun = re.sub(r"(?<!^)([A-Z])", r" \1", wire.name).lower()

    def refuse(number: int) -> str:
        if not number:
            return phrase("move-name", noun=thing(noun))
        return phrase("move-no-thing", noun=thing(noun), name=number)

    known = _ReadTable(((number, member) for member, number in written.items()), refuse)
    return ValueCodec(written.__getitem__, known.__getitem__)
