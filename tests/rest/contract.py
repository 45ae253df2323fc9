"""A contract of our own, with whatever an annotation and a message can have that Skerry's has not: and its service."""

from __future__ import annotations

from typing import Any

from google.api import annotations_pb2
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Field

_MAP_FLAG = descriptor_pb2.MessageOptions(map_entry=True)
_SCALARS = [
    "int32",
    "int64",
    "uint32",
    "uint64",
    "sint32",
    "fixed32",
    "sfixed64",
    "bool",
    "string",
    "bytes",
    "double",
    "float",
]


def _file() -> descriptor_pb2.FileDescriptorProto:
    file = descriptor_pb2.FileDescriptorProto(name="shelf.proto", package="shelf.v1", syntax="proto3")
    file.dependency.append("google/protobuf/timestamp.proto")
    colour = file.enum_type.add(name="Colour")
    for number, name in enumerate(("COLOUR_UNSPECIFIED", "COLOUR_RED", "COLOUR_BLUE")):
        colour.value.add(name=name, number=number)
    book = file.message_type.add(name="Book")
    for number, kind in enumerate(_SCALARS, 1):
        _field(book, f"a_{kind}", number, kind)
        _field(book, f"some_{kind}", number + 20, kind, repeated=True)
    _field(book, "colour", 50, ".shelf.v1.Colour", enum=True)
    _field(book, "colours", 51, ".shelf.v1.Colour", enum=True, repeated=True)
    _field(book, "sequel", 52, ".shelf.v1.Book")
    _field(book, "parts", 53, ".shelf.v1.Book", repeated=True)
    _field(book, "printed", 54, ".google.protobuf.Timestamp")
    for number, (key, value) in enumerate((("string", "int64"), ("bool", "string"), ("int32", "bytes")), 60):
        entry = book.nested_type.add(name=f"{key.capitalize()}MapEntry", options=_MAP_FLAG)
        _field(entry, "key", 1, key)
        _field(entry, "value", 2, value)
        _field(book, f"{key}_map", number, f".shelf.v1.Book.{entry.name}", repeated=True)
    moving = file.message_type.add(name="MoveRequest")
    _field(moving, "name", 1, "string")
    _field(moving, "book", 2, ".shelf.v1.Book")
    _field(moving, "force", 3, "bool")
    _field(moving, "shelves", 4, "int64", repeated=True)
    service = file.service.add(name="Shelf")
    _rpc(service, "Move", post="/v1/{name=halls/*/shelves/*}:move", body="book", response_body="book")
    _rpc(service, "Find", get="/v1/{name=halls/**}", more=({"get": "/v1/shelves/{book.a_string}"}, {"delete": "/x"}))
    _rpc(service, "Browse").client_streaming = True
    return file


def _field(holder: Any, name: str, number: int, kind: str, *, enum: bool = False, repeated: bool = False) -> None:
    field = holder.field.add(name=name, number=number)
    field.label = Field.LABEL_REPEATED if repeated else Field.LABEL_OPTIONAL
    if kind.startswith("."):
        field.type, field.type_name = (Field.TYPE_ENUM if enum else Field.TYPE_MESSAGE), kind
    else:
        field.type = Field.Type.Value(f"TYPE_{kind.upper()}")


def _rpc(service: Any, name: str, more: tuple[dict[str, str], ...] = (), **rule: str) -> Any:
    method = service.method.add(name=name, input_type=".shelf.v1.MoveRequest", output_type=".shelf.v1.MoveRequest")
    for key, value in rule.items():
        setattr(method.options.Extensions[annotations_pb2.http], key, value)
    for binding in more:
        method.options.Extensions[annotations_pb2.http].additional_bindings.add(**binding)
    return method


_pool = descriptor_pool.DescriptorPool()
for _name in ("google/protobuf/timestamp.proto",):
    _proto = descriptor_pb2.FileDescriptorProto()
    descriptor_pool.Default().FindFileByName(_name).CopyToProto(_proto)
    _pool.Add(_proto)
_pool.Add(_file())
SHELF = _pool.FindServiceByName("shelf.v1.Shelf")
BOOK = _pool.FindMessageTypeByName("shelf.v1.Book")
Book: Any = message_factory.GetMessageClass(BOOK)
MoveRequest: Any = message_factory.GetMessageClass(_pool.FindMessageTypeByName("shelf.v1.MoveRequest"))
