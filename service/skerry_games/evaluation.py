"""Evaluation functions of a game: what each seat can expect from a state."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from skerry_games.rng import Rng

ExpectedPoints = tuple[float, ...]
"""For each seat, its points so far plus the points that it can still expect."""

PlayOut = Callable[[Any, Rng], Any]
"""Plays on from a state by a policy, with what each seat may know, and returns a later state."""
Redeal = Callable[[Any, int, Rng], Any]
"""Deals what is hidden from a seat anew, as ``Game.redeal`` does, but by how likely others play so."""


_FINE: Final = 1 << 30


def weighted(sums: Sequence[float], rng: Rng) -> int:
    """Draw an index with weights, of which these are the sums so far. The last sum must be above 0."""
    return bisect(sums, rng.below(_FINE) / _FINE * sums[-1])


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
    play_out: PlayOut | None = None
    """A fast play-out to a settled state. Without one, seats play the best turns by ``worth``."""
    redeal: Redeal | None = None
    """Without one, all deals are equally likely."""
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
    play_out: PlayOut | None = None
    """As in ``Advice``, like ``redeal`` and ``playouts``."""
    redeal: Redeal | None = None
    playouts: int = 1
