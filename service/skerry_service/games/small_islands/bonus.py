"""Bonus tokens: which a seat can use, what they show, where they lie."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from skerry_service.games.api import IllegalMove, MalformedMove
from skerry_service.games.small_islands.cells import Cell, Cells, members
from skerry_service.games.small_islands.components import RESOURCES, Symbol
from skerry_service.games.small_islands.events import Event, TokenForgone, TokenPlaced, TokenTaken
from skerry_service.games.small_islands.moves import (
    NO_TOKEN,
    PLACE_TOKEN,
    TAKE_TOKEN,
    Move,
    NoToken,
    PlaceToken,
    TakeToken,
)
from skerry_service.games.small_islands.state import Phase, State, with_seat
from skerry_service.games.small_islands.table import Chart, with_port, with_resource
from skerry_service.games.small_islands.turns import end_turn

PORT: Final = Symbol.PORT
_COVERED: Final = (None, *Symbol)
_MOST_PORTS: Final = 2
_OTHERS: Final = {shown: tuple(resource for resource in RESOURCES if resource is not shown) for shown in RESOURCES}
"""What a token with that resource may cover (SMALL-TOKEN-2)."""


def port_cells(chart: Chart) -> Cells:
    """Return the tiles with land and sea that have fewer than 2 ports (SMALL-TOKEN-3)."""
    return chart.coast & ~chart.many[PORT]


def cells_for(chart: Chart, shows: Symbol) -> Cells:
    """Return where a token that shows this can lie."""
    if shows is PORT:
        return port_cells(chart)
    one, other = _OTHERS[shows]
    return chart.showing(one) | chart.showing(other)


@lru_cache(maxsize=1 << 8)
def _choices(tokens: int, possible: int) -> tuple[Move, ...]:
    """Return the uses of the tokens that show what finds a place, and the refusal to use any."""
    return (
        *(move for (token, shows), move in TAKE_TOKEN.items() if tokens >> token & 1 and possible >> shows & 1),
        NO_TOKEN,
    )


def _possible(chart: Chart) -> int:
    """Return the bit set of what a token can show now."""
    return sum([1 << shows for shows in (*RESOURCES, PORT) if cells_for(chart, shows)])


def offer_token(state: State, events: tuple[Event, ...]) -> tuple[State, tuple[Event, ...]]:
    """Ask whether a bonus token is placed (SMALL-TOKEN-1), unless none is left or none finds a place."""
    tokens = state.seats[state.turn].tokens
    if tokens and len(_choices(tokens, _possible(state.table.chart))) > 1:
        return replace(state, phase=Phase.CHOOSE_TOKEN), events
    return end_turn(state, events)


def token_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the bonus tokens that can be placed, each with what it may show, or none of them."""
    return _choices(state.seats[me].tokens, _possible(state.table.chart))


def take_token(state: State, me: int, move: TakeToken) -> tuple[State, tuple[Event, ...]]:
    """Decide for a bonus token. Raises IllegalMove (SMALL-TOKEN-1 to SMALL-TOKEN-3) or MalformedMove."""
    if (move.token, move.shows) not in TAKE_TOKEN:
        raise IllegalMove("SMALL-TOKEN-2", "That bonus token does not show that.")
    if not state.seats[me].tokens >> move.token & 1:
        raise IllegalMove("SMALL-TOKEN-1", "You have placed that bonus token before.")
    if not cells_for(state.table.chart, move.shows):
        rule = "SMALL-TOKEN-3" if move.shows is PORT else "SMALL-TOKEN-2"
        raise IllegalMove(rule, "There is no place on the table for that token.")
    taken = replace(state, phase=Phase.PLACE_TOKEN, token=move.token, shows=move.shows)
    return taken, (TokenTaken(me, move.token, move.shows),)


def no_token(state: State, me: int, move: NoToken) -> tuple[State, tuple[Event, ...]]:
    """Place no bonus token in this turn (SMALL-TOKEN-1)."""
    return end_turn(state, (TokenForgone(me),))


def place_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return every place for the token that was decided for."""
    chart = state.table.chart
    if state.shows is PORT or state.shows is None:
        return tuple([PLACE_TOKEN[None][cell] for cell in members(port_cells(chart))])
    return tuple(
        [PLACE_TOKEN[covers][cell] for covers in _OTHERS[state.shows] for cell in members(chart.showing(covers))]
    )


def place_token(state: State, me: int, move: PlaceToken) -> tuple[State, tuple[Event, ...]]:
    """Put the token on a tile. Raises IllegalMove (SMALL-TOKEN-1 to SMALL-TOKEN-3) or MalformedMove."""
    cell, covers = move.cell, move.covers
    if cell not in PLACE_TOKEN[None] or covers not in _COVERED:
        raise MalformedMove(f"{cell!r} is not a cell, or {covers!r} not a symbol.")
    assert state.token is not None and state.shows is not None
    if state.table.face_at(cell) is None:
        raise IllegalMove("SMALL-TOKEN-1", "Bonus tokens lie on landscape and starting tiles; there is none.")
    if state.shows is PORT:
        _check_port(state.table.chart, cell, covers)
        table, token = with_port(state.table, cell, me)
    else:
        _check_resource(state.table.chart, cell, state.shows, covers)
        assert covers is not None
        table, token = with_resource(state.table, cell, me, state.shows, covers)
    on_token = covers is not None and any(
        other.cell == cell and other.place == token.place and other.shows is not PORT for other in state.table.tokens
    )
    told = TokenPlaced(me, state.token, state.shows, cell, token.place, covers, on_token)
    seat = state.seats[me]
    seats = with_seat(state, me, replace(seat, tokens=seat.tokens & ~(1 << state.token)))
    return end_turn(replace(state, table=table, seats=seats), (told,))


def _check_port(chart: Chart, cell: Cell, covers: Symbol | None) -> None:
    """Raise IllegalMove if SMALL-TOKEN-3 forbids a port there."""
    if covers is not None:
        raise IllegalMove("SMALL-TOKEN-3", "A port covers nothing.")
    if not chart.coast >> cell & 1:
        raise IllegalMove("SMALL-TOKEN-3", "A port needs a tile with both land and sea.")
    if chart.count(PORT, 1 << cell) >= _MOST_PORTS:
        raise IllegalMove("SMALL-TOKEN-3", "There are 2 ports on that tile already.")


def _check_resource(chart: Chart, cell: Cell, shows: Symbol, covers: Symbol | None) -> None:
    """Raise IllegalMove if SMALL-TOKEN-2 forbids to cover that with this resource."""
    if covers not in _OTHERS[shows]:
        raise IllegalMove("SMALL-TOKEN-2", "A resource token covers one of the other two resources.")
    if not chart.showing(covers) >> cell & 1:
        raise IllegalMove("SMALL-TOKEN-2", f"That tile shows no {covers.name.lower()}.")
