"""Each message of a game says what its value says: every field is compared, by the types of both sides.

The comparison shares only ``skerry_games.annotations`` with the codecs. It walks the struct and the message itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from functools import cache
from itertools import count
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Protocol, Union, get_args, get_origin, get_type_hints

from google.protobuf.message import Message
from msgspec import Struct
from msgspec.structs import fields, replace

from skerry_games.annotations import As, Id, Numbered
from skerry_games.api import AnyGame
from tests.games.conformance.play import play, viewers_of


class Codec(Protocol):
    """What the checks use of a codec."""

    options_from_proto: Callable[[Any], Any]
    view_to_wire: Callable[[Any], bytes]
    move_from_proto: Callable[[Any], Any]
    move_to_wire: Callable[[Any], bytes]
    event_to_wire: Callable[[Any], bytes]

    def options_to_proto(self, options: Any) -> Any:
        """Write options."""

    def board_to_proto(self, edition: str) -> Any:
        """Write a board."""


MessageCheck = Callable[[AnyGame, Codec, Any, int, int], None]
"""A game, its codec, the descriptor of its proto file, a number of seats and a seed."""


def check_options_are_sent_whole(game: AnyGame, codec: Codec, classes: Any, seats: int, seed: int) -> None:
    """Each value of each option is sent and comes back. An empty message has the defaults."""
    assert codec.options_from_proto(classes("Options")()) == base(game), "an empty message is not the default options"
    for options in options_of(game):
        sent = codec.options_to_proto(options)
        compare_message("Options", options, type(options), sent)
        assert codec.options_from_proto(type(sent).FromString(sent.SerializeToString())) == options, "an option is lost"


def check_boards_are_sent_whole(game: AnyGame, codec: Codec, classes: Any, seats: int, seed: int) -> None:
    """The board of each edition is sent whole."""
    for board in game.boards:
        compare_message("Board", board, type(board), codec.board_to_proto(board.edition))


def check_views_are_sent_whole(game: AnyGame, codec: Codec, classes: Any, seats: int, seed: int) -> None:
    """Each view of each position is sent whole, for each viewer."""
    for state in play(game, seats, seed).states:
        for view in {game.view(state, viewer) for viewer in viewers_of(seats)}:
            compare_message("View", view, game.view_type, classes("View").FromString(codec.view_to_wire(view)))


def check_events_are_sent_whole(game: AnyGame, codec: Codec, classes: Any, seats: int, seed: int) -> None:
    """Each event is sent whole, as each viewer sees it."""
    steps = play(game, seats, seed).steps
    shown = {game.show(event, viewer) for step in steps for event in step.events for viewer in viewers_of(seats)}
    for event in shown - {None}:
        compare_case("Event", event, classes("Event").FromString(codec.event_to_wire(event)))


def check_moves_are_sent_whole(game: AnyGame, codec: Codec, classes: Any, seats: int, seed: int) -> None:
    """Each legal move is sent whole and comes back. Its masked forms are sent whole."""
    played = play(game, seats, seed)
    listed = {
        move for state in played.states for actor in game.to_act(state) for move in game.legal_moves(state, actor)
    }
    shown = {game.show_move(step.move, step.actor, viewer) for step in played.steps for viewer in viewers_of(seats)}
    for move in (listed | shown) - {None}:
        sent = classes("Move").FromString(codec.move_to_wire(move))
        compare_case("Move", move, sent)
        assert move not in listed or codec.move_from_proto(sent) == move, f"comes back as another move: {move}"


MESSAGE_CHECKS: Final[tuple[MessageCheck, ...]] = (
    check_options_are_sent_whole,
    check_boards_are_sent_whole,
    check_views_are_sent_whole,
    check_events_are_sent_whole,
    check_moves_are_sent_whole,
)


def base(game: AnyGame) -> Any:
    """Return the default options of the catalogue's game. Those of a variant are a subclass with other defaults."""
    kinds = game.options_type.__mro__
    return kinds[kinds.index(Struct) - 1]()


def options_of(game: AnyGame) -> Iterator[Any]:
    """Yield the default options, and copies with another value of each option."""
    default = base(game)
    yield default
    hints = get_type_hints(type(default), include_extras=True)
    for field in fields(type(default)):
        for value in _values(bare(hints[field.name]), game):
            yield replace(default, **{field.name: value})


def _values(kind: Any, game: AnyGame) -> Iterable[Any]:
    if kind is str:
        return game.editions
    if kind is bool or issubclass(kind, IntEnum):
        return (True, False) if kind is bool else tuple(kind)
    return range(max(game.seats))


