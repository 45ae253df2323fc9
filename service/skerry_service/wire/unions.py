"""Moves and events of a game between the engine and the wire, derived from what both sides say of themselves.

A codec pairs a union of structs with a message whose one oneof has a case for each of them. Both sides use the same
names: the type of a case is called like its struct, and the fields of the two are called alike. The rest follows from
their types: enums go by the names of their members, ``None`` is an absent field, a tuple is a repeated field, a struct
is a message, and a tuple that faces a single message has its fields in the order of their numbers. What only the game
knows, above all which numbers have ids, it says once, as a ``ValueCodec`` for all fields of a name.

Where the two sides differ, the import fails with a TypeError that names both.
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


def as_it_is(value: Any) -> Any:
    """Return the value: it is the same on both sides."""
    return value


class ValueCodec(NamedTuple):
    """How one value is written and read, each of a list by itself.

    What is written for a message is a mapping of its fields. ``read`` raises MalformedMove.
    """

    write: Convert = as_it_is
    read: Convert = as_it_is


@dataclass(frozen=True)
class UnionCodec(Generic[M, S]):
    """Both ways between a union of structs and its message. ``read`` raises MalformedMove."""

    write: Callable[[S], M]
    read: Callable[[M], S]


class _ValueTable(dict[Any, Any]):
    """What values are read as. For all others there is a sentence."""

    def __init__(self, known: Iterable[tuple[Any, Any]], refuse: Callable[[Any], str]) -> None:
        super().__init__(known)
        self._refuse = refuse

    def __missing__(self, value: Any) -> NoReturn:
        raise MalformedMove(self._refuse(value))


def id_codec(names: Sequence[str], what: str, where: str = "") -> ValueCodec:
    """Return the kind of numbers that are written as the names at these places."""

    def refuse(name: str) -> str:
        return f"There is no {what} {name!r}{where}." if name else f"Name the {what}."

    known = _ValueTable(((name, number) for number, name in enumerate(names)), refuse)
    return ValueCodec(tuple(names).__getitem__, known.__getitem__)


def number_codec(among: range, what: str) -> ValueCodec:
    """Return the kind of numbers that are written as they are, and of which there are just these."""

    def refuse(number: int) -> str:
        return f"There is no {what} {number}: {what}s are numbered {among[0]} to {among[-1]}."

    return ValueCodec(read=_ValueTable(((number, number) for number in among), refuse).__getitem__)


def enum_codec(members: type[IntEnum], wire: EnumDescriptor) -> ValueCodec:
    """Return the kind of an enum whose members have the same names on both sides; the numbers may differ."""
    prefix = wire.values[0].name.removesuffix("UNSPECIFIED")
    numbers = {value.name.removeprefix(prefix): value.number for value in wire.values[1:]}
    _same(members.__name__, members.__members__, wire.full_name, numbers)
    written = {members[name]: number for name, number in numbers.items()}
    what = re.sub(r"(?<!^)([A-Z])", r" \1", wire.name).lower()

    def refuse(number: int) -> str:
        return f"There is no {what} {number}." if number else f"Name the {what}."

    known = _ValueTable(((number, member) for member, number in written.items()), refuse)
    same = all(member == number for member, number in written.items())
    return ValueCodec(as_it_is if same else written.__getitem__, known.__getitem__)


def union_codec(
    message: type[M],
    structs: Any,
    kinds: Mapping[str, ValueCodec],
    *,
    required: Mapping[str, str] | None = None,
    checks: Mapping[type, Convert] | None = None,
) -> UnionCodec[M, Any]:
    """Return both ways between the structs and the message.

    ``absent`` has by name the fields that may be absent in what is written, but not in what is read, each with the
    sentence that refuses it. ``then`` has by type what checks a value that was read, and returns it or an equal one.
    """
    oneof = _oneof(message)
    members = {member.__name__: member for member in get_args(structs) or (structs,)}
    cases: dict[str, Any] = {(field.message_type or field).name: field for field in oneof.fields}
    _same(str(structs), members, message.DESCRIPTOR.full_name, cases)
    sides = _Sides(kinds, required or {})
    pairs = {name: sides.struct(member, cases[name].message_type) for name, member in members.items()}
    writers = {member: (cases[name].name, pairs[name].write) for name, member in members.items()}
    readers = {cases[name].name: _in_turn(pairs[name].read, (checks or {}).get(members[name])) for name in members}

    def write(value: Any) -> M:
        case, fields = writers[type(value)]
        return message(**{case: fields(value)})

    def read(sent: M) -> Any:
        case = sent.WhichOneof(oneof.name)
        if case is None:
            raise MalformedMove("The move is empty: set one of its kinds.")
        return readers[case](getattr(sent, case))

    return UnionCodec(write, read)


def _oneof(message: type[Message]) -> Any:
    oneofs = message.DESCRIPTOR.oneofs
    if len(oneofs) != 1:
        raise TypeError(f"{message.DESCRIPTOR.full_name} has {len(oneofs)} oneofs, where a union has one.")
    return oneofs[0]


def _same(one: str, names: Iterable[str], other: str, others: Iterable[str]) -> None:
    if odd := sorted({*names} ^ {*others}):
        raise TypeError(f"{one} and {other} differ: only one of them has {', '.join(odd)}.")


def _in_turn(first: Convert, then: Convert | None) -> Convert:
    return first if then is None else lambda value: then(first(value))


@dataclass(frozen=True)
class _Sides:
    kinds: Mapping[str, ValueCodec]
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
        """Return how the fields of a message are written, once they are parted by name, and read and put together."""
        fields = message.fields_by_name
        _same(side, hints, message.full_name, fields)
        kinds = {name: self._field(f"{side}.{name}", hint, fields[name]) for name, hint in hints.items()}
        writers = [(name, kind.write) for name, kind in kinds.items() if kind.write is not as_it_is]
        readers = [(at, kind.read) for at, kind in enumerate(kinds.values()) if kind.read is not as_it_is]
        names = list(hints)
        may_lack = [(at, name) for at, name in enumerate(names) if fields[name].has_presence]
        get = _getter(names)

        def write(value: Any) -> dict[str, Any]:
            named: dict[str, Any] = part(value)
            for name, convert in writers:
                named[name] = convert(named[name])
            return named

        def read(sent: Message) -> Any:
            values = [*get(sent)]
            for at, name in may_lack:
                if not sent.HasField(name):
                    values[at] = None
            for at, convert in readers:
                values[at] = convert(values[at])
            return make(*values)

        if len(names) == len(readers) == 1 and not may_lack:
            return ValueCodec(write if writers else part, _one(make, names[0], readers[0][1]))
        return ValueCodec(write if writers else part, read)

    def _field(self, side: str, hint: Any, field: FieldDescriptor) -> ValueCodec:
        """Return how a whole field is written and read. Raises TypeError if the two sides differ."""
        optional = NoneType in get_args(hint)
        if optional:
            (hint,) = (each for each in get_args(hint) if each is not NoneType)
        if field.is_repeated != (get_origin(hint) is tuple and (field.is_repeated or ... in get_args(hint))):
            raise TypeError(f"{side} and {field.full_name} differ: only one of them is a list.")
        if optional != field.has_presence and (optional or not field.message_type):
            raise TypeError(f"{side} and {field.full_name} differ: only one of them can be absent.")
        if field.is_repeated:
            return _each(self._value(side, get_args(hint)[0], field))
        kind = self._value(side, hint, field)
        if not field.has_presence:
            return kind
        lacking = "" if optional else f"Your move lacks its field `{field.name}`."
        return _unless_absent(kind, self.required.get(field.name, lacking))

    def _value(self, side: str, hint: Any, field: FieldDescriptor) -> ValueCodec:
        """Return how a value, or each of a list, is written and read: as the game says, or else as the types say."""
        kind = hint if isinstance(hint, type) else object
        if field.name in self.kinds:
            return self.kinds[field.name]
        if field.message_type and get_origin(hint) is tuple and ... not in get_args(hint):
            return self._pair(side, get_args(hint), field.message_type)
        if field.message_type and issubclass(kind, Struct):
            return self.struct(kind, field.message_type)
        if field.enum_type and issubclass(kind, IntEnum):
            return enum_codec(kind, field.enum_type)
        if field.cpp_type in _PLAIN.get(hint, ()):
            return ValueCodec()
        raise TypeError(f"{side} and {field.full_name} differ: the one is {hint}, the other is of another type.")


def _getter(names: list[str]) -> Callable[[Message], Iterable[Any]]:
    """Return what gets all these fields."""
    return attrgetter(*names) if len(names) > 1 else lambda sent: [getattr(sent, name) for name in names]


def _as_tuple(*values: Any) -> tuple[Any, ...]:
    return values


def _one(make: Convert, name: str, convert: Convert) -> Convert:
    """Return what reads a message of one field, faster than a message of many is read."""
    get = attrgetter(name)
    return lambda sent: make(convert(get(sent)))


def _each(kind: ValueCodec) -> ValueCodec:
    write, read = kind
    return ValueCodec(
        write if write is as_it_is else lambda values: [write(each) for each in values],
        tuple if read is as_it_is else lambda values: tuple([read(each) for each in values]),
    )


def _unless_absent(kind: ValueCodec, sentence: str) -> ValueCodec:
    """Return the kind of what may be absent, but with a sentence only where it is written."""
    write, read = kind

    def read_if_there(value: Any) -> Any:
        if value is not None:
            return read(value)
        if sentence:
            raise MalformedMove(sentence)
        return None

    return ValueCodec(
        write if write is as_it_is else lambda value: None if value is None else write(value), read_if_there
    )
