"""Random games for tests of what must hold at every position, in all variants.

Two moves of three are made eagerly in one of two moods. Builders build, and put off palaces, so that islands fill up;
collectors draw, so that the deck runs out, the discard pile is shuffled, and at last both are empty.
"""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st

from skerry_games.api import CHANCE
from skerry_games.canarias import GAME
from skerry_games.canarias.moves import Build, BuildPalace, BuildTown, Draw, Move
from skerry_games.canarias.state import DeckOption, IslandOption, Options, State
from skerry_games.rng import SeededRng

VARIANT = Options(islands=IslandOption.DEAL, deck=DeckOption.TRIPLES)
"""The options that differ from the default in everything."""

tables = st.tuples(st.sampled_from(GAME.seats), st.integers(min_value=0, max_value=1 << 32))
"""A number of seats, and a seed."""


def options_for(seed: int) -> Options:
    """Return the options of the game with that seed: the default ones for even seeds."""
    return VARIANT if seed % 2 else Options()


def steps(seats: int, seed: int) -> Iterator[tuple[State, int, tuple[Move, ...], Move]]:
    """Yield each state of a random game with the actor, the legal moves, and the chosen move."""
    rng = SeededRng(seed.to_bytes(32, "big"), 0)
    mood = (Build, Draw, None)[seed // 2 % 3]
    state = GAME.setup(options_for(seed), seats)
    while actors := GAME.to_act(state):
        (actor,) = actors
        listed = tuple(GAME.legal_moves(state, actor))
        move = GAME.draw(state, rng) if actor == CHANCE else _pick(listed, rng, mood)
        yield state, actor, listed, move
        state, _ = GAME.apply(state, actor, move)


def _pick(listed: tuple[Move, ...], rng: SeededRng, mood: type[Move] | None) -> Move:
    if mood is None or not rng.below(3):
        return rng.choice(listed)
    eager = [move for move in listed if isinstance(move, mood)]
    patient = [move for move in listed if not isinstance(move, BuildPalace | BuildTown)]
    return rng.choice(eager or patient or listed)


def states(seats: int, seed: int) -> Iterator[State]:
    """Yield each position of a random game but the last."""
    for state, _, _, _ in steps(seats, seed):
        yield state
