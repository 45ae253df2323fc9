"""The comments of the protos: generated descriptors come without them, so ``make protos`` writes them beside this."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
from google.protobuf.descriptor import FieldDescriptor, FileDescriptor


def comment_on(file: FileDescriptor, full_name: str) -> str:
    """Return the comment on something declared in that file, a paragraph in each line; empty if there is none.

    An enum's value goes by the enum's full name and its own.
    """
    return _comments(file.name).get(full_name, "")


def comment_on_field(field: FieldDescriptor) -> str:
    """Return the comment on a field of a message."""
    holder = field.containing_type
    return "" if holder is None else comment_on(holder.file, field.full_name)


@cache
def _comments(file: str) -> dict[str, str]:
    found = files(__package__).joinpath("comments", file.replace(".proto", ".json"))
    if not found.is_file():  # not ours: what Google declares is described in ``schemas``
        return {}
    return msgspec.json.decode(found.read_bytes(), type=dict[str, str])
