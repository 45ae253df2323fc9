"""Bonus tokens: which tokens a seat can use, what they show, and where they can be placed."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.sentences import phrase
from skerry_games.small_islands.events import Event, TokenForgone, TokenPlaced, TokenTaken
from skerry_games.small_islands.moves import (
    NO_TOKEN,
    PLACE_TOKEN,
    TAKE_TOKEN,
    Move,
    NoToken,
    PlaceToken,
    TakeToken,
)
from skerry_games.small_islands.phases.exploration_turns import end_turn
from skerry_games.small_islands.printed.components import PORT, RESOURCES, Symbol
from skerry_games.small_islands.state import PLACING, SeatState, State, with_seat
from skerry_games.small_islands.tabletop.cells import CELLS, SET_OF, Cell, Cells, selected
from skerry_games.small_islands.tabletop.chart import Chart
from skerry_games.small_islands.tabletop.table import Table, with_port, with_resource

_COVERED: Final = (None, *Symbol)
_OTHERS: Final = {shown: tuple(resource for resource in RESOURCES if resource is not shown) for shown in RESOURCES}
"""The resources that a token with that resource may cover (SMALL-TOKEN-2)."""
_NEEDS: Final = {PORT: 1 << PORT, **{shown: sum(1 << other for other in others) for shown, others in _OTHERS.items()}}
"""By the symbol that a token shows: the token can be placed if ``Chart.token_targets`` has one of these bits."""


def port_cells(chart: Chart) -> Cells:
    """Return the tiles with land and sea that have fewer than 2 ports (SMALL-TOKEN-3)."""
    coast = chart.coast
    return coast ^ coast & chart.high_bits[PORT]


@lru_cache(maxsize=1 << 8)
def _choices(tokens: int, token_targets: int) -> tuple[Move, ...]:
    """Return the uses of tokens that can be placed, and NO_TOKEN. ``token_targets`` is ``Chart.token_targets``."""
    return (
        *(move for (token, shows), move in TAKE_TOKEN.items() if tokens >> token & 1 and token_targets & _NEEDS[shows]),
        NO_TOKEN,
    )


def can_use_token(chart: Chart, seat: SeatState) -> bool:
    """Return whether the seat has a bonus token that can be placed (SMALL-TOKEN-1)."""
    return seat.tokens > 0 and len(_choices(seat.tokens, chart.token_targets)) > 1


def token_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return a move for each token that can be placed and each symbol that it can show, and NO_TOKEN."""
    return _choices(state.seats[me].tokens, state.table.chart.token_targets)


def take_token(state: State, me: int, move: TakeToken) -> Step[State, Event]:
    """Choose a bonus token and its symbol. Raises IllegalMove (SMALL-TOKEN-1 to SMALL-TOKEN-3)."""
    known = TAKE_TOKEN.get((move.token, move.shows))  # plain numbers equal enum members, but have no names
    if known is None:
        raise IllegalMove("SMALL-TOKEN-2", "That bonus token cannot show that symbol.")
    token, shows = known.token, known.shows
    if not state.seats[me].tokens >> token & 1:
        raise IllegalMove("SMALL-TOKEN-1", "You have already placed that bonus token.")
    if not state.table.chart.token_targets & _NEEDS[shows]:
        rule = "SMALL-TOKEN-3" if shows is PORT else "SMALL-TOKEN-2"
        raise IllegalMove(rule, "No tile on the table can take that bonus token.")
    return replace(state, phase=PLACING, token=token, shows=shows), (TokenTaken(me, token, shows),)


def no_token(state: State, me: int, move: NoToken) -> Step[State, Event]:
    """Place no bonus token in this turn (SMALL-TOKEN-1)."""
    return end_turn(state, state.table, state.seats, state.open_tiles, (TokenForgone(me),))


def place_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return every place for the chosen token."""
    chart, token, shows = state.table.chart, state.token, state.shows
    assert token is not None and shows is not None
    places = PLACE_TOKEN[token, shows]
    if shows is PORT:
        return tuple(selected(places[0], port_cells(chart)))
    one, other = _OTHERS[shows]
    return (*selected(places[one], chart.showing(one)), *selected(places[other], chart.showing(other)))


def place_token(state: State, me: int, move: PlaceToken) -> Step[State, Event]:
    """Put the token on a tile. Raises IllegalMove (SMALL-TOKEN-1 to SMALL-TOKEN-3) or MalformedMove."""
    cell, covers, token, shows = move.at, move.covers, state.token, state.shows
    if cell not in CELLS or covers not in _COVERED:
        raise MalformedMove(phrase("small_islands-no-cell-or-symbol", cell=repr(cell), symbol=repr(covers)))
    if token is None or shows is None or (move.token, move.shows) != (token, shows):
        raise IllegalMove("SMALL-TOKEN-1", "Place the bonus token that you chose, with the symbol that you chose.")
    if shows is PORT:
        _check_port(state.table, cell, covers)
        table, laid = with_port(state.table, cell, me)
    else:
        _check_resource(state.table, cell, shows, covers)
        assert covers is not None
        covers = Symbol(covers)
        table, laid = with_resource(state.table, cell, me, shows, covers)
    on_token = covers is not None and state.table.has_token(cell, laid.place)
    event = TokenPlaced(me, token, shows, cell, laid.place, covers, on_token)
    seat = state.seats[me]
    seats = with_seat(state, me, replace(seat, tokens=seat.tokens & ~(1 << token)))
    return end_turn(state, table, seats, state.open_tiles, (event,))


def _check_port(table: Table, cell: Cell, covers: Symbol | None) -> None:
    """Raise IllegalMove if a port token cannot be placed on that cell (SMALL-TOKEN-1, SMALL-TOKEN-3)."""
    if covers is not None:
        raise IllegalMove("SMALL-TOKEN-3", "A port token covers nothing. Leave `covers` out.")
    if port_cells(table.chart) & SET_OF[cell]:
        return
    _check_tile(table, cell)
    if table.chart.coast >> cell & 1:
        raise IllegalMove("SMALL-TOKEN-3", "That tile already has 2 ports.")
    raise IllegalMove("SMALL-TOKEN-3", "A port token needs a tile with both land and sea.")


def _check_resource(table: Table, cell: Cell, shows: Symbol, covers: Symbol | None) -> None:
    """Raise IllegalMove if the token cannot cover that symbol there (SMALL-TOKEN-1, SMALL-TOKEN-2)."""
    if covers not in _OTHERS[shows]:
        raise IllegalMove("SMALL-TOKEN-2", "A resource token must cover one of the other two resources.")
    if not table.chart.showing(covers) & SET_OF[cell]:
        _check_tile(table, cell)
        raise IllegalMove("SMALL-TOKEN-2", phrase("small_islands-tile-shows-no", symbol=covers.name.lower()))


def _check_tile(table: Table, cell: Cell) -> None:
    """Raise IllegalMove if the cell has no tile that takes tokens (SMALL-TOKEN-1)."""
    if table.face_at(cell) is None:
        raise IllegalMove("SMALL-TOKEN-1", "A bonus token needs a landscape or starting tile, and that cell has none.")
