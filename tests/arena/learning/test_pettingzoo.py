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
from pettingzoo.test import api_test, parallel_api_test, seed_test

from skerry_arena.learning.encoding.move_selection import MoveSelection
from skerry_arena.learning.episode import Episode
from skerry_arena.learning.pettingzoo import env, parallel_env, raw_env
from skerry_arena.learning.returns import returns
from skerry_games.api import BadOptions
from skerry_games.catalogue import all_games
from tests.games.conformance.play import dice, middle

TABLES = [(game.id, seats) for game in all_games().values() for seats in game.seats]
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
def test_pettingzoos_parallel_test_passes(game: str, seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    parallel_api_test(parallel_env(game, seats), num_cycles=120)
    assert "Passed Parallel API test" in capsys.readouterr().out


@pytest.mark.parametrize("game", [game.id for game in all_games().values()])
def test_both_kinds_of_environments_play_the_same_game(game: str) -> None:
    one, other = raw_env(game), parallel_env(game)
    one.reset(seed=4)
    observations, _ = other.reset(seed=4)
    rewards, together, waiting = dict[str, float](), 0, {agent: list[int]() for agent in other.agents}
    while other.agents:
        actions = {agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}
        acting = [agent for agent, seen in observations.items() if seen["action_mask"].any()]
        together += len(acting) > 1
        for agent in acting:
            waiting[agent].append(actions[agent])
        while waiting[one.agent_selection]:
            one.step(waiting[one.agent_selection].pop(0))
        observations, rewards, terminated, truncated, _ = other.step(actions)
        assert set(truncated.values()) == {False} and len(set(terminated.values())) == 1
    assert one.rewards == rewards
    assert all((one.observe(agent)["observation"] == seen["observation"]).all() for agent, seen in observations.items())
    assert (together > 0) == (game == "small_islands")


@pytest.mark.parametrize("wrong", [None, -1, 9999])
def test_a_wrong_action_in_parallel_raises_and_changes_nothing(wrong: Any) -> None:
    table = parallel_env("small_islands")
    observations, _ = table.reset(seed=2)
    while sum(seen["action_mask"].any() for seen in observations.values()) < 2:
        observations, *_ = table.step(
            {agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}
        )
    actions = {agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}
    with pytest.raises(ValueError, match="of seat_1 is not possible now"):
        table.step({**actions, "seat_1": wrong})
    for agent, seen in observations.items():
        assert all((table.observe(agent)[part] == seen[part]).all() for part in seen)


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
    outcome = table.unwrapped.episode.position.outcome
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
    true = table.episode
    for seat, agent in enumerate(table.possible_agents):
        seen = table.observe(agent)
        table.episode = deepcopy(true)
        table.episode.position = true.position.redeal(seat, dice(9, number))
        _select_anew(table.episode, seat)
        again = table.observe(agent)
        table.episode = true
        assert all((seen[part] == again[part]).all() for part in seen)


def _select_anew(episode: Episode, seat: int) -> None:
    """Forget what is kept of the decision, and repeat the incomplete move of a seat among its moves of now."""
    before = episode.selection(seat)
    episode._begin_decision()
    if before is None:
        return
    selection = episode.selection(seat)
    assert selection is not None
    while len(selection.prefix) < len(before.prefix):
        taken = selection.take(before.prefix[len(selection.prefix)])
        assert isinstance(taken, MoveSelection)
        selection = episode._selections[seat] = taken


def test_only_its_own_agent_sees_an_incomplete_move() -> None:
    table = raw_env("kreta", 2)
    table.reset(seed=1)
    table.action_space("seat_0").seed(3)
    word = slice(1, table.encoding.actions.longest)
    spelled = 0
    while not any(table.terminations.values()):
        own, other = table.agent_selection, next(one for one in table.agents if one != table.agent_selection)
        begun = table.observe(own)["observation"][word]
        selection = table.episode.selection(table.episode.to_act[0])
        assert selection is not None and tuple(begun[begun > 0] - 1) == selection.prefix
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
    table = raw_env("kreta", 3)
    seen = []
    for seed in (5, None, 5):
        table.reset(seed=seed)
        seen.append(np.concatenate([table.observe(agent)["observation"] for agent in table.agents]))
    assert (seen[0] == seen[2]).all()
    assert (seen[0] != seen[1]).any()
