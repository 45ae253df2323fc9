"""Learnt evaluations: weighted sums of features. The weights are data, computed from games between players.

The weight of a feature changes linearly from the first to the last stage of a game, and depends on the number of
seats. ``docs/explanation/players.md`` says how weights are computed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log
from operator import mul
from typing import Any, Final

from msgspec import Struct

from skerry_games.evaluation import Advice, ExpectedPoints, Features

Ramp = tuple[tuple[float, ...], tuple[float, ...]]
"""The weight of each feature at the first and at the last stage. A difference of 1 is one to e odds."""

FILE: Final = "weights.json"
_LEAD: Final = log(3)
"""Worths are logarithms of odds. Three games of four are odds of 3."""
_FINAL: Final = 3.0
"""What a point more is worth when the game is over."""


class Weights(Struct, frozen=True):
    """The weights of a game."""

    features: tuple[str, ...]
    seats: dict[int, Ramp]


def learnt_evaluation(features: Features, weights: Weights) -> Advice:
    """Return the evaluation with these weights. Raises ValueError if the weights are for other features."""
    if weights.features != features.names:
        raise ValueError("The weights are for other features. Compute them anew.")
    staged = {seats: _staged(ramp, features.stages) for seats, ramp in weights.seats.items()}
    own = (features.settled, features.play_out, features.redeal, features.playouts)
    return Advice(_worth(features, staged), _LEAD, *own)


def _staged(ramp: Ramp, stages: int) -> list[tuple[float, ...]]:
    """Return the weights of each stage."""
    pairs = list(zip(*ramp, strict=True))
    parts = [stage / stages for stage in range(stages + 1)]
    return [tuple([first + (last - first) * part for first, last in pairs]) for part in parts]


def _worth(features: Features, staged: dict[int, list[tuple[float, ...]]]) -> Callable[[Any], ExpectedPoints]:
    of, stage, final = features.of, features.stage, features.final

    def worth(state: Any) -> ExpectedPoints:
        points = final(state)
        if points is not None:
            return tuple([_FINAL * each for each in points])
        numbers: Sequence[Sequence[float]] = of(state)
        weights = staged[len(numbers)][stage(state)]
        return tuple([sum(map(mul, weights, each)) for each in numbers])

    return worth
