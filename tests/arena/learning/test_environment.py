"""The environments: what PettingZoo asks of them, and that an agent sees what its seat may know and nothing else."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from pettingzoo.test import api_test, seed_test

from skerry_arena.learning.environment import env, raw_env
from skerry_arena.learning.features import Features
from skerry_arena.learning.returns import returns
from skerry_games import canarias
from skerry_games.api import AnyGame, BadOptions
from skerry_games.canarias.state import DeckOption, Options
from skerry_games.catalogue import all_games
from tests.games.canarias.drawing import card, position
from tests.games.conformance.play import dice, middle, play, spread
from tests.games.variants import all_variants

TABLES = [(game.id, seats) for game in all_games().values() for seats in game.seats]
VARIANTS = [pytest.param(variant.game, id=variant.id) for variant in all_variants()]
OF_THEIR_OWN = ("Observation space for each agent probably should be", "Observation is not a NumPy array")
"""Remarks of PettingZoo's test on every environment whose observations hold a mask, but those that it names."""


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_pettingzoos_own_test_passes(game: str, seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env(game, seats), num_cycles=120)
        seed_test(partial(env, game, seats), num_cycles=40)
    assert "Passed API test" in capsys.readouterr().out
    assert [str(one.message) for one in caught if not str(one.message).startswith(OF_THEIR_OWN)] == []


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_whole_game_ends_with_its_returns(game: str, seats: int) -> None:
    table = env(game, seats, render_mode="ansi")
    table.reset(seed=7)
    sums = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        seen, reward, terminated, truncated, _ = table.last()
        sums[agent] += reward
        assert not truncated
        assert table.observation_space(agent).contains(seen)
        assert bool(seen["action_mask"].any()) != terminated
        table.step(None if terminated else table.action_space(agent).sample(seen["action_mask"]))
    outcome = table.unwrapped._course.position.outcome
    assert tuple(sums.values()) == returns(outcome.ranks)
    assert abs(sum(sums.values())) < 1e-9
    assert table.unwrapped.render()


@pytest.mark.parametrize("again", [deepcopy, lambda table: pickle.loads(pickle.dumps(table))], ids=["copy", "pickle"])
@pytest.mark.parametrize("game", [game.id for game in all_games().values()])
def test_copies_and_pickles_of_a_game_continue_alike(game: str, again: Callable[[Any], Any]) -> None:
    table = env(game)
    table.reset(seed=7)
    for _ in range(middle(all_games()[game], len(table.possible_agents), 20)):
        table.step(int(table.last()[0]["action_mask"].argmax()))
    ends = []
    for one in (again(table), table):
        while not one.last()[2]:
            one.step(int(one.last()[0]["action_mask"].argmax()))
        ends.append((one.rewards, [one.observe(agent)["observation"].tolist() for agent in one.possible_agents]))
    assert ends[0] == ends[1]


def test_returns_are_shares_of_opponents_beaten() -> None:
    assert returns((1, 2)) == (1.0, -1.0)
    assert returns((1, 1)) == (0.0, 0.0)
    assert returns((2, 1, 2)) == (-0.5, 1.0, -0.5)
    assert returns((1, 2, 3, 3)) == pytest.approx((1.0, 1 / 3, -2 / 3, -2 / 3))


@pytest.mark.parametrize("game", VARIANTS)
def test_numbers_are_within_bounds_and_do_not_depend_on_hidden_information(game: AnyGame) -> None:
    compared = 0
    for seats in game.seats:
        features = Features(game, game.options_type(), seats)
        low, high = (np.array([getattr(one, side) for one in features.all]) for side in ("low", "high"))
        assert len({one.name for one in features.all}) == len(features.all)
        for number, state in enumerate(spread(play(game, seats, 5).states, 20)):
            for seat in range(seats):
                received = features.numbers(game.view(state, seat))
                assert ((low <= received) & (received <= high)).all()
                twin = game.redeal(state, seat, dice(8, number))
                assert features.numbers(game.view(twin, seat)) == received
                compared += twin != state
    assert (compared > 0) == (game.id != "kreta")


