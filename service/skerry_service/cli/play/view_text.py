"""A view of any game as text, derived from the fields of its message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from rich.table import Table

from skerry.v1 import payload_pb2

NOTHING = "-"
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
        if field.message_type is None:
            parts.append(f"{words(field.name)} {_text(field, value)}")
    return ", ".join(parts)


def seat_scores(view: Message) -> list[int]:
    """Return the scores from the view's list of seats, whose items have a ``seat`` and a ``score``."""
    seat_lists = [value for field, value in view.ListFields() if _is_of_seats(field)]
    return [item.score for item in seat_lists[0]] if seat_lists else []


def _is_of_seats(field: FieldDescriptor) -> bool:
    message = field.message_type
    return field.is_repeated and message is not None and {member.name for member in message.fields} >= _SEAT_FIELDS


def tables(view: Message) -> Iterator[Table]:
    """Yield a table for each list in the view, without columns that are empty in all rows."""
    for field, value in view.ListFields():
        if field.is_repeated and field.message_type is not None:
            yield _table(words(field.name), field.message_type.fields, value)


def seats_in_columns(view: Message) -> Iterator[Table]:
    """Yield a table with a column for each seat, without rows that are empty for all seats."""
    for field, value in view.ListFields():
        if _is_of_seats(field):
            table = Table(box=None, pad_edge=False)
            table.add_column("seat")
            for item in value:
                table.add_column(str(item.seat))
            for member in value[0].DESCRIPTOR.fields:
                cells = [_cell(member, item) for item in value]
                if member.name != "seat" and set(cells) != {NOTHING}:
                    table.add_row(words(member.name), *cells)
            yield table


def words(name: str) -> str:
    """Return a field's name with spaces."""
    return name.replace("_", " ")


def _table(title: str, fields: Sequence[FieldDescriptor], items: Sequence[Message]) -> Table:
    # A title wraps at the width of its table.
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, min_width=len(title))
    rows = [[_cell(field, item) for field in fields] for item in items]
    filled = [column for column in range(len(fields)) if any(row[column] != NOTHING for row in rows)]
    for column in filled:
        table.add_column(words(fields[column].name))
    for row in rows:
        table.add_row(*(row[column] for column in filled))
    return table


def _cell(field: FieldDescriptor, item: Message) -> str:
    if field.has_presence and not item.HasField(field.name):
        return NOTHING
    return _text(field, getattr(item, field.name)) or NOTHING


def _text(field: FieldDescriptor, value: object) -> str:
    """Return a value as text; lists separated by spaces, messages as ``ships 2, forts 3``."""
    if field.is_repeated:
        assert isinstance(value, Sequence)
        between = ", " if field.message_type else " "
        return between.join(_single(field, item) for item in value)
    return _single(field, value)


def _single(field: FieldDescriptor, value: object) -> str:
    if isinstance(value, Message):
        return _inline(value)
    if field.enum_type is not None and isinstance(value, int):
        return _enum_words(field.enum_type).get(value, str(value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _inline(message: Message) -> str:
    """Return a message as text for a cell. A kind with a count reads ``olive 2``."""
    parts = []
    for field, value in message.ListFields():
        text = _text(field, value)
        parts.append(text if field.enum_type or field.name == "count" else f"{words(field.name)} {text}")
    return (" " if len(parts) == 2 and message.DESCRIPTOR.fields_by_name.get("count") else ", ").join(parts)


@cache
def _enum_words(enum: EnumDescriptor) -> dict[int, str]:
    """Return the name of each value without the prefix of its enum; ``NOTHING`` for the zero value."""
    prefix = _WORD_START.sub("_", enum.name).upper() + "_"
    named = {value.number: words(value.name.removeprefix(prefix).lower()) for value in enum.values}
    return named | {0: NOTHING}
