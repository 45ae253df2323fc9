"""Ratings: a joint fit of all results, with a weak prior."""

from __future__ import annotations

from itertools import pairwise
from math import log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry_service.domain.cooperative import run_to_completion
from skerry_service.ladders.rating_fit import AVERAGE, Ratings, fit

Pairs = dict[tuple[str, str], tuple[int, int, int]]
PAIRS = st.dictionaries(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("efgh")), st.tuples(*[st.integers(0, 30)] * 3), max_size=10
)


def fitted(pairs: Pairs) -> Ratings:
    return run_to_completion(fit(pairs))


class CountedName(str):
    """A name that counts comparisons."""

    __slots__ = ()
    comparisons = 0

    def __lt__(self, other: str) -> bool:
        CountedName.comparisons += 1
        return str.__lt__(self, other)


def test_the_fit_pauses_while_it_sorts_many_pairs() -> None:
    names = [CountedName(f"{number:02}") for number in range(60)]
    pairs = [(one, other) for one in names for other in names if one < other]
    Random(1).shuffle(pairs)
    task, longest = fit(dict.fromkeys(pairs, (1, 0, 1))), 0
    for _ in range(len(names)):
        CountedName.comparisons = 0
        next(task)
        longest = max(longest, CountedName.comparisons)
    assert 0 < longest < len(pairs) / 2


@settings(max_examples=25)
@given(PAIRS, st.randoms(use_true_random=False))
def test_the_order_of_results_has_no_effect(pairs: Pairs, random: Random) -> None:
    shuffled = list(pairs.items())
    random.shuffle(shuffled)
    assert fitted(dict(shuffled)) == fitted(pairs)


@settings(max_examples=25)
@given(PAIRS)
def test_exchanging_the_sides_mirrors_the_ratings(pairs: Pairs) -> None:
    mirrored = fitted({names: (losses, ties, wins) for names, (wins, ties, losses) in pairs.items()})
    for name, (value, low, high) in fitted(pairs).items():
        assert mirrored[name] == pytest.approx((2 * AVERAGE - value, 2 * AVERAGE - high, 2 * AVERAGE - low), abs=1e-3)


def test_known_odds_are_found() -> None:
    ratings = fitted({("a", "b"): (7_500, 0, 2_500)})
    assert ratings["a"][0] - ratings["b"][0] == pytest.approx(400 * log(3) / log(10), abs=1)
    assert ratings["a"][0] + ratings["b"][0] == pytest.approx(2 * AVERAGE, abs=0.1)


def test_intervals_contain_the_truth_about_as_often_as_they_say() -> None:
    random, strengths = Random(5), [1300.0, 1400.0, 1500.0, 1600.0, 1700.0]
    hits = trials = 0
    for _ in range(30):
        pairs: Pairs = {}
        for one in range(5):
            for other in range(one):
                chance = 1 / (1 + 10 ** ((strengths[other] - strengths[one]) / 400))
                wins = sum(random.random() < chance for _ in range(40))
                pairs[str(one), str(other)] = (wins, 0, 40 - wins)
        for name, (_, low, high) in fitted(pairs).items():
            trials += 1
            hits += low <= strengths[int(name)] <= high
    assert 0.9 <= hits / trials <= 1


def test_an_entrant_that_has_won_everything_has_a_finite_rating() -> None:
    ratings = fitted({("a", "b"): (20, 0, 0)})
    assert 1500 < ratings["a"][0] < 2500
    assert ratings["a"][2] - ratings["a"][1] > 300, "twenty wins say little about how much stronger"


def test_many_versions_are_fitted_without_the_joint_curvature() -> None:
    names = [f"v{at:03d}" for at in range(160)]
    ratings = fitted(dict.fromkeys(pairwise(names), (6, 0, 4)))
    assert len(ratings) == 160
    assert all(low < value < high for value, low, high in ratings.values())
