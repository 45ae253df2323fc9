"""The table of Small Islands in text: a grid of tiles with their land, symbols, tokens, houses and ships."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from skerry.games.small_islands.v1 import small_islands_pb2 as pb
from skerry_service.cli.play.boards import beside
from skerry_service.cli.play.boards.small_islands.cards import in_words

LEGEND = (
    "The corners of a tile are land (#) or sea (~). F flower, U fruit, L leaf, T temple, P port, h house symbol.",
    "Small letters f u l p are tokens. h0 is a house of seat 0, S0 the ship of seat 0, S a grey ship.",
)
SIGNS = {
    pb.SYMBOL_FLOWER: "F",
    pb.SYMBOL_FRUIT: "U",
    pb.SYMBOL_LEAF: "L",
    pb.SYMBOL_TEMPLE: "T",
    pb.SYMBOL_PORT: "P",
    pb.SYMBOL_HOUSE: "h",
}
WIDTH = 6

_At = tuple[int, int]
_Lines = tuple[str, str, str]


def draw(board: pb.Board, view: pb.View) -> list[str]:
    """Return the lines of the table, then the tiles and cards that the viewer knows."""
    faces = {face.id: face for face in [*board.landscape_tiles, *board.start_tiles, board.ship_tile]}
    at_hand = dict.fromkeys([view.picked, *view.display, *(tile for seat in view.seats for tile in seat.hand)])
    lines = _table(_cells(faces, view))
    tiles = [[f"{name:{WIDTH}}", *_tile(faces[name], 0, [])] for name in at_hand if name]
    if tiles:
        lines += ["", "Tiles in the display and in hands, without rotation:", *beside(tiles)]
    cards_of = {card.id: card for card in board.cards}
    known = [card for seat in view.seats for card in (*seat.cards, *seat.objective, *seat.aside)]
    return [*lines, *([""] if known else []), *(in_words(cards_of[card]) for card in known)]


def _cells(faces: Mapping[str, pb.Tile], view: pb.View) -> dict[_At, _Lines]:
    """Return the drawing of each cell that has a tile or ship."""
    tokens: defaultdict[_At, list[pb.TokenState]] = defaultdict(list)
    for token in view.tokens:
        tokens[token.at.x, token.at.y].append(token)
    houses = {(cell.x, cell.y): f"h{seat.seat}" for seat in view.seats for cell in seat.houses}
    cells: dict[_At, _Lines] = {}
    for laid in view.tiles:
        at = laid.at.x, laid.at.y
        cells[at] = _tile(faces[laid.tile], laid.turns, tokens[at], houses.get(at, ""))
    for ship in view.ships:
        owner = str(ship.seat) if ship.HasField("seat") else ""
        cells[ship.at.x, ship.at.y] = ("~" * WIDTH, f"S{owner}".center(WIDTH), "~" * WIDTH)
    return cells


def _tile(face: pb.Tile, turns: int, tokens: Sequence[pb.TokenState], house: str = "") -> _Lines:
    corners = ["#" if face.land_corners[(corner - turns) % 4] else "~" for corner in range(4)]
    signs = [SIGNS[printed.symbol] for printed in face.symbols] + ["P"] * face.ports
    for token in tokens:
        small = SIGNS[token.shows].lower()
        if token.shows == pb.SYMBOL_PORT:
            signs.append(small)
        else:
            signs[token.place] = small
    if house:
        signs.remove("h")
    middle = ("".join(sorted(signs)) + house)[:WIDTH].center(WIDTH)
    return (_edge(corners[0], corners[1]), middle, _edge(corners[3], corners[2]))


def _edge(left: str, right: str) -> str:
    return left * 2 + " " * (WIDTH - 4) + right * 2


def _table(cells: Mapping[_At, _Lines]) -> list[str]:
    """Return the used part of the table with one free cell around it, and numbered columns and rows."""
    if not cells:
        return []
    columns, rows = _around(x for x, _ in cells), _around(y for _, y in cells)
    between = "    +" + "+".join("-" * WIDTH for _ in columns) + "+"
    lines = ["     " + " ".join(str(column).center(WIDTH) for column in columns), between]
    for row in rows:
        drawn = [cells.get((column, row), (" " * WIDTH,) * 3) for column in columns]
        for number in range(3):
            name = f"{row:3} |" if number == 1 else "    |"
            lines.append(name + "|".join(lines_of[number] for lines_of in drawn) + "|")
        lines.append(between)
    return lines


def _around(numbers: Iterable[int]) -> range:
    used = list(numbers)
    return range(min(used) - 1, max(used) + 2)
