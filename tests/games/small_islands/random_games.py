"""Random games with random options, for tests of invariants that hold in every position.

With every other seed nobody lands before the tiles run out, so that these games fill the table and end for want of
tiles.
"""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st

from skerry_games.rng import SeededRng
from skerry_games.small_islands import GAME
from skerry_games.small_islands.moves import LandShip, Move
from skerry_games.small_islands.state import Layout, Mode, Options, State

Table = tuple[Options, int, int]

tables = st.tuples(
    st.builds(
        Options,
        mode=st.sampled_from(Mode),
        start_layout=st.sampled_from(Layout),
        table_size=st.sampled_from([6, 8, 16, 20]),
    ),
    st.sampled_from(GAME.seats),
    st.integers(min_value=0, max_value=1 << 32),
)
"""Options, a number of seats, and a seed."""


def steps(options: Options, seats: int, seed: int) -> Iterator[tuple[State, int, tuple[Move, ...], Move]]:
    """Yield each position of a random game with its actor, legal moves and chosen move."""
    rng = SeededRng(seed.to_bytes(32, "big"), 0)
    state = GAME.setup(options, seats)
    while actors := GAME.to_act(state):
        actor = rng.choice(actors)
        listed = tuple(GAME.legal_moves(state, actor))
        move = GAME.draw(state, rng) if actor < 0 else rng.choice(_wanted(listed) if seed % 2 else listed)
        yield state, actor, listed, move
        state, _ = GAME.apply(state, actor, move)


def _wanted(listed: tuple[Move, ...]) -> tuple[Move, ...]:
    return tuple(move for move in listed if not isinstance(move, LandShip)) or listed


def states(options: Options, seats: int, seed: int) -> Iterator[State]:
    """Yield each position of a random game, the last included."""
    yield GAME.setup(options, seats)
    for state, actor, _, move in steps(options, seats, seed):
        yield GAME.apply(state, actor, move)[0]
