"""What the games advise: figures for every seat at every position, and for some moves that a beginner would see."""

from __future__ import annotations

import pytest

from skerry_games.api import AnyGame, Outcome
from skerry_games.catalogue import all_games
from skerry_games.players.utility import advice_for, advice_of, outcome_utilities, utilities, utility
from tests.games.conformance.play import play
from tests.games.pairs import GAME as PAIRS
from tests.games.variants import all_variants

TABLES = [
    pytest.param(variant.game, seats, id=f"{variant.id}-{seats}")
    for variant in all_variants()
    for seats in variant.game.seats
]


@pytest.mark.parametrize("game", list(all_games()))
def test_every_game_of_the_catalogue_gives_advice(game: str) -> None:
    assert advice_for(game) is not None


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_position_is_worth_something_to_every_seat(game: AnyGame, seats: int) -> None:
    played, judge = play(game, seats, 3), advice_of(game)
    worths = [judge.worth(state) for state in played.states]
    assert all(len(each) == seats for each in worths)
    assert all(-10 < worth < 1000 for each in worths for worth in each)
    assert len(set(worths)) > 10
    assert worths[-1] == game.scores(played.last)


def test_a_game_without_advice_goes_by_points() -> None:
    assert advice_for(PAIRS.id) is None
    played = play(PAIRS, PAIRS.seats[0], 1)
    assert advice_of(PAIRS).worth(played.last) == PAIRS.scores(played.last)


def test_prospects_are_shares_of_what_can_be_beaten() -> None:
    assert utilities((3.0, 3.0), 5.0) == (0.5, 0.5)
    assert utilities((8.0, 3.0), 5.0) == pytest.approx((0.75, 0.25))
    three = utilities((90.0, 3.0, 1.0), 5.0)
    assert sum(three) == pytest.approx(1.5)
    assert three[0] > 0.99
    assert 0.5 > three[1] > three[2] > 0.0
    assert [utility((90.0, 3.0, 1.0), 5.0, seat) for seat in range(3)] == list(three)
    assert utilities((1e6, 0.0), 1.0) == pytest.approx((1.0, 0.0))


def test_ties_are_shared() -> None:
    assert outcome_utilities(Outcome((1, 2), (9, 8), "")) == (1.0, 0.0)
    assert outcome_utilities(Outcome((1, 1, 2), (9, 9, 3), "")) == (0.75, 0.75, 0.0)
    assert outcome_utilities(Outcome((1, 1, 1, 1), (0, 0, 0, 0), "")) == (0.5, 0.5, 0.5, 0.5)
