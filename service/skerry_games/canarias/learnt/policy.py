"""How the seats of Islas Canarias play in a play-out: rules of thumb, with what each seat itself knows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Final

from skerry_games.api import CHANCE
from skerry_games.canarias.actions.construction import colour_moves, free_squares_next_to, place_moves
from skerry_games.canarias.actions.pirates import divert_moves, give_up_moves
from skerry_games.canarias.actions.ship_arrival import TIES
from skerry_games.canarias.actions.turn import load_moves, turn_moves
from skerry_games.canarias.chance import draw, take_moves
from skerry_games.canarias.moves import BUILD, DRAW, LOAD, TAKE_EXTRA, Build, BuildPalace, BuildTown, Move
from skerry_games.canarias.printed.cards import FIRST_PIRATE, HOUSE_COLOUR, PRIORITIES
from skerry_games.canarias.printed.squares import bits
from skerry_games.canarias.printed.terms import NOTHING
from skerry_games.canarias.rules import apply
from skerry_games.canarias.state import (
    GAME_OVER,
    LAST_CHANCE_PHASE,
    NO_SEAT,
    Phase,
    SeatState,
    State,
    colour_at,
    score,
)
from skerry_games.evaluation import weighted
from skerry_games.rng import Rng

MORE_ROUNDS: Final = 1
"""A play-out does not end with this round but so many later: many cards have effects only then."""
ENOUGH: Final = 3
"""With so many cards, a seat mostly builds ..."""
BUILD_SHARE: Final = 85
FEW_SHARE: Final = 40
"""... and with fewer, less often. Percentages."""
KNOWN_COLOUR: Final = 2.0
"""The weight of a settler whose colour the island has: two houses of a colour can become a palace."""
CHOOSES_ME: Final = 4.0
"""The weight of a card for the ship: a settler that chooses the seat's island ..."""
TIED: Final = 1.0
CHOOSES_OTHER: Final = 0.3
ROBS_OTHER: Final = 2.5
ROBS_NOBODY: Final = 0.7
ROBS_ME: Final = 0.1


def play_on(state: State, rng: Rng) -> State:
    """Play on to the end of a round, when the ship has arrived."""
    last = max(1, state.round) + MORE_ROUNDS
    while state.round <= last:
        phase = state.phase
        if phase <= LAST_CHANCE_PHASE:
            state, _ = apply(state, CHANCE, draw(state, rng))
        elif phase is GAME_OVER:
            break
        else:
            state, _ = apply(state, state.actor, choose(state, state.actor, rng))
    return state


def choose(state: State, me: int, rng: Rng) -> Move:
    """Draw a legal move of the acting seat."""
    return _CHOICES[state.phase](state, me, rng)


def _turn(state: State, me: int, rng: Rng) -> Move:
    moves = turn_moves(state, me)
    if (better := _gaining(state, me, moves)) is not None:
        return better
    if not isinstance(moves[0], Build):
        return DRAW
    hand = state.seats[me].hand
    if rng.below(100) >= (BUILD_SHARE if len(hand) > ENOUGH else FEW_SHARE):
        return DRAW
    houses = state.seats[me].houses
    settlers = [card for card in hand if card < FIRST_PIRATE]
    sums = accumulate([KNOWN_COLOUR if houses[HOUSE_COLOUR[card]] else 1.0 for card in settlers])
    return BUILD[settlers[weighted(list(sums), rng)]]


def _gaining(state: State, me: int, moves: tuple[Move, ...]) -> Move | None:
    """Return a town, a palace that gains points, or the extra card, if there is one."""
    seat, palace = state.seats[me], None
    for move in reversed(moves):
        if move is TAKE_EXTRA or isinstance(move, BuildTown):
            return move
        if not isinstance(move, BuildPalace):
            break
        colour = colour_at(seat, bits(move.squares))
        if not seat.free or (colour != NOTHING and not seat.palaces[colour]):
            palace = move
    return palace


def _load(state: State, me: int, rng: Rng) -> Move:
    moves = load_moves(state, me)
    if (better := _gaining(state, me, moves)) is not None:
        return better
    hand = state.seats[me].hand
    return LOAD[hand[weighted(list(accumulate([_shipped(state, me, card) for card in hand])), rng)]]


def _shipped(state: State, me: int, card: int) -> float:
    """Return the weight of a card for the ship."""
    if card < FIRST_PIRATE:
        best = best_islands(state.seats, card, state.privileges[TIES])
        return CHOOSES_OTHER if me not in best else CHOOSES_ME if len(best) == 1 else TIED
    colour = card - FIRST_PIRATE
    owner = state.privileges[colour]
    if owner != NO_SEAT:
        return ROBS_ME if owner == me else ROBS_OTHER
    points = [seat.points[colour] for seat in state.seats]
    most = max(points)
    return ROBS_NOBODY if not most else ROBS_ME if points[me] == most else ROBS_OTHER


def best_islands(seats: tuple[SeatState, ...], card: int, favoured: int) -> list[int]:
    """Return the seats that a settler from the ship prefers (CANARIAS-ARRIVE-2), several if they tie to the end."""
    best = [*range(len(seats))]
    for feature in PRIORITIES[card]:
        counts = [free_squares_next_to(seats[me], feature).bit_count() for me in best]
        most = max(counts)
        best = [me for me, count in zip(best, counts, strict=True) if count == most]
        if len(best) == 1:
            break
        if most and favoured in best:  # CANARIAS-PRIV-TIES
            return [favoured]
    return best


def _any_of(listing: Callable[[State, int], tuple[Move, ...]]) -> Callable[[State, int, Rng], Move]:
    return lambda state, me, rng: rng.choice(listing(state, me))


def _divert(state: State, me: int, rng: Rng) -> Move:
    return max(divert_moves(state, me), key=lambda move: score(state.seats[move.seat]))  # type: ignore[union-attr]


_CHOICES: Final[dict[Phase, Callable[[State, int, Rng], Move]]] = {
    Phase.TAKE_ISLAND: _any_of(take_moves),
    Phase.BUILD_OR_DRAW: _turn,
    Phase.LOAD: _load,
    Phase.COLOUR: _any_of(colour_moves),
    Phase.PLACE: _any_of(place_moves),
    Phase.GIVE_UP: _any_of(give_up_moves),
    Phase.DIVERT: _divert,
}
