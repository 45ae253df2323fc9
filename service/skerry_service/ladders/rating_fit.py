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
_SWEEPS = 300
_CLOSE = 1e-7
_LONGEST_STEP = 1.0
_JOINT = 150
"""Entrants up to which intervals follow from the whole curvature. Beyond, each interval takes the other ratings as
known, and is somewhat too short."""

Ratings = dict[str, tuple[float, float, float]]
"""For each entrant, its rating and the ends of the interval of 95 percent."""


def fit(pairs: Mapping[tuple[str, str], tuple[int, int, int]]) -> CooperativeTask[Ratings]:
    """Return the ratings. ``pairs``: for each two entrants the wins of the first, ties, and wins of the second."""
    met: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    score: defaultdict[str, float] = defaultdict(float)
    for (first, second), (wins, ties, losses) in sorted(pairs.items()):
        games = wins + ties + losses
        met[first].append((second, games))
        met[second].append((first, games))
        score[first] += wins + ties / 2
        score[second] += losses + ties / 2
    names = sorted(met)
    logs = dict.fromkeys(names, 0.0)
    for _ in range(_SWEEPS):
        longest = 0.0
        for name in names:
            slope, curve = _slope_and_curve(logs, logs[name], met[name], score[name])
            step = max(-_LONGEST_STEP, min(_LONGEST_STEP, slope / curve))
            logs[name] += step
            longest = max(longest, abs(step))
            yield
        if longest < _CLOSE:
            break
    deviations = yield from _deviations(names, logs, met)
    ratings: Ratings = {}
    for name in names:
        value, half = AVERAGE + _POINTS * logs[name], _POINTS * _NORMAL_95 * deviations[name]
        ratings[name] = value, value - half, value + half
    return ratings


def _slope_and_curve(
    logs: Mapping[str, float], own: float, met: list[tuple[str, float]], score: float
) -> tuple[float, float]:
    """Return the first derivative of the log-likelihood by one strength, and its second one without the sign."""
    prior = _chance(own)
    slope, curve = 0.5 - prior, prior * (1 - prior)
    slope += score
    for other, games in met:
        chance = _chance(own - logs[other])
        slope -= games * chance
        curve += games * chance * (1 - chance)
    return slope, curve


def _chance(difference: float) -> float:
    """Return the probability to win with that difference of strengths."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, difference))))


def _deviations(
    names: list[str], logs: Mapping[str, float], met: Mapping[str, list[tuple[str, float]]]
) -> CooperativeTask[dict[str, float]]:
    """Return the standard deviation of each strength, from the inverse of the curvature."""
    curves = {name: _slope_and_curve(logs, logs[name], met[name], 0.0)[1] for name in names}
    if len(names) > _JOINT:
        return {name: 1 / sqrt(curves[name]) for name in names}
    place = {name: at for at, name in enumerate(names)}
    rows = []
    for name in names:
        row = [0.0] * len(names)
        row[place[name]] = curves[name]
        for other, games in met[name]:
            chance = _chance(logs[name] - logs[other])
            row[place[other]] -= games * chance * (1 - chance)
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
