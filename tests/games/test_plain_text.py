"""A game without a text of its own is described by the names of its fields."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from msgspec import Struct

from skerry_games.annotations import As, Id, Numbered, PerSeat
from skerry_games.texts.plain_text import plain_board_text, plain_text


class Phase(IntEnum):
    DRAW_CARD = 1


class Cell(Struct, frozen=True):
    column: int
    row: int


Town = Annotated[int, Id(("LAG", "PUE"), "town")]
At = Annotated[
    int, As(Cell, lambda cell: Cell(cell % 10, cell // 10), lambda cell: cell.row * 10 + cell.column, "cell")
]


class Seat(Struct, frozen=True):
    score: int
    hand: tuple[int, ...]
    chosen: bool


class Plot(Struct, frozen=True):
    owner: int | None


class Table(Struct, frozen=True):
    phase: Phase
    acting_seat: int | None
    town: Town | None
    at: At
    last_round: bool
    seats: PerSeat[Seat]
    plots: Annotated[tuple[Plot, ...], Numbered("plot", start=1)]
    cards: Annotated[tuple[int, ...], Numbered("town", Town, sparse=True)]
    roads: tuple[tuple[Town, Town], ...]
    ships: tuple[Plot, ...]


TABLE = Table(
    phase=Phase.DRAW_CARD,
    acting_seat=0,
    town=1,
    at=37,
    last_round=True,
    seats=(Seat(3, (), chosen=True), Seat(0, (4, 5), chosen=False)),
    plots=(Plot(1), Plot(None)),
    cards=(0, 2),
    roads=((0, 1), (1, 0)),
    ships=(Plot(0),),
)


def test_each_field_is_a_line_and_each_struct_of_a_list_too() -> None:
    assert plain_text(TABLE, 1).splitlines() == [
        "phase: draw card",
        "acting seat: 0",
        "town: PUE",
        "at: column 7 row 3",
        "last round: yes",
        "seat 0 ({0}): score 3; chosen yes",
        "seat 1 ({1}, you): score 0; hand 4, 5",
        "plot 1: owner 1",
        "cards: PUE 2",
        "roads: LAG-PUE, PUE-LAG",
        "ships 1: owner 0",
    ]


def test_a_board_has_no_viewer() -> None:
    assert "seat 1 ({1}): score 0; hand 4, 5" in plain_board_text(TABLE).splitlines()
