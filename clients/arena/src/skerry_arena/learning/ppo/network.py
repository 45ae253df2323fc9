"""A network with two hidden layers: from the inputs to a logit for each action, and to a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from skerry_arena.learning.ppo.network_inputs import Floats

Weights = dict[str, Floats]
Masks = np.ndarray[Any, np.dtype[np.int8]]
Shapes = dict[str, tuple[int, ...]]
_GAINS: Final = {"first": 2.0, "second": 2.0, "policy": 1e-4, "value": 1e-2}
"""For each layer, the variance of its first weights times the number of its inputs."""
_IMPOSSIBLE: Final = -1e9


@dataclass(frozen=True, slots=True)
class Outputs:
    """What a network computes for a batch, with a row for each observation."""

    inputs: Floats
    first: Floats
    """The first hidden layer."""
    second: Floats
    """The second hidden layer."""
    log_probabilities: Floats
    """Of each action. An action outside of the mask has the probability 0."""
    values: Floats
    """The expected returns of the own seat."""


def weight_shapes(inputs: int, hidden: int, actions: int) -> Shapes:
    """Return the shape of each array of a network. ``hidden``: the width of both hidden layers."""
    layers = {"first": (inputs, hidden), "second": (hidden, hidden), "policy": (hidden, actions), "value": (hidden, 1)}
    shapes: Shapes = {}
    for name, layer in layers.items():
        shapes |= {name: layer, f"{name}_bias": layer[1:]}
    return shapes


def shapes_of(arrays: Weights) -> Shapes:
    """Return the shapes of those arrays that hold floating-point numbers."""
    return {name: one.shape for name, one in arrays.items() if one.dtype.kind == "f"}


def new_weights(inputs: int, hidden: int, actions: int, rng: np.random.Generator) -> Weights:
    """Return random weights. The first policy is nearly uniform, and the first values are near 0."""
    weights: Weights = {}
    for name, shape in weight_shapes(inputs, hidden, actions).items():
        if name in _GAINS:
            weights[name] = (rng.standard_normal(shape) * np.sqrt(_GAINS[name] / shape[0])).astype(np.float32)
        else:
            weights[name] = np.zeros(shape, np.float32)
    return weights


def outputs(weights: Weights, inputs: Floats, masks: Masks) -> Outputs:
    """Return the outputs for a batch. ``masks``: nonzero for each possible action; all zeros after a game.

    The policy of an empty mask is uniform.
    """
    first = np.maximum(inputs @ weights["first"] + weights["first_bias"], 0)
    second = np.maximum(first @ weights["second"] + weights["second_bias"], 0)
    logits = np.where(masks, second @ weights["policy"] + weights["policy_bias"], _IMPOSSIBLE)
    logits -= logits.max(axis=1, keepdims=True)
    log_probabilities = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    values = (second @ weights["value"] + weights["value_bias"])[:, 0]
    return Outputs(inputs, first, second, log_probabilities, values)


def gradients(weights: Weights, found: Outputs, logits: Floats, values: Floats) -> Weights:
    """Return the gradients of a loss, given its gradients by the logits and by the values of a batch."""
    out: Weights = {}
    _add_layer(out, "policy", found.second, logits)
    _add_layer(out, "value", found.second, values[:, None])
    second = (logits @ weights["policy"].T + values[:, None] @ weights["value"].T) * (found.second > 0)
    _add_layer(out, "second", found.first, second)
    first = (second @ weights["second"].T) * (found.first > 0)
    _add_layer(out, "first", found.inputs, first)
    return out


def _add_layer(out: Weights, name: str, before: Floats, after: Floats) -> None:
    out[name] = before.T @ after
    out[f"{name}_bias"] = after.sum(axis=0)
