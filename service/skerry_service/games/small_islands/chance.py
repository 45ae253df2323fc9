"""Setting up, and everything that is drawn: the start seat, tiles, cards, discovery tokens."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from skerry_service.games.api import BadOptions, IllegalMove, MalformedMove
from skerry_service.games.rng import Rng
from skerry_service.games.small_islands.building import discoveries_due, discovery_pool, hauls
from skerry_service.games.small_islands.cells import SIZES
from skerry_service.games.small_islands.components import COMPONENTS, EDITIONS
from skerry_service.games.small_islands.events import CardDealt, Event, StartSeatSet, TileDealt, TileTurnedUp
from skerry_service.games.small_islands.layout import begin_layout
from skerry_service.games.small_islands.moves import (
    DRAW_CARD,
    DRAW_TILE,
    DrawCard,
    DrawDiscovery,
    DrawStartSeat,
    DrawTile,
    Move,
)
from skerry_service.games.small_islands.state import (
    CARDS_EACH,
    DISPLAY,
    HAND,
    LAST_CHANCE_PHASE,
    NOBODY,
    Deck,
    Layout,
    Mode,
    Options,
    Phase,
    SeatState,
    State,
    with_seat,
    without,
)
from skerry_service.games.small_islands.table import Table
from skerry_service.games.small_islands.turns import begin_turn

SEATS: Final = (2, 3, 4)

_KIND: Final = len(COMPONENTS.cards) // 3
_DECKS: Final = {
    Mode.NORMAL: (range(_KIND),),
    Mode.ADVANCED: (range(_KIND, 2 * _KIND), range(2 * _KIND, 3 * _KIND)),
}
"""The cards of each mode (SMALL-SETUP-1): objectives, or missions and rewards."""


def setup(options: Options, seats: int) -> State:
    """Return the state before anything is drawn. Raises BadOptions."""
    if seats not in SEATS:
        raise BadOptions("seats", f"Small Islands is played by 2, 3 or 4 seats, not {seats} (SMALL-SETUP-1).")
    if options.edition not in EDITIONS:
        raise BadOptions("edition", f"There is no edition {options.edition!r}; on offer: {', '.join(EDITIONS)}.")
    if options.mode not in _DECKS:
        raise BadOptions("mode", f"The mode is normal or advanced, not {options.mode!r} (SMALL-SETUP-1).")
    if options.start_layout not in tuple(Layout):
        raise BadOptions("start_layout", f"The layout is fixed or free, not {options.start_layout!r} (SMALL-SETUP-4).")
    if options.table_size not in SIZES:
        sizes = f"an even number from {SIZES[0]} to {SIZES[-1]}"
        raise BadOptions("table_size", f"The size of the table is {sizes}, not {options.table_size} (SMALL-TABLE-1).")
    start = options.start_seat
    if start is not None and start not in range(seats):
        raise BadOptions("start_seat", f"There is no seat {start} at a table of {seats}.")
    # SMALL-SETUP-2 is in the defaults of SeatState.
    return State(
        phase=Phase.START_SEAT if start is None else Phase.DEAL_TILES,
        turn=NOBODY,
        seats=(SeatState(),) * seats,
        table=Table(options.table_size),
        decks=tuple(Deck(tuple(cards), ((),) * seats) for cards in _DECKS[options.mode]),
        layout=options.start_layout,
        unseen=tuple(range(COMPONENTS.landscape)),
        first=NOBODY if start is None else start,
    )


def draw_start_seat(state: State, actor: int, move: DrawStartSeat) -> tuple[State, tuple[Event, ...]]:
    """Draw the seat that begins. Raises MalformedMove."""
    if move.seat not in range(len(state.seats)):
        raise MalformedMove(f"There is no seat {move.seat!r} at this table.")
    return replace(state, phase=Phase.DEAL_TILES, first=move.seat), (StartSeatSet(move.seat),)


def draw_tile(state: State, actor: int, move: DrawTile) -> tuple[State, tuple[Event, ...]]:
    """Draw a tile for a hand or for the display. Raises IllegalMove (SMALL-SETUP-3) or MalformedMove."""
    tile = move.tile
    if tile not in range(COMPONENTS.landscape):
        raise MalformedMove(f"{tile!r} is not a landscape tile.")
    if tile not in state.unseen:
        raise IllegalMove("SMALL-SETUP-3", f"Tile {COMPONENTS.faces[tile].id} is not in the reserve any more.")
    drawn = replace(state, unseen=without(state.unseen, tile))
    return _deal_tile(drawn, tile) if state.phase is Phase.DEAL_TILES else _turn_up(drawn, tile)


def _deal_tile(state: State, tile: int) -> tuple[State, tuple[Event, ...]]:
    """Give the tile to the first seat that has fewer than 2 (SMALL-SETUP-3)."""
    me = next(number for number, seat in enumerate(state.seats) if len(seat.hand) < HAND)
    seat = state.seats[me]
    seats = with_seat(state, me, replace(seat, hand=tuple(sorted((*seat.hand, tile)))))
    dealt = all(len(seat.hand) == HAND for seat in seats)
    return replace(state, seats=seats, phase=Phase.TURN_UP if dealt else Phase.DEAL_TILES), (TileDealt(me, tile),)


def _turn_up(state: State, tile: int) -> tuple[State, tuple[Event, ...]]:
    """Put the tile into the display: from the navigation stack, else from the reserve (SMALL-EXPLORE-2)."""
    from_stack = state.stack > 0
    up = replace(state, display=(*state.display, tile), stack=state.stack - from_stack)
    told = TileTurnedUp(tile, from_stack)
    if state.round:
        return begin_turn(up, (told,))
    return replace(up, phase=Phase.DEAL_CARDS if len(up.display) == DISPLAY else Phase.TURN_UP), (told,)


def _next_card(state: State) -> tuple[int, int] | None:
    """Return the deck and the seat that the next card is for: 1 each in the beginning, 3 in a round (SMALL-PREP-2)."""
    wanted = CARDS_EACH if state.round else 1
    for seat in range(len(state.seats)):
        for number, deck in enumerate(state.decks):
            if len(deck.cards[seat]) < wanted:
                return number, seat
    return None


def draw_card(state: State, actor: int, move: DrawCard) -> tuple[State, tuple[Event, ...]]:
    """Draw a card for a seat. Raises IllegalMove (SMALL-PREP-2) or MalformedMove."""
    if move.card not in range(len(DRAW_CARD)):
        raise MalformedMove(f"{move.card!r} is not a card.")
    place = _next_card(state)
    assert place is not None
    number, seat = place
    deck = state.decks[number]
    if move.card not in deck.pile:
        raise IllegalMove("SMALL-PREP-2", f"Card {COMPONENTS.cards[move.card].id} does not lie in the pile drawn from.")
    cards = (*deck.cards[:seat], (*deck.cards[seat], move.card), *deck.cards[seat + 1 :])
    drawn = replace(deck, pile=without(deck.pile, move.card), cards=cards)
    after = replace(state, decks=(*state.decks[:number], drawn, *state.decks[number + 1 :]))
    told = CardDealt(seat, move.card)
    if _next_card(after):
        return after, (told,)
    if state.round:
        return replace(after, phase=Phase.CHOOSE_OBJECTIVE), (told,)
    laid, events = begin_layout(after)
    return laid, (told, *events)


def chance_moves(state: State) -> tuple[Move, ...]:
    """Return what chance can do. Of start seats, tiles and cards each is equally likely."""
    if state.phase is Phase.START_SEAT:
        return tuple(map(DrawStartSeat, range(len(state.seats))))
    if state.phase is Phase.DRAW_DISCOVERY:
        return hauls(discovery_pool(state), discoveries_due(state))
    if state.phase is Phase.DEAL_CARDS:
        return tuple([DRAW_CARD[card] for card in _pile(state)])
    return tuple([DRAW_TILE[tile] for tile in state.unseen])


def _pile(state: State) -> tuple[int, ...]:
    place = _next_card(state)
    assert place is not None
    return state.decks[place[0]].pile


def draw(state: State, rng: Rng) -> Move:
    """Pick what chance does. Raises ValueError when it is not chance's move."""
    if state.phase > LAST_CHANCE_PHASE:
        raise ValueError("chance is not to act")
    if state.phase is Phase.START_SEAT:
        return DrawStartSeat(rng.below(len(state.seats)))
    if state.phase is Phase.DRAW_DISCOVERY:
        # Each token is equally likely, and of some values more are left than of others.
        return DrawDiscovery(tuple(sorted(rng.shuffle(discovery_pool(state))[: discoveries_due(state)])))
    if state.phase is Phase.DEAL_CARDS:
        return DRAW_CARD[rng.choice(_pile(state))]
    return DRAW_TILE[rng.choice(state.unseen)]
