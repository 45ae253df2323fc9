from __future__ import annotations

import pytest
from msgspec.structs import replace

from skerry_games.api import IllegalMove
from skerry_games.small_islands import GAME
from skerry_games.small_islands.events import IslandsJoined, TileLaid, TileSource
from skerry_games.small_islands.moves import LayTile
from skerry_games.small_islands.state import State
from skerry_games.small_islands.tabletop.cells import CELLS, INSIDE, TURNS, WAYS, beside, cell_at, members
from tests.games.small_islands.acting import choices, do, happens, land, lay, pick, refused, take
from tests.games.small_islands.drawing import cell, face, position

STRIP = """
    L06/2 L24/2
    L42   L43
"""
"""An island of four tiles; land in the middle row of points, sea above and below."""


def laying(tile: str, picture: str = STRIP, more: str = "") -> State:
    """Return the position in which seat 0 lays a tile that it has taken from the display."""
    return do(position(f"{picture}\ndisplay: {tile}\n{more}"), take(tile), pick(tile))


def places(state: State) -> set[tuple[int, int]]:
    return {(move.at, move.turns) for move in choices(state) if isinstance(move, LayTile)}


def islands(state: State) -> list[set[int]]:
    return sorted((set(members(island)) for island in state.table.chart.islands), key=min)


def cells(*texts: str) -> set[int]:
    return set(map(cell, texts))


def test_a_side_is_land_sea_or_shore_by_its_two_corners() -> None:
    """SMALL-TILE-1: beside the shore of the strip fits a tile with the same corner of land, not one of sea alone."""
    assert (cell("6,4"), 3) in places(laying("L01"))
    assert refused(laying("L55"), lay("6,4")) == "SMALL-TILE-3"


def test_a_tile_with_land_at_opposite_corners_is_one_piece_of_land() -> None:
    """SMALL-TILE-1: L12 joins the islands at its two corners."""
    state = position(
        """
        L01/3 .
        L12   L02/3
        """
    )
    assert islands(state) == [cells("4,4", "4,5", "5,5")]


def test_a_tile_needs_a_neighbour_at_a_side() -> None:
    """SMALL-TILE-2: (3, 3) touches the strip with a corner only."""
    state = laying("L55")
    assert (cell("4,3"), 0) in places(state)
    assert refused(state, lay("3,3")) == "SMALL-TILE-2"
    assert refused(state, lay("0,0")) == "SMALL-TILE-2"


def test_a_tile_is_not_laid_on_another() -> None:
    """SMALL-TILE-2"""
    assert refused(laying("L06", "L55 L56"), lay("4,4")) == "SMALL-TILE-2"


def test_a_ship_is_something_laid_that_a_tile_may_touch() -> None:
    """SMALL-TILE-2"""
    assert (cell("5,4"), 0) in places(laying("L55", "~grey"))


@pytest.mark.parametrize(
    ("tile", "ways"),
    [("L55", 1), ("L17", 1), ("L12", 2), ("L01", 4), ("L06", 4), ("L13", 4)],
    ids=str,
)
def test_a_tile_is_laid_in_every_rotation_that_differs_in_its_corners(tile: str, ways: int) -> None:
    """SMALL-TILE-2"""
    assert len(WAYS[face(tile)]) == ways
    assert [turns for turns, _ in WAYS[face(tile)]] == list(range(ways))


def test_a_rotation_that_changes_no_corner_is_not_offered_again() -> None:
    """SMALL-TILE-2"""
    state = laying("L55")
    assert refused(state, lay("4,3", 1)) == "SMALL-TILE-2"
    assert refused(laying("L12", "L01/2"), lay("5,4", 3)) == "SMALL-TILE-2"


def test_all_four_corners_must_agree() -> None:
    """SMALL-TILE-3: the cell right of the strip's upper row has land at its lower left corner, and sea above."""
    assert {turns for at, turns in places(laying("L01")) if at == cell("6,4")} == {3}
    assert {turns for at, turns in places(laying("L07")) if at == cell("6,4")} == {2}
    assert refused(laying("L01"), lay("6,4", 0)) == "SMALL-TILE-3"


def test_only_a_diagonal_neighbour_can_forbid_a_tile() -> None:
    """SMALL-TILE-3: without L01 at (4, 4) the sea tile would fit at (5, 5), whose other neighbour is below."""
    without = laying("L55", ".     .\n.     .\n.     L56")
    assert (cell("5,5"), 0) in places(without)
    with_it = laying("L55", "L01/2 .\n.     .\n.     L56")
    assert (cell("5,5"), 0) not in places(with_it)
    assert refused(with_it, lay("5,5")) == "SMALL-TILE-3"


