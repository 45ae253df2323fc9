"""The advice of the games gives expected points, and utilities follow from them."""

from __future__ import annotations

from pathlib import Path

import pytest

import skerry_games
from skerry_games.api import AnyGame, Outcome
from skerry_games.catalogue import all_games
from skerry_games.players.utility import advice_for, advice_of, outcome_utilities, utilities, utility
from tests.games.conformance.play import play
from tests.games.pairs import GAME as PAIRS
from tests.games.variants import all_variants

FOLDER = Path(skerry_games.__path__[0])
ADVISED = [game for game in all_games() if (FOLDER / game / "advice.py").exists()]
"""The games that have advice, which is optional."""
TABLES = [
    pytest.param(variant.game, seats, id=f"{variant.id}-{seats}")
    for variant in all_variants()
    if variant.game.id in ADVISED
    for seats in variant.game.seats
]


@pytest.mark.parametrize("game", ADVISED)
def test_the_advice_of_a_game_is_found(game: str) -> None:
    assert advice_for(game) is not None


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_advice_gives_expected_points_for_every_seat_in_every_state(game: AnyGame, seats: int) -> None:
    played, advice = play(game, seats, 3), advice_of(game)
    points = [advice.worth(state) for state in played.states]
    assert all(len(each) == seats for each in points)
    assert all(-10 < number < 1000 for each in points for number in each)
    assert len(set(points)) > min(10, len(points) // 4)
    assert points[-1] == game.scores(played.last)


def test_a_game_without_advice_is_evaluated_by_points() -> None:
    assert advice_for(PAIRS.id) is None
    played = play(PAIRS, PAIRS.seats[0], 1)
    assert advice_of(PAIRS).worth(played.last) == PAIRS.scores(played.last)


def test_utilities_are_shares_of_opponents() -> None:
    assert utilities((3.0, 3.0), 5.0) == (0.5, 0.5)
    assert utilities((8.0, 3.0), 5.0) == pytest.approx((0.75, 0.25))
    three = utilities((90.0, 3.0, 1.0), 5.0)
    assert sum(three) == pytest.approx(1.5)
    assert three[0] > 0.99
    assert 0.5 > three[1] > three[2] > 0.0
    assert [utility((90.0, 3.0, 1.0), 5.0, seat) for seat in range(3)] == list(three)
    assert utilities((1e6, 0.0), 1.0) == pytest.approx((1.0, 0.0))


def test_a_tie_counts_as_half() -> None:
    assert outcome_utilities(Outcome((1, 2), (9, 8), "")) == (1.0, 0.0)
    assert outcome_utilities(Outcome((1, 1, 2), (9, 9, 3), "")) == (0.75, 0.75, 0.0)
    assert outcome_utilities(Outcome((1, 1, 1, 1), (0, 0, 0, 0), "")) == (0.5, 0.5, 0.5, 0.5)
