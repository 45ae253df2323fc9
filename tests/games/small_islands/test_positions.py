"""Invariants that hold in every position of random games."""

from __future__ import annotations

import pytest
from hypothesis import given
from msgspec import msgpack

from skerry_games.api import CHANCE_ACTS
from skerry_games.rng import SeededRng
from skerry_games.small_islands import GAME
from skerry_games.small_islands.moves import LandShip, LayTile
from skerry_games.small_islands.phases.bonus_tokens import port_cells
from skerry_games.small_islands.printed.components import RESOURCES, Symbol
from skerry_games.small_islands.state import Phase, State
from skerry_games.small_islands.tabletop.cells import INSIDE, LAND, PATTERNS, WAYS, Cell, column, members, row, turned
from tests.games.small_islands.random_games import Table, states, steps, tables
from tests.games.small_islands.totals import count_pieces

MOST_BYTES = 1000
SIDES = {(0, -1): ((0, 0), (1, 0)), (1, 0): ((1, 0), (1, 1)), (0, 1): ((0, 1), (1, 1)), (-1, 0): ((0, 0), (0, 1))}
"""Where each neighbour lies, and the two corners of a tile at that side."""

Point = tuple[int, int]
CORNERS: tuple[Point, ...] = ((0, 0), (1, 0), (1, 1), (0, 1))


def at(cell: Cell) -> Point:
    return column(cell), row(cell)


def corners(state: State) -> dict[Point, dict[Point, bool]]:
    """Return for each laid thing the points at its corners, and whether it has land there. From scratch."""
    found: dict[Point, dict[Point, bool]] = {}
    for tile in state.table.tiles:
        found[at(tile.at)] = around(at(tile.at), turned(PATTERNS[tile.tile], tile.turns))
    for ship in state.table.ships:
        found[at(ship.at)] = around(at(ship.at), 0)
    return found


def around(where: Point, pattern: int) -> dict[Point, bool]:
    x, y = where
    return {(x + right, y + down): bool(pattern >> bit & 1) for bit, (right, down) in enumerate(CORNERS)}


def flooded(state: State) -> set[frozenset[Point]]:
    """Return the islands by flooding the table from each tile with land."""
    laid = corners(state)
    dry = {where for where, points in laid.items() if any(points.values())}
    islands = set()
    while dry:
        island, edge = set[Point](), {dry.pop()}
        while edge:
            island |= edge
            edge = {other for one in edge for other in joined(laid, one)} - island
        dry -= island
        islands.add(frozenset(island))
    return islands


def joined(laid: dict[Point, dict[Point, bool]], one: Point) -> set[Point]:
    x, y = one
    return {
        (x + right, y + down)
        for (right, down), ends in SIDES.items()
        if (x + right, y + down) in laid and any(laid[one][x + dx, y + dy] for dx, dy in ends)
    }


@given(tables)
def test_all_tiles_that_meet_at_a_point_agree_on_it(table: Table) -> None:
    """SMALL-TILE-3"""
    for state in states(*table):
        seen: dict[Point, bool] = {}
        for points in corners(state).values():
            for point, land in points.items():
                assert seen.setdefault(point, land) is land


@given(tables)
def test_islands_are_those_that_a_flood_from_scratch_finds(table: Table) -> None:
    """SMALL-ISLAND-1, SMALL-ISLAND-2"""
    for state in states(*table):
        assert {frozenset(map(at, members(island))) for island in state.table.chart.islands} == flooded(state)


@given(tables)
def test_the_chart_carried_along_is_the_one_drawn_from_scratch(table: Table) -> None:
    for state in states(*table):
        fresh = msgpack.decode(msgpack.encode(state), type=State).table
        carried, drawn = state.table.chart, fresh.chart
        assert sorted(carried.islands) == sorted(drawn.islands)
        for name in ("taken", "land", "sea", "coast", "low_bits", "high_bits", "shown"):
            assert getattr(carried, name) == getattr(drawn, name), name


@given(tables)
def test_islands_show_what_their_tiles_show(table: Table) -> None:
    """SMALL-REWARD-5"""
    for state in states(*table):
        chart = state.table.chart
        for island in chart.summaries:
            assert island.tiles == len(members(island.cells))
            assert island.counts[1:] == tuple(chart.count(symbol, island.cells) for symbol in Symbol)


@given(tables)
def test_bonus_tokens_find_places_by_what_the_tiles_show(table: Table) -> None:
    """SMALL-TOKEN-2, SMALL-TOKEN-3"""
    for state in states(*table):
        chart = state.table.chart
        token_targets = {symbol for symbol in Symbol if chart.token_targets >> symbol & 1}
        assert token_targets - {Symbol.PORT} == {symbol for symbol in RESOURCES if chart.showing(symbol)}
        assert (Symbol.PORT in token_targets) == (port_cells(chart) != 0)


