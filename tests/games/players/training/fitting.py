"""Fits the weights of an evaluation to samples, by logistic regression with a ridge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from skerry_games.players.learnt_evaluation import Ramp
from tests.games.players.training.self_play import Sample

Array = np.ndarray[Any, np.dtype[np.float64]]

STEPS: Final = 12
SIBLING_WEIGHT: Final = 4.0
"""The weight of differences within a decision, compared with that of a state."""


def fit(samples: Sequence[Sample], stages: int, ridge: float, before: Ramp | None) -> Ramp:
    """Return weights for the samples, near those of ``before``.

    The odds that a seat beats another follow from the difference of their numbers. States of one decision count once
    more, without their mean, because a player compares them with each other only.
    """
    rows, labels, decisions = _pairs(samples, stages)
    scale = rows.std(axis=0) + 1e-9
    rows = rows / scale
    size = rows.shape[1]
    start = np.zeros(size) if before is None else _flat(before) * scale
    inner, wanted = _within(rows, labels, decisions)
    weights, penalty = start.copy(), ridge * np.eye(size)
    for _ in range(STEPS):
        odds = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (odds - labels) + penalty @ (weights - start)
        curve = (rows * (odds * (1 - odds))[:, None]).T @ rows + penalty
        if len(inner):
            slope += SIBLING_WEIGHT * inner.T @ (inner @ weights - wanted)
            curve += SIBLING_WEIGHT * inner.T @ inner
        weights -= np.linalg.solve(curve, slope)
    return _ramp(weights / scale)


def _pairs(samples: Sequence[Sample], stages: int) -> tuple[Array, Array, Array]:
    """Return for each sample and each other seat: differences to it by stage, the chance to beat it, the decision."""
    rows, labels, decisions = [], [], []
    for sample in samples:
        numbers, part = np.array(sample.numbers, dtype=float), sample.stage / stages
        me = sample.seat
        for other in range(len(numbers)):
            if other == me:
                continue
            difference = numbers[me] - numbers[other]
            rows.append(np.concatenate([(1 - part) * difference, part * difference]))
            labels.append(_label(sample, me, other))
            decisions.append(-1 if sample.decision < 0 else sample.decision * len(numbers) + other)
    return np.array(rows), np.array(labels), np.array(decisions)


def _label(sample: Sample, me: int, other: int) -> float:
    if sample.ranks:
        mine, theirs = sample.ranks[me], sample.ranks[other]
        return 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0
    return float(1 / (1 + np.exp(np.clip(sample.worths[other] - sample.worths[me], -30, 30))))


def _within(rows: Array, labels: Array, decisions: Array) -> tuple[Array, Array]:
    """Return rows and chances of each decision without their mean, both scaled as in the middle of the decision."""
    inner, wanted = [], []
    order = np.argsort(decisions, kind="stable")
    order = order[decisions[order] >= 0]
    if not len(order):
        return np.zeros((0, rows.shape[1])), np.zeros(0)
    for group in np.split(order, np.flatnonzero(np.diff(decisions[order])) + 1):
        mean = float(np.clip(labels[group].mean(), 0.02, 0.98))
        slope = mean * (1 - mean)
        # The squared error of chances, near the mean: a chance changes by the slope.
        inner.append((rows[group] - rows[group].mean(axis=0)) * slope**0.5)
        wanted.append((labels[group] - mean) / slope**0.5)
    return np.concatenate(inner), np.concatenate(wanted)


def _flat(ramp: Ramp) -> Array:
    return np.concatenate([np.array(end, dtype=float) for end in ramp])


def _ramp(weights: Array) -> Ramp:
    first, last = np.split(weights, 2)
    return tuple(round(float(each), 4) for each in first), tuple(round(float(each), 4) for each in last)
