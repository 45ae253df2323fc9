"""The bounds of request fields as keywords of JSON Schema. The server checks the same rules (``field_rules``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from skerry_service.api.requests.field_rules import Bytes, Items, Rule, Text, Whole, rule_of

Schema = dict[str, Any]
_INT32 = Whole(-(2**31), 2**31 - 1)


class Constraints:
    """The constraints of request fields. ``numbers``: those of games, by the full name of the field."""

    def __init__(self, numbers: Mapping[str, range]) -> None:
        self._numbers = numbers

    def apply(self, field: FieldDescriptor, schema: Schema) -> Schema:
        """Return the schema of a field with its bounds."""
        rule = self._rule_of(field)
        if schema.get("type") == "array":
            return _items(schema, rule, "items", "maxItems")
        if "additionalProperties" in schema:
            return _items(schema, rule, "additionalProperties", "maxProperties")
        return _single(schema, rule)

    def _rule_of(self, field: FieldDescriptor) -> Rule | None:
        numbers = self._numbers.get(field.full_name)
        return rule_of(field.full_name) if numbers is None else Whole(numbers[0], numbers[-1])


def nullable(schema: Schema) -> Schema:
    """Return the schema of a field that a request can also set to ``null``, which leaves it unset."""
    if "type" in schema:
        return schema | {"type": [schema["type"], "null"]}
    described = {"description": schema["description"]} if "description" in schema else {}
    value = {key: one for key, one in schema.items() if key not in described}
    return {"anyOf": [value, {"type": "null"}], **described}


def _items(schema: Schema, rule: Rule | None, items: str, most: str) -> Schema:
    each = rule if isinstance(rule, Whole) else rule.item if isinstance(rule, Items) else None
    bounded = schema | {items: _single(schema[items], each)}
    if isinstance(rule, Items):
        bounded[most] = rule.most
        if rule.key is not None:
            bounded["propertyNames"] = {"pattern": f"^{rule.key}$"}
    return bounded


def _single(schema: Schema, rule: Rule | None) -> Schema:
    match rule:
        case Whole() if schema["type"] == "string":
            return schema | {"pattern": "^[1-9][0-9]{0,18}$" if rule.least else "^(0|[1-9][0-9]{0,18})$"}
        case Whole():
            return schema | _range(rule)
        case Text():
            return schema | _text(rule)
        case Bytes():
            digits = -(-rule.length * 8 // 6)
            return schema | {"pattern": f"^[A-Za-z0-9+/_-]{{{digits}}}={{0,{-digits % 4}}}$"}
    return schema | _range(_INT32) if schema.get("format") == "int32" else schema


def _range(rule: Whole) -> Schema:
    most = _INT32.most if rule.most is None else rule.most
    bounds: Schema = {"minimum": 0 if rule.or_zero else rule.least, "maximum": most}
    if rule.or_zero and rule.least > 1:
        bounds["not"] = {"type": "integer", "minimum": 1, "maximum": rule.least - 1}
    return bounds


def _text(rule: Text) -> Schema:
    keywords = {
        "minLength": rule.least or None,
        "maxLength": rule.most,
        "pattern": None if rule.pattern is None else f"^{rule.pattern}$",
        "format": "uuid" if rule.uuid else None,
    }
    return {name: value for name, value in keywords.items() if value is not None}
