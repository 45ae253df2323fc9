"""How a game tells what is good: a guess at the points that a state is worth to each seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

ExpectedPoints = tuple[float, ...]
"""Points of each seat, those that it may expect included."""


def _any(state: Any) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Advice:
    """How to judge the states of a game: ``ADVICE`` in the module ``advice`` of its folder, if it has one."""

    worth: Callable[[Any], ExpectedPoints]
    """Of any state; of a finished one the points themselves."""
    lead: float
    """Who is worth so many points more than another beats it three times as often as not."""
    settled: Callable[[Any], bool] = _any
    """Whether a state shows what it is worth; until it does, a search had better play on."""
