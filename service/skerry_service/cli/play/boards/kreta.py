"""A map of Crete in text: the outline of each province, with its id, value, tile and pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from skerry.games.kreta.v1 import kreta_pb2 as pb

COLUMNS, ROWS = 110, 24
SEA = ""
LEGEND = (
    "Each province shows its id, value and tile, then pieces by seat: v villager, V village, A abbot, S ship.",
    "[0] is a fort of seat 0.",
)

_Ids = list[list[str]]


def draw(board: pb.Board, view: pb.View) -> list[str]:
    """Return the lines of the map with all pieces."""
    ids = _ids(board.SerializeToString())
    canvas = [[_border(ids, x, y) for x in range(COLUMNS)] for y in range(ROWS)]
    free = [list(row) for row in ids]
    owners = {fort.space: fort.seat for fort in view.forts}
    for space in board.fort_spaces:
        if space.number in owners:
            x, y = _column(board, space.at.x) - 1, _row(board, space.at.y)
            _write(canvas, x, y, f"[{owners[space.number]}]")
            free[y][x : x + 3] = [SEA] * 3
    values = {province.id: province.value for province in board.provinces}
    for state in view.provinces:
        _label(canvas, free, state.province, _layouts(state, values[state.province]))
    return ["".join(row).rstrip() for row in canvas if "".join(row).strip()]


def _layouts(state: pb.ProvinceState, value: int) -> list[list[str]]:
    """Return alternative label rows for a province. Later layouts need fewer rows."""
    name, pieces = f"{state.province} {value}", list(_pieces(state))
    if not state.tile:
        return [[name, *pieces]]
    tile = pb.Tile.Name(state.tile).removeprefix("TILE_").lower()
    return [[name, tile, *pieces], [f"{name} {tile}", *pieces]]


def _pieces(state: pb.ProvinceState) -> Iterator[str]:
    for seat, (villagers, villages) in enumerate(zip(state.villagers, state.villages, strict=True)):
        pieces = _counted(villagers, "v") + _counted(villages, "V")
        pieces += "A" * (seat in state.abbots) + "S" * (seat in state.ships)
        if pieces:
            yield f"{seat}:{pieces}"


def _counted(count: int, piece: str) -> str:
    return piece if count == 1 else f"{count}{piece}" if count else ""


# ---------------------------------------------------------------- the map as a grid of characters


@lru_cache(maxsize=4)
def _ids(board: bytes) -> _Ids:
    """Return the id of the province at each place of the grid, or SEA."""
    message = pb.Board.FromString(board)
    outlines = [(each.id, [(point.x, point.y) for point in each.polygon]) for each in message.provinces]

    def at(column: int, row: int) -> str:
        x, y = (column + 0.5) * message.width / COLUMNS, (row + 0.5) * message.height / ROWS
        return next((name for name, outline in outlines if _inside(x, y, outline)), SEA)

    return [[at(column, row) for column in range(COLUMNS)] for row in range(ROWS)]


def _inside(x: float, y: float, outline: Sequence[tuple[int, int]]) -> bool:
    """Return whether the point is inside: a ray to the right crosses the outline an odd number of times."""
    inside = False
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def _border(ids: _Ids, x: int, y: int) -> str:
    here = ids[y][x]
    if x + 1 < COLUMNS and ids[y][x + 1] != here:
        return "|"
    return "_" if y + 1 < ROWS and ids[y + 1][x] != here else " "


def _label(canvas: list[list[str]], free: _Ids, province: str, layouts: list[list[str]]) -> None:
    """Write the first layout that fits into the free area of the province. If none fits, cut the last one."""
    runs = [_widest(row, below, province) for row, below in zip(free, [*free[1:], free[-1]], strict=True)]
    words = next((words for words in layouts if _fits(words, runs)), layouts[-1])
    for y, text in enumerate(words, start=_top(runs, len(words))):
        start, end = runs[y]
        inner = text[: max(0, end - start - 1)]
        _write(canvas, start + (end - start - len(inner)) // 2, y, inner)


def _fits(words: list[str], runs: list[tuple[int, int]]) -> bool:
    top = _top(runs, len(words))
    return all(len(text) < _width(run) for text, run in zip(words, runs[top:], strict=False))


def _top(runs: list[tuple[int, int]], count: int) -> int:
    """Return the first of ``count`` rows whose narrowest run is as wide as possible."""
    return max(range(ROWS - count + 1), key=lambda y: (min(_width(run) for run in runs[y : y + count]), -y))


def _width(run: tuple[int, int]) -> int:
    return run[1] - run[0]


def _widest(row: Sequence[str], below: Sequence[str], province: str) -> tuple[int, int]:
    """Return the start and end of the longest run of that province in the row, without its lower border."""
    best, start = (0, 0), None
    inner = [name if name == under else SEA for name, under in zip(row, below, strict=True)]
    for x, name in enumerate([*inner, SEA]):
        if name == province and start is None:
            start = x
        elif name != province and start is not None:
            best, start = max(best, (start, x), key=_width), None
    return best


def _write(canvas: list[list[str]], x: int, y: int, text: str) -> None:
    for offset, character in enumerate(text):
        if 0 <= x + offset < COLUMNS and 0 <= y < ROWS:
            canvas[y][x + offset] = character


def _column(board: pb.Board, x: int) -> int:
    return min(COLUMNS - 2, max(1, x * COLUMNS // board.width))


def _row(board: pb.Board, y: int) -> int:
    return min(ROWS - 1, max(0, y * ROWS // board.height))
