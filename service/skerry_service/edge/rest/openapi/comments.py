"""The comments of the protos. Generated descriptors omit them, so ``make protos`` writes them to ``comments/``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
from google.protobuf.descriptor import FieldDescriptor, FileDescriptor

from skerry_service.wire.json_names import to_json_names


def comment_on(file: FileDescriptor, full_name: str) -> str:
    """Return the comment on an element of a file, one line for each paragraph; empty without a comment.

    ``full_name``: for a value of an enum, the full name of the enum and the name of the value.
    """
    return _comments(file.name).get(full_name, "")


def description_of(file: FileDescriptor, full_name: str) -> str:
    """Return a comment with field names as in JSON. The keys of error metadata are the same in both, so they stay."""
    about, metadata, names = comment_on(file, full_name).partition("Metadata: ")
    return to_json_names(about) + metadata + names


def description_of_field(field: FieldDescriptor) -> str:
    """Return the description of a field of a message."""
    holder = field.containing_type
    return "" if holder is None else description_of(holder.file, field.full_name)


@cache
def _comments(file: str) -> dict[str, str]:
    found = files(__package__).joinpath("comments", file.replace(".proto", ".json"))
    if not found.is_file():  # a file of Google's, which ``schemas`` describes
        return {}
    return msgspec.json.decode(found.read_bytes(), type=dict[str, str])
