"""Random games for tests of what must hold at every position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hypothesis import strategies as st

from skerry_games.rng import SeededRng
from skerry_games.tenerife import GAME
from skerry_games.tenerife.moves import Move
from skerry_games.tenerife.state import Options, State

TABLES: Final = (
    (2, Options()),
    (2, Options(turbulent=True)),
    (3, Options()),
    (3, Options(puerto_farmer=True)),
    (4, Options()),
)
"""Numbers of seats with options."""
tables = st.tuples(
    st.sampled_from([*TABLES]),
    st.integers(min_value=0, max_value=1 << 32),
)
"""One of the tables, and a seed."""

Table = tuple[tuple[int, Options], int]


def steps(seats: int, seed: int, options: Options | None = None) -> Iterator[tuple[State, int, tuple[Move, ...], Move]]:
    """Yield each state of a random game with the actor, the legal moves, and the chosen move."""
    rng = SeededRng(seed.to_bytes(32, "big"), 0)
    state = GAME.setup(options or Options(), seats)
    while actors := GAME.to_act(state):
        (actor,) = actors
        listed = tuple(GAME.legal_moves(state, actor))
        move = rng.choice(listed)
        yield state, actor, listed, move
        state, _ = GAME.apply(state, actor, move)


def states(seats: int, seed: int, options: Options | None = None) -> Iterator[State]:
    """Yield each position of a random game but the last."""
    for state, _, _, _ in steps(seats, seed, options):
        yield state
