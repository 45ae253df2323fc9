"""Plays whole random games and records every step. Equal seeds give equal games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_changes
from functools import lru_cache
from typing import Any, TypeVar

from msgspec.structs import replace

from skerry_games.api import CHANCE, CHANCE_ACTS, OVER, AnyGame, GameError, Viewer
from skerry_games.rng import SEED_BYTES, SeededRng

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a game, with its events and the states before and after it."""

    before: Any
    actor: int
    move: Any
    events: tuple[Any, ...]
    after: Any


@dataclass(frozen=True, slots=True)
class Play:
    """A whole game."""

    first: Any
    steps: tuple[Step, ...]

    @property
    def states(self) -> tuple[Any, ...]:
        """Every state, from the setup to the end."""
        return (self.first, *(step.after for step in self.steps))

    @property
    def last(self) -> Any:
        """The state in which the game ended."""
        return self.steps[-1].after if self.steps else self.first


@lru_cache(maxsize=32)
def play(game: AnyGame, seats: int, seed: int) -> Play:
    """Play a whole game by uniform choice among the legal moves. Raises AssertionError at a dead end."""
    first = game.setup(game.options_type(), seats)
    return Play(first, tuple(play_on(game, first, seed)))


def middle(game: AnyGame, seats: int, most: int) -> int:
    """Return after how many decisions a game is in its middle: half of those of a random game, and at most ``most``."""
    return min(most, sum(step.actor != CHANCE for step in play(game, seats, 1).steps) // 2)


def in_edition(game: AnyGame, edition: str) -> AnyGame:
    """Return the game with a setup that always uses this edition."""
    return with_changes(game, setup=lambda options, seats: game.setup(replace(options, edition=edition), seats))


def play_on(game: AnyGame, state: Any, seed: int) -> Iterator[Step]:
    """Play from that state to the end."""
    for number in range(1, game.max_moves + 1):
        actors = game.to_act(state)
        if actors == OVER:
            return
        rng = dice(seed, number)
        actor = rng.choice(actors)
        move = pick(game, state, actor, rng)
        step = advance(game, state, actor, move)
        yield step
        state = step.after
    assert game.to_act(state) == OVER, f"not over after max_moves = {game.max_moves} moves"


def pick(game: AnyGame, state: Any, actor: int, rng: SeededRng) -> Any:
    """Choose a random legal move of an actor."""
    listed = game.legal_moves(state, actor)
    assert listed, f"dead end: actor {actor} is to act and has no legal move"
    if actor != CHANCE:
        return rng.choice(listed)
    move = game.draw(state, rng)
    assert move in listed, f"drawn, but not listed: {move}"
    return move


def advance(game: AnyGame, state: Any, actor: int, move: Any) -> Step:
    """Apply a listed move."""
    try:
        after, events = game.apply(state, actor, move)
    except GameError as refusal:
        raise AssertionError(f"listed, but rejected ({refusal!r}): actor {actor}, {move}") from refusal
    return Step(state, actor, move, events, after)


def dice(seed: int, number: int) -> SeededRng:
    """Return the generator for draw ``number`` of a seed."""
    return SeededRng(seed.to_bytes(SEED_BYTES, "big"), number)


def actors_of(seats: int) -> tuple[int, ...]:
    """Return all actors: the seats and chance."""
    return (*range(seats), *CHANCE_ACTS)


def viewers_of(seats: int) -> tuple[Viewer, ...]:
    """Return all viewers: the seats and a spectator."""
    return (*range(seats), None)


def spread(items: Sequence[T], most: int) -> Sequence[T]:
    """Return at most ``most`` of the items, evenly spread, with the first and the last."""
    if len(items) <= most:
        return items
    return [items[at * (len(items) - 1) // (most - 1)] for at in range(most)]