@pytest.mark.parametrize(
    "deck", [DeckOption.TRIPLES, DeckOption.TRIPLES.value], ids=["chosen by name", "chosen by number"]
)
@pytest.mark.parametrize("seat", [0, 1])
def test_equal_cards_on_the_ship_are_counted(seat: int, deck: Any) -> None:
    """CANARIAS-SHIP-1: with the deck of triples one can stay on board, and its owner load another one like it."""
    features = Features(canarias.GAME, Options(deck=deck), 2)
    monk = card("monje-a")
    sailing = replace(position("round: 2"), ship=((monk, 0), (monk, 0)))
    received = dict(zip(features.all, features.numbers(canarias.GAME.view(sailing, seat)), strict=True))
    assert all(one.low <= number <= one.high for one, number in received.items())
    aboard = {one.name: number for one, number in received.items() if one.name.startswith("aboard") and number}
    assert aboard == ({f"aboard[{monk}]?": 2, f"aboard[{monk}].seat?": 1} if seat == 0 else {})


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_an_observation_does_not_depend_on_hidden_information(game: str, seats: int) -> None:
    table, taken = raw_env(game, seats), 0
    table.reset(seed=11)
    table.action_space("seat_0").seed(1)
    while not any(table.terminations.values()):
        if taken % 14 == 0:
            _redealt(table, taken)
        mask = table.observe(table.agent_selection)["action_mask"]
        table.step(int(table.action_space("seat_0").sample(mask)))
        taken += 1
    assert taken


def _redealt(table: raw_env, number: int) -> None:
    """Resample the hidden information of each seat and compare its observations."""
    true = table._course.position
    for seat, agent in enumerate(table.possible_agents):
        seen = table.observe(agent)
        table._course.position = true.redeal(seat, dice(9, number))
        again = table.observe(agent)
        table._course.position = true
        assert all((seen[part] == again[part]).all() for part in seen)


def test_only_its_own_agent_sees_an_incomplete_move() -> None:
    table = raw_env("kreta", 2)
    table.reset(seed=1)
    table.action_space("seat_0").seed(3)
    word = slice(1, table.actions.longest)
    spelled = 0
    while not any(table.terminations.values()):
        own, other = table.agent_selection, next(one for one in table.agents if one != table.agent_selection)
        begun = table.observe(own)["observation"][word]
        assert tuple(begun[begun > 0] - 1) == table._decision.prefix
        assert not table.observe(other)["observation"][word].any()
        assert not table.observe(other)["action_mask"].any()
        spelled += bool(begun.any())
        table.step(int(table.action_space("seat_0").sample(table.observe(own)["action_mask"])))
    assert spelled > 10


@pytest.mark.parametrize("action", [None, -1, 10_000, 266, "first that is not possible"])
def test_an_action_outside_of_the_mask_raises_and_changes_nothing(action: Any) -> None:
    table = raw_env("kreta", 2)
    table.reset(seed=1)
    before = table.observe(table.agent_selection)
    wrong = int(np.argmin(before["action_mask"])) if isinstance(action, str) else action
    with pytest.raises(ValueError, match="action"):
        table.step(wrong)
    after = table.observe(table.agent_selection)
    assert all((before[part] == after[part]).all() for part in before)


def test_invalid_games_and_options_raise() -> None:
    with pytest.raises(KeyError, match="chess"):
        env("chess")
    with pytest.raises(BadOptions):
        env("kreta", 9)
    with pytest.raises(TypeError):
        env("kreta", colour="blue")


def test_equal_seeds_give_equal_games() -> None:
    table = raw_env("canarias", 3)
    seen = []
    for seed in (5, None, 5):
        table.reset(seed=seed)
        seen.append(np.concatenate([table.observe(agent)["observation"] for agent in table.agents]))
    assert (seen[0] == seen[2]).all()
    assert (seen[0] != seen[1]).any()
