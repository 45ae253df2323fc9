"""One seat against players: what Gymnasium asks of environments, opponents, and many games in several processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils.env_checker import check_env

from skerry_arena.learning.gymnasium import SkerryEnv
from skerry_arena.learning.returns import returns
from skerry_arena.learning.vector import SkerryVectorEnv
from skerry_games.api import BadOptions
from skerry_games.catalogue import all_games
from skerry_games.information_state import InformationState
from skerry_games.players import Clock, UnknownPlayer
from skerry_games.rng import Rng

GAMES = list(all_games())


class Failing:
    """A player that raises in its first decision."""

    def __init__(self, rng: Rng) -> None:
        pass

    def choose(self, position: InformationState, clock: Clock) -> Any:
        raise ZeroDivisionError("a player has failed")


def last_legal(observation: dict[str, Any]) -> Any:
    """Return the last possible action of each mask; 0 for an empty one."""
    mask = observation["action_mask"]
    return (mask * np.arange(1, mask.shape[-1] + 1)).argmax(-1)


def played(game: SkerryEnv, seed: int | None) -> list[tuple[list[int], float]]:
    """Play a game. Return the observation and the reward of each step."""
    observation, info = game.reset(seed=seed)
    assert info == {"seat": observation["observation"][0]}
    steps, over = [], False
    while not over:
        assert game.observation_space.contains(observation)
        assert (game.action_masks() == observation["action_mask"].astype(bool)).all()
        observation, reward, over, truncated, info = game.step(int(last_legal(observation)))
        assert not truncated and info == ({"returns": game.episode.returns} if over else {})
        steps.append((observation["observation"].tolist(), float(reward)))
    return steps


@pytest.mark.parametrize("game", GAMES)
def test_gymnasiums_own_test_passes(game: str) -> None:
    for seats in all_games()[game].seats:
        made = gymnasium.make(f"skerry/{game}-v0", seats=seats, opponents="easy", render_mode="ansi")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(made.unwrapped)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_ends_with_the_return_of_the_own_seat(game: str) -> None:
    made = SkerryEnv(game, all_games()[game].seats[-1], seat=1, render_mode="ansi")
    steps = played(made, 3)
    outcome = made.episode.position.outcome
    assert outcome is not None
    assert [reward for _, reward in steps[:-1]] == [0.0] * (len(steps) - 1)
    assert steps[-1][1] == made.episode.returns[1]
    assert {numbers[0] for numbers, _ in steps} == {1}
    assert made.render() == made.episode.position.text(1, [f"seat_{seat}" for seat in range(made.encoding.seats)])


def test_equal_seeds_give_equal_games_and_the_seat_changes() -> None:
    made = SkerryEnv("canarias", 3, opponents=["easy", "random"])
    first = played(made, 5)
    assert [played(made, seed) for seed in (None, 5)][1] == first
    assert {made.reset(seed=seed)[1]["seat"] for seed in range(12)} == {0, 1, 2}


def test_self_play_observes_and_rewards_the_seat_to_act() -> None:
    made = SkerryEnv("small_islands", 3, opponents=None)
    check_env(made, skip_render_check=True)
    steps = played(made, 2)
    acted = [numbers[0] for numbers, _ in steps]
    assert set(acted) == {0, 1, 2}
    outcome = made.episode.position.outcome
    assert outcome is not None and steps[-1][1] == returns(outcome.ranks)[acted[-1]]
    with pytest.raises(ValueError, match="the caller has all seats, not seat 1"):
        SkerryEnv("kreta", opponents=None, seat=1)


def test_opponents_sit_in_order_after_the_own_seat() -> None:
    made = SkerryEnv("kreta", 3, opponents=["easy", "random"], seat=2)
    made.reset(seed=1)
    assert {seat: type(one).__name__ for seat, one in made._players.items()} == {0: "GreedyPlayer", 1: "RandomPlayer"}


def test_an_action_outside_of_the_mask_loses() -> None:
    made = SkerryEnv("tenerife")
    observation, _ = made.reset(seed=1)
    wrong = int(np.argmin(observation["action_mask"]))
    after, reward, over, _, info = made.step(wrong)
    assert (reward, over, info) == (-1.0, True, {"illegal_action": wrong})
    assert made.observation_space.contains(after)


def test_invalid_arguments_raise() -> None:
    for arguments, error, message in (
        ({"game": "chess"}, KeyError, "chess"),
        ({"game": "kreta", "seats": 9}, BadOptions, "9"),
        ({"game": "kreta", "colour": "red"}, TypeError, "colour"),
        ({"game": "kreta", "opponents": "nobody"}, UnknownPlayer, "nobody"),
        ({"game": "kreta", "opponents": ["easy", "easy"]}, ValueError, "need 1 opponents, not 2"),
        ({"game": "kreta", "seat": 2}, ValueError, "The seats are 0 to 1"),
    ):
        with pytest.raises(error, match=message):
            SkerryEnv(**arguments)
    for games, processes in ((0, None), (2, -1)):
        with pytest.raises(ValueError, match="must be at least"):
            SkerryVectorEnv(games, processes=processes, game="kreta")


def test_many_games_in_processes_are_those_that_gymnasium_plays_one_by_one() -> None:
    alone = gymnasium.make_vec("skerry/tenerife-v0", num_envs=5, vectorization_mode="sync")
    here, there = (gymnasium.make_vec("skerry/tenerife-v0", num_envs=5, processes=processes) for processes in (0, 2))
    vectors, over, illegal = (alone, here, there), 0, 0
    observations = [vector.reset(seed=7)[0] for vector in vectors]
    for number in range(150):
        actions = last_legal(observations[0])
        if number == 20:
            actions[3] = 0 if observations[0]["action_mask"][3][0] == 0 else 67
        steps: list[Any] = [vector.step(actions) for vector in vectors]
        observations = [step[0] for step in steps]
        for other in steps[1:]:
            assert all((steps[0][0][part] == other[0][part]).all() for part in ("observation", "action_mask"))
            assert all(np.array_equal(steps[0][part], other[part]) for part in (1, 2, 3))
        for name in ("illegal_action", "_illegal_action"):
            assert all(np.array_equal(steps[0][4].get(name, ()), other[4].get(name, ())) for other in steps[1:])
        illegal += "illegal_action" in steps[2][4]
        ended = steps[0][4].get("_returns", np.zeros(5, bool))
        for other in steps[1:]:
            assert (other[4].get("_returns", np.zeros(5, bool)) == ended).all()
            for row in np.flatnonzero(ended):
                assert tuple(other[4]["returns"][row]) == tuple(steps[0][4]["returns"][row])
        over += int(steps[0][2].sum())
    assert over > 5 and illegal == 1
    assert there.observation_space.contains(observations[2])
    assert isinstance(there, SkerryVectorEnv)
    one, other = there._processes
    os.kill(other.pid, signal.SIGKILL)
    with pytest.raises(RuntimeError, match="has ended"):
        there.step(last_legal(observations[0]))
    assert not one.is_alive() and there.closed
    for vector in (alone, here):
        vector.close()
    with pytest.raises(ClosedEnvironmentError):
        here.step(last_legal(observations[0]))


def test_without_copies_a_step_changes_what_the_last_one_returned() -> None:
    games = SkerryVectorEnv(3, processes=0, copy=False, game="kreta")
    with pytest.raises(ResetNeeded):
        games.step(np.zeros(3, np.int64))
    first, _ = games.reset(seed=[1, 2, 1])
    assert (first["observation"][0] == first["observation"][2]).all()
    before = first["observation"].copy()
    second, *_ = games.step(last_legal(first))
    assert second["observation"] is first["observation"]
    assert (before != second["observation"]).any()
    with pytest.raises(ValueError, match="3 games need 3 seeds, not 2"):
        games.reset(seed=[1, 2])
    with pytest.raises(ValueError, match="takes no reset_mask"):
        games.reset(options={"reset_mask": np.array([True, False, False])})
    with pytest.raises(ValueError, match="reshape"):
        games.step(np.zeros(2, np.int64))


def _play_on(games: SkerryVectorEnv) -> None:
    observation, _ = games.reset()
    while True:
        observation, *_ = games.step(last_legal(observation))


def test_the_error_of_a_player_in_another_process_is_raised_here() -> None:
    games = SkerryVectorEnv(2, processes=1, game="kreta", opponents=f"{__name__}:Failing")
    with pytest.raises(RuntimeError, match="ZeroDivisionError: a player has failed"):
        _play_on(games)
    assert games.closed
    games = SkerryVectorEnv(2, processes=0, game="kreta", opponents=f"{__name__}:Failing")
    with pytest.raises(ZeroDivisionError):
        _play_on(games)
    assert games.closed


ABANDONED = """
from skerry_arena.learning.vector import SkerryVectorEnv

if __name__ == "__main__":
    games = SkerryVectorEnv(2, processes=2, game="kreta")
    observation, _ = games.reset()
    print(*[process.pid for process in games._processes], flush=True)
    while True:
        observation, *_ = games.step(observation["action_mask"].argmax(axis=1))
"""


@pytest.mark.deep
@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_survives_its_parent(tmp_path: Path, signal_number: signal.Signals) -> None:
    program = tmp_path / "abandoned.py"
    program.write_text(ABANDONED, encoding="utf-8")
    with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as parent:
        assert parent.stdout is not None
        children = [int(word) for word in parent.stdout.readline().split()]
        parent.send_signal(signal_number)
    assert len(children) == 2
    while any(_runs(child) for child in children):
        time.sleep(0.01)


def _runs(process: int) -> bool:
    """Whether a process runs. One that has ended may wait for a parent that reads its status."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
