"""Setting up, and everything that chance decides: the start seat, islands, cards."""

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
    NOBODY,
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

# CANARIAS-SETUP-3
_PHASE_OF: Final = {IslandOption.CHOOSE: Phase.TAKE_ISLAND, IslandOption.DEAL: Phase.DEAL_ISLAND}
_CARDS_OF: Final = {DeckOption.DISTINCT: DISTINCT, DeckOption.TRIPLES: TRIPLES}


def setup(options: Options, seats: int) -> State:
    """Return the state before anything is drawn. Raises BadOptions."""
    if seats not in SEATS:
        raise BadOptions("seats", f"Islas Canarias is a game for 2 to 5 players, not {seats} (CANARIAS-SETUP-1).")
    if options.edition not in EDITIONS:
        raise BadOptions("edition", f"There is no edition {options.edition!r}. On offer: {', '.join(EDITIONS)}.")
    if options.start_seat is not None and options.start_seat not in range(seats):
        raise BadOptions("start_seat", f"There is no seat {options.start_seat} at a table for {seats}.")
    for field, chosen, known in (("islands", options.islands, _PHASE_OF), ("deck", options.deck, _CARDS_OF)):
        if chosen not in known:
            offered = " or ".join(f"{one.value} ({one.name.lower()})" for one in known)
            raise BadOptions(field, f"Choose {offered}, not {chosen!r}.")
    first = State(
        Phase.START_SEAT,
        (SeatState(),) * seats,
        _CARDS_OF[options.deck],
        NOBODY,
        resume=_PHASE_OF[options.islands],
    )
    return first if options.start_seat is None else _begin(first, options.start_seat)


def _begin(state: State, start: int) -> State:
    """Return the state in which the start seat gets its island."""
    return replace(state, phase=state.resume, resume=Phase.START_SHIP, start=start, turn=start, actor=start)


def draw_start_seat(state: State, actor: int, move: DrawStartSeat) -> Step[State, Event]:
    """Draw the seat that begins. Raises MalformedMove."""
    if move.seat not in range(len(state.seats)):
        raise MalformedMove(f"There is no seat {move.seat!r} at this table.")
    return _begin(state, move.seat), (StartSeatSet(move.seat),)


def islands_left(state: State) -> list[int]:
    """Return the islands that nobody has (CANARIAS-SETUP-3)."""
    taken = [seat.island for seat in state.seats]
    return [island for island in range(len(ISLANDS)) if island not in taken]


def take_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the islands that the seat can take."""
    return tuple([TAKE_ISLAND[island] for island in islands_left(state)])


def take_island(state: State, actor: int, move: TakeIsland | DealIsland) -> Step[State, Event]:
    """Give an island to the next seat. Raises IllegalMove (CANARIAS-SETUP-3) or MalformedMove."""
    island, me = move.island, state.turn
    if island not in islands_left(state):
        if island not in range(len(ISLANDS)):
            raise MalformedMove(f"There is no island {island!r}.")
        raise IllegalMove("CANARIAS-SETUP-3", f"Island {ISLANDS[island].id} is already taken.")
    taken = IslandTaken(me, island, isinstance(move, DealIsland))
    settled = replace(state.seats[me], island=island, free=BUILDING[island])
    state = replace(state, seats=with_seat(state.seats, me, settled))
    following = (me + 1) % len(state.seats)
    if following != state.start:
        return replace(state, turn=following, actor=following), (taken,)
    return replace(state, phase=Phase.DRAW_CARD, turn=following, actor=following, owed=HAND), (taken,)


def start_ship(state: State, actor: int, move: StartShip) -> Step[State, Event]:
    """Put the first card on the ship, unseen. Raises IllegalMove (CANARIAS-SETUP-4) or MalformedMove."""
    card = known_card(move.card)
    deck = without_card(state.deck, card)
    if deck is None:
        raise IllegalMove("CANARIAS-SETUP-4", "That card is not in the deck.")
    dealt = replace(state, deck=deck, round=1)
    return begin_turn(dealt, state.start, state.seats, ((card, NOBODY),), (ShipBegun(),))


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
    """Return what chance can do. Of equal cards there is one move, the likelier the more of them there are."""
    return _LISTINGS[state.phase](state)


def draw(state: State, rng: Rng) -> Move:
    """Pick what chance does, every card equally likely. Raises ValueError when it is not chance's move."""
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
