"""What a codec derives from two sides that agree, and that it refuses two that differ.

The message has no file of its own: it is described here, with a field of each shape.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Annotated, Any, Final, get_type_hints
from weakref import ref

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format
from msgspec import Meta, Struct, defstruct
from msgspec.structs import replace

from skerry_games.annotations import As, Hidden, Id, Number, Numbered, Without
from skerry_games.api import BadOptions, MalformedMove
from skerry_service.wire.codecs import writing
from skerry_service.wire.codecs.matching import match_struct, match_union
from skerry_service.wire.codecs.reading import message_reader, options_reader, union_reader
from skerry_service.wire.codecs.writing import message_writer, union_writer

FILE: Final = """
name: "sea.proto" package: "sea" syntax: "proto3"
enum_type {
  name: "CrewKind"
  value { name: "CREW_KIND_UNSPECIFIED" number: 0 }
  value { name: "CREW_KIND_COOK" number: 1 }
  value { name: "CREW_KIND_MATE" number: 2 }
}
message_type {
  name: "Move"
  field { name: "go" number: 1 type: TYPE_MESSAGE type_name: ".sea.Sail" oneof_index: 0 }
  field { name: "stop" number: 2 type: TYPE_MESSAGE type_name: ".sea.Stop" oneof_index: 0 }
  oneof_decl { name: "kind" }
}
message_type { name: "Stop" }
message_type {
  name: "Point"
  field { name: "x" number: 1 type: TYPE_INT32 }
  field { name: "y" number: 2 type: TYPE_INT32 }
}
message_type {
  name: "Sail"
  field { name: "harbour" number: 1 type: TYPE_STRING }
  field { name: "seat" number: 2 type: TYPE_INT32 oneof_index: 0 proto3_optional: true }
  field { name: "crew" number: 3 type: TYPE_ENUM type_name: ".sea.CrewKind" label: LABEL_REPEATED }
  field { name: "at" number: 4 type: TYPE_MESSAGE type_name: ".sea.Point" }
  field { name: "way" number: 5 type: TYPE_MESSAGE type_name: ".sea.Point" label: LABEL_REPEATED }
  field { name: "fast" number: 6 type: TYPE_BOOL }
  field { name: "berth" number: 7 type: TYPE_INT32 }
  field { name: "cargo" number: 8 type: TYPE_STRING oneof_index: 1 proto3_optional: true }
  oneof_decl { name: "_seat" }
  oneof_decl { name: "_cargo" }
}
message_type {
  name: "Berth"
  field { name: "crew" number: 1 type: TYPE_ENUM type_name: ".sea.CrewKind" }
  field { name: "ships" number: 2 type: TYPE_INT32 }
}
message_type {
  name: "Course"
  field { name: "leg" number: 1 type: TYPE_INT32 }
  field { name: "points" number: 2 type: TYPE_MESSAGE type_name: ".sea.Point" label: LABEL_REPEATED }
}
message_type {
  name: "Chart"
  field { name: "berths" number: 1 type: TYPE_MESSAGE type_name: ".sea.Berth" label: LABEL_REPEATED }
  field { name: "courses" number: 2 type: TYPE_MESSAGE type_name: ".sea.Course" label: LABEL_REPEATED }
  field { name: "mark" number: 3 type: TYPE_MESSAGE type_name: ".sea.Point" }
}
message_type {
  name: "Options"
  field { name: "edition" number: 1 type: TYPE_STRING }
  field { name: "crew" number: 2 type: TYPE_ENUM type_name: ".sea.CrewKind" }
  field { name: "size" number: 3 type: TYPE_INT32 oneof_index: 0 proto3_optional: true }
  field { name: "fast" number: 4 type: TYPE_BOOL }
  oneof_decl { name: "_size" }
}
"""
POOL: Final = descriptor_pool.DescriptorPool()
POOL.Add(text_format.Parse(FILE, descriptor_pb2.FileDescriptorProto()))


def class_of(name: str) -> Any:
    return message_factory.GetMessageClass(POOL.FindMessageTypeByName(f"sea.{name}"))


MOVE, CHART, OPTIONS = class_of("Move"), class_of("Chart"), class_of("Options")


class Crew(IntEnum):
    MATE = 0
    COOK = 1


class Point(Struct, frozen=True):
    x: int
    y: int


class Stop(Struct, frozen=True, tag="stop"):
    pass


class Anchored(Stop, frozen=True, tag="stop"):
    """A move that is never legal."""

    def as_listed(self) -> Anchored:
        raise MalformedMove("You are at sea.")


Anchored.__name__ = "Stop"


class Sail(Struct, frozen=True, tag="sail"):
    harbour: Annotated[int, Meta(ge=0), Id(("KYD", "CAN"), "harbour")]
    seat: int | None
    crew: tuple[Crew, ...]
    at: Point
    way: tuple[tuple[int, int], ...]
    fast: bool
    berth: Annotated[int, Meta(ge=1, le=3), Number("berth")]
    cargo: Annotated[str | None, Hidden("cargo")] = None


class Moves:
    """The codec of a union of moves."""

    def __init__(self, union: Any) -> None:
        cases = match_union(union, MOVE.DESCRIPTOR)
        self._write, self.read = union_writer(cases, MOVE.DESCRIPTOR), union_reader(cases)

    def write(self, move: Any) -> Any:
        return MOVE.FromString(self._write(move))


MOVES: Final = Moves(Sail | Stop)
MOVE_OF_ALL: Final = Sail(1, 0, (Crew.MATE, Crew.COOK), Point(3, 4), ((1, 2), (5, 6)), fast=True, berth=2, cargo="wine")


def message(**changed: Any) -> Any:
    """Return the message of ``MOVE_OF_ALL``, with some fields changed; ``None`` takes one away."""
    fields: dict[str, Any] = {
        "harbour": "CAN",
        "seat": 0,
        "crew": [2, 1],
        "at": {"x": 3, "y": 4},
        "way": [{"x": 1, "y": 2}, {"x": 5, "y": 6}],
        "fast": True,
        "berth": 2,
        "cargo": "wine",
    }
    return MOVE(go=fields | changed)


@pytest.mark.parametrize(("move", "written"), [(MOVE_OF_ALL, message()), (Stop(), MOVE(stop={}))])
def test_a_value_is_written_and_comes_back(move: Any, written: Any) -> None:
    assert MOVES.write(move) == written
    assert MOVES.read(MOVE.FromString(written.SerializeToString())) == move


def test_none_is_absent_and_an_absent_field_is_none() -> None:
    seatless = Sail(1, None, (), Point(3, 4), (), fast=False, berth=1, cargo="wine")
    written = MOVES.write(seatless)
    assert not written.go.HasField("seat")
    assert MOVES.read(written) == seatless


def test_what_is_masked_is_written_and_never_read() -> None:
    masked = MOVES.write(Sail(1, None, (), Point(3, 4), (), fast=False, berth=1))
    assert not masked.go.HasField("cargo")
    with pytest.raises(MalformedMove, match=re.escape("Name the cargo.")):
        MOVES.read(masked)


def test_a_negative_number_has_no_id() -> None:
    with pytest.raises(KeyError):
        MOVES.write(replace(MOVE_OF_ALL, harbour=-1))


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (MOVE(), "The move is empty. Set one of its kinds."),
        (message(harbour=None), "Name the harbour."),
        (message(harbour="ATH"), "There is no harbour 'ATH'. There are: KYD, CAN."),
        (message(berth=4), "There is no berth 4: berths are numbered 1 to 3."),
        (message(crew=[1, 0]), "Name the crew kind."),
        (message(crew=[3]), "There is no crew kind 3."),
        (message(at=None), "The move has no `at`. Set this field."),
    ],
)
def test_what_is_no_move_is_refused_with_a_sentence(sent: Any, sentence: str) -> None:
    with pytest.raises(MalformedMove) as refused:
        MOVES.read(sent)
    assert str(refused.value) == sentence


def test_a_move_that_was_read_becomes_the_listed_one() -> None:
    checked = Moves(Sail | Anchored)
    assert checked.read(message()) == MOVE_OF_ALL
    with pytest.raises(MalformedMove, match=re.escape("You are at sea.")):
        checked.read(MOVE(stop={}))


class Island(IntEnum):
    """An enum with a name that the wire lacks."""

    COOK = 1
    TAHITI = 2


def sail(**changed: Any) -> Any:
    """Return the type ``Sail`` with fields of other types; ``None`` takes one away."""
    types = get_type_hints(Sail, include_extras=True) | changed
    return defstruct("Sail", [(name, hint) for name, hint in types.items() if hint is not None], frozen=True)


def test_the_types_that_are_changed_below_agree() -> None:
    assert Moves(sail() | Stop).write(Stop()) == MOVE(stop={})


@pytest.mark.parametrize(
    ("structs", "refusal"),
    [
        (sail(fast=None) | Stop, "Sail and sea.Sail differ: only one of them has fast."),
        (sail(sunk=bool) | Stop, "Sail and sea.Sail differ: only one of them has sunk."),
        (sail(crew=Crew) | Stop, "Sail.crew and sea.Sail.crew differ: only one of them is a list."),
        (sail(berth=tuple[int, ...]) | Stop, "Sail.berth and sea.Sail.berth differ: only one of them is a list."),
        (sail(seat=int) | Stop, "Sail.seat and sea.Sail.seat differ: only one of them can be absent."),
        (sail(berth=int | None) | Stop, "Sail.berth and sea.Sail.berth differ: only one of them can be absent."),
        (
            sail(way=tuple[Point, ...] | None) | Stop,
            "Sail.way and sea.Sail.way differ: only one of them can be absent.",
        ),
        (sail(crew=tuple[Island, ...]) | Stop, "Island and sea.CrewKind differ: only one of them has MATE, TAHITI."),
        (sail(fast=int) | Stop, "Sail.fast and sea.Sail.fast differ: <class 'int'> does not match"),
        (sail(cargo=int | None) | Stop, "Sail.cargo and sea.Sail.cargo differ: <class 'int'> does not match"),
        (sail(crew=tuple[int, ...]) | Stop, "Sail.crew and sea.Sail.crew differ: <class 'int'> does not match"),
        (sail(at=Crew) | Stop, "Sail.at and sea.Sail.at differ: <enum 'Crew'> does not match"),
        (sail(at=Stop) | Stop, "Stop and sea.Point differ: only one of them has x, y."),
        (sail(way=tuple[tuple[int, int, int], ...]) | Stop, "Sail.way and sea.Point differ: 3 values face 2 fields."),
        (sail(harbour=str | int) | Stop, "has several types"),
        (sail(berth=Annotated[int, Number("berth")]) | Stop, "Sail.berth is a Number without bounds."),
        (sail(way=Annotated[tuple[int, ...], Numbered("z")]) | Stop, "the items of the field lack z."),
        (Sail | Point, "and sea.Move differ: only one of them has Point, Stop."),
        (Sail | Stop | Point, "and sea.Move differ: only one of them has Point."),
        (Stop, "and sea.Move differ: only one of them has Sail."),
    ],
)
def test_two_sides_that_differ_are_refused_by_name(structs: Any, refusal: str) -> None:
    with pytest.raises(TypeError, match=re.escape(refusal)):
        Moves(structs)


def test_a_message_without_a_oneof_is_no_union() -> None:
    with pytest.raises(TypeError, match=re.escape("sea.Point has 0 oneofs, where a union has one.")):
        match_union(Sail | Stop, class_of("Point").DESCRIPTOR)


Mark = Annotated[int, As(Point, lambda mark: Point(mark // 8, mark % 8), lambda at: at.x * 8 + at.y, "mark")]


class Chart(Struct, frozen=True):
    """Lists whose items have places, and a number that messages show as a point."""

    berths: Annotated[tuple[int, ...], Numbered("crew", Crew, sparse=True)]
    courses: Annotated[tuple[tuple[tuple[int, int], ...], ...], Numbered("leg", start=1)]
    mark: Mark


def test_an_item_names_its_place_and_a_sparse_list_has_no_zeros() -> None:
    chart = Chart(berths=(0, 2), courses=((), ((1, 2),)), mark=11)
    written = message_writer(match_struct(Chart, CHART.DESCRIPTOR))(chart)
    assert CHART.FromString(written) == CHART(
        berths=[{"crew": 1, "ships": 2}],
        courses=[{"leg": 1}, {"leg": 2, "points": [{"x": 1, "y": 2}]}],
        mark={"x": 1, "y": 3},
    )


def test_a_list_can_grow_and_shrink_from_value_to_value() -> None:
    write = message_writer(match_struct(Chart, CHART.DESCRIPTOR))
    for length in (1, 3, 0, 2):
        sent = CHART.FromString(write(Chart((0, 0), ((),) * length, 0)))
        assert [course.leg for course in sent.courses] == list(range(1, length + 1))


def test_a_move_has_no_list_whose_items_name_their_places() -> None:
    with pytest.raises(TypeError, match=re.escape("sea.Chart.berths cannot be read")):
        message_reader(match_struct(Chart, CHART.DESCRIPTOR))


def test_a_list_that_two_threads_write_at_once_names_each_place_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread records the examples of the API description, while the event loop writes views of the same game."""
    write, chart = message_writer(match_struct(Chart, CHART.DESCRIPTOR)), Chart((0, 0), ((),) * 3, 0)
    others: list[bytes] = []

    class Interrupted(writing._Written):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            monkeypatch.undo()
            others.append(write(chart))

    monkeypatch.setattr(writing, "_Written", Interrupted)
    for written in (write(chart), *others, write(chart)):
        assert [course.leg for course in CHART.FromString(written).courses] == [1, 2, 3]
    assert others


