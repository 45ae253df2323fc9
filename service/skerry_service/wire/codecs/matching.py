"""Matches the structs of a game with its messages, field by field, and refuses two sides that differ.

A plan is the result: what readers and writers have to do. Both sides have the same names of structs in a union, of
fields, and of enum members. The types say the rest:

- ``None`` is an absent field. A field with another default is read as its default if it is absent.
- A tuple is a repeated field. A tuple of a fixed length can also be a message, whose fields are its items in order.
- A struct is a message.
- A message with a single field stands for the value of that field, because protobuf has no lists of lists.
- ``skerry_games.annotations`` has the annotations that a field may need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from operator import attrgetter
from typing import Any, get_args

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from msgspec import NODEFAULT, Struct

from skerry_games.annotations import As, Hidden, Numbered
from skerry_service.wire.codecs.hints import Hint, field_hints, parse_hint
from skerry_service.wire.codecs.values import ValueCodec, require_same_names, value_codec


@dataclass(frozen=True, slots=True)
class MessagePlan:
    """A value that is a message."""

    descriptor: Descriptor
    fields: tuple[FieldPlan, ...]
    split: Callable[[Any], tuple[Any, ...]]
    """Return the values of the fields, in their order."""
    join: Callable[..., Any]
    """Return the value with these values of the fields."""
    noun: str = ""
    """Names the value in errors."""


@dataclass(frozen=True, slots=True)
class PlacePlan:
    """The field in which an item of a list names its place, and the places."""

    field: FieldDescriptor
    value: Callable[[int], Any]
    """Return the value of the field for an item, by the index of the item."""
    sparse: bool


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """A field of a message, and what its values are."""

    field: FieldDescriptor
    value: MessagePlan | ValueCodec
    """The value, or an item of the list."""
    optional: bool
    hidden: str
    """The noun of a field that is absent for some viewers, or nothing."""
    default: Any
    """The value in the struct, if it has one; otherwise ``NODEFAULT``."""
    place: PlacePlan | None = None


def numbers_in(plan: MessagePlan) -> Iterator[tuple[str, range]]:
    """Yield each limited number inside a message: the full name of its field, and what it can be."""
    for one in plan.fields:
        if isinstance(one.value, MessagePlan):
            yield from numbers_in(one.value)
        elif one.value.numbers is not None:
            yield one.field.full_name, one.value.numbers


def match_struct(struct: type, message: Descriptor, without: str = "") -> MessagePlan:
    """Return the plan of a struct. ``without``: a field of the message that the struct lacks. Raises TypeError."""
    hints = field_hints(struct)
    fields = _fields(message, without)
    require_same_names(struct.__name__, hints, message.full_name, (field.name for field in fields))
    names, defaults = list(hints), _defaults(struct)
    by_name = {field.name: field for field in fields}
    plans = [
        _match_field(f"{struct.__name__}.{name}", hints[name], by_name[name], defaults.get(name, NODEFAULT))
        for name in names
    ]
    return MessagePlan(message, tuple(plans), _splitter(names), struct)


def _defaults(struct: Any) -> dict[str, Any]:
    """Return the defaults of a struct. ``msgspec.structs.fields`` takes as long as the rest of the matching."""
    defaults = struct.__struct_defaults__
    return dict(zip(struct.__struct_fields__[-len(defaults) :], defaults, strict=True)) if defaults else {}


def _splitter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple([getattr(value, name) for name in names])


def _fields(message: Descriptor, without: str = "") -> list[FieldDescriptor]:
    return sorted((field for field in message.fields if field.name != without), key=attrgetter("number"))


def _match_field(side: str, hint: Hint, field: FieldDescriptor, default: Any = NODEFAULT) -> FieldPlan:
    """Return the plan of a field. Raises TypeError if the two sides differ."""
    many = field.is_repeated
    if many != (hint.is_list or (many and hint.is_record)):
        raise TypeError(f"{side} and {field.full_name} differ: only one of them is a list.")
    can_be_absent = hint.optional or (field.has_presence and default is not NODEFAULT)
    if can_be_absent != field.has_presence and (can_be_absent or field.message_type is None):
        raise TypeError(f"{side} and {field.full_name} differ: only one of them can be absent.")
    hidden, numbered = hint.find(Hidden), hint.find(Numbered)
    item = hint.items[0] if many else hint
    place = _match_place(side, numbered, field) if many and numbered else None
    value = _match_value(side, item, field, numbered.field if place and numbered else "")
    return FieldPlan(field, value, hint.optional, hidden.noun if hidden else "", default, place)


def _match_value(side: str, hint: Hint, field: FieldDescriptor, without: str = "") -> MessagePlan | ValueCodec:
    if (other := hint.find(As)) is not None:
        return _match_other(side, other, field, without)
    message, kind = field.message_type, hint.kind
    if message is None:
        return value_codec(side, hint, field)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return match_struct(kind, message, without)
    fields = _fields(message, without)
    if len(fields) == 1:
        plan = _match_field(side, hint, fields[0])
        return MessagePlan(message, (plan,), lambda value: (value,), lambda value: value)
    if hint.is_record:
        if len(fields) != len(hint.items):
            found = f"{len(hint.items)} values face {len(fields)} fields"
            raise TypeError(f"{side} and {message.full_name} differ: {found}.")
        plans = tuple(_match_field(side, item, one) for item, one in zip(hint.items, fields, strict=True))
        return MessagePlan(message, plans, lambda value: value, lambda *values: values)
    raise TypeError(f"{side} and {field.full_name} differ: {kind} does not match the type of the field.")


def _match_other(side: str, other: As, field: FieldDescriptor, without: str) -> MessagePlan | ValueCodec:
    """Return the plan of a value that messages show as a value of another type."""
    plan = _match_value(side, parse_hint(other.kind), field, without)
    if isinstance(plan, ValueCodec):
        write, read = plan.write, plan.read
        return ValueCodec(lambda value: write(other.write(value)), lambda value: other.read(read(value)))
    split, join = plan.split, plan.join
    return replace(
        plan,
        split=lambda value: split(other.write(value)),
        join=lambda *values: other.read(join(*values)),
        noun=other.noun,
    )


def _match_place(side: str, numbered: Numbered, field: FieldDescriptor) -> PlacePlan:
    message = field.message_type
    if message is None or numbered.field not in message.fields_by_name:
        raise TypeError(f"{side} and {field.full_name} differ: the items of the field lack {numbered.field}.")
    named = message.fields_by_name[numbered.field]
    hint = parse_hint(numbered.kind)
    write = value_codec(f"{side}.{numbered.field}", hint, named).write
    if isinstance(hint.kind, type) and issubclass(hint.kind, IntEnum):
        members = tuple(hint.kind)
        return PlacePlan(named, lambda at: write(members[at]), numbered.sparse)
    return PlacePlan(named, lambda at: write(numbered.start + at), numbered.sparse)


def match_union(union: Any, message: Descriptor) -> Mapping[type, tuple[FieldDescriptor, MessagePlan]]:
    """Return for each struct of a union its case in the message's oneof, and its plan. Raises TypeError."""
    structs: dict[str, type] = {struct.__name__: struct for struct in get_args(union) or (union,)}
    oneofs = message.oneofs
    if len(oneofs) != 1:
        raise TypeError(f"{message.full_name} has {len(oneofs)} oneofs, where a union has one.")
    cases = {kind.name: (field, kind) for field in oneofs[0].fields if (kind := field.message_type) is not None}
    require_same_names(" | ".join(structs), structs, message.full_name, cases)
    return {structs[name]: (field, match_struct(structs[name], kind)) for name, (field, kind) in cases.items()}