def test_what_is_listed_is_what_a_scan_of_the_whole_table_finds() -> None:
    """SMALL-TILE-2, SMALL-TILE-3"""
    for tile in ("L01", "L07", "L12", "L13", "L55"):
        state = laying(tile)
        accepted = {(at, turns) for at in CELLS for turns in TURNS if accepts(state, LayTile(at, turns))}
        assert accepted == places(state)


def accepts(state: State, move: LayTile) -> bool:
    try:
        GAME.apply(state, 0, move)
    except IllegalMove:
        return False
    return True


@pytest.mark.parametrize("size", [6, 16])
def test_nothing_is_laid_outside_the_table(size: int) -> None:
    """SMALL-TABLE-1"""
    picture = "L55 L56"
    state = do(position(f"{picture}\ndisplay: L01", size=size), take("L01"), pick("L01"))
    inside = {at for at, _ in places(state)}
    assert (cell("6,4") in inside) == (size == 16)
    if size == 6:
        assert refused(state, lay("6,4", 1)) == "SMALL-TABLE-1"
        assert refused(do(position(picture, size=6)), land("6,4")) == "SMALL-TABLE-1"


def test_the_first_row_and_column_are_at_the_edge_of_the_table() -> None:
    """SMALL-TABLE-1: the cell left of the first column is not the last cell of the row above."""
    corner = 1 << cell_at(0, 0)
    assert set(members(beside(corner) & INSIDE[20])) == {cell_at(1, 0), cell_at(0, 1)}
    last = 1 << cell_at(19, 19)
    assert set(members(beside(last) & INSIDE[20])) == {cell_at(18, 19), cell_at(19, 18)}


@pytest.mark.parametrize("picture", ["L01/2 L02/3", "L01/1 L02/0", "L01/2\nL02/1", "L01/3\nL02/0"])
def test_neighbours_are_joined_by_one_corner_of_land_whichever_was_laid_first(picture: str) -> None:
    """SMALL-ISLAND-1"""
    table = position(picture).table
    other = replace(table, tiles=table.tiles[::-1])
    assert [island.bit_count() for island in (*table.chart.islands, *other.chart.islands)] == [2, 2]


def test_neighbours_are_joined_by_one_corner_of_land_at_their_side() -> None:
    """SMALL-ISLAND-1"""
    assert islands(position(STRIP)) == [cells("4,4", "5,4", "4,5", "5,5")]
    assert islands(position("L01/2 L02/3")) == [cells("4,4", "5,4")]


def test_neighbours_at_a_side_of_sea_are_not_joined() -> None:
    """SMALL-ISLAND-1"""
    assert islands(position("L01/0 L02/1")) == [cells("4,4"), cells("5,4")]


def test_tiles_that_meet_at_a_corner_only_are_not_joined() -> None:
    """SMALL-ISLAND-1: both have land at the point between them."""
    assert islands(position("L01/2 .\n.     L02/0")) == [cells("4,4"), cells("5,5")]


def test_sea_and_ships_are_on_no_island() -> None:
    """SMALL-ISLAND-2"""
    state = position("L06/2 .\nL42   .\n~grey L55")
    assert islands(state) == [cells("4,4", "4,5")]
    assert [state.table.chart.island_at(cell(at)) for at in ("4,6", "5,6")] == [None, None]


def test_an_island_need_not_be_complete() -> None:
    """SMALL-ISLAND-2: the land of L17 goes on at all sides, and still it is an island."""
    assert islands(position("L17")) == [cells("4,4")]


def test_the_event_of_a_laid_tile_names_its_source() -> None:
    state = position(f"{STRIP}\ndisplay: L01\nseat 0: hand L55 L19")
    _, events = happens(do(state, take("L01"), pick("L01")), lay("6,4", 3))
    assert events == (TileLaid(0, face("L01"), cell("6,4"), 3, TileSource.DISPLAY),)
    _, events = happens(do(state, take("L01"), pick("L19")), lay("6,4", 3))
    assert events == (TileLaid(0, face("L19"), cell("6,4"), 3, TileSource.HAND),)


def test_the_event_of_a_tile_that_joins_islands_names_their_first_cells() -> None:
    """SMALL-ISLAND-1: L17 between two tiles."""
    state = laying("L17", "L06/1 .     L24/3")
    after, events = happens(state, lay("5,4"))
    assert events[1:] == (IslandsJoined((cell("4,4"), cell("6,4")), 3),)
    assert islands(after) == [cells("4,4", "5,4", "6,4")]


def test_a_tile_that_grows_one_island_joins_nothing() -> None:
    """SMALL-ISLAND-1"""
    _, events = happens(laying("L01"), lay("6,4", 3))
    assert [type(event) for event in events] == [TileLaid]
