"""Messages as JSON Schema (2020-12, the dialect of OpenAPI 3.1): what ``json_writer`` writes and ``json_reader`` reads.

Requests and answers have different schemas, because they make different promises:

- Requests are closed: the server rejects unknown fields. Answers are open: a newer server can add fields.
- In answers, every field that is always present is required: fields without presence, and messages whose comment does
  not say when they are absent. In requests, only the fields that the server requires are required; all others can be
  ``null``, and fields have the bounds that the server checks.
- A ``oneof`` is a union of objects. Each has its case as a required key, so that programs distinguish them by the key.
  The last object has no case. In answers it stands for the cases of a newer server.

A message in both directions has two schemas; that of requests is called ``...Input``. An enum has one schema, a closed
list of names. Of an open one (``anyOf`` with ``string``) both tested generators make a plain ``string``: a ``switch``
would not be checked, and a closed request would not accept a listed move. Each description says that a newer server can
send other names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from itertools import product
from typing import Any

from google.api import field_behavior_pb2
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from skerry_service.edge.rest.openapi.comments import description_of, description_of_field
from skerry_service.edge.rest.openapi.constraints import Constraints, nullable
from skerry_service.wire.json_names import reachable_messages

Schema = dict[str, Any]

_SCHEMAS_PATH = "#/components/schemas/"
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
_GOOGLE_SCHEMAS: dict[str, Schema] = {
    Timestamp.DESCRIPTOR.full_name: {"type": "string", "format": "date-time"},
    Duration.DESCRIPTOR.full_name: {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$"},
}


NO_NUMBERS: Mapping[str, range] = {}
_GOOGLE_PACKAGE = "google.protobuf"
_ABSENT = re.compile(r"\babsent\b", re.IGNORECASE)
_NO_CASE = "unknownKind"
"""A key that never occurs. Without it, generators would treat an object without fields as a dictionary with any
key, and no key would distinguish the cases."""
_CLOSED: Schema = {"additionalProperties": False}
_EMPTY: Schema = {"maxProperties": 0}
"""Also closed. From ``_CLOSED`` generators make a type that does not accept an empty object of an answer."""
_NEVER: Schema = {"type": "null", "not": {}, "description": "Never present."}
_NEWER = "A case from a newer server, which this description does not know. Skip it."
_NEWER_VALUES = "A newer server can send other values."


class Direction(Enum):
    """The direction of a message. The value is the suffix of its schema's name."""

    REQUEST = "Input"
    ANSWER = ""


