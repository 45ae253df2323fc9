"""What ``unions.union_codec`` derives from two sides that agree, and that it refuses two that differ.

The message has no file of its own: it is described here, with a field of each shape.
"""

from __future__ import annotations

import re
from enum import IntEnum
from importlib import import_module
from typing import Annotated, Any, Final, get_type_hints

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format
from msgspec import Meta, Struct, defstruct

from skerry_games.api import AnyGame, MalformedMove
from skerry_games.catalogue import all_games
from skerry_service.wire import unions
from tests.games.conformance.play import play

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
"""
POOL: Final = descriptor_pool.DescriptorPool()
POOL.Add(text_format.Parse(FILE, descriptor_pb2.FileDescriptorProto()))
MOVE: Final[Any] = message_factory.GetMessageClass(POOL.FindMessageTypeByName("sea.Move"))
POINT: Final[Any] = message_factory.GetMessageClass(POOL.FindMessageTypeByName("sea.Point"))


class Crew(IntEnum):
    MATE = 0
    COOK = 1


class Point(Struct, frozen=True):
    x: int
    y: int


class Stop(Struct, frozen=True, tag="stop"):
    pass


class Sail(Struct, frozen=True, tag="sail"):
    harbour: Annotated[int, Meta(ge=0)]
    seat: int | None
    crew: tuple[Crew, ...]
    at: Point
    way: tuple[tuple[int, int], ...]
    fast: bool
    berth: int
    cargo: str | None = None


FIELD_CODECS: Final = {
    "harbour": unions.id_codec(("KYD", "CAN"), "harbour", " on the coast"),
    "berth": unions.number_codec(range(1, 4), "berth"),
}
MOVES: Final = unions.union_codec(MOVE, Sail | Stop, FIELD_CODECS, required={"cargo": "Name the cargo."})
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


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (MOVE(), "The move is empty. Set one of its kinds."),
        (message(harbour=None), "Name the harbour."),
        (message(harbour="ATH"), "There is no harbour 'ATH' on the coast."),
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


def test_a_value_that_was_read_is_checked_by_its_type() -> None:
    def anchored(_: Stop) -> Stop:
        raise MalformedMove("You are at sea.")

    checked = unions.union_codec(MOVE, Sail | Stop, FIELD_CODECS, checks={Stop: anchored})
    assert checked.read(message()) == MOVE_OF_ALL
    with pytest.raises(MalformedMove, match=re.escape("You are at sea.")):
        checked.read(MOVE(stop={}))


class Island(IntEnum):
    """An enum with a name that the wire lacks."""

    COOK = 1
    TAHITI = 2


def sail(**changed: Any) -> Any:
    """Return the type ``Sail`` with fields of other types; ``None`` takes one away."""
    types = get_type_hints(Sail) | changed
    return defstruct("Sail", [(name, hint) for name, hint in types.items() if hint is not None], frozen=True)


def test_the_types_that_are_changed_below_agree() -> None:
    assert unions.union_codec(MOVE, sail() | Stop, FIELD_CODECS).write(Stop()) == MOVE(stop={})


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
        (Sail | Point, "and sea.Move differ: only one of them has Point, Stop."),
        (Sail | Stop | Point, "and sea.Move differ: only one of them has Point."),
        (Stop, "and sea.Move differ: only one of them has Sail."),
    ],
)
def test_two_sides_that_differ_are_refused_by_name(structs: Any, refusal: str) -> None:
    with pytest.raises(TypeError, match=re.escape(refusal)):
        unions.union_codec(MOVE, structs, FIELD_CODECS)


def test_a_message_without_a_oneof_is_no_union() -> None:
    with pytest.raises(TypeError, match=re.escape("sea.Point has 0 oneofs, where a union has one.")):
        unions.union_codec(POINT, Sail | Stop, FIELD_CODECS)


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in all_games().values()])
def test_every_event_of_a_game_says_on_the_wire_all_that_it_says_here(game: AnyGame) -> None:
    """What a codec writes of an event, for any viewer, can be read back: nothing is lost or mistaken."""
    events: unions.UnionCodec[Any, Any] = import_module(f"skerry_service.wire.games.{game.id}").EVENTS
    for seats in game.seats:
        for step in play(game, seats, 1).steps:
            for viewer in (None, 0, step.actor):
                shown = [one for event in step.events if (one := game.show(event, viewer)) is not None]
                assert [events.read(events.write(event)) for event in shown] == shown
