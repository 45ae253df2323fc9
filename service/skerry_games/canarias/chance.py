"""Setup and chance moves: the start seat, islands and cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from skerry_games.api import BadOptions, IllegalMove, MalformedMove, Step
from skerry_games.canarias.actions.deck import HAND, deal_moves, known_card
from skerry_games.canarias.actions.ship_arrival import turn_up_moves
from skerry_games.canarias.actions.turn import begin_turn
from skerry_games.canarias.events import Event, IslandTaken, ShipBegun, StartSeatSet
from skerry_games.canarias.moves import (
    DEAL_CARD,
    DEAL_ISLAND,
    START_SHIP,
    TAKE_ISLAND,
    TURN_UP,
    DealIsland,
    DrawStartSeat,
    Move,
    StartShip,
    TakeIsland,
)
from skerry_games.canarias.printed.cards import DISTINCT, TRIPLES
from skerry_games.canarias.printed.islands import EDITIONS, ISLANDS
from skerry_games.canarias.printed.squares import BUILDING
from skerry_games.canarias.state import (
    DRAWING,
    LAST_CHANCE_PHASE,
    NO_SEAT,
    SEATS,
    UNLOADING,
    DeckOption,
    IslandOption,
    Options,
    Phase,
    SeatState,
    State,
    with_seat,
    without_card,
)
from skerry_games.rng import Rng
from skerry_games.sentences import listed, phrase

# CANARIAS-SETUP-3
_PHASE_OF: Final = {IslandOption.CHOOSE: Phase.TAKE_ISLAND, IslandOption.DEAL: Phase.DEAL_ISLAND}
_CARDS_OF: Final = {DeckOption.DISTINCT: DISTINCT, DeckOption.TRIPLES: TRIPLES}


def setup(options: Options, seats: int) -> State:
    """Return the state before the first chance move. Raises BadOptions."""
    if seats not in SEATS:
        raise BadOptions("seats", phrase("canarias-islas-canarias-players-not", seats=seats))
    if options.edition not in EDITIONS:
        facts = {"edition": repr(options.edition), "editions": ", ".join(EDITIONS)}
        raise BadOptions("edition", phrase("common-choose-edition", **facts))
    if options.start_seat is not None and options.start_seat not in range(seats):
        raise BadOptions(
            "start_seat", phrase("canarias-seat-does-not-exist", start_seat=options.start_seat, seats=seats - 1)
        )
    for field, chosen, known in (("islands", options.islands, _PHASE_OF), ("deck", options.deck, _CARDS_OF)):
        if chosen not in known:
            allowed = listed([f"{value.value} ({value.name.lower()})" for value in known], "or")
            raise BadOptions(field, phrase("canarias-choose-of", allowed=allowed, value=repr(chosen)))
    first = State(
        Phase.START_SEAT,
        (SeatState(),) * seats,
        _CARDS_OF[options.deck],
        NO_SEAT,
        resume=_PHASE_OF[options.islands],
    )
    return first if options.start_seat is None else _begin(first, options.start_seat)


def _begin(state: State, start: int) -> State:
    """Return the state in which the start seat gets its island."""
    return replace(state, phase=state.resume, resume=Phase.START_SHIP, start=start, turn=start, actor=start)


def draw_start_seat(state: State, actor: int, move: DrawStartSeat) -> Step[State, Event]:
    """Draw the start seat. Raises MalformedMove."""
    if move.seat not in range(len(state.seats)):
        raise MalformedMove(phrase("common-no-seat", seat=repr(move.seat)))
    return _begin(state, move.seat), (StartSeatSet(move.seat),)


def islands_left(state: State) -> list[int]:
    """Return the islands without an owner (CANARIAS-SETUP-3)."""
    taken = [seat.island for seat in state.seats]
    return [island for island in range(len(ISLANDS)) if island not in taken]


def take_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return a move per island that the seat can take."""
    return tuple([TAKE_ISLAND[island] for island in islands_left(state)])


def take_island(state: State, actor: int, move: TakeIsland | DealIsland) -> Step[State, Event]:
    """Give an island to the next seat. Raises IllegalMove (CANARIAS-SETUP-3) or MalformedMove."""
    island, me = move.island, state.turn
    if island not in islands_left(state):
        if island not in range(len(ISLANDS)):
            raise MalformedMove(phrase("canarias-unknown-island", island=repr(island)))
        raise IllegalMove("CANARIAS-SETUP-3", phrase("canarias-island-already-taken", islands=ISLANDS[island].id))
    taken = IslandTaken(me, island, isinstance(move, DealIsland))
    settled = replace(state.seats[me], island=island, free=BUILDING[island])
    state = replace(state, seats=with_seat(state.seats, me, settled))
    following = (me + 1) % len(state.seats)
    if following != state.start:
        return replace(state, turn=following, actor=following), (taken,)
    return replace(state, phase=Phase.DRAW_CARD, turn=following, actor=following, owed=HAND), (taken,)


def start_ship(state: State, actor: int, move: StartShip) -> Step[State, Event]:
    """Put the first card on the ship, face down. Raises IllegalMove (CANARIAS-SETUP-4) or MalformedMove."""
    card = known_card(move.card)
    deck = without_card(state.deck, card)
    if deck is None:
        raise IllegalMove("CANARIAS-SETUP-4", "That card is not in the deck.")
    dealt = replace(state, deck=deck, round=1)
    return begin_turn(dealt, state.start, state.seats, ((card, NO_SEAT),), (ShipBegun(),))


def _listed_seats(state: State) -> tuple[Move, ...]:
    return tuple([DrawStartSeat(seat) for seat in range(len(state.seats))])


_LISTINGS: Final[dict[Phase, Callable[[State], tuple[Move, ...]]]] = {
    Phase.START_SEAT: _listed_seats,
    Phase.DEAL_ISLAND: lambda state: tuple([DEAL_ISLAND[island] for island in islands_left(state)]),
    Phase.DRAW_CARD: deal_moves,
    Phase.START_SHIP: lambda state: tuple([START_SHIP[card] for card in dict.fromkeys(state.deck)]),
    Phase.TURN_UP: turn_up_moves,
}


def chance_moves(state: State) -> tuple[Move, ...]:
    """Return the possible chance moves. Equal cards share one move, which is more likely the more of them there are."""
    return _LISTINGS[state.phase](state)


def draw(state: State, rng: Rng) -> Move:
    """Draw a chance move, each card equally likely. Raises ValueError if chance is not to act."""
    phase = state.phase
    if phase is DRAWING:
        return DEAL_CARD[state.turn][rng.choice(state.deck)]
    if phase is UNLOADING:
        return TURN_UP[rng.choice(state.ship)[0]]
    if phase is Phase.START_SHIP:
        return START_SHIP[rng.choice(state.deck)]
    if phase > LAST_CHANCE_PHASE:
        raise ValueError("chance is not to act")
    return rng.choice(chance_moves(state))