@cache
def _parsed(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the type without ``None`` and annotations, and the annotations."""
    found: tuple[Any, ...] = ()
    while get_origin(hint) in (Annotated, Union, UnionType):
        if get_origin(hint) is Annotated:
            found += hint.__metadata__
            hint = hint.__origin__
        else:
            (hint,) = (one for one in get_args(hint) if one is not NoneType)
    return hint, found


def bare(hint: Any) -> Any:
    """Return the type without ``None`` and annotations."""
    return _parsed(hint)[0]


def annotation(hint: Any, kind: type) -> Any:
    """Return the annotation of that kind, or ``None``."""
    return next((one for one in _parsed(hint)[1] if isinstance(one, kind)), None)


@cache
def _hints(struct: type) -> dict[str, Any]:
    return get_type_hints(struct, include_extras=True)


@cache
def _snake(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def compare_case(path: str, value: Any, sent: Message) -> None:
    """Compare a struct of a union with a message that has one case for each."""
    case = _snake(type(value).__name__)
    (oneof,) = sent.DESCRIPTOR.oneofs
    assert sent.WhichOneof(oneof.name) == case, f"{path} is sent as another case: {value}"
    compare_message(f"{path}.{case}", value, type(value), getattr(sent, case))


def compare_message(path: str, value: Any, hint: Any, sent: Message, place: str = "") -> None:
    """Compare a value with its message. ``place``: a field of the message that is no part of the value."""
    named = [field for field in sent.DESCRIPTOR.fields if field.name != place]
    if isinstance(value, Struct):
        hints = _hints(type(value))
        assert set(hints) == {field.name for field in named}, f"{path} has other fields in its message"
        for field in named:
            compare_field(f"{path}.{field.name}", getattr(value, field.name), hints[field.name], field, sent)
    elif len(named) == 1:
        compare_field(path, value, hint, named[0], sent)
    else:
        named.sort(key=lambda field: field.number)
        for field, item, item_hint in zip(named, value, get_args(bare(hint)), strict=True):
            compare_field(f"{path}.{field.name}", item, item_hint, field, sent)


def compare_field(path: str, value: Any, hint: Any, field: Any, sent: Message) -> None:
    """Compare the value of a field with that in the message."""
    found = getattr(sent, field.name)
    if field.is_repeated:
        compare_items(path, value, hint, field, list(found))
    elif value is None:
        assert field.has_presence, f"{path} cannot be absent"
        assert not sent.HasField(field.name), f"{path} is sent, but it is None"
    else:
        assert not field.has_presence or sent.HasField(field.name), f"{path} is absent, but it is {value}"
        compare_value(path, value, hint, field, found)


def compare_items(path: str, values: Any, hint: Any, field: Any, sent: list[Any]) -> None:
    """Compare the items of a list, and the places that they name."""
    item = get_args(bare(hint))[0]
    numbered = annotation(hint, Numbered)
    if numbered is None:
        assert len(sent) == len(values), f"{path} has {len(sent)} items instead of {len(values)}"
        for at, (value, one) in enumerate(zip(values, sent, strict=True)):
            compare_value(f"{path}[{at}]", value, item, field, one)
        return
    kind = bare(numbered.kind)
    places = tuple(kind) if issubclass(kind, IntEnum) else count(numbered.start)
    expected = [pair for pair in zip(places, values, strict=False) if pair[1] or not numbered.sparse]
    assert len(sent) == len(expected), f"{path} has {len(sent)} items instead of {len(expected)}"
    for (place, value), one in zip(expected, sent, strict=True):
        named = one.DESCRIPTOR.fields_by_name[numbered.field]
        compare_field(f"{path}.{numbered.field}", place, numbered.kind, named, one)
        compare_message(f"{path}[{place}]", value, item, one, numbered.field)


def compare_value(path: str, value: Any, hint: Any, field: Any, sent: Any) -> None:
    """Compare one value."""
    other, ids = annotation(hint, As), annotation(hint, Id)
    if other is not None:
        compare_value(path, other.write(value), other.kind, field, sent)
    elif isinstance(sent, Message):
        compare_message(path, value, hint, sent)
    elif field.enum_type is not None:
        expected = f"{_snake(field.enum_type.name)}_{value.name}".upper()
        name = field.enum_type.values_by_number[sent].name
        assert name == expected, f"{path} is {name} instead of {expected}"
    else:
        assert ids is None or value in range(len(ids.all())), f"{path} has no id: {value}"
        expected = value if ids is None else ids.all()[value]
        assert type(sent) is type(expected), f"{path} has another type than {expected!r}"
        assert sent == expected, f"{path} is {sent!r} instead of {expected!r}"
