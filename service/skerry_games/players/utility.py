"""Converts points and ranks to utilities: numbers from 0 to 1 that are comparable across games."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, Final, cast

import msgspec

from skerry_games.api import AnyGame, Outcome
from skerry_games.catalogue import all_games, find_game, game_module
from skerry_games.evaluation import Advice, ExpectedPoints
from skerry_games.players.learnt_evaluation import FILE, Weights, learnt_evaluation

Utilities = tuple[float, ...]
"""For each seat, the expected share of the other seats that it beats, from 0 to 1. A tie counts as half."""

_MOST_LARGER: Final = 1.25
"""By how much the numbers of components may differ for learnt weights to fit."""
_DEFAULT_LEAD = 5.0
_ODDS = 3.0
_MAX_DEFICIT = -99.0
"""The largest deficit that counts, in leads. It keeps the powers above 0."""


@cache
def advice_for(game: str, ruleset: str = "") -> Advice | None:
    """Return the game's advice, or ``None`` if it offers none. By default, that of the newest ruleset."""
    module = game_module(game, ruleset, "advice")
    return None if module is None else cast(Advice, module.ADVICE)


def advice_of(game: AnyGame) -> Advice:
    """Return the game's advice. For a game without advice, evaluate by the points so far."""
    return advice_for(game.id, game.ruleset) or Advice(game.scores, _DEFAULT_LEAD)


@cache
def _learnt(game: str, ruleset: str) -> dict[int, Advice]:
    """Return the learnt evaluation of a game, for each number of seats that has weights."""
    module = game_module(game, ruleset, "learnt.features")
    if module is None or not (file := files(module.__name__.rpartition(".")[0]).joinpath(FILE)).is_file():
        return {}
    weights = msgspec.json.decode(file.read_bytes(), type=Weights)
    if not _resembles_newest(game, ruleset):
        return {}
    return dict.fromkeys(weights.seats, learnt_evaluation(module.FEATURES, weights))


def _resembles_newest(game: str, ruleset: str) -> bool:
    """Return whether the components of an edition are about as many as those from which the weights were learnt."""
    one, newest = find_game(game, ruleset), all_games().get(game)
    if one is None or newest is None or one is newest:
        return True
    pairs = zip(_counts(one.boards[0]), _counts(newest.boards[0]), strict=False)
    return all(less * _MOST_LARGER >= more for less, more in map(sorted, pairs))


def _counts(board: Any) -> list[int]:
    """Return the lengths of all lists of a board, those inside lists summed up."""
    lists = [each for each in msgspec.structs.asdict(board).values() if isinstance(each, tuple)]
    inner = [sum(len(item) for item in each if isinstance(item, tuple)) for each in lists]
    return [*map(len, lists), *inner]


def evaluation_of(game: AnyGame, seats: int) -> Advice:
    """Return the game's learnt evaluation. Without weights for that number of seats, return the advice."""
    return _learnt(game.id, game.ruleset).get(seats) or advice_of(game)


def utilities(points: ExpectedPoints, lead: float) -> Utilities:
    """Return the utilities that follow from expected points. ``lead`` is that of ``Advice``."""
    all_powers = powers(points, lead)
    return tuple([_share(power, all_powers) for power in all_powers])


def utility(points: ExpectedPoints, lead: float, seat: int) -> float:
    """Return the utility of one seat that follows from expected points. ``lead`` is that of ``Advice``."""
    all_powers = powers(points, lead)
    return _share(all_powers[seat], all_powers)


def powers(points: ExpectedPoints, lead: float) -> list[float]:
    """Return the power of each seat: a seat beats another with the chance of its share in the powers of both."""
    best = max(points)
    return [_ODDS ** max((each - best) / lead, _MAX_DEFICIT) for each in points]


def _share(power: float, all_powers: list[float]) -> float:
    # The sum includes the seat itself, which counts as half a win.
    return (sum([power / (power + other) for other in all_powers]) - 0.5) / (len(all_powers) - 1)


def outcome_utilities(outcome: Outcome) -> Utilities:
    """Return the utilities of a finished game, from its ranks."""
    ranks = outcome.ranks
    beaten = [sum([(rank < other) + (rank <= other) for other in ranks]) - 1 for rank in ranks]
    return tuple([halves / 2 / (len(ranks) - 1) for halves in beaten])