@given(tables)
def test_the_edge_is_every_empty_cell_beside_something_laid(table: Table) -> None:
    """SMALL-TILE-2, SMALL-TABLE-1"""
    for state in states(*table):
        size, laid = state.table.size, set(corners(state))
        assert all(x < size and y < size for x, y in laid)
        scanned = {
            (x, y)
            for x in range(size)
            for y in range(size)
            if (x, y) not in laid and {(x + dx, y + dy) for dx, dy in SIDES} & laid
        }
        assert set(map(at, members(state.table.edge))) == scanned


@given(tables)
def test_placements_are_those_that_a_scan_of_the_table_finds(table: Table) -> None:
    """SMALL-TILE-2, SMALL-TILE-3, SMALL-LAND-1"""
    for state, actor, listed, _ in steps(*table):
        if state.phase is Phase.LAY_TILE:
            wanted = {(cell, turns) for turns, pattern in WAYS[state.picked] for cell in fitting(state, pattern)}
            assert {(move.at, move.turns) for move in listed if isinstance(move, LayTile)} == wanted
            assert len(listed) == len(wanted) > 0
        if state.phase is Phase.TURN and state.stack == 0:
            ships = {move.at for move in listed if isinstance(move, LandShip) and not move.grey}
            assert ships == (set(fitting(state, 0)) if state.seats[actor].ship < 0 else set())


def fitting(state: State, pattern: int) -> list[Cell]:
    known = {point: land for points in corners(state).values() for point, land in points.items()}
    return [
        cell
        for cell in members(state.table.edge)
        if all(known.get(point, land) is land for point, land in around(at(cell), pattern).items())
    ]


@pytest.mark.deep
@given(tables)
def test_symbols_add_up_and_stay_in_their_bounds(table: Table) -> None:
    """SMALL-TOKEN-2, SMALL-TOKEN-3: a resource token changes a kind, not the number of resources."""
    for state in states(*table):
        chart = state.table.chart
        for tile in state.table.tiles:
            here = 1 << tile.at
            shown = state.table.shown_at(tile.at)
            assert all(chart.count(each, here) == shown.count(each) for each in Symbol if each is not Symbol.PORT)
            assert chart.count(Symbol.PORT, here) <= 2
        assert sum(chart.count(each, INSIDE[state.table.size]) for each in RESOURCES) == sum(
            state.table.shown_at(tile.at).count(each) for tile in state.table.tiles for each in RESOURCES
        )


@given(tables)
def test_houses_stand_on_symbols_each_alone_and_two_of_a_seat_only_where_islands_grew_together(table: Table) -> None:
    """SMALL-REWARD-2, SMALL-REWARD-4"""
    for state in states(*table):
        houses = [house for seat in state.seats for house in seat.houses]
        assert len(set(houses)) == len(houses)
        assert all(Symbol.HOUSE in state.table.shown_at(house) for house in houses)
        assert all(len(seat.houses) <= 8 and 0 <= seat.at_hand <= 4 for seat in state.seats)


@given(tables)
def test_apply_leaves_its_argument_as_it_was_and_the_state_survives_packing(table: Table) -> None:
    for state, actor, _, move in steps(*table):
        before = msgpack.encode(state)
        GAME.apply(state, actor, move)
        assert msgpack.encode(state) == before
        assert msgpack.decode(before, type=State) == state
        assert msgpack.decode(msgpack.encode(move), type=GAME.move_type) == move
        assert len(before) <= MOST_BYTES


@given(tables)
def test_nobody_sees_a_difference_in_what_is_dealt_anew_for_them(table: Table) -> None:
    """SMALL-PREP-2, SMALL-EXPLORE-3, SMALL-END-1: also in games that end for want of tiles."""
    for number, state in enumerate(states(*table)):
        viewer = (*range(len(state.seats)), None)[number % (len(state.seats) + 1)]
        twin = GAME.redeal(state, viewer, SeededRng(bytes(32), number))
        assert GAME.view(twin, viewer) == GAME.view(state, viewer)
        assert count_pieces(twin) == count_pieces(state)
        if viewer is not None:
            assert GAME.legal_moves(twin, viewer) == GAME.legal_moves(state, viewer)


@given(tables)
def test_listings_are_short_and_never_empty(table: Table) -> None:
    for state, actor, listed, _ in steps(*table):
        assert 0 < len(set(listed)) == len(listed) <= 500
        assert actor in GAME.to_act(state) or GAME.to_act(state) == CHANCE_ACTS


def test_a_cell_of_the_edge_leaves_at_most_two_rotations_to_any_tile() -> None:
    """SMALL-TILE-2: so laying a tile never lists more than 2 for each of at most 2 n + 2 cells around n tiles."""
    for ways in WAYS:
        for side in ((0, 1), (1, 2), (2, 3), (3, 0)):
            for ends in range(4):
                fixed = {corner: ends >> bit & 1 for bit, corner in enumerate(side)}
                fit = [
                    turns
                    for turns, pattern in ways
                    if all((pattern & LAND) >> corner & 1 == land for corner, land in fixed.items())
                ]
                assert len(fit) <= 2
    assert 2 * (2 * (56 + 4 + 4) + 2) <= 500
