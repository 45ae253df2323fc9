"""The spaces of observations and actions, for Gymnasium and PettingZoo. Needs the extra ``gymnasium``."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from skerry_arena.learning.episode import Episode
from skerry_arena.learning.game_encoding import GameEncoding

Observation = dict[str, np.ndarray[Any, np.dtype[Any]]]


def observation_space(encoding: GameEncoding) -> Dict:
    """Return the space of observations: ``observation`` (int16) and ``action_mask`` (int8)."""
    seen = Box(encoding.observations.low, encoding.observations.high, dtype=np.int16)
    return Dict({"observation": seen, "action_mask": Box(0, 1, (encoding.actions.size,), np.int8)})


def action_space(encoding: GameEncoding) -> Discrete:
    """Return the space of actions."""
    return Discrete(encoding.actions.size)


def observation(episode: Episode, seat: int) -> Observation:
    """Return the observation of a seat and its mask. The mask of a seat that is not to act is all zeros."""
    return {"observation": episode.observe(seat).copy(), "action_mask": episode.mask(seat)}
