"""Writes a TypeScript program that goes through everything that the service can answer, without a cast.

It is made from the protos' descriptors, not from the description, and compiles only against types that say the same:
each field has its type and is optional exactly when it can be absent; each ``oneof`` has a case per key, and when
all its cases are gone nothing is left but the kinds of a newer server; each enum is a list of its names; nothing is
``any``; and what goes both ways can be sent back as it came.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, OneofDescriptor, ServiceDescriptor

from skerry_service.edge.rest.openapi.schemas import may_be_absent
from skerry_service.edge.rest.routes import Routes
from skerry_service.wire.json_names import reachable_messages

_HEAD = """import type * as api from "./types";

/** Compiles only where nothing is left. */
function none(left: never): void {}
"""
_TEXTS = {FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64, FieldDescriptor.CPPTYPE_STRING}


def walk(service: ServiceDescriptor) -> str:
    """Return the program: one function for each message and each enum in the service's answers that are not files."""
    rpcs = [rpc for rpc in service.methods if not rpc.client_streaming]
    files = {route.rpc.name for route in Routes(service).all if route.extension}
    kinds = _messages(rpc.output_type for rpc in rpcs if rpc.name not in files)
    sent = {kind.full_name for kind in _messages(rpc.input_type for rpc in rpcs)}
    enums = {field.enum_type.full_name: field.enum_type for kind in kinds for field in kind.fields if field.enum_type}
    functions = [_enum(one) for one in enums.values()]
    functions += ["\n".join(_message(kind, kind.full_name in sent)) for kind in kinds]
    return "\n".join([_HEAD, *functions])


def type_name(full_name: str) -> str:
    """Return the name of a type: ``SkerryV1Move`` for ``skerry.v1.Move``."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[._]", full_name))


def _messages(kinds: Iterable[Descriptor]) -> list[Descriptor]:
    found = [
        kind for kind in reachable_messages(kinds) if not kind.file.package.startswith("google.") and not _is_map(kind)
    ]
    return sorted(found, key=lambda kind: kind.full_name)


def _enum(kind: EnumDescriptor) -> str:
    name = type_name(kind.full_name)
    cases = [f'    case "{value.name}":' for value in kind.values]
    head = [f"export function {name}(it: api.{name}): void {{", "  switch (it) {"]
    return "\n".join([*head, *cases, "      return;", "  }", "  none(it);", "}\n"])


def _message(kind: Descriptor, sent: bool) -> Iterator[str]:
    name = type_name(kind.full_name)
    yield f"export function {name}(it: api.{name}): void {{"
    if sent:
        yield f"  const sentBack: api.{name}Input = it;"
    choices = [one for one in kind.oneofs if not one.name.startswith("_")]
    common = [field for field in kind.fields if field.containing_oneof not in choices]
    if kind.fields:
        yield "  // @ts-expect-error"
        yield "  it.noSuchField;"
    for field in common:
        yield from _field(field)
    for choice in choices:
        yield from _choice(choice, common)
    yield "}\n"


def _field(field: FieldDescriptor) -> Iterator[str]:
    """Read a field, and say what type it must have."""
    optional = " | undefined" if may_be_absent(field) else ""
    yield f"  const {field.json_name}_: {_whole(field)}{optional} = it.{field.json_name};"
    if optional:
        yield "  // @ts-expect-error"
        yield f"  const never_{field.json_name}: {_type(field)} = it.{field.json_name};"
    if visit := _visitor(field):
        if _is_map(field.message_type):
            yield f"  Object.values(it.{field.json_name}).forEach({visit});"
        elif field.is_repeated:
            yield f"  it.{field.json_name}.forEach({visit});"
        else:
            yield f"  if (it.{field.json_name} !== undefined) {visit}(it.{field.json_name});"


def _choice(choice: OneofDescriptor, common: Iterable[FieldDescriptor]) -> Iterator[str]:
    """Tell the cases apart; prove that there are no others."""
    for case in choice.fields:
        yield "  // @ts-expect-error"
        yield f"  it.{case.json_name};"
    branches = [f'if ("{case.json_name}" in it) {{ {_visitor(case)}(it.{case.json_name}); }}' for case in choice.fields]
    yield "  " + "\n  else ".join(branches)
    left = [f"{case.json_name}?: never" for case in choice.fields] + [f"{one.json_name}?: unknown" for one in common]
    yield f"  else {{ const newer: {{ {'; '.join(left)}; unknownKind?: null }} = it; }}"


def _is_map(kind: Descriptor | None) -> bool:
    return kind is not None and kind.GetOptions().map_entry


def _whole(field: FieldDescriptor) -> str:
    """Return the type of all that a field holds."""
    if _is_map(field.message_type):
        return f"Record<string, {_type(field)}>"
    return _type(field) + ("[]" if field.is_repeated else "")


def _type(field: FieldDescriptor) -> str:
    """Return the type of what a field holds, of many the type of each."""
    if field.message_type is not None and _is_map(field.message_type):
        return _type(field.message_type.fields_by_name["value"])
    if field.enum_type is not None:
        return f"api.{type_name(field.enum_type.full_name)}"
    if field.message_type is not None:
        google = field.message_type.file.package.startswith("google.")
        return "string" if google else f"api.{type_name(field.message_type.full_name)}"
    if field.cpp_type in _TEXTS:
        return "string"
    return "boolean" if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL else "number"


def _visitor(field: FieldDescriptor) -> str:
    """Return the function that goes through what the field holds; empty for numbers, texts and the like."""
    name = _type(field)
    return name.removeprefix("api.") if name.startswith("api.") else ""
