"""Random games for tests of invariants that hold in every position.

Two moves of three are made eagerly: all seats crowd into the same corner, harvest there as soon as they can, and put
off the castellan. So provinces fill up with 7 figures, and villages are built.
"""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st

from skerry_games.kreta import GAME
from skerry_games.kreta.moves import BuildVillage, Harvest, March, Move, PlaceShip, PlayCard, Recruit
from skerry_games.kreta.state import KretaCard, State
from skerry_games.rng import SeededRng
from tests.games.kreta.drawing import at

CORNER = {at("IER"), at("LAS")}

tables = st.tuples(st.sampled_from(GAME.seats), st.integers(min_value=0, max_value=1 << 32))
"""A number of seats, and a seed."""


def steps(seats: int, seed: int) -> Iterator[tuple[State, int, tuple[Move, ...], Move]]:
    """Yield each position of a random game with its actor, legal moves and chosen move."""
    rng = SeededRng(seed.to_bytes(32, "big"), 0)
    state = GAME.setup(GAME.options_type(), seats)
    while actors := GAME.to_act(state):
        (actor,) = actors
        listed = tuple(GAME.legal_moves(state, actor))
        move = _pick(listed, rng)
        yield state, actor, listed, move
        state, _ = GAME.apply(state, actor, move)


def _pick(listed: tuple[Move, ...], rng: SeededRng) -> Move:
    eager = [move for move in listed if _is_eager(move)]
    return rng.choice(eager) if eager and rng.below(3) else rng.choice(listed)


def _is_eager(move: Move) -> bool:
    if isinstance(move, PlayCard):
        return move.card is not KretaCard.CASTELLAN
    if isinstance(move, PlaceShip):
        return move.harbour in CORNER
    if isinstance(move, March):
        return move.to_province in CORNER and move.from_province not in CORNER
    return isinstance(move, Harvest) or (isinstance(move, Recruit | BuildVillage) and move.province in CORNER)


def states(seats: int, seed: int) -> Iterator[State]:
    """Yield each position of a random game but the last."""
    for state, _, _, _ in steps(seats, seed):
        yield state
