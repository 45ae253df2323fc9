"""Ratings from one joint fit of all results between pairs.

The model is that of Bradley and Terry, with ties as halves: the odds that one entrant beats another are the ratio of
their strengths. Each entrant also has one virtual tie with an average player. This weak prior makes all differences
finite, also between entrants without common opponents. The counts of pairs are all that the fit reads, so the order of
the games cannot matter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import exp, log, sqrt

from skerry_service.domain.cooperative import CooperativeTask

AVERAGE = 1500.0
"""The rating of an average player."""
_POINTS = 400 / log(10)
"""Points per unit of the natural logarithm of odds."""
_NORMAL_95 = 1.96
_STEPS = 50
_CLOSE = 1e-9
_LONGEST_STEP = 2.0
_JOINT = 150
"""Entrants up to which intervals follow from the whole curvature. Beyond, each interval takes the other ratings as
known, and is somewhat too short."""

Met = Mapping[str, list[tuple[str, float]]]
"""For each entrant, its opponents with the numbers of games."""
Ratings = dict[str, tuple[float, float, float]]
"""For each entrant, its rating and the ends of the interval of 95 percent."""


def fit(pairs: Mapping[tuple[str, str], tuple[int, int, int]]) -> CooperativeTask[Ratings]:
    """Return the ratings. ``pairs``: for each two entrants the wins of the first, ties, and wins of the second."""
    met: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    score: defaultdict[str, float] = defaultdict(float)
    seconds: defaultdict[str, list[str]] = defaultdict(list)
    for first, second in pairs:
        seconds[first].append(second)
    for first in sorted(seconds):
        yield  # there may be 100,000 pairs, too many to sort in one step
        for second in sorted(seconds[first]):
            wins, ties, losses = pairs[first, second]
            games = wins + ties + losses
            met[first].append((second, games))
            met[second].append((first, games))
            score[first] += wins + ties / 2
            score[second] += losses + ties / 2
    names = sorted(met)
    logs = dict.fromkeys(names, 0.0)
    for _ in range(_STEPS):
        step = yield from _newton_step(names, logs, met, score)
        longest = max(map(abs, step.values()), default=0.0)
        shortened = min(1.0, _LONGEST_STEP / max(longest, _LONGEST_STEP))
        for name in names:
            logs[name] += shortened * step[name]
        if longest < _CLOSE:
            break
    deviations = yield from _deviations(names, logs, met)
    ratings: Ratings = {}
    for name in names:
        value, half = AVERAGE + _POINTS * logs[name], _POINTS * _NORMAL_95 * deviations[name]
        ratings[name] = value, value - half, value + half
    return ratings


def _newton_step(
    names: list[str], logs: Mapping[str, float], met: Met, score: Mapping[str, float]
) -> CooperativeTask[dict[str, float]]:
    """Return the step of Newton's method: the solution of curvature times step = slope, by conjugate gradients."""
    curves, weights = yield from _curvature(names, logs, met)
    step = dict.fromkeys(names, 0.0)
    left: dict[str, float] = {}
    for name in names:
        left[name] = _slope(logs, name, met[name], score[name])
        yield
    scaled = {name: left[name] / curves[name] for name in names}
    direction, size = dict(scaled), sum(left[name] * scaled[name] for name in names)
    for _ in range(2 * len(names)):
        if size < _CLOSE**2:
            break
        curved = {
            name: curves[name] * direction[name] - sum(weight * direction[other] for other, weight in weights[name])
            for name in names
        }
        along = size / sum(direction[name] * curved[name] for name in names)
        for name in names:
            step[name] += along * direction[name]
            left[name] -= along * curved[name]
            scaled[name] = left[name] / curves[name]
        before, size = size, sum(left[name] * scaled[name] for name in names)
        direction = {name: scaled[name] + size / before * direction[name] for name in names}
        yield
    yield
    return step


def _slope(logs: Mapping[str, float], name: str, met: list[tuple[str, float]], score: float) -> float:
    """Return the derivative of the log-likelihood by one strength. The first terms are the virtual tie."""
    return 0.5 - _chance(logs[name]) + score - sum(games * _chance(logs[name] - logs[other]) for other, games in met)


def _curvature(
    names: list[str], logs: Mapping[str, float], met: Met
) -> CooperativeTask[tuple[dict[str, float], dict[str, list[tuple[str, float]]]]]:
    """Return minus the second derivatives: the diagonal, and for each strength minus the others that are not 0."""
    curves: dict[str, float] = {}
    weights: dict[str, list[tuple[str, float]]] = {}
    for name in names:
        weights[name] = [(other, games * _variance(logs[name] - logs[other])) for other, games in met[name]]
        curves[name] = _variance(logs[name]) + sum(weight for _, weight in weights[name])
        yield
    return curves, weights


def _variance(difference: float) -> float:
    chance = _chance(difference)
    return chance * (1 - chance)


def _chance(difference: float) -> float:
    """Return the probability to win with that difference of strengths."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, difference))))


def _deviations(names: list[str], logs: Mapping[str, float], met: Met) -> CooperativeTask[dict[str, float]]:
    """Return the standard deviation of each strength, from the inverse of the curvature."""
    curves, weights = yield from _curvature(names, logs, met)
    if len(names) > _JOINT:
        return {name: 1 / sqrt(curves[name]) for name in names}
    place = {name: at for at, name in enumerate(names)}
    rows = []
    for name in names:
        row = [0.0] * len(names)
        row[place[name]] = curves[name]
        for other, weight in weights[name]:
            row[place[other]] -= weight
        rows.append(row)
    inverse = yield from _inverse(rows)
    return {name: sqrt(inverse[at][at]) for at, name in enumerate(names)}


def _inverse(rows: list[list[float]]) -> CooperativeTask[list[list[float]]]:
    """Return the inverse of a symmetric positive definite matrix, by Gauss and Jordan. Pivots need no exchange."""
    size = len(rows)
    work = [row + [float(at == column) for column in range(size)] for at, row in enumerate(rows)]
    for at in range(size):
        pivot = work[at][at]
        work[at] = [value / pivot for value in work[at]]
        for other in range(size):
            if other != at and (factor := work[other][at]):
                work[other] = [value - factor * held for value, held in zip(work[other], work[at], strict=True)]
                yield
    return [row[size:] for row in work]
