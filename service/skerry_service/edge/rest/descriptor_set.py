"""The API as one ``FileDescriptorSet``, for tools that do not read ``.proto`` files: ``buf curl``, grpcurl, generators.

Generated modules omit comments and the JSON names that a compiler writes, so this module adds both. The source
positions are lost: every position is the beginning of the file.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

from skerry_service.api import contract
from skerry_service.edge.rest.openapi.comments import comment_on

_WRAPPER = textwrap.TextWrapper(100, break_on_hyphens=False, break_long_words=False)
_UNKNOWN_SPAN = (0, 0, 0)
_PARTS = ("message_type", "nested_type", "enum_type", "service", "field", "value", "method", "oneof_decl")


@cache
def descriptor_set() -> bytes:
    """Return the serialized set. Imports precede the files that import them; equal builds return equal bytes."""
    described = FileDescriptorSet(file=[_describe(file) for file in contract.descriptors()])
    return described.SerializeToString(deterministic=True)


def _describe(file: FileDescriptor) -> FileDescriptorProto:
    described = FileDescriptorProto()
    file.CopyToProto(described)
    for extension in described.extension:
        extension.json_name = file.extensions_by_name[extension.name].json_name
    for message in described.message_type:
        _name_for_json(message, file.message_types_by_name[message.name])
    for path, name in _elements(described, (), file.package):
        if comment := comment_on(file, name):
            described.source_code_info.location.add(path=path, span=_UNKNOWN_SPAN, leading_comments=_lines(comment))
    return described


def _name_for_json(described: Any, message: Descriptor) -> None:
    for field in described.field:
        field.json_name = message.fields_by_name[field.name].json_name
    for inner in described.nested_type:
        _name_for_json(inner, message.nested_types_by_name[inner.name])


def _elements(holder: Any, path: tuple[int, ...], name: str) -> Iterator[tuple[tuple[int, ...], str]]:
    """Yield the source-info path and the full name of every element of a descriptor."""
    for part in _PARTS:
        declared = holder.DESCRIPTOR.fields_by_name.get(part)
        for index, inner in enumerate(getattr(holder, part) if declared else ()):
            inner_path, full_name = (*path, declared.number, index), f"{name}.{inner.name}"
            yield inner_path, full_name
            yield from _elements(inner, inner_path, full_name)


def _lines(comment: str) -> str:
    """Return a comment in the form of compilers: each line starts with a space and ends with a newline."""
    lines = (line for paragraph in comment.split("\n") for line in _WRAPPER.wrap(paragraph) or [""])
    return "".join(f" {line}\n" for line in lines)
