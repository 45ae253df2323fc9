"""Messages as JSON Schema (2020-12, as OpenAPI 3.1 has it): what ``json_writer`` writes and ``json_reader`` reads.

What is sent to the service and what it answers have different schemas, as they make different promises:

- Requests are closed: a field that is not known is refused. Answers are open: they can grow.
- In answers whatever is always written is required: each field without presence, and each message whose comment does
  not say when it is absent. In requests only what is refused when it is missing.
- A ``oneof`` is a union of objects, each with its case as a required key, so that programs tell them apart by the key.
  Last comes the object without a case: in answers it stands for those of a newer server.

A message that goes both ways has two schemas; that of the requests is called ``...Input``. Enums have one, a plain
list of names: of one that is open (``anyOf`` with ``string``) both generators that are tested make a mere ``string``.
A ``switch`` would not be checked, and a listed move not accepted by a closed request. That a newer server can send
other names stands in each description.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import product
from typing import Any

from google.api import field_behavior_pb2
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from skerry_service.edge.rest.openapi.comments import description_of, description_of_field
from skerry_service.wire.json_names import reachable_messages

Schema = dict[str, Any]

_PLACE = "#/components/schemas/"
_INT32: Schema = {"type": "integer", "format": "int32"}
_UINT32: Schema = {"type": "integer", "format": "uint32"}
_LONG: Schema = {"type": "string", "format": "int64", "pattern": "^-?(0|[1-9][0-9]{0,18})$"}
_FLOAT: Schema = {"type": "number", "format": "double"}
_SCALARS: dict[int, Schema] = {
    FieldDescriptor.TYPE_INT32: _INT32,
    FieldDescriptor.TYPE_SINT32: _INT32,
    FieldDescriptor.TYPE_SFIXED32: _INT32,
    FieldDescriptor.TYPE_UINT32: _UINT32,
    FieldDescriptor.TYPE_FIXED32: _UINT32,
    FieldDescriptor.TYPE_INT64: _LONG,
    FieldDescriptor.TYPE_SINT64: _LONG,
    FieldDescriptor.TYPE_SFIXED64: _LONG,
    FieldDescriptor.TYPE_UINT64: {"type": "string", "format": "uint64", "pattern": "^(0|[1-9][0-9]{0,19})$"},
    FieldDescriptor.TYPE_FIXED64: {"type": "string", "format": "uint64", "pattern": "^(0|[1-9][0-9]{0,19})$"},
    FieldDescriptor.TYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.TYPE_STRING: {"type": "string"},
    FieldDescriptor.TYPE_BYTES: {"type": "string", "contentEncoding": "base64", "format": "byte"},
    FieldDescriptor.TYPE_DOUBLE: _FLOAT,
    FieldDescriptor.TYPE_FLOAT: _FLOAT,
}
_OF_GOOGLE: dict[str, Schema] = {
    Timestamp.DESCRIPTOR.full_name: {"type": "string", "format": "date-time"},
    Duration.DESCRIPTOR.full_name: {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$"},
}


_GOOGLES = "google.protobuf"
_ABSENT = re.compile(r"\babsent\b", re.IGNORECASE)
_NO_CASE = "unknownKind"
"""A key that is never there. Without it an object with no other fields would be a mere dictionary to generators, in
which any key can be found, so that no key would tell the cases apart."""
_CLOSED: Schema = {"additionalProperties": False}
_EMPTY: Schema = {"maxProperties": 0}
"""Closed too. Generators would make of the other a type that an empty object of an answer cannot be given to."""
_NEVER: Schema = {"allOf": [{"type": "null"}, {"type": "string"}], "description": "Never there."}
_NEWER = "A kind that this description does not know, from a newer server: to be skipped."
_NEWER_VALUES = "A newer server can send others."


class Way(Enum):
    """Where a message goes."""

    REQUEST = "Input"
    ANSWER = ""


class Schemas:
    """The schemas that a description needs, collected while they are referred to.

    ``answered``: the messages that the service answers, with all that are in them.
    """

    def __init__(self, answered: Iterable[Descriptor]) -> None:
        self._answered = {kind.full_name for kind in reachable_messages(answered)}
        self._found: dict[str, Schema] = {}

    def sorted(self) -> dict[str, Schema]:
        """Return every schema by its name."""
        return dict(sorted(self._found.items()))

    def message(self, kind: Descriptor, way: Way) -> Schema:
        """Return a reference to a message's schema."""
        if kind.full_name in _OF_GOOGLE:
            return dict(_OF_GOOGLE[kind.full_name])
        if kind.file.package == _GOOGLES:
            raise ValueError(f"it is not known yet how {kind.full_name} is described")
        name = kind.full_name + (way.value if kind.full_name in self._answered else "")
        if name not in self._found:
            self._found[name] = {}  # first of all, as messages can hold themselves
            self._found[name] |= self.object_of(kind, kind.fields, way)
        return {"$ref": _PLACE + name}

    def object_of(self, kind: Descriptor, fields: Iterable[FieldDescriptor], way: Way) -> Schema:
        """Return the schema of an object with some of a message's fields."""
        fields = list(fields)
        choices = [one for one in kind.oneofs if not _only_marks_presence(one) and one.fields[0] in fields]
        if not choices:
            return {"description": description_of(kind.file, kind.full_name), **self._object(fields, (), way)}
        common = [field for field in fields if field.containing_oneof not in choices]
        each = [(*one.fields, None) for one in choices]  # the last: that no case is set
        variants = [self._variant(common, cases, choices, way) for cases in product(*each)]
        return {"description": description_of(kind.file, kind.full_name), "oneOf": variants}

    def _variant(
        self,
        common: Sequence[FieldDescriptor],
        cases: Sequence[FieldDescriptor | None],
        choices: Sequence[OneofDescriptor],
        way: Way,
    ) -> Schema:
        """Return one object of a union: with its cases and without every other."""
        schema = self._object(common, [case for case in cases if case is not None], way)
        if not schema["properties"]:
            schema["properties"] = {_NO_CASE: _NEVER}
        if way is Way.ANSWER and None in cases:
            unheld = [one for one, held in zip(choices, cases, strict=True) if held is None]
            known = [case.json_name for one in unheld for case in one.fields]
            schema |= {"description": _NEWER, "propertyNames": {"not": {"enum": known}}}
        return schema

    def _object(self, fields: Iterable[FieldDescriptor], cases: Iterable[FieldDescriptor], way: Way) -> Schema:
        """Return the schema of an object with those fields, and those cases of choices."""
        fields, cases = list(fields), list(cases)
        schema: Schema = {"type": "object"}
        if required := [one.json_name for one in fields if _is_needed(one, way)] + [one.json_name for one in cases]:
            schema["required"] = required
        schema["properties"] = {field.json_name: self.field(field, way) for field in [*fields, *cases]}
        if way is Way.REQUEST:
            schema |= _CLOSED if schema["properties"] else _EMPTY
        return schema

    def field(self, field: FieldDescriptor, way: Way) -> Schema:
        """Return a field's schema, with its comment."""
        entry = field.message_type
        if entry is not None and entry.GetOptions().map_entry:
            schema = {"type": "object", "additionalProperties": self._single(entry.fields_by_name["value"], way)}
        elif field.is_repeated:
            schema = {"type": "array", "items": self._single(field, way)}
        else:
            schema = dict(self._single(field, way))
        if comment := description_of_field(field):
            schema["description"] = comment
        return schema

    def _single(self, field: FieldDescriptor, way: Way) -> Schema:
        if field.message_type is not None:
            return self.message(field.message_type, way)
        if field.enum_type is not None:
            return self._enum(field.enum_type)
        return _SCALARS[field.type]

    def _enum(self, kind: EnumDescriptor) -> Schema:
        if kind.full_name not in self._found:
            lines = [f"{description_of(kind.file, kind.full_name)} {_NEWER_VALUES}", ""]
            lines += [
                f"- `{one.name}`: {description_of(kind.file, f'{kind.full_name}.{one.name}')}" for one in kind.values
            ]
            names = [value.name for value in kind.values]
            self._found[kind.full_name] = {"type": "string", "enum": names, "description": "\n".join(lines)}
        return {"$ref": _PLACE + kind.full_name}


def is_required(field: FieldDescriptor) -> bool:
    """Whether a request without the field is refused."""
    options: Any = field.GetOptions()  # the types of extensions are not declared
    return field_behavior_pb2.REQUIRED in options.Extensions[field_behavior_pb2.field_behavior]


def may_be_absent(field: FieldDescriptor) -> bool:
    """Whether an answer can be without the field: messages are there unless their comment says when they are absent."""
    if field.message_type is None or field.is_repeated or field.containing_oneof is not None:
        return field.has_presence
    endless = any(field in inner.fields for inner in reachable_messages([field.message_type]))
    return endless or bool(_ABSENT.search(description_of_field(field)))


def _is_needed(field: FieldDescriptor, way: Way) -> bool:
    if way is Way.REQUEST:
        return is_required(field)
    return not may_be_absent(field)


def _only_marks_presence(one: OneofDescriptor) -> bool:
    """Whether protobuf made it up for an ``optional`` field."""
    return len(one.fields) == 1 and one.name == f"_{one.fields[0].name}"
