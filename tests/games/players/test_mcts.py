"""The search: its budget, and its counts of visits."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from skerry_games.information_state import InformationState, seen_from
from skerry_games.players import player, untimed
from skerry_games.players.fast_dice import FastDice
from skerry_games.players.search import ROOT_PRIOR_VISITS, Search
from skerry_games.players.turn_search import turn_utilities
from skerry_games.players.utility import advice_of
from skerry_games.position import Position, start
from skerry_games.rng import Dice, Rng
from tests.games.players.matches import ticking


class Counted:
    """An information state that counts how often it is sampled."""

    def __init__(self, position: Position) -> None:
        self._seen = seen_from(position, position.to_act[0], Dice(Random(1)))
        self.samples = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._seen, name)

    def sample(self, rng: Rng) -> Position:
        self.samples += 1
        return self._seen.sample(rng)


def counted(game: str = "kreta") -> Any:
    return Counted(start(game, rng=Dice(Random(1))))


def test_a_level_is_a_number_of_iterations() -> None:
    position = counted()
    player("mcts:25")(Dice(Random(1))).choose(position, untimed)
    assert position.samples == 1 + 25


def test_a_search_stops_when_the_clock_runs_out() -> None:
    position = counted()
    move = player("mcts:1000")(Dice(Random(1))).choose(position, ticking(1.0, 0.125))
    assert position.samples == 1 + 8
    assert move in position.legal_moves


def test_a_search_without_time_still_chooses_a_move() -> None:
    position = counted()
    assert player("mcts:1000")(Dice(Random(1))).choose(position, lambda: 0.0) in position.legal_moves


def test_a_budget_of_milliseconds_uses_the_clock() -> None:
    position = counted()
    player("mcts:500ms")(Dice(Random(1))).choose(position, ticking(100.0, 0.125))
    assert position.samples == 1 + 3
    with pytest.raises(ValueError, match="needs a clock"):
        player("mcts:500ms")(Dice(Random(1))).choose(counted(), untimed)


def test_a_single_legal_move_needs_no_sample() -> None:
    position = start("tenerife", rng=Dice(Random(1)))

    class OneWay:
        legal_moves = position.legal_moves()[:1]

    only: InformationState = OneWay()  # type: ignore[assignment]
    for name in ("greedy", "mcts:1000000"):
        assert player(name)(Dice(Random(1))).choose(only, untimed) == position.legal_moves()[0]


@pytest.mark.parametrize("game", ["canarias", "kreta", "small_islands", "tenerife"])
def test_every_iteration_adds_one_visit_at_the_root(game: str) -> None:
    position = start(game, rng=Dice(Random(1)))
    seat, dice = position.to_act[0], FastDice(Dice(Random(2)))
    moves = position.legal_moves(seat)
    advice = advice_of(position.game)
    priors = turn_utilities(position.game, advice, position.state, seat, moves)
    search = Search(position.game, advice, seat, priors, dice)
    for _ in range(30):
        search.iterate(position.redeal(seat, dice).state)
    arms = search._root.arms
    assert sum(arm.visits - ROOT_PRIOR_VISITS for arm in arms.values()) == 30
    assert set(arms) == set(moves)
    assert all(0 <= arm.total <= arm.visits for arm in arms.values())
    assert search.best() in moves
