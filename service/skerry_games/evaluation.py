"""Evaluation functions of a game: what each seat can expect from a state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from skerry_games.rng import Rng

ExpectedPoints = tuple[float, ...]
"""For each seat, its points so far plus the points that it can still expect."""

Policy = Callable[[Any, int, Rng], Any]
"""Draws a legal move of a seat in a state, by what the seat may know."""


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
    policy: Policy | None = None
    """How seats play in play-outs. It is fast. Without one, they play the best turns by ``worth``."""
    playouts: int = 1
    """Each play-out of the planner's budget stands for so many, because some games are faster than others."""


@dataclass(frozen=True, slots=True)
class Features:
    """What a learnt evaluation sees of a state. A game may offer ``FEATURES`` in ``learnt.features``."""

    names: tuple[str, ...]
    """The names of the numbers of each seat. The weights of a file are for these names, in this order."""
    of: Callable[[Any], Sequence[Sequence[float]]]
    """Return the numbers of each seat in a state of an unfinished game."""
    stage: Callable[[Any], int]
    """Return how far the game has come, from 0 to ``stages``."""
    stages: int
    final: Callable[[Any], ExpectedPoints | None]
    """Return the points of each seat if the game is over, else ``None``."""
    settled: Callable[[Any], bool] = _any
    """Whether the numbers are reliable for a state. A search plays on until they are."""
    policy: Policy | None = None
    """As in ``Advice``, like ``playouts``."""
    playouts: int = 1
