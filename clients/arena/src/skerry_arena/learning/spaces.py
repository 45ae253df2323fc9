"""The spaces of observations and actions, for Gymnasium and PettingZoo. Needs the extra ``gymnasium``."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from skerry_arena.learning.encoding.game_encoding import GameEncoding
from skerry_arena.learning.episode import Episode

Observation = dict[str, np.ndarray[Any, np.dtype[Any]]]


def spaces(encoding: GameEncoding) -> tuple[Any, Any]:
    """Return the spaces of observations (``observation``, int16, and ``action_mask``, int8) and of actions."""
    seen = Box(encoding.observations.low, encoding.observations.high, dtype=np.int16)
    size = encoding.actions.size
    return Dict({"observation": seen, "action_mask": Box(0, 1, (size,), np.int8)}), Discrete(size)


def observation(episode: Episode, seat: int) -> Observation:
    """Return the observation of a seat and its mask. The mask of a seat that is not to act is all zeros."""
    return {"observation": episode.observe(seat).copy(), "action_mask": episode.mask(seat)}
