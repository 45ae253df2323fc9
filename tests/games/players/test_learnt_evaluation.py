"""Learnt evaluations: features of every state, weights that fit them, and the sums."""

from __future__ import annotations

from importlib import import_module
from math import isfinite
from pathlib import Path
from pkgutil import iter_modules

import msgspec
import pytest

import skerry_games
from skerry_games.api import CHANCE_ACTS, AnyGame
from skerry_games.catalogue import all_games, game_module
from skerry_games.evaluation import Features
from skerry_games.players.learnt_evaluation import FILE, Weights, learnt_evaluation
from skerry_games.players.utility import advice_of, evaluation_of, utility
from tests.games.conformance.play import play
from tests.games.variants import all_variants

FOLDER = Path(skerry_games.__path__[0])
LEARNT = [game for game in all_games() if (FOLDER / game / "learnt" / "features.py").exists()]
TABLES = [
    pytest.param(variant.game, seats, id=f"{variant.id}-{seats}")
    for variant in all_variants()
    if variant.game.id in LEARNT
    for seats in variant.game.seats
]


def features_of(game: AnyGame) -> Features:
    module = game_module(game.id, game.ruleset, "learnt.features")
    assert module is not None
    features: Features = module.FEATURES
    return features


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_state_has_features_for_every_seat(game: AnyGame, seats: int) -> None:
    features, played = features_of(game), play(game, seats, 3)
    for state in played.states[:-1]:
        if game.to_act(state) != CHANCE_ACTS:
            numbers = features.of(state)
            assert [len(each) for each in numbers] == [len(features.names)] * seats
            assert all(isfinite(number) for each in numbers for number in each)
            assert 0 <= features.stage(state) <= features.stages
            assert features.final(state) is None
    assert features.final(played.last) == game.scores(played.last)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_winner_has_the_highest_worth(game: AnyGame, seats: int) -> None:
    evaluation, state = evaluation_of(game, seats), play(game, seats, 3).last
    scores = game.scores(state)
    worths = evaluation.worth(state)
    assert worths.index(max(worths)) == scores.index(max(scores))
    assert utility(worths, evaluation.lead, worths.index(max(worths))) >= 0.5


@pytest.mark.parametrize("game", [game for game in LEARNT if (FOLDER / game / "learnt" / FILE).exists()])
def test_weights_are_for_the_features(game: str) -> None:
    weights = msgspec.json.decode((FOLDER / game / "learnt" / FILE).read_bytes(), type=Weights)
    features = features_of(all_games()[game])
    assert weights.features == features.names
    assert set(weights.seats) <= set(all_games()[game].seats)
    assert all(len(end) == len(features.names) for ramp in weights.seats.values() for end in ramp)


def test_a_worth_is_a_weighted_sum_between_the_first_and_the_last_stage() -> None:
    features = Features(("a", "b"), lambda _: [[1.0, 2.0], [3.0, 0.0]], lambda stage: stage, 4, lambda _: None)
    evaluation = learnt_evaluation(features, Weights(("a", "b"), {2: ((1.0, 10.0), (5.0, 30.0))}))
    assert evaluation.worth(0) == (21.0, 3.0)
    assert evaluation.worth(4) == (65.0, 15.0)
    assert evaluation.worth(2) == (43.0, 9.0)
    # Worths are log-odds: a difference of 1 is odds of e.
    assert utility((1.0, 0.0), evaluation.lead, 0) == pytest.approx(0.7311, abs=1e-4)


def test_weights_for_other_features_are_refused() -> None:
    features = Features(("a",), lambda _: [[1.0]], lambda _: 0, 1, lambda _: None)
    with pytest.raises(ValueError, match="other features"):
        learnt_evaluation(features, Weights(("b",), {}))


def test_without_weights_the_advice_evaluates() -> None:
    game = all_games()["kreta"]
    assert evaluation_of(game, 9) is advice_of(game)


@pytest.mark.parametrize("game", LEARNT)
def test_caches_of_an_evaluation_stay_small(game: str) -> None:
    package = import_module(f"skerry_games.{game}.learnt")
    found = {
        f"{info.name}.{name}": each.cache_parameters()["maxsize"]
        for info in iter_modules(package.__path__)
        for name, each in vars(import_module(f"{package.__name__}.{info.name}")).items()
        if hasattr(each, "cache_parameters") and each.__module__.startswith(package.__name__)
    }
    # A process plays all games. More entries take tens of MiB and are hardly ever used again.
    assert found and all(size is not None and size <= 1 << 12 for size in found.values()), found
