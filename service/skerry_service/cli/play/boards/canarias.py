"""A text drawing of Islas Canarias: a grid per island, with its houses, palaces and towns."""

from __future__ import annotations

from collections.abc import Iterator

from skerry.games.canarias.v1 import canarias_pb2 as pb
from skerry_service.cli.play.boards import beside

LEGEND = (
    "Colours: or orange, br brown, gr green, bl blue, be beige, re red. re: a house. Re: a palace. RE: a town.",
    "Point: a free square. vv: the village. ff: farmland.",
)


def draw(board: pb.Board, view: pb.View) -> list[str]:
    """Return the islands of all seats side by side."""
    islands = {island.id: island for island in board.islands}
    grids = [_island(islands[seat.island], seat) for seat in view.seats if seat.island]
    return beside(list(grid) for grid in grids) if grids else []


def _island(island: pb.Island, seat: pb.SeatState) -> Iterator[str]:
    signs = dict.fromkeys(island.squares, " .") | dict.fromkeys(island.village, "vv")
    signs |= dict.fromkeys(island.farmland, "ff")
    signs |= {building.square: _building(building) for building in seat.buildings}
    columns = sorted({square[1:] for square in signs}, key=int)
    yield f"seat {seat.seat}, {seat.score} points, island {island.id}"
    yield "   " + "  ".join(f"{column:>2}" for column in columns)
    for row in sorted({square[0] for square in signs}):
        yield f"{row}  " + "  ".join(signs.get(row + column, "  ") for column in columns)


def _building(building: pb.Building) -> str:
    colour = pb.Colour.Name(building.colour).removeprefix("COLOUR_").lower()[:2]
    match building.piece:
        case pb.PIECE_TOWN:
            return colour.upper()
        case pb.PIECE_PALACE:
            return colour.capitalize()
    return colour
