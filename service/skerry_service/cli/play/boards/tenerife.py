"""A text drawing of Tenerife: the column with its characters, the towns, the Town Hall and the warehouses."""

from __future__ import annotations

from collections.abc import Iterator

from skerry.games.tenerife.v1 import tenerife_pb2 as pb
from skerry_service.cli.play.boards import beside

LEGEND = (
    "Digits: seats. Point: free. x: closed. ?: a character that you cannot see. m0: the merchant of seat 0.",
    ">: the current place and the acting character.",
)


def draw(board: pb.Board, view: pb.View) -> list[str]:
    """Return the column, the towns, the Town Hall and the storage side by side."""
    blocks = [list(_column(view)), list(_towns(board, view)), list(_hall(board, view)), list(_storage(board, view))]
    return beside(blocks)


def _column(view: pb.View) -> Iterator[str]:
    yield "column"
    for space in view.column:
        mark = ">" if space.space == view.active_space else " "
        yield f"{mark}{space.space:2}  {_card(space)}"


def _card(space: pb.SpaceState) -> str:
    if not space.HasField("seat"):
        return "."
    character = _word(pb.Character.Name(space.character)) if space.character else "?"
    colour = _word(pb.Colour.Name(space.colour)) if space.colour else ""
    return f"{space.seat} {character}{f' ({colour})' if colour not in ('', 'own') else ''}"


def _word(name: str) -> str:
    return name.split("_", 1)[1].replace("_", " ").lower()


def _towns(board: pb.Board, view: pb.View) -> Iterator[str]:
    yield "towns"
    states = {state.town: state for state in view.towns}
    for place in board.places:
        mark = ">" if place.id == view.current_place else " "
        merchants = "".join(f" m{seat.seat}" for seat in view.seats if seat.merchant == place.id)
        if place.id in states:
            owners = list(states[place.id].mansions)
            plots = " ".join([*map(str, owners), *["."] * (len(place.plots) - len(owners))])
        else:
            plots = "(Town Hall)"
        yield f"{mark}{place.name:18} {plots}{merchants}"


def _hall(board: pb.Board, view: pb.View) -> Iterator[str]:
    yield "Town Hall"
    states = {state.plot: state for state in view.hall}
    at = {(plot.row, plot.column): plot.number for plot in board.hall_plots}
    for row in sorted({row for row, _ in at}):
        numbers = [at.get((row, column)) for column in range(max(column for _, column in at) + 1)]
        yield "  ".join("   " if number is None else f"{number:2}{_plot(states[number])}" for number in numbers)


def _plot(state: pb.PlotState) -> str:
    return "x" if state.closed else str(state.seat) if state.HasField("seat") else "."


def _storage(board: pb.Board, view: pb.View) -> Iterator[str]:
    yield "storage"
    states = {state.storage: state for state in view.storage}
    for space in board.storage_spaces:
        owners = list(states[space.number].warehouses)
        farmhand = " farmhand" if space.number == view.farmhand else ""
        good = _word(pb.Good.Name(space.good))
        room = " ".join([*map(str, owners), *["."] * (space.room - len(owners))])
        yield f"{space.number} {good} for {space.value}: {room}{farmhand}"