def test_large_values_and_long_lists_are_written_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine writes views of untrusted snapshots."""
    kept: list[ref[writing._Written]] = []

    class Recorded(writing._Written):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            kept.append(ref(self))

    monkeypatch.setattr(writing, "_Written", Recorded)
    write = message_writer(match_struct(Chart, CHART.DESCRIPTOR))
    large = CHART.FromString(write(Chart((0, 0), (((1, 2),) * 5000,), 0)))
    long = CHART.FromString(write(Chart((0, 0), (((1, 2),),) * 5000, 0)))
    assert len(large.courses[0].points) == len(long.courses) == long.courses[-1].leg == 5000
    tables = [table for one in kept if (table := one()) is not None]
    assert len(tables) < 100
    assert sum(len(written) for table in tables for written in table.values()) < 10_000


class Options(Struct, frozen=True):
    edition: str = "house"
    crew: Annotated[Crew, Without(())] = Crew.COOK
    size: int = 16
    fast: bool = False


class HurriedOptions(Options, frozen=True):
    fast: bool = True


OPTIONS_READER: Final = options_reader(match_struct(Options, OPTIONS.DESCRIPTOR))


@pytest.mark.parametrize(
    ("sent", "options"),
    [
        (OPTIONS(), Options()),
        (OPTIONS(edition="mirror", fast=True), Options("mirror", fast=True)),
        (OPTIONS(crew=2, size=0), Options(crew=Crew.MATE, size=0)),
    ],
)
def test_an_empty_option_is_its_default(sent: Any, options: Options) -> None:
    assert OPTIONS_READER(sent) == options


def test_an_unknown_option_is_rejected_with_all_choices() -> None:
    with pytest.raises(BadOptions) as refusal:
        OPTIONS_READER(OPTIONS(crew=7))
    assert refusal.value.field == "crew"
    assert refusal.value.sentence == "Choose one of CREW_KIND_COOK, CREW_KIND_MATE, not 7."


def test_an_option_that_is_true_by_default_needs_presence() -> None:
    with pytest.raises(TypeError, match=re.escape("sea.Options.fast needs presence, because its default is True.")):
        options_reader(match_struct(HurriedOptions, OPTIONS.DESCRIPTOR))


class Mates(IntEnum):
    """An enum with a member that messages lack."""

    MATE = 1
    COOK = 2
    NOBODY = 3


def test_a_member_that_a_field_never_has_is_left_out() -> None:
    changed = sail(crew=tuple[Annotated[Mates, Without((Mates.NOBODY,))], ...])
    assert match_struct(changed, class_of("Sail").DESCRIPTOR).join is changed
    with pytest.raises(TypeError, match=re.escape("Mates and sea.CrewKind differ: only one of them has NOBODY.")):
        match_struct(sail(crew=tuple[Mates, ...]), class_of("Sail").DESCRIPTOR)
