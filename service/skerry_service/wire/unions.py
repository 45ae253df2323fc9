"""Codecs of moves and events, derived from the structs of a game and from its messages.

A ``UnionCodec`` pairs a union of structs with a message that has one oneof. Each struct has a case whose type has the
same name, and both have the same field names. The types give the conversion of each field:

- Enums match by the names of their members.
- ``None`` is an absent field.
- A tuple is a repeated field, or a message whose fields are its items, in the order of their numbers.
- A struct is a message.

A game adds a ``ValueCodec`` for field names that need more, for example numbers that have ids in messages. If the two
sides differ, the import fails with a TypeError that names both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from operator import attrgetter
from types import NoneType
from typing import Any, Final, Generic, NamedTuple, NoReturn, TypeVar, get_args, get_origin, get_type_hints

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from msgspec import Struct
from msgspec.structs import asdict

from skerry_games.api import MalformedMove

M = TypeVar("M", bound=Message)
S = TypeVar("S")
Convert = Callable[[Any], Any]

_PLAIN: Final[Mapping[Any, tuple[int, ...]]] = {
    int: (FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64),
    bool: (FieldDescriptor.CPPTYPE_BOOL,),
    str: (FieldDescriptor.CPPTYPE_STRING,),
}


def identity(value: Any) -> Any:
    """Return the value unchanged: both sides represent it equally."""
    return value


class ValueCodec(NamedTuple):
    """Two functions that convert one value, or one item of a list.

    For a message, ``write`` returns a mapping of its fields. ``read`` raises MalformedMove.
    """

    write: Convert = identity
    read: Convert = identity


@dataclass(frozen=True)
class UnionCodec(Generic[M, S]):
    """Two functions that convert between a union of structs and its message. ``read`` raises MalformedMove."""

    write: Callable[[S], M]
    read: Callable[[M], S]


class _ValueTable(dict[Any, Any]):
    """A table from values in messages to values of the game. Raises MalformedMove for all other values."""

    def __init__(self, known: Iterable[tuple[Any, Any]], refuse: Callable[[Any], str]) -> None:
        super().__init__(known)
        self._refuse = refuse

    def __missing__(self, value: Any) -> NoReturn:
        raise MalformedMove(self._refuse(value))


def id_codec(names: Sequence[str], noun: str, where: str = "") -> ValueCodec:
    """Return a codec from indexes of ``names`` to the names themselves. ``noun`` names the value in errors."""

    def refuse(name: str) -> str:
        return f"There is no {noun} {name!r}{where}." if name else f"Name the {noun}."

    known = _ValueTable(((name, number) for number, name in enumerate(names)), refuse)
    return ValueCodec(tuple(names).__getitem__, known.__getitem__)


def number_codec(allowed: range, noun: str) -> ValueCodec:
    """Return a codec of numbers that are equal on both sides. ``read`` accepts only the allowed ones."""

    def refuse(number: int) -> str:
        return f"There is no {noun} {number}: {noun}s are numbered {allowed[0]} to {allowed[-1]}."

    return ValueCodec(read=_ValueTable(((number, number) for number in allowed), refuse).__getitem__)


def enum_codec(members: type[IntEnum], wire: EnumDescriptor) -> ValueCodec:
    """Return the codec of an enum whose members have the same names on both sides. Their numbers may differ."""
    prefix = wire.values[0].name.removesuffix("UNSPECIFIED")
    numbers = {value.name.removeprefix(prefix): value.number for value in wire.values[1:]}
    _require_same_names(members.__name__, members.__members__, wire.full_name, numbers)
    written = {members[name]: number for name, number in numbers.items()}
    noun = re.sub(r"(?<!^)([A-Z])", r" \1", wire.name).lower()

    def refuse(number: int) -> str:
        return f"There is no {noun} {number}." if number else f"Name the {noun}."

    known = _ValueTable(((number, member) for member, number in written.items()), refuse)
    same = all(member == number for member, number in written.items())
    return ValueCodec(identity if same else written.__getitem__, known.__getitem__)


def union_codec(
    message: type[M],
    structs: Any,
    field_codecs: Mapping[str, ValueCodec],
    *,
    required: Mapping[str, str] | None = None,
    checks: Mapping[type, Convert] | None = None,
) -> UnionCodec[M, Any]:
    """Return the codec between a union of structs and a message.

    ``field_codecs``: the codecs of fields by name, where the types are not enough. ``required``: fields that can be
    absent in written messages but not in read ones, each with the sentence of its error. ``checks``: a function for
    each struct that checks a value that was read, and returns it or an equal one.
    """
    oneof = _oneof(message)
    members = {member.__name__: member for member in get_args(structs) or (structs,)}
    cases: dict[str, Any] = {(field.message_type or field).name: field for field in oneof.fields}
    _require_same_names(str(structs), members, message.DESCRIPTOR.full_name, cases)
    builder = _CodecBuilder(field_codecs, required or {})
    pairs = {name: builder.struct(member, cases[name].message_type) for name, member in members.items()}
    writers = {member: (cases[name].name, pairs[name].write) for name, member in members.items()}
    readers = {cases[name].name: _chain(pairs[name].read, (checks or {}).get(members[name])) for name in members}

    def write(value: Any) -> M:
        case, fields = writers[type(value)]
        return message(**{case: fields(value)})

    def read(sent: M) -> Any:
        case = sent.WhichOneof(oneof.name)
        if case is None:
            raise MalformedMove("The move is empty. Set one of its kinds.")
        return readers[case](getattr(sent, case))

    return UnionCodec(write, read)


def _oneof(message: type[Message]) -> Any:
    oneofs = message.DESCRIPTOR.oneofs
    if len(oneofs) != 1:
        raise TypeError(f"{message.DESCRIPTOR.full_name} has {len(oneofs)} oneofs, where a union has one.")
    return oneofs[0]


def _require_same_names(side: str, names: Iterable[str], other: str, others: Iterable[str]) -> None:
    if odd := sorted({*names} ^ {*others}):
        raise TypeError(f"{side} and {other} differ: only one of them has {', '.join(odd)}.")


def _chain(first: Convert, second: Convert | None) -> Convert:
    return first if second is None else lambda value: second(first(value))


@dataclass(frozen=True)
class _CodecBuilder:
    field_codecs: Mapping[str, ValueCodec]
    required: Mapping[str, str]

    def struct(self, struct: type, message: Descriptor) -> ValueCodec:
        return self._record(struct.__name__, get_type_hints(struct), message, asdict, struct)

    def _pair(self, side: str, hints: tuple[Any, ...], message: Descriptor) -> ValueCodec:
        names = [field.name for field in sorted(message.fields, key=attrgetter("number"))]
        if len(names) != len(hints):
            raise TypeError(f"{side} and {message.full_name} differ: {len(hints)} values face {len(names)} fields.")
        named = dict(zip(names, hints, strict=True))
        return self._record(side, named, message, lambda pair: dict(zip(names, pair, strict=True)), _as_tuple)

    def _record(
        self, side: str, hints: dict[str, Any], message: Descriptor, part: Convert, make: Convert
    ) -> ValueCodec:
        """Return the codec of a message: ``part`` splits a value into fields by name, ``make`` joins them again."""
        fields = message.fields_by_name
        _require_same_names(side, hints, message.full_name, fields)
        codecs = {name: self._field(f"{side}.{name}", hint, fields[name]) for name, hint in hints.items()}
        writers = [(name, codec.write) for name, codec in codecs.items() if codec.write is not identity]
        readers = [(at, codec.read) for at, codec in enumerate(codecs.values()) if codec.read is not identity]
        names = list(hints)
        optional = [(at, name) for at, name in enumerate(names) if fields[name].has_presence]
        get = _getter(names)

        def write(value: Any) -> dict[str, Any]:
            named: dict[str, Any] = part(value)
            for name, convert in writers:
                named[name] = convert(named[name])
            return named

        def read(sent: Message) -> Any:
            values = [*get(sent)]
            for at, name in optional:
                if not sent.HasField(name):
                    values[at] = None
            for at, convert in readers:
                values[at] = convert(values[at])
            return make(*values)

        if len(names) == len(readers) == 1 and not optional:
            return ValueCodec(write if writers else part, _read_single_field(make, names[0], readers[0][1]))
        return ValueCodec(write if writers else part, read)

    def _field(self, side: str, hint: Any, field: FieldDescriptor) -> ValueCodec:
        """Return the codec of a field. Raises TypeError if the two sides differ."""
        optional = NoneType in get_args(hint)
        if optional:
            (hint,) = (each for each in get_args(hint) if each is not NoneType)
        if field.is_repeated != (get_origin(hint) is tuple and (field.is_repeated or ... in get_args(hint))):
            raise TypeError(f"{side} and {field.full_name} differ: only one of them is a list.")
        if optional != field.has_presence and (optional or not field.message_type):
            raise TypeError(f"{side} and {field.full_name} differ: only one of them can be absent.")
        if field.is_repeated:
            return _list_codec(self._value(side, get_args(hint)[0], field))
        codec = self._value(side, hint, field)
        if not field.has_presence:
            return codec
        missing = "" if optional else f"The move has no `{field.name}`. Set this field."
        return _optional_codec(codec, self.required.get(field.name, missing))

    def _value(self, side: str, hint: Any, field: FieldDescriptor) -> ValueCodec:
        """Return the codec of one value, or of one item of a list. The game's own codec takes precedence."""
        cls = hint if isinstance(hint, type) else object
        if field.name in self.field_codecs:
            return self.field_codecs[field.name]
        if field.message_type and get_origin(hint) is tuple and ... not in get_args(hint):
            return self._pair(side, get_args(hint), field.message_type)
        if field.message_type and issubclass(cls, Struct):
            return self.struct(cls, field.message_type)
        if field.enum_type and issubclass(cls, IntEnum):
            return enum_codec(cls, field.enum_type)
        if field.cpp_type in _PLAIN.get(hint, ()):
            return ValueCodec()
        raise TypeError(f"{side} and {field.full_name} differ: {hint} does not match the type of the field.")


def _getter(names: list[str]) -> Callable[[Message], Iterable[Any]]:
    """Return a function that reads all these fields of a message."""
    return attrgetter(*names) if len(names) > 1 else lambda sent: [getattr(sent, name) for name in names]


def _as_tuple(*values: Any) -> tuple[Any, ...]:
    return values


def _read_single_field(make: Convert, name: str, convert: Convert) -> Convert:
    """Return a function that reads a message with a single field, faster than the general one."""
    get = attrgetter(name)
    return lambda sent: make(convert(get(sent)))


def _list_codec(item: ValueCodec) -> ValueCodec:
    write, read = item
    return ValueCodec(
        write if write is identity else lambda values: [write(each) for each in values],
        tuple if read is identity else lambda values: tuple([read(each) for each in values]),
    )


def _optional_codec(value_codec: ValueCodec, sentence: str) -> ValueCodec:
    """Return the codec of a field that can be absent. With a sentence, it can be absent only in written messages."""
    write, read = value_codec

    def read_if_present(value: Any) -> Any:
        if value is not None:
            return read(value)
        if sentence:
            raise MalformedMove(sentence)
        return None

    return ValueCodec(
        write if write is identity else lambda value: None if value is None else write(value), read_if_present
    )
