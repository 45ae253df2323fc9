"""The comments of the protos: generated descriptors come without them, so ``make protos`` writes them beside this."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
from google.protobuf.descriptor import FieldDescriptor, FileDescriptor

from skerry_service.wire.json_names import to_json_names


def comment_on(file: FileDescriptor, full_name: str) -> str:
    """Return the comment on something declared in that file, a paragraph in each line; empty if there is none.

    An enum's value goes by the enum's full name and its own.
    """
    return _comments(file.name).get(full_name, "")


def description_of(file: FileDescriptor, full_name: str) -> str:
    """Return a comment in which fields are spelled as in JSON. The metadata of errors have one name everywhere."""
    about, metadata, names = comment_on(file, full_name).partition("Metadata: ")
    return to_json_names(about) + metadata + names


def description_of_field(field: FieldDescriptor) -> str:
    """Return what describes a field of a message."""
    holder = field.containing_type
    return "" if holder is None else description_of(holder.file, field.full_name)


@cache
def _comments(file: str) -> dict[str, str]:
    found = files(__package__).joinpath("comments", file.replace(".proto", ".json"))
    if not found.is_file():  # not ours: what Google declares is described in ``schemas``
        return {}
    return msgspec.json.decode(found.read_bytes(), type=dict[str, str])
