"""Setup, and all chance moves: the start seat, tiles, cards and discovery tokens."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from msgspec.structs import replace

from skerry_games.api import BadOptions, GameError, IllegalMove, MalformedMove, Step
from skerry_games.rng import Rng
from skerry_games.sentences import phrase, player
from skerry_games.small_islands.events import CardDealt, Event, StartSeatSet, TileDealt, TileTurnedUp
from skerry_games.small_islands.moves import (
    DEAL_CARD,
    DEAL_TILE,
    TURN_UP_TILE,
    DealCard,
    DealTile,
    DrawDiscovery,
    DrawStartSeat,
    Move,
    TurnUpTile,
    check_whole,
)
from skerry_games.small_islands.phases.reward_phase import discoveries_due, discovery_pool, possible_draws
from skerry_games.small_islands.phases.starting_tiles import begin_layout
from skerry_games.small_islands.printed.components import COMPONENTS, EDITIONS
from skerry_games.small_islands.state import (
    CARDS_EACH,
    DEAL_CARDS,
    DEAL_TILES,
    DISPLAY,
    DRAW_DISCOVERY,
    HAND,
    NOBODY,
    SEATS,
    START_SEAT,
    TURN,
    TURN_UP,
    Layout,
    Mode,
    ObjectiveDeck,
    Options,
    Phase,
    SeatState,
    State,
    with_cards,
    with_one_more,
    with_seat,
    without,
    without_one_of,
)
from skerry_games.small_islands.tabletop.cells import SIZES
from skerry_games.small_islands.tabletop.placing import no_landscape
from skerry_games.small_islands.tabletop.table import Table

_TILES: Final = range(COMPONENTS.landscape)
_CARDS: Final = range(len(COMPONENTS.cards))
_OBJECTIVES, _MISSIONS, _ = accumulate(COMPONENTS.card_counts)
_DECKS: Final = {
    Mode.NORMAL: (_CARDS[:_OBJECTIVES],),
    Mode.ADVANCED: (_CARDS[_OBJECTIVES:_MISSIONS], _CARDS[_MISSIONS:]),
}
"""The card numbers of each deck, by mode (SMALL-SETUP-1): objectives, or missions and rewards."""


def setup(options: Options, seats: int) -> State:
    """Return the initial state, before anything is drawn. Raises BadOptions."""
    if seats not in SEATS:
        raise BadOptions("seats", phrase("small_islands-small-islands-takes-or", seats=seats))
    if options.edition not in EDITIONS:
        facts = {"edition": repr(options.edition), "editions": ", ".join(EDITIONS)}
        raise BadOptions("edition", phrase("common-unknown-edition", **facts))
    mode, layout = read_mode(options.mode), read_layout(options.start_layout)
    if options.table_size not in SIZES:
        sizes = phrase("small_islands-even-number-from", sizes=SIZES[0], sizes_2=SIZES[-1])
        raise BadOptions(
            "table_size", phrase("small_islands-table-size-must-be", sizes=sizes, table_size=options.table_size)
        )
    start = options.start_seat
    if start is not None and start not in range(seats):
        raise BadOptions(
            "start_seat", phrase("small_islands-seat-does-not-exist", start=start, seats=seats, seats_2=seats - 1)
        )
    # The defaults of SeatState enforce SMALL-SETUP-2.
    return State(
        phase=Phase.START_SEAT if start is None else Phase.DEAL_TILES,
        turn=NOBODY,
        seats=(SeatState(),) * seats,
        table=Table(options.table_size),
        decks=tuple(ObjectiveDeck(tuple(cards), ((),) * seats) for cards in _DECKS[mode]),
        layout=layout,
        unseen=tuple(range(COMPONENTS.landscape)),
        first=NOBODY if start is None else start,
    )


def read_mode(number: int) -> Mode:
    """Return the mode with that number. Raises BadOptions."""
    try:
        return Mode(number)
    except ValueError:
        raise BadOptions("mode", phrase("small_islands-no-mode", mode=repr(number))) from None


def read_layout(number: int) -> Layout:
    """Return the layout with that number. Raises BadOptions."""
    try:
        return Layout(number)
    except ValueError:
        raise BadOptions("start_layout", phrase("small_islands-no-layout", layout=repr(number))) from None


def draw_start_seat(state: State, actor: int, move: DrawStartSeat) -> Step[State, Event]:
    """Set the start seat. Raises MalformedMove."""
    if move.seat not in range(len(state.seats)):
        raise MalformedMove(phrase("common-unknown-seat", seat=repr(move.seat), last=len(state.seats) - 1))
    return replace(state, phase=Phase.DEAL_TILES, first=move.seat), (StartSeatSet(move.seat),)


def deal_tile(state: State, actor: int, move: DealTile) -> Step[State, Event]:
    """Deal a tile to a hand. Raises IllegalMove (SMALL-SETUP-3) or MalformedMove."""
    tile, me = move.tile, _hand_to_fill(state)
    if tile is None or move.seat != me:
        check_whole(move)
        raise IllegalMove("SMALL-SETUP-3", phrase("small_islands-next-tile", me=player(me)))
    unseen = _unseen_without(state, tile)
    hand = with_one_more(state.seats[me].hand, tile)
    seats = with_seat(state, me, replace(state.seats[me], hand=hand))
    phase = TURN_UP if len(seats[-1].hand) == HAND else DEAL_TILES
    return replace(state, seats=seats, unseen=unseen, phase=phase), (TileDealt(me, tile),)


def _hand_to_fill(state: State) -> int:
    """Return the first seat that has fewer than 2 tiles (SMALL-SETUP-3)."""
    me = 0
    while len(state.seats[me].hand) == HAND:
        me += 1
    return me


def _unseen_without(state: State, tile: int) -> tuple[int, ...]:
    """Return the unseen tiles without one. Raises IllegalMove (SMALL-SETUP-3) or MalformedMove."""
    try:
        return without_one_of(state.unseen, tile)
    except (ValueError, TypeError):  # A separate membership test would double the cost.
        if tile not in _TILES:
            raise no_landscape(tile) from None
        raise IllegalMove(
            "SMALL-SETUP-3", phrase("small_islands-tile-no-longer-reserve", faces=COMPONENTS.faces[tile].id)
        ) from None


def turn_up_tile(state: State, actor: int, move: TurnUpTile) -> Step[State, Event]:
    """Turn up a tile for the display, from the navigation stack or else from the reserve (SMALL-EXPLORE-2).

    Raises IllegalMove (SMALL-SETUP-3) or MalformedMove.
    """
    unseen = _unseen_without(state, move.tile)
    event, display = (TileTurnedUp(move.tile, state.stack > 0),), (*state.display, move.tile)
    if state.round:
        # The seat can explore, because the display has a tile (SMALL-END-2).
        stack = state.stack - 1 if state.stack else 0
        return replace(state, phase=TURN, unseen=unseen, stack=stack, display=display), event
    if len(display) < DISPLAY:
        return replace(state, unseen=unseen, display=display), event
    return replace(state, phase=DEAL_CARDS, turn=0, unseen=unseen, display=display), event


def _deck_drawn_from(state: State) -> int:
    """Return the first deck that owes the seat a card. A seat needs 1 card at setup and 3 in a round (SMALL-PREP-2)."""
    wanted = CARDS_EACH if state.round else 1
    return 0 if len(state.decks[0].cards[state.turn]) < wanted else 1


def deal_card(state: State, actor: int, move: DealCard) -> Step[State, Event]:
    """Deal a card to a seat. Raises IllegalMove (SMALL-PREP-2) or MalformedMove."""
    seat, number = state.turn, _deck_drawn_from(state)
    deck, card = state.decks[number], move.card
    if card is None:
        raise _refuse_card(move)
    try:
        pile = without(deck.pile, card)
    except ValueError:
        raise _refuse_card(move) from None
    if move.seat != seat:
        raise IllegalMove("SMALL-PREP-2", phrase("small_islands-next-card", seat=player(seat)))
    held = (*deck.cards[seat], card)
    drawn = ObjectiveDeck(pile, with_cards(deck, seat, held), deck.past)
    decks: tuple[ObjectiveDeck, ...] = (drawn,)
    if len(state.decks) > 1:
        decks = (drawn, state.decks[1]) if number == 0 else (state.decks[0], drawn)
    event = CardDealt(seat, card)
    if drawn is not decks[-1] or (state.round and len(held) < CARDS_EACH):
        return replace(state, decks=decks), (event,)
    if seat + 1 < len(state.seats):
        return replace(state, decks=decks, turn=seat + 1), (event,)
    after = replace(state, phase=Phase.CHOOSE_OBJECTIVE, decks=decks, turn=NOBODY)
    if state.round:
        return after, (event,)
    laid, events = begin_layout(after)
    return laid, (event, *events)


def _refuse_card(move: DealCard) -> GameError:
    """Return the refusal of a card that is not in the pile."""
    check_whole(move)
    if move.card is None or move.card not in _CARDS:
        return MalformedMove(phrase("small_islands-not-a-card", card=repr(move.card)))
    return IllegalMove("SMALL-PREP-2", phrase("small_islands-card-not-pile", cards=COMPONENTS.cards[move.card].id))


def chance_moves(state: State) -> tuple[Move, ...]:
    """Return the chance moves. Start seats, tiles and cards are equally likely, draws of discovery tokens are not."""
    if state.phase is START_SEAT:
        return tuple(map(DrawStartSeat, range(len(state.seats))))
    if state.phase is DRAW_DISCOVERY:
        return possible_draws(state.turn, discovery_pool(state), discoveries_due(state))
    if state.phase is DEAL_CARDS:
        return tuple([DEAL_CARD[state.turn][card] for card in state.decks[_deck_drawn_from(state)].pile])
    listed: Sequence[Move] = TURN_UP_TILE if state.phase is TURN_UP else DEAL_TILE[_hand_to_fill(state)]
    return tuple([listed[tile] for tile in state.unseen])


def draw(state: State, rng: Rng) -> Move:
    """Draw a chance move. Raises ValueError if chance is not to act."""
    phase = state.phase
    if phase is TURN_UP:
        return TURN_UP_TILE[rng.choice(state.unseen)]
    if phase is DEAL_CARDS:
        return DEAL_CARD[state.turn][rng.choice(state.decks[_deck_drawn_from(state)].pile)]
    if phase is DEAL_TILES:
        return DEAL_TILE[_hand_to_fill(state)][rng.choice(state.unseen)]
    if phase is START_SEAT:
        return DrawStartSeat(rng.below(len(state.seats)))
    if phase is DRAW_DISCOVERY:
        # Each token is equally likely, so values with more tokens left are likelier.
        values = tuple(sorted(rng.shuffle(discovery_pool(state))[: discoveries_due(state)]))
        return DrawDiscovery(state.turn, values)
    raise ValueError("chance is not to act")
