"""The loss of proximal policy optimization, its gradients, and the steps that reduce it.

Source: Schulman et al., Proximal Policy Optimization Algorithms, https://arxiv.org/abs/1707.06347; Kingma and Ba, Adam,
https://arxiv.org/abs/1412.6980.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from skerry_arena.learning.ppo.network import Masks, Weights, gradients, outputs
from skerry_arena.learning.ppo.network_inputs import Floats

_CLIP: Final = 0.2
"""How far the probability of an action may move from that with which it was chosen, as a share."""
_VALUE: Final = 0.5
"""The weight of the loss of values."""
_LONGEST_GRADIENT: Final = 0.5
_MOMENTS: Final = (0.9, 0.999)
_LEAST: Final = 1e-8


@dataclass(frozen=True, slots=True)
class Samples:
    """Decisions with what came of them, a row for each."""

    inputs: Floats
    masks: Masks
    actions: np.ndarray[Any, np.dtype[np.intp]]
    log_probabilities: Floats
    """Of the actions, when they were chosen."""
    advantages: Floats
    returns: Floats

    def rows(self, which: Any) -> Samples:
        """Return some of the rows."""
        return Samples(*[getattr(self, name)[which] for name in self.__slots__])


def joined(parts: Sequence[Samples]) -> Samples:
    """Return the rows of all parts."""
    return Samples(*[np.concatenate([getattr(one, name) for one in parts]) for name in Samples.__slots__])


def loss(weights: Weights, samples: Samples, entropy_weight: float) -> tuple[float, Weights]:
    """Return the loss of a batch, and its gradients."""
    count, every = len(samples.actions), np.arange(len(samples.actions))
    found = outputs(weights, samples.inputs, samples.masks)
    logs, probabilities = found.log_probabilities, np.exp(found.log_probabilities)
    ratios = np.exp(logs[every, samples.actions] - samples.log_probabilities)
    clipped = np.clip(ratios, 1 - _CLIP, 1 + _CLIP)
    gains = np.minimum(ratios * samples.advantages, clipped * samples.advantages)
    entropies = -(probabilities * logs).sum(axis=1, keepdims=True)
    errors = found.values - samples.returns
    total = -gains.mean() + _VALUE / 2 * (errors**2).mean() - entropy_weight * entropies.mean()

    moving = ratios * samples.advantages <= clipped * samples.advantages  # A clipped gain has no gradient.
    slopes = np.where(moving, ratios * samples.advantages, 0) / count
    logits = slopes[:, None] * probabilities + entropy_weight / count * probabilities * (logs + entropies)
    logits[every, samples.actions] -= slopes
    return float(total), gradients(weights, found, logits, _VALUE / count * errors)


class Adam:
    """The optimizer, with the moments of the gradients as its state."""

    def __init__(self, weights: Weights, rate: float) -> None:
        self._rate = rate
        self.steps = 0
        """The number of steps so far."""
        self.means: Weights = {name: np.zeros_like(one) for name, one in weights.items()}
        """The running means of the gradients."""
        self.squares: Weights = {name: np.zeros_like(one) for name, one in weights.items()}
        """The running means of their squares."""

    def step(self, weights: Weights, slopes: Weights) -> None:
        """Change the weights against the gradients, which are shortened if they are long."""
        self.steps += 1
        length = float(np.sqrt(sum(float((one**2).sum()) for one in slopes.values())))
        scale = min(1.0, _LONGEST_GRADIENT / (length + _LEAST))
        rate = self._rate * np.sqrt(1 - _MOMENTS[1] ** self.steps) / (1 - _MOMENTS[0] ** self.steps)
        for name, slope in slopes.items():
            mean, square = self.means[name], self.squares[name]
            mean += (1 - _MOMENTS[0]) * (slope * scale - mean)
            square += (1 - _MOMENTS[1]) * ((slope * scale) ** 2 - square)
            weights[name] -= (rate * mean / (np.sqrt(square) + _LEAST)).astype(np.float32)
