"""Messages as JSON Schema (2020-12, as OpenAPI 3.1 has it): what ``json_writer`` writes and ``json_reader`` reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from google.api import field_behavior_pb2
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from skerry_service.rest.openapi.comments import comment_on, comment_on_field

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


class Schemas:
    """The schemas that a description needs, collected while they are referred to."""

    def __init__(self) -> None:
        self._found: dict[str, Schema] = {}

    def sorted(self) -> dict[str, Schema]:
        """Return every schema by its name."""
        return dict(sorted(self._found.items()))

    def message(self, kind: Descriptor) -> Schema:
        """Return a reference to a message's schema."""
        if kind.full_name in _OF_GOOGLE:
            return dict(_OF_GOOGLE[kind.full_name])
        if kind.file.package == "google.protobuf":
            raise ValueError(f"it is not known yet how {kind.full_name} is described")
        if kind.full_name not in self._found:
            self._found[kind.full_name] = {}  # first of all, as messages can hold themselves
            self._found[kind.full_name] |= self.object_of(kind, kind.fields)
        return {"$ref": _PLACE + kind.full_name}

    def object_of(self, kind: Descriptor, fields: Iterable[FieldDescriptor]) -> Schema:
        """Return the schema of an object with some of a message's fields."""
        fields = list(fields)
        schema: Schema = {"type": "object", "description": comment_on(kind.file, kind.full_name)}
        schema["properties"] = {field.json_name: self.field(field) for field in fields}
        schema["additionalProperties"] = False
        if required := [field.json_name for field in fields if is_required(field)]:
            schema["required"] = required
        if choices := [_choice(one.fields) for one in kind.oneofs if len(one.fields) > 1 and one.fields[0] in fields]:
            schema["allOf"] = choices
        return schema

    def field(self, field: FieldDescriptor) -> Schema:
        """Return a field's schema, with its comment."""
        entry = field.message_type
        if entry is not None and entry.GetOptions().map_entry:
            schema = {"type": "object", "additionalProperties": self._single(entry.fields_by_name["value"])}
        elif field.is_repeated:
            schema = {"type": "array", "items": self._single(field)}
        else:
            schema = dict(self._single(field))
        if comment := comment_on_field(field):
            schema["description"] = comment
        return schema

    def _single(self, field: FieldDescriptor) -> Schema:
        if field.message_type is not None:
            return self.message(field.message_type)
        if field.enum_type is not None:
            return self._enum(field.enum_type)
        return _SCALARS[field.type]

    def _enum(self, kind: EnumDescriptor) -> Schema:
        if kind.full_name not in self._found:
            lines = [comment_on(kind.file, kind.full_name), ""]
            lines += [f"- `{one.name}`: {comment_on(kind.file, f'{kind.full_name}.{one.name}')}" for one in kind.values]
            names = [value.name for value in kind.values]
            self._found[kind.full_name] = {"type": "string", "enum": names, "description": "\n".join(lines)}
        return {"$ref": _PLACE + kind.full_name}


def is_required(field: FieldDescriptor) -> bool:
    """Whether a request without the field is refused."""
    options: Any = field.GetOptions()  # the types of extensions are not declared
    return field_behavior_pb2.REQUIRED in options.Extensions[field_behavior_pb2.field_behavior]


def _choice(cases: Iterable[FieldDescriptor]) -> Schema:
    """Return what says that at most one of the fields is there."""
    each = [{"required": [case.json_name]} for case in cases]
    return {"oneOf": [*each, {"not": {"anyOf": each}}]}
