"""A game's evaluation function: an estimate of the points that each seat can expect from a state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

ExpectedPoints = tuple[float, ...]
"""For each seat, its points so far plus the points that it can still expect."""


def _any(state: Any) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Advice:
    """Evaluates the states of a game. A game may offer one as ``ADVICE`` in its module ``advice``."""

    worth: Callable[[Any], ExpectedPoints]
    """Return the expected points of any state. For a finished game, return the final points."""
    lead: float
    """A seat that is this many points ahead of another beats it in three games of four."""
    settled: Callable[[Any], bool] = _any
    """Whether ``worth`` is reliable for a state. A search plays on until it is."""
