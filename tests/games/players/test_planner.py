"""The player that plans: its budget, its clock, and how it compares turns."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from skerry_games.catalogue import all_games
from skerry_games.information_state import seen_from
from skerry_games.players import player, untimed
from skerry_games.players.fast_dice import FastDice
from skerry_games.players.planner import CANDIDATES, PlanningPlayer, TurnComparison
from skerry_games.players.turn_search import whole_turns
from skerry_games.players.utility import evaluation_of
from skerry_games.position import start
from skerry_games.rng import Dice
from tests.games.players.matches import play_block, ticking
from tests.games.players.test_mcts import counted

GAMES = ("canarias", "kreta", "small_islands", "tenerife")


def planner(playouts: int) -> PlanningPlayer:
    return PlanningPlayer(Dice(Random(1)), playouts)


@pytest.mark.parametrize("game", GAMES)
def test_the_best_move_is_the_first_of_the_ranking(game: str) -> None:
    position = start(game, rng=Dice(Random(1)))
    seen = seen_from(position, position.to_act[0], Dice(Random(1)))
    ranked = planner(12).rank(seen, untimed)
    assert ranked[0].move == planner(12).choose(seen, untimed)
    assert {each.move for each in ranked} == set(seen.legal_moves)
    utilities = [each.utility for each in ranked]
    assert utilities == sorted(utilities, reverse=True)
    assert all(0 <= each <= 1 for each in utilities)


@pytest.mark.parametrize(("playouts", "worlds"), [(2, 1), (8, 4), (24, 12)])
def test_a_budget_is_a_number_of_play_outs(playouts: int, worlds: int) -> None:
    position: Any = counted("kreta")
    planner(playouts).rank(position, untimed)
    # A sample for the list of turns, and one for each world. A world has a play-out for each remaining turn.
    assert 1 < position.samples <= 1 + worlds


@pytest.mark.parametrize("game", GAMES)
def test_a_budget_is_not_exceeded(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    played = 0

    def play(self: TurnComparison, state: Any, dice: FastDice) -> None:
        nonlocal played
        played += len(self.remaining)

    monkeypatch.setattr(TurnComparison, "play", play)
    position = start(game, rng=Dice(Random(1)))
    seen = seen_from(position, position.to_act[0], Dice(Random(1)))
    for playouts in range(1, 25):
        played, budget = 0, playouts * evaluation_of(position.game, position.game.seats[0]).playouts
        planner(playouts).rank(seen, untimed)
        assert played <= budget
    assert played


def test_a_policy_makes_play_outs_fast_so_that_a_budget_has_more_of_them() -> None:
    position: Any = counted("tenerife")
    planner(2).rank(position, untimed)
    assert len(position.legal_moves) < evaluation_of(position.game, 2).playouts
    # All moves are compared at first, which takes one world of the first stage, and then the better ones.
    assert 2 < position.samples <= 1 + evaluation_of(position.game, 2).playouts


def test_a_clock_that_runs_out_ends_the_comparison() -> None:
    position: Any = counted("tenerife")
    move = planner(1000).choose(position, ticking(1.0, 0.25))
    assert position.samples == 1 + 4
    assert move in position.legal_moves
    assert planner(1000).choose(position, lambda: 0.0) in position.legal_moves


def test_the_better_half_of_the_turns_remains() -> None:
    position = start("tenerife", rng=Dice(Random(1)))
    game, seat, dice = position.game, position.to_act[0], FastDice(Dice(Random(2)))
    evaluation = evaluation_of(game, 2)
    turns = whole_turns(game, evaluation, position.state, seat)
    assert [turn.utility for turn in turns] == sorted([turn.utility for turn in turns], reverse=True)
    compared = TurnComparison(game, evaluation, seat, turns, CANDIDATES)
    compared.play(position.state, dice)
    means = compared.utilities()
    compared.halve()
    assert len(compared.remaining) == CANDIDATES // 2
    kept = [compared._totals[number] for number in compared.remaining]
    dropped = [compared._totals[number] for number in range(CANDIDATES) if number not in compared.remaining]
    assert min(kept) >= max(dropped)
    assert means[compared.best().moves[0]] >= max(kept)


@pytest.mark.parametrize("level", ["planner", "planner:", "planner:0", "planner:x", "planner:50ms"])
def test_a_level_is_a_number_of_play_outs(level: str) -> None:
    with pytest.raises(ValueError, match="Unknown player"):
        player(level)


@pytest.mark.deep
@pytest.mark.timeout(120)
def test_the_planner_beats_the_tree_search_at_tenerife_in_the_same_time() -> None:
    one, other = player("planner:2"), player("mcts:60")
    shares = [play_block(all_games()["tenerife"], 2, one, other, block) for block in range(4)]
    assert sum(shares) / len(shares) > 0.6
