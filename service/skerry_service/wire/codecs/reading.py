"""Reads messages of clients as values: moves and options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from msgspec import NODEFAULT

from skerry_games.api import BadOptions, MalformedMove
from skerry_service.domain.languages.phrases import phrase, thing, verbatim
from skerry_service.wire.codecs.matching import FieldPlan, MessagePlan
from skerry_service.wire.codecs.values import identity

Read = Callable[[Any], Any]


def union_reader(cases: Mapping[type, tuple[FieldDescriptor, MessagePlan]]) -> Read:
    """Return a function from a message to the struct of its case, as listed. It raises MalformedMove.

    Raises TypeError if a case cannot be read (``message_reader``).
    """
    readers = {case.name: _listed(struct, message_reader(plan)) for struct, (case, plan) in cases.items()}
    (oneof,) = {case.containing_oneof.name for case, _ in cases.values() if case.containing_oneof}

    def read(sent: Message) -> Any:
        case = sent.WhichOneof(oneof)
        if case is None:
            raise MalformedMove("The move is empty. Set one of its kinds.")
        return readers[case](getattr(sent, case))

    return read


def _listed(struct: type, read: Read) -> Read:
    """Return a reader that gives the move as the game lists it (``Game.move_type``)."""
    as_listed: Read | None = getattr(struct, "as_listed", None)
    return read if as_listed is None else lambda sent: as_listed(read(sent))


def message_reader(plan: MessagePlan) -> Read:
    """Return a function from a message to its value. It raises MalformedMove.

    Raises TypeError if items of a list name their places, which only views, events and boards can have.
    """
    names = [field.field.name for field in plan.fields]
    optional = [(at, name) for at, name in enumerate(names) if plan.fields[at].field.has_presence]
    found = [_field_reader(field) for field in plan.fields]
    readers = [(at, read) for at, read in enumerate(found) if read is not identity]
    get, join = _getter(names), plan.join

    def read(sent: Message) -> Any:
        values = [*get(sent)]
        for at, name in optional:
            if not sent.HasField(name):
                values[at] = None
        for at, convert in readers:
            values[at] = convert(values[at])
        return join(*values)

    if len(names) == len(readers) == 1 and not optional:
        return _single_field_reader(names[0], readers[0][1], join)
    return read


def _single_field_reader(name: str, convert: Read, join: Callable[..., Any]) -> Read:
    """Return a reader of a message with a single field, faster than the general one."""
    get = attrgetter(name)
    return lambda sent: join(convert(get(sent)))


def _getter(names: list[str]) -> Callable[[Message], Iterable[Any]]:
    """Return a function that reads all these fields of a message."""
    return attrgetter(*names) if len(names) > 1 else lambda sent: [getattr(sent, name) for name in names]


def _field_reader(plan: FieldPlan) -> Read:
    if plan.place is not None:
        raise TypeError(f"{plan.field.full_name} cannot be read: a client could list its places in any order.")
    read = _value_reader(plan)
    if plan.field.is_repeated:
        return tuple if read is identity else lambda values: tuple([read(one) for one in values])
    if plan.field.has_presence:
        return _optional_reader(read, _missing(plan), None if plan.optional else plan.default)
    if plan.default is not NODEFAULT and plan.field.enum_type is not None:
        return lambda value: read(value) if value else plan.default
    return read


def _value_reader(plan: FieldPlan) -> Read:
    return message_reader(plan.value) if isinstance(plan.value, MessagePlan) else plan.value.read


def _missing(plan: FieldPlan) -> str:
    """Return the error of a move without this field, or nothing if the field can be absent."""
    noun = plan.hidden or (plan.value.noun if isinstance(plan.value, MessagePlan) else "")
    if not plan.hidden and (plan.optional or plan.default is not NODEFAULT):
        return ""
    return phrase("move-name", noun=thing(noun)) if noun else phrase("move-no-field", field=verbatim(plan.field.name))


def _optional_reader(read: Read, sentence: str, default: Any) -> Read:
    """Return a reader that refuses an absent value with the sentence, or reads it as the default."""

    def read_if_present(value: Any) -> Any:
        if value is not None:
            return read(value)
        if sentence:
            raise MalformedMove(sentence)
        return default

    return read_if_present


def options_reader(plan: MessagePlan) -> Read:
    """Return a function from a message to options. An absent, empty or unspecified field is its default.

    The function raises BadOptions. Raises TypeError if a field cannot say ``False``.
    """
    for field in plan.fields:
        if field.default is True and not field.field.has_presence:
            raise TypeError(f"{field.field.full_name} needs presence, because its default is True.")

    def read(sent: Message) -> Any:
        return plan.join(*[_read_option(field, sent) for field in plan.fields])

    return read


def _read_option(plan: FieldPlan, sent: Message) -> Any:
    name, value = plan.field.name, getattr(sent, plan.field.name)
    if not (sent.HasField(name) if plan.field.has_presence else value):
        return plan.default
    try:
        return _value_reader(plan)(value)
    except MalformedMove as refusal:
        if (kinds := plan.field.enum_type) is None:
            raise BadOptions(name, refusal.args[0]) from None
        choices = verbatim(", ".join(one.name for one in kinds.values[1:]))
        raise BadOptions(name, phrase("options-choose", choices=choices, value=value)) from None
