"""The messages of Pairs, as a proto file would describe them."""

from __future__ import annotations

from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format
from google.protobuf.descriptor import FileDescriptor

_FIELDS: Final = {
    "Options": {"edition": "STRING"},
    "Copies": {"card": "STRING", "copies": "INT32"},
    "Board": {"edition": "STRING", "copies": "Copies*"},
    "HasLaid": {"seat": "INT32", "has_laid": "BOOL"},
    "Score": {"seat": "INT32", "points": "INT32"},
    "View": {
        "stage": "Stage",
        "round": "INT32",
        "hand": "STRING*",
        "laid": "STRING",
        "buried": "STRING*",
        "hand_sizes": "INT32*",
        "has_laid": "HasLaid*",
        "buried_sizes": "INT32*",
        "deck_size": "INT32",
        "shown": "STRING*",
        "scores": "Score*",
    },
    "Deal": {"card": "STRING"},
    "Lay": {"card": "STRING"},
    "Bury": {"card": "STRING"},
    "Stay": {},
    "Dealt": {"seat": "INT32", "card": "STRING"},
    "Laid": {"seat": "INT32", "card": "STRING"},
    "Buried": {"seat": "INT32", "card": "STRING"},
    "Stayed": {"seat": "INT32"},
    "Revealed": {"cards": "STRING*"},
    "Scored": {"seat": "INT32", "points": "INT32"},
}
"""The type of each field of each message. A star marks a repeated field."""
_UNIONS: Final = {
    "Move": ("Deal", "Lay", "Bury", "Stay"),
    "Event": ("Dealt", "Laid", "Buried", "Stayed", "Revealed", "Scored"),
}
_STAGES: Final = ("UNSPECIFIED", "DEAL", "LAY", "SWAP", "OVER")


def _field(name: str, number: int, kind: str, more: str = "") -> str:
    plain = kind.rstrip("*")
    typed = f"type: TYPE_{plain}" if plain.isupper() else f'type_name: ".pairs.{plain}"'
    repeated = "label: LABEL_REPEATED" if kind.endswith("*") else ""
    return f'field {{ name: "{name}" number: {number} {typed} {repeated} {more} }}'


def _file() -> str:
    values = " ".join(f'value {{ name: "STAGE_{name}" number: {number} }}' for number, name in enumerate(_STAGES))
    parts = ['name: "pairs.proto" package: "pairs" syntax: "proto3"', f'enum_type {{ name: "Stage" {values} }}']
    for message, fields in _FIELDS.items():
        listed = " ".join(_field(name, number, kind) for number, (name, kind) in enumerate(fields.items(), start=1))
        parts.append(f'message_type {{ name: "{message}" {listed} }}')
    for message, cases in _UNIONS.items():
        listed = " ".join(_field(case.lower(), at, case, "oneof_index: 0") for at, case in enumerate(cases, start=1))
        parts.append(f'message_type {{ name: "{message}" {listed} oneof_decl {{ name: "kind" }} }}')
    return "\n".join(parts)


_POOL: Final = descriptor_pool.DescriptorPool()
_POOL.Add(text_format.Parse(_file(), descriptor_pb2.FileDescriptorProto()))
MESSAGES: Final[FileDescriptor] = _POOL.FindFileByName("pairs.proto")


def class_of(name: str) -> Any:
    """Return the class of a message."""
    return message_factory.GetMessageClass(MESSAGES.message_types_by_name[name])
