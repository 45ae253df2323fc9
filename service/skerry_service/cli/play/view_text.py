"""The scores and single values of a view in one line, derived from the fields of its message."""

from __future__ import annotations

import re
from functools import cache

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from skerry.v1 import payload_pb2

_SEAT_FIELDS = {"seat", "score"}
_WORD_START = re.compile(r"(?<!^)(?=[A-Z])")


def game_view(view: payload_pb2.View) -> Message | None:
    """Return the message of the game in a view; ``None`` if there is none."""
    case = view.WhichOneof("game")
    if case is None:
        return None
    message: Message = getattr(view, case)
    return message


def summary(view: Message) -> str:
    """Return the scores and all single values in one line, such as ``points 12 : 9, phase action``."""
    scores = seat_scores(view)
    parts = [f"points {' : '.join(map(str, scores))}"] if scores else []
    for field, value in view.ListFields():
        if field.message_type is None and not field.is_repeated:
            parts.append(f"{_words(field.name)} {_text(field, value)}")
    return ", ".join(parts)


def seat_scores(view: Message) -> list[int]:
    """Return the scores from the view's list of seats, whose items have a ``seat`` and a ``score``."""
    seat_lists = [value for field, value in view.ListFields() if _is_of_seats(field)]
    return [item.score for item in seat_lists[0]] if seat_lists else []


def _is_of_seats(field: FieldDescriptor) -> bool:
    message = field.message_type
    return field.is_repeated and message is not None and {member.name for member in message.fields} >= _SEAT_FIELDS


def _words(name: str) -> str:
    return name.replace("_", " ")


def _text(field: FieldDescriptor, value: object) -> str:
    if field.enum_type is not None and isinstance(value, int):
        return _enum_words(field.enum_type).get(value, str(value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


@cache
def _enum_words(enum: EnumDescriptor) -> dict[int, str]:
    """Return the name of each value, without the prefix of its enum."""
    prefix = _WORD_START.sub("_", enum.name).upper() + "_"
    return {value.number: _words(value.name.removeprefix(prefix).lower()) for value in enum.values}
