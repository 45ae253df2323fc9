"""Random play-outs by the rules alone, in this process: every game of the catalogue with every seat count."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, TypeVar

from msgspec import Struct, msgpack

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame
from skerry_games.catalogue import all_games
from skerry_games.position import Position
from skerry_games.rng import Rng

from .report import Row, Target
from .settings import Settings

T = TypeVar("T")

TARGET = Target(100_000, at_least=True)
BRANCH_TARGET = Target(3)
_PLAY_ON = "play on"
_SAMPLED_GAMES = 20
_SEED = 1


class FastRng(Rng):
    """Choices from the Mersenne Twister, which is fast, so that the game is measured."""

    __slots__ = ("_random",)

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def below(self, count: int) -> int:
        return int(self._random() * count)

    def choice(self, items: Sequence[T]) -> T:
        return items[int(self._random() * len(items))]


class Step(Struct, frozen=True):
    """A position and the move made in it."""

    state: Any
    actor: int
    move: Any


def run(settings: Settings) -> Iterator[Row]:
    """Measure each game with each seat count."""
    for game in all_games().values():
        for seats in game.seats:
            yield from _measure(game, seats, settings.seconds)


def _measure(game: AnyGame, seats: int, seconds: float) -> Iterator[Row]:
    rng, what = FastRng(_SEED), f"{game.id}, {seats} seats"
    encode, decode = msgpack.Encoder().encode, msgpack.Decoder(game.state_type).decode
    steps = [step for _ in range(_SAMPLED_GAMES) for step in _steps(game, seats, rng)]
    moves, used, wall = _play_for(game, seats, rng, seconds)
    yield Row("playouts", f"{what}: moves by processor time", moves / used, "moves/s", TARGET)
    yield Row("playouts", f"{what}: moves by the clock", moves / wall, "moves/s")
    chosen = [step for step in steps if step.actor != CHANCE]
    position = {id(step): Position(game, step.state) for step in steps}
    timed: tuple[tuple[str, Sequence[Step], Callable[[Step], Any]], ...] = (
        ("legal moves", chosen, lambda step: game.legal_moves(step.state, step.actor)),
        ("apply", steps, lambda step: game.apply(step.state, step.actor, step.move)),
        (_PLAY_ON, steps, lambda step: position[id(step)].play(step.move, step.actor)),
        ("sample", chosen, lambda step: game.redeal(step.state, step.actor, rng)),
        ("snapshot, out and in", steps, lambda step: decode(encode(step.state))),
        ("setup", steps, lambda step: game.setup(game.options_type(), seats)),
    )
    took = {name: _microseconds(sample, work) for name, sample, work in timed}
    yield Row("playouts", f"{what}: branch, beyond apply", took.pop(_PLAY_ON) - took["apply"], "µs", BRANCH_TARGET)
    for name, figure in took.items():
        yield Row("playouts", f"{what}: {name}", figure, "µs")


def _play_for(game: AnyGame, seats: int, rng: Rng, seconds: float) -> tuple[int, float, float]:
    """Play whole games for that many seconds. Return the number of moves, and processor and wall time in seconds."""
    moves, used, began = 0, time.process_time(), time.perf_counter()
    while time.perf_counter() - began < seconds:
        moves += play(game, seats, rng)
    return moves, time.process_time() - used, time.perf_counter() - began


def play(game: AnyGame, seats: int, rng: Rng) -> int:
    """Play one game. Return the number of moves, including those of chance."""
    to_act, legal_moves, apply, draw, choice = game.to_act, game.legal_moves, game.apply, game.draw, rng.choice
    state, moves = game.setup(game.options_type(), seats), 0
    while actors := to_act(state):
        if actors == CHANCE_ACTS:
            state, _ = apply(state, CHANCE, draw(state, rng))
        else:
            actor = actors[0]
            state, _ = apply(state, actor, choice(legal_moves(state, actor)))
        moves += 1
    return moves


def _steps(game: AnyGame, seats: int, rng: Rng) -> Iterator[Step]:
    state = game.setup(game.options_type(), seats)
    while actors := game.to_act(state):
        actor = actors[0]
        move = game.draw(state, rng) if actor == CHANCE else rng.choice(game.legal_moves(state, actor))
        yield Step(state, actor, move)
        state, _ = game.apply(state, actor, move)


def _microseconds(sample: Sequence[Step], work: Callable[[Step], Any]) -> float:
    """Return the mean processor time of the work, minus that of an empty call."""
    return (_seconds(sample, work) - _seconds(sample, lambda step: None)) / len(sample) * 1e6


def _seconds(sample: Sequence[Step], work: Callable[[Step], Any]) -> float:
    began = time.process_time()
    for step in sample:
        work(step)
    return time.process_time() - began
