"""Exploring: take a tile from the display, pick a tile of the hand, and lay it."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from skerry_games.api import GameError, IllegalMove, MalformedMove, Step
from skerry_games.sentences import phrase
from skerry_games.small_islands.events import (
    Event,
    HandShown,
    IslandsJoined,
    TileLaid,
    TilePicked,
    TileSource,
    TileTaken,
)
from skerry_games.small_islands.moves import LAY_TILE, PICK_TILE, LayTile, Move, PickTile, TakeTile
from skerry_games.small_islands.phases.bonus_tokens import can_use_token
from skerry_games.small_islands.phases.exploration_turns import end_turn
from skerry_games.small_islands.printed.components import COMPONENTS
from skerry_games.small_islands.state import (
    CHOOSE_TOKEN,
    LAYING,
    NOTHING,
    PICKING,
    State,
    with_one_more,
    with_seat,
    without,
)
from skerry_games.small_islands.tabletop.cells import CELLS, SET_OF, TURNED, TURNS, WAYS, Cells, first, selected
from skerry_games.small_islands.tabletop.placing import no_landscape, refuse_cell
from skerry_games.small_islands.tabletop.table import Table, everything_laid, fits, fitting, with_tile

FROM_DISPLAY: Final = TileSource.DISPLAY
FROM_HAND: Final = TileSource.HAND
_TILES: Final = range(COMPONENTS.landscape)


def take_tile(state: State, me: int, move: TakeTile) -> Step[State, Event]:
    """Take a tile from the display. Raises IllegalMove (SMALL-EXPLORE-2, SMALL-EXPLORE-3) or MalformedMove."""
    tile = move.tile
    if tile not in state.display:
        raise _refuse_take(state, tile)
    seat = state.seats[me]
    hand = with_one_more(seat.hand, tile)
    held = replace(
        state,
        phase=PICKING,
        seats=with_seat(state, me, replace(seat, hand=hand)),
        display=without(state.display, tile),
        open_tiles=state.open_tiles | 1 << tile,
        taken=tile,
    )
    event = TileTaken(me, tile)
    for each in hand:
        if fits(state.table, each):
            return held, (event,)
    if any(fits(state.table, each) for each in state.display):
        raise IllegalMove("SMALL-EXPLORE-3", "No tile in your hand would fit then. Take a tile that fits somewhere.")
    return _show_hand(held, me, event)


def _refuse_take(state: State, tile: int) -> GameError:
    """Return the refusal of a tile that is not in the display."""
    if tile not in _TILES:
        return no_landscape(tile)
    if not state.display:
        return IllegalMove("SMALL-EXPLORE-3", "The display has no tile to explore with.")
    return IllegalMove("SMALL-EXPLORE-2", phrase("small_islands-tile-not-display", faces=COMPONENTS.faces[tile].id))


def _show_hand(state: State, me: int, event: TileTaken) -> Step[State, Event]:
    """Show a hand with no tile that fits. The taken tile leaves the game (SMALL-EXPLORE-3)."""
    seat = state.seats[me]
    left = without(seat.hand, state.taken)
    seats = with_seat(state, me, replace(seat, hand=left))
    # All viewers know shown tiles for as long as they stay in the hand.
    open_tiles = (state.open_tiles | sum(1 << tile for tile in left)) & ~(1 << state.taken)
    shown = replace(state, gone=(*state.gone, state.taken))
    return end_turn(shown, state.table, seats, open_tiles, (event, HandShown(me, seat.hand, state.taken)))


def pick_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the tiles of the hand that fit. A single one is not picked for the seat: that would reveal the others."""
    return fitting(state.table, state.seats[me].hand, PICK_TILE)


def pick_tile(state: State, me: int, move: PickTile) -> Step[State, Event]:
    """Show the tile that will be laid. Raises IllegalMove (SMALL-EXPLORE-2, SMALL-TILE-3) or MalformedMove."""
    tile = move.tile
    if tile not in state.seats[me].hand:
        if tile not in _TILES:
            raise no_landscape(tile)
        raise IllegalMove("SMALL-EXPLORE-2", phrase("small_islands-tile-not-hand", faces=COMPONENTS.faces[tile].id))
    if not fits(state.table, tile):
        raise IllegalMove("SMALL-TILE-3", phrase("small_islands-tile-does-not-fit", faces=COMPONENTS.faces[tile].id))
    picked = replace(state, phase=LAYING, picked=tile, open_tiles=state.open_tiles | 1 << tile)
    return picked, (TilePicked(me, tile),)


def lay_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return every cell and rotation in which the picked tile fits."""
    fitting_cells = state.table.chart.fitting_cells
    listed: list[Move] = []
    for turns, pattern in WAYS[state.picked]:
        listed += selected(LAY_TILE[turns], fitting_cells[pattern])
    return tuple(listed)


def lay_tile(state: State, me: int, move: LayTile) -> Step[State, Event]:
    """Lay the picked tile. Raises IllegalMove (SMALL-TABLE-1, SMALL-TILE-2, SMALL-TILE-3) or MalformedMove."""
    tile, seat = state.picked, state.seats[me]
    check_way(state.table, tile, move.at, move.turns)
    table, met = with_tile(state.table, move.at, tile, move.turns)
    source = FROM_DISPLAY if tile == state.taken else FROM_HAND
    seat = replace(seat, hand=without(seat.hand, tile), laid=everything_laid(table))
    seats, open_tiles = with_seat(state, me, seat), state.open_tiles & ~(1 << tile)
    events = joined(TileLaid(me, tile, move.at, move.turns, source), table, met)
    if can_use_token(table.chart, seat):
        after = replace(state, phase=CHOOSE_TOKEN, seats=seats, table=table, open_tiles=open_tiles, picked=NOTHING)
        return after, events
    return end_turn(state, table, seats, open_tiles, events)


def check_way(table: Table, face: int, cell: int, turns: int) -> None:
    """Raise IllegalMove or MalformedMove if the face cannot be laid on that cell with these turns."""
    if turns not in TURNS or cell not in CELLS:
        raise MalformedMove(phrase("small_islands-no-way", cell=repr(cell), turns=repr(turns)))
    pattern = TURNED[face][turns]
    if table.chart.fitting_cells[pattern] & SET_OF[cell]:
        if TURNED[face].index(pattern) == turns:
            return
        raise IllegalMove("SMALL-TILE-2", "Fewer turns give the same corners. Lay the tile with the fewest turns.")
    raise refuse_cell(table, cell) or IllegalMove(
        "SMALL-TILE-3", "A corner of the tile does not match the tiles that meet it there."
    )


def joined(event: TileLaid, table: Table, met: tuple[Cells, ...]) -> tuple[Event, ...]:
    """Return the event of the tile laid last, and an IslandsJoined event if the tile joined islands."""
    if len(met) < 2:
        return (event,)
    here = 1 << table.tiles[-1].at
    tiles = next(cells.bit_count() for cells in table.chart.islands if cells & here)
    return event, IslandsJoined(tuple(sorted(map(first, met))), tiles)