class Schemas:
    """The schemas of a description, collected as they are referenced.

    ``answered``: the messages that RPCs return. Messages inside them are included.
    """

    def __init__(self, answered: Iterable[Descriptor], numbers: Mapping[str, range] = NO_NUMBERS) -> None:
        """``numbers``: the bounds of numbers in moves, by the full name of the field."""
        self._answered = {kind.full_name for kind in reachable_messages(answered)}
        self._constraints = Constraints(numbers)
        self._found: dict[str, Schema] = {}

    def sorted(self) -> dict[str, Schema]:
        """Return the schemas by name."""
        return dict(sorted(self._found.items()))

    def message(self, kind: Descriptor, direction: Direction) -> Schema:
        """Return a reference to a message's schema."""
        if kind.full_name in _GOOGLE_SCHEMAS:
            return dict(_GOOGLE_SCHEMAS[kind.full_name])
        if kind.file.package == _GOOGLE_PACKAGE:
            raise ValueError(f"no schema is defined for {kind.full_name}")
        name = kind.full_name + (direction.value if kind.full_name in self._answered else "")
        if name not in self._found:
            self._found[name] = {}  # before its fields, as messages can be recursive
            self._found[name] |= self.object_of(kind, kind.fields, direction)
        return {"$ref": _SCHEMAS_PATH + name}

    def object_of(self, kind: Descriptor, fields: Iterable[FieldDescriptor], direction: Direction) -> Schema:
        """Return the schema of an object with some of a message's fields."""
        fields = list(fields)
        choices = [oneof for oneof in kind.oneofs if not _only_marks_presence(oneof) and oneof.fields[0] in fields]
        if not choices:
            return {"description": description_of(kind.file, kind.full_name), **self._object(fields, (), direction)}
        common = [field for field in fields if field.containing_oneof not in choices]
        each = [(*choice.fields, None) for choice in choices]  # None: no case is set
        variants = [self._variant(common, cases, choices, direction) for cases in product(*each)]
        return {"description": description_of(kind.file, kind.full_name), "oneOf": variants}

    def _variant(
        self,
        common: Sequence[FieldDescriptor],
        cases: Sequence[FieldDescriptor | None],
        choices: Sequence[OneofDescriptor],
        direction: Direction,
    ) -> Schema:
        """Return one object of a union, with the given cases and no others."""
        schema = self._object(common, [case for case in cases if case is not None], direction)
        if not schema["properties"]:
            schema["properties"] = {_NO_CASE: _NEVER}
        if direction is Direction.ANSWER and None in cases:
            unset = [choice for choice, case in zip(choices, cases, strict=True) if case is None]
            known = [case.json_name for choice in unset for case in choice.fields]
            schema |= {"description": _NEWER, "propertyNames": {"not": {"enum": known}}}
        return schema

    def _object(
        self, fields: Iterable[FieldDescriptor], cases: Iterable[FieldDescriptor], direction: Direction
    ) -> Schema:
        """Return the schema of an object with these fields, and these cases of its oneofs."""
        fields, cases = list(fields), list(cases)
        schema: Schema = {"type": "object"}
        required = [field.json_name for field in fields if _is_needed(field, direction)]
        if required := required + [case.json_name for case in cases]:
            schema["required"] = required
        schema["properties"] = {
            field.json_name: self._property(field, direction, is_required=field.json_name in required)
            for field in [*fields, *cases]
        }
        if direction is Direction.REQUEST:
            schema |= _CLOSED if schema["properties"] else _EMPTY
        return schema

    def _property(self, field: FieldDescriptor, direction: Direction, *, is_required: bool) -> Schema:
        schema = self.field(field, direction)
        return schema if is_required or direction is Direction.ANSWER else nullable(schema)

    def field(self, field: FieldDescriptor, direction: Direction) -> Schema:
        """Return a field's schema, with its comment. In a request it has its bounds."""
        entry = field.message_type
        if entry is not None and entry.GetOptions().map_entry:
            schema = {"type": "object", "additionalProperties": self._single(entry.fields_by_name["value"], direction)}
        elif field.is_repeated:
            schema = {"type": "array", "items": self._single(field, direction)}
        else:
            schema = dict(self._single(field, direction))
        if direction is Direction.REQUEST:
            schema = self._constraints.apply(field, schema)
        if comment := description_of_field(field):
            schema["description"] = comment
        return schema

    def _single(self, field: FieldDescriptor, direction: Direction) -> Schema:
        if field.message_type is not None:
            return self.message(field.message_type, direction)
        if field.enum_type is not None:
            return self._enum(field.enum_type)
        return _SCALARS[field.type]

    def _enum(self, kind: EnumDescriptor) -> Schema:
        if kind.full_name not in self._found:
            lines = [f"{description_of(kind.file, kind.full_name)} {_NEWER_VALUES}", ""]
            lines += [
                f"- `{value.name}`: {description_of(kind.file, f'{kind.full_name}.{value.name}')}"
                for value in kind.values
            ]
            names = [value.name for value in kind.values]
            self._found[kind.full_name] = {"type": "string", "enum": names, "description": "\n".join(lines)}
        return {"$ref": _SCHEMAS_PATH + kind.full_name}


def is_required(field: FieldDescriptor) -> bool:
    """Return whether the server requires the field in a request."""
    options: Any = field.GetOptions()  # the types of extensions are not declared
    return field_behavior_pb2.REQUIRED in options.Extensions[field_behavior_pb2.field_behavior]


def may_be_absent(field: FieldDescriptor) -> bool:
    """Return whether an answer can omit the field. A message is present unless its comment says when it is absent."""
    if field.message_type is None or field.is_repeated or field.containing_oneof is not None:
        return field.has_presence
    is_recursive = any(field in inner.fields for inner in reachable_messages([field.message_type]))
    return is_recursive or bool(_ABSENT.search(description_of_field(field)))


def _is_needed(field: FieldDescriptor, direction: Direction) -> bool:
    if direction is Direction.REQUEST:
        return is_required(field)
    return not may_be_absent(field)


def _only_marks_presence(oneof: OneofDescriptor) -> bool:
    """Return whether protobuf added the oneof for an ``optional`` field."""
    return len(oneof.fields) == 1 and oneof.name == f"_{oneof.fields[0].name}"
