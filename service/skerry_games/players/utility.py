"""From what a game advises to what everybody can hope for: shares from 0 to 1, alike in every game."""

from __future__ import annotations

from functools import cache
from typing import cast

from skerry_games.advice import Advice, ExpectedPoints
from skerry_games.api import AnyGame, Outcome
from skerry_games.catalogue import game_module

Utilities = tuple[float, ...]
"""For each seat, from 0 to 1, the share of the others that it beats; to tie with one is to beat half of it."""

_ANY_LEAD = 5.0
_ODDS = 3.0
_HOPELESS = -99.0
"""So many leads behind nothing is to be hoped for, and the powers are still numbers above 0."""


@cache
def advice_for(game: str, ruleset: str = "") -> Advice | None:
    """Return the advice of the game with that id, if it gives any; under the newest ruleset if none is named."""
    found = game_module(game, ruleset, "advice")
    return None if found is None else cast(Advice, found.ADVICE)


def advice_of(game: AnyGame) -> Advice:
    """Return the game's advice; where it gives none, points are all that counts."""
    return advice_for(game.id, game.ruleset) or Advice(game.scores, _ANY_LEAD)


def utilities(worths: ExpectedPoints, lead: float) -> Utilities:
    """Return what these points promise to each seat."""
    powers = _powers(worths, lead)
    return tuple([_share(one, powers) for one in powers])


def utility(worths: ExpectedPoints, lead: float, seat: int) -> float:
    """Return what these points promise to one seat."""
    powers = _powers(worths, lead)
    return _share(powers[seat], powers)


def _powers(worths: ExpectedPoints, lead: float) -> list[float]:
    most = max(worths)
    return [_ODDS ** max((worth - most) / lead, _HOPELESS) for worth in worths]


def _share(one: float, powers: list[float]) -> float:
    # It is compared with itself, too: that half is taken off.
    return (sum([one / (one + other) for other in powers]) - 0.5) / (len(powers) - 1)


def outcome_utilities(outcome: Outcome) -> Utilities:
    """Return what the end of a game has brought."""
    ranks = outcome.ranks
    beaten = [sum([(rank < other) + (rank <= other) for other in ranks]) - 1 for rank in ranks]
    return tuple([halves / 2 / (len(ranks) - 1) for halves in beaten])
