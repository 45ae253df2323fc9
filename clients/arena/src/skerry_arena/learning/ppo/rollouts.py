"""Games that a network plays to learn from, and to be measured."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from skerry_arena.learning.ppo.loss import Samples
from skerry_arena.learning.ppo.network import Outputs, Weights, outputs
from skerry_arena.learning.ppo.network_inputs import NetworkInputs
from skerry_arena.learning.vector import SkerryVectorEnv

_DECAY: Final = 0.95
"""The weight of each further decision in an advantage: lambda of generalized advantage estimation."""
_Array = np.ndarray[Any, np.dtype[Any]]
_NO_RETURNS: Final[_Array] = np.zeros((0, 0))


class Rollouts:
    """Many games in play, from which samples are taken piece by piece."""

    def __init__(self, games: SkerryVectorEnv, inputs: NetworkInputs, seed: int) -> None:
        self._games, self._inputs = games, inputs
        self._seen, _ = games.reset(seed=seed)
        self._over = np.zeros(games.num_envs, bool)
        self._random = np.random.default_rng(seed)

    def play(self, weights: Weights, steps: int) -> Samples:
        """Take so many steps in each game, with random actions of the network's policy. Return the decisions."""
        taken: list[dict[str, _Array]] = []
        for _ in range(steps):
            found, row = self._decided(weights)
            actions = _drawn(found.log_probabilities, self._random)
            row |= {"actions": actions, "counts": ~self._over}
            row["log_probabilities"] = found.log_probabilities[np.arange(len(actions)), actions]
            self._seen, _, self._over, _, infos = self._games.step(actions)
            row |= {"over": self._over, "outcome": infos.get("returns", _NO_RETURNS)}
            taken.append(row)
        last, row = self._decided(weights)
        return _samples(taken, _expected(last.values, row["seats"], self._games.encoding.seats))

    def _decided(self, weights: Weights) -> tuple[Outputs, dict[str, _Array]]:
        """Return the outputs of the network for all games, and what it saw."""
        observations, masks = self._seen["observation"], self._seen["action_mask"]
        inputs, seats = self._inputs.encode(observations), observations[:, 0].astype(np.intp)
        found = outputs(weights, inputs, masks)
        return found, {"inputs": inputs, "masks": masks, "values": found.values, "seats": seats}


def _drawn(log_probabilities: _Array, random: np.random.Generator) -> _Array:
    """Return an action for each row, drawn with these probabilities (by the Gumbel-max method)."""
    noise = np.asarray(random.gumbel(size=log_probabilities.shape), np.float32)
    actions: _Array = (log_probabilities + noise).argmax(axis=1)
    return actions


def _expected(values: _Array, seats: _Array, count: int) -> _Array:
    """Return the expected returns of all seats, given those of one in each game: the others share its loss equally."""
    out = np.repeat(-values[:, None] / (count - 1), count, axis=1)
    out[np.arange(len(seats)), seats] = values
    return out


def _samples(taken: list[dict[str, _Array]], following: _Array) -> Samples:
    """Return the decisions with their advantages. ``following``: the expected returns of all seats after the last one.

    A seat that has decided is judged by the value of its own next decision, or by its return if there is none. So the
    decisions of all seats of a game can be mixed.
    """
    advantages = np.zeros_like(following)
    every = np.arange(len(following))
    for row in reversed(taken):
        over, counts, seats = row["over"], row["counts"], row["seats"]
        if over.any():
            following[over], advantages[over] = row["outcome"][over], 0
        found = following[every, seats] - row["values"] + _DECAY * advantages[every, seats]
        row["advantages"], row["returns"] = found.astype(np.float32), (found + row["values"]).astype(np.float32)
        following[every[counts], seats[counts]] = row["values"][counts]
        advantages[every[counts], seats[counts]] = found[counts]
    return Samples(*[np.concatenate([row[name][row["counts"]] for row in taken]) for name in Samples.__slots__])


def measure(weights: Weights, games: SkerryVectorEnv, inputs: NetworkInputs, seed: int) -> list[float]:
    """Play each game to its end with the most likely actions. Return the return of the own seat in each."""
    seen, _ = games.reset(seed=seed)
    returns = np.zeros(games.num_envs)
    playing = np.ones(games.num_envs, bool)
    while playing.any():
        found = outputs(weights, inputs.encode(seen["observation"]), seen["action_mask"])
        seen, rewards, over, _, _ = games.step(found.log_probabilities.argmax(axis=1))
        returns[playing & over] = rewards[playing & over]
        playing &= ~over
    return [float(one) for one in returns]
