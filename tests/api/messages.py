"""Random messages of any type, and bytes that are nearly messages."""

from __future__ import annotations

from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

_INT32 = st.integers(-(2**31), 2**31 - 1) | st.integers(-2, 30)
_INT64 = st.integers(-(2**63), 2**63 - 1) | st.integers(-2, 200)
_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=50)
_SCALARS: dict[int, st.SearchStrategy[Any]] = {
    FieldDescriptor.TYPE_INT32: _INT32,
    FieldDescriptor.TYPE_UINT32: st.integers(0, 2**32 - 1) | st.integers(0, 3),
    FieldDescriptor.TYPE_ENUM: _INT32,
    FieldDescriptor.TYPE_INT64: _INT64,
    FieldDescriptor.TYPE_BOOL: st.booleans(),
    FieldDescriptor.TYPE_STRING: _TEXT,
    FieldDescriptor.TYPE_BYTES: st.binary(max_size=50),
}


@st.composite
def messages(draw: st.DrawFn, kind: Descriptor, words: tuple[str, ...] = ()) -> Message:
    """Draw a message with any of its fields set to anything; text is now and then one of ``words``."""
    message = GetMessageClass(kind)()
    for field in kind.fields:
        if draw(st.booleans()):
            _set(draw, message, field, words)
    return message


def _set(draw: st.DrawFn, message: Message, field: FieldDescriptor, words: tuple[str, ...]) -> None:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        items = getattr(message, field.name)
        for key in draw(st.lists(_TEXT, max_size=3)):
            if field.message_type.fields_by_name["value"].message_type is None:
                items[key] = draw(_TEXT)
            else:
                items[key].SetInParent()  # empty, because sentences can contain sentences without end
        return
    count = draw(st.integers(0, 5)) if field.is_repeated else 1
    for _ in range(count):
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            assert field.message_type is not None
            inner = draw(messages(field.message_type, words))
            target = getattr(message, field.name)
            (target.append if field.is_repeated else target.CopyFrom)(inner)
            continue
        values = _SCALARS[field.type]
        if field.type == FieldDescriptor.TYPE_STRING and words:
            values |= st.sampled_from(words)
        value = draw(values)
        if field.is_repeated:
            getattr(message, field.name).append(value)
        else:
            setattr(message, field.name, value)


@st.composite
def damaged(draw: st.DrawFn, valid: bytes) -> bytes:
    """Draw bytes that were a message before some of them were changed, cut off, or put in."""
    data = bytearray(valid)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(["change", "cut", "insert", "end"])):
            case "change" if at < len(data):
                data[at] = draw(st.integers(0, 255))
            case "cut":
                del data[at : at + draw(st.integers(1, 8))]
            case "insert":
                data[at:at] = draw(st.binary(min_size=1, max_size=8))
            case _:
                del data[at:]
    return bytes(data)
